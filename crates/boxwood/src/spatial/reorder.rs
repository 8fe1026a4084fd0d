//! Stage *reorder*: an order of queries in which neighbours are close to each other.
//!
//! Specification: `boxwood_cpu::specification::spatial::{query_keys, reorder, packets}`.

use boxwood_cpu::Aabb;
use boxwood_cpu::specification::spatial::PACKET_LENGTH;
use boxwood_shaders::ShaderWith;
use boxwood_shaders::spatial::{
    self as shaders, ReorderKeys, ReorderLengths, ReorderPacketCounts, ReorderPackets, ReorderRuns,
    ReorderUnpack,
};
use bytemuck::{Pod, Zeroable};

use super::count::{Count, CountSlot, Counted, Items};
use super::error::SpatialError;
use super::expand::OUTPUTS_PER_PARTITION;
use super::scan::{Scan, Sums};
use super::select::{Predicate, Select, Selected};
use super::sort::{Sort, Sorted};
use super::stage::{Stage, stage_methods};
use crate::core::context::Context;
use crate::core::limits::WORKGROUP_SIZE;
use crate::core::plan::{Plan, Slot};

/// The number of bits of a key, as in `reorder_keys.wgsl`.
const KEY_BITS: u32 = 16;

/// The parameters of a dispatch. `reorder_config.wgsl` has the same layout.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct ReorderConfig {
    /// The maximum number of items, which are queries, runs, or keys.
    pub capacity: u32,
    /// The word of the buffer of the number of these items.
    pub count_word: u32,
    /// The word of the buffer of the number of queries.
    pub query_count_word: u32,
    /// The size of a uniform is a multiple of 16 bytes.
    pub padding: u32,
}

/// The stage with its buffers. Create it once per size. It takes up to 56 bytes per query.
///
/// Queries of a workgroup that are close to each other visit the same nodes of a tree, so that
/// walks of scattered queries are faster in this order. The order itself takes time: measure both.
/// Runs of queries with equal keys are sorted as one item, so that this is cheap for queries
/// that are mostly in order already.
#[derive(Debug)]
pub struct Reorder {
    stage: Stage,
    runs: Runs,
    permutation: Slot,
    reordered: Slot,
}

/// Runs of queries with equal keys, in a plan.
#[derive(Clone, Copy, Debug)]
struct Runs {
    starts: Selected,
    /// The keys of the runs in ascending order, and their indices.
    sorted: Sorted,
    /// The sums of their lengths in this order.
    sums: Sums,
}

impl Reorder {
    /// Allocates and binds the buffers for queries that are points (x, y), `array<vec4<f32>>`. The
    /// other two components are not used.
    ///
    /// `bounds` is the rectangle in which most queries are, one `vec4<f32>`. For a tree, these are
    /// its [bounds](super::Index::bounds).
    ///
    /// # Errors
    ///
    /// [`SpatialError::TooLarge`] if a buffer of the caller has no room for its items, or a result
    /// is larger than a storage binding of the device.
    pub fn points(
        context: &Context,
        queries: Items<'_>,
        bounds: &wgpu::Buffer,
    ) -> Result<Self, SpatialError> {
        Self::made(context, queries, bounds, &shaders::REORDER_KEYS_POINTS)
    }

    /// Allocates and binds the buffers for queries that are rectangles (x0, y0, x1, y1),
    /// `array<vec4<f32>>`. `bounds` is the same as for [`points`](Self::points).
    ///
    /// # Errors
    ///
    /// The same as for [`points`](Self::points).
    pub fn rectangles(
        context: &Context,
        queries: Items<'_>,
        bounds: &wgpu::Buffer,
    ) -> Result<Self, SpatialError> {
        Self::made(context, queries, bounds, &shaders::REORDER_KEYS)
    }

    fn made(
        context: &Context,
        queries: Items<'_>,
        bounds: &wgpu::Buffer,
        keys_shader: &'static ShaderWith<ReorderKeys>,
    ) -> Result<Self, SpatialError> {
        let mut plan = Plan::new("boxwood.spatial", ());
        let Counted { items: queries, count } = queries.add_to::<Aabb>(context, &mut plan, "queries")?;
        let bounds = plan.given::<Aabb>("bounds", bounds, 1_u32);
        let capacity = count.capacity;
        let [keys, run_keys, lengths, permutation] =
            ["keys", "run_keys", "lengths", "permutation"].map(|name| plan.buffer::<u32>(name, capacity));
        let reordered = plan.buffer::<Aabb>("reordered", capacity);
        plan.begin("boxwood.reorder");
        let config = plan_config(&mut plan, count, count.word);
        let find_keys = ReorderKeys { config, item_counts: count.buffer, queries, bounds, keys };
        plan.dispatch_with(keys_shader, find_keys, capacity.div_ceil(WORKGROUP_SIZE));

        // Runs are sorted as one item. There are at most as many as queries.
        let run_starts = Select::plan(&mut plan, Predicate::RunStarts, count.of(keys), None);
        let run_count = run_starts.n_selected(capacity);
        let config = plan_config(&mut plan, run_count, count.word);
        let (item_counts, starts) = (run_count.buffer, run_starts.selected);
        let runs = ReorderRuns { config, item_counts, keys, starts, run_keys };
        plan.dispatch(runs, capacity.div_ceil(WORKGROUP_SIZE));
        let sorted = Sort::plan(&mut plan, run_count.of(run_keys), None, KEY_BITS);
        let run_order = sorted.values;
        let measure =
            ReorderLengths { config, item_counts, query_counts: count.buffer, starts, run_order, lengths };
        plan.dispatch(measure, capacity.div_ceil(WORKGROUP_SIZE));
        let sums = Scan::plan(&mut plan, run_count.of(lengths));
        let unpack = ReorderUnpack {
            config,
            item_counts,
            sums: sums.sums,
            starts,
            run_order,
            queries,
            permutation,
            reordered,
        };
        plan.dispatch(unpack, capacity.div_ceil(OUTPUTS_PER_PARTITION));
        plan.end();
        let runs = Runs { starts: run_starts, sorted, sums };
        Ok(Self { stage: Stage::new(context, plan, count)?, runs, permutation, reordered })
    }

