//! usvg 0.49 ignores geometry properties in CSS, such as `style="width: 20px"`, the units of CSS
//! that SVG 1.1 does not have, and `calc()`.
//!
//! SVG 2 (section 8.4 and chapter 7) has all three. So usvg gets plain attributes. usvg also makes
//! other sizes of the keywords of `font-size` than browsers, such as 20.7 px of `xx-large`.

use crate::dom::{Document, Node};
use svgtypes::PathParser;

use crate::css::sizes::{LengthAxis, Sizes, is_usual};
use crate::css::unsupported_unit;
use crate::css::values::{Units, evaluate, excess_nesting, split};
use crate::error::Error;
use crate::passes::Tools;
use crate::xml::GEOMETRY;

/// The attributes that are ignored.
const IGNORED: &str = "a length in an attribute with a unit such as `lh`, or nested too deep";

/// The other attributes that are lengths or lists of lengths.
const LENGTHS: [&str; 15] = [
    "dx",
    "dy",
    "fr",
    "fx",
    "fy",
    "markerHeight",
    "markerWidth",
    "refX",
    "refY",
    "startOffset",
    "textLength",
    "x1",
    "x2",
    "y1",
    "y2",
];

/// The other properties that are lengths or lists of lengths.
const LENGTH_PROPERTIES: [&str; 6] = [
    "baseline-shift",
    "letter-spacing",
    "stroke-dasharray",
    "stroke-dashoffset",
    "stroke-width",
    "word-spacing",
];

/// Gives plain attributes for its lengths to each element.
pub(crate) fn resolve_lengths(document: &mut Document, tools: &Tools<'_>) -> Result<(), Error> {
    let mut sizes = Sizes::new(document, tools.measure);
    let is_ignored = |value: &str| {
        // Most values are plain numbers, and the search for units takes longer.
        let is_plain = !value.contains(|c: char| c.is_ascii_alphabetic() || c == '(');
        !is_plain && (unsupported_unit(value).is_some() || excess_nesting(value).is_some())
    };
    let has_ignored = |node: &Node<'_>| {
        let mut plain = node.attributes().filter(|own| own.namespace.is_none());
        plain.any(|own| length_name(own.name).is_some() && is_ignored(own.value))
    };
    let ignored: Vec<_> = document.elements().filter(has_ignored).collect();
    tools.ignore(&ignored, IGNORED);
    // Parents come first, because lengths are relative to the sizes around an element.
    for id in document.element_ids() {
        let changes = Pass { sizes: &mut sizes, changes: Vec::new() }.visit(document.node(id));
        for (name, value) in changes {
            match value {
                Some(value) => document.set_attribute(id, name, value),
                None => document.remove_attribute(id, name),
            }
        }
    }
    Ok(())
}

/// The name of an attribute, if it is a length or a list of lengths.
fn length_name(name: &str) -> Option<&'static str> {
    let geometry = GEOMETRY.iter().map(|(property, _)| *property).filter(|property| *property != "d");
    geometry.chain(LENGTHS).chain(LENGTH_PROPERTIES).find(|known| *known == name)
}

