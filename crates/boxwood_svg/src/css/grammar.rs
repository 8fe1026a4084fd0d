//! The grammars of values, and how each value is written for usvg and for the later passes.
//!
//! usvg reads a declaration up to the first `/`, and a function up to the first `)`. It knows
//! keywords and units in one case only. So each value is written as usvg reads it. Lengths with
//! other units and `calc()` stay as they are, for `passes::css_geometry`.

use std::cell::Cell;

use cssparser::{CowRcStr, ParseError, Parser, Token};
use peniko::color::{DynamicColor, Srgb};
use svgtypes::PathParser;

use super::colors::{Color, color as parse_color};
use super::gradients::Gradient;
use super::shapes::{ClipShape, position};
use super::sizes::is_size_keyword;
use super::transforms::{Reference, is_spatial};
use super::values::{Units, Value, absolute_unit, angle, evaluate};

/// The result of parsing a value, or a part of one.
pub(crate) type Result<T> = std::result::Result<T, ParseError<()>>;

/// Where a declaration is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DeclaredIn {
    /// A presentation attribute, where a length may have no unit.
    PresentationAttribute,
    StyleAttribute,
    Sheet,
}

/// What the grammar of a value depends on.
pub(crate) struct Context {
    pub(crate) place: DeclaredIn,
    /// The value of the property `color` of the element, if it is known.
    color: Option<DynamicColor>,
    /// Whether the value depends on that.
    depends_on_color: Cell<bool>,
}

impl Context {
    /// The context of a declaration that is not applied to an element yet.
    pub(crate) const fn new(place: DeclaredIn) -> Self {
        Self { place, color: None, depends_on_color: Cell::new(false) }
    }

    /// The context of a declaration of an element with this colour.
    pub(crate) fn of_element(place: DeclaredIn, color: &str) -> Self {
        let color = peniko::color::parse_color(color).unwrap_or_else(|_| black());
        Self { place, color: Some(color), depends_on_color: Cell::new(false) }
    }

    /// The colour of the element.
    pub(crate) fn current_color(&self) -> DynamicColor {
        self.depends_on_color.set(true);
        self.color.unwrap_or_else(black)
    }

    /// Whether a value was parsed that depends on the colour of the element, which is unknown.
    pub(crate) fn lacks_color(&self) -> bool {
        self.color.is_none() && self.depends_on_color.get()
    }

    /// Whether the declaration is of one element. Chromium then accepts sizes and spaces without a
    /// unit.
    fn is_inline(&self) -> bool {
        self.place != DeclaredIn::Sheet
    }

    fn is_attribute(&self) -> bool {
        self.place == DeclaredIn::PresentationAttribute
    }
}

fn black() -> DynamicColor {
    DynamicColor::from_alpha_color(peniko::color::AlphaColor::<Srgb>::BLACK)
}

pub(crate) fn invalid<T>() -> Result<T> {
    Err(ParseError::unexpected_token())
}

/// Consumes the arguments of a function whose name has just been read.
pub(crate) fn rest_of_function(input: &mut Parser<'_>) -> Result<()> {
    input.parse_nested_block(|input| {
        while input.next().is_ok() {}
        Ok(())
    })
}

/// The text of the next token, with its contents if it is a function.
pub(crate) fn component<'i>(input: &mut Parser<'i>) -> Result<&'i str> {
    input.skip_whitespace();
    let start = input.position();
    match input.next()? {
        Token::Function(_) => rest_of_function(input)?,
        Token::ParenthesisBlock | Token::SquareBracketBlock | Token::CurlyBracketBlock => return invalid(),
        _ => {}
    }
    Ok(input.slice_from(start))
}

/// The text of all that is left.
fn rest<'i>(input: &mut Parser<'i>) -> &'i str {
    input.skip_whitespace();
    let start = input.position();
    while input.next().is_ok() {}
    input.slice_from(start).trim()
}

fn is_word(input: &mut Parser<'_>, word: &str) -> bool {
    input.try_parse(|input| input.expect_ident_matching(word)).is_ok()
}

/// One of some keywords, as they are written there.
pub(crate) fn keyword(input: &mut Parser<'_>, keywords: &'static [&'static str]) -> Result<&'static str> {
    let ident = input.expect_ident()?;
    keywords
        .iter()
        .find(|keyword| keyword.eq_ignore_ascii_case(ident))
        .copied()
        .ok_or_else(ParseError::unexpected_token)
}

/// `white-space`, as `pre` if spaces are preserved, and otherwise as `normal`. Browsers have no
/// line breaks in texts of SVG.
pub(super) fn white_space(input: &mut Parser<'_>, _: &Context) -> Result<String> {
    const COLLAPSED: &[&str] = &["normal", "nowrap", "pre-line", "collapse", "preserve-breaks"];
    const PRESERVED: &[&str] = &["pre", "pre-wrap", "preserve", "break-spaces"];
    let parse = |keywords: &'static [&'static str], input: &mut Parser<'_>| {
        input.try_parse(|input| keyword(input, keywords)).is_ok()
    };
    let has_wrap = parse(&["wrap"], input);
    let is_preserved = parse(PRESERVED, input);
    if !is_preserved && !parse(COLLAPSED, input) && !has_wrap {
        return invalid();
    }
    if !has_wrap {
        parse(&["wrap", "nowrap"], input);
    }
    Ok(if is_preserved { "pre" } else { "normal" }.to_owned())
}

