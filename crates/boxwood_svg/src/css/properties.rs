//! The properties that count: one line each.

use std::rc::Rc;

use cssparser::Parser;

use super::grammar::{self as g, Context, Result};
use super::ignored::Ignored;
use super::rules::Declaration;
use super::shorthands::{self, Shorthand};
use super::values::excess_nesting;
use super::variables::has_reference;

pub(crate) use super::grammar::DeclaredIn;

/// A property with one value.
pub(crate) struct Property {
    pub(crate) name: &'static str,
    pub(crate) is_inherited: bool,
    /// Whether the attribute of this name sets the property on every element.
    pub(crate) has_attribute: bool,
    /// The initial value. It is empty if usvg has no text for it: then the property is left out.
    pub(crate) initial: &'static str,
    syntax: Syntax,
}

/// How a value is parsed and written.
enum Syntax {
    /// One of these keywords, as they are written here.
    Keywords(&'static [&'static str]),
    Grammar(fn(&mut Parser<'_>, &Context) -> Result<String>),
}

use Syntax::{Grammar, Keywords};

const fn property(
    name: &'static str,
    [is_inherited, has_attribute]: [bool; 2],
    initial: &'static str,
    syntax: Syntax,
) -> Property {
    Property { name, is_inherited, has_attribute, initial, syntax }
}

/// Inherited, and a presentation attribute.
const INHERITED: [bool; 2] = [true, true];
/// Inherited, and not an attribute.
const INHERITED_IN_CSS: [bool; 2] = [true, false];
/// Not inherited, and a presentation attribute.
const OWN: [bool; 2] = [false, true];
/// Not inherited. If there is an attribute of this name, it means something else on some elements.
const OWN_IN_CSS: [bool; 2] = [false, false];

const BASELINES: &[&str] = &[
    "auto",
    "baseline",
    "before-edge",
    "text-before-edge",
    "middle",
    "central",
    "after-edge",
    "text-after-edge",
    "ideographic",
    "alphabetic",
    "hanging",
    "mathematical",
    "text-top",
    "text-bottom",
    "use-script",
    "no-change",
    "reset-size",
    "top",
    "center",
    "bottom",
];
const BLEND_MODES: &[&str] = &[
    "normal",
    "multiply",
    "screen",
    "overlay",
    "darken",
    "lighten",
    "color-dodge",
    "color-burn",
    "hard-light",
    "soft-light",
    "difference",
    "exclusion",
    "hue",
    "saturation",
    "color",
    "luminosity",
    "plus-lighter",
];
const COLOR_SPACES: &[&str] = &["auto", "sRGB", "linearRGB"];
const FILL_RULES: &[&str] = &["nonzero", "evenodd"];
const IMAGE_RENDERINGS: &[&str] =
    &["auto", "optimizeQuality", "optimizeSpeed", "smooth", "high-quality", "crisp-edges", "pixelated"];
const SHAPE_RENDERINGS: &[&str] = &["auto", "optimizeSpeed", "crispEdges", "geometricPrecision"];
const TEXT_RENDERINGS: &[&str] = &["auto", "optimizeSpeed", "optimizeLegibility", "geometricPrecision"];
const TRANSFORM_BOXES: &[&str] = &["view-box", "fill-box", "content-box", "stroke-box", "border-box"];
const VECTOR_EFFECTS: &[&str] =
    &["none", "non-scaling-stroke", "non-scaling-size", "non-rotation", "fixed-position"];
const WRITING_MODES: &[&str] =
    &["lr-tb", "lr", "rl-tb", "rl", "tb-rl", "tb", "horizontal-tb", "vertical-rl", "vertical-lr"];

/// The properties, sorted by name.
#[rustfmt::skip]
pub(crate) static PROPERTIES: [Property; 83] = [
    property("alignment-baseline", OWN, "auto", Keywords(BASELINES)),
    property("background-color", OWN_IN_CSS, "", Grammar(g::background)),
    property("baseline-shift", OWN, "baseline", Grammar(g::baseline_shift)),
    property("clip-path", OWN, "none", Grammar(g::clip_path)),
    property("clip-rule", INHERITED, "nonzero", Keywords(FILL_RULES)),
    property("color", INHERITED, "black", Grammar(g::own_color)),
    property("color-interpolation", INHERITED, "sRGB", Keywords(COLOR_SPACES)),
    property("color-interpolation-filters", INHERITED, "linearRGB", Keywords(COLOR_SPACES)),
    property("cx", OWN_IN_CSS, "", Grammar(g::coordinate)),
    property("cy", OWN_IN_CSS, "", Grammar(g::coordinate)),
    property("d", OWN_IN_CSS, "", Grammar(g::path_data)),
    property("direction", INHERITED, "ltr", Keywords(&["ltr", "rtl"])),
    property("display", OWN, "inline", Grammar(g::display)),
    property("dominant-baseline", INHERITED, "auto", Keywords(BASELINES)),
    property("fill", INHERITED, "black", Grammar(g::paint)),
    property("fill-opacity", INHERITED, "1", Grammar(g::opacity)),
    property("fill-rule", INHERITED, "nonzero", Keywords(FILL_RULES)),
    property("filter", OWN, "none", Grammar(g::filter)),
    property("flood-color", OWN, "black", Grammar(g::flood_color)),
    property("flood-opacity", OWN, "1", Grammar(g::opacity)),
    property("font-family", INHERITED, "serif", Grammar(g::families)),
    property("font-kerning", INHERITED_IN_CSS, "auto", Keywords(&["auto", "normal", "none"])),
    property("font-optical-sizing", INHERITED_IN_CSS, "auto", Keywords(&["auto", "none"])),
    property("font-size", INHERITED, "medium", Grammar(g::font_size)),
    property("font-stretch", INHERITED, "normal", Grammar(g::font_stretch)),
    property("font-style", INHERITED, "normal", Grammar(g::font_style)),
    property("font-variant", INHERITED, "normal", Grammar(g::font_variant)),
    property("font-variation-settings", INHERITED_IN_CSS, "normal", Grammar(g::font_variations)),
    property("font-weight", INHERITED, "normal", Grammar(g::font_weight)),
    property("height", OWN_IN_CSS, "", Grammar(g::size)),
    property("image-rendering", INHERITED, "auto", Keywords(IMAGE_RENDERINGS)),
    property("isolation", OWN_IN_CSS, "auto", Keywords(&["auto", "isolate"])),
    property("letter-spacing", INHERITED, "normal", Grammar(g::spacing)),
    property("lighting-color", OWN, "white", Grammar(g::color)),
    property("marker-end", INHERITED, "none", Grammar(g::effect)),
    property("marker-mid", INHERITED, "none", Grammar(g::effect)),
    property("marker-start", INHERITED, "none", Grammar(g::effect)),
    property("mask", OWN, "none", Grammar(g::mask)),
    property("mask-clip", OWN_IN_CSS, "border-box", Grammar(g::any)),
    property("mask-origin", OWN_IN_CSS, "border-box", Grammar(g::any)),
    property("mask-position", OWN_IN_CSS, "0% 0%", Grammar(g::any)),
    property("mask-repeat", OWN_IN_CSS, "repeat", Grammar(g::any)),
    property("mask-size", OWN_IN_CSS, "auto", Grammar(g::any)),
    property("mask-type", OWN, "luminance", Keywords(&["luminance", "alpha"])),
    property("mix-blend-mode", OWN_IN_CSS, "normal", Keywords(BLEND_MODES)),
    property("offset-anchor", OWN_IN_CSS, "auto", Grammar(g::offset_anchor)),
    property("offset-distance", OWN_IN_CSS, "0", Grammar(g::offset_distance)),
    property("offset-path", OWN_IN_CSS, "none", Grammar(g::offset_path)),
    property("offset-rotate", OWN_IN_CSS, "auto", Grammar(g::offset_rotate)),
    property("opacity", OWN, "1", Grammar(g::opacity)),
    property("overflow", OWN, "visible", Grammar(g::overflow)),
    property("paint-order", INHERITED, "normal", Grammar(g::paint_order)),
    property("r", OWN_IN_CSS, "", Grammar(g::radius)),
    property("rotate", OWN_IN_CSS, "none", Grammar(g::rotate)),
    property("rx", OWN_IN_CSS, "", Grammar(g::auto_radius)),
    property("ry", OWN_IN_CSS, "", Grammar(g::auto_radius)),
    property("scale", OWN_IN_CSS, "none", Grammar(g::scale)),
    property("shape-rendering", INHERITED, "auto", Keywords(SHAPE_RENDERINGS)),
    property("stop-color", OWN, "black", Grammar(g::color)),
    property("stop-opacity", OWN, "1", Grammar(g::opacity)),
    property("stroke", INHERITED, "none", Grammar(g::paint)),
    property("stroke-dasharray", INHERITED, "none", Grammar(g::dashes)),
    property("stroke-dashoffset", INHERITED, "0", Grammar(g::offset)),
    property("stroke-linecap", INHERITED, "butt", Keywords(&["butt", "round", "square"])),
    property("stroke-linejoin", INHERITED, "miter", Keywords(&["miter", "miter-clip", "round", "bevel"])),
    property("stroke-miterlimit", INHERITED, "4", Grammar(g::miter_limit)),
    property("stroke-opacity", INHERITED, "1", Grammar(g::opacity)),
    property("stroke-width", INHERITED, "1", Grammar(g::stroke_length)),
    property("text-anchor", INHERITED, "start", Keywords(&["start", "middle", "end"])),
    property("text-decoration", OWN, "none", Grammar(g::decoration)),
    property("text-rendering", INHERITED, "auto", Keywords(TEXT_RENDERINGS)),
    property("transform", OWN_IN_CSS, "none", Grammar(g::transform)),
    property("transform-box", OWN_IN_CSS, "view-box", Keywords(TRANSFORM_BOXES)),
    property("transform-origin", OWN, "", Grammar(g::transform_origin)),
    property("translate", OWN_IN_CSS, "none", Grammar(g::translate)),
    property("vector-effect", OWN, "none", Keywords(VECTOR_EFFECTS)),
    property("visibility", INHERITED, "visible", Keywords(&["visible", "hidden", "collapse"])),
    // Browsers reset it on each text, as if it were not inherited.
    property("white-space", OWN_IN_CSS, "normal", Grammar(g::white_space)),
    property("width", OWN_IN_CSS, "", Grammar(g::size)),
    property("word-spacing", INHERITED, "normal", Grammar(g::spacing)),
    property("writing-mode", INHERITED, "lr-tb", Keywords(WRITING_MODES)),
    property("x", OWN_IN_CSS, "", Grammar(g::coordinate)),
    property("y", OWN_IN_CSS, "", Grammar(g::coordinate)),
];

/// The index of a property in the table.
pub(crate) type PropertyId = usize;

/// Other names of properties, in browsers or for parts of them that count here.
const ALIASES: [(&str, &str); 17] = [
    ("-webkit-clip-path", "clip-path"),
    ("-webkit-filter", "filter"),
    ("-webkit-mask", "mask"),
    ("-webkit-mask-clip", "mask-clip"),
    ("-webkit-mask-image", "mask"),
    ("-webkit-mask-origin", "mask-origin"),
    ("-webkit-mask-position", "mask-position"),
    ("-webkit-mask-repeat", "mask-repeat"),
    ("-webkit-mask-size", "mask-size"),
    ("-webkit-transform", "transform"),
    ("-webkit-transform-origin", "transform-origin"),
    ("font-variant-caps", "font-variant"),
    ("font-width", "font-stretch"),
    ("mask-image", "mask"),
    ("overflow-x", "overflow"),
    ("text-decoration-line", "text-decoration"),
    ("white-space-collapse", "white-space"),
];

/// The properties that could change what is painted, and are not supported.
const UNSUPPORTED: [&str; 33] = [
    "animation",
    "animation-name",
    "backdrop-filter",
    "clip",
    "content-visibility",
    "font-feature-settings",
    "font-palette",
    "font-size-adjust",
    "font-variant-alternates",
    "font-variant-east-asian",
    "font-variant-ligatures",
    "font-variant-numeric",
    "font-variant-position",
    "glyph-orientation-vertical",
    "inline-size",
    "mask-border",
    "mask-border-source",
    "mask-composite",
    "mask-mode",
    "outline",
    "outline-style",
    "perspective",
    "position",
    "shape-inside",
    "shape-subtract",
    "text-decoration-style",
    "text-decoration-thickness",
    "text-indent",
    "text-orientation",
    "text-shadow",
    "text-transform",
    "transform-style",
    "zoom",
];

/// Whether a value of an unsupported property changes nothing.
fn is_harmless(name: &str, value: &str) -> bool {
    const WORDS: [&str; 9] =
        ["", "auto", "inherit", "initial", "none", "normal", "revert", "revert-layer", "unset"];
    let value = value.to_ascii_lowercase();
    let of_property: &[&str] = match name {
        "content-visibility" => &["visible"],
        "mask-composite" => &["add"],
        "mask-mode" => &["match-source"],
        "position" => &["static"],
        "text-decoration-style" => &["solid"],
        "text-decoration-thickness" => &["from-font"],
        "text-indent" => &["0", "0px"],
        "text-orientation" => &["mixed"],
        "transform-style" => &["flat"],
        "zoom" => &["1", "100%"],
        _ => &[],
    };
    // The width, the style and the colour of an outline may come in any order.
    let is_no_outline =
        name == "outline" && value.split_ascii_whitespace().any(|word| matches!(word, "0" | "0px" | "none"));
    WORDS.contains(&&*value) || of_property.contains(&&*value) || is_no_outline
}

/// What a declaration sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Longhand(PropertyId),
    Shorthand(Shorthand),
    /// The property `all`.
    All,
    /// A custom property.
    Custom(Rc<str>),
    Unsupported(&'static str),
}

/// The property with a name in lower case.
pub(crate) fn by_name(name: &str) -> Option<PropertyId> {
    PROPERTIES.binary_search_by(|property| property.name.cmp(name)).ok()
}

/// What a declaration of a name sets. `None` for properties that nothing painted depends on.
pub(crate) fn target(name: &str) -> Option<Target> {
    if name.starts_with("--") {
        return Some(Target::Custom(name.into()));
    }
    let name = name.to_ascii_lowercase();
    let alias = ALIASES.iter().find(|(alias, _)| *alias == name);
    let name = alias.map_or(&*name, |(_, name)| name);
    let unsupported = || UNSUPPORTED.into_iter().find(|unsupported| *unsupported == name);
    by_name(name)
        .map(Target::Longhand)
        .or_else(|| Shorthand::by_name(name).map(Target::Shorthand))
        .or_else(|| (name == "all").then_some(Target::All))
        .or_else(|| unsupported().map(Target::Unsupported))
}

/// A keyword that every property has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wide {
    Inherit,
    Initial,
    Unset,
    Revert,
    RevertLayer,
}

