//! XML as SVG uses it: parsing, references between elements, and lengths in attributes.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use self_cell::self_cell;
use svgtypes::LengthUnit;
use usvg::roxmltree::{Attribute, Document, Error, Node, ParsingOptions};

/// The namespace of SVG.
pub(crate) const SVG: &str = "http://www.w3.org/2000/svg";
const XLINK: &str = "http://www.w3.org/1999/xlink";

/// The elements whose contents are drawn only where something refers to them.
pub(crate) const DEFINITIONS: [&str; 9] =
    ["defs", "symbol", "clipPath", "mask", "pattern", "marker", "filter", "linearGradient", "radialGradient"];

/// The elements that draw something, or contain elements that do.
pub(crate) const GRAPHICS: [&str; 14] = [
    "a", "circle", "ellipse", "g", "image", "line", "path", "polygon", "polyline", "rect", "svg", "switch",
    "text", "use",
];

/// The properties for geometry, and the elements that they apply to.
pub(crate) const GEOMETRY: [(&str, &[&str]); 10] = [
    ("x", &["foreignObject", "image", "rect", "svg", "use"]),
    ("y", &["foreignObject", "image", "rect", "svg", "use"]),
    ("width", &["foreignObject", "image", "rect", "svg", "use"]),
    ("height", &["foreignObject", "image", "rect", "svg", "use"]),
    ("cx", &["circle", "ellipse"]),
    ("cy", &["circle", "ellipse"]),
    ("r", &["circle"]),
    ("rx", &["ellipse", "rect"]),
    ("ry", &["ellipse", "rect"]),
    ("d", &["path"]),
];

/// The languages that usvg prefers by default.
const LANGUAGES: [&str; 1] = ["en"];

/// The elements that are parts of a text.
pub(crate) const TEXT_PARTS: [&str; 4] = ["a", "textPath", "tref", "tspan"];

/// Parses a document as usvg does: with a document type declaration, which may declare entities.
pub(crate) fn parse(text: &str) -> Result<Document<'_>, Error> {
    Document::parse_with_options(text, ParsingOptions { allow_dtd: true, ..ParsingOptions::default() })
}

/// The text of a drawing's document, and its nodes. The nodes are parsed when they are first
/// needed, and kept.
pub(crate) struct DocumentText {
    text: Arc<str>,
    parsed: OnceLock<Parsed>,
}

self_cell!(
    /// The nodes of a text, which they borrow.
    struct Parsed {
        owner: Arc<str>,
        #[covariant]
        dependent: Document,
    }
);

impl DocumentText {
    /// The text of a document that can be parsed.
    pub(crate) fn new(text: String) -> Self {
        Self { text: text.into(), parsed: OnceLock::new() }
    }

    pub(crate) fn document(&self) -> &Document<'_> {
        let parsed =
            || Parsed::new(Arc::clone(&self.text), |text| parse(text).expect("the text of a drawing is XML"));
        self.parsed.get_or_init(parsed).borrow_dependent()
    }
}

impl Deref for DocumentText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

/// The address that an element refers to.
pub(crate) fn href<'a>(node: Node<'a, '_>) -> Option<&'a str> {
    href_attribute(node).map(|attribute| attribute.value())
}

/// The attribute with the address that an element refers to. `href` takes precedence over
/// `xlink:href`, as in SVG 2 (section 16.1.6).
pub(crate) fn href_attribute<'a, 'i>(node: Node<'a, 'i>) -> Option<Attribute<'a, 'i>> {
    own_attribute(node, "href").or_else(|| node.attribute_node((XLINK, "href")))
}

/// The attribute with a name and without a prefix. roxmltree itself ignores prefixes.
pub(crate) fn own_attribute<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Option<Attribute<'a, 'i>> {
    node.attributes().find(|attribute| attribute.namespace().is_none() && attribute.name() == name)
}

/// The id of the element that an element refers to, if that is in the same document.
pub(crate) fn local_href<'a>(node: Node<'a, '_>) -> Option<&'a str> {
    href(node)?.trim().strip_prefix('#')
}

/// The id of an element, or its name and its position in the text if it has no id.
pub(crate) fn name_or_place(element: Node<'_, '_>) -> String {
    let id = element.attribute("id").filter(|id| !id.is_empty());
    id.map_or_else(
        || {
            let start = element.document().text_pos_at(element.range().start);
            format!("<{}> at {start}", element.tag_name().name())
        },
        str::to_owned,
    )
}

/// Whether the conditional attributes of an element are met, and the `switch` around it selects it.
pub(crate) fn is_selected(node: Node<'_, '_>) -> bool {
    let switch = node.parent_element().filter(|parent| parent.has_tag_name("switch"));
    meets_conditions(node) && switch.is_none_or(|switch| selected_child(switch) == Some(node))
}

/// The child that a `switch` selects.
pub(crate) fn selected_child<'a, 'i>(switch: Node<'a, 'i>) -> Option<Node<'a, 'i>> {
    switch.children().find(|child| {
        let tag = child.tag_name().name();
        (GRAPHICS.contains(&tag) || DEFINITIONS.contains(&tag)) && meets_conditions(*child)
    })
}

/// Whether usvg takes the conditional attributes of an element as met.
fn meets_conditions(node: Node<'_, '_>) -> bool {
    let is_preferred = |language: &str| {
        let language = language.trim();
        LANGUAGES.contains(&language)
            || language.split_once('-').is_some_and(|(prefix, _)| LANGUAGES.contains(&prefix))
    };
    let languages = node.attribute("systemLanguage");
    let is_met = !node.has_attribute("requiredExtensions")
        && languages.is_none_or(|languages| languages.split(',').any(is_preferred));
    is_met || node == node.document().root_element()
}

/// The number of user units in a unit of length, `None` if it depends on a font or a viewport.
pub(crate) const fn user_units(unit: LengthUnit) -> Option<f64> {
    match unit {
        LengthUnit::None | LengthUnit::Px => Some(1.0),
        LengthUnit::In => Some(96.0),
        LengthUnit::Cm => Some(96.0 / 2.54),
        LengthUnit::Mm => Some(96.0 / 25.4),
        LengthUnit::Pt => Some(96.0 / 72.0),
        LengthUnit::Pc => Some(96.0 / 6.0),
        LengthUnit::Em | LengthUnit::Ex | LengthUnit::Percent => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_parsed_once() {
        let text = DocumentText::new("<svg><g/></svg>".to_owned());
        assert!(std::ptr::eq(text.document(), text.document()));
        assert_eq!(text.document().root_element().first_child().map(|node| node.range()), Some(5..9));
        assert_eq!(&*text, "<svg><g/></svg>");
    }
}