/// The units of CSS, each with a size that is enough to tell whether a value is valid.
struct AnyUnits;

impl Units for AnyUnits {
    fn unit(&self, name: &str) -> Option<Value> {
        match name {
            "em" | "rem" | "ex" | "ch" | "cap" | "ic" => Some(Value::of_em(1.0)),
            "vw" | "vh" | "vi" | "vb" | "vmin" | "vmax" | "svw" | "svh" | "lvw" | "lvh" | "dvw" | "dvh" => {
                Some(Value::of_px(1.0))
            }
            _ => absolute_unit(name).map(Value::of_px).or_else(|| angle(name).map(Value::of_degrees)),
        }
    }

    fn px(&self, value: Value) -> f64 {
        value.number + value.px + value.percent + value.em
    }
}

/// The values of a length.
#[derive(Clone, Copy)]
pub(crate) struct Lengths {
    /// Whether a number without a unit is valid.
    pub(crate) has_numbers: bool,
    pub(crate) has_percentages: bool,
    pub(crate) has_negative: bool,
}

pub(crate) const ANY_LENGTH: Lengths =
    Lengths { has_numbers: true, has_percentages: true, has_negative: true };

/// A length, as it is written there.
pub(crate) fn length(input: &mut Parser<'_>, lengths: Lengths) -> Result<String> {
    let text = component(input)?.to_ascii_lowercase();
    let Some(value) = evaluate(&text, &AnyUnits) else { return invalid() };
    let is_valid = (value.is_length() || lengths.has_numbers && value.as_number().is_some())
        && (lengths.has_percentages || value.percent == 0.0)
        // A function is clamped to the valid range.
        && (lengths.has_negative || AnyUnits.px(value) >= 0.0 || text.contains('('));
    if is_valid { Ok(text) } else { invalid() }
}

/// A number in decimal notation.
fn number(input: &mut Parser<'_>) -> Result<f64> {
    let value = evaluate(component(input)?, &AnyUnits).and_then(Value::as_number);
    value.ok_or_else(ParseError::unexpected_token)
}

/// A number or a percentage of one.
fn number_or_percentage(input: &mut Parser<'_>) -> Result<f64> {
    let Some(value) = evaluate(component(input)?, &AnyUnits) else { return invalid() };
    let percent = Value { percent: value.percent, ..Value::default() };
    match value.as_number() {
        Some(number) => Ok(number),
        None if value == percent => Ok(value.percent / 100.0),
        None => invalid(),
    }
}

/// An angle in degrees. Zero may have no unit.
pub(crate) fn degrees(input: &mut Parser<'_>) -> Result<f64> {
    evaluate(component(input)?, &AnyUnits)
        .and_then(Value::as_degrees)
        .ok_or_else(ParseError::unexpected_token)
}

pub(crate) fn opacity(input: &mut Parser<'_>, _: &Context) -> Result<String> {
    input.skip_whitespace();
    let start = input.position();
    let value = number_or_percentage(input)?;
    let text = input.slice_from(start);
    // usvg reads percentages, but no functions.
    Ok(if text.contains('(') { value.to_string() } else { text.to_owned() })
}

pub(crate) fn miter_limit(input: &mut Parser<'_>, _: &Context) -> Result<String> {
    let limit = number(input)?;
    if limit >= 0.0 { Ok(limit.to_string()) } else { invalid() }
}

/// A length, a percentage, or a number in user units.
pub(crate) fn stroke_length(input: &mut Parser<'_>, _: &Context) -> Result<String> {
    length(input, Lengths { has_negative: false, ..ANY_LENGTH })
}

pub(crate) fn offset(input: &mut Parser<'_>, _: &Context) -> Result<String> {
    length(input, ANY_LENGTH)
}

pub(crate) fn dashes(input: &mut Parser<'_>, _: &Context) -> Result<String> {
    if is_word(input, "none") {
        return Ok("none".to_owned());
    }
    let mut dashes = Vec::new();
    while !input.is_exhausted() {
        if !dashes.is_empty() {
            let _ = input.try_parse(|input| input.expect_comma());
        }
        dashes.push(length(input, Lengths { has_negative: false, ..ANY_LENGTH })?);
    }
    if dashes.is_empty() { invalid() } else { Ok(dashes.join(" ")) }
}