impl Wide {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        const WORDS: [(&str, Wide); 5] = [
            ("inherit", Wide::Inherit),
            ("initial", Wide::Initial),
            ("unset", Wide::Unset),
            ("revert", Wide::Revert),
            ("revert-layer", Wide::RevertLayer),
        ];
        WORDS.into_iter().find(|(word, _)| word.eq_ignore_ascii_case(text)).map(|(_, wide)| wide)
    }
}

/// A valid value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Specified {
    /// A value as usvg reads it.
    Text(Rc<str>),
    Wide(Wide),
    /// A value that depends on the element: with variables or its colour. It is that of the
    /// shorthand if there is one.
    Deferred(Rc<str>, Option<Shorthand>),
}

/// What a valid declaration sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    Longhand(PropertyId),
    All,
    Custom(Rc<str>),
}

/// A valid declaration of one property, of all, or of a custom one.
#[derive(Clone, Debug)]
pub(crate) struct Declared {
    pub(crate) key: Key,
    pub(crate) value: Specified,
    pub(crate) place: DeclaredIn,
    pub(crate) is_important: bool,
}

/// Parses a value of a property. `None` if it is invalid.
pub(crate) fn parse(id: PropertyId, text: &str, context: &Context) -> Option<String> {
    let mut input = Parser::new(text);
    let parsed = input.parse_entirely(|input| match PROPERTIES[id].syntax {
        Keywords(keywords) => g::keyword(input, keywords).map(str::to_owned),
        Grammar(grammar) => grammar(input, context),
    });
    parsed.ok().filter(|_| !text.is_empty())
}

