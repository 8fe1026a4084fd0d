//! Stage *match*: the parent and the partner of every entry of the node stream.
//!
//! The simple algorithm of Levien 2022, section 7: stack slices, then a search of the bicyclic tree. In two dispatches
//! it holds a node stream of 256² entries, of any depth. Specification: `boxwood_cpu::match_nodes`.

use boxwood_layout::{Bic, NodeLink};
use boxwood_shaders::SHADERS;

use super::{BufferLayout, Dispatch, Grid, Per, Stage};

/// The stage.
pub static STAGE: Stage = Stage {
    name: "match",
    dispatches: &[
        Dispatch { shader: &SHADERS.match_reduce, grid: Grid::Nodes },
        Dispatch { shader: &SHADERS.match_leaf, grid: Grid::Nodes },
    ],
    buffers: &[
        BufferLayout { name: "partition_bics", per: Per::NodePartition, stride: size_of::<Bic>() },
        BufferLayout { name: "slices", per: Per::Node, stride: 4 },
        BufferLayout { name: "links", per: Per::Node, stride: size_of::<NodeLink>() },
    ],
};