/// `letter-spacing` and `word-spacing`.
pub(crate) fn spacing(input: &mut Parser<'_>, context: &Context) -> Result<String> {
    if is_word(input, "normal") {
        return Ok("normal".to_owned());
    }
    length(input, Lengths { has_numbers: context.is_inline(), ..ANY_LENGTH })
}

pub(crate) fn baseline_shift(input: &mut Parser<'_>, _: &Context) -> Result<String> {
    let word = input.try_parse(|input| keyword(input, &["baseline", "sub", "super"]));
    word.map(str::to_owned).or_else(|_| length(input, ANY_LENGTH))
}

pub(crate) fn font_size(input: &mut Parser<'_>, context: &Context) -> Result<String> {
    let word = |input: &mut Parser<'_>| -> Result<String> {
        let word = input.expect_ident()?.to_ascii_lowercase();
        let is_known = is_size_keyword(&word) || matches!(&*word, "larger" | "smaller");
        if is_known { Ok(word) } else { invalid() }
    };
    let lengths = Lengths { has_numbers: context.is_inline(), has_negative: false, ..ANY_LENGTH };
    input.try_parse(word).or_else(|_| length(input, lengths))
}

/// Coordinates of geometry. Browsers accept numbers in them.
pub(crate) fn coordinate(input: &mut Parser<'_>, _: &Context) -> Result<String> {
    length(input, ANY_LENGTH)
}

pub(crate) fn radius(input: &mut Parser<'_>, _: &Context) -> Result<String> {
    length(input, Lengths { has_negative: false, ..ANY_LENGTH })
}

/// `rx` and `ry`.
pub(crate) fn auto_radius(input: &mut Parser<'_>, context: &Context) -> Result<String> {
    if is_word(input, "auto") { Ok("auto".to_owned()) } else { radius(input, context) }
}

/// `width` and `height`. Browsers accept numbers in a `style` attribute only.
pub(crate) fn size(input: &mut Parser<'_>, context: &Context) -> Result<String> {
    if is_word(input, "auto") {
        return Ok("auto".to_owned());
    }
    let has_numbers = context.is_inline();
    length(input, Lengths { has_numbers, has_negative: false, ..ANY_LENGTH })
}

/// The property `d`.
pub(crate) fn path_data(input: &mut Parser<'_>, _: &Context) -> Result<String> {
    if is_word(input, "none") {
        return Ok("none".to_owned());
    }
    input.expect_function_matching("path")?;
    let data = input.parse_nested_block(|input| Ok(input.expect_string_cloned()?))?;
    let is_valid = PathParser::from(&*data).all(|segment| segment.is_ok());
    if is_valid { Ok(format!("path(\"{data}\")")) } else { invalid() }
}

/// `offset-path`: a path, or another value as it is written there, which is not supported.
pub(crate) fn offset_path(input: &mut Parser<'_>, context: &Context) -> Result<String> {
    const BOXES: &[&str] =
        &["border-box", "padding-box", "content-box", "margin-box", "fill-box", "stroke-box", "view-box"];
    if let Ok(path) = input.try_parse(|input| path_data(input, context)) {
        // The coordinates of a path are in user space, whatever the box.
        let _ = input.try_parse(|input| keyword(input, BOXES));
        return Ok(path);
    }
    input.skip_whitespace();
    let start = input.position();
    let other = |input: &mut Parser<'_>| -> Result<()> {
        let name = input.expect_function()?.to_ascii_lowercase();
        let is_known =
            matches!(&*name, "circle" | "ellipse" | "inset" | "polygon" | "ray" | "rect" | "shape" | "xywh");
        rest_of_function(input)?;
        if is_known { Ok(()) } else { invalid() }
    };
    if input.try_parse(other).is_err() && input.try_parse(url).is_err() {
        keyword(input, BOXES)?;
    }
    let _ = input.try_parse(|input| keyword(input, BOXES));
    Ok(input.slice_from(start).trim().to_ascii_lowercase())
}

/// Any value, in lower case, of a property that has an effect on unsupported values only.
pub(crate) fn any(input: &mut Parser<'_>, _: &Context) -> Result<String> {
    let text = rest(input).to_ascii_lowercase();
    if text.is_empty() { invalid() } else { Ok(text) }
}

pub(crate) fn offset_distance(input: &mut Parser<'_>, _: &Context) -> Result<String> {
    length(input, Lengths { has_numbers: false, ..ANY_LENGTH })
}

