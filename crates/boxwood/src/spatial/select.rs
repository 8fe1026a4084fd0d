//! Stage *select*: the items that are kept, in order.
//!
//! Specification: `boxwood_cpu::specification::spatial::select`.

use boxwood_cpu::Aabb;
use boxwood_shaders::{Shader, spatial as shaders};
use bytemuck::{Pod, Zeroable};

use super::SpatialError;
use super::check::{MAX_ITEMS, check_input, check_items, check_result, check_room};
use super::count::{Count, CountBuffer, Items};
use super::result::{no_buffer, result_buffer};
use crate::core::context::Context;
use crate::core::kernel::BoundKernel;
use crate::core::limits::max_binding_size;
use crate::core::program::{RESULT_USAGES, create_buffer, one_binding, uniform};

/// The number of items of a partition, as in `select_config.wgsl`.
const PARTITION_LENGTH: u32 = 2048;

/// The number of partitions that a workgroup of `select_count` counts.
const COUNTED_PARTITIONS: u32 = 16;

/// The number of partitions of a workgroup of `select_scatter` or `select_scatter_wide_few`, and of
/// a count of `select_count_wide`.
const KEPT_PARTITIONS: u32 = 4;

/// The number of partitions up to which a workgroup of the last dispatch adds up the counts of the
/// partitions before its own, one per invocation.
const FEW_PARTITIONS: u32 = 256;

/// The same for counts of four partitions, eight per invocation. The workgroups are few enough that
/// reading all counts in each of them takes less time than a scan in a dispatch of its own.
const FEW_COUNTS: u32 = 2048;

/// Which items are kept. It determines the element type of their buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Predicate {
    /// The items whose bit is 1, 32 per word: `array<u32>`. The first item is in the lowest bit.
    Mask,
    /// The boxes that overlap the [region](Select::set_region), which is the plane at first:
    /// `array<vec4<f32>>`. Boxes that only touch it do not overlap it.
    Overlapping,
    /// The boxes with area: `array<vec4<f32>>`.
    NotEmpty,
    /// The values in the [range](Select::set_range), which is that of all values at first:
    /// `array<u32>`.
    InRange,
    /// The first value of each run of equal ones: `array<u32>`.
    RunStarts,
}

impl Predicate {
    /// The name of the buffer of the items, and the number of bits of an item.
    fn layout(self) -> (&'static str, u64) {
        match self {
            Self::Mask => ("mask", 1),
            Self::Overlapping | Self::NotEmpty => ("boxes", 128),
            Self::InRange | Self::RunStarts => ("values", 32),
        }
    }
}

/// How the kept items get to their places. The results are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// Each kept item writes itself to its place.
    Scatter,
    /// Each place searches for its item, as in Roger, Assarsson, Holzschuch 2007.
    Search,
}

/// The parameters of the stage. `select_config.wgsl` has the same layout.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct SelectConfig {
    /// Boxes that overlap this one are kept.
    pub region: Aabb,
    /// The smallest value that is kept.
    pub low: u32,
    /// The largest value that is kept.
    pub high: u32,
    /// The number of items that the buffers have room for.
    pub capacity: u32,
    /// The word of the buffer of the count.
    pub count_word: u32,
    /// The number of vertices of the indirect draw.
    pub n_vertices: u32,
    /// The size of a uniform is a multiple of 16 bytes.
    pub padding: [u32; 3],
}

/// The stage with its buffers. Create it once per size.
///
/// It takes 4 bytes per item, 16 more with boxes, and a bit per item for a mask.
#[derive(Debug)]
pub struct Select {
    config: wgpu::Buffer,
    count: CountBuffer,
    selected: wgpu::Buffer,
    selected_boxes: Option<wgpu::Buffer>,
    mask: wgpu::Buffer,
    draw_arguments: wgpu::Buffer,
    dispatches: Vec<(BoundKernel, u32)>,
}

impl Select {
    /// Allocates and binds the buffers. The result has the indices of the kept items.
    ///
    /// # Errors
    ///
    /// [`SpatialError::TooLarge`] if a buffer of the caller has no room for the capacity, or a
    /// result is larger than a storage binding of the device.
    pub fn new(context: &Context, predicate: Predicate, items: Items<'_>) -> Result<Self, SpatialError> {
        Self::made(context, predicate, items, None, Method::Scatter)
    }

