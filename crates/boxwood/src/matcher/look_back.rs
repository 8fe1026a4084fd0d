//! A single pass with decoupled look-back, after Levien 2021, "The stack monoid revisited".

use boxwood_layout::WORKGROUP_SIZE;
use boxwood_shaders::SHADERS;

use super::MATCHES;
use crate::stage::{BufferLayout, Grid, Per, Stage, Step};

/// A word of 32 entries an invocation.
pub(super) const PARTITION_LENGTH: u32 = 32 * WORKGROUP_SIZE;

pub(super) static STAGE: Stage = Stage {
    name: "match.look_back",
    steps: &[
        Step::once(&SHADERS.matcher_look_back_clear, Grid::Groups),
        Step::once(&SHADERS.matcher_look_back, Grid::Partitions),
    ],
    buffers: &[
        BufferLayout { name: "aggregates", per: Per::Partition, stride: 4 },
        BufferLayout { name: "back_links", per: Per::Partition, stride: 4 },
        BufferLayout { name: "stacks", per: Per::Node, stride: 4 },
        MATCHES,
    ],
};