/// `offset-rotate`: a keyword, an angle, or both, in this order.
pub(crate) fn offset_rotate(input: &mut Parser<'_>, _: &Context) -> Result<String> {
    let word = |input: &mut Parser<'_>| keyword(input, &["auto", "reverse"]);
    let mut first = input.try_parse(word).ok();
    let angle = input.try_parse(degrees).ok();
    if first.is_none() {
        first = input.try_parse(word).ok();
    }
    match (first, angle) {
        (Some(word), Some(angle)) => Ok(format!("{word} {angle}deg")),
        (Some(word), None) => Ok(word.to_owned()),
        (None, Some(angle)) => Ok(format!("{angle}deg")),
        (None, None) => invalid(),
    }
}

/// `offset-anchor`, as two distances from the left and top of the box.
pub(crate) fn offset_anchor(input: &mut Parser<'_>, _: &Context) -> Result<String> {
    if is_word(input, "auto") {
        return Ok("auto".to_owned());
    }
    Ok(position(input, Lengths { has_numbers: false, ..ANY_LENGTH })?.join(" "))
}

/// A colour.
pub(crate) fn color(input: &mut Parser<'_>, context: &Context) -> Result<String> {
    Ok(parse_color(input, context)?.written())
}

/// The property `color`, where `currentColor` is the inherited colour.
pub(crate) fn own_color(input: &mut Parser<'_>, context: &Context) -> Result<String> {
    let text = color(input, context)?;
    Ok(if text == "currentColor" { "inherit".to_owned() } else { text })
}

/// The background of the root. It is empty if the background is transparent.
pub(crate) fn background(input: &mut Parser<'_>, context: &Context) -> Result<String> {
    let color = parse_color(input, context)?;
    Ok(if color.is_transparent() { String::new() } else { color.written() })
}

/// A colour where usvg does not know `currentColor`.
pub(crate) fn flood_color(input: &mut Parser<'_>, context: &Context) -> Result<String> {
    let color = match parse_color(input, context)? {
        Color::Current => Color::Absolute(context.current_color(), None),
        other => other,
    };
    Ok(color.written())
}

/// The address in `url()`.
fn url<'i>(input: &mut Parser<'i>) -> Result<CowRcStr<'i>> {
    Ok(input.expect_url()?)
}

/// A reference to an element as usvg reads it. `None` for an element of another document.
fn reference(address: &str) -> Option<String> {
    address.trim().strip_prefix('#').filter(|id| !id.is_empty()).map(reference_to)
}

/// A reference to an element with an id as usvg reads it.
pub(crate) fn reference_to(id: &str) -> String {
    // Without quotes, usvg ends the address at the first of these.
    let needs_quotes = id.contains([' ', '(', ')']);
    if needs_quotes { format!("url('#{id}')") } else { format!("url(#{id})") }
}

/// `fill` and `stroke`.
pub(crate) fn paint(input: &mut Parser<'_>, context: &Context) -> Result<String> {
    if let Ok(word) = input.try_parse(|input| keyword(input, &["none", "context-fill", "context-stroke"])) {
        return Ok(word.to_owned());
    }
    let Ok(address) = input.try_parse(url) else { return color(input, context) };
    let fallback = if input.is_exhausted() {
        None
    } else if is_word(input, "none") {
        Some("none".to_owned())
    } else {
        Some(color(input, context)?)
    };
    Ok(match (reference(&address), fallback) {
        (Some(reference), Some(fallback)) => format!("{reference} {fallback}"),
        (Some(reference), None) => reference,
        // SVG 2, section 13.2: without a fallback, nothing is painted.
        (None, fallback) => fallback.unwrap_or_else(|| "none".to_owned()),
    })
}

/// A reference to a marker, clip path or mask, or none.
pub(crate) fn effect(input: &mut Parser<'_>, _: &Context) -> Result<String> {
    if is_word(input, "none") {
        return Ok("none".to_owned());
    }
    Ok(reference(&url(input)?).unwrap_or_else(|| "none".to_owned()))
}

/// A clip path: a reference, or a shape as it is written there, for `passes::clip_shapes`.
pub(crate) fn clip_path(input: &mut Parser<'_>, context: &Context) -> Result<String> {
    if let Ok(written) = input.try_parse(|input| effect(input, context)) {
        return Ok(written);
    }
    input.skip_whitespace();
    let start = input.position();
    ClipShape::parse(input, context.is_attribute())?;
    Ok(input.slice_from(start).trim().to_owned())
}

