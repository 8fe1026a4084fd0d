//! Stage *union*: the group box of every node, at its begin and at its end.
//!
//! Levien 2022, sections 6.2 and 9: what lies in a node is a range of the node stream. Specification:
//! `boxwood_cpu::union_groups`.

use boxwood_layout::Aabb;
use boxwood_shaders::SHADERS;

use super::{BufferLayout, Grid, Per, Stage, Step};

const fn boxes(name: &'static str, per: Per) -> BufferLayout {
    BufferLayout { name, per, stride: size_of::<Aabb>() }
}

/// Each workgroup has a tree over all partitions of its own.
pub static SIMPLE: Stage = Stage {
    name: "union",
    steps: &[
        Step::once(&SHADERS.union_reduce, Grid::Partitions),
        Step::once(&SHADERS.union_leaf, Grid::Partitions),
    ],
    buffers: &[boxes("suffix_boxes", Per::Node), boxes("group_boxes", Per::Node)],
};
