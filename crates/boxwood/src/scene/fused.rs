//! Stage *fused*: links, clip boxes, clipped boxes, and group boxes together, by dispatches over
//! partitions of 1024 elements.
//!
//! `fused_reduce` summarises each partition. `fused_before*` finds the stack of open begins before
//! each partition. `fused_resolve` computes the results inside each partition. `fused_stitch*`
//! completes the nodes that cross partitions. Specification:
//! `boxwood_cpu::specification::tree::link_entries`,
//! `boxwood_cpu::specification::scene::clip_entries`, `clip_leaves`, and `union_groups`.

use boxwood_cpu::{Aabb, Bic};
use boxwood_shaders::scene::{
    FusedBefore, FusedBeforeChunked, FusedBeforeClipped, FusedBeforeTwoLevel, FusedBeforeTwoLevelClipped,
    FusedClip, FusedEnclosing, FusedEnclosingChunked, FusedEnclosingJump, FusedEnclosingSourcesChunked,
    FusedReduce, FusedReduceClipped, FusedResolve, FusedResolveChunked, FusedStitch,
    FusedStitchBeginsChunked, FusedStitchEndsChunked, FusedStitchFrontsChunked, FusedStitchTwoLevel,
    FusedTree, FusedTreeTop,
};
use boxwood_shaders::sizes;

use super::slots::{Inputs, NodeStream, Outcome, Results, Stacks};
use crate::core::grid::{Grid, Per};
use crate::core::plan::{ChunkAxis, Plan, Slot};
use crate::core::spine::{self, Spine};

/// The buffers of the partitions.
#[derive(Clone, Copy)]
struct Partitions {
    summaries: Slot,
    crossings: Slot,
    partition_bics: Slot,
    slice_boxes: Slot,
}

impl Partitions {
    fn plan(plan: &mut Plan<Grid>) -> Self {
        Self {
            summaries: plan.per_of_stride(Per::Partition, "summaries", sizes::PARTITION_SUMMARY),
            crossings: plan.per_of_stride(Per::Partition, "crossings", sizes::PARTITION_CROSSINGS),
            partition_bics: plan.per::<Bic>(Per::Partition, "partition_bics"),
            slice_boxes: plan.per::<Aabb>(Per::Slot, "slice_boxes"),
        }
    }
}

/// Adds the stage in two levels: a workgroup sees all partitions, up to four per invocation.
pub(super) fn two_level(plan: &mut Plan<Grid>, inputs: Inputs, stream: NodeStream) -> Outcome {
    let own @ Partitions { summaries, crossings, partition_bics, slice_boxes } = Partitions::plan(plan);
    let results @ Results { links, group_boxes, .. } = Results::plan(plan);
    let union_tree = plan.per::<Aabb>(Per::TreeNode, "union_tree");
    let config = inputs.config;
    plan.begin("boxwood.fused");
    reduce(plan, inputs, stream, own);
    let before =
        FusedBeforeTwoLevel { config, summaries, slice_boxes, crossings, group_boxes, partition_bics };
    plan.dispatch(before, Grid::Partitions);
    resolve(plan, inputs, own, results, union_tree);
    let entries = stream.entries;
    let stitch = FusedStitchTwoLevel {
        config,
        summaries,
        crossings,
        group_boxes,
        entries,
        links,
        partition_bics,
        union_tree,
    };
    plan.dispatch(stitch, Grid::SeveralPartitions);
    plan.end();
    Outcome::of(stream, results)
}

/// Adds the stage in as many levels as the scene needs, for scenes whose arrays each fit in a
/// storage binding.
///
/// A begin is found by its depth, with a tree of minimum depths over the partitions. The nodes that
/// enclose a partition below its slice are the slice of another partition and the nodes that
/// enclose that one: a forest over the partitions, which pointer jumping resolves.
pub(super) fn hierarchical(plan: &mut Plan<Grid>, inputs: Inputs, stream: NodeStream) -> Outcome {
    let own @ Partitions { summaries, crossings, partition_bics, slice_boxes } = Partitions::plan(plan);
    let results @ Results { links, group_boxes, .. } = Results::plan(plan);
    let union_tree = plan.per::<Aabb>(Per::TreeNode, "union_tree");
    let config = inputs.config;
    plan.begin("boxwood.fused");
    reduce(plan, inputs, stream, own);
    let Spine { depths: partition_depths, depth_tree } = spine::plan(plan, config, partition_bics);
    let enclosing = enclosing(plan, config, partition_depths, depth_tree, slice_boxes);
    let before = FusedBefore {
        config,
        summaries,
        slice_boxes,
        crossings,
        // The stack before a partition is kept where the group boxes of its entries will be.
        group_boxes,
        partition_depths,
        enclosing,
        depth_tree,
    };
    plan.dispatch(before, Grid::Partitions);
    resolve(plan, inputs, own, results, union_tree);
    tree(plan, config, union_tree);
    let entries = stream.entries;
    let stitch = FusedStitch {
        config,
        summaries,
        crossings,
        group_boxes,
        entries,
        links,
        partition_depths,
        depth_tree,
        union_tree,
    };
    plan.dispatch(stitch, Grid::SeveralPartitions);
    plan.end();
    Outcome::of(stream, results)
}

