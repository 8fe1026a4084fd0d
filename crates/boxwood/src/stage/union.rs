//! Stage *union*: the group box of every node, at its begin and at its end.
//!
//! Levien 2022, sections 6.2 and 9: what lies in a node is a range of the node stream. Specification:
//! `boxwood_cpu::union_groups`.

use boxwood_layout::Aabb;
use boxwood_shaders::SHADERS;

use super::{BufferLayout, Dispatch, Grid, Per, Stage};

/// The stage.
pub static STAGE: Stage = Stage {
    name: "union",
    dispatches: &[
        Dispatch { shader: &SHADERS.union_reduce, grid: Grid::Nodes },
        Dispatch { shader: &SHADERS.union_leaf, grid: Grid::Nodes },
    ],
    buffers: &[
        BufferLayout { name: "suffix_boxes", per: Per::Node, stride: size_of::<Aabb>() },
        BufferLayout { name: "group_boxes", per: Per::Node, stride: size_of::<Aabb>() },
    ],
};
