//! Stage *union*: the group box of every node.

use boxwood_layout::{Aabb, ElementKind, Elements};

/// The union of the clipped boxes of the leaves in each node, at its begin and at its end.
///
/// Source: Levien 2022, section 6.2, here with a stack. A node without an end lasts to the end of the scene; an end
/// without a begin has nothing in it.
pub fn union_groups(elements: &Elements, clipped_boxes: &[Aabb]) -> Vec<Aabb> {
    let mut group_boxes: Vec<Aabb> = Vec::with_capacity(elements.n_nodes());
    let mut open: Vec<usize> = Vec::new();
    let close = |open: &mut Vec<usize>, group_boxes: &mut Vec<Aabb>| -> Option<Aabb> {
        let group_box = group_boxes[open.pop()?];
        if let Some(&parent) = open.last() {
            group_boxes[parent] = group_boxes[parent].union(group_box);
        }
        Some(group_box)
    };
    for (element, &clipped_box) in clipped_boxes.iter().enumerate() {
        match elements.kind(element) {
            ElementKind::Begin => {
                open.push(group_boxes.len());
                group_boxes.push(Aabb::EMPTY);
            }
            ElementKind::End => {
                let group_box = close(&mut open, &mut group_boxes);
                group_boxes.push(group_box.unwrap_or(Aabb::EMPTY));
            }
            ElementKind::Leaf => {
                if let Some(&node) = open.last() {
                    group_boxes[node] = group_boxes[node].union(clipped_box);
                }
            }
            ElementKind::Nop => {}
        }
    }
    while close(&mut open, &mut group_boxes).is_some() {}
    group_boxes
}
