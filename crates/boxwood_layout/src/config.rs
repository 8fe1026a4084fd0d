//! The uniform that every stage reads.

use bytemuck::{Pod, Zeroable};

use crate::WORKGROUP_SIZE;

/// How large the scene is. The uniform of every stage.
///
/// Layout: four `u32` at offsets 0, 4, 8, 12.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Config {
    /// How many elements the scene has.
    pub n_elements: u32,
    /// How many entries the node stream has.
    pub n_nodes: u32,
    /// How many partitions the algorithm makes, of entries of the node stream or of elements.
    pub n_partitions: u32,
    /// How many leaves the trees over these partitions have: 256 times a power of two.
    pub n_tree_leaves: u32,
}

impl Config {
    /// The configuration of a scene of this size, in so many partitions.
    pub fn new(n_elements: u32, n_nodes: u32, n_partitions: u32) -> Self {
        let n_groups = n_partitions.div_ceil(WORKGROUP_SIZE).max(1);
        let n_tree_leaves = WORKGROUP_SIZE * n_groups.next_power_of_two();
        Self { n_elements, n_nodes, n_partitions, n_tree_leaves }
    }

    /// The configuration of a node stream alone, in partitions of `partition_length` entries.
    pub fn of_nodes(n_nodes: u32, partition_length: u32) -> Self {
        Self::new(0, n_nodes, n_nodes.div_ceil(partition_length))
    }
}
