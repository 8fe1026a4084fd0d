//! Stage *damage*: the part of a picture that differs between two frames.
//!
//! Specification: `boxwood_cpu::specification::spatial::damage`.

use boxwood_cpu::Aabb;
use boxwood_cpu::specification::spatial::TileGrid;
use boxwood_shaders::spatial::{
    DamageMark, DamageMarkPartners, DamageOrder, DamagePartners, DamageRectangles, DamageVanished,
};

use super::check::check_range;
use super::count::{Count, CountSlot, Counted, Items};
use super::error::SpatialError;
use super::stage::{Stage, stage_methods};
use super::tiles::TilesConfig;
use crate::core::context::Context;
use crate::core::limits::WORKGROUP_SIZE;
use crate::core::plan::{Plan, Slot};

/// The maximum number of rectangles, as in `damage_rectangles.wgsl`.
const MAX_RECTANGLES: u32 = 16;

/// The elements of a frame in paint order.
#[derive(Clone, Copy, Debug)]
pub struct FrameBuffers<'a> {
    /// The box of each element, which contains all pixels that it paints: `array<vec4<f32>>`.
    pub boxes: Items<'a>,
    /// A hash of everything else that the pixels of an element depend on: `array<u32>`.
    pub signatures: &'a wgpu::Buffer,
}

/// The stage with its buffers. Create it once per size.
///
/// It takes a bit per element, 4 more bytes with partners, and up to 650 KiB for the tiles.
#[derive(Debug)]
pub struct Damage {
    stage: Stage,
    old_count: Option<CountSlot>,
    changed: Slot,
    vanished: Slot,
    tiles: Slot,
    rectangles: Slot,
    n_rectangles: Slot,
}

/// A frame in a plan.
#[derive(Clone, Copy)]
struct Frame {
    boxes: Counted,
    signatures: Slot,
}

impl FrameBuffers<'_> {
    fn add_to(self, context: &Context, plan: &mut Plan<u32>) -> Result<Frame, SpatialError> {
        let Self { boxes, signatures } = self;
        let counted = boxes.add_to::<Aabb>(context, plan, "boxes")?;
        let signatures = plan.given::<u32>("signatures", signatures, boxes.capacity);
        Ok(Frame { boxes: counted, signatures })
    }
}

impl Damage {
    /// Allocates and binds the buffers for an old frame and a new one.
    ///
    /// `partners` has the index in the old frame of each element of the new one, `array<u32>`. An
    /// index that does not exist, such as
    /// [`NO_PARTNER`](boxwood_cpu::specification::spatial::NO_PARTNER), is none. Without partners,
    /// an element has the same index in both frames, which have the same count and capacity. Where
    /// it does not exist, its box is [`Aabb::EMPTY`].
    ///
    /// There are up to `max_rectangles` rectangles, from 1 to 16. 0 counts as 1.
    ///
    /// # Errors
    ///
    /// - [`SpatialError::NoPartners`] if the frames differ in their counts or capacities, and there
    ///   are no partners. Counts on the GPU differ unless they are the same word of a buffer.
    /// - [`SpatialError::TooLarge`] if a buffer of the caller has no room for its elements, or the
    ///   picture has more tiles than a shader can bind.
    /// - [`SpatialError::OutOfRange`] if the picture has more than [`TileGrid::MAX_TILES`] tiles or
    ///   2^24 pixels in a direction, or if there are more than 16 rectangles.
    pub fn new(
        context: &Context,
        [old, new]: [FrameBuffers<'_>; 2],
        partners: Option<&wgpu::Buffer>,
        grid: TileGrid,
        max_rectangles: u32,
    ) -> Result<Self, SpatialError> {
        check_range("max_rectangles", max_rectangles, MAX_RECTANGLES)?;
        if partners.is_none()
            && (old.boxes.count, old.boxes.capacity) != (new.boxes.count, new.boxes.capacity)
        {
            // The shader has one number of elements for both frames.
            return Err(SpatialError::NoPartners);
        }
        let tiles_config = TilesConfig::new(grid)?;
        let mut plan = Plan::new("boxwood.spatial", ());
        let old = old.add_to(context, &mut plan)?;
        let new = new.add_to(context, &mut plan)?;
        let (count, old_count) = (new.boxes.count, old.boxes.count);
        let partners = partners.map(|partners| plan.given::<u32>("partners", partners, count.capacity));
        let tiles_config = TilesConfig {
            capacity: count.capacity,
            count_word: count.word,
            max_rectangles: max_rectangles.max(1),
            old_capacity: old_count.capacity,
            old_count_word: old_count.word,
            ..tiles_config
        };
        let config = plan.uniform("tiles_config", &tiles_config);
        // A row has whole vectors of four words.
        let words_per_row = grid.words_per_row().next_multiple_of(4);
        let changed = plan.buffer::<u32>("changed", count.capacity.div_ceil(u32::BITS));
        let touched = plan.buffer::<u32>("touched", tiles_config.n_level_rows() * words_per_row);
        let tiles = plan.buffer::<u32>("tiles", grid.words_per_row() * tiles_config.n_rows);
        let rectangles = plan.buffer::<[u32; 4]>("rectangles", MAX_RECTANGLES);
        let n_rectangles = plan.buffer::<u32>("n_rectangles", 1_u32);
        let marks = Marks { config, frames: [old, new], changed, touched };
        plan.begin("boxwood.damage");
        let vanished = match partners {
            Some(partners) => marks.plan_partners(&mut plan, partners, &tiles_config),
            None => marks.plan(&mut plan),
        };
        plan.dispatch(DamageRectangles { config, touched, tiles, rectangles, n_rectangles }, 1);
        plan.end();
        let (stage, old_count) = (Stage::new(context, plan, count)?, partners.map(|_| old_count));
        Ok(Self { stage, old_count, changed, vanished, tiles, rectangles, n_rectangles })
    }

    stage_methods!("elements of the new frame, and without partners that of the old one");

    /// Sets the number of elements of the old frame.
    ///
    /// # Errors
    ///
    /// The same as for [`set_count`](Self::set_count), and [`SpatialError::NoPartners`] without
    /// partners.
    pub fn set_old_count(&self, queue: &wgpu::Queue, n: u32) -> Result<(), SpatialError> {
        self.stage.set(queue, self.old_count.ok_or(SpatialError::NoPartners)?, n)
    }

    /// Out: one bit per element of the new frame, 1 if it changed. The first element is in the
    /// lowest bit of the first word.
    pub fn changed(&self) -> &wgpu::Buffer {
        &self.stage[self.changed]
    }

    /// Out: one bit per element of the old frame, 1 if it has no partner. Without partners, no
    /// element vanishes, and the buffer is smaller.
    pub fn vanished(&self) -> &wgpu::Buffer {
        &self.stage[self.vanished]
    }

    /// Out: one bit per tile, 1 if it may differ. A row has [`TileGrid::words_per_row`] words.
    pub fn tiles(&self) -> &wgpu::Buffer {
        &self.stage[self.tiles]
    }

    /// Out: disjoint rectangles in pixels that cover these tiles, as far as they are in the
    /// picture, each as [`Rectangle`](boxwood_cpu::specification::spatial::Rectangle):
    /// `array<vec4<u32>>`.
    pub fn rectangles(&self) -> &wgpu::Buffer {
        &self.stage[self.rectangles]
    }

    /// Out: the number of rectangles.
    pub fn n_rectangles(&self) -> Count<'_> {
        Count::Gpu { buffer: &self.stage[self.n_rectangles], word: 0 }
    }
}