/// Adds the stage for the clipped boxes alone, in two levels or in as many as the scene needs.
pub(super) fn clipped(plan: &mut Plan<Grid>, inputs: Inputs, is_two_level: bool) -> Outcome {
    let Partitions { summaries, crossings, partition_bics, slice_boxes } = Partitions::plan(plan);
    let clipped_boxes = plan.per::<Aabb>(Per::Element, "clipped_boxes");
    let Inputs { config, draw_tags, element_boxes } = inputs;
    plan.begin("boxwood.fused");
    let reduce =
        FusedReduceClipped { config, draw_tags, element_boxes, summaries, slice_boxes, partition_bics };
    plan.dispatch(reduce, Grid::Partitions);
    if is_two_level {
        let before = FusedBeforeTwoLevelClipped {
            config,
            summaries,
            slice_boxes,
            crossings,
            clipped_boxes,
            partition_bics,
        };
        plan.dispatch(before, Grid::Partitions);
    } else {
        let Spine { depths: partition_depths, depth_tree } = spine::plan(plan, config, partition_bics);
        let enclosing = enclosing(plan, config, partition_depths, depth_tree, slice_boxes);
        let before = FusedBeforeClipped {
            config,
            summaries,
            slice_boxes,
            crossings,
            clipped_boxes,
            partition_depths,
            enclosing,
            depth_tree,
        };
        plan.dispatch(before, Grid::Partitions);
    }
    plan.dispatch(FusedClip { config, summaries, element_boxes, crossings, clipped_boxes }, Grid::Partitions);
    plan.end();
    Outcome { clipped_boxes, of_entries: None, stacks: Some(Stacks { summaries, crossings }) }
}

/// Adds the stages of [`hierarchical`] for arrays that are larger than a storage binding. Each
/// array must fit in a buffer.
///
/// Arrays that are not in use at the time provide working memory of one box per element: the
/// clipped boxes for the stack before a partition, and the slice boxes for the fronts of nodes that
/// end in a partition and begin in another.
pub(super) fn chunked(plan: &mut Plan<Grid>, inputs: Inputs, stream: NodeStream, chunk: Slot) -> Outcome {
    let own = |slot: Slot| slot.along(ChunkAxis::Partitions);
    let source = |slot: Slot| slot.along(ChunkAxis::Sources);
    let entry = |slot: Slot| slot.along(ChunkAxis::Entries);
    let Partitions { summaries, crossings, partition_bics, slice_boxes } = Partitions::plan(plan);
    let results @ Results { links, clip_boxes, clipped_boxes, group_boxes } = Results::plan(plan);
    let union_tree = plan.per::<Aabb>(Per::TreeNode, "union_tree");
    let Inputs { config, draw_tags, element_boxes } = inputs;
    let NodeStream { partition_entries, entries, .. } = stream;
    plan.begin("boxwood.fused");
    let reduce = FusedReduce {
        config: own(config),
        draw_tags: own(draw_tags),
        element_boxes: own(element_boxes),
        partition_entries: own(partition_entries),
        summaries: own(summaries),
        slice_boxes: own(slice_boxes),
        partition_bics: own(partition_bics),
    };
    plan.dispatch(reduce, Grid::Partitions);
    let Spine { depths: partition_depths, depth_tree } = spine::plan(plan, config, partition_bics);
    let [enclosing, other] = enclosing_buffers(plan);
    let sources = FusedEnclosingSourcesChunked {
        config,
        partition_depths,
        slice_boxes: source(slice_boxes),
        enclosing,
        chunk,
        depth_tree,
    };
    plan.dispatch(sources, Grid::Groups);
    plan.dispatch(FusedEnclosingChunked { config, enclosing }, Grid::Groups);
    jump(plan, config, [enclosing, other]);
    let before = FusedBeforeChunked {
        config: own(config),
        summaries: source(summaries),
        slice_boxes: source(slice_boxes),
        crossings: own(crossings),
        clipped_boxes: own(clipped_boxes),
        partition_depths,
        enclosing,
        chunk,
        depth_tree,
    };
    plan.dispatch(before, Grid::Partitions);
    let resolve = FusedResolveChunked {
        config: own(config),
        summaries: own(summaries),
        element_boxes: own(element_boxes),
        crossings: own(crossings),
        links: entry(links),
        clip_boxes: entry(clip_boxes),
        clipped_boxes: own(clipped_boxes),
        group_boxes: entry(group_boxes),
        union_tree,
        chunk,
    };
    plan.dispatch(resolve, Grid::Partitions);
    tree(plan, config, union_tree);
    let spine = Spine { depths: partition_depths, depth_tree };
    let partitions = Partitions { summaries, crossings, partition_bics, slice_boxes };
    stitch_chunked(plan, [config, entries, union_tree, chunk], partitions, spine, results);
    plan.end();
    Outcome::of(stream, results)
}

