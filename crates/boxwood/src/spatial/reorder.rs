//! Stage *reorder*: an order of queries in which neighbours are close to each other.
//!
//! Specification: `boxwood_cpu::specification::spatial::{query_keys, reorder}`.

use boxwood_cpu::Aabb;
use boxwood_shaders::{Shader, spatial as shaders};
use bytemuck::{Pod, Zeroable};

use super::SpatialError;
use super::check::check_input;
use super::count::{CountBuffer, Items};
use super::expand::OUTPUTS_PER_PARTITION;
use super::result::{no_buffer, result_buffer};
use super::scan::Scan;
use super::select::{Predicate, Select};
use super::sort::Sort;
use crate::core::context::Context;
use crate::core::kernel::BoundKernel;
use crate::core::limits::{WORKGROUP_SIZE, max_binding_size};
use crate::core::program::{one_binding, uniform};

/// The number of bits of a key, as in `reorder_keys.wgsl`.
pub(super) const KEY_BITS: u32 = 16;

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
    pub(super) count: CountBuffer,
    keys: (BoundKernel, u32),
    pub(super) select: Select,
    runs: (BoundKernel, u32),
    pub(super) sort: Sort,
    lengths: (BoundKernel, u32),
    pub(super) scan: Scan,
    unpack: (BoundKernel, u32),
    permutation: wgpu::Buffer,
    reordered: wgpu::Buffer,
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
        keys_shader: &'static Shader,
    ) -> Result<Self, SpatialError> {
        let device = context.device();
        let capacity = queries.capacity;
        let binding = max_binding_size(&device.limits());
        queries.check::<Aabb>("queries", binding)?;
        check_input::<Aabb>("bounds", bounds, 1, binding)?;
        let count = queries.count_buffer(device)?;
        let create = |name: &'static str, words: u64| result_buffer::<u32>(device, name, words);
        let words = u64::from(capacity);
        let of_queries = |name: &'static str| create(name, words);
        let [keys, run_keys, lengths, permutation] = [
            of_queries("keys")?,
            of_queries("run_keys")?,
            of_queries("lengths")?,
            of_queries("permutation")?,
        ];
        let reordered = create("reordered", 4 * words)?;
        let select = Select::new(context, Predicate::RunStarts, count.items(&keys))?;
        // There are at most as many runs as queries.
        let runs = CountBuffer::new(device, select.n_selected(), capacity)?;
        let sort = Sort::new(context, runs.items(&run_keys), None, KEY_BITS)?;
        let scan = Scan::new(context, runs.items(&lengths))?;

        let config_of = |items: &CountBuffer| {
            let config =
                ReorderConfig { capacity, count_word: items.word, query_count_word: count.word, padding: 0 };
            uniform(device, "boxwood.spatial.reorder_config", &config)
        };
        let (query_config, run_config) = (config_of(&count), config_of(&runs));
        let bind = |shader: &'static Shader, items_per_workgroup: u32| {
            let is_of_queries = std::ptr::eq(shader, keys_shader);
            let buffer = |variable: &str| match variable {
                "config" if is_of_queries => &query_config,
                "config" => &run_config,
                "item_counts" if is_of_queries => &count.buffer,
                "item_counts" => &runs.buffer,
                "query_counts" => &count.buffer,
                "queries" => queries.buffer,
                "bounds" => bounds,
                "keys" => &keys,
                "starts" => select.selected(),
                "run_keys" => &run_keys,
                "run_order" => sort.sorted_values(),
                "lengths" => &lengths,
                "sums" => scan.sums(),
                "permutation" => &permutation,
                "reordered" => &reordered,
                other => no_buffer(other),
            };
            let kernel = context.kernel(shader);
            let kernel = kernel.bind_parts(device, |name| one_binding(buffer(name), binding));
            (kernel, capacity.div_ceil(items_per_workgroup))
        };
        Ok(Self {
            keys: bind(keys_shader, WORKGROUP_SIZE),
            runs: bind(&shaders::REORDER_RUNS, WORKGROUP_SIZE),
            lengths: bind(&shaders::REORDER_LENGTHS, WORKGROUP_SIZE),
            unpack: bind(&shaders::REORDER_UNPACK, OUTPUTS_PER_PARTITION),
            count,
            select,
            sort,
            scan,
            permutation,
            reordered,
        })
    }

    /// Sets the number of queries.
    ///
    /// # Errors
    ///
    /// - [`SpatialError::AboveCapacity`] if it exceeds the capacity.
    /// - [`SpatialError::CountOfCaller`] if it is in a buffer of the caller.
    pub fn set_count(&self, queue: &wgpu::Queue, n: u32) -> Result<(), SpatialError> {
        self.count.set(queue, n)
    }

    /// Records the stage into a compute pass. This does not submit or wait.
    pub fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        let record = |(kernel, n): &(BoundKernel, u32), pass: &mut _| kernel.record(pass, *n);
        pass.push_debug_group("boxwood.reorder");
        record(&self.keys, pass);
        self.select.record(pass);
        record(&self.runs, pass);
        self.sort.record(pass);
        record(&self.lengths, pass);
        self.scan.record(pass);
        record(&self.unpack, pass);
        pass.pop_debug_group();
    }

    /// Out: the index of each query in the new order, `array<u32>`. What is found for place i of
    /// the new order is the answer to query `permutation[i]`.
    pub fn permutation(&self) -> &wgpu::Buffer {
        &self.permutation
    }

    /// Out: the queries in the new order, `array<vec4<f32>>`.
    pub fn reordered(&self) -> &wgpu::Buffer {
        &self.reordered
    }
}
