//! Stage *link*: the parent and the partner of every entry of the node stream, for any length.
//!
//! Partners inside a partition are found by a search of a tree of bicyclic sums. Begins outside of
//! it are found by their depth, with the spine. Specification:
//! `boxwood_cpu::specification::tree::link_entries`.

use boxwood_cpu::{Bic, EntryLink};
use boxwood_shaders::tree::{LinkFinish, LinkReduce};

use crate::core::grid::{Grid, Per};
use crate::core::plan::{Plan, Slot};
use crate::core::spine::{self, Spine};

/// The buffers that the stage writes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub(super) partition_bics: Slot,
    /// The begins that each partition leaves open.
    pub(super) slices: Slot,
    pub(super) links: Slot,
    pub(super) spine: Spine,
}

/// Adds the stage.
pub(super) fn plan(plan: &mut Plan<Grid>, config: Slot, entries: Slot) -> Link {
    let partition_bics = plan.per::<Bic>(Per::Partition, "partition_bics");
    let slices = plan.per::<u32>(Per::Entry, "slices");
    let links = plan.per::<EntryLink>(Per::Entry, "links");
    plan.begin("boxwood.link");
    plan.dispatch(LinkReduce { config, entries, partition_bics, slices, links }, Grid::Partitions);
    let spine @ Spine { depths: partition_depths, depth_tree } = spine::plan(plan, config, partition_bics);
    let finish = LinkFinish { config, entries, partition_bics, partition_depths, slices, links, depth_tree };
    plan.dispatch(finish, Grid::Partitions);
    plan.end();
    Link { partition_bics, slices, links, spine }
}
