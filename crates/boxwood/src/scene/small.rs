//! Stage *fused* for small scenes: one element per invocation, 256 per partition, and a workgroup
//! sees all partitions.
//!
//! The time of a small scene is the latency of its dispatches and barriers, so these variants
//! include the compaction. Specification: `boxwood_cpu::specification::boxes`.

use boxwood_cpu::{Aabb, Entry};
use boxwood_shaders::scene::{SmallClip, SmallReduce, SmallResolve, SmallResolveSingle, SmallStitch};
use boxwood_shaders::sizes;

use super::slots::{EntryResults, Inputs, Outcome, Results};
use crate::core::grid::{Grid, Per};
use crate::core::plan::{Plan, Slot};

/// Adds the stage for up to 256 partitions. One partition takes one dispatch.
pub(super) fn plan(plan: &mut Plan<Grid>, inputs: Inputs) -> Outcome {
    let Inputs { config, draw_tags, element_boxes } = inputs;
    let [small_summaries, small_partitions] = summaries(plan);
    let entries = plan.per::<Entry>(Per::Entry, "entries");
    let ranks = plan.per::<[u32; 4]>(Per::ElementQuad, "ranks");
    let Results { links, clip_boxes, clipped_boxes, group_boxes } = Results::plan(plan);
    plan.begin("boxwood.fused");
    let single = SmallResolveSingle {
        config,
        draw_tags,
        element_boxes,
        entries,
        ranks,
        links,
        clip_boxes,
        clipped_boxes,
        group_boxes,
    };
    plan.dispatch(single, Grid::OnlyPartition);
    reduce(plan, inputs, [small_summaries, small_partitions]);
    let resolve = SmallResolve {
        config,
        draw_tags,
        element_boxes,
        small_summaries,
        small_partitions,
        links,
        clip_boxes,
        clipped_boxes,
        group_boxes,
    };
    plan.dispatch(resolve, Grid::SeveralPartitions);
    let stitch =
        SmallStitch { config, small_summaries, small_partitions, entries, ranks, links, group_boxes };
    plan.dispatch(stitch, Grid::SeveralPartitions);
    plan.end();
    let of_entries = EntryResults { entries, ranks, links, clip_boxes, group_boxes };
    Outcome { clipped_boxes, of_entries: Some(of_entries), stacks: None }
}

/// Adds the stage for the clipped boxes alone, for up to 256 partitions.
pub(super) fn clipped(plan: &mut Plan<Grid>, inputs: Inputs) -> Outcome {
    let Inputs { config, draw_tags, element_boxes } = inputs;
    let [small_summaries, small_partitions] = summaries(plan);
    let clipped_boxes = plan.per::<Aabb>(Per::Element, "clipped_boxes");
    plan.begin("boxwood.fused");
    reduce(plan, inputs, [small_summaries, small_partitions]);
    let clip =
        SmallClip { config, draw_tags, element_boxes, small_summaries, small_partitions, clipped_boxes };
    plan.dispatch(clip, Grid::Partitions);
    plan.end();
    Outcome { clipped_boxes, of_entries: None, stacks: None }
}

/// Adds the dispatch that summarises several partitions.
fn reduce(plan: &mut Plan<Grid>, inputs: Inputs, [small_summaries, small_partitions]: [Slot; 2]) {
    let Inputs { config, draw_tags, element_boxes } = inputs;
    let reduce = SmallReduce { config, draw_tags, element_boxes, small_summaries, small_partitions };
    plan.dispatch(reduce, Grid::SeveralPartitions);
}

fn summaries(plan: &mut Plan<Grid>) -> [Slot; 2] {
    [
        plan.per_of_stride(Per::Partition, "small_summaries", sizes::SMALL_SUMMARY),
        plan.per_of_stride(Per::Partition, "small_partitions", sizes::SMALL_PARTITION),
    ]
}
