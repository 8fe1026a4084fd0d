//! Stage *pairs*: the pairs of boxes that overlap.
//!
//! Specification: `boxwood_cpu::specification::spatial::{pairs, Sweep, StripSweep, tree_pairs}`.

use boxwood_cpu::Aabb;
use boxwood_shaders::{Shader, spatial as shaders};
use bytemuck::{Pod, Zeroable};

use super::SpatialError;
use super::check::{MAX_ITEMS, check_items, check_result};
use super::count::{Count, CountBuffer, Items};
use super::index::{Index, WALKS_PER_WORKGROUP};
use super::pairs_strips::{StripSweep, Strips};
use super::pairs_sweep::{self, Sweep};
use super::query::Source;
use super::result::{no_buffer, result_buffer};
use super::scan::Scan;
use crate::core::context::Context;
use crate::core::kernel::BoundKernel;
use crate::core::limits::max_binding_size;
use crate::core::program::{one_binding, uniform};

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

/// What is done before pairs are counted.
#[derive(Debug)]
enum Preparation {
    /// Nothing: there is a tree.
    Tree,
    Sweep(Sweep),
    Strips(StripSweep),
}

/// The stage with its buffers. Create it once per size.
///
/// It takes 8 bytes per pair, and 8 per box with a tree, or up to 76 without. Strips take up to 72
/// per box and 48 per entry.
#[derive(Debug)]
pub struct Pairs {
    count: CountBuffer,
    preparation: Preparation,
    count_pairs: (BoundKernel, u32),
    scan: Scan,
    list: (BoundKernel, u32),
    pairs: wgpu::Buffer,
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
        let device = context.device();
        check_pairs(device, output_capacity)?;
        match source {
            Source::Index(index) => {
                index.check_walk(device)?;
                let count = CountBuffer::new(device, index.count.shared(), index.count.capacity())?;
                Self::made(context, count, Preparation::Tree, Some(index), output_capacity)
            }
            Source::Boxes(boxes) => {
                let count = count_of(device, boxes)?;
                let sweep = Preparation::Sweep(Sweep::new(context, boxes.buffer, &count)?);
                Self::made(context, count, sweep, None, output_capacity)
            }
        }
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
        let device = context.device();
        check_pairs(device, output_capacity)?;
        let count = count_of(device, boxes)?;
        let sweep = Preparation::Strips(StripSweep::new(context, boxes.buffer, &count, strips)?);
        Self::made(context, count, sweep, None, output_capacity)
    }

    fn made(
        context: &Context,
        count: CountBuffer,
        preparation: Preparation,
        tree: Option<&Index>,
        output_capacity: u32,
    ) -> Result<Self, SpatialError> {
        let device = context.device();
        let binding = max_binding_size(&device.limits());
        let swept = preparation.swept();
        // The boxes, or the entries of strips.
        let items = if let Preparation::Strips(strips) = &preparation { &strips.entry_count } else { &count };
        let capacity = items.capacity();
        // The chunks or the leaves, whose pairs are counted.
        let n_chunks = pairs_sweep::n_chunks(capacity);
        let n_parts = if swept.is_some() { n_chunks } else { capacity };
        let n_workgroups = if swept.is_some() { n_chunks } else { capacity.div_ceil(WALKS_PER_WORKGROUP) };
        let n_pairs = result_buffer::<u32>(device, "n_pairs", n_parts)?;
        let pairs = result_buffer::<[u32; 2]>(device, "pairs", output_capacity)?;
        let parts = if swept.is_some() { Items::new(&n_pairs, n_parts) } else { count.items(&n_pairs) };
        let scan = Scan::new(context, parts)?;

        let config = PairsConfig {
            capacity,
            count_word: items.word,
            output_capacity,
            n_chunks,
            ..PairsConfig::default()
        };
        let config = uniform(device, "boxwood.spatial.pairs_config", &config);
        let buffer = |variable: &str| match (variable, tree, swept) {
            ("config", ..) => &config,
            ("item_counts", ..) => &items.buffer,
            ("n_pairs", ..) => &n_pairs,
            ("pair_sums", ..) => scan.sums(),
            ("sums", _, Some((sums, _))) => sums,
            ("swept", _, Some((_, swept))) => swept,
            ("pairs", ..) => &pairs,
            (other, Some(tree), _) => tree.buffer(other),
            (other, ..) => no_buffer(other),
        };
        let bind = |shader| {
            let kernel = context.kernel(shader);
            (kernel.bind_parts(device, |name| one_binding(buffer(name), binding)), n_workgroups)
        };
        let [count_pairs, list] = counting_and_listing(swept.is_some()).map(bind);
        Ok(Self { count, preparation, count_pairs, scan, list, pairs })
    }

    /// Sets the number of boxes, without a tree.
    ///
    /// # Errors
    ///
    /// - [`SpatialError::AboveCapacity`] if it exceeds the capacity.
    /// - [`SpatialError::CountOfCaller`] if it is in a buffer of the caller, or that of a tree.
    pub fn set_count(&self, queue: &wgpu::Queue, n: u32) -> Result<(), SpatialError> {
        self.count.set(queue, n)
    }

    /// Records the stage into a compute pass. This does not submit or wait.
    pub fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.push_debug_group("boxwood.pairs");
        match &self.preparation {
            Preparation::Tree => {}
            Preparation::Sweep(sweep) => sweep.record(pass),
            Preparation::Strips(strips) => strips.record(pass),
        }
        let [(count, n_counting), (list, n_listing)] = [&self.count_pairs, &self.list];
        count.record(pass, *n_counting);
        self.scan.record(pass);
        list.record(pass, *n_listing);
        pass.pop_debug_group();
    }

    /// Out: the indices i and j, i < j, of the boxes of each pair, `array<vec2<u32>>`. The pairs
    /// are in the order of [`Sweep::pairs`](boxwood_cpu::specification::spatial::Sweep::pairs) for
    /// the best axis, in that of
    /// [`StripSweep::pairs`](boxwood_cpu::specification::spatial::StripSweep::pairs) with strips,
    /// or in that of [`tree_pairs`](boxwood_cpu::specification::spatial::tree_pairs) with a tree.
    pub fn pairs(&self) -> &wgpu::Buffer {
        &self.pairs
    }

    /// Out: the number of pairs, one `u32`. If it exceeds the capacity, the pairs beyond the
    /// capacity are missing.
    ///
    /// It is `u32::MAX` if it is this or more. Without a tree, it is also `u32::MAX` if there are
    /// so many candidates, or if the entries of strips exceed their capacity. Then all pairs are
    /// missing.
    pub fn needed(&self) -> &wgpu::Buffer {
        self.scan.total()
    }

    /// Out: the number of entries of strips, one `u32`, if there are strips. It is `u32::MAX` if it
    /// is this or more. If it exceeds the capacity, all pairs are missing.
    pub fn entries_needed(&self) -> Option<&wgpu::Buffer> {
        match &self.preparation {
            Preparation::Strips(strips) => Some(strips.entries_needed()),
            _ => None,
        }
    }

    /// Out: the number of pairs, for the stage after this one. Its capacity must be that of the
    /// pairs or less.
    pub fn n_pairs(&self) -> Count<'_> {
        self.scan.n_total()
    }
}

