//! Hiding draw objects behind opaque ones.

use boxwood::spatial::{Count, Covers, Items, Occlusion, SpatialError, TileGrid};
use boxwood::{Aabb, BoundKernel, Context, Kernel};
#[cfg(feature = "testing")]
use boxwood_shaders::Shader;
use boxwood_shaders::vello::{self as shaders, VelloOcclusionGather, VelloOcclusionScatter};
use vello_encoding::{ConfigUniform, Layout};

use super::Compiler;
use super::inner_boxes::inner_boxes;

/// Gives draw objects that later, opaque ones hide an empty box, so that Vello gives them no bins
/// and no tiles. The picture stays the same. The pass runs between Vello's clip stage and
/// `binning`.
///
/// A draw object is opaque if it is a filled rectangle of one colour without transparency. Its
/// sides, and those of all clips around it, must be parallel to the sides of the picture. No layer
/// around it may be transparent, or blended in another way than normally. Everything else hides
/// nothing. A draw object is hidden if each [tile](TileGrid::new) that it touches is covered by
/// such a rectangle.
///
/// Draw objects of any kind are hidden, in any layer: each of them changes only pixels in its box,
/// and the rectangles replace these pixels later.
///
/// | buffer | access | contents |
/// |---|---|---|
/// | `vello_config` | read | `vello_encoding::ConfigUniform` |
/// | `scene` | read | the packed scene, for its draw tags |
/// | `draw_monoids` | read | `vello_encoding::DrawMonoid`, one per draw object |
/// | `path_bboxes` | read, write | `vello_encoding::PathBbox`, one per path. The path of a hidden draw object gets an empty box. |
/// | `clip_bboxes` | read | `vello_encoding::ClipBbox`, one per clip operation |
#[derive(Debug)]
pub struct OcclusionPass {
    context: Context,
    gather: Kernel<VelloOcclusionGather>,
    scatter: Kernel<VelloOcclusionScatter>,
    stage: Option<Stage>,
}

/// The stage for pictures of a size and scenes up to a size, and the bind groups.
#[derive(Debug)]
struct Stage {
    capacity: u32,
    grid: TileGrid,
    inner_boxes: wgpu::Buffer,
    occlusion: Occlusion,
    /// The buffers of Vello that the kernels bind.
    bound: Vec<wgpu::Buffer>,
    gather: BoundKernel,
    scatter: BoundKernel,
}

impl OcclusionPass {
    /// The names of the buffers that the pass binds, in the order in which
    /// [`record_in`](Self::record_in) takes them.
    pub const BUFFERS: [&'static str; 5] =
        ["vello_config", "scene", "draw_monoids", "path_bboxes", "clip_bboxes"];

    /// Vello's names of these buffers.
    pub(crate) const VELLO_BUFFERS: [&'static str; 5] = [
        "vello.config",
        "vello.scene",
        "vello.draw_monoid_buf",
        "vello.path_bbox_buf",
        "vello.clip_bbox_buf",
    ];

    /// Compiles the pass's own shaders. The others are compiled by the first recording.
    pub fn new(device: &wgpu::Device) -> Self {
        Self::compiled(&Compiler { device, source: None })
    }

    /// The same with the source that `source` returns for each shader, for tests that change one.
    #[cfg(feature = "testing")]
    pub fn with_sources(device: &wgpu::Device, source: impl Fn(&Shader) -> String) -> Self {
        Self::compiled(&Compiler { device, source: Some(&source) })
    }

    fn compiled(compiler: &Compiler<'_>) -> Self {
        Self {
            context: Context::new(compiler.device),
            gather: compiler.kernel(&shaders::VELLO_OCCLUSION_GATHER),
            scatter: compiler.kernel(&shaders::VELLO_OCCLUSION_SCATTER),
            stage: None,
        }
    }

    /// Records the pass into a compute pass of the caller, for a packed `scene` that is drawn with
    /// `config`. Nothing is recorded if no draw object of the scene is opaque.
    ///
    /// `buffers` are those that [`BUFFERS`](Self::BUFFERS) names. The bind groups are kept as long
    /// as `buffers` and the size of the picture stay the same. The pass writes to `queue`, so two
    /// recordings need two submissions.
    ///
    /// # Errors
    ///
    /// [`SpatialError`] if the scene has more draw objects than a buffer of the device can hold.
    /// Nothing is recorded then.
    ///
    /// # Panics
    ///
    /// If the number of buffers is wrong.
    pub fn record_in(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        pass: &mut wgpu::ComputePass<'_>,
        scene: &[u32],
        config: &ConfigUniform,
        buffers: &[wgpu::Buffer],
    ) -> Result<(), SpatialError> {
        let Layout { n_draw_objects: n, .. } = config.layout;
        let Some(inner) = inner_boxes(scene, &config.layout) else { return Ok(()) };
        let grid = TileGrid::new(config.target_width, config.target_height);
        let kept = self.stage.take();
        let kept = kept.filter(|kept| kept.capacity >= n && kept.grid == grid && kept.bound == buffers);
        let stage = match kept {
            Some(kept) => kept,
            None => self.stage(device, n, grid, buffers)?,
        };
        queue.write_buffer(&stage.inner_boxes, 0, bytemuck::cast_slice(&inner));
        stage.occlusion.set_count(queue, n)?;
        let n_workgroups = n.div_ceil(shaders::VELLO_OCCLUSION_GATHER.workgroup_size[0]);
        stage.gather.record(pass, n_workgroups);
        stage.occlusion.record(pass);
        stage.scatter.record(pass, n_workgroups);
        self.stage = Some(stage);
        Ok(())
    }

    fn stage(
        &self,
        device: &wgpu::Device,
        n: u32,
        grid: TileGrid,
        buffers: &[wgpu::Buffer],
    ) -> Result<Stage, SpatialError> {
        let [vello_config, scene, draw_monoids, path_bboxes, clip_bboxes] = buffers else {
            panic!("the pass binds {:?}", Self::BUFFERS);
        };
        // Powers of two: scenes that grow a little do not need new buffers every frame.
        let room = boxwood::max_binding_size(&device.limits()) / size_of::<Aabb>() as u64;
        let capacity = n.max(u32::try_from(u64::from(n.next_power_of_two()).min(room)).unwrap_or(n));
        let [boxes, inner_boxes] = ["boxes", "inner_boxes"].map(|name| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(&format!("boxwood.vello.{name}")),
                size: u64::from(capacity) * size_of::<Aabb>() as u64,
                usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        });
        let items = Items { buffer: &inner_boxes, count: Count::Host(n), capacity };
        let covers = Covers::Tiles { inner_boxes: items, grid };
        let occlusion = Occlusion::new(&self.context, &boxes, covers)?;
        let visible = occlusion.visible();
        let gather = VelloOcclusionGather {
            vello_config,
            scene,
            draw_monoids,
            path_bboxes,
            clip_bboxes,
            boxes: &boxes,
        };
        let scatter = VelloOcclusionScatter { vello_config, scene, draw_monoids, visible, path_bboxes };
        let (gather, scatter) = (self.gather.bind(device, gather), self.scatter.bind(device, scatter));
        let bound = buffers.to_vec();
        Ok(Stage { capacity, grid, inner_boxes, occlusion, bound, gather, scatter })
    }
}