/// Parses the value of a longhand or a shorthand. `None` if it is invalid.
fn parse_target(target: &Target, text: &str, place: DeclaredIn) -> Option<Vec<(Key, Specified)>> {
    let deferred = |shorthand| Specified::Deferred(text.into(), shorthand);
    let longhands = || match target {
        Target::Longhand(id) => vec![*id],
        Target::Shorthand(shorthand) => shorthand.longhands(),
        _ => Vec::new(),
    };
    let each =
        |value: Specified| longhands().into_iter().map(|id| (Key::Longhand(id), value.clone())).collect();
    if let Some(wide) = Wide::parse(text) {
        return Some(match target {
            Target::All => vec![(Key::All, Specified::Wide(wide))],
            Target::Custom(name) => vec![(Key::Custom(Rc::clone(name)), Specified::Wide(wide))],
            _ => each(Specified::Wide(wide)),
        });
    }
    let context = Context::new(place);
    match target {
        Target::Custom(name) => {
            let value = if has_reference(text) { deferred(None) } else { Specified::Text(text.into()) };
            Some(vec![(Key::Custom(Rc::clone(name)), value)])
        }
        Target::Longhand(_) if has_reference(text) => Some(each(deferred(None))),
        Target::Shorthand(shorthand) if has_reference(text) => Some(each(deferred(Some(*shorthand)))),
        Target::Longhand(id) => {
            let written = parse(*id, text, &context)?;
            let value = if context.lacks_color() { deferred(None) } else { specified(&written) };
            Some(vec![(Key::Longhand(*id), value)])
        }
        Target::Shorthand(shorthand) => {
            let parts = shorthands::expand(*shorthand, text, &context)?;
            if context.lacks_color() {
                return Some(each(deferred(Some(*shorthand))));
            }
            Some(parts.into_iter().map(|(id, written)| (Key::Longhand(id), specified(&written))).collect())
        }
        Target::All | Target::Unsupported(_) => None,
    }
}