/// A mask, as a reference to a `mask` element. The other parts of a layer have no effect on that
/// (CSS Masking, section 6.1). A gradient without other parts is written as it is there, for
/// `passes::mask_images`. Other images are not supported.
pub(crate) fn mask(input: &mut Parser<'_>, context: &Context) -> Result<String> {
    if is_word(input, "none") {
        return Ok("none".to_owned());
    }
    input.skip_whitespace();
    let start = input.position();
    if input.try_parse(|input| Gradient::parse(input, context)).is_ok() {
        let text = input.slice_from(start).to_owned();
        return if input.is_exhausted() { Ok(text) } else { invalid() };
    }
    let mut mask = None;
    while !input.is_exhausted() {
        if let Ok(address) = input.try_parse(url) {
            // usvg applies one mask. Several layers would need a mask of masks.
            if mask.replace(address).is_some() {
                return invalid();
            }
        } else {
            match input.next()? {
                Token::Ident(_)
                | Token::Number { .. }
                | Token::Percentage { .. }
                | Token::Dimension { .. }
                | Token::Delim('/') => {}
                _ => return invalid(),
            }
        }
    }
    let Some(address) = mask else { return invalid() };
    reference(&address).ok_or_else(ParseError::unexpected_token)
}

/// A list of filters.
pub(crate) fn filter(input: &mut Parser<'_>, context: &Context) -> Result<String> {
    if is_word(input, "none") {
        return Ok("none".to_owned());
    }
    let mut filters = Vec::new();
    while !input.is_exhausted() {
        if let Ok(address) = input.try_parse(url) {
            // usvg does not load a filter of another document, so the declaration is dropped.
            let Some(reference) = reference(&address) else { return invalid() };
            filters.push(reference);
            continue;
        }
        let name = input.expect_function()?.to_ascii_lowercase();
        let arguments = input.parse_nested_block(|input| filter_arguments(&name, input, context))?;
        filters.push(format!("{name}({arguments})"));
    }
    if filters.is_empty() { invalid() } else { Ok(filters.join(" ")) }
}

fn filter_arguments(name: &str, input: &mut Parser<'_>, context: &Context) -> Result<String> {
    let is_empty = input.is_exhausted();
    match name {
        "drop-shadow" => shadow(input, context),
        "blur" | "hue-rotate" if is_empty => Ok(String::new()),
        // It has a unit even in an attribute, as in Chromium.
        "blur" => filter_length(input, Lengths { has_numbers: false, has_negative: false, ..ANY_LENGTH }),
        "hue-rotate" => Ok(format!("{}deg", degrees(input)?)),
        "brightness" | "contrast" | "saturate" | "grayscale" | "invert" | "opacity" | "sepia" => {
            let amount = if is_empty { 1.0 } else { number_or_percentage(input)? };
            if amount < 0.0 {
                return invalid();
            }
            // Filter Effects, section 7: the others are clamped to 100 %.
            let is_unbounded = matches!(name, "brightness" | "contrast" | "saturate");
            Ok(if is_unbounded { amount } else { amount.min(1.0) }.to_string())
        }
        _ => invalid(),
    }
}

/// A length in a filter function. usvg reads simple lengths only.
fn filter_length(input: &mut Parser<'_>, lengths: Lengths) -> Result<String> {
    let text = length(input, Lengths { has_percentages: false, ..lengths })?;
    if text.parse::<svgtypes::Length>().is_ok() {
        return Ok(text);
    }
    evaluate(&text, &FixedUnits).and_then(Value::plain).ok_or_else(ParseError::unexpected_token)
}

/// The units that do not depend on a viewport or on the metrics of a font.
struct FixedUnits;

impl Units for FixedUnits {
    fn unit(&self, name: &str) -> Option<Value> {
        if name == "em" {
            return Some(Value::of_em(1.0));
        }
        absolute_unit(name).map(Value::of_px)
    }

    fn px(&self, value: Value) -> f64 {
        value.number + value.px
    }
}

/// The arguments of `drop-shadow()`: two or three lengths, and a colour before or after them.
fn shadow(input: &mut Parser<'_>, context: &Context) -> Result<String> {
    // The grammar allows the colour on either side. usvg reads it after the lengths alone.
    let mut color = input.try_parse(|input| parse_color(input, context)).ok();
    let offset = Lengths { has_numbers: context.is_attribute(), ..ANY_LENGTH };
    let mut lengths = vec![filter_length(input, offset)?, filter_length(input, offset)?];
    let blur = Lengths { has_negative: false, ..offset };
    if let Ok(blur) = input.try_parse(|input| filter_length(input, blur)) {
        lengths.push(blur);
    }
    if color.is_none() && !input.is_exhausted() {
        color = Some(parse_color(input, context)?);
    }
    let lengths = lengths.join(" ");
    Ok(match color {
        Some(color) => format!("{lengths} {}", color.written_inside()),
        None => lengths,
    })
}

/// The values of `display`.
const DISPLAYS: &[&str] = &[
    "block",
    "flex",
    "flow",
    "flow-root",
    "grid",
    "inline",
    "inline-block",
    "inline-flex",
    "inline-grid",
    "inline-table",
    "list-item",
    "math",
    "none",
    "ruby",
    "run-in",
    "table",
    "table-caption",
    "table-cell",
    "table-column",
    "table-column-group",
    "table-footer-group",
    "table-header-group",
    "table-row",
    "table-row-group",
    "-webkit-box",
    "-webkit-flex",
    "-webkit-inline-box",
    "-webkit-inline-flex",
];

