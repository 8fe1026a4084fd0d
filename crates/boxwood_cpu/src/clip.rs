//! Stage *clip*: the clip box of every node, then the clipped box of every leaf.

use boxwood_layout::{Aabb, ElementKind, Elements, Node, NodeLink};

/// The clip box at every entry of the node stream: at a begin, that of its node, the box of its shape ∩ the clip box of
/// its parent; at an end, the one that holds after it, which is that of its parent.
///
/// Source: Levien 2022, section 6.1.
pub fn clip_nodes(elements: &Elements, nodes: &[Node], links: &[NodeLink]) -> Vec<Aabb> {
    let mut clip_boxes: Vec<Aabb> = Vec::with_capacity(nodes.len());
    for (node, link) in nodes.iter().zip(links) {
        let outside = usize::try_from(link.parent).map_or(Aabb::PLANE, |parent| clip_boxes[parent]);
        clip_boxes.push(if node.is_begin() {
            outside.intersect(elements.boxes()[node.element()])
        } else {
            outside
        });
    }
    clip_boxes
}

/// The box of every leaf ∩ the clip box that holds where it stands; [`Aabb::EMPTY`] for every other element.
pub fn clip_leaves(elements: &Elements, places: &[u32], clip_boxes: &[Aabb]) -> Vec<Aabb> {
    let clip_box_before = |place: u32| place.checked_sub(1).map_or(Aabb::PLANE, |n| clip_boxes[n as usize]);
    (0..elements.len())
        .map(|element| match elements.kind(element) {
            ElementKind::Leaf => elements.boxes()[element].intersect(clip_box_before(places[element])),
            _ => Aabb::EMPTY,
        })
        .collect()
}
