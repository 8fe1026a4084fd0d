//! Why elements of a document are not sources.

use std::collections::HashSet;

use crate::dom::{Document, Node, NodeId};
use crate::guard::document;
use crate::no_box::NoBox;
use crate::passes::zero_sizes::has_no_geometry;
use crate::read::elements::Elements;
use crate::xml::{DEFINITIONS, GRAPHICS, TEXT_PARTS, is_in_text, is_selected};

/// The elements that draw something in a browser, but not here.
const UNSUPPORTED: [&str; 6] = ["audio", "canvas", "foreignObject", "iframe", "unknown", "video"];

/// Finds out why elements are not sources.
pub(crate) struct Reasons<'d> {
    elements: &'d Elements,
    /// The elements that are left out because they close a cycle of references.
    closing: HashSet<NodeId>,
    /// The ids of the elements that a `use` can draw.
    drawable: HashSet<&'d str>,
}

impl<'d> Reasons<'d> {
    /// For a document with these elements. `has_cycles` is whether it has cycles of references.
    pub(crate) fn new(document: &'d Document, elements: &'d Elements, has_cycles: bool) -> Self {
        let checked = has_cycles.then(|| document::check(document).ok()).flatten();
        let closing = checked.into_iter().flat_map(|checked| checked.closing).map(|node| node.id()).collect();
        let drawable = document.elements().filter(|node| is_drawable(*node));
        let drawable = drawable.filter_map(|node| node.attribute("id")).collect();
        Self { elements, closing, drawable }
    }

    /// The reasons of the elements of the document, in document order. Elements that have a node in
    /// usvg's tree have the reason why they paint nothing, if it is known.
    pub(crate) fn list(&self, document: &'d Document) -> Vec<NoBox> {
        let mut reasons: Vec<NoBox> = Vec::new();
        // For each element, the reason that also holds for its contents.
        let mut of_contents: Vec<Option<NoBox>> = Vec::new();
        for (index, node) in (0..).zip(document.originals()) {
            let element = self.elements.get(index);
            let inherited = element.parent().and_then(|parent| of_contents[parent as usize].clone());
            // `within` is the innermost definition.
            let around = match self.left_out(node, index) {
                Some(definition @ NoBox::Definition { .. }) => Some(definition),
                own => inherited.or(own),
            };
            let effect = || {
                let has_contents = !is_container(node) || node.first_element_child().is_some();
                let is_left_out = !element.is_kept && !is_part(node) && has_contents && has_effect(node);
                is_left_out.then(|| NoBox::InvalidEffect { on: self.elements.path(index) })
            };
            let own = || element.unpainted.clone().or_else(|| self.no_geometry(node)).or_else(effect);
            let reason = around.clone().or_else(own);
            of_contents.push(match &reason {
                Some(NoBox::InvalidEffect { .. }) => reason.clone(),
                _ => around,
            });
            let is_empty = || match node {
                part if is_part(part) => !may_have_characters(part),
                _ => is_container(node) && (element.is_kept || !self.elements.has_kept(index)),
            };
            let other = || if is_empty() { NoBox::NoContents } else { NoBox::Unknown };
            reasons.push(reason.unwrap_or_else(other));
        }
        reasons
    }

    /// The reason why an element and its contents are left out.
    fn left_out(&self, node: Node<'d>, index: u32) -> Option<NoBox> {
        let tag = node.tag();
        let path = || self.elements.path(index);
        let is_svg = node.is_svg();
        match tag {
            _ if !is_svg => Some(NoBox::NotGraphics),
            _ if DEFINITIONS.contains(&tag) => Some(NoBox::Definition { within: tag.to_owned() }),
            _ if UNSUPPORTED.contains(&tag) => Some(NoBox::Unsupported { tag: tag.to_owned() }),
            _ if !GRAPHICS.contains(&tag) && !TEXT_PARTS.contains(&tag) => Some(NoBox::NotGraphics),
            _ if is_misplaced(node) => Some(NoBox::NotGraphics),
            _ if node.declared("display") == Some("none") => Some(NoBox::DisplayNone { on: path() }),
            _ if self.closing.contains(&node.id()) => Some(NoBox::ReferenceCycle { through: path() }),
            _ if !is_selected(node) => Some(NoBox::NotSelected { out: path() }),
            _ => None,
        }
    }

    /// The reason of an element whose geometry by its attributes, or whose reference, is nothing.
    fn no_geometry(&self, node: Node<'d>) -> Option<NoBox> {
        if node.tag() != "use" {
            return has_no_geometry(node).then_some(NoBox::NoSize);
        }
        let is_found = node.local_href().is_some_and(|id| self.drawable.contains(id));
        (!is_found).then_some(NoBox::BrokenReference)
    }
}

/// Whether an element has an effect that usvg leaves it out for, if the effect is invalid.
fn has_effect(node: Node<'_>) -> bool {
    let effects = ["clip-path", "mask", "filter"];
    effects.iter().any(|property| node.declared(property).is_some_and(|value| value != "none"))
}

/// Whether an element is in a shape or image, where nothing is drawn, or is a part of a text that
/// is in none.
fn is_misplaced(node: Node<'_>) -> bool {
    let is_text_part = |tag| tag != "a" && TEXT_PARTS.contains(&tag);
    let is_in_leaf = |parent: Node<'_>| {
        let tag = parent.tag();
        GRAPHICS.contains(&tag) && !is_container(parent)
    };
    node.parent_element().is_some_and(is_in_leaf) || is_text_part(node.tag()) && !is_in_text(node)
}

/// Whether an element is a part of a text.
fn is_part(node: Node<'_>) -> bool {
    TEXT_PARTS.contains(&node.tag()) && is_in_text(node)
}

/// Whether an element has characters other than white space, or a reference to some.
fn may_have_characters(part: Node<'_>) -> bool {
    let has_characters = |text: &str| !text.trim().is_empty();
    part.descendants().any(|inner| match inner.text() {
        Some(text) => has_characters(text),
        None => inner.has_tag("tref"),
    })
}

fn is_container(node: Node<'_>) -> bool {
    matches!(node.tag(), "a" | "g" | "svg" | "switch" | "text" | "use")
}

/// Whether a `use` can draw an element.
fn is_drawable(target: Node<'_>) -> bool {
    let tag = target.tag();
    GRAPHICS.contains(&tag) || tag == "symbol"
}
