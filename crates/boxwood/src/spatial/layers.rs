//! Stage *layers*: the order of draws that may be batched.
//!
//! Specification: `boxwood_cpu::specification::spatial::{layers, layers_in_scopes, batches}`.

use boxwood_cpu::Aabb;
use boxwood_shaders::{Shader, spatial as shaders};
use bytemuck::{Pod, Zeroable};

use super::SpatialError;
use super::check::{check_input, check_items, check_range, check_result};
use super::count::{Count, CountBuffer, Items};
use super::result::{no_buffer, result_buffer};
use super::select::{Predicate, Select};
use super::sort::Sort;
use crate::core::context::Context;
use crate::core::kernel::BoundKernel;
use crate::core::limits::max_binding_size;
use crate::core::program::{one_binding, uniform};

/// The number of items of a block, as in `layers_config.wgsl`. A workgroup resolves a block.
const BLOCK_LENGTH: u32 = 2048;

/// The number of items of a group, which are compared with a span of items by a workgroup.
const GROUP_LENGTH: u32 = 256;

/// The number of items of a span.
const SPAN_LENGTH: u32 = 128;

/// The number of groups of a block.
const GROUPS_PER_BLOCK: u32 = BLOCK_LENGTH / GROUP_LENGTH;

/// The number of comparisons of a group of a block with a span of it that is not after the group.
const COMPARISONS_PER_BLOCK: u32 = GROUP_LENGTH / SPAN_LENGTH * GROUPS_PER_BLOCK * (GROUPS_PER_BLOCK + 1) / 2;

/// The maximum number of items. The time grows with its square: more items need another algorithm.
const MAX_LAYERED_ITEMS: u64 = 1 << 20;

/// The parameters of a block. `layers_config.wgsl` has the same layout.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct LayersConfig {
    /// The number of items that the buffers have room for.
    pub capacity: u32,
    /// The word of the buffer of the count.
    pub count_word: u32,
    /// The first item of the block.
    pub first: u32,
    /// The number of bits of a batch key.
    pub key_bits: u32,
}

/// The stage with its buffers. Create it once per size. The example `draw_in_batches` is a renderer
/// with one draw per batch.
///
/// It takes 4 bytes per item, 24 more with batches, and half a MiB. Each 2048 items take two
/// dispatches, the first of which compares them with all earlier items.
#[derive(Debug)]
pub struct Layers {
    count: CountBuffer,
    layers: wgpu::Buffer,
    dispatches: Vec<(BoundKernel, u32)>,
    batches: Option<Batches>,
}

/// The stages that find the batches of known layers.
#[derive(Debug)]
struct Batches {
    sort: Sort,
    run_starts: Select,
}

impl Layers {
    /// Allocates and binds the buffers, without batches.
    ///
    /// `boxes` has the box of each item in paint order, `array<vec4<f32>>`. Boxes that only touch
    /// can have a pixel in common: if edges are anti-aliased, round them outward to whole pixels.
    ///
    /// `scopes` has the scope of each item, `array<u32>`, if there are several. Items of different
    /// scopes are not compared, as if each scope were a picture of its own. In a scene, a scope is
    /// the innermost isolated group that an item is in. The group itself is an item of the scope
    /// around it, with its group box. The [clipped boxes](crate::SceneBoxes::clipped_boxes) of
    /// begins and ends are empty, so a pass of your own writes the group box of an isolated group
    /// over that of its begin: `group_boxes[ranks[begin]]`. `boxwood_cpu::Layers::in_scopes` has an
    /// example of the same on the CPU.
    ///
    /// # Errors
    ///
    /// - [`SpatialError::TooLarge`] if a buffer of the caller or a storage binding of the device
    ///   has no room for the capacity.
    /// - [`SpatialError::TooManyItems`] for more than 2^20 items.
    pub fn new(
        context: &Context,
        boxes: Items<'_>,
        scopes: Option<&wgpu::Buffer>,
    ) -> Result<Self, SpatialError> {
        Self::made(context, boxes, scopes, None)
    }

    /// Makes a stage that also finds batches. `keys` has the batch key of each item, `array<u32>`,
    /// of which the lowest `key_bits` bits count.
    ///
    /// # Errors
    ///
    /// The same as for [`new`](Self::new), and [`SpatialError::OutOfRange`] if a batch key has more
    /// bits than [`max_key_bits`](Self::max_key_bits).
    pub fn with_batches(
        context: &Context,
        boxes: Items<'_>,
        scopes: Option<&wgpu::Buffer>,
        keys: &wgpu::Buffer,
        key_bits: u32,
    ) -> Result<Self, SpatialError> {
        Self::made(context, boxes, scopes, Some((keys, key_bits)))
    }

    /// The maximum number of bits of a batch key for up to `capacity` items. The other bits of a
    /// word are for the layer.
    pub fn max_key_bits(capacity: u32) -> u32 {
        // There are at most as many layers as items. At least one bit is reserved for the layer.
        capacity.saturating_sub(1).leading_zeros().min(u32::BITS - 1)
    }