/// A value as it is written. `currentColor` as a colour is the inherited one.
pub(crate) fn specified(written: &str) -> Specified {
    Wide::parse(written).map_or_else(|| Specified::Text(written.into()), Specified::Wide)
}

/// Whether this crate supports a declaration.
pub(crate) fn supports(name: &str, value: &str) -> bool {
    let target = target(name).filter(|target| !matches!(target, Target::Unsupported(_)));
    target.is_some_and(|target| parse_target(&target, value, DeclaredIn::Sheet).is_some())
}

/// The valid declarations among some, and whether others are reported.
pub(crate) fn parse_all(
    declarations: &[Declaration<'_>],
    place: DeclaredIn,
    ignored: &Ignored,
) -> (Vec<Declared>, bool) {
    let (mut all, mut is_any_reported) = (Vec::with_capacity(declarations.len()), false);
    for Declaration { target, value, is_important, at } in declarations {
        if let Target::Unsupported(name) = target {
            if !is_harmless(name, value) {
                ignored.add(format!("property `{name}`"), *at);
                is_any_reported = true;
            }
            continue;
        }
        let Some(parts) = parse_target(target, value, place) else {
            if let Some(name) = name_of(target) {
                is_any_reported |= report_value(name, value, *at, ignored);
            }
            continue;
        };
        let declared = |(key, value)| Declared { key, value, place, is_important: *is_important };
        all.extend(parts.into_iter().map(declared));
    }
    (all, is_any_reported)
}

/// Reports a value of a property that is not supported.
pub(crate) fn report(id: PropertyId, value: &str, at: usize, ignored: &Ignored) {
    report_value(PROPERTIES[id].name, value, at, ignored);
}

/// Reports a value. Browsers ignore invalid values as well, so only functions and units that they
/// may know are reported. Returns whether it did.
fn report_value(name: &str, value: &str, at: usize, ignored: &Ignored) -> bool {
    let unsupported = unsupported_part(name, value);
    if let Some(part) = &unsupported {
        ignored.add(format!("{part} in `{name}`"), at);
    }
    unsupported.is_some()
}

/// What browsers may support in an invalid value of a property and this crate does not: a function,
/// a unit, a keyword, or several layers. Also says that its parentheses are nested too deep.
pub(crate) fn unsupported_part(name: &str, value: &str) -> Option<String> {
    let function = unknown_function(value).map(|function| format!("`{function}()`"));
    let unit = || unsupported_unit(value).map(|unit| format!("`{unit}`"));
    let of_property = || match name {
        "display" if value.eq_ignore_ascii_case("contents") => Some("`contents`".to_owned()),
        "mask" if value.contains(',') => Some("several layers".to_owned()),
        "writing-mode" if value.to_ascii_lowercase().starts_with("sideways") => Some(format!("`{value}`")),
        _ if has_infinite_constant(value) => Some("`infinity` or `NaN`".to_owned()),
        _ => None,
    };
    function.or_else(unit).or_else(of_property).or_else(|| excess_nesting(value))
}

/// Whether a calculation has one of the constants that are no finite numbers.
fn has_infinite_constant(value: &str) -> bool {
    let mut words = value.split(|c: char| !c.is_ascii_alphanumeric());
    let is_infinite = |word: &str| ["infinity", "nan"].iter().any(|name| word.eq_ignore_ascii_case(name));
    value.contains('(') && words.any(is_infinite)
}

/// The first unit of a length in a value that is not supported.
pub(crate) fn unsupported_unit(value: &str) -> Option<&'static str> {
    let mut words = value.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '+' | '-')));
    words.find_map(|word| {
        let number = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let unit = &word[number.len()..];
        number.parse::<f64>().ok()?;
        UNSUPPORTED_UNITS.into_iter().find(|name| unit.eq_ignore_ascii_case(name))
    })
}

