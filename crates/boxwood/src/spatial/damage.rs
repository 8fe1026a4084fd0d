//! Stage *damage*: the part of a picture that differs between two frames.
//!
//! Specification: `boxwood_cpu::spatial::damage`, where the partner of an element is the one with
//! the same index.

use boxwood_cpu::Aabb;
use boxwood_cpu::spatial::TileGrid;
use boxwood_shaders::{Shader, spatial as shaders};

use super::count::{Count, CountBuffer, check};
use super::tiles::TilesConfig;
use super::{SpatialError, SpatialPipelines};
use crate::core::kernel::BoundKernel;
use crate::core::limits::max_binding_size;
use crate::core::program::{RESULT_USAGES, create_buffer, one_binding, uniform};

/// The number of elements that a workgroup compares.
const WORKGROUP_LENGTH: u32 = 256;

/// The maximum number of rectangles, as in `damage_rectangles.wgsl`.
const MAX_RECTANGLES: u32 = 16;

/// The elements of a frame in paint order. Each buffer needs the usage `STORAGE`, and is not
/// changed.
#[derive(Clone, Copy, Debug)]
pub struct FrameBuffers<'a> {
    /// The box of each element, which contains all pixels that it paints: `array<vec4<f32>>`.
    pub boxes: &'a wgpu::Buffer,
    /// A hash of everything else that the pixels of an element depend on: `array<u32>`.
    pub signatures: &'a wgpu::Buffer,
}

/// Two frames to compare.
///
/// An element has the same index in both frames. Where it does not exist, its box is
/// [`Aabb::EMPTY`].
#[derive(Clone, Copy, Debug)]
pub struct DamageDescriptor<'a> {
    /// The old frame and the new one.
    pub frames: [FrameBuffers<'a>; 2],
    /// The number of elements of a frame.
    pub count: Count<'a>,
    /// The maximum number of elements.
    pub capacity: u32,
    /// The tiles of the picture.
    pub grid: TileGrid,
    /// The maximum number of rectangles, from 1 to 16.
    pub max_rectangles: u32,
}

