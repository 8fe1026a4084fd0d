//! The stages *link*, *clip*, and *union* one after the other, in two levels: a workgroup sees all
//! partitions.

use boxwood_cpu::{Aabb, Bic};
use boxwood_shaders::papers::{
    ClipElements, ClipFinish, ClipReduce, LinkFinishSimple, UnionFinish, UnionReduce,
};
use boxwood_shaders::tree::LinkReduce;

use super::slots::{Inputs, NodeStream, Outcome, Results};
use crate::core::WORKGROUP_SIZE;
use crate::core::grid::{Grid, Per};
use crate::core::plan::{Plan, Slot};

/// The longest node stream: a workgroup sees one partition per invocation.
///
/// Source: Levien 2022, section 7 ("effective up to a problem size of w²").
pub(super) const MAX_ENTRIES: u32 = WORKGROUP_SIZE * WORKGROUP_SIZE;

/// Adds the three stages.
pub(super) fn plan(plan: &mut Plan<Grid>, inputs: Inputs, stream: NodeStream) -> Outcome {
    let results = Results::plan(plan);
    let partition_bics = plan.per::<Bic>(Per::Partition, "partition_bics");
    let slices = plan.per::<u32>(Per::Entry, "slices");
    let run_boxes = plan.per::<Aabb>(Per::Entry, "run_boxes");
    link(plan, inputs.config, stream, [partition_bics, slices], results);
    clip(plan, inputs, stream, [partition_bics, slices, run_boxes], results);
    union(plan, inputs.config, stream, run_boxes, results);
    Outcome::of(stream, results)
}

/// The simple algorithm of Levien 2022, section 7: a workgroup scans the bicyclic sums of all
/// partitions. Specification: `boxwood_cpu::specification::tree::link_entries`.
fn link(
    plan: &mut Plan<Grid>,
    config: Slot,
    NodeStream { entries, .. }: NodeStream,
    [partition_bics, slices]: [Slot; 2],
    Results { links, .. }: Results,
) {
    plan.begin("boxwood.link");
    plan.dispatch(LinkReduce { config, entries, partition_bics, slices, links }, Grid::Partitions);
    plan.dispatch(LinkFinishSimple { config, entries, partition_bics, slices, links }, Grid::Partitions);
    plan.end();
}

/// Levien 2022, sections 6.1 and 9: intersections along the stack slices, pointer jumping inside a
/// partition. Specification: `boxwood_cpu::specification::scene::clip_entries` and `clip_leaves`.
fn clip(
    plan: &mut Plan<Grid>,
    Inputs { config, draw_tags, element_boxes }: Inputs,
    NodeStream { entries, ranks, .. }: NodeStream,
    [partition_bics, slices, run_boxes]: [Slot; 3],
    Results { links, clip_boxes, clipped_boxes, .. }: Results,
) {
    let slice_boxes = plan.per::<Aabb>(Per::Entry, "slice_boxes");
    plan.begin("boxwood.clip");
    let reduce = ClipReduce { config, entries, element_boxes, partition_bics, slices, slice_boxes };
    plan.dispatch(reduce, Grid::Partitions);
    let finish = ClipFinish {
        config,
        entries,
        element_boxes,
        partition_bics,
        slices,
        slice_boxes,
        links,
        clip_boxes,
        run_boxes,
    };
    plan.dispatch(finish, Grid::Partitions);
    let elements =
        ClipElements { config, draw_tags, element_boxes, ranks, clip_boxes, clipped_boxes, run_boxes };
    plan.dispatch(elements, Grid::Elements);
    plan.end();
}

/// Levien 2022, sections 6.2 and 9: the contents of a node are a range of the node stream.
/// Specification: `boxwood_cpu::specification::scene::union_groups`.
fn union(
    plan: &mut Plan<Grid>,
    config: Slot,
    NodeStream { entries, .. }: NodeStream,
    run_boxes: Slot,
    Results { links, group_boxes, .. }: Results,
) {
    let suffix_boxes = plan.per::<Aabb>(Per::Entry, "suffix_boxes");
    plan.begin("boxwood.union");
    plan.dispatch(UnionReduce { config, run_boxes, suffix_boxes }, Grid::Partitions);
    let finish = UnionFinish { config, entries, links, run_boxes, suffix_boxes, group_boxes };
    plan.dispatch(finish, Grid::Partitions);
    plan.end();
}