/// The units of CSS that depend on containers, on the height of lines, or on the font of the root.
const UNSUPPORTED_UNITS: [&str; 12] =
    ["cqb", "cqh", "cqi", "cqmax", "cqmin", "cqw", "lh", "rcap", "rch", "rex", "ric", "rlh"];

fn name_of(target: &Target) -> Option<&'static str> {
    match target {
        Target::Longhand(id) => Some(PROPERTIES[*id].name),
        Target::Shorthand(shorthand) => Some(shorthand.name()),
        _ => None,
    }
}

/// The functions that this crate supports in some value. A value with them is invalid in browsers
/// as well, if it is invalid here.
const KNOWN_FUNCTIONS: [&str; 42] = [
    "blur",
    "brightness",
    "calc",
    "circle",
    "clamp",
    "contrast",
    "drop-shadow",
    "ellipse",
    "grayscale",
    "hsl",
    "hsla",
    "hue-rotate",
    "hwb",
    "inset",
    "invert",
    "lab",
    "lch",
    "light-dark",
    "matrix",
    "max",
    "min",
    "oklab",
    "oklch",
    "opacity",
    "path",
    "polygon",
    "rect",
    "rgb",
    "rgba",
    "rotate",
    "saturate",
    "scale",
    "scalex",
    "scaley",
    "sepia",
    "skewx",
    "skewy",
    "translate",
    "translatex",
    "translatey",
    "url",
    "xywh",
];

