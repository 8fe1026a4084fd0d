//! Boxwood's stages as passes over Vello's buffers.

mod clip;
mod inner_boxes;
mod kind;
mod occlusion;

use boxwood::{Algorithm, Context, LimitsError, Plan, Program, SceneBoxes, Slot, WORKGROUP_SIZE, Workgroups};
use boxwood_shaders::vello::{VelloFrameGather, VelloTightenGather, VelloTightenScatter};
use bytemuck::{Pod, Zeroable};
use vello_encoding::Layout;

pub use clip::ClipAlgorithm;
pub use kind::PassKind;
pub use occlusion::OcclusionPass;

/// Boxwood's stages over the buffers of Vello's pipeline, for an engine of your own.
///
/// A shader writes the scene for Boxwood's stages from Vello's buffers, the stages run, and another
/// shader writes their results back. [`PassKind::Clip`] needs no scene for up to 65,536 operations:
/// its shaders read and write Vello's buffers themselves. Buffers with unexpected contents give
/// wrong results but no access out of bounds.
#[derive(Debug)]
pub struct VelloPass {
    context: Context,
    kind: PassKind,
    /// The algorithm of the clip stage, or `None` for the fastest.
    clip_algorithm: Option<ClipAlgorithm>,
    scene: Option<SceneBoxes>,
    bound: Option<Bound>,
}

/// The dispatches of a pass, bound to buffers.
#[derive(Debug)]
struct Bound {
    /// The buffers of Vello.
    buffers: Vec<wgpu::Buffer>,
    /// The [generation](SceneBoxes::generation) of Boxwood's own, if the pass runs stages.
    generation: Option<u64>,
    /// The algorithm of the clip stage.
    clip: Option<ClipAlgorithm>,
    /// The dispatches: the first one before the stages, and the others after them.
    program: Program<Grid>,
}

/// The items that the workgroups of a dispatch share.
#[derive(Clone, Copy, Debug)]
enum Grid {
    /// The draw objects or clip operations, one per invocation.
    Items,
    /// The entries of the scene's node stream, one per invocation.
    Entries,
    /// The partitions of the scene, one per workgroup.
    Partitions,
}

/// The size of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
struct FrameSize {
    n_items: u32,
    n_entries: u32,
    n_partitions: u32,
}

impl Workgroups for Grid {
    type Size = FrameSize;

    fn workgroups(&self, size: &FrameSize) -> u32 {
        match self {
            Self::Items => size.n_items.div_ceil(WORKGROUP_SIZE),
            Self::Entries => size.n_entries.div_ceil(WORKGROUP_SIZE),
            Self::Partitions => size.n_partitions,
        }
    }
}

impl VelloPass {
    /// A pass with the shaders of `context`. The first recording that needs a shader compiles it.
    pub fn new(context: &Context, kind: PassKind) -> Self {
        Self { context: context.clone(), kind, clip_algorithm: None, scene: None, bound: None }
    }

    /// Chooses the algorithm of [`PassKind::Clip`], or the fastest one with `None`. The results are
    /// the same.
    pub fn set_clip_algorithm(&mut self, algorithm: Option<ClipAlgorithm>) {
        self.clip_algorithm = algorithm;
    }

    /// Records the pass into a compute pass of the caller, for a scene of this `layout`, of which
    /// `n_draw_objects` and `n_clips` matter.
    ///
    /// `buffers` are those that [`PassKind::buffers`] names. The bind groups are kept as long as
    /// `buffers` stay the same. The pass writes its configuration to `queue`, so two recordings
    /// need two submissions.
    ///
    /// # Errors
    ///
    /// [`LimitsError`] if the scene has more clip operations or draw objects than the device can
    /// hold as elements. Nothing is recorded then.
    ///
    /// # Panics
    ///
    /// If the number of buffers is wrong, or, with [`PassKind::Clip`], `clip_inp` or `clip_bboxes`
    /// has no room for `n_clips` operations.
    pub fn record_in(
        &mut self,
        queue: &wgpu::Queue,
        pass: &mut wgpu::ComputePass<'_>,
        layout: &Layout,
        buffers: &[wgpu::Buffer],
    ) -> Result<(), LimitsError> {
        let (n_items, n_entries) = (self.kind.n_items(layout), layout.n_clips);
        let mut clip = None;
        if self.kind == PassKind::Clip {
            let algorithm =
                *clip.insert(self.clip_algorithm.unwrap_or_else(|| ClipAlgorithm::for_operations(n_items)));
            clip::check(algorithm, n_items, buffers)?;
        }
        let runs_stages = clip.is_none_or(|algorithm| algorithm.of_scene().is_some());
        if runs_stages {
            let n_elements = n_items.saturating_mul(self.kind.elements_per_item());
            self.resize(queue, clip.and_then(ClipAlgorithm::of_scene), n_elements, n_entries)?;
        }
        let scene = self.scene.as_ref().filter(|_| runs_stages);
        let generation = scene.map(SceneBoxes::generation);
        let is_same =
            |own: &Bound| own.buffers == buffers && own.generation == generation && own.clip == clip;
        let kept = self.bound.take().filter(is_same);
        let bound = self.bound.insert(kept.unwrap_or_else(|| {
            let plan = match (clip, scene) {
                (None, Some(scene)) => plan_around_stages(self.kind, scene, buffers),
                _ => clip::plan(scene, clip == Some(ClipAlgorithm::Direct), buffers),
            };
            let program = Program::new(&self.context, plan);
            Bound { buffers: buffers.to_vec(), generation, clip, program }
        }));
        let n_partitions = scene.map_or(0, SceneBoxes::n_partitions);
        bound.program.set_size(queue, FrameSize { n_items, n_entries, n_partitions });
        bound.record(pass, scene);
        Ok(())
    }

