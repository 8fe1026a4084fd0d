//! The schedule: which dispatches make a stage, and which buffers it fills.
//!
//! Buffers bear the names of the variables that the shaders bind, so a stage needs to list only what is its own.

pub mod clip;
pub mod compact;
pub mod r#match;
pub mod union;

use boxwood_layout::{Config, WORKGROUP_SIZE};
use boxwood_shaders::Shader;

/// A stage of the pipeline.
#[derive(Debug)]
pub struct Stage {
    /// Its name, as in the names of its modules, shaders and labels.
    pub name: &'static str,
    /// Its dispatches, in order.
    pub dispatches: &'static [Dispatch],
    /// The buffers that it fills, its private ones included.
    pub buffers: &'static [BufferLayout],
}

/// A dispatch of a stage.
#[derive(Debug)]
pub struct Dispatch {
    /// What it runs.
    pub shader: &'static Shader,
    /// How many workgroups it takes.
    pub grid: Grid,
}

/// What the workgroups of a dispatch share out among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grid {
    /// The elements of the scene, 256 a workgroup.
    Elements,
    /// The entries of the node stream, 256 a workgroup.
    Nodes,
    /// One workgroup does it all.
    Single,
}

/// The shape of a buffer.
#[derive(Debug)]
pub struct BufferLayout {
    /// The name of the variables that bind it.
    pub name: &'static str,
    /// What it has one item of.
    pub per: Per,
    /// Bytes of an item.
    pub stride: usize,
}

/// What a buffer has one item of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Per {
    /// Each element of the scene.
    Element,
    /// Each partition of 256 elements.
    ElementPartition,
    /// Each entry of the node stream.
    Node,
    /// Each partition of 256 entries of the node stream.
    NodePartition,
}

/// Every stage, in order.
pub static STAGES: [&Stage; 4] = [&compact::STAGE, &r#match::STAGE, &clip::STAGE, &union::STAGE];

impl Per {
    /// How many items a buffer has for so many elements and entries of the node stream.
    pub fn count(self, n_elements: usize, n_nodes: usize) -> usize {
        match self {
            Self::Element => n_elements,
            Self::ElementPartition => n_elements.div_ceil(WORKGROUP_SIZE as usize),
            Self::Node => n_nodes,
            Self::NodePartition => n_nodes.div_ceil(WORKGROUP_SIZE as usize),
        }
    }
}

impl Grid {
    /// The workgroups in x, y and z, no more than `max_per_dimension` in any; none at all where there is nothing to do.
    ///
    /// The grid of a large scene has more workgroups than it has partitions, in a last row that is not full.
    pub fn workgroups(self, config: &Config, max_per_dimension: u32) -> Option<[u32; 3]> {
        let n = match self {
            Self::Elements => config.n_element_partitions,
            Self::Nodes => config.n_nodes.div_ceil(WORKGROUP_SIZE),
            Self::Single => u32::from(config.n_elements > 0),
        };
        let rows = n.div_ceil(max_per_dimension);
        (n > 0).then(|| [n.div_ceil(rows), rows, 1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_grids_have_rows() {
        let grid = |n_element_partitions| {
            let config =
                Config { n_elements: n_element_partitions * 256, n_element_partitions, ..Config::default() };
            Grid::Elements.workgroups(&config, 65_535)
        };
        assert_eq!(grid(0), None);
        assert_eq!(grid(65_535), Some([65_535, 1, 1]));
        assert_eq!(grid(65_536), Some([32_768, 2, 1]));
        assert_eq!(grid(1_000_001), Some([62_501, 16, 1]));
    }
}
