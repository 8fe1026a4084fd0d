//! The boxes of texts, from a drawing of all texts that are in a document.

use std::collections::HashMap;

use kurbo::Rect;
use usvg::{Group, Node as UsvgNode};

use crate::dom::{Document, Node, NodeId};
use crate::passes::{Tools, spaced_anchors};
use crate::quirks::letter_spacing::with_last_spaces;
use crate::quirks::text_length::cells_box;

/// The attributes of the elements around a text that its box depends on.
const INHERITED: [&str; 13] = [
    "direction",
    "dominant-baseline",
    "font-family",
    "font-size",
    "font-stretch",
    "font-style",
    "font-variant",
    "font-weight",
    "kerning",
    "letter-spacing",
    "text-anchor",
    "word-spacing",
    "writing-mode",
];

/// The properties of the elements around a text that its box depends on, without attributes.
const INHERITED_IN_CSS: [&str; 3] = ["font-kerning", "font-optical-sizing", "font-variation-settings"];

/// The attributes of a text that its box does not depend on, and which could remove it from the
/// tree.
const OTHERS: [&str; 9] = [
    "clip-path",
    "display",
    "filter",
    "mask",
    "opacity",
    "stroke",
    "transform",
    "transform-origin",
    "visibility",
];

/// The boxes of the texts of a document in their user spaces. `None` if usvg refuses the document.
pub(super) fn text_boxes(document: &Document, tools: &Tools<'_>) -> Option<HashMap<NodeId, Rect>> {
    let mut drawn = document.clone();
    let root = drawn.root_element().id();
    // What the texts refer to stays in the document.
    let definitions = drawn.wrap_contents(root, &[]);
    drawn.rename(definitions, "defs");
    for text in document.elements().filter(|node| node.has_tag("text") && has_own_lengths(*node)) {
        let copy = drawn.copy_of(text.id());
        OTHERS.iter().for_each(|name| drawn.remove_attribute(copy, name));
        drawn.set_attribute(copy, "id", tools.ids.id(text.id()));
        let around = text.ancestors().skip(1).filter(|node| node.parent_element().is_some());
        let outermost = around.fold(copy, |inside, node| {
            let group = with_font(node, &mut drawn);
            drawn.append(group, inside);
            group
        });
        drawn.append(root, outermost);
    }
    spaced_anchors::move_lines(&mut drawn, tools).ok()?;
    let tree = (tools.tree)(&drawn)?;
    let mut boxes = HashMap::new();
    add_boxes(tree.root(), tools, &mut boxes);
    Some(boxes)
}

/// Whether the lengths of a text are not relative to an inner viewport.
fn has_own_lengths(text: Node<'_>) -> bool {
    let mut around = text.ancestors().filter(|node| node.parent_element().is_some());
    let mut lengths = text.descendants().flat_map(Node::attributes);
    !around.any(|node| matches!(node.tag(), "svg" | "symbol"))
        || !lengths.any(|attribute| attribute.value.contains('%'))
}

/// A new group with the font of an element.
fn with_font(node: Node<'_>, drawn: &mut Document) -> NodeId {
    let attributes = INHERITED.iter().filter_map(|name| Some((*name, node.attribute(name)?)));
    let group = drawn.new_element("g", &attributes.collect::<Vec<_>>());
    for property in INHERITED_IN_CSS {
        if let Some(value) = node.declaration(property) {
            drawn.declare(group, property, value);
        }
    }
    group
}

fn add_boxes(group: &Group, tools: &Tools<'_>, boxes: &mut HashMap<NodeId, Rect>) {
    for node in group.children() {
        match node {
            UsvgNode::Group(group) => add_boxes(group, tools, boxes),
            UsvgNode::Text(text) => {
                let node = tools.ids.node(text.id());
                boxes.extend(node.map(|node| (node, with_last_spaces(text, cells_box(text)))));
            }
            UsvgNode::Path(_) | UsvgNode::Image(_) => {}
        }
    }
}
