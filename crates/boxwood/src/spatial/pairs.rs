//! Stage *pairs*: the pairs of boxes that overlap.
//!
//! Specification: `boxwood_cpu::specification::spatial::{pairs, Sweep, StripSweep, tree_pairs}`.

use boxwood_cpu::Aabb;
use boxwood_cpu::specification::spatial::Axis;
#[cfg(feature = "papers")]
use boxwood_shaders::papers::{ClusterSweepCount, ClusterSweepList};
use boxwood_shaders::spatial::{
    self as shaders, PairsCandidates, PairsChoose, PairsEntries, PairsEntryCandidates, PairsEntrySums,
    PairsKeys, PairsStrips, PairsSweepCount, PairsSweepList, PairsTreeCount, PairsTreeList,
};
use bytemuck::{Pod, Zeroable};

use super::check::{MAX_ITEMS, check_items, check_range};
use super::count::{Count, CountSlot, Counted, Items};
use super::error::SpatialError;
use super::expand::OUTPUTS_PER_PARTITION;
use super::index::{Index, NodeSlots, WALKS_PER_WORKGROUP};
use super::query::Source;
use super::scan::{Scan, Sums};
use super::sort::{Sort, Sorted};
use super::stage::{Stage, stage_methods};
use crate::core::context::Context;
use crate::core::limits::WORKGROUP_SIZE;
use crate::core::plan::{Plan, Slot};

/// The number of boxes of a workgroup of `pairs_keys.wgsl`.
const KEYS_PER_WORKGROUP: u32 = 1024;

/// The maximum number of chunks of candidates: enough workgroups for a large GPU.
const MAX_CHUNKS: u64 = 4096;

/// The maximum of [`Strips::lg_strips`]: a pass of a radix sort has 256 digits.
const MAX_LG_STRIPS: u32 = 8;

/// The parameters of the stage. `pairs_config.wgsl` has the same layout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct PairsConfig {
    /// The number of items that the buffers have room for. These are boxes, or entries of strips.
    pub capacity: u32,
    /// The word of the buffer of the count.
    pub count_word: u32,
    /// The number of pairs that the buffers have room for.
    pub output_capacity: u32,
    /// The number of chunks of candidates.
    pub n_chunks: u32,
    /// The number of boxes that the buffers have room for, for strips.
    pub box_capacity: u32,
    /// The word of the buffer of the number of boxes.
    pub box_count_word: u32,
    /// The logarithm of the number of strips.
    pub lg_strips: u32,
    /// The size of a uniform is a multiple of 16 bytes.
    pub padding: u32,
}

/// Strips that a sweep is divided into.
///
/// A box has an entry in each strip that it meets. Boxes that meet no common strip are not compared
/// with each other. So strips are faster for many boxes that are smaller than a strip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strips {
    /// The axis of the sweep. The strips divide the other axis, so that each has about as many
    /// boxes that begin in it.
    pub axis: Axis,
    /// The logarithm of the number of strips to base 2, at most 8.
    pub lg_strips: u32,
    /// The maximum number of entries. 0 is the same as 1.
    pub entry_capacity: u32,
}

/// The stage with its buffers. Create it once per size.
///
/// It takes 8 bytes per pair, and 8 per box with a tree, or up to 76 without. Strips take up to 72
/// per box and 48 per entry.
#[derive(Debug)]
pub struct Pairs {
    stage: Stage,
    pairs: Slot,
    /// The sums of the numbers of pairs.
    sums: Sums,
    entries_needed: Option<Slot>,
}

/// The items of a sweep, in a plan.
#[derive(Clone, Copy)]
pub(crate) struct Swept {
    /// The boxes, or the entries of strips or clusters, in the order of the sweep.
    pub(crate) items: Counted,
    /// The candidates before those of each item, and their total.
    pub(crate) sums: Slot,
    pub(crate) test: CandidateTest,
}

/// How two candidates are tested, which depends on what is known of them.
#[derive(Clone, Copy)]
pub(crate) enum CandidateTest {
    /// They overlap along the axis of the sweep. Their items have their ends along the other axis.
    OtherAxis,
    /// They are in a cluster, and their boxes are in this buffer.
    #[cfg(feature = "papers")]
    Boxes(Slot),
}

