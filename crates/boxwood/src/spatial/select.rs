//! Stage *select*: the items that are kept, in order.
//!
//! Specification: `boxwood_cpu::specification::spatial::select`.

use boxwood_cpu::Aabb;
use boxwood_shaders::spatial::{
    self as shaders, SelectCount, SelectMask, SelectMaskInRange, SelectScan, SelectScatter,
    SelectScatterBoxes, SelectScatterBoxesFew, SelectScatterWideFew,
};
use bytemuck::{Pod, Zeroable};

use super::count::{Count, CountSlot, Counted, Items};
use super::error::SpatialError;
use super::stage::{Stage, stage_methods};
use crate::core::context::Context;
use crate::core::plan::{Plan, Slot};

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
    stage: Stage,
    slots: Selected,
}

/// The uniform and the results in a plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct Selected {
    config: Slot,
    mask: Slot,
    pub(super) selected: Slot,
    selected_boxes: Option<Slot>,
    draw_arguments: Slot,
}

impl Selected {
    /// The number of kept items, of which there are up to `capacity`.
    pub(super) fn n_selected(self, capacity: u32) -> CountSlot {
        CountSlot::written(self.draw_arguments, 1, capacity)
    }
}

impl Select {
    /// Allocates and binds the buffers. The result has the indices of the kept items.
    ///
    /// # Errors
    ///
    /// [`SpatialError::TooLarge`] if a buffer of the caller has no room for the capacity, or a
    /// result is larger than a storage binding of the device.
    pub fn new(context: &Context, predicate: Predicate, items: Items<'_>) -> Result<Self, SpatialError> {
        Self::made(context, predicate, items, None)
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
        Self::made(context, predicate, items, Some(boxes))
    }

    fn made(
        context: &Context,
        predicate: Predicate,
        items: Items<'_>,
        boxes: Option<&wgpu::Buffer>,
    ) -> Result<Self, SpatialError> {
        let mut plan = Plan::new("boxwood.spatial", ());
        let capacity = items.capacity;
        let count = items.count.add_to(context, &mut plan, capacity)?;
        let input = match predicate {
            Predicate::Mask => plan.given::<u32>("mask", items.buffer, capacity.div_ceil(u32::BITS)),
            Predicate::Overlapping | Predicate::NotEmpty => {
                plan.given::<Aabb>("boxes", items.buffer, capacity)
            }
            Predicate::InRange | Predicate::RunStarts => plan.given::<u32>("values", items.buffer, capacity),
        };
        let boxes = boxes.map(|boxes| plan.given::<Aabb>("boxes", boxes, capacity));
        let slots = Self::plan(&mut plan, predicate, count.of(input), boxes);
        Ok(Self { stage: Stage::new(context, plan, count)?, slots })
    }

    /// Adds the stage to a plan.
    pub(super) fn plan(
        plan: &mut Plan<u32>,
        predicate: Predicate,
        items: Counted,
        boxes: Option<Slot>,
    ) -> Selected {
        let Counted { items: input, count } = items;
        let CountSlot { buffer: item_counts, word: count_word, capacity, .. } = count;
        let config = plan.uniform(
            "select_config",
            &SelectConfig {
                region: Aabb::PLANE,
                low: 0,
                high: u32::MAX,
                capacity,
                count_word,
                n_vertices: 0,
                padding: [0; 3],
            },
        );
        let n_partitions = capacity.div_ceil(PARTITION_LENGTH);
        // A shader reads four words at a time.
        let mut words = |name, n: u32| plan.buffer::<[u32; 4]>(name, n.div_ceil(4));
        let is_given = predicate == Predicate::Mask;
        let mask = if is_given { input } else { words("mask", capacity.div_ceil(u32::BITS)) };
        let partition_counts = words("partition_counts", n_partitions);
        let selected = words("selected", capacity);
        let selected_boxes = boxes.map(|_| plan.buffer::<Aabb>("selected_boxes", capacity));
        let draw_arguments = plan.buffer_for::<u32>("draw_arguments", 4, wgpu::BufferUsages::INDIRECT);
        plan.begin("boxwood.select");
        let found = Found { config, item_counts, mask, partition_counts, n_partitions };
        let is_wide = is_given && boxes.is_none() && n_partitions <= KEPT_PARTITIONS * FEW_COUNTS;
        found.plan_mask(plan, predicate, input, is_wide);
        let is_few = is_wide || n_partitions <= FEW_PARTITIONS;
        if !is_few {
            plan.dispatch(SelectScan { config, item_counts, partition_counts, draw_arguments }, 1);
        }
        let slots = Selected { config, mask, selected, selected_boxes, draw_arguments };
        match boxes.zip(selected_boxes) {
            None => found.plan_scatter(plan, &slots, is_few, is_wide),
            Some(boxes) => found.plan_scatter_boxes(plan, &slots, is_few, boxes),
        }
        plan.end();
        slots
    }

    stage_methods!("items");

    /// Sets the region that kept boxes overlap.
    pub fn set_region(&self, queue: &wgpu::Queue, region: Aabb) {
        let offset = std::mem::offset_of!(SelectConfig, region) as u64;
        queue.write_buffer(&self.stage[self.slots.config], offset, bytemuck::bytes_of(&region));
    }

    /// Sets the first and the last value of the range of kept values.
    pub fn set_range(&self, queue: &wgpu::Queue, [low, high]: [u32; 2]) {
        let offset = std::mem::offset_of!(SelectConfig, low) as u64;
        queue.write_buffer(&self.stage[self.slots.config], offset, bytemuck::cast_slice(&[low, high]));
    }