/// Only `none` matters. `contents` is not supported.
pub(crate) fn display(input: &mut Parser<'_>, _: &Context) -> Result<String> {
    let word = keyword(input, DISPLAYS)?;
    // Several keywords, such as `inline flow`, are valid too.
    while input.try_parse(|input| keyword(input, DISPLAYS)).is_ok() {}
    Ok(if word == "none" { word } else { "inline" }.to_owned())
}

/// One or two keywords. In SVG, the first one counts for both axes, as in Chromium.
pub(crate) fn overflow(input: &mut Parser<'_>, _: &Context) -> Result<String> {
    const WORDS: &[&str] = &["visible", "hidden", "scroll", "auto", "clip"];
    let x = keyword(input, WORDS)?;
    let y = if input.is_exhausted() { x } else { keyword(input, WORDS)? };
    let clips = |word| !matches!(word, "visible" | "auto");
    // CSS Overflow 3, section 3.1: `visible` beside another value that scrolls is `auto`.
    let both = if clips(x) || x == "visible" && clips(y) && y != "clip" { "hidden" } else { x };
    Ok(if x == y { x } else { both }.replace("clip", "hidden"))
}

pub(crate) fn paint_order(input: &mut Parser<'_>, _: &Context) -> Result<String> {
    if is_word(input, "normal") {
        return Ok("normal".to_owned());
    }
    let mut order = Vec::new();
    while !input.is_exhausted() {
        let part = keyword(input, &["fill", "stroke", "markers"])?;
        if order.contains(&part) {
            return invalid();
        }
        order.push(part);
    }
    if order.is_empty() { invalid() } else { Ok(order.join(" ")) }
}

/// `text-decoration`: the lines. Their style, colour and thickness are those of the text.
pub(crate) fn decoration(input: &mut Parser<'_>, context: &Context) -> Result<String> {
    const OTHERS: &[&str] = &[
        "solid",
        "double",
        "dotted",
        "dashed",
        "wavy",
        "auto",
        "from-font",
        "blink",
        "none",
        "spelling-error",
        "grammar-error",
    ];
    let mut lines = Vec::new();
    if input.is_exhausted() {
        return invalid();
    }
    while !input.is_exhausted() {
        if let Ok(line) = input.try_parse(|input| keyword(input, &["underline", "overline", "line-through"]))
        {
            lines.push(line);
        } else if input.try_parse(|input| keyword(input, OTHERS)).is_err()
            && input.try_parse(|input| parse_color(input, context)).is_err()
        {
            length(input, Lengths { has_numbers: false, ..ANY_LENGTH })?;
        }
    }
    Ok(if lines.is_empty() { "none".to_owned() } else { lines.join(" ") })
}

/// A list of font families.
pub(crate) fn families(input: &mut Parser<'_>, _: &Context) -> Result<String> {
    let families = input.parse_comma_separated(|input| {
        if let Ok(name) = input.try_parse(|input| input.expect_string_cloned()) {
            return Ok(quoted(&name));
        }
        let mut words = vec![input.expect_ident_cloned()?];
        while let Ok(word) = input.try_parse(|input| input.expect_ident_cloned()) {
            words.push(word);
        }
        let name = words.join(" ");
        // An escape in a name is written as a string.
        let is_plain = words.iter().all(|word| {
            let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
            word.chars().all(is_part) && word.starts_with(|c: char| c.is_ascii_alphabetic())
        });
        Ok(if is_plain { name } else { quoted(&name) })
    })?;
    Ok(families.join(", "))
}

/// A name in quotes that it does not contain. usvg has no escapes in strings.
fn quoted(name: &str) -> String {
    if name.contains('\'') && !name.contains('"') {
        format!("\"{name}\"")
    } else {
        format!("'{}'", name.replace('\'', ""))
    }
}

pub(crate) fn font_style(input: &mut Parser<'_>, _: &Context) -> Result<String> {
    let style = keyword(input, &["normal", "italic", "oblique"])?;
    // usvg slants by a fixed angle, so the angle is parsed and not written.
    if style == "oblique" {
        let _ = input.try_parse(degrees);
    }
    Ok(style.to_owned())
}

pub(crate) fn font_weight(input: &mut Parser<'_>, _: &Context) -> Result<String> {
    if let Ok(word) = input.try_parse(|input| keyword(input, &["normal", "bold", "bolder", "lighter"])) {
        return Ok(word.to_owned());
    }
    let weight = number(input)?;
    if !(1.0..=1000.0).contains(&weight) {
        return invalid();
    }
    // usvg knows multiples of 100 only.
    Ok(((weight / 100.0).round().clamp(1.0, 9.0) * 100.0).to_string())
}