impl Pairs {
    /// Allocates and binds the buffers, with room for `output_capacity` pairs.
    ///
    /// - Without a tree, a line sweeps over the boxes along the axis with fewer candidates, which
    ///   are the boxes that overlap along this axis. All candidates are tested. This is faster
    ///   where most candidates are pairs: for large boxes, for those in a row or a column, and for
    ///   a few.
    /// - With a tree, each box is a query. This is faster for many small boxes.
    ///
    /// # Errors
    ///
    /// - [`SpatialError::TooLarge`] if the buffer of the caller has no room for its boxes, or a
    ///   result is larger than a storage binding of the device.
    /// - [`SpatialError::TooManyRounds`] on a software adapter, if the tree is so large that a walk
    ///   could be cut off there.
    pub fn new(context: &Context, source: Source<'_>, output_capacity: u32) -> Result<Self, SpatialError> {
        check_items(output_capacity, MAX_ITEMS)?;
        let mut plan = Plan::new("boxwood.spatial", ());
        plan.begin("boxwood.pairs");
        let (count, pairs, sums) = match source {
            Source::Index(index) => {
                index.check_walk(context.device())?;
                let count = index.add_count_to(context, &mut plan)?;
                let (pairs, sums) = plan_tree(&mut plan, index, count, output_capacity);
                (count, pairs, sums)
            }
            Source::Boxes(boxes) => {
                let boxes = boxes.add_to::<Aabb>(context, &mut plan, "boxes")?;
                let swept = plan_sweep(&mut plan, boxes);
                let (pairs, sums) = plan_pairs(&mut plan, swept, output_capacity);
                (boxes.count, pairs, sums)
            }
        };
        plan.end();
        Ok(Self { stage: Stage::new(context, plan, count)?, pairs, sums, entries_needed: None })
    }

    /// Makes a stage without a tree, whose sweep is divided into strips. `boxes` is an
    /// `array<vec4<f32>>`. There is room for `output_capacity` pairs.
    ///
    /// # Errors
    ///
    /// The same as for [`new`](Self::new), and [`SpatialError::OutOfRange`] if there are too many
    /// strips.
    pub fn with_strips(
        context: &Context,
        boxes: Items<'_>,
        strips: Strips,
        output_capacity: u32,
    ) -> Result<Self, SpatialError> {
        check_items(output_capacity, MAX_ITEMS)?;
        check_range("lg_strips", strips.lg_strips, MAX_LG_STRIPS)?;
        check_items(strips.entry_capacity, MAX_ITEMS)?;
        let mut plan = Plan::new("boxwood.spatial", ());
        plan.begin("boxwood.pairs");
        let boxes = boxes.add_to::<Aabb>(context, &mut plan, "boxes")?;
        let (swept, entries_needed) = plan_strips(&mut plan, boxes, strips);
        let (pairs, sums) = plan_pairs(&mut plan, swept, output_capacity);
        plan.end();
        let stage = Stage::new(context, plan, boxes.count)?;
        Ok(Self { stage, pairs, sums, entries_needed: Some(entries_needed) })
    }

    stage_methods!("boxes, without a tree");

    /// Out: the indices i and j, i < j, of the boxes of each pair, `array<vec2<u32>>`. The pairs
    /// are in the order of [`Sweep::pairs`](boxwood_cpu::specification::spatial::Sweep::pairs) for
    /// the best axis, in that of
    /// [`StripSweep::pairs`](boxwood_cpu::specification::spatial::StripSweep::pairs) with strips,
    /// or in that of [`tree_pairs`](boxwood_cpu::specification::spatial::tree_pairs) with a tree.
    pub fn pairs(&self) -> &wgpu::Buffer {
        &self.stage[self.pairs]
    }

    /// Out: the number of pairs, one `u32`. If it exceeds the capacity, the pairs beyond the
    /// capacity are missing.
    ///
    /// It is `u32::MAX` if it is this or more. Without a tree, it is also `u32::MAX` if there are
    /// so many candidates, or if the entries of strips exceed their capacity. Then all pairs are
    /// missing.
    pub fn needed(&self) -> &wgpu::Buffer {
        &self.stage[self.sums.total]
    }

    /// Out: the number of entries of strips, one `u32`, if there are strips. It is `u32::MAX` if it
    /// is this or more. If it exceeds the capacity, all pairs are missing.
    pub fn entries_needed(&self) -> Option<&wgpu::Buffer> {
        self.entries_needed.map(|slot| &self.stage[slot])
    }

    /// Out: the number of pairs, for the stage after this one. Its capacity must be that of the
    /// pairs or less.
    pub fn n_pairs(&self) -> Count<'_> {
        Count::Gpu { buffer: self.needed(), word: 0 }
    }
}

