//! The boxes of elements without their effects, which are relative to these boxes.

use std::collections::HashMap;

use kurbo::Rect;
use usvg::{Group, Node, Tree};

use crate::dom::Document;
use crate::geometry::{affine, rect};
use crate::passes::Tools;
use crate::quirks::letter_spacing::with_last_spaces;
use crate::quirks::text_length::cells_box;

/// The attributes for effects and markers.
const EFFECTS: [&str; 7] =
    ["clip-path", "filter", "marker", "marker-end", "marker-mid", "marker-start", "mask"];

/// The tree of a document without effects and markers, in which the box of each group is that of
/// its fill. `None` if usvg refuses it.
pub(super) fn plain_tree(document: &Document, tools: &Tools<'_>) -> Option<Tree> {
    let mut plain = document.clone();
    for id in document.element_ids() {
        EFFECTS.iter().for_each(|effect| plain.remove_attribute(id, effect));
    }
    (tools.tree)(&plain)
}

/// The boxes of an element in its user space: that of its fill, and that of its fill and stroke.
pub(super) type Boxes = [Rect; 2];

/// The boxes of the elements that are drawn, by their ids.
pub(super) fn plain_boxes(document: &Document, tools: &Tools<'_>) -> HashMap<String, Boxes> {
    let mut boxes = HashMap::new();
    if let Some(tree) = plain_tree(document, tools) {
        add_boxes(tree.root(), &mut boxes);
    }
    boxes
}

/// Adds the boxes of each node with an id. Returns their union, in the space of the group.
fn add_boxes(group: &Group, boxes: &mut HashMap<String, Boxes>) -> Option<Boxes> {
    let mut all: Option<Boxes> = None;
    for node in group.children() {
        let own = match node {
            Node::Group(group) => add_boxes(group, boxes),
            // The box of a text is that of its cells, with ink or without.
            Node::Text(text) => {
                let cells = with_last_spaces(text, cells_box(text));
                Some([cells, cells.union(rect(text.stroke_bounding_box()))])
            }
            other => Some([other.bounding_box(), other.stroke_bounding_box()].map(rect)),
        };
        let Some(own) = own else { continue };
        if !node.id().is_empty() {
            // Of several copies that a `use` draws, each has the same boxes.
            boxes.entry(node.id().to_owned()).or_insert(own);
        }
        let around = match node {
            Node::Group(group) => own.map(|own| affine(group.transform()).transform_rect_bbox(own)),
            _ => own,
        };
        all = Some(all.map_or(around, |all| [all[0].union(around[0]), all[1].union(around[1])]));
    }
    all
}