impl Preparation {
    /// The sums of the numbers of candidates, and the boxes or entries in the order of a sweep.
    fn swept(&self) -> Option<(&wgpu::Buffer, &wgpu::Buffer)> {
        match self {
            Self::Tree => None,
            Self::Sweep(sweep) => Some((&sweep.sums, &sweep.swept)),
            Self::Strips(strips) => Some((strips.sums(), &strips.swept)),
        }
    }
}

/// Checks that there is room for the pairs.
fn check_pairs(device: &wgpu::Device, output_capacity: u32) -> Result<(), SpatialError> {
    check_result::<[u32; 2]>("pairs", output_capacity, max_binding_size(&device.limits()))?;
    check_items(output_capacity, MAX_ITEMS)
}

/// The number of boxes without a tree.
fn count_of(device: &wgpu::Device, boxes: Items<'_>) -> Result<CountBuffer, SpatialError> {
    boxes.check::<Aabb>("boxes", max_binding_size(&device.limits()))?;
    boxes.count_buffer(device)
}

/// The shaders that count pairs, and list them.
fn counting_and_listing(is_sweep: bool) -> [&'static Shader; 2] {
    if is_sweep {
        [&shaders::PAIRS_SWEEP_COUNT, &shaders::PAIRS_SWEEP_LIST]
    } else {
        [&shaders::PAIRS_TREE_COUNT, &shaders::PAIRS_TREE_LIST]
    }
}