    /// Makes room for the scene that the stages run on, and sets its size.
    fn resize(
        &mut self,
        queue: &wgpu::Queue,
        algorithm: Option<Algorithm>,
        n_elements: u32,
        n_entries: u32,
    ) -> Result<(), LimitsError> {
        let Self { context, kind, scene, .. } = self;
        let [n_elements, n_entries] = [n_elements as usize, n_entries as usize];
        // The shaders of the pass bind whole buffers.
        let limits =
            algorithm.unwrap_or(Algorithm::Hierarchical).limits_in_one_binding(&context.device().limits());
        limits.check(n_elements, n_entries)?;
        let kept = scene.take().filter(|scene| algorithm.is_none_or(|own| own == scene.algorithm()));
        let outputs = kind.outputs();
        let mut sized = match (kept, algorithm) {
            (Some(scene), _) => scene,
            (None, Some(algorithm)) => {
                SceneBoxes::with_algorithm(context, outputs, algorithm, n_elements, n_entries)?
            }
            (None, None) => SceneBoxes::with_capacity(context, outputs, n_elements, n_entries)?,
        };
        sized.set_size(queue, n_elements, n_entries)?;
        *scene = Some(sized);
        Ok(())
    }

    /// The buffers with the boxes that the last recording computes, or `None` before the first.
    ///
    /// The elements are the draw objects for [`PassKind::FrameBoxes`], and two elements per draw
    /// object for [`PassKind::Tighten`]. [`PassKind::Clip`] has no such buffers.
    pub fn boxes(&self) -> Option<&SceneBoxes> {
        self.scene.as_ref().filter(|_| self.kind != PassKind::Clip)
    }
}

impl Bound {
    /// Records the pass, around the stages over `scene` if it runs any.
    fn record(&self, pass: &mut wgpu::ComputePass<'_>, scene: Option<&SceneBoxes>) {
        let Some(scene) = scene else { return self.program.record(pass) };
        self.program.record_steps(pass, 0..1);
        // The last dispatch of the clip stage takes the place of that of the stages.
        if self.clip.is_some() {
            scene.record_stacks_in(pass);
        } else {
            scene.record_in(pass);
        }
        self.program.record_steps(pass, 1..self.program.n_steps());
    }
}

/// The dispatches before and after the stages over draw objects.
fn plan_around_stages(kind: PassKind, boxes: &SceneBoxes, buffers: &[wgpu::Buffer]) -> Plan<Grid> {
    let mut plan = Plan::with_checks("boxwood.vello", FrameSize::default());
    let [vello_config, scene, draw_monoids, path_bboxes] = add_all(&mut plan, kind.buffers(), buffers);
    let draw_tags = plan.whole("draw_tags", boxes.draw_tags());
    let element_boxes = plan.whole("element_boxes", boxes.element_boxes());
    if kind == PassKind::FrameBoxes {
        let gather =
            VelloFrameGather { vello_config, scene, draw_monoids, path_bboxes, draw_tags, element_boxes };
        plan.dispatch(gather, Grid::Items);
    } else {
        let gather =
            VelloTightenGather { vello_config, scene, draw_monoids, path_bboxes, draw_tags, element_boxes };
        plan.dispatch(gather, Grid::Items);
        let entries = plan.whole("entries", boxes.entries());
        let group_boxes = plan.whole("group_boxes", boxes.group_boxes());
        let scatter =
            VelloTightenScatter { vello_config, scene, draw_monoids, entries, group_boxes, path_bboxes };
        plan.dispatch(scatter, Grid::Entries);
    }
    plan
}

/// Adds the buffers of Vello that a pass binds.
fn add_all<const N: usize>(
    plan: &mut Plan<Grid>,
    names: &[&'static str],
    buffers: &[wgpu::Buffer],
) -> [Slot; N] {
    assert_eq!(buffers.len(), N, "the pass binds {names:?}");
    let mut named = names.iter().zip(buffers);
    [(); N].map(|()| {
        let (name, buffer) = named.next().expect("there are N names");
        plan.whole(name, buffer)
    })
}
