//! The simple algorithm of Levien 2022, section 7.

use boxwood_layout::{Bic, WORKGROUP_SIZE};
use boxwood_shaders::SHADERS;

use super::MATCHES;
use crate::stage::{BufferLayout, Grid, Per, Stage, Step};

/// One entry an invocation.
pub(super) const PARTITION_LENGTH: u32 = WORKGROUP_SIZE;

pub(super) static STAGE: Stage = Stage {
    name: "match.simple",
    steps: &[
        Step::once(&SHADERS.matcher_simple_reduce, Grid::Partitions),
        Step::once(&SHADERS.matcher_simple_leaf, Grid::Partitions),
    ],
    buffers: &[
        BufferLayout { name: "partition_bics", per: Per::Partition, stride: size_of::<Bic>() },
        BufferLayout { name: "slices", per: Per::Node, stride: 4 },
        MATCHES,
    ],
};