/// Adds the dispatches that count and list the pairs by a tree. Returns the pairs and the sums of
/// their numbers.
fn plan_tree(plan: &mut Plan<u32>, index: &Index, count: CountSlot, output_capacity: u32) -> (Slot, Sums) {
    let NodeSlots { tree, node_boxes, node_spans } = index.add_to(plan);
    let (capacity, item_counts) = (count.capacity, count.buffer);
    let config = PairsConfig { capacity, count_word: count.word, output_capacity, ..PairsConfig::default() };
    let config = plan.uniform("pairs_config", &config);
    let n_pairs = plan.buffer::<u32>("n_pairs", capacity);
    let pairs = plan.buffer::<[u32; 2]>("pairs", output_capacity);
    let n_workgroups = capacity.div_ceil(WALKS_PER_WORKGROUP);
    let counting = PairsTreeCount { config, item_counts, n_pairs, tree, node_boxes, node_spans };
    plan.dispatch(counting, n_workgroups);
    let sums = Scan::plan(plan, count.of(n_pairs));
    let pair_sums = sums.sums;
    let listing = PairsTreeList { config, item_counts, pair_sums, pairs, tree, node_boxes, node_spans };
    plan.dispatch(listing, n_workgroups);
    (pairs, sums)
}

/// Adds the dispatches that count and list the pairs among the candidates of a sweep, in the same
/// form.
pub(crate) fn plan_pairs(plan: &mut Plan<u32>, swept: Swept, output_capacity: u32) -> (Slot, Sums) {
    let Swept { items: Counted { items: swept, count }, sums, test } = swept;
    let (capacity, item_counts) = (count.capacity, count.buffer);
    let n_chunks = n_chunks(capacity);
    let config =
        PairsConfig { capacity, count_word: count.word, output_capacity, n_chunks, ..PairsConfig::default() };
    let config = plan.uniform("pairs_config", &config);
    let n_pairs = plan.buffer::<u32>("n_pairs", n_chunks);
    let pairs = plan.buffer::<[u32; 2]>("pairs", output_capacity);
    match test {
        CandidateTest::OtherAxis => {
            plan.dispatch(PairsSweepCount { config, item_counts, sums, swept, n_pairs }, n_chunks);
        }
        #[cfg(feature = "papers")]
        CandidateTest::Boxes(boxes) => {
            plan.dispatch(ClusterSweepCount { config, item_counts, sums, swept, n_pairs, boxes }, n_chunks);
        }
    }
    // Every chunk counts, whatever the number of items is.
    let all_chunks = CountSlot::written(plan.filled("n_chunks", &[n_chunks]), 0, n_chunks);
    let n_pairs = Scan::plan(plan, all_chunks.of(n_pairs));
    let pair_sums = n_pairs.sums;
    match test {
        CandidateTest::OtherAxis => {
            plan.dispatch(PairsSweepList { config, item_counts, sums, swept, pair_sums, pairs }, n_chunks);
        }
        #[cfg(feature = "papers")]
        CandidateTest::Boxes(boxes) => {
            let listing = ClusterSweepList { config, item_counts, sums, swept, pair_sums, pairs, boxes };
            plan.dispatch(listing, n_chunks);
        }
    }
    (pairs, n_pairs)
}

/// The number of chunks of the candidates of up to `n` boxes.
fn n_chunks(n: u32) -> u32 {
    let n_candidates = u64::from(n) * u64::from(n.saturating_sub(1)) / 2;
    let n_chunks = n_candidates.div_ceil(OUTPUTS_PER_PARTITION.into()).clamp(1, MAX_CHUNKS);
    u32::try_from(n_chunks).expect("it is clamped")
}

/// Adds the sweeps along both axes up to their candidates, and the choice of the better one.
fn plan_sweep(plan: &mut Plan<u32>, boxes: Counted) -> Swept {
    let Counted { items: boxes, count } = boxes;
    let (capacity, item_counts) = (count.capacity, count.buffer);
    let config = PairsConfig { capacity, count_word: count.word, ..PairsConfig::default() };
    let config = plan.uniform("pairs_config", &config);
    let [x_keys, y_keys] = plan_keys(plan, config, count.of(boxes));
    let mut along = |keys: Slot, axis: Axis| {
        let Sorted { keys, values: order } = Sort::plan(plan, count.of(keys), None, u32::BITS);
        let n_candidates = plan.buffer::<u32>("n_candidates", capacity);
        let shader =
            if axis == Axis::X { &shaders::PAIRS_CANDIDATES } else { &shaders::PAIRS_CANDIDATES_ALONG_Y };
        let candidates = PairsCandidates { config, item_counts, boxes, keys, order, n_candidates };
        plan.dispatch_with(shader, candidates, capacity.div_ceil(WORKGROUP_SIZE));
        (order, Scan::plan(plan, count.of(n_candidates)).sums)
    };
    let (x_order, x_sums) = along(x_keys, Axis::X);
    let (y_order, y_sums) = along(y_keys, Axis::Y);
    // There is one more sum than boxes.
    let sums = plan.buffer::<u32>("sums", capacity + 1);
    let swept = plan.buffer::<[u32; 4]>("swept", capacity);
    let choose = PairsChoose { config, item_counts, boxes, x_order, y_order, x_sums, y_sums, sums, swept };
    plan.dispatch(choose, (capacity + 1).div_ceil(WORKGROUP_SIZE));
    Swept { items: count.of(swept), sums, test: CandidateTest::OtherAxis }
}

