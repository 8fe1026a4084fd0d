//! Stage *compact*: the node stream, and the rank of every element in it.
//!
//! A stream compaction by prefix sum and scatter. Each partition of 1024 elements counts its begins
//! and ends, one workgroup scans the counts, and each partition scatters its entries.
//! Specification: `boxwood_cpu::specification::scene::compact`.

use boxwood_cpu::Entry;
use boxwood_shaders::scene::{CompactReduce, CompactScan, CompactScatter, CompactScatterChunked};

use super::slots::{Inputs, NodeStream};
use crate::core::grid::{Grid, Per};
use crate::core::plan::{ChunkAxis, Plan, Slot};

/// Adds the stage.
pub(super) fn plan(plan: &mut Plan<Grid>, inputs: Inputs) -> NodeStream {
    let stream @ NodeStream { partition_entries, ranks, entries } = stream(plan);
    let Inputs { config, draw_tags, .. } = inputs;
    plan.begin("boxwood.compact");
    plan.dispatch(CompactReduce { config, draw_tags, partition_entries }, Grid::ElementQuads);
    plan.dispatch(CompactScan { config, partition_entries }, Grid::Single);
    let scatter = CompactScatter { config, draw_tags, partition_entries, ranks, entries };
    plan.dispatch(scatter, Grid::ElementQuads);
    plan.end();
    stream
}

/// Adds the stage for arrays that are larger than a storage binding.
pub(super) fn plan_chunked(plan: &mut Plan<Grid>, inputs: Inputs, chunk: Slot) -> NodeStream {
    let stream @ NodeStream { partition_entries, ranks, entries } = stream(plan);
    let Inputs { config, draw_tags, .. } = inputs;
    let own = |slot: Slot| slot.along(ChunkAxis::Partitions);
    plan.begin("boxwood.compact");
    let reduce = CompactReduce {
        config: own(config),
        draw_tags: own(draw_tags),
        partition_entries: own(partition_entries),
    };
    plan.dispatch(reduce, Grid::ElementQuads);
    plan.dispatch(CompactScan { config, partition_entries }, Grid::Single);
    let scatter = CompactScatterChunked {
        config: own(config),
        draw_tags: own(draw_tags),
        partition_entries: own(partition_entries),
        ranks: own(ranks),
        entries: entries.along(ChunkAxis::Entries),
        chunk,
    };
    plan.dispatch(scatter, Grid::ElementQuads);
    plan.end();
    stream
}

fn stream(plan: &mut Plan<Grid>) -> NodeStream {
    NodeStream {
        // Some shaders read or write four words at a time.
        partition_entries: plan.per::<[u32; 4]>(Per::FourElementPartitions, "partition_entries"),
        ranks: plan.per::<[u32; 4]>(Per::ElementQuad, "ranks"),
        entries: plan.per::<Entry>(Per::Entry, "entries"),
    }
}
