//! The work-efficient algorithm of Levien 2022, section 8.

use boxwood_layout::{Bic, WORKGROUP_SIZE};
use boxwood_shaders::SHADERS;

use super::MATCHES;
use crate::stage::{BufferLayout, Grid, Per, Stage, Step};

/// How many entries a workgroup takes, with so many an invocation.
pub(super) const fn partition_length(elements: u32) -> u32 {
    elements * WORKGROUP_SIZE
}

pub(super) static STAGE_2: Stage = Stage {
    name: "match.work_efficient_2",
    steps: &[
        Step::once(&SHADERS.matcher_work_efficient_reduce_2, Grid::Partitions),
        Step::once(&SHADERS.matcher_work_efficient_leaf_2, Grid::Partitions),
    ],
    buffers: &BUFFERS,
};

pub(super) static STAGE_4: Stage = Stage {
    name: "match.work_efficient_4",
    steps: &[
        Step::once(&SHADERS.matcher_work_efficient_reduce_4, Grid::Partitions),
        Step::once(&SHADERS.matcher_work_efficient_leaf_4, Grid::Partitions),
    ],
    buffers: &BUFFERS,
};

pub(super) static STAGE_8: Stage = Stage {
    name: "match.work_efficient_8",
    steps: &[
        Step::once(&SHADERS.matcher_work_efficient_reduce_8, Grid::Partitions),
        Step::once(&SHADERS.matcher_work_efficient_leaf_8, Grid::Partitions),
    ],
    buffers: &BUFFERS,
};

static BUFFERS: [BufferLayout; 3] = [
    BufferLayout { name: "partition_bics", per: Per::Partition, stride: size_of::<Bic>() },
    BufferLayout { name: "slices", per: Per::Node, stride: 4 },
    MATCHES,
];