/// Adds the dispatch that finds the keys of the begins of the boxes along x and y.
fn plan_keys(plan: &mut Plan<u32>, config: Slot, boxes: Counted) -> [Slot; 2] {
    let Counted { items: boxes, count: CountSlot { buffer: item_counts, capacity, .. } } = boxes;
    let [x_keys, y_keys] = ["x_keys", "y_keys"].map(|name| plan.buffer::<u32>(name, capacity));
    let keys = PairsKeys { config, item_counts, boxes, x_keys, y_keys };
    plan.dispatch(keys, capacity.div_ceil(KEYS_PER_WORKGROUP));
    [x_keys, y_keys]
}

/// Adds the sweep in strips up to its candidates. Returns also the number of entries of all boxes,
/// which can exceed the capacity.
fn plan_strips(plan: &mut Plan<u32>, boxes: Counted, strips: Strips) -> (Swept, Slot) {
    let Counted { items: boxes, count: box_count } = boxes;
    let Strips { axis, lg_strips, entry_capacity } = strips;
    let (box_capacity, entry_capacity) = (box_count.capacity, entry_capacity.max(1));
    let config_of = |plan: &mut Plan<u32>, items: CountSlot| {
        let config = PairsConfig {
            capacity: items.capacity,
            count_word: items.word,
            box_capacity,
            box_count_word: box_count.word,
            lg_strips,
            ..PairsConfig::default()
        };
        plan.uniform("pairs_config", &config)
    };
    // The boxes, sorted along the sweep and across it.
    let config = config_of(plan, box_count);
    let keys = plan_keys(plan, config, box_count.of(boxes));
    let mut sorted_along = |axis: Axis| Sort::plan(plan, box_count.of(keys[axis as usize]), None, u32::BITS);
    let Sorted { keys: begin_keys, values: order } = sorted_along(axis);
    let border_keys = sorted_along(axis.other()).keys;

    // An entry for each strip that a box meets.
    let of_boxes = ["n_entries", "first_strips"].map(|name| plan.buffer::<u32>(name, box_capacity));
    let ([n_entries, first_strips], swept_boxes) =
        (of_boxes, plan.buffer::<[u32; 4]>("swept_boxes", box_capacity));
    let shader = if axis == Axis::X { &shaders::PAIRS_STRIPS } else { &shaders::PAIRS_STRIPS_ALONG_Y };
    let item_counts = box_count.buffer;
    let divide =
        PairsStrips { config, item_counts, boxes, order, border_keys, n_entries, first_strips, swept_boxes };
    plan.dispatch_with(shader, divide, box_capacity.div_ceil(WORKGROUP_SIZE));
    let entry_sums = Scan::plan(plan, box_count.of(n_entries));
    let entry_count = entry_sums.n_total(entry_capacity);
    let config = config_of(plan, entry_count);
    let item_counts = entry_count.buffer;
    let [entry_strips, places, n_candidates] =
        ["entry_strips", "places", "n_candidates"].map(|name| plan.buffer::<u32>(name, entry_capacity));
    let list = PairsEntries {
        config,
        item_counts,
        box_counts: box_count.buffer,
        sums: entry_sums.sums,
        first_strips,
        entry_strips,
        places,
    };
    plan.dispatch(list, entry_capacity.div_ceil(OUTPUTS_PER_PARTITION));

    // The entries strip by strip, and the candidates of each.
    let Sorted { keys: entry_strips, values: places } =
        Sort::plan(plan, entry_count.of(entry_strips), Some(places), lg_strips);
    let n_workgroups = entry_capacity.div_ceil(WORKGROUP_SIZE);
    let candidates = PairsEntryCandidates {
        config,
        item_counts,
        begin_keys,
        swept_boxes,
        entry_strips,
        places,
        n_candidates,
    };
    plan.dispatch(candidates, n_workgroups);
    let sums = Scan::plan(plan, entry_count.of(n_candidates)).sums;
    let swept = plan.buffer::<[u32; 4]>("swept", entry_capacity);
    plan.dispatch(PairsEntrySums { config, item_counts, swept_boxes, places, sums, swept }, n_workgroups);
    let test = CandidateTest::OtherAxis;
    (Swept { items: entry_count.of(swept), sums, test }, entry_sums.total)
}