    /// Sets the number of vertices of the [indirect draw](Self::draw_arguments), which is 0 at
    /// first.
    pub fn set_n_vertices(&self, queue: &wgpu::Queue, n: u32) {
        let offset = std::mem::offset_of!(SelectConfig, n_vertices) as u64;
        queue.write_buffer(&self.stage[self.slots.config], offset, bytemuck::bytes_of(&n));
    }

    /// Out: the indices of the kept items in ascending order, `array<u32>`.
    pub fn selected(&self) -> &wgpu::Buffer {
        &self.stage[self.slots.selected]
    }

    /// Out: the boxes of the kept items, `array<vec4<f32>>`, if they are asked for.
    pub fn selected_boxes(&self) -> Option<&wgpu::Buffer> {
        self.slots.selected_boxes.map(|slot| &self.stage[slot])
    }

    /// Out: the arguments of an indirect draw with an instance per kept item, four `u32`: the
    /// number of vertices, the number of kept items, 0, 0.
    pub fn draw_arguments(&self) -> &wgpu::Buffer {
        &self.stage[self.slots.draw_arguments]
    }

    /// Out: the number of kept items, for the stage after this one.
    pub fn n_selected(&self) -> Count<'_> {
        Count::Gpu { buffer: self.draw_arguments(), word: 1 }
    }

    /// Out: one bit per item, 1 if it is kept. With [`Predicate::Mask`], it is the caller's mask.
    pub fn mask(&self) -> &wgpu::Buffer {
        &self.stage[self.slots.mask]
    }
}

/// The buffers of a selection before the kept items are written, in a plan.
#[derive(Clone, Copy)]
struct Found {
    config: Slot,
    item_counts: Slot,
    /// A bit per item, 1 if it is kept.
    mask: Slot,
    /// The number of kept items of each partition.
    partition_counts: Slot,
    n_partitions: u32,
}

impl Found {
    /// Adds the dispatch that writes the mask, unless it is given, and the numbers of kept items.
    fn plan_mask(self, plan: &mut Plan<u32>, predicate: Predicate, input: Slot, is_wide: bool) {
        let Self { config, item_counts, mask, partition_counts, n_partitions } = self;
        match predicate {
            Predicate::Mask => {
                let count = SelectCount { config, item_counts, mask, partition_counts };
                let shader = if is_wide { &shaders::SELECT_COUNT_WIDE } else { &shaders::SELECT_COUNT };
                plan.dispatch_with(shader, count, n_partitions.div_ceil(COUNTED_PARTITIONS));
            }
            Predicate::Overlapping | Predicate::NotEmpty => {
                let is_region = predicate == Predicate::Overlapping;
                let shader = if is_region {
                    &shaders::SELECT_MASK_OVERLAPPING
                } else {
                    &shaders::SELECT_MASK_NOT_EMPTY
                };
                let keep = SelectMask { config, item_counts, boxes: input, mask, partition_counts };
                plan.dispatch_with(shader, keep, n_partitions);
            }
            Predicate::InRange | Predicate::RunStarts => {
                let is_range = predicate == Predicate::InRange;
                let shader =
                    if is_range { &shaders::SELECT_MASK_IN_RANGE } else { &shaders::SELECT_MASK_RUN_STARTS };
                let keep = SelectMaskInRange { config, item_counts, values: input, mask, partition_counts };
                plan.dispatch_with(shader, keep, n_partitions);
            }
        }
    }

    /// Adds the dispatch that writes the indices of the kept items.
    fn plan_scatter(self, plan: &mut Plan<u32>, slots: &Selected, is_few: bool, is_wide: bool) {
        let Self { config, item_counts, mask, partition_counts, n_partitions } = self;
        let Selected { selected, draw_arguments, .. } = *slots;
        // The first partition writes the arguments of the draw, even if there are no items.
        let n_wide = n_partitions.div_ceil(KEPT_PARTITIONS).max(1);
        if !is_few {
            let scatter = SelectScatter { config, item_counts, mask, partition_counts, selected };
            return plan.dispatch(scatter, n_wide);
        }
        let scatter =
            SelectScatterWideFew { config, item_counts, mask, partition_counts, draw_arguments, selected };
        let (shader, n) = if is_wide {
            (&shaders::SELECT_SCATTER_WIDE_FEW, n_wide)
        } else {
            (&shaders::SELECT_SCATTER_FEW, n_partitions.max(1))
        };
        plan.dispatch_with(shader, scatter, n);
    }

    /// Adds the dispatch that writes the indices and the boxes of the kept items.
    fn plan_scatter_boxes(
        self,
        plan: &mut Plan<u32>,
        slots: &Selected,
        is_few: bool,
        (boxes, selected_boxes): (Slot, Slot),
    ) {
        let Self { config, item_counts, mask, partition_counts, n_partitions } = self;
        let Selected { selected, draw_arguments, .. } = *slots;
        // The first partition writes the arguments of the draw, even if there are no items.
        let n = n_partitions.max(1);
        if is_few {
            let scatter = SelectScatterBoxesFew {
                config,
                item_counts,
                boxes,
                mask,
                partition_counts,
                draw_arguments,
                selected,
                selected_boxes,
            };
            plan.dispatch(scatter, n);
        } else {
            let scatter = SelectScatterBoxes {
                config,
                item_counts,
                boxes,
                mask,
                partition_counts,
                selected,
                selected_boxes,
            };
            plan.dispatch(scatter, n);
        }
    }
}
