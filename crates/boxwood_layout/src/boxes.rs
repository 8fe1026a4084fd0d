//! What comes out of the stage, as it is read back or computed on the CPU.

use crate::{Aabb, Node, NodeLink};

/// The results of every stage for one scene.
///
/// `places` and `clipped_boxes` have one entry an element of the scene, the others one an entry of the node stream.
/// All boxes are canonical and in the space of the [`Elements`](crate::Elements) they come from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Boxes {
    /// Stage *compact*: the begins and ends alone, in order.
    pub nodes: Vec<Node>,
    /// Stage *compact*: of each element, how many entries of the node stream precede it.
    pub places: Vec<u32>,
    /// Stage *match*: where each entry of the node stream hangs in the tree.
    pub links: Vec<NodeLink>,
    /// Stage *clip*: at a begin, the clip box of its node; at an end, the clip box that holds after it, which is that
    /// of the enclosing node, or [`Aabb::PLANE`] at the root. (Vello's `clip_bboxes` has the same convention.)
    pub clip_boxes: Vec<Aabb>,
    /// Stage *clip*: of each leaf, its clipped leaf box; of any other element, [`Aabb::EMPTY`].
    pub clipped_boxes: Vec<Aabb>,
    /// Stage *union*: the group box of each node, at its begin and at its end. [`Aabb::EMPTY`] at an end without begin.
    pub group_boxes: Vec<Aabb>,
}

impl Boxes {
    /// The index in the node stream of the innermost begin that encloses the element at `element`.
    ///
    /// # Panics
    ///
    /// If there is no such element.
    pub fn parent(&self, element: usize) -> Option<usize> {
        let before = usize::try_from(self.places[element]).ok()?.checked_sub(1)?;
        if self.nodes[before].is_begin() {
            Some(before)
        } else {
            usize::try_from(self.links[before].parent).ok()
        }
    }
}
