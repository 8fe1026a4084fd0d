//! XML as SVG uses it: parsing, references between elements, and lengths in attributes.

use simplecss::{AttributeOperator, PseudoClass};
use svgtypes::LengthUnit;
use usvg::roxmltree::{Document, Error, Node, ParsingOptions};

/// The namespace of SVG.
pub(crate) const SVG: &str = "http://www.w3.org/2000/svg";
const XLINK: &str = "http://www.w3.org/1999/xlink";

/// The elements whose contents are drawn only where something refers to them.
pub(crate) const DEFINITIONS: [&str; 9] =
    ["defs", "symbol", "clipPath", "mask", "pattern", "marker", "filter", "linearGradient", "radialGradient"];

/// The elements that are parts of a text.
pub(crate) const TEXT_PARTS: [&str; 4] = ["a", "textPath", "tref", "tspan"];

/// Parses a document as usvg does: with a document type declaration, which may declare entities.
pub(crate) fn parse(text: &str) -> Result<Document<'_>, Error> {
    Document::parse_with_options(text, ParsingOptions { allow_dtd: true, ..ParsingOptions::default() })
}

/// The address that an element refers to. `href` takes precedence over `xlink:href`, as in SVG 2
/// (section 16.1.6).
pub(crate) fn href<'a>(node: Node<'a, '_>) -> Option<&'a str> {
    node.attribute("href").or_else(|| node.attribute((XLINK, "href")))
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

/// An XML element as selectors in CSS see it.
pub(crate) struct Selectable<'a, 'input>(pub(crate) Node<'a, 'input>);

impl simplecss::Element for Selectable<'_, '_> {
    fn parent_element(&self) -> Option<Self> {
        self.0.parent_element().map(Self)
    }

    fn prev_sibling_element(&self) -> Option<Self> {
        self.0.prev_sibling_element().map(Self)
    }

    fn has_local_name(&self, name: &str) -> bool {
        self.0.tag_name().name() == name
    }

    fn attribute_matches(&self, name: &str, operator: AttributeOperator<'_>) -> bool {
        self.0.attribute(name).is_some_and(|value| operator.matches(value))
    }

    fn pseudo_class_matches(&self, class: PseudoClass<'_>) -> bool {
        class == PseudoClass::FirstChild && self.prev_sibling_element().is_none()
    }
}