/// The keywords of `font-stretch`, and their percentages.
pub(crate) const STRETCHES: [(&str, f64); 9] = [
    ("ultra-condensed", 50.0),
    ("extra-condensed", 62.5),
    ("condensed", 75.0),
    ("semi-condensed", 87.5),
    ("normal", 100.0),
    ("semi-expanded", 112.5),
    ("expanded", 125.0),
    ("extra-expanded", 150.0),
    ("ultra-expanded", 200.0),
];

pub(crate) fn font_stretch(input: &mut Parser<'_>, _: &Context) -> Result<String> {
    let by_word = input.try_parse(|input| -> Result<&str> {
        let word = input.expect_ident()?;
        let known = STRETCHES.iter().find(|(name, _)| name.eq_ignore_ascii_case(word));
        known.map(|(name, _)| *name).ok_or_else(ParseError::unexpected_token)
    });
    if let Ok(word) = by_word {
        return Ok(word.to_owned());
    }
    let Some(value) = evaluate(component(input)?, &AnyUnits).filter(|value| value.percent >= 0.0) else {
        return invalid();
    };
    if value != (Value { percent: value.percent, ..Value::default() }) {
        return invalid();
    }
    let distance = |(_, percent): &(&str, f64)| (percent - value.percent).abs();
    let nearest = STRETCHES.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)));
    Ok(nearest.map_or("normal", |(name, _)| *name).to_owned())
}

/// The keywords of `font-variant`.
const VARIANTS: &[&str] = &[
    "all-petite-caps",
    "all-small-caps",
    "common-ligatures",
    "contextual",
    "diagonal-fractions",
    "discretionary-ligatures",
    "emoji",
    "full-width",
    "historical-forms",
    "historical-ligatures",
    "jis04",
    "jis78",
    "jis83",
    "jis90",
    "lining-nums",
    "no-common-ligatures",
    "no-contextual",
    "no-discretionary-ligatures",
    "no-historical-ligatures",
    "none",
    "normal",
    "oldstyle-nums",
    "ordinal",
    "petite-caps",
    "proportional-nums",
    "proportional-width",
    "ruby",
    "simplified",
    "slashed-zero",
    "small-caps",
    "stacked-fractions",
    "sub",
    "super",
    "tabular-nums",
    "text",
    "titling-caps",
    "traditional",
    "unicase",
    "unicode",
];

/// `font-variant`, of which only small capitals are supported.
pub(crate) fn font_variant(input: &mut Parser<'_>, _: &Context) -> Result<String> {
    let mut has_small_capitals = false;
    if input.is_exhausted() {
        return invalid();
    }
    while !input.is_exhausted() {
        if let Ok(word) = input.try_parse(|input| keyword(input, VARIANTS)) {
            has_small_capitals |= matches!(word, "small-caps" | "all-small-caps");
        } else if let Token::Function(_) = input.next()? {
            rest_of_function(input)?;
        } else {
            return invalid();
        }
    }
    Ok(if has_small_capitals { "small-caps" } else { "normal" }.to_owned())
}

pub(crate) fn font_variations(input: &mut Parser<'_>, _: &Context) -> Result<String> {
    if is_word(input, "normal") {
        return Ok("normal".to_owned());
    }
    let settings = input.parse_comma_separated(|input| {
        let tag = input.expect_string_cloned()?;
        if tag.len() != 4 || tag.contains(['\'', '"', ',', ';', '\\']) {
            return invalid();
        }
        Ok(format!("'{tag}' {}", number(input)?))
    })?;
    Ok(settings.join(", "))
}

