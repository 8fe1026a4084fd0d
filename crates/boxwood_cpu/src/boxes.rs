//! The results of the stages.

use alloc::vec::Vec;

use crate::core::{Aabb, Entry, EntryLink};

/// The results of every stage for one scene.
///
/// `ranks` and `clipped_boxes` have one item per element of the scene. The other fields have
/// one item per entry of the node stream. All boxes are canonical, and in the space of the
/// [`Scene`](crate::Scene).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Boxes {
    /// The node stream: the begins and ends of the scene, in order.
    pub entries: Vec<Entry>,
    /// For each element, the number of begins and ends before it.
    pub ranks: Vec<u32>,
    /// The parent and partner of each entry of the node stream.
    pub links: Vec<EntryLink>,
    /// At a begin: the clip box of its node. At an end: the clip box that applies after it, which
    /// is that of the enclosing node, or [`Aabb::PLANE`] at the root. Vello's `clip_bboxes` has the
    /// same convention.
    pub clip_boxes: Vec<Aabb>,
    /// For each leaf, its clipped box. [`Aabb::EMPTY`] for every other element.
    pub clipped_boxes: Vec<Aabb>,
    /// The group box of each node, both at its begin and at its end. [`Aabb::EMPTY`] at an end
    /// without a begin.
    pub group_boxes: Vec<Aabb>,
}

impl Boxes {
    /// The begin of the innermost node that encloses the element at `element`, as an index into the
    /// node stream. For an end, that is the node that it ends. Needs the ranks, entries, and links.
    ///
    /// # Panics
    ///
    /// Panics if there is no such element.
    pub fn parent(&self, element: usize) -> Option<usize> {
        let before = usize::try_from(self.ranks[element]).ok()?.checked_sub(1)?;
        if self.entries[before].is_begin() {
            Some(before)
        } else {
            usize::try_from(self.links[before].parent).ok()
        }
    }
}
