//! Hiding draw objects behind opaque ones.

use boxwood::spatial::{Count, Covers, Items, Occlusion, SpatialError, TileGrid};
use boxwood::{Aabb, Context, Plan, Program, Slot};
use boxwood_shaders::vello::{VelloOcclusionGather, VelloOcclusionScatter};
use vello_encoding::{ConfigUniform, Layout};

use super::inner_boxes::inner_boxes;
use super::{FrameSize, Grid, add_all};

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
    stage: Option<Stage>,
}

/// The stage for pictures of a size and scenes up to a size, and the bind groups.
#[derive(Debug)]
struct Stage {
    capacity: u32,
    grid: TileGrid,
    /// The buffers of Vello that the dispatches bind.
    bound: Vec<wgpu::Buffer>,
    gather: Program<Grid>,
    /// The pixels that draw objects replace, among the buffers of `gather`.
    inner_boxes: Slot,
    occlusion: Occlusion,
    scatter: Program<Grid>,
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

    /// A pass with the shaders of `context`. The first recording compiles them.
    pub fn new(context: &Context) -> Self {
        Self { context: context.clone(), stage: None }
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
        let mut stage = match kept {
            Some(kept) => kept,
            None => Stage::new(&self.context, n, grid, buffers)?,
        };
        queue.write_buffer(&stage.gather[stage.inner_boxes], 0, bytemuck::cast_slice(&inner));
        stage.occlusion.set_count(queue, n)?;
        let size = FrameSize { n_items: n, ..FrameSize::default() };
        stage.gather.set_size(queue, size);
        stage.scatter.set_size(queue, size);
        stage.gather.record(pass);
        stage.occlusion.record(pass);
        stage.scatter.record(pass);
        self.stage = Some(stage);
        Ok(())
    }
}

impl Stage {
    fn new(
        context: &Context,
        n: u32,
        grid: TileGrid,
        buffers: &[wgpu::Buffer],
    ) -> Result<Self, SpatialError> {
        // Powers of two: scenes that grow a little do not need new buffers every frame.
        let room = boxwood::max_binding_size(&context.device().limits()) / size_of::<Aabb>() as u64;
        let capacity = n.max(u32::try_from(u64::from(n.next_power_of_two()).min(room)).unwrap_or(n));
        let plan = || Plan::with_checks("boxwood.vello", FrameSize::default());
        let mut gather = plan();
        let [vello_config, scene, draw_monoids, path_bboxes, clip_bboxes] =
            add_all(&mut gather, &OcclusionPass::BUFFERS, buffers);
        let [boxes, inner_boxes] = ["boxes", "inner_boxes"].map(|name| gather.buffer::<Aabb>(name, capacity));
        let own = VelloOcclusionGather { vello_config, scene, draw_monoids, path_bboxes, clip_bboxes, boxes };
        gather.dispatch(own, Grid::Items);
        let gather = Program::new(context, gather);

        let items = Items { buffer: &gather[inner_boxes], count: Count::Host(n), capacity };
        let occlusion = Occlusion::new(context, &gather[boxes], Covers::Tiles { inner_boxes: items, grid })?;

        let mut scatter = plan();
        let [vello_config, scene, draw_monoids, path_bboxes, _] =
            add_all(&mut scatter, &OcclusionPass::BUFFERS, buffers);
        let visible = scatter.whole("visible", occlusion.visible());
        let own = VelloOcclusionScatter { vello_config, scene, draw_monoids, visible, path_bboxes };
        scatter.dispatch(own, Grid::Items);
        let scatter = Program::new(context, scatter);
        Ok(Self { capacity, grid, bound: buffers.to_vec(), gather, inner_boxes, occlusion, scatter })
    }
}
