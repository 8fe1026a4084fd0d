//! Stage *layers*: the order of draws that may be batched.
//!
//! Specification: `boxwood_cpu::specification::spatial::{layers, layers_in_scopes, batches}`.

use boxwood_cpu::Aabb;
use boxwood_shaders::spatial::{
    LayersOverlap, LayersOverlapEarlier, LayersOverlapEarlierScopes, LayersOverlapScopes, LayersResolve,
    LayersResolveKeys,
};
use bytemuck::{Pod, Zeroable};

use super::check::{check_items, check_range};
use super::count::{Count, CountSlot, Counted, Items};
use super::error::SpatialError;
use super::select::{Predicate, Select, Selected};
use super::sort::{Sort, Sorted};
use super::stage::{Stage, stage_methods};
use crate::core::context::Context;
use crate::core::plan::{Plan, Slot};

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
    stage: Stage,
    layers: Slot,
    batches: Option<Batches>,
}

/// The results of the stages that find the batches of known layers, in a plan.
#[derive(Clone, Copy, Debug)]
struct Batches {
    sorted: Sorted,
    run_starts: Selected,
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
        let capacity = boxes.capacity;
        check_items(capacity, MAX_LAYERED_ITEMS)?;
        let key_bits = batches.map_or(0, |(_, key_bits)| key_bits);
        if batches.is_some() {
            check_range("key_bits", key_bits, Self::max_key_bits(capacity))?;
        }
        let mut plan = Plan::new("boxwood.spatial", ());
        let boxes = boxes.add_to::<Aabb>(context, &mut plan, "boxes")?;
        let scopes = scopes.map(|scopes| plan.given::<u32>("scopes", scopes, capacity));
        let keys = batches.map(|(keys, _)| plan.given::<u32>("keys", keys, capacity));
        let layers = plan.buffer::<u32>("layers", capacity);
        let draw_keys = keys.map(|keys| (keys, plan.buffer::<u32>("draw_keys", capacity)));
        let overlaps = plan.buffer::<u32>("overlaps", BLOCK_LENGTH / u32::BITS * BLOCK_LENGTH);
        let largest = plan.buffer::<u32>("largest", BLOCK_LENGTH);
        let block = Block { boxes, scopes, layers, overlaps, largest, draw_keys };
        plan.begin("boxwood.layers");
        for first in (0..capacity).step_by(BLOCK_LENGTH as usize) {
            let config = LayersConfig { capacity, count_word: boxes.count.word, first, key_bits };
            block.plan(&mut plan, &config);
        }
        let batches = draw_keys.map(|(_, draw_keys)| {
            let layer_bits = u32::BITS - Self::max_key_bits(capacity);
            let sorted = Sort::plan(&mut plan, boxes.count.of(draw_keys), None, layer_bits + key_bits);
            let keys = boxes.count.of(sorted.keys);
            Batches { sorted, run_starts: Select::plan(&mut plan, Predicate::RunStarts, keys, None) }
        });
        plan.end();
        Ok(Self { stage: Stage::new(context, plan, boxes.count)?, layers, batches })
    }

    stage_methods!("items");

    /// Out: the layer of each item, from 1, `array<u32>`.
    pub fn layers(&self) -> &wgpu::Buffer {
        &self.stage[self.layers]
    }

    /// Out: the items by layer, then by batch key, then in paint order, `array<u32>`, if there are
    /// batch keys. To draw them in this order gives the picture of the paint order.
    pub fn draw_order(&self) -> Option<&wgpu::Buffer> {
        self.batches.map(|batches| &self.stage[batches.sorted.values])
    }

    /// Out: for each place in the draw order, the batch key, and above its bits the layer less 1,
    /// `array<u32>`, if there are batch keys.
    pub fn draw_keys(&self) -> Option<&wgpu::Buffer> {
        self.batches.map(|batches| &self.stage[batches.sorted.keys])
    }

    /// Out: the first place of each batch in the draw order, `array<u32>`, if there are batch keys.
    pub fn batch_starts(&self) -> Option<&wgpu::Buffer> {
        self.batches.map(|batches| &self.stage[batches.run_starts.selected])
    }

    /// Out: the number of batches, if there are batch keys.
    pub fn n_batches(&self) -> Option<Count<'_>> {
        self.batches
            .map(|batches| self.stage.count_in(batches.run_starts.n_selected(self.stage.count.capacity)))
    }
}

/// The buffers of every block, in a plan.
#[derive(Clone, Copy)]
struct Block {
    boxes: Counted,
    scopes: Option<Slot>,
    layers: Slot,
    overlaps: Slot,
    largest: Slot,
    /// The batch key of each item, and the key to sort it by.
    draw_keys: Option<(Slot, Slot)>,
}

impl Block {
    /// Adds the two dispatches of a block: one compares its items with each other and with all
    /// earlier ones, and one resolves their layers.
    fn plan(self, plan: &mut Plan<u32>, config: &LayersConfig) {
        let Self { boxes, scopes, layers, overlaps, largest, draw_keys } = self;
        let Counted { items: boxes, count: CountSlot { buffer: item_counts, .. } } = boxes;
        let first = config.first;
        let config = plan.uniform("layers_config", config);
        let n = COMPARISONS_PER_BLOCK + GROUPS_PER_BLOCK * (first / SPAN_LENGTH);
        match (first > 0, scopes) {
            (false, None) => {
                plan.dispatch(LayersOverlap { config, item_counts, boxes, overlaps }, n);
            }
            (true, None) => {
                let overlap = LayersOverlapEarlier { config, item_counts, boxes, layers, overlaps, largest };
                plan.dispatch(overlap, n);
            }
            (false, Some(scopes)) => {
                plan.dispatch(LayersOverlapScopes { config, item_counts, boxes, overlaps, scopes }, n);
            }
            (true, Some(scopes)) => {
                let overlap = LayersOverlapEarlierScopes {
                    config,
                    item_counts,
                    boxes,
                    layers,
                    overlaps,
                    largest,
                    scopes,
                };
                plan.dispatch(overlap, n);
            }
        }
        if let Some((keys, draw_keys)) = draw_keys {
            let resolve =
                LayersResolveKeys { config, item_counts, keys, layers, overlaps, largest, draw_keys };
            plan.dispatch(resolve, 1);
        } else {
            plan.dispatch(LayersResolve { config, item_counts, layers, overlaps, largest }, 1);
        }
    }
}