/// A value for `passes::css_transforms`, if that can parse it.
fn transform_value(
    input: &mut Parser<'_>,
    property: &str,
    parse: impl FnOnce(&Reference<'_>, &str) -> bool,
) -> Result<String> {
    let text = rest(input);
    let reference = Reference { rect: kurbo::Rect::ZERO, x: &AnyUnits, y: &AnyUnits };
    let is_valid = is_spatial(property, text) || parse(&reference, text);
    if is_valid { Ok(text.to_owned()) } else { invalid() }
}

pub(crate) fn transform(input: &mut Parser<'_>, _: &Context) -> Result<String> {
    transform_value(input, "transform", |reference, text| reference.transform(text).is_some())
}

pub(crate) fn translate(input: &mut Parser<'_>, _: &Context) -> Result<String> {
    transform_value(input, "translate", |reference, text| reference.translate(text).is_some())
}

pub(crate) fn rotate(input: &mut Parser<'_>, _: &Context) -> Result<String> {
    transform_value(input, "rotate", |reference, text| reference.rotate(text).is_some())
}

pub(crate) fn scale(input: &mut Parser<'_>, _: &Context) -> Result<String> {
    transform_value(input, "scale", |reference, text| reference.scale(text).is_some())
}

pub(crate) fn transform_origin(input: &mut Parser<'_>, context: &Context) -> Result<String> {
    let is_attribute = context.is_attribute();
    transform_value(input, "transform-origin", |reference, text| {
        reference.origin(text, is_attribute).is_some()
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::written;

    #[test]
    fn values_are_written_as_usvg_reads_them() {
        for (property, value, expected) in [
            ("display", "NONE", "none"),
            ("display", "block", "inline"),
            ("display", "inline Flow", "inline"),
            ("font-style", "oblique 12deg", "oblique"),
            ("font-variant", "ordinal small-caps", "small-caps"),
            ("fill-rule", "EvenOdd", "evenodd"),
            ("shape-rendering", "crispedges", "crispEdges"),
            ("fill", "url(\"#f\")", "url(#f)"),
            ("fill", "URL( '#f' ) RED", "url(#f) red"),
            ("fill", "url(a.svg#f)", "none"),
            ("fill", "url(a.svg#f) lime", "lime"),
            ("clip-path", "url(#c)", "url(#c)"),
            ("clip-path", "Circle(5px) FILL-BOX", "Circle(5px) FILL-BOX"),
            ("clip-path", "circle(5)", ""),
            ("clip-path", "shape(from 0 0)", ""),
            ("mask", "url(#m) no-repeat 0 / 5px alpha", "url(#m)"),
            ("mask", "Linear-Gradient( red, tan )", "Linear-Gradient( red, tan )"),
            ("mask", "linear-gradient(red, tan) no-repeat", ""),
            ("mask", "conic-gradient(red, tan)", ""),
            ("opacity", "50%", "50%"),
            ("opacity", "calc(1 / 4)", "0.25"),
            ("opacity", "1px", ""),
            ("stroke-width", "2", "2"),
            ("stroke-width", "2PX", "2px"),
            ("stroke-width", "-1", ""),
            ("stroke-width", "2 px", ""),
            ("stroke-dasharray", "1, 2px 3%", "1 2px 3%"),
            ("stroke-dasharray", "1,,2", ""),
            ("font-size", "12", ""),
            ("font-size", "12px", "12px"),
            ("font-size", "X-Large", "x-large"),
            ("letter-spacing", "2", ""),
            ("width", "5", ""),
            ("x", "5", "5"),
            ("r", "-5px", ""),
            ("d", "path('M0 0h9')", "path(\"M0 0h9\")"),
            ("d", "path('foo')", ""),
            ("font-weight", "650", "700"),
            ("font-stretch", "70%", "condensed"),
            ("font-style", "oblique 10deg", "oblique"),
            ("font-family", "Noto  Sans, \"A;B\", serif", "Noto Sans, 'A;B', serif"),
            ("font-family", "1a", ""),
            ("overflow", "hidden visible", "hidden"),
            ("overflow", "clip", "hidden"),
            ("overflow", "visible", "visible"),
            ("paint-order", "Stroke", "stroke"),
            ("paint-order", "fill fill", ""),
            ("text-decoration", "underline wavy red 2px", "underline"),
            ("text-decoration", "none", "none"),
            ("transform", "rotate(45DEG) translate(1px)", "rotate(45DEG) translate(1px)"),
            ("transform", "rotate(45)", ""),
            ("transform", "translate(10,5)", ""),
            ("transform", "rotate(45, 10, 10)", ""),
            ("transform", "translate(10px 5px)", ""),
            ("transform", "translate(1px),scale(2)", ""),
            ("transform-origin", "5px top", "5px top"),
            ("transform-origin", "5 5", ""),
        ] {
            assert_eq!(written(property, value), expected, "{property}: {value}");
        }
    }

    #[test]
    fn filter_functions_have_plain_arguments() {
        for (value, expected) in [
            ("drop-shadow(0 10px 4px rgba(0, 0, 0, .5))", "drop-shadow(0 10px 4px #00000080)"),
            ("drop-shadow(red 1px 2px)", "drop-shadow(1px 2px red)"),
            ("drop-shadow(calc(1px + 1px) 2px)", "drop-shadow(2 2px)"),
            ("blur(2PX) URL('#f')", "blur(2px) url(#f)"),
            ("hue-rotate(0.5turn)", "hue-rotate(180deg)"),
            ("brightness(150%) grayscale(2)", "brightness(1.5) grayscale(1)"),
            ("sepia()", "sepia(1)"),
            ("blur(2)", ""),
            ("invert(-1)", ""),
            ("drop-shadow(1px)", ""),
            ("none", "none"),
        ] {
            assert_eq!(written("filter", value), expected, "{value}");
        }
    }
}
