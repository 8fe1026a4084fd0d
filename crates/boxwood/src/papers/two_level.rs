//! The work-efficient matching algorithm of Levien 2022, section 8.

use boxwood_cpu::Bic;
use boxwood_shaders::{Shader, papers as shaders};

use crate::core::WORKGROUP_SIZE;
use crate::core::schedule::{BufferLayout, Grid, Per, Stage, StageName, Step};
use crate::tree::MATCHES;

/// The entries per workgroup for a number of entries per invocation.
pub(crate) const fn partition_length(entries: u32) -> u32 {
    entries * WORKGROUP_SIZE
}

pub(crate) static STAGE_2: Stage = stage(&STEPS_2);
pub(crate) static STAGE_4: Stage = stage(&STEPS_4);
pub(crate) static STAGE_8: Stage = stage(&STEPS_8);

static STEPS_2: [Step; 2] =
    steps(&shaders::MATCHER_WORK_EFFICIENT_REDUCE_2, &shaders::MATCHER_WORK_EFFICIENT_FINISH_2);
static STEPS_4: [Step; 2] =
    steps(&shaders::MATCHER_WORK_EFFICIENT_REDUCE_4, &shaders::MATCHER_WORK_EFFICIENT_FINISH_4);
static STEPS_8: [Step; 2] =
    steps(&shaders::MATCHER_WORK_EFFICIENT_REDUCE_8, &shaders::MATCHER_WORK_EFFICIENT_FINISH_8);

const fn steps(reduce: &'static Shader, finish: &'static Shader) -> [Step; 2] {
    [Step::once(reduce, Grid::Partitions), Step::once(finish, Grid::Partitions)]
}

const fn stage(steps: &'static [Step]) -> Stage {
    Stage { name: StageName::Match, steps, buffers: &BUFFERS }
}

static BUFFERS: [BufferLayout; 3] = [
    BufferLayout::of::<Bic>("partition_bics", Per::Partition),
    BufferLayout::of::<u32>("slices", Per::Node),
    MATCHES,
];
