//! The spine: the depths of the partitions, and a tree of their minima.
//!
//! A begin is found by its depth: the tree leads to the last earlier partition that descends to a
//! level.

use boxwood_cpu::Bic;
use boxwood_shaders::core::{SpineFinish, SpineFinishLinked, SpineReduce, SpineTop};
use boxwood_shaders::sizes;

use super::grid::{Grid, Per};
use super::plan::{Plan, Slot};

/// The buffers that the spine writes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spine {
    /// The depth at the start of each partition, and the lowest one in it. With links, also the
    /// partition at which the stack before each partition continues.
    pub(crate) depths: Slot,
    /// A tree of the lowest depths of the partitions.
    pub(crate) depth_tree: Slot,
}

/// Adds the dispatches that scan the bicyclic sums of the partitions.
pub(crate) fn plan(plan: &mut Plan<Grid>, config: Slot, partition_bics: Slot) -> Spine {
    let depths = plan.per_of_stride(Per::Partition, "partition_depths", sizes::PARTITION_DEPTH);
    let (group_starts, depth_tree) = plan_top(plan, config, partition_bics);
    let finish = SpineFinish { config, partition_bics, group_starts, partition_depths: depths, depth_tree };
    plan.dispatch(finish, Grid::Groups);
    Spine { depths, depth_tree }
}

/// The same with links.
#[cfg(feature = "tree")]
pub(crate) fn plan_linked(plan: &mut Plan<Grid>, config: Slot, partition_bics: Slot) -> Spine {
    let depths = plan.per_of_stride(Per::Partition, "linked_depths", sizes::LINKED_DEPTH);
    let (group_starts, depth_tree) = plan_top(plan, config, partition_bics);
    let finish =
        SpineFinishLinked { config, partition_bics, group_starts, linked_depths: depths, depth_tree };
    plan.dispatch(finish, Grid::Groups);
    Spine { depths, depth_tree }
}

/// Adds the dispatches over groups of partitions. Returns the depths at their starts, and the tree.
fn plan_top(plan: &mut Plan<Grid>, config: Slot, partition_bics: Slot) -> (Slot, Slot) {
    let group_bics = plan.per::<Bic>(Per::Group, "group_bics");
    let group_starts = plan.per::<i32>(Per::Group, "group_starts");
    let depth_tree = plan.per::<i32>(Per::TreeNode, "depth_tree");
    plan.dispatch(SpineReduce { config, partition_bics, group_bics }, Grid::Groups);
    plan.dispatch(SpineTop { config, group_bics, group_starts, depth_tree }, Grid::Single);
    (group_starts, depth_tree)
}
