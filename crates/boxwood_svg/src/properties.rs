//! What the elements of a document refer to, by attributes, style sheets and inheritance.

use std::collections::HashMap;

use simplecss::{AttributeOperator, DeclarationTokenizer, PseudoClass, StyleSheet};
use usvg::roxmltree::{Document, Node, NodeId};

/// By what an element refers to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Fill,
    Stroke,
    Marker,
    ClipPath,
    Mask,
    Filter,
}

impl Kind {
    fn of(property: &str) -> Option<Self> {
        match property {
            "fill" => Some(Self::Fill),
            "stroke" => Some(Self::Stroke),
            "marker" | "marker-start" | "marker-mid" | "marker-end" => Some(Self::Marker),
            "clip-path" => Some(Self::ClipPath),
            "mask" => Some(Self::Mask),
            "filter" => Some(Self::Filter),
            _ => None,
        }
    }

    fn is_inherited(self) -> bool {
        matches!(self, Self::Fill | Self::Stroke | Self::Marker)
    }
}

/// The elements with each id.
pub(crate) type ById<'d> = HashMap<&'d str, Vec<NodeId>>;

/// What each element refers to.
pub(crate) type References = HashMap<NodeId, Vec<(Kind, NodeId)>>;

/// The properties of all elements by which they refer to others: the ids in each, none where it has another value.
pub(crate) struct Properties(HashMap<(NodeId, Kind), Vec<String>>);

impl Properties {
    pub(crate) fn new(document: &Document<'_>) -> Self {
        let sheet = style_sheet(document);
        let mut properties = Self(HashMap::new());
        for node in document.descendants().filter(Node::is_element) {
            for attribute in node.attributes() {
                properties.declare(node, attribute.name(), attribute.value());
            }
            for rule in &sheet.rules {
                if rule.selector.matches(&Element(node)) {
                    for declaration in &rule.declarations {
                        properties.declare(node, declaration.name, declaration.value);
                    }
                }
            }
            for declaration in DeclarationTokenizer::from(node.attribute("style").unwrap_or_default()) {
                properties.declare(node, declaration.name, declaration.value);
            }
        }
        properties
    }

    /// Adds what a declaration refers to. One that another takes the place of stays: which is the more important is usvg's to say.
    fn declare(&mut self, node: Node<'_, '_>, property: &str, value: &str) {
        if let Some(kind) = Kind::of(property) {
            self.0.entry((node.id(), kind)).or_default().extend(ids_in(value).map(str::to_owned));
        }
    }

    /// Whether any element refers to another so.
    pub(crate) fn have(&self, kind: Kind) -> bool {
        self.0.iter().any(|((_, k), ids)| *k == kind && !ids.is_empty())
    }

    /// What an element itself refers to.
    pub(crate) fn targets(&self, node: NodeId, kind: Kind, by_id: &ById<'_>) -> Vec<NodeId> {
        let ids = self.0.get(&(node, kind)).into_iter().flatten();
        ids.filter_map(|id| by_id.get(id.as_str())).flatten().copied().collect()
    }

    /// Takes the reference of an element away, if it is the only one.
    pub(crate) fn clear(&mut self, node: NodeId, kind: Kind) {
        if let Some(ids) = self.0.get_mut(&(node, kind)).filter(|ids| ids.len() == 1) {
            ids.clear();
        }
    }

    /// What each element refers to, inherited references counted.
    pub(crate) fn effective(&self, document: &Document<'_>, by_id: &ById<'_>) -> References {
        const ALL: [Kind; 6] =
            [Kind::Fill, Kind::Stroke, Kind::Marker, Kind::ClipPath, Kind::Mask, Kind::Filter];
        let mut effective = References::new();
        // Parents come before their children.
        for node in document.descendants().filter(Node::is_element) {
            let inherited = node.parent().and_then(|parent| effective.get(&parent.id())).cloned();
            let mut references = inherited.unwrap_or_default();
            references.retain(|(kind, _)| kind.is_inherited() && !self.0.contains_key(&(node.id(), *kind)));
            for kind in ALL {
                references.extend(self.targets(node.id(), kind, by_id).into_iter().map(|to| (kind, to)));
            }
            if !references.is_empty() {
                effective.insert(node.id(), references);
            }
        }
        effective
    }
}

/// The ids in the `url(#…)` of a value.
fn ids_in(value: &str) -> impl Iterator<Item = &str> {
    value.split("url(").skip(1).filter_map(|rest| {
        let address = rest.split(')').next()?.trim().trim_matches(['"', '\'']).trim();
        address.strip_prefix('#')
    })
}

/// The style sheets of a document, as usvg reads them.
fn style_sheet<'a>(document: &'a Document<'_>) -> StyleSheet<'a> {
    let mut sheet = StyleSheet::new();
    let is_css = |node: &Node<'_, '_>| {
        node.tag_name().name() == "style" && matches!(node.attribute("type"), None | Some("text/css"))
    };
    for text in document.descendants().filter(is_css).filter_map(|node| node.text()) {
        sheet.parse_more(text);
    }
    sheet
}

struct Element<'a, 'input>(Node<'a, 'input>);

impl simplecss::Element for Element<'_, '_> {
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