    /// Makes a stage that also returns the boxes of the kept items. `boxes` has the box of each
    /// item, `array<vec4<f32>>`. It can be the buffer of the items.
    ///
    /// # Errors
    ///
    /// The same as for [`new`](Self::new).
    pub fn with_boxes(
        context: &Context,
        predicate: Predicate,
        items: Items<'_>,
        boxes: &wgpu::Buffer,
    ) -> Result<Self, SpatialError> {
        Self::made(context, predicate, items, Some(boxes), Method::Scatter)
    }

    /// Makes a stage with a given method, with boxes or without.
    ///
    /// # Errors
    ///
    /// The same as for [`new`](Self::new).
    #[cfg(feature = "testing")]
    pub fn with_method(
        context: &Context,
        predicate: Predicate,
        items: Items<'_>,
        boxes: Option<&wgpu::Buffer>,
        method: Method,
    ) -> Result<Self, SpatialError> {
        Self::made(context, predicate, items, boxes, method)
    }

    fn made(
        context: &Context,
        predicate: Predicate,
        items: Items<'_>,
        boxes: Option<&wgpu::Buffer>,
        method: Method,
    ) -> Result<Self, SpatialError> {
        let device = context.device();
        let Items { buffer: input, capacity, .. } = items;
        let binding = max_binding_size(&device.limits());
        check(predicate, items, boxes, binding)?;
        let count = items.count_buffer(device)?;

        let config = SelectConfig {
            region: Aabb::PLANE,
            low: 0,
            high: u32::MAX,
            capacity,
            count_word: count.word,
            n_vertices: 0,
            padding: [0; 3],
        };
        let config = uniform(device, "boxwood.spatial.select_config", &config);
        let n_partitions = capacity.div_ceil(PARTITION_LENGTH);
        let need = u64::from(capacity);
        // A shader reads four words at a time.
        let create =
            |name: &'static str, words: u64| result_buffer::<u32>(device, name, words.next_multiple_of(4));
        let mask = match predicate {
            Predicate::Mask => input.clone(),
            _ => create("mask", need.div_ceil(32))?,
        };
        let partition_counts = create("partition_counts", n_partitions.into())?;
        let selected = create("selected", need)?;
        let selected_boxes = boxes.map(|_| create("selected_boxes", 4 * need)).transpose()?;
        let draw_arguments = create_buffer(
            device,
            "boxwood.spatial.draw_arguments",
            size_of::<[u32; 4]>() as u64,
            RESULT_USAGES | wgpu::BufferUsages::INDIRECT,
        );
        let (mut first, is_given) = first_dispatch(predicate);
        let mut is_few = n_partitions <= FEW_PARTITIONS;
        let mut last = last_dispatch(method, boxes.is_some(), is_few);
        if is_given
            && std::ptr::eq(last, &shaders::SELECT_SCATTER)
            && n_partitions <= KEPT_PARTITIONS * FEW_COUNTS
        {
            (first, last, is_few) = (&shaders::SELECT_COUNT_WIDE, &shaders::SELECT_SCATTER_WIDE_FEW, true);
        }
        let bind = |shader: &'static Shader| {
            // Only the first dispatch reads the input of the predicate, and only the last one the
            // boxes to be returned.
            let items = if std::ptr::eq(shader, first) { input } else { boxes.unwrap_or(input) };
            let buffer = |variable: &str| match variable {
                "config" => &config,
                "item_counts" => &count.buffer,
                "boxes" | "values" => items,
                "mask" => &mask,
                "partition_counts" => &partition_counts,
                "draw_arguments" => &draw_arguments,
                "selected" => &selected,
                "selected_boxes" => selected_boxes.as_ref().unwrap_or(&selected),
                other => no_buffer(other),
            };
            context.kernel(shader).bind_parts(device, |name| one_binding(buffer(name), binding))
        };
        let n_first = if is_given { n_partitions.div_ceil(COUNTED_PARTITIONS) } else { n_partitions };
        let mut dispatches = vec![(bind(first), n_first)];
        if !is_few {
            dispatches.push((bind(&shaders::SELECT_SCAN), 1));
        }
        // The first partition writes the arguments of the draw, even if there are no items.
        let wide = [&shaders::SELECT_SCATTER, &shaders::SELECT_SCATTER_WIDE_FEW];
        let is_wide = wide.into_iter().any(|shader| std::ptr::eq(last, shader));
        let n_last = if is_wide { n_partitions.div_ceil(KEPT_PARTITIONS) } else { n_partitions };
        dispatches.push((bind(last), n_last.max(1)));
        Ok(Self { config, count, selected, selected_boxes, mask, draw_arguments, dispatches })
    }

    /// Sets the region that kept boxes overlap.
    pub fn set_region(&self, queue: &wgpu::Queue, region: Aabb) {
        let offset = std::mem::offset_of!(SelectConfig, region) as u64;
        queue.write_buffer(&self.config, offset, bytemuck::bytes_of(&region));
    }

    /// Sets the first and the last value of the range of kept values.
    pub fn set_range(&self, queue: &wgpu::Queue, [low, high]: [u32; 2]) {
        let offset = std::mem::offset_of!(SelectConfig, low) as u64;
        queue.write_buffer(&self.config, offset, bytemuck::cast_slice(&[low, high]));
    }

    /// Sets the number of vertices of the [indirect draw](Self::draw_arguments), which is 0 at
    /// first.
    pub fn set_n_vertices(&self, queue: &wgpu::Queue, n: u32) {
        let offset = std::mem::offset_of!(SelectConfig, n_vertices) as u64;
        queue.write_buffer(&self.config, offset, bytemuck::bytes_of(&n));
    }

    /// Sets the number of items.
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
        pass.push_debug_group("boxwood.select");
        self.dispatches.iter().for_each(|(kernel, n_workgroups)| kernel.record(pass, *n_workgroups));
        pass.pop_debug_group();
    }

    /// Out: the indices of the kept items in ascending order, `array<u32>`.
    pub fn selected(&self) -> &wgpu::Buffer {
        &self.selected
    }

    /// Out: the boxes of the kept items, `array<vec4<f32>>`, if they are asked for.
    pub fn selected_boxes(&self) -> Option<&wgpu::Buffer> {
        self.selected_boxes.as_ref()
    }

    /// Out: the arguments of an indirect draw with an instance per kept item, four `u32`: the
    /// number of vertices, the number of kept items, 0, 0.
    pub fn draw_arguments(&self) -> &wgpu::Buffer {
        &self.draw_arguments
    }

    /// Out: the number of kept items, for the stage after this one.
    pub fn n_selected(&self) -> Count<'_> {
        Count::Gpu { buffer: &self.draw_arguments, word: 1 }
    }

    /// Out: one bit per item, 1 if it is kept. With [`Predicate::Mask`], it is the caller's mask.
    pub fn mask(&self) -> &wgpu::Buffer {
        &self.mask
    }
}

