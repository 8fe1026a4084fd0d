//! Matching in a single pass with decoupled look-back, after Levien 2021, "The stack monoid
//! revisited".

use boxwood_shaders::papers::{MatcherLookBack, MatcherLookBackClear};

use super::bits::Bits;
use crate::core::WORKGROUP_SIZE;
use crate::core::grid::{Grid, Per};
use crate::core::plan::Plan;

/// The number of entries in a partition: one word of 32 per invocation.
pub(super) const PARTITION_LENGTH: u32 = 32 * WORKGROUP_SIZE;

/// Adds the dispatches.
pub(super) fn plan(plan: &mut Plan<Grid>, Bits { config, begin_bits, matches }: Bits) {
    let aggregates = plan.per::<u32>(Per::Partition, "aggregates");
    let back_links = plan.per::<u32>(Per::Partition, "back_links");
    let stacks = plan.per::<u32>(Per::Entry, "stacks");
    plan.dispatch(MatcherLookBackClear { config, aggregates, back_links }, Grid::Groups);
    let matching = MatcherLookBack { config, begin_bits, aggregates, back_links, stacks, matches };
    plan.dispatch(matching, Grid::Partitions);
}
