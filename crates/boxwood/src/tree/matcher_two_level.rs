//! The two-level matching algorithms of Levien 2022: section 7 with one entry per invocation, and
//! section 8 with four.

use boxwood_cpu::Bic;
use boxwood_shaders::papers::{
    self as shaders, MatcherSimpleFinish, MatcherWorkEfficientFinish, MatcherWorkEfficientReduce,
};

use super::bits::Bits;
use crate::core::WORKGROUP_SIZE;
use crate::core::grid::{Grid, Per};
use crate::core::plan::Plan;

/// The number of entries in a partition of the simple algorithm.
pub(super) const SIMPLE_LENGTH: u32 = WORKGROUP_SIZE;

/// The number of entries in a partition of the work-efficient algorithm.
pub(super) const WORK_EFFICIENT_LENGTH: u32 = 4 * WORKGROUP_SIZE;

/// The longest input for partitions of this length: a workgroup sees as many partitions as a
/// partition has entries. Source: Levien 2022, section 13 ("limited to inputs of size w²k²").
pub(super) const fn max_entries(partition_length: u32) -> u64 {
    (partition_length as u64).pow(2)
}

/// Adds the dispatches of the simple or the work-efficient algorithm.
pub(super) fn plan(plan: &mut Plan<Grid>, bits: Bits, is_simple: bool) {
    let Bits { config, begin_bits, matches } = bits;
    let partition_bics = plan.per::<Bic>(Per::Partition, "partition_bics");
    let slices = plan.per::<u32>(Per::Entry, "slices");
    let reduce = MatcherWorkEfficientReduce { config, begin_bits, partition_bics, slices };
    if is_simple {
        plan.dispatch_with(&shaders::MATCHER_SIMPLE_REDUCE, reduce, Grid::Partitions);
        let finish = MatcherSimpleFinish { config, begin_bits, partition_bics, slices, matches };
        plan.dispatch(finish, Grid::Partitions);
    } else {
        plan.dispatch_with(&shaders::MATCHER_WORK_EFFICIENT_REDUCE, reduce, Grid::Partitions);
        let finish = MatcherWorkEfficientFinish { config, begin_bits, partition_bics, slices, matches };
        plan.dispatch(finish, Grid::Partitions);
    }
}