/// Checks that all buffers have room.
fn check(
    predicate: Predicate,
    items: Items<'_>,
    boxes: Option<&wgpu::Buffer>,
    binding: u64,
) -> Result<(), SpatialError> {
    let Items { buffer, capacity, .. } = items;
    let (name, bits_per_item) = predicate.layout();
    // Buffers consist of whole words.
    check_room(name, capacity.max(1).into(), 8 * (buffer.size().min(binding) & !3) / bits_per_item)?;
    if let Some(boxes) = boxes {
        check_input::<Aabb>("boxes", boxes, capacity, binding)?;
        check_result::<Aabb>("selected_boxes", capacity, binding)?;
    }
    check_result::<u32>("selected", capacity, binding)?;
    check_items(capacity, MAX_ITEMS)
}

/// The dispatch that counts the kept items, and whether the caller has the mask.
fn first_dispatch(predicate: Predicate) -> (&'static Shader, bool) {
    match predicate {
        Predicate::Mask => (&shaders::SELECT_COUNT, true),
        Predicate::Overlapping => (&shaders::SELECT_MASK_OVERLAPPING, false),
        Predicate::NotEmpty => (&shaders::SELECT_MASK_NOT_EMPTY, false),
        Predicate::InRange => (&shaders::SELECT_MASK_IN_RANGE, false),
        Predicate::RunStarts => (&shaders::SELECT_MASK_RUN_STARTS, false),
    }
}

fn last_dispatch(method: Method, has_boxes: bool, is_few: bool) -> &'static Shader {
    match (method, has_boxes, is_few) {
        (Method::Scatter, false, false) => &shaders::SELECT_SCATTER,
        (Method::Scatter, false, true) => &shaders::SELECT_SCATTER_FEW,
        (Method::Scatter, true, false) => &shaders::SELECT_SCATTER_BOXES,
        (Method::Scatter, true, true) => &shaders::SELECT_SCATTER_BOXES_FEW,
        (Method::Search, false, false) => &shaders::SELECT_SEARCH,
        (Method::Search, false, true) => &shaders::SELECT_SEARCH_FEW,
        (Method::Search, true, false) => &shaders::SELECT_SEARCH_BOXES,
        (Method::Search, true, true) => &shaders::SELECT_SEARCH_BOXES_FEW,
    }
}
