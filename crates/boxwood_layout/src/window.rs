//! A part of a scene, where its arrays are larger than a binding.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};

/// Which part of a scene's arrays is bound: a uniform of the stages in windows.
///
/// Each end is that of the last, plus one.
///
/// Layout: six `u32` in the order of the fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Window {
    /// The partitions that have the workgroups.
    pub first_partition: u32,
    /// Their end.
    pub end_partition: u32,
    /// The partitions that these look into.
    pub first_source: u32,
    /// Their end.
    pub end_source: u32,
    /// The entries of the node stream. A partition's worth beyond the end is bound too, so that a partition whose first entry is
    /// in the window has all of its entries bound.
    pub first_node: u32,
    /// Their end.
    pub end_node: u32,
}

impl Window {
    /// These partitions, those that they look into, and these entries of the node stream.
    pub fn new(partitions: Range<u32>, sources: Range<u32>, nodes: Range<u32>) -> Self {
        Self {
            first_partition: partitions.start,
            end_partition: partitions.end,
            first_source: sources.start,
            end_source: sources.end,
            first_node: nodes.start,
            end_node: nodes.end,
        }
    }
}