/// The name of the first function in a value that browsers may support and this crate does not.
fn unknown_function(value: &str) -> Option<String> {
    let mut functions = value.match_indices('(').map(|(at, _)| {
        let before = &value[..at];
        let is_outside = |c: char| !(c.is_ascii_alphanumeric() || c == '-');
        let name = before.rsplit(is_outside).next().unwrap_or_default().to_ascii_lowercase();
        // Relative colours, such as `rgb(from red r g b)`.
        let is_relative =
            value[at + 1..].trim_start().get(..5).is_some_and(|word| word.eq_ignore_ascii_case("from "));
        (name, is_relative)
    });
    let is_unknown = |(name, is_relative): &(String, bool)| {
        !name.is_empty() && (*is_relative || !KNOWN_FUNCTIONS.contains(&&**name))
    };
    functions.find(is_unknown).map(|(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        assert!(PROPERTIES.is_sorted_by_key(|property| property.name));
        for (_, name) in ALIASES {
            assert!(by_name(name).is_some(), "{name}");
        }
    }

    #[test]
    fn functions_that_are_not_known_have_names() {
        for (value, expected) in [
            ("circle(1px) foo(2px)", Some("foo")),
            ("rgb(from red r g b)", Some("rgb")),
            ("(1px)", None),
            ("écale(2)", Some("cale")),
            ("é(2)", None),
        ] {
            assert_eq!(unknown_function(value).as_deref(), expected, "{value}");
        }
    }

    #[test]
    fn initial_values_are_written_as_they_are() {
        let context = Context::new(DeclaredIn::Sheet);
        for (id, Property { name, initial, .. }) in PROPERTIES.iter().enumerate() {
            if !initial.is_empty() {
                assert_eq!(parse(id, initial, &context).as_deref(), Some(*initial), "{name}");
            }
        }
    }
}