/// The changes of an element: attributes, with `None` for one that is removed.
type Changes = Vec<(&'static str, Option<String>)>;

struct Pass<'p, 'a> {
    sizes: &'p mut Sizes<'a>,
    changes: Changes,
}

impl Pass<'_, '_> {
    /// The changes of an element, after those of its parent.
    fn visit(mut self, node: Node<'_>) -> Changes {
        if let Some(size) = self.sizes.add(node) {
            self.changes.push(("font-size", Some(format!("{size}px"))));
        }
        let tag = node.tag();
        for (property, tags) in GEOMETRY {
            if tags.contains(&tag)
                && let Some(value) = self.declared(node, property)
            {
                self.changes.push((property, value));
            }
        }
        for own in node.attributes().filter(|own| own.namespace.is_none()) {
            let is_known = |name: &str| self.changes.iter().any(|(known, _)| *known == name);
            if let Some(name) = length_name(own.name).filter(|name| !is_known(name))
                && let Some(value) = self.plain_list(node, name, own.value)
            {
                self.changes.push((name, Some(value)));
            }
        }
        if tag == "svg" {
            let size = ["width", "height"].map(|name| {
                let changed = self.changes.iter().find(|(known, _)| *known == name);
                changed.map_or(node.attribute(name), |(_, value)| value.as_deref())
            });
            self.sizes.set_viewport(node, size);
        }
        self.changes
    }

    /// A list of lengths as usvg reads it. `None` if it reads it anyway, and for other values.
    fn plain_list(&self, node: Node<'_>, name: &str, text: &str) -> Option<String> {
        let is_of_font = matches!(name, "letter-spacing" | "word-spacing") && text.contains('%');
        if is_usual(text) && !is_of_font || (depends_on_window(text) && is_size_of_root(node, name)) {
            return None;
        }
        // A percentage of `startOffset` is relative to the length of the path.
        if name == "startOffset" && text.contains('%') {
            return None;
        }
        let units = self.sizes.units(node, LengthAxis::of(name));
        let units = if name == "baseline-shift" || is_of_font { units.relative_to_font() } else { units };
        let lengths = split(text, |c| c.is_whitespace() || c == ',').into_iter().map(|part| {
            let value = evaluate(part, &units)?;
            let is_valid = value.is_length() || value.as_number().is_some();
            let plain = value.plain().filter(|_| !is_of_font);
            is_valid.then(|| plain.unwrap_or_else(|| units.px(value).to_string()))
        });
        Some(lengths.collect::<Option<Vec<_>>>()?.join(" "))
    }

    /// The value of a geometry property by CSS, as usvg reads it. It is `None` inside for the
    /// initial value.
    fn declared(&self, node: Node<'_>, property: &str) -> Option<Option<String>> {
        let value = node.declaration(property)?;
        let is_size = matches!(property, "width" | "height");
        if node.parent_element().is_none() && (!is_size || value == "auto" || depends_on_window(value)) {
            return None;
        }
        let has_auto = is_size || matches!(property, "rx" | "ry");
        if has_auto && value == "auto" {
            return Some(None);
        }
        if property == "d" {
            return path_data(value).map(Some);
        }
        let units = self.sizes.units(node, LengthAxis::of(property));
        let is_calculated = value.contains('(');
        let length = evaluate(value, &units)?;
        let is_valid = length.is_length() || (length.as_number().is_some() && !is_calculated);
        let is_positive = units.px(length) >= 0.0 || matches!(property, "x" | "y" | "cx" | "cy");
        match (is_valid, is_positive) {
            (true, true) => Some(Some(length.plain().unwrap_or_else(|| units.px(length).to_string()))),
            // CSS Values 4, section 10.12: the result of a calculation is clamped.
            (true, false) if is_calculated => Some(Some("0".to_owned())),
            _ => None,
        }
    }
}

/// Whether an attribute is the width or height of the root.
fn is_size_of_root(node: Node<'_>, name: &str) -> bool {
    node.parent_element().is_none() && matches!(name, "width" | "height")
}

/// Whether a size of the root depends on the size of a browser's window, which a drawing by itself
/// does not have.
fn depends_on_window(size: &str) -> bool {
    size.contains(['%', 'v', 'V'])
}

/// The path data of a value of the property `d`.
fn path_data(value: &str) -> Option<String> {
    if value.eq_ignore_ascii_case("none") {
        return Some(String::new());
    }
    let argument = value.strip_prefix("path(")?.strip_suffix(')')?.trim();
    let quote = argument.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let data = argument.strip_prefix(quote)?.strip_suffix(quote)?;
    PathParser::from(data).all(|segment| segment.is_ok()).then(|| data.to_owned())
}

#[cfg(test)]
mod tests {
    use usvg::Node as UsvgNode;

    use super::*;
    use crate::passes::testing::contents_after;
    use crate::quirks::upstream::tree;

    #[test]
    fn usvg_still_ignores_geometry_in_css_and_other_units() {
        for size in ["style='width:9px'", "width='1rem'", "width='calc(1px + 2px)'"] {
            assert!(!tree(&format!("<rect height='9' {size}/>")).root().has_children(), "{size}");
        }
    }

    #[test]
    fn usvg_still_has_other_sizes_of_keywords() {
        let drawn = tree("<rect font-size='xx-large' width='1em' height='9'/>");
        let [UsvgNode::Path(path)] = drawn.root().children() else { panic!("one path") };
        assert!(path.bounding_box().width() < 31.0, "browsers make it 32 wide");
    }

    /// The element in a drawing of 300 by 200 after the pass.
    fn plain(element: &str) -> String {
        contents_after(
            resolve_lengths,
            &format!("<svg width='300' height='200' font-size='10'>{element}</svg>"),
        )
    }

    #[test]
    fn lengths_become_plain() {
        for (unusual, expected) in [
            ("1rem", "10"),
            ("10VW", "30"),
            ("10vmin", "20"),
            ("40q", "37.7952755905511"),
            ("2ch", "1em"),
            ("10ex", "4em"),
            ("calc(50% + 1em)", "160"),
            ("1ic 2cap", "1em 1.5em"),
        ] {
            let plain = plain(&format!("<line x1='{unusual}'/>"));
            assert!(plain.starts_with(&format!("<line x1=\"{expected}")), "{plain}");
        }
        for usual in ["1px", "2em 3", "5%", "url(#a)", "7lh", "calc(1px", "9deg", "calc(1 + 2px)", "9foo"] {
            let element = format!("<line x1=\"{usual}\"/>");
            assert_eq!(plain(&element), element);
        }
        assert_eq!(plain("<g stroke-width='2rem'/>"), "<g stroke-width=\"20\"/>");
        assert_eq!(plain("<g letter-spacing='50%'/>"), "<g letter-spacing=\"5\"/>", "that of the font");
        assert_eq!(plain("<g font-size='large '/>"), "<g font-size=\"18px\"/>");
    }
}