/// The buffers of the dispatches that mark what differs, in a plan.
#[derive(Clone, Copy)]
struct Marks {
    config: Slot,
    /// The old frame and the new one.
    frames: [Frame; 2],
    changed: Slot,
    touched: Slot,
}

impl Marks {
    /// Adds the dispatch for elements with the same index in both frames. Returns the elements that
    /// vanish, of which there are none.
    fn plan(self, plan: &mut Plan<u32>) -> Slot {
        let Self { config, frames: [old, new], changed, touched } = self;
        let count = new.boxes.count;
        let mark = DamageMark {
            config,
            item_counts: count.buffer,
            old_boxes: old.boxes.items,
            new_boxes: new.boxes.items,
            old_signatures: old.signatures,
            new_signatures: new.signatures,
            changed,
            touched,
        };
        plan.dispatch(mark, count.capacity.div_ceil(WORKGROUP_SIZE));
        plan.buffer::<u32>("vanished", 0_u32)
    }

    /// Adds the dispatches for elements with partners. Returns the elements that vanish.
    fn plan_partners(self, plan: &mut Plan<u32>, partners: Slot, tiles_config: &TilesConfig) -> Slot {
        let Self { config, frames: [old, new], changed, touched } = self;
        let (count, old_count) = (new.boxes.count, old.boxes.count);
        let item_counts = count.buffer;
        let n_workgroups = count.capacity.div_ceil(WORKGROUP_SIZE);
        let [vanished, has_partner] = ["vanished", "has_partner"]
            .map(|name| plan.buffer::<u32>(name, old_count.capacity.div_ceil(u32::BITS)));
        let partner_ordinals = plan.buffer::<u32>("partner_ordinals", count.capacity);
        let last_ordinals = plan.buffer::<u32>("last_ordinals", n_workgroups);
        let find = DamagePartners {
            config,
            item_counts,
            old_counts: old_count.buffer,
            partners,
            partner_ordinals,
            last_ordinals,
            has_partner,
        };
        plan.dispatch(find, n_workgroups);
        let order = DamageOrder { config, item_counts, partner_ordinals, last_ordinals, changed };
        plan.dispatch(order, n_workgroups);
        let mark = DamageMarkPartners {
            config,
            item_counts,
            old_boxes: old.boxes.items,
            new_boxes: new.boxes.items,
            old_signatures: old.signatures,
            new_signatures: new.signatures,
            changed,
            touched,
            partner_ordinals,
        };
        plan.dispatch(mark, n_workgroups);
        // The items of this dispatch are the elements of the old frame.
        let old_config =
            TilesConfig { capacity: old_count.capacity, count_word: old_count.word, ..*tiles_config };
        let vanish = DamageVanished {
            config: plan.uniform("tiles_config", &old_config),
            item_counts: old_count.buffer,
            old_boxes: old.boxes.items,
            has_partner,
            vanished,
            touched,
        };
        plan.dispatch(vanish, old_count.capacity.div_ceil(WORKGROUP_SIZE));
        vanished
    }
}
