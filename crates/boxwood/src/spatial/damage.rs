//! Stage *damage*: the part of a picture that differs between two frames.
//!
//! Specification: `boxwood_cpu::specification::spatial::damage`.

use boxwood_cpu::Aabb;
use boxwood_cpu::specification::spatial::TileGrid;
use boxwood_shaders::{Shader, spatial as shaders};

use super::SpatialError;
use super::check::{check_input, check_range};
use super::count::{Count, CountBuffer, Items};
use super::result::{no_buffer, result_buffer};
use super::tiles::TilesConfig;
use crate::core::context::Context;
use crate::core::kernel::BoundKernel;
use crate::core::limits::{WORKGROUP_SIZE, max_binding_size};
use crate::core::program::{one_binding, uniform};

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
    count: CountBuffer,
    old_count: Option<CountBuffer>,
    changed: wgpu::Buffer,
    vanished: wgpu::Buffer,
    tiles: wgpu::Buffer,
    rectangles: wgpu::Buffer,
    n_rectangles: wgpu::Buffer,
    dispatches: Vec<(BoundKernel, u32)>,
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
        let device = context.device();
        let binding = max_binding_size(&device.limits());
        let [old_capacity, capacity] = [old, new].map(|frame| frame.boxes.capacity);
        check([old, new], partners, max_rectangles, binding)?;
        let tiles = TilesConfig::new(grid)?;
        let count = new.boxes.count_buffer(device)?;
        let old_count = partners.map(|_| old.boxes.count_buffer(device)).transpose()?;

        let max_rectangles = max_rectangles.max(1);
        let old_count_word = old_count.as_ref().map_or(0, |count| count.word);
        let tiles_config = TilesConfig {
            capacity,
            count_word: count.word,
            max_rectangles,
            old_capacity,
            old_count_word,
            ..tiles
        };
        let config = uniform(device, "boxwood.spatial.tiles_config", &tiles_config);
        // For the dispatch whose items are the elements of the old frame.
        let old_config = TilesConfig { capacity: old_capacity, count_word: old_count_word, ..tiles_config };
        let old_config = uniform(device, "boxwood.spatial.tiles_config", &old_config);
        let create = |name: &'static str, words: u32| result_buffer::<u32>(device, name, words);
        let changed = create("changed", capacity.div_ceil(u32::BITS))?;
        let n_with_partners = |n: u32| if partners.is_some() { n } else { 0 };
        let old_words = n_with_partners(old_capacity.div_ceil(u32::BITS));
        let [vanished, has_partner] = [create("vanished", old_words)?, create("has_partner", old_words)?];
        let partner_ordinals = create("partner_ordinals", n_with_partners(capacity))?;
        let n_workgroups = capacity.div_ceil(WORKGROUP_SIZE);
        let last_ordinals = create("last_ordinals", n_with_partners(n_workgroups))?;
        // A row has whole vectors of four words.
        let words_per_row = grid.words_per_row().next_multiple_of(4);
        let touched = create("touched", tiles.n_level_rows() * words_per_row)?;
        let tiles = create("tiles", grid.words_per_row() * tiles.n_rows)?;
        let rectangles = create("rectangles", 4 * MAX_RECTANGLES)?;
        let n_rectangles = create("n_rectangles", 1)?;
        let bind = |shader: &'static Shader| {
            let is_of_old = std::ptr::eq(shader, &shaders::DAMAGE_VANISHED);
            let old_counts = old_count.as_ref().map_or(&count.buffer, |count| &count.buffer);
            let buffer = |variable: &str| match variable {
                "config" if is_of_old => &old_config,
                "config" => &config,
                "item_counts" if !is_of_old => &count.buffer,
                "item_counts" | "old_counts" => old_counts,
                "partners" => partners.unwrap_or(&changed),
                "partner_ordinals" => &partner_ordinals,
                "last_ordinals" => &last_ordinals,
                "has_partner" => &has_partner,
                "vanished" => &vanished,
                "old_boxes" => old.boxes.buffer,
                "new_boxes" => new.boxes.buffer,
                "old_signatures" => old.signatures,
                "new_signatures" => new.signatures,
                "changed" => &changed,
                "touched" => &touched,
                "tiles" => &tiles,
                "rectangles" => &rectangles,
                "n_rectangles" => &n_rectangles,
                other => no_buffer(other),
            };
            context.kernel(shader).bind_parts(device, |name| one_binding(buffer(name), binding))
        };
        let mut dispatches = Vec::new();
        if partners.is_some() {
            dispatches.push((bind(&shaders::DAMAGE_PARTNERS), n_workgroups));
            dispatches.push((bind(&shaders::DAMAGE_ORDER), n_workgroups));
            dispatches.push((bind(&shaders::DAMAGE_MARK_PARTNERS), n_workgroups));
            dispatches.push((bind(&shaders::DAMAGE_VANISHED), old_capacity.div_ceil(WORKGROUP_SIZE)));
        } else {
            dispatches.push((bind(&shaders::DAMAGE_MARK), n_workgroups));
        }
        dispatches.push((bind(&shaders::DAMAGE_RECTANGLES), 1));
        Ok(Self { count, old_count, changed, vanished, tiles, rectangles, n_rectangles, dispatches })
    }

    /// Sets the number of elements of the new frame, and without partners that of the old one.
    ///
    /// # Errors
    ///
    /// - [`SpatialError::AboveCapacity`] if it exceeds the capacity.
    /// - [`SpatialError::CountOfCaller`] if it is in a buffer of the caller.
    pub fn set_count(&self, queue: &wgpu::Queue, n: u32) -> Result<(), SpatialError> {
        self.count.set(queue, n)
    }

    /// Sets the number of elements of the old frame.
    ///
    /// # Errors
    ///
    /// The same as for [`set_count`](Self::set_count), and [`SpatialError::NoPartners`] without
    /// partners.
    pub fn set_old_count(&self, queue: &wgpu::Queue, n: u32) -> Result<(), SpatialError> {
        self.old_count.as_ref().ok_or(SpatialError::NoPartners)?.set(queue, n)
    }

    /// Records the stage into a compute pass. This does not submit or wait.
    pub fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.push_debug_group("boxwood.damage");
        self.dispatches.iter().for_each(|(kernel, n_workgroups)| kernel.record(pass, *n_workgroups));
        pass.pop_debug_group();
    }

    /// Out: one bit per element of the new frame, 1 if it changed. The first element is in the
    /// lowest bit of the first word.
    pub fn changed(&self) -> &wgpu::Buffer {
        &self.changed
    }

    /// Out: one bit per element of the old frame, 1 if it has no partner. Without partners, no
    /// element vanishes, and the buffer is smaller.
    pub fn vanished(&self) -> &wgpu::Buffer {
        &self.vanished
    }

    /// Out: one bit per tile, 1 if it may differ. A row has [`TileGrid::words_per_row`] words.
    pub fn tiles(&self) -> &wgpu::Buffer {
        &self.tiles
    }

    /// Out: disjoint rectangles in pixels that cover these tiles, as far as they are in the
    /// picture, each as [`Rectangle`](boxwood_cpu::specification::spatial::Rectangle):
    /// `array<vec4<u32>>`.
    pub fn rectangles(&self) -> &wgpu::Buffer {
        &self.rectangles
    }

    /// Out: the number of rectangles.
    pub fn n_rectangles(&self) -> Count<'_> {
        Count::Gpu { buffer: &self.n_rectangles, word: 0 }
    }
}

/// Checks the inputs, except the picture.
fn check(
    [old, new]: [FrameBuffers<'_>; 2],
    partners: Option<&wgpu::Buffer>,
    max_rectangles: u32,
    binding: u64,
) -> Result<(), SpatialError> {
    for FrameBuffers { boxes, signatures } in [old, new] {
        boxes.check::<Aabb>("boxes", binding)?;
        check_input::<u32>("signatures", signatures, boxes.capacity, binding)?;
    }
    if let Some(partners) = partners {
        check_input::<u32>("partners", partners, new.boxes.capacity, binding)?;
    } else if (old.boxes.count, old.boxes.capacity) != (new.boxes.count, new.boxes.capacity) {
        // The shader has one number of elements for both frames.
        return Err(SpatialError::NoPartners);
    }
    check_range("max_rectangles", max_rectangles, MAX_RECTANGLES)
}
