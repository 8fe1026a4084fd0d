//! The pass over the elements: all results of a range of the scene, given the nodes that are open
//! at its start.

use alloc::vec::Vec;

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, f32x4};

use super::lanes::{self, Lanes};
use crate::boxes::Boxes;
use crate::core::{Aabb, Entry, EntryLink};
use crate::scene::{Scene, tag};

/// An open node.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(16))]
pub(super) struct Open {
    /// Its clip box.
    pub(super) clip: Lanes,
    /// The union of its clipped boxes so far.
    pub(super) group: Lanes,
    /// The rank of its begin, −1 for the root.
    pub(super) begin: i32,
}

impl Open {
    /// The bottom of each stack: what is around all nodes.
    pub(super) const ROOT: Self = Self { clip: lanes::PLANE, group: lanes::EMPTY, begin: -1 };
}

/// The open nodes, innermost last.
///
/// A pass starts with the nodes in `open`, outermost first, at least one. It ends with the nodes
/// that are open then. Their `group` is the union within the range alone.
#[derive(Clone, Debug, Default)]
pub(super) struct Stack {
    pub(super) open: Vec<Open>,
    /// The ranks of the ends whose begin is before the range, in order.
    pub(super) ends_of_earlier: Vec<u32>,
}

impl Stack {
    /// The stack at the start of a scene.
    pub(super) fn reset(&mut self) {
        self.open.clear();
        self.open.push(Open::ROOT);
        self.ends_of_earlier.clear();
    }
}

/// The input and the results of a range of elements, and the entries among them.
///
/// The begin of a node that an end of the range closes may be before the range. The links and
/// the group box of such a begin are not written, and the group box of the end is the union
/// within the range alone.
#[derive(Debug)]
pub(super) struct Range<'a> {
    pub(super) first_element: usize,
    pub(super) tags: &'a [u32],
    pub(super) own_boxes: &'a [Aabb],
    pub(super) ranks: &'a mut [u32],
    pub(super) clipped_boxes: &'a mut [Aabb],
    pub(super) first_rank: usize,
    pub(super) entries: &'a mut [Entry],
    pub(super) links: &'a mut [EntryLink],
    pub(super) clip_boxes: &'a mut [Aabb],
    pub(super) group_boxes: &'a mut [Aabb],
}

impl<'a> Range<'a> {
    /// All of a scene.
    pub(super) fn whole(scene: &'a Scene, boxes: &'a mut Boxes) -> Self {
        Self {
            first_element: 0,
            tags: scene.tags(),
            own_boxes: scene.boxes(),
            ranks: &mut boxes.ranks,
            clipped_boxes: &mut boxes.clipped_boxes,
            first_rank: 0,
            entries: &mut boxes.entries,
            links: &mut boxes.links,
            clip_boxes: &mut boxes.clip_boxes,
            group_boxes: &mut boxes.group_boxes,
        }
    }

    /// The first elements and entries, and the rest.
    #[cfg(feature = "parallel")]
    pub(super) fn split_at(self, n_elements: usize, n_entries: usize) -> (Self, Self) {
        let (tags, tags_after) = self.tags.split_at(n_elements);
        let (own_boxes, own_boxes_after) = self.own_boxes.split_at(n_elements);
        let (ranks, ranks_after) = self.ranks.split_at_mut(n_elements);
        let (clipped_boxes, clipped_boxes_after) = self.clipped_boxes.split_at_mut(n_elements);
        let (entries, entries_after) = self.entries.split_at_mut(n_entries);
        let (links, links_after) = self.links.split_at_mut(n_entries);
        let (clip_boxes, clip_boxes_after) = self.clip_boxes.split_at_mut(n_entries);
        let (group_boxes, group_boxes_after) = self.group_boxes.split_at_mut(n_entries);
        let before = Self {
            first_element: self.first_element,
            tags,
            own_boxes,
            ranks,
            clipped_boxes,
            first_rank: self.first_rank,
            entries,
            links,
            clip_boxes,
            group_boxes,
        };
        let after = Self {
            first_element: self.first_element + n_elements,
            tags: tags_after,
            own_boxes: own_boxes_after,
            ranks: ranks_after,
            clipped_boxes: clipped_boxes_after,
            first_rank: self.first_rank + n_entries,
            entries: entries_after,
            links: links_after,
            clip_boxes: clip_boxes_after,
            group_boxes: group_boxes_after,
        };
        (before, after)
    }