/// Adds the dispatches that complete the group boxes of nodes which cross partitions. A node may
/// begin in one chunk and end in another, so that there are three.
fn stitch_chunked(
    plan: &mut Plan<Grid>,
    [config, entries, union_tree, chunk]: [Slot; 4],
    Partitions { summaries, crossings, slice_boxes, .. }: Partitions,
    Spine { depths: partition_depths, depth_tree }: Spine,
    Results { links, group_boxes, .. }: Results,
) {
    let own = |slot: Slot| slot.along(ChunkAxis::Partitions);
    let entry = |slot: Slot| slot.along(ChunkAxis::Entries);
    let fronts = FusedStitchFrontsChunked {
        config,
        summaries: own(summaries),
        crossings: own(crossings),
        group_boxes: entry(group_boxes),
        slice_boxes: own(slice_boxes),
        partition_depths,
        depth_tree,
        chunk,
        union_tree,
    };
    plan.dispatch(fronts, Grid::Partitions);
    let begins = FusedStitchBeginsChunked {
        config: own(config),
        summaries: own(summaries),
        crossings: own(crossings),
        group_boxes: entry(group_boxes),
        entries: entry(entries),
        slice_boxes: own(slice_boxes),
        links: entry(links),
        chunk,
        union_tree,
    };
    plan.dispatch(begins, Grid::Partitions);
    let ends = FusedStitchEndsChunked {
        config: own(config),
        summaries: own(summaries),
        crossings: own(crossings),
        group_boxes: entry(group_boxes),
        slice_boxes: own(slice_boxes),
        chunk,
    };
    plan.dispatch(ends, Grid::Partitions);
}

fn reduce(plan: &mut Plan<Grid>, inputs: Inputs, stream: NodeStream, own: Partitions) {
    let Inputs { config, draw_tags, element_boxes } = inputs;
    let Partitions { summaries, partition_bics, slice_boxes, .. } = own;
    let partition_entries = stream.partition_entries;
    let reduce = FusedReduce {
        config,
        draw_tags,
        element_boxes,
        partition_entries,
        summaries,
        slice_boxes,
        partition_bics,
    };
    plan.dispatch(reduce, Grid::Partitions);
}

fn resolve(plan: &mut Plan<Grid>, inputs: Inputs, own: Partitions, results: Results, union_tree: Slot) {
    let Inputs { config, element_boxes, .. } = inputs;
    let Partitions { summaries, crossings, .. } = own;
    let Results { links, clip_boxes, clipped_boxes, group_boxes } = results;
    let resolve = FusedResolve {
        config,
        summaries,
        element_boxes,
        crossings,
        links,
        clip_boxes,
        clipped_boxes,
        group_boxes,
        union_tree,
    };
    plan.dispatch(resolve, Grid::Partitions);
}

/// Adds the dispatches that find the nodes that enclose each partition, which they return.
fn enclosing(
    plan: &mut Plan<Grid>,
    config: Slot,
    partition_depths: Slot,
    depth_tree: Slot,
    slice_boxes: Slot,
) -> Slot {
    let [enclosing, other] = enclosing_buffers(plan);
    let in_groups = FusedEnclosing { config, partition_depths, slice_boxes, enclosing, depth_tree };
    plan.dispatch(in_groups, Grid::Groups);
    jump(plan, config, [enclosing, other]);
    enclosing
}

fn enclosing_buffers(plan: &mut Plan<Grid>) -> [Slot; 2] {
    ["enclosing", "other_enclosing"].map(|name| plan.per_of_stride(Per::Partition, name, sizes::ENCLOSING))
}

/// Adds the pointer jumping from group to group.
fn jump(plan: &mut Plan<Grid>, config: Slot, [one, other]: [Slot; 2]) {
    let from_to =
        |enclosing_before, enclosing_after| FusedEnclosingJump { config, enclosing_before, enclosing_after };
    // Rounds run in pairs, so that the result is in the first buffer.
    let rounds = [from_to(one, other), from_to(other, one)];
    plan.dispatch_in_rounds(rounds, Grid::Groups);
}

/// Adds the dispatches that build the tree of unions over the partitions.
fn tree(plan: &mut Plan<Grid>, config: Slot, union_tree: Slot) {
    plan.dispatch(FusedTree { config, union_tree }, Grid::Groups);
    plan.dispatch(FusedTreeTop { config, union_tree }, Grid::Single);
}