impl<'a> DamageDescriptor<'a> {
    /// Frames of `n` elements, which are also the maximum, and up to 16 rectangles.
    pub fn new(frames: [FrameBuffers<'a>; 2], n: u32, grid: TileGrid) -> Self {
        Self { frames, count: Count::Host(n), capacity: n, grid, max_rectangles: MAX_RECTANGLES }
    }
}

/// The stage with its buffers. Create it once per size.
///
/// It takes a bit per element, and up to 650 KiB for the tiles.
#[derive(Debug)]
pub struct Damage {
    count: CountBuffer,
    changed: wgpu::Buffer,
    tiles: wgpu::Buffer,
    rectangles: wgpu::Buffer,
    n_rectangles: wgpu::Buffer,
    dispatches: [(BoundKernel, u32); 2],
}

impl Damage {
    /// Allocates and binds the buffers.
    ///
    /// # Errors
    ///
    /// [`SpatialError::TooLarge`]
    /// - if a buffer of the caller has no room for `capacity` elements,
    /// - if the picture has more than [`TileGrid::MAX_TILES`] tiles or 2^24 pixels in a direction,
    ///   or
    /// - if there are more than 16 rectangles.
    pub fn new(
        device: &wgpu::Device,
        pipelines: &SpatialPipelines,
        descriptor: &DamageDescriptor<'_>,
    ) -> Result<Self, SpatialError> {
        let DamageDescriptor { frames, count, capacity, grid, max_rectangles } = *descriptor;
        let [old, new] = frames;
        let binding = max_binding_size(&device.limits());
        let need = u64::from(capacity);
        for frame in frames {
            let room = |buffer: &wgpu::Buffer, per_item: usize| buffer.size().min(binding) / per_item as u64;
            check("boxes", need, room(frame.boxes, size_of::<Aabb>()))?;
            check("signatures", need, room(frame.signatures, size_of::<u32>()))?;
        }
        check("rectangles", max_rectangles.into(), MAX_RECTANGLES.into())?;
        let tiles = TilesConfig::new(grid)?;
        let count = CountBuffer::new(device, count, capacity)?;

        let max_rectangles = max_rectangles.max(1);
        let config = TilesConfig { capacity, count_word: count.word, max_rectangles, ..tiles };
        let config = uniform(device, "boxwood.spatial.tiles_config", &config);
        let create = |name: &str, words: u32| {
            // wgpu rejects empty bindings.
            let size = u64::from(words.max(4)) * size_of::<u32>() as u64;
            create_buffer(device, &format!("boxwood.spatial.{name}"), size, RESULT_USAGES)
        };
        let changed = create("changed", capacity.div_ceil(u32::BITS));
        // A row has whole vectors of four words.
        let words_per_row = grid.words_per_row().next_multiple_of(4);
        let touched = create("touched", tiles.n_level_rows() * words_per_row);
        let tiles = create("tiles", grid.words_per_row() * tiles.n_rows);
        let rectangles = create("rectangles", 4 * MAX_RECTANGLES);
        let n_rectangles = create("n_rectangles", 1);
        let bind = |shader: &'static Shader| {
            let buffer = |variable: &str| match variable {
                "config" => &config,
                "counts" => &count.buffer,
                "old_boxes" => old.boxes,
                "new_boxes" => new.boxes,
                "old_signatures" => old.signatures,
                "new_signatures" => new.signatures,
                "changed" => &changed,
                "touched" => &touched,
                "tiles" => &tiles,
                "rectangles" => &rectangles,
                _ => &n_rectangles,
            };
            pipelines.kernels.get(shader).bind_parts(device, |name| one_binding(buffer(name), binding))
        };
        let dispatches = [
            (bind(&shaders::DAMAGE_MARK), capacity.div_ceil(WORKGROUP_LENGTH)),
            (bind(&shaders::DAMAGE_RECTANGLES), 1),
        ];
        Ok(Self { count, changed, tiles, rectangles, n_rectangles, dispatches })
    }

    /// Sets the number of elements of a frame.
    ///
    /// # Errors
    ///
    /// - [`SpatialError::TooLarge`] if it exceeds the capacity.
    /// - [`SpatialError::CountOfCaller`] if it is in a buffer of the caller.
    pub fn set_count(&self, queue: &wgpu::Queue, n: u32) -> Result<(), SpatialError> {
        self.count.set(queue, n)
    }

    /// Records the stage into a compute pass. This does not submit or wait.
    pub fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.push_debug_group("boxwood.damage");
        self.dispatches.iter().for_each(|(kernel, n_workgroups)| kernel.record(pass, *n_workgroups));
        pass.pop_debug_group();
    }

    /// Out: one bit per element, 1 if it changed. The first element is in the lowest bit of the
    /// first word.
    pub fn changed(&self) -> &wgpu::Buffer {
        &self.changed
    }

    /// Out: one bit per tile, 1 if it may differ. A row has [`TileGrid::words_per_row`] words.
    pub fn tiles(&self) -> &wgpu::Buffer {
        &self.tiles
    }

    /// Out: disjoint rectangles in pixels that cover these tiles, as far as they are in the
    /// picture, each as [`Rectangle`](boxwood_cpu::spatial::Rectangle): `array<vec4<u32>>`.
    pub fn rectangles(&self) -> &wgpu::Buffer {
        &self.rectangles
    }

    /// Out: the number of rectangles.
    pub fn n_rectangles(&self) -> Count<'_> {
        Count::Gpu { buffer: &self.n_rectangles, word: 0 }
    }
}

pub(super) fn shaders() -> impl Iterator<Item = &'static Shader> {
    [&shaders::DAMAGE_MARK, &shaders::DAMAGE_RECTANGLES].into_iter()
}