    /// Writes the results of the range.
    pub(super) fn pass(self, stack: &mut Stack) {
        // The instructions of the compiler's target have vectors of four lanes on x86-64, 64-bit
        // ARM, and WebAssembly with SIMD. AVX2 was 5 to 10 % slower than SSE2 on an AMD EPYC (Zen
        // 4), because its selection by a mask is slower than three bitwise operations. So nothing
        // is detected.
        dispatch!(Level::baseline(), simd => self.pass_with(simd, stack));
    }

    #[inline(always)]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        reason = "the engine checks that an i32 can index all elements"
    )]
    fn pass_with<S: Simd>(self, simd: S, stack: &mut Stack) {
        // With the same length for all, one comparison of an index is enough for the compiler.
        let n_entries = self.entries.len();
        let (entries, links) = (self.entries, &mut self.links[..n_entries]);
        let (clip_boxes, group_boxes) =
            (&mut self.clip_boxes[..n_entries], &mut self.group_boxes[..n_entries]);
        let first_rank = self.first_rank;

        let Stack { open, ends_of_earlier } = stack;
        let vector = |lanes: &Lanes| f32x4::load_array_ref(simd, lanes);
        let empty = f32x4::load_array(simd, lanes::EMPTY);
        // The innermost open node is in registers. The others are on the stack.
        let top = open.pop().unwrap_or(Open::ROOT);
        let (mut clip, mut group, mut begin) = (vector(&top.clip), vector(&top.group), top.begin);

        let mut rank = 0;
        let inputs = self.tags.iter().zip(self.own_boxes);
        let outputs = self.ranks.iter_mut().zip(self.clipped_boxes);
        for (index, ((&tag, own_box), (rank_of, clipped_box))) in inputs.zip(outputs).enumerate() {
            *rank_of = (first_rank + rank) as u32;
            // The rank of an entry is always below the number of entries. The comparison replaces
            // one check per array.
            match tag {
                tag::BEGIN if rank < n_entries => {
                    *clipped_box = Aabb::EMPTY;
                    open.push(Open { clip: clip.to_array(), group: group.to_array(), begin });
                    clip = lanes::intersect(simd, clip, lanes::load(simd, own_box));
                    group = empty;
                    entries[rank] = Entry((self.first_element + index) as i32);
                    links[rank] = EntryLink { parent: begin, partner: -1 };
                    clip_boxes[rank] = lanes::store(simd, clip);
                    begin = (first_rank + rank) as i32;
                    rank += 1;
                }
                tag::END if rank < n_entries => {
                    *clipped_box = Aabb::EMPTY;
                    entries[rank] = Entry(!((self.first_element + index) as i32));
                    if let Some(outer) = open.pop() {
                        let group_box = lanes::store(simd, group);
                        links[rank] = EntryLink { parent: outer.begin, partner: begin };
                        group_boxes[rank] = group_box;
                        let begin_in_range = (begin as usize).wrapping_sub(first_rank);
                        if begin_in_range < n_entries {
                            links[begin_in_range].partner = (first_rank + rank) as i32;
                            group_boxes[begin_in_range] = group_box;
                        } else {
                            ends_of_earlier.push((first_rank + rank) as u32);
                        }
                        clip = vector(&outer.clip);
                        group = lanes::union(vector(&outer.group), group);
                        begin = outer.begin;
                    } else {
                        // Nothing is open: the end changes nothing.
                        links[rank] = EntryLink::NONE;
                        group_boxes[rank] = Aabb::EMPTY;
                    }
                    clip_boxes[rank] = lanes::store(simd, clip);
                    rank += 1;
                }
                tag::NOP => *clipped_box = Aabb::EMPTY,
                _ => {
                    let clipped = lanes::intersect(simd, clip, lanes::load(simd, own_box));
                    *clipped_box = lanes::store(simd, clipped);
                    group = lanes::union(group, clipped);
                }
            }
        }
        open.push(Open { clip: clip.to_array(), group: group.to_array(), begin });
    }
}
