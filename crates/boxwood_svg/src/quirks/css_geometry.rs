//! usvg 0.49 ignores geometry properties in CSS, such as `style="width: 20px"`, the units of CSS
//! that SVG 1.1 does not have, and `calc()`.
//!
//! SVG 2 (section 8.4 and chapter 7) has both. So usvg gets plain attributes. usvg also makes other
//! sizes of the keywords of `font-size` than browsers, such as 20.7 px of `xx-large`.

use svgtypes::PathParser;
use usvg::roxmltree::{Document, Node};

use crate::css::sizes::{Axis, Measure, Sizes, is_usual};
use crate::css::values::{Units, evaluate};
use crate::inline_style::{Declaration, declarations, split};
use crate::rewrite::Edits;
use crate::warnings::Warnings;
use crate::xml::GEOMETRY;

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

/// The text of a document with plain attributes for its lengths. `None` if they are plain.
pub(crate) fn plain(document: &Document<'_>, measure: Measure<'_>, warnings: &Warnings) -> Option<String> {
    let mut pass = Pass { sizes: Sizes::new(document, measure), edits: Edits::new(document) };
    for node in document.descendants().filter(Node::is_element) {
        pass.visit(node, &declarations(node));
    }
    pass.edits.warn(warnings);
    pass.edits.apply()
}

fn is_geometry(name: &str) -> bool {
    GEOMETRY.iter().any(|(property, _)| *property == name)
}

struct Pass<'d, 'a> {
    sizes: Sizes<'a>,
    edits: Edits<'d>,
}

impl Pass<'_, '_> {
    /// Edits an element after its parent.
    fn visit(&mut self, node: Node<'_, '_>, declarations: &[Declaration<'_>]) {
        if let Some(size) = self.sizes.add(node, declarations) {
            self.edits.set_property(node, "font-size", &format!("{size}px"));
        }
        for property in LENGTH_PROPERTIES {
            let declared = declarations.iter().find(|declaration| declaration.property == property);
            if let Some(value) = declared.and_then(|declared| self.plain_list(node, property, declared.value))
            {
                self.edits.set_property(node, property, &value);
            }
        }
        let tag = node.tag_name().name();
        let mut set = Vec::new();
        for (property, tags) in GEOMETRY {
            if tags.contains(&tag)
                && let Some(value) = self.declared(node, property, declarations)
            {
                set.push((property, value));
            }
        }
        for attribute in node.attributes() {
            let name = attribute.name();
            let is_length = is_geometry(name) && name != "d"
                || LENGTHS.contains(&name)
                || LENGTH_PROPERTIES.contains(&name);
            if is_length
                && !set.iter().any(|(property, _)| *property == name)
                && let Some(value) = self.plain_list(node, name, attribute.value())
            {
                self.edits.set_attribute(node, name, &value);
            }
        }
        if tag == "svg" {
            let size = ["width", "height"].map(|name| {
                let declared = set.iter().find(|(property, _)| *property == name);
                declared.map_or(node.attribute(name), |(_, value)| value.as_deref())
            });
            self.sizes.set_viewport(node, size);
        }
        for (property, value) in set {
            match value {
                Some(value) => self.edits.set_attribute(node, property, &value),
                None => self.edits.remove_attribute(node, property),
            };
        }
    }

    /// A list of lengths as usvg reads it. `None` if it reads it anyway, and for other values.
    fn plain_list(&self, node: Node<'_, '_>, name: &str, text: &str) -> Option<String> {
        if is_usual(text) || (depends_on_window(text) && is_size_of_root(node, name)) {
            return None;
        }
        // A percentage of `startOffset` is relative to the length of the path.
        if name == "startOffset" && text.contains('%') {
            return None;
        }
        let units = self.sizes.units(node, Axis::of(name));
        let units = if name == "baseline-shift" { units.relative_to_font() } else { units };
        let lengths = split(text, |c| c.is_whitespace() || c == ',').into_iter().map(|part| {
            let value = evaluate(part, &units)?;
            let is_valid = value.is_length() || value.as_number().is_some();
            is_valid.then(|| value.plain().unwrap_or_else(|| units.px(value).to_string()))
        });
        Some(lengths.collect::<Option<Vec<_>>>()?.join(" "))
    }

    /// The value of a geometry property by CSS, as usvg reads it. It is `None` inside for the
    /// initial value.
    fn declared(
        &self,
        node: Node<'_, '_>,
        property: &str,
        declarations: &[Declaration<'_>],
    ) -> Option<Option<String>> {
        let is_size = matches!(property, "width" | "height");
        if node.parent_element().is_none() && !is_size {
            return None;
        }
        let has_auto = is_size || matches!(property, "rx" | "ry");
        let units = self.sizes.units(node, Axis::of(property));
        let value = |Declaration { value, .. }: &Declaration<'_>| {
            if has_auto && *value == "auto" {
                return Some(None);
            }
            if property == "d" {
                return path_data(value).map(Some);
            }
            let is_calculated = value.contains('(');
            let length = evaluate(value, &units)?;
            let is_number_valid = !is_calculated;
            let is_valid = length.is_length() || (length.as_number().is_some() && is_number_valid);
            let is_positive = units.px(length) >= 0.0 || matches!(property, "x" | "y" | "cx" | "cy");
            match (is_valid, is_positive) {
                (true, true) => Some(Some(length.plain().unwrap_or_else(|| units.px(length).to_string()))),
                (true, false) if is_calculated => Some(Some("0".to_owned())),
                _ => None,
            }
        };
        let mut candidates = declarations.iter().filter(|declaration| declaration.property == property);
        candidates
            .find_map(|declaration| Some((declaration, value(declaration)?)))
            .filter(|(Declaration { value, .. }, plain)| {
                !(is_size_of_root(node, property) && (plain.is_none() || depends_on_window(value)))
            })
            .map(|(_, plain)| plain)
    }
}

/// Whether an attribute is the width or height of the root.
fn is_size_of_root(node: Node<'_, '_>, name: &str) -> bool {
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
    use crate::css::sizes::FontMetrics;
    use crate::quirks::upstream::tree;
    use crate::xml::parse;

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

    /// The text of an element in a drawing of 300 by 200.
    fn plain_text(element: &str) -> String {
        let text = format!("<svg width='300' height='200' font-size='10'>{element}</svg>");
        let document = parse(&text).expect("it is XML");
        let measure = |_: &str| FontMetrics { ch: 0.5, ex: 0.4, cap: 0.75 };
        let plain = plain(&document, &measure, &Warnings::default()).unwrap_or(text.clone());
        let start = plain.find('>').expect("it is there") + 1;
        plain[start..].strip_suffix("</svg>").expect("it is there").to_owned()
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
            let plain = plain_text(&format!("<line x1='{unusual}'/>"));
            assert!(plain.starts_with(&format!("<line x1='{expected}")), "{plain}");
        }
        for usual in ["1px", "2em 3", "5%", "url(#a)", "7lh", "calc(1px", "9deg", "calc(1 + 2px)", "9foo"] {
            let element = format!("<line x1='{usual}'/>");
            assert_eq!(plain_text(&element), element);
        }
        let expected = "<g style=\"stroke-width:20!important;stroke-width:2rem\"/>";
        assert_eq!(plain_text("<g style=\"stroke-width:2rem\"/>"), expected);
        assert_eq!(
            plain_text("<g font-size='large '/>"),
            "<g style=\"font-size:18px!important;\" font-size='large '/>"
        );
    }
}