    stage_methods!("queries");

    /// Out: the index of each query in the new order, `array<u32>`. What is found for place i of
    /// the new order is the answer to query `permutation[i]`.
    pub fn permutation(&self) -> &wgpu::Buffer {
        &self.stage[self.permutation]
    }

    /// Out: the queries in the new order, `array<vec4<f32>>`.
    pub fn reordered(&self) -> &wgpu::Buffer {
        &self.stage[self.reordered]
    }
}

/// Adds the parameters of a dispatch over these items.
fn plan_config(plan: &mut Plan<u32>, items: CountSlot, query_count_word: u32) -> Slot {
    let CountSlot { word: count_word, capacity, .. } = items;
    plan.uniform("reorder_config", &ReorderConfig { capacity, count_word, query_count_word, padding: 0 })
}

/// The packets of reordered queries, with their buffers: ranges of up to 256 queries with equal
/// keys, in the new order. Create it once per size. It takes up to 24 bytes per query, and less for
/// more than 65,536.
///
/// The queries of a packet are in the same cell of a grid of 256 by 256. So a shader with a
/// workgroup per packet can load what they have in common once.
#[derive(Debug)]
pub struct Packets {
    stage: Stage,
    sums: Sums,
    packets: Slot,
}

impl Packets {
    /// Allocates and binds the buffers for the queries of `reorder`.
    ///
    /// # Errors
    ///
    /// [`SpatialError::TooLarge`] if a result is larger than a storage binding of `device`.
    pub fn new(context: &Context, reorder: &Reorder) -> Result<Self, SpatialError> {
        let mut plan = Plan::new("boxwood.spatial", ());
        let Reorder { stage, runs, .. } = reorder;
        let capacity = stage.count.capacity;
        let run_count = stage.count_in(runs.starts.n_selected(capacity));
        let run_count = run_count.add_to(context, &mut plan, capacity)?;
        let run_keys = plan.given::<u32>("run_keys", &stage[runs.sorted.keys], capacity);
        let query_sums = plan.given::<u32>("query_sums", &stage[runs.sums.sums], u64::from(capacity) + 1);
        let n_queries = plan.given::<u32>("n_queries", &stage[runs.sums.total], 1_u32);
        plan.begin("boxwood.reorder_packets");
        let key_starts = Select::plan(&mut plan, Predicate::RunStarts, run_count.of(run_keys), None);
        let keys = key_starts.n_selected(capacity.min(1 << KEY_BITS));
        let config = plan_config(&mut plan, keys, 0);
        let (item_counts, packet_capacity) = (keys.buffer, max_packets(capacity));
        let key_ranges = plan.buffer::<[u32; 2]>("key_ranges", keys.capacity);
        let n_packets = plan.buffer::<u32>("n_packets", keys.capacity);
        let packets = plan.buffer::<[u32; 2]>("packets", packet_capacity);
        let key_starts = key_starts.selected;
        let counts = ReorderPacketCounts {
            config,
            item_counts,
            key_starts,
            query_sums,
            n_queries,
            key_ranges,
            n_packets,
        };
        plan.dispatch(counts, keys.capacity.div_ceil(WORKGROUP_SIZE));
        let sums = Scan::plan(&mut plan, keys.of(n_packets));
        let list = ReorderPackets { config, item_counts, sums: sums.sums, key_ranges, packets };
        plan.dispatch(list, packet_capacity.div_ceil(OUTPUTS_PER_PARTITION));
        plan.end();
        Ok(Self { stage: Stage::new(context, plan, run_count)?, sums, packets })
    }

    /// Records the stage into a compute pass, after the [`Reorder`] that it was made with. This
    /// does not submit or wait.
    pub fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.stage.program.record(pass);
    }

    /// Out: the first place of each packet in the new order, and the place after its last,
    /// `array<vec2<u32>>`. There is room for all packets.
    pub fn packets(&self) -> &wgpu::Buffer {
        &self.stage[self.packets]
    }

    /// Out: the number of packets, for the stage after this one.
    pub fn n_packets(&self) -> Count<'_> {
        Count::Gpu { buffer: &self.stage[self.sums.total], word: 0 }
    }
}

/// The maximum number of packets of this many queries: each key has at most one that is not full.
fn max_packets(n: u32) -> u32 {
    let packet_length = u32::try_from(PACKET_LENGTH).expect("it is small");
    n.min((1 << KEY_BITS) + n / packet_length)
}
