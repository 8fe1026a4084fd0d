//! Stage *clip*: the clip box of every node, then the clipped box of every leaf.
//!
//! Levien 2022, sections 6.1 and 9: intersections along the stack slices, pointer jumping inside a partition. Depth has
//! no bound of its own. Specification: `boxwood_cpu::clip_nodes` and `boxwood_cpu::clip_leaves`.

use boxwood_layout::Aabb;
use boxwood_shaders::SHADERS;

use super::{BufferLayout, Dispatch, Grid, Per, Stage};

/// The stage.
pub static STAGE: Stage = Stage {
    name: "clip",
    dispatches: &[
        Dispatch { shader: &SHADERS.clip_reduce, grid: Grid::Nodes },
        Dispatch { shader: &SHADERS.clip_leaf, grid: Grid::Nodes },
        Dispatch { shader: &SHADERS.clip_elements, grid: Grid::Elements },
    ],
    buffers: &[
        BufferLayout { name: "slice_boxes", per: Per::Node, stride: size_of::<Aabb>() },
        BufferLayout { name: "clip_boxes", per: Per::Node, stride: size_of::<Aabb>() },
        BufferLayout { name: "run_boxes", per: Per::Node, stride: size_of::<Aabb>() },
        BufferLayout { name: "clipped_boxes", per: Per::Element, stride: size_of::<Aabb>() },
    ],
};
