//! The uniform of the stages over a scene or a node stream.

use bytemuck::{Pod, Zeroable};

use super::limits::WORKGROUP_SIZE;

/// The size of a scene or a node stream. The stages over them read it as a uniform.
///
/// # Layout
///
/// Four `u32` at offsets 0, 4, 8, 12.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Config {
    /// The number of elements in the scene.
    pub n_elements: u32,
    /// The length of the node stream.
    pub n_entries: u32,
    /// The number of partitions. The algorithm decides whether they divide the elements or the node
    /// stream.
    pub n_partitions: u32,
    /// The number of leaves of a tree over the partitions: 256 times a power of two.
    pub n_tree_leaves: u32,
}

impl Config {
    /// The configuration of a scene of this size with this many partitions.
    pub fn new(n_elements: u32, n_entries: u32, n_partitions: u32) -> Self {
        let n_groups = n_partitions.div_ceil(WORKGROUP_SIZE).max(1);
        let n_tree_leaves = WORKGROUP_SIZE * n_groups.next_power_of_two();
        Self { n_elements, n_entries, n_partitions, n_tree_leaves }
    }

    /// The configuration of a node stream without a scene, in partitions of `partition_length`
    /// entries.
    #[cfg(feature = "tree")]
    pub fn of_entries(n_entries: u32, partition_length: u32) -> Self {
        Self::new(0, n_entries, n_entries.div_ceil(partition_length))
    }
}
