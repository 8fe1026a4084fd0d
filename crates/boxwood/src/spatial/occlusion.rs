//! Stage *occlusion*: the elements that later, opaque elements hide.
//!
//! Specification: `boxwood_cpu::spatial::visible`.

use boxwood_cpu::Aabb;
use boxwood_cpu::spatial::TileGrid;
use boxwood_shaders::{Shader, spatial as shaders};

use super::count::{Count, CountBuffer, check};
use super::result::result_buffer;
use super::tiles::TilesConfig;
use super::{SpatialError, SpatialPipelines};
use crate::core::kernel::BoundKernel;
use crate::core::limits::max_binding_size;
use crate::core::program::{one_binding, uniform};

/// The number of elements of a workgroup.
const WORKGROUP_LENGTH: u32 = 256;

/// The elements of a picture in paint order. Each buffer needs the usage `STORAGE`, and is not
/// changed.
#[derive(Clone, Copy, Debug)]
pub struct OcclusionDescriptor<'a> {
    /// The boxes of the elements, which contain all pixels that they paint: `array<vec4<f32>>`.
    pub boxes: &'a wgpu::Buffer,
    /// The parts of them where an element surely replaces everything below it, `array<vec4<f32>>`:
    /// the clipped rectangle of an opaque one, and [`Aabb::EMPTY`] for most others. Elements of an
    /// isolated group must not cover anything outside of it.
    pub inner_boxes: &'a wgpu::Buffer,
    /// The number of elements.
    pub count: Count<'a>,
    /// The maximum number of elements.
    pub capacity: u32,
    /// The tiles of the picture.
    pub grid: TileGrid,
}

/// The stage with its buffers. Create it once per size.
///
/// It takes a bit per element, and 3.2 MB for the tiles of 1920 x 1080 pixels or up to 42 MB for
/// those of 4096 x 4096 pixels.
#[derive(Debug)]
pub struct Occlusion {
    count: CountBuffer,
    visible: wgpu::Buffer,
    dispatches: [(BoundKernel, u32); 5],
}

impl Occlusion {
    /// Allocates and binds the buffers.
    ///
    /// # Errors
    ///
    /// - [`SpatialError::TooLarge`] if a buffer of the caller has no room for `capacity` elements.
    /// - [`SpatialError::OutOfRange`] if the picture has more than [`TileGrid::MAX_TILES`] tiles or
    ///   2^24 pixels in a direction.
    pub fn new(
        device: &wgpu::Device,
        pipelines: &SpatialPipelines,
        descriptor: &OcclusionDescriptor<'_>,
    ) -> Result<Self, SpatialError> {
        let OcclusionDescriptor { boxes, inner_boxes, count, capacity, grid } = *descriptor;
        let binding = max_binding_size(&device.limits());
        let room = |buffer: &wgpu::Buffer| buffer.size().min(binding) / size_of::<Aabb>() as u64;
        check("boxes", capacity.into(), room(boxes))?;
        check("inner_boxes", capacity.into(), room(inner_boxes))?;
        let tiles = TilesConfig::new(grid)?;
        let count = CountBuffer::new(device, count, capacity)?;

        let config = TilesConfig { capacity, count_word: count.word, ..tiles };
        let config = uniform(device, "boxwood.spatial.tiles_config", &config);
        let create = |name: &str, words: u32| result_buffer::<u32>(device, name, words);
        let visible = create("visible", capacity.div_ceil(u32::BITS));
        let [covers, least] =
            ["covers", "least"].map(|name| create(name, tiles.n_level_rows() * tiles.n_columns));
        let bind = |shader: &'static Shader| {
            let buffer = |variable: &str| match variable {
                "config" => &config,
                "counts" => &count.buffer,
                "boxes" => boxes,
                "inner_boxes" => inner_boxes,
                "covers" => &covers,
                "least" => &least,
                _ => &visible,
            };
            pipelines.kernels.get(shader).bind_parts(device, |name| one_binding(buffer(name), binding))
        };
        let n_element_workgroups = capacity.div_ceil(WORKGROUP_LENGTH);
        let n_rows = tiles.n_row_levels * tiles.n_rows;
        let dispatches = [
            (bind(&shaders::OCCLUSION_COVER), n_element_workgroups),
            (bind(&shaders::OCCLUSION_PUSH_COLUMNS), n_rows),
            (bind(&shaders::OCCLUSION_PUSH_ROWS), tiles.n_columns),
            (bind(&shaders::OCCLUSION_LEAST), n_rows),
            (bind(&shaders::OCCLUSION_TEST), n_element_workgroups),
        ];
        Ok(Self { count, visible, dispatches })
    }

    /// Sets the number of elements.
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
        pass.push_debug_group("boxwood.occlusion");
        self.dispatches.iter().for_each(|(kernel, n_workgroups)| kernel.record(pass, *n_workgroups));
        pass.pop_debug_group();
    }

    /// Out: one bit per element, 1 if it may be visible: if it touches a tile that no later element
    /// covers. It is the input of [`Predicate::Mask`](super::Predicate::Mask).
    pub fn visible(&self) -> &wgpu::Buffer {
        &self.visible
    }
}

pub(super) fn shaders() -> impl Iterator<Item = &'static Shader> {
    [
        &shaders::OCCLUSION_COVER,
        &shaders::OCCLUSION_PUSH_COLUMNS,
        &shaders::OCCLUSION_PUSH_ROWS,
        &shaders::OCCLUSION_LEAST,
        &shaders::OCCLUSION_TEST,
    ]
    .into_iter()
}
