//! Stage *occlusion*: the elements that later, opaque elements hide.
//!
//! Specification: `boxwood_cpu::specification::spatial::{visible, visible_by_boxes}`.

use boxwood_cpu::Aabb;
use boxwood_cpu::specification::spatial::TileGrid;
use boxwood_shaders::{Shader, spatial as shaders};
use bytemuck::Zeroable as _;

use super::SpatialError;
use super::check::check_input;
use super::count::{CountBuffer, Items};
use super::index::{Index, IndexConfig, WALKS_PER_WORKGROUP};
use super::result::{no_buffer, result_buffer};
use super::tiles::TilesConfig;
use crate::core::context::Context;
use crate::core::kernel::BoundKernel;
use crate::core::limits::{WORKGROUP_SIZE, max_binding_size};
use crate::core::program::{one_binding, uniform};

/// What hides an element: the inner boxes of later elements. The inner box of an element is the
/// part of its box where it surely replaces everything below it. It is the clipped rectangle of an
/// opaque element, and [`Aabb::EMPTY`] for most others. If edges are anti-aliased, round it inward
/// to whole pixels.
///
/// The two algorithms hide different elements.
#[derive(Clone, Copy, Debug)]
pub enum Covers<'a> {
    /// All later inner boxes together, of which only whole tiles count. The time depends on the
    /// size of the picture rather than on the boxes.
    Tiles {
        /// The inner boxes of the elements, `array<vec4<f32>>`, as many as there are elements.
        /// Elements of an isolated group must not cover anything outside of it.
        inner_boxes: Items<'a>,
        /// The tiles of the picture.
        grid: TileGrid,
    },
    /// A single later inner box that contains the box of the element, exactly. There is no picture,
    /// so elements outside of it must have empty boxes to be hidden.
    Boxes {
        /// A tree over the inner boxes of the elements, as many as there are elements. Record it
        /// before this stage.
        inner_boxes: &'a Index,
        /// The index of the first element of the innermost isolated group around each element, or 0
        /// without a group: `array<u32>`. The elements of a group must be in a row. An element
        /// covers nothing outside of its group. If an element stands for the group itself, such as
        /// a begin with the group box, it is outside of the group, which starts after it.
        scope_starts: Option<&'a wgpu::Buffer>,
    },
}

/// The stage with its buffers. Create it once per size.
///
/// It takes a bit per element. Tiles take 3.2 MB for 1920 x 1080 pixels or up to 42 MB for those of
/// 4096 x 4096 pixels.
#[derive(Debug)]
pub struct Occlusion {
    count: CountBuffer,
    visible: wgpu::Buffer,
    dispatches: Vec<(BoundKernel, u32)>,
}

impl Occlusion {
    /// Allocates and binds the buffers.
    ///
    /// `boxes` has the box of each element in paint order, `array<vec4<f32>>`. The box contains all
    /// pixels that the element paints. The number of elements is that of `covers`.
    ///
    /// # Errors
    ///
    /// - [`SpatialError::TooLarge`] if a buffer of the caller has no room for its elements, or the
    ///   picture has more tiles than a shader can bind.
    /// - [`SpatialError::OutOfRange`] if the picture has more than [`TileGrid::MAX_TILES`] tiles or
    ///   2^24 pixels in a direction.
    /// - [`SpatialError::TooManyRounds`] on a software adapter, if the tree is so large that a walk
    ///   could be cut off there.
    pub fn new(context: &Context, boxes: &wgpu::Buffer, covers: Covers<'_>) -> Result<Self, SpatialError> {
        let device = context.device();
        let binding = max_binding_size(&device.limits());
        match covers {
            Covers::Tiles { inner_boxes, grid } => {
                check_input::<Aabb>("boxes", boxes, inner_boxes.capacity, binding)?;
                inner_boxes.check::<Aabb>("inner_boxes", binding)?;
                let tiles = TilesConfig::new(grid)?;
                let count = inner_boxes.count_buffer(device)?;
                Self::by_tiles(context, boxes, inner_boxes.buffer, count, tiles)
            }
            Covers::Boxes { inner_boxes, scope_starts } => {
                let capacity = inner_boxes.count.capacity();
                check_input::<Aabb>("boxes", boxes, capacity, binding)?;
                if let Some(starts) = scope_starts {
                    check_input::<u32>("scope_starts", starts, capacity, binding)?;
                }
                inner_boxes.check_walk(device)?;
                let count = CountBuffer::new(device, inner_boxes.count.shared(), capacity)?;
                Self::by_boxes(context, boxes, inner_boxes, scope_starts, count)
            }
        }
    }

