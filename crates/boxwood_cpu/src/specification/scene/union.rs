//! Stage *union*: the group box of every node.

use alloc::vec::Vec;

use crate::core::Aabb;
use crate::scene::{ElementKind, Scene};
use crate::specification::tree::close;

/// The group box of each node, at its begin and at its end: the union of the clipped boxes of its
/// leaves.
///
/// A node without an end extends to the end of the scene. The group box of an end without a begin
/// is [`Aabb::EMPTY`].
///
/// Source: Levien 2022, section 6.2, with a stack in place of the parallel algorithm.
pub fn union_groups(scene: &Scene, clipped_boxes: &[Aabb]) -> Vec<Aabb> {
    let mut group_boxes: Vec<Aabb> = Vec::with_capacity(scene.n_entries());
    let mut open: Vec<usize> = Vec::new();
    for (element, &clipped_box) in clipped_boxes.iter().enumerate() {
        match scene.kind(element) {
            ElementKind::Begin => {
                open.push(group_boxes.len());
                group_boxes.push(Aabb::EMPTY);
            }
            ElementKind::End => {
                let group_box = close(&mut open, &mut group_boxes, Aabb::union);
                group_boxes.push(group_box.unwrap_or(Aabb::EMPTY));
            }
            ElementKind::Leaf => {
                if let Some(&begin) = open.last() {
                    group_boxes[begin] = group_boxes[begin].union(clipped_box);
                }
            }
            ElementKind::Nop => {}
        }
    }
    while close(&mut open, &mut group_boxes, Aabb::union).is_some() {}
    group_boxes
}
