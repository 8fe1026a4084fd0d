//! Stage *clip*: the clip box of every node, and the clipped box of every leaf.

use alloc::vec::Vec;

use crate::core::{Aabb, Entry, EntryLink};
use crate::scene::{ElementKind, Scene};

/// The clip box at every entry of the node stream.
///
/// At a begin, it is the box of the node's shape ∩ the clip box of its parent. At an end, it is the
/// clip box that applies after it: that of the parent.
///
/// Source: Levien 2022, section 6.1.
pub fn clip_entries(scene: &Scene, entries: &[Entry], links: &[EntryLink]) -> Vec<Aabb> {
    let mut clip_boxes: Vec<Aabb> = Vec::with_capacity(entries.len());
    for (entry, link) in entries.iter().zip(links) {
        let outer = usize::try_from(link.parent).map_or(Aabb::PLANE, |parent| clip_boxes[parent]);
        let is_begin = entry.is_begin();
        clip_boxes.push(if is_begin { outer.intersect(scene.boxes()[entry.element()]) } else { outer });
    }
    clip_boxes
}

/// For every leaf, its box ∩ the clip box that applies there. [`Aabb::EMPTY`] for every other
/// element.
pub fn clip_leaves(scene: &Scene, ranks: &[u32], clip_boxes: &[Aabb]) -> Vec<Aabb> {
    let clip_box_at = |rank: u32| rank.checked_sub(1).map_or(Aabb::PLANE, |n| clip_boxes[n as usize]);
    (0..scene.len())
        .map(|element| match scene.kind(element) {
            ElementKind::Leaf => scene.boxes()[element].intersect(clip_box_at(ranks[element])),
            _ => Aabb::EMPTY,
        })
        .collect()
}
