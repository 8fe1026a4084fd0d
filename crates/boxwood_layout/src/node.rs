//! Entries of the node stream, and the links between them.

use bytemuck::{Pod, Zeroable};

use crate::{Aabb, Bic};

/// An entry of the node stream: which element it is, and whether that begins or ends a node.
///
/// Layout: one `i32`, the index of the element for a begin, its bitwise complement for an end (so the sign tells
/// them apart). This is the encoding of Vello's `clip_inp`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(transparent)]
pub struct Node(pub i32);

impl Node {
    /// The begin at index `element` of the scene.
    ///
    /// # Panics
    ///
    /// If the index does not fit in an `i32`; [`Limits`](crate::Limits) refuses such scenes.
    pub fn begin(element: usize) -> Self {
        Self(i32::try_from(element).expect("the limits keep element indices within i32"))
    }

    /// The end at index `element` of the scene.
    ///
    /// # Panics
    ///
    /// If the index does not fit in an `i32`; [`Limits`](crate::Limits) refuses such scenes.
    pub fn end(element: usize) -> Self {
        Self(!Self::begin(element).0)
    }

    /// Whether the entry begins a node.
    pub fn is_begin(self) -> bool {
        self.0 >= 0
    }

    /// The index of the entry's element in the scene.
    pub fn element(self) -> usize {
        (if self.is_begin() { self.0 } else { !self.0 }).unsigned_abs() as usize
    }
}

/// Where an entry of the node stream hangs in the tree. Both are indices into the node stream, −1 for none.
///
/// Layout: two `i32` at offsets 0 and 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct NodeLink {
    /// The begin of the innermost node that encloses this entry's node; the same for a node's begin and its end.
    pub parent: i32,
    /// Of an end: its begin, −1 if it has none. Of a begin: its end, −1 if the node lasts to the end of the scene.
    pub partner: i32,
}

impl NodeLink {
    /// Not in any node, and without a partner.
    pub const NONE: Self = Self { parent: -1, partner: -1 };
}

/// A partition of the node stream as seen by absolute depth, which counts begins less ends and may be negative.
///
/// Its slice holds the levels of the stack from `lowest` on: slot t is the begin that leads from depth `lowest + t` to the
/// next. The begin that is open at some level when a partition starts is in the last partition before it whose `lowest` is at
/// most that level.
///
/// Layout: two `i32` at offsets 0 and 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct PartitionDepth {
    /// The depth before the partition's first entry.
    pub start: i32,
    /// The least depth in the partition, that before its first entry included.
    pub lowest: i32,
}

/// What encloses a partition of the node stream beneath its own slice.
///
/// Layout: a box at offset 0, an `i32` at 16, and padding to 32.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct PartitionEntry {
    /// The intersection of the begins open there, as far as `link` does not stand for them.
    pub clip_box: Aabb,
    /// The partition whose slice and entry are still to be met, −1 for none.
    pub link: i32,
    /// WGSL aligns the struct to 16 bytes.
    pub padding: [i32; 3],
}

/// What other partitions of 256 elements see of one, in scenes of up to 65,536 elements, in short.
///
/// Layout: four words, and a box at offset 16.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct SmallSummary {
    /// The ends without a begin in it, and the begins without an end.
    pub bic: Bic,
    /// How many entries of the node stream it has.
    pub n_nodes: u32,
    /// How many entries of the node stream precede it.
    pub first_node: u32,
    /// The union of the clipped boxes of its leaves.
    pub total_box: Aabb,
}

/// The same at length.
///
/// Layout: boxes, and words from 4096 on.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct SmallPartition {
    /// The intersection of each begin in the slice with those below it there.
    pub slice_boxes: [Aabb; 256],
    /// The slice: the begins left open, outermost first, as places in the node stream of the partition.
    pub slice: [u32; 256],
    /// Of each element its place, and from bit 30 on 1 for a begin, 2 for an end.
    pub places: [u32; 256],
    /// Of each end whose begin is in an earlier partition, the index of the begin in the node stream, and from bit 16 on that
    /// partition. All bits of others.
    pub begins: [u32; 256],
}

/// What other partitions of 1024 elements see of one.
///
/// Layout: words, in the order of the fields.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct PartitionSummary {
    /// The ends without a begin in it, and the begins without an end.
    pub bic: Bic,
    /// How many entries of the node stream precede it.
    pub first_node: u32,
    /// How many entries of the node stream it has.
    pub n_nodes: u32,
    /// A bound on how many levels of the stack are met between its elements: one more than the range of its quads' least depths.
    pub n_levels: u32,
    /// Its elements, four a word: the begins and leaves among them in bits 0 to 3, the begins and ends in 4 to 7; in bits 8 to 18 how
    /// many entries of the node stream precede them in the partition; from 19 on the least depth among them, that before the first
    /// included, relative to the depth before the partition and to -1024.
    pub quads: [u32; 256],
    /// The slice: the begins left open, outermost first, as indices into the node stream.
    pub slice: [u32; 1024],
}

/// The nodes that a partition of 1024 elements has in common with others.
///
/// Layout: boxes at offsets 0 and 16, an `i32` at 32, pairs of `i32` from 40 on, and padding to a multiple of 16.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct PartitionCrossings {
    /// The clip box that holds where all ends without a begin in the partition have been applied to the stack before it.
    pub floor_box: Aabb,
    /// The union of the clipped boxes of its leaves.
    pub total_box: Aabb,
    /// The begin on top of the stack there, −1 for none.
    pub floor_begin: i32,
    /// WGSL aligns pairs to 8 bytes.
    pub padding: i32,
    /// The nodes that end here and do not begin here, in order, as indices into the node stream: the begin, −1 for none; the end.
    pub pairs: [[i32; 2]; 1024],
    /// WGSL aligns the struct to 16 bytes.
    pub padding_after: [i32; 2],
}
