//! The two-level matching algorithms of Levien 2022: section 7 with one entry per invocation, and
//! section 8 with 2, 4, or 8.

use boxwood_cpu::Bic;
use boxwood_shaders::{Shader, papers as shaders};

use crate::core::WORKGROUP_SIZE;
use crate::core::matching::{Description, MATCHES};
use crate::core::schedule::{BufferLayout, Dispatch, Grid, Per, Stage, StageName};

pub(crate) static SIMPLE: Description = description("simple", 1, &DISPATCHES_1);
pub(crate) static WORK_EFFICIENT_2: Description = description("work_efficient_2", 2, &DISPATCHES_2);
pub(crate) static WORK_EFFICIENT_4: Description = description("work_efficient_4", 4, &DISPATCHES_4);
pub(crate) static WORK_EFFICIENT_8: Description = description("work_efficient_8", 8, &DISPATCHES_8);

static DISPATCHES_1: [Dispatch; 2] =
    dispatches(&shaders::MATCHER_SIMPLE_REDUCE, &shaders::MATCHER_SIMPLE_FINISH);
static DISPATCHES_2: [Dispatch; 2] =
    dispatches(&shaders::MATCHER_WORK_EFFICIENT_REDUCE_2, &shaders::MATCHER_WORK_EFFICIENT_FINISH_2);
static DISPATCHES_4: [Dispatch; 2] =
    dispatches(&shaders::MATCHER_WORK_EFFICIENT_REDUCE_4, &shaders::MATCHER_WORK_EFFICIENT_FINISH_4);
static DISPATCHES_8: [Dispatch; 2] =
    dispatches(&shaders::MATCHER_WORK_EFFICIENT_REDUCE_8, &shaders::MATCHER_WORK_EFFICIENT_FINISH_8);

static BUFFERS: [BufferLayout; 3] = [
    BufferLayout::of::<Bic>("partition_bics", Per::Partition),
    BufferLayout::of::<u32>("slices", Per::Entry),
    MATCHES,
];

const fn dispatches(reduce: &'static Shader, finish: &'static Shader) -> [Dispatch; 2] {
    [Dispatch::new(reduce, Grid::Partitions), Dispatch::new(finish, Grid::Partitions)]
}

/// The algorithm with this number of entries per invocation.
///
/// A workgroup sees as many partitions as a partition has entries. Source: Levien 2022, section 13
/// ("limited to inputs of size w²k²").
const fn description(name: &'static str, entries: u32, dispatches: &'static [Dispatch]) -> Description {
    let partition_length = entries * WORKGROUP_SIZE;
    let stage = Stage { name: StageName::Match, dispatches, buffers: &BUFFERS };
    Description { name, partition_length, max_entries: (partition_length as u64).pow(2), stage }
}
