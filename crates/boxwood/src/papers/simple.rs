//! The simple matching algorithm of Levien 2022, section 7.

use boxwood_cpu::Bic;
use boxwood_shaders::papers as shaders;

use crate::core::WORKGROUP_SIZE;
use crate::core::schedule::{BufferLayout, Grid, Per, Stage, StageName, Step};
use crate::tree::MATCHES;

/// One entry per invocation.
pub(crate) const PARTITION_LENGTH: u32 = WORKGROUP_SIZE;

pub(crate) static STAGE: Stage = Stage {
    name: StageName::Match,
    steps: &[
        Step::once(&shaders::MATCHER_SIMPLE_REDUCE, Grid::Partitions),
        Step::once(&shaders::MATCHER_SIMPLE_FINISH, Grid::Partitions),
    ],
    buffers: &[
        BufferLayout::of::<Bic>("partition_bics", Per::Partition),
        BufferLayout::of::<u32>("slices", Per::Node),
        MATCHES,
    ],
};