    fn by_tiles(
        context: &Context,
        boxes: &wgpu::Buffer,
        inner_boxes: &wgpu::Buffer,
        count: CountBuffer,
        tiles: TilesConfig,
    ) -> Result<Self, SpatialError> {
        let device = context.device();
        let capacity = count.capacity();
        let config = TilesConfig { capacity, count_word: count.word, ..tiles };
        let config = uniform(device, "boxwood.spatial.tiles_config", &config);
        let visible = visible_bits(device, capacity)?;
        let create = |name: &'static str| {
            let n_words = u64::from(tiles.n_level_rows()) * u64::from(tiles.n_columns);
            result_buffer::<u32>(device, name, n_words)
        };
        let [covers, least] = [create("covers")?, create("least")?];
        let binding = max_binding_size(&device.limits());
        let bind = |shader: &'static Shader| {
            let buffer = |variable: &str| match variable {
                "config" => &config,
                "item_counts" => &count.buffer,
                "boxes" => boxes,
                "inner_boxes" => inner_boxes,
                "covers" => &covers,
                "least" => &least,
                "visible" => &visible,
                other => no_buffer(other),
            };
            context.kernel(shader).bind_parts(device, |name| one_binding(buffer(name), binding))
        };
        let n_element_workgroups = capacity.div_ceil(WORKGROUP_SIZE);
        let n_rows = tiles.n_row_levels * tiles.n_rows;
        let dispatches = vec![
            (bind(&shaders::OCCLUSION_COVER), n_element_workgroups),
            (bind(&shaders::OCCLUSION_PUSH_COLUMNS), n_rows),
            (bind(&shaders::OCCLUSION_PUSH_ROWS), tiles.n_columns),
            (bind(&shaders::OCCLUSION_LEAST), n_rows),
            (bind(&shaders::OCCLUSION_TEST), n_element_workgroups),
        ];
        Ok(Self { count, visible, dispatches })
    }

    fn by_boxes(
        context: &Context,
        boxes: &wgpu::Buffer,
        inner_boxes: &Index,
        scope_starts: Option<&wgpu::Buffer>,
        count: CountBuffer,
    ) -> Result<Self, SpatialError> {
        let device = context.device();
        let capacity = count.capacity();
        let config = IndexConfig { capacity, count_word: count.word, ..IndexConfig::zeroed() };
        let config = uniform(device, "boxwood.spatial.index_config", &config);
        let visible = visible_bits(device, capacity)?;
        let binding = max_binding_size(&device.limits());
        let buffer = |variable: &str| match variable {
            "config" => &config,
            "item_counts" => &count.buffer,
            "boxes" => boxes,
            "scope_starts" => scope_starts.unwrap_or(boxes),
            "visible" => &visible,
            other => inner_boxes.buffer(other),
        };
        let kernel = context.kernel(shader_of_boxes(scope_starts.is_some()));
        let kernel = kernel.bind_parts(device, |name| one_binding(buffer(name), binding));
        let dispatches = vec![(kernel, capacity.div_ceil(WALKS_PER_WORKGROUP))];
        Ok(Self { count, visible, dispatches })
    }

    /// Sets the number of elements.
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
        pass.push_debug_group("boxwood.occlusion");
        self.dispatches.iter().for_each(|(kernel, n_workgroups)| kernel.record(pass, *n_workgroups));
        pass.pop_debug_group();
    }

    /// Out: one bit per element, 1 if it may be visible. It is the input of
    /// [`Predicate::Mask`](super::Predicate::Mask).
    ///
    /// | covers | an element may be visible if |
    /// |---|---|
    /// | [`Tiles`](Covers::Tiles) | it touches a tile of the picture that no later inner box covers |
    /// | [`Boxes`](Covers::Boxes) | its box is not empty, and no later inner box of its group or of one around it contains it |
    pub fn visible(&self) -> &wgpu::Buffer {
        &self.visible
    }
}

fn visible_bits(device: &wgpu::Device, capacity: u32) -> Result<wgpu::Buffer, SpatialError> {
    result_buffer::<u32>(device, "visible", capacity.div_ceil(u32::BITS))
}

fn shader_of_boxes(has_scopes: bool) -> &'static Shader {
    if has_scopes { &shaders::OCCLUSION_BOXES_SCOPES } else { &shaders::OCCLUSION_BOXES }
}
