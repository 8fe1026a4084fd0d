//! The uniform that every stage reads.

use bytemuck::{Pod, Zeroable};

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
    /// How many partitions of [`ELEMENTS_PER_WORKGROUP`](crate::WORKGROUP_SIZE) the elements make.
    pub n_element_partitions: u32,
    /// Keeps the size a multiple of 16 bytes, as uniform buffers like it.
    pub padding: u32,
}
