//! Stage *clip*: the clip box of every node, then the clipped box of every leaf.
//!
//! Levien 2022, sections 6.1 and 9: intersections along the stack slices, pointer jumping inside a partition. Depth has
//! no bound of its own. Specification: `boxwood_cpu::clip_nodes` and `boxwood_cpu::clip_leaves`.

use boxwood_layout::Aabb;
use boxwood_shaders::SHADERS;

use super::{BufferLayout, Grid, Per, Stage, Step};

const fn boxes(name: &'static str, per: Per) -> BufferLayout {
    BufferLayout { name, per, stride: size_of::<Aabb>() }
}

/// What encloses a partition is scanned over all partitions before it.
pub static SIMPLE: Stage = Stage {
    name: "clip",
    steps: &[
        Step::once(&SHADERS.clip_reduce, Grid::Partitions),
        Step::once(&SHADERS.clip_leaf, Grid::Partitions),
        Step::once(&SHADERS.clip_elements, Grid::Elements),
    ],
    buffers: &[
        boxes("slice_boxes", Per::Node),
        boxes("clip_boxes", Per::Node),
        boxes("run_boxes", Per::Node),
        boxes("clipped_boxes", Per::Element),
    ],
};