    fn made(
        context: &Context,
        boxes: Items<'_>,
        scopes: Option<&wgpu::Buffer>,
        batches: Option<(&wgpu::Buffer, u32)>,
    ) -> Result<Self, SpatialError> {
        let device = context.device();
        let capacity = boxes.capacity;
        let (keys, key_bits) = (batches.map(|(keys, _)| keys), batches.map_or(0, |(_, key_bits)| key_bits));
        let binding = max_binding_size(&device.limits());
        boxes.check::<Aabb>("boxes", binding)?;
        check_result::<u32>("layers", capacity, binding)?;
        check_items(capacity, MAX_LAYERED_ITEMS)?;
        if let Some(scopes) = scopes {
            check_input::<u32>("scopes", scopes, capacity, binding)?;
        }
        if let Some(keys) = keys {
            check_input::<u32>("keys", keys, capacity, binding)?;
            check_range("key_bits", key_bits, Self::max_key_bits(capacity))?;
        }
        let count = boxes.count_buffer(device)?;

        let create = |name: &'static str, words: u32| result_buffer::<u32>(device, name, words);
        let layers = create("layers", capacity)?;
        let draw_keys = create("draw_keys", if keys.is_some() { capacity } else { 0 })?;
        let overlaps = create("overlaps", BLOCK_LENGTH / u32::BITS * BLOCK_LENGTH)?;
        let largest = create("largest", BLOCK_LENGTH)?;
        let mut dispatches = Vec::new();
        for first in (0..capacity).step_by(BLOCK_LENGTH as usize) {
            let config = LayersConfig { capacity, count_word: count.word, first, key_bits };
            let config = uniform(device, "boxwood.spatial.layers_config", &config);
            let mut dispatch = |shader: &'static Shader, n_workgroups| {
                let buffer = |variable: &str| match variable {
                    "config" => &config,
                    "item_counts" => &count.buffer,
                    "boxes" => boxes.buffer,
                    "scopes" => scopes.unwrap_or(&layers),
                    "keys" => keys.unwrap_or(&layers),
                    "layers" => &layers,
                    "overlaps" => &overlaps,
                    "draw_keys" => &draw_keys,
                    "largest" => &largest,
                    other => no_buffer(other),
                };
                let kernel = context.kernel(shader);
                let bound = kernel.bind_parts(device, |name| one_binding(buffer(name), binding));
                dispatches.push((bound, n_workgroups));
            };
            let [overlap, resolve] = dispatches_of(first > 0, scopes.is_some(), keys.is_some());
            dispatch(overlap, COMPARISONS_PER_BLOCK + GROUPS_PER_BLOCK * (first / SPAN_LENGTH));
            dispatch(resolve, 1);
        }
        let batches = keys.map(|_| Batches::new(context, count.items(&draw_keys), key_bits));
        Ok(Self { batches: batches.transpose()?, count, layers, dispatches })
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
        pass.push_debug_group("boxwood.layers");
        self.dispatches.iter().for_each(|(kernel, n_workgroups)| kernel.record(pass, *n_workgroups));
        if let Some(Batches { sort, run_starts }) = &self.batches {
            sort.record(pass);
            run_starts.record(pass);
        }
        pass.pop_debug_group();
    }

    /// Out: the layer of each item, from 1, `array<u32>`.
    pub fn layers(&self) -> &wgpu::Buffer {
        &self.layers
    }

    /// Out: the items by layer, then by batch key, then in paint order, `array<u32>`, if there are
    /// batch keys. To draw them in this order gives the picture of the paint order.
    pub fn draw_order(&self) -> Option<&wgpu::Buffer> {
        self.batches.as_ref().map(|batches| batches.sort.sorted_values())
    }

    /// Out: for each place in the draw order, the batch key, and above its bits the layer less 1,
    /// `array<u32>`, if there are batch keys.
    pub fn draw_keys(&self) -> Option<&wgpu::Buffer> {
        self.batches.as_ref().map(|batches| batches.sort.sorted_keys())
    }

    /// Out: the first place of each batch in the draw order, `array<u32>`, if there are batch keys.
    pub fn batch_starts(&self) -> Option<&wgpu::Buffer> {
        self.batches.as_ref().map(|batches| batches.run_starts.selected())
    }

    /// Out: the number of batches, if there are batch keys.
    pub fn n_batches(&self) -> Option<Count<'_>> {
        self.batches.as_ref().map(|batches| batches.run_starts.n_selected())
    }
}

impl Batches {
    fn new(context: &Context, draw_keys: Items<'_>, key_bits: u32) -> Result<Self, SpatialError> {
        let layer_bits = u32::BITS - Layers::max_key_bits(draw_keys.capacity);
        let sort = Sort::new(context, draw_keys, None, layer_bits + key_bits)?;
        let sorted = Items { buffer: sort.sorted_keys(), ..draw_keys };
        Ok(Self { run_starts: Select::new(context, Predicate::RunStarts, sorted)?, sort })
    }
}

fn dispatches_of(has_earlier: bool, has_scopes: bool, has_keys: bool) -> [&'static Shader; 2] {
    let overlap = match (has_earlier, has_scopes) {
        (false, false) => &shaders::LAYERS_OVERLAP,
        (true, false) => &shaders::LAYERS_OVERLAP_EARLIER,
        (false, true) => &shaders::LAYERS_OVERLAP_SCOPES,
        (true, true) => &shaders::LAYERS_OVERLAP_EARLIER_SCOPES,
    };
    let resolve = if has_keys { &shaders::LAYERS_RESOLVE_KEYS } else { &shaders::LAYERS_RESOLVE };
    [overlap, resolve]
}
