//! The clip stage: Boxwood's clip boxes in the layouts of Vello's buffers.

use boxwood::{Algorithm, BoundKernel, Context, Kernel, Limits, LimitsError, SceneBoxes};
use boxwood_shaders::sizes;
use boxwood_shaders::vello::{
    self as shaders, VelloClipGather, VelloClipReduce, VelloClipResolve, VelloClipResolveDirect,
    VelloClipWalk,
};
use vello_encoding::{Clip, ClipBbox};

use super::Compiler;
use super::kind::PassKind;

/// The number of clip operations per workgroup, for up to 65,536 operations.
const SMALL_PARTITION_LENGTH: u32 = shaders::VELLO_CLIP_RESOLVE.shader().workgroup_size[0];

/// The largest number of these partitions: a workgroup sees one per invocation.
const MAX_SMALL_PARTITIONS: u32 = SMALL_PARTITION_LENGTH;

/// The largest input for [`ClipAlgorithm::Direct`]: a workgroup reads 16 operations per invocation.
const DIRECT_MAX: u32 = 16 * SMALL_PARTITION_LENGTH;

/// An algorithm of the clip stage. All of them compute the same boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClipAlgorithm {
    /// One dispatch, in which each workgroup reads all earlier operations itself. For up to 4,096
    /// operations.
    Direct,
    /// Two dispatches. For up to 65,536 operations.
    Small,
    /// The clipped boxes of a scene whose elements are the operations, in two levels. For up to
    /// 1,048,576 operations.
    TwoLevel,
    /// The same in as many levels as needed, for any number of operations.
    Hierarchical,
}

impl ClipAlgorithm {
    /// Every algorithm.
    pub const ALL: [Self; 4] = [Self::Direct, Self::Small, Self::TwoLevel, Self::Hierarchical];

    /// The maximum number of operations. A device may have a lower limit.
    pub fn max_operations(self) -> u64 {
        match self {
            Self::Direct => DIRECT_MAX.into(),
            Self::Small => Algorithm::Small.limits().max_elements,
            Self::TwoLevel => Algorithm::TwoLevel.limits().max_elements,
            Self::Hierarchical => Algorithm::Hierarchical.limits().max_elements,
        }
    }

    /// The fastest algorithm. The times are those of an NVIDIA H100.
    fn for_operations(n: u32) -> Self {
        // `Direct` takes 7 to 11 µs up to here, and 12 and 13 µs for twice and four times as many.
        // `Small` takes 12 µs for any number up to twice as many.
        const DIRECT_IS_FASTEST: u32 = 1024;
        let candidates = [Self::Small, Self::TwoLevel];
        let can_hold = |algorithm: &Self| u64::from(n) <= algorithm.max_operations();
        match n {
            ..=DIRECT_IS_FASTEST => Self::Direct,
            _ => candidates.into_iter().find(can_hold).unwrap_or(Self::Hierarchical),
        }
    }

    /// The algorithm for the scene of the operations, if there is one.
    fn of_scene(self) -> Option<Algorithm> {
        match self {
            Self::Direct | Self::Small => None,
            Self::TwoLevel => Some(Algorithm::TwoLevel),
            Self::Hierarchical => Some(Algorithm::Hierarchical),
        }
    }
}

/// The kernels, and the working memory of the last recording.
#[derive(Debug)]
pub(super) struct ClipPass {
    kernels: Kernels,
    /// The algorithm, or `None` for the fastest.
    algorithm: Option<ClipAlgorithm>,
    /// The summaries of `MAX_SMALL_PARTITIONS` partitions.
    summaries: Option<[wgpu::Buffer; 2]>,
    /// The scene, beyond 65,536 operations.
    scene: Option<SceneBoxes>,
    bound: Option<Bound>,
}

#[derive(Debug)]
struct Kernels {
    direct: Kernel<VelloClipResolveDirect>,
    /// A dispatch that summarises partitions, and one that uses the summaries.
    reduce: Kernel<VelloClipReduce>,
    resolve: Kernel<VelloClipResolve>,
    /// A dispatch that writes a scene, and one that writes the results for Vello, after the stages
    /// that find the stack before each partition.
    gather: Kernel<VelloClipGather>,
    walk: Kernel<VelloClipWalk>,
}

/// Kernels that are bound to buffers, in order.
#[derive(Debug)]
struct Bound {
    algorithm: ClipAlgorithm,
    buffers: Vec<wgpu::Buffer>,
    kernels: Vec<BoundKernel>,
}

/// Vello's buffers, in the order of [`PassKind::buffers`].
#[derive(Clone, Copy)]
struct VelloBuffers<'a> {
    vello_config: &'a wgpu::Buffer,
    clip_inp: &'a wgpu::Buffer,
    path_bboxes: &'a wgpu::Buffer,
    draw_monoids: &'a wgpu::Buffer,
    clip_bboxes: &'a wgpu::Buffer,
}

impl<'a> VelloBuffers<'a> {
    fn of(buffers: &'a [wgpu::Buffer]) -> Self {
        let [vello_config, clip_inp, path_bboxes, draw_monoids, clip_bboxes] = buffers else {
            panic!("the pass binds {:?}", PassKind::Clip.buffers());
        };
        Self { vello_config, clip_inp, path_bboxes, draw_monoids, clip_bboxes }
    }
}

impl ClipPass {
    /// Compiles the shaders without runtime checks, which take longer than the stage.
    pub(super) fn new(compiler: &Compiler<'_>) -> Self {
        #[expect(unsafe_code, reason = "wgpu has no other way to omit the checks")]
        // SAFETY: the shaders compare each index that comes from a buffer of the caller with the
        // length of the buffer that it indexes, and so they do with the operations up to the number
        // in Vello's configuration. `record_in` ensures that `clip_inp` and `clip_bboxes` have room
        // for the operations that it announces. The dispatches of the same recording write the
        // summaries and the scene, whose size the algorithm can hold: indices from them are those
        // of operations. All loops end after a number of rounds that constants or the number
        // of operations bound. Workgroup memory is written before it is read.
        let kernels = unsafe {
            Kernels {
                direct: compiler.unchecked(&shaders::VELLO_CLIP_RESOLVE_DIRECT),
                reduce: compiler.unchecked(&shaders::VELLO_CLIP_REDUCE),
                resolve: compiler.unchecked(&shaders::VELLO_CLIP_RESOLVE),
                gather: compiler.unchecked(&shaders::VELLO_CLIP_GATHER),
                walk: compiler.unchecked(&shaders::VELLO_CLIP_WALK),
            }
        };
        Self { kernels, algorithm: None, summaries: None, scene: None, bound: None }
    }

    /// Chooses the algorithm. `None` stands for the fastest one.
    pub(super) fn set_algorithm(&mut self, algorithm: Option<ClipAlgorithm>) {
        self.algorithm = algorithm;
        (self.scene, self.bound) = (None, None);
    }

    /// Records the stage for `n_clips` operations over Vello's `buffers`, which are those of
    /// [`PassKind::Clip`].
    ///
    /// # Errors
    ///
    /// [`LimitsError`] if the device or the algorithm cannot hold so many operations. Nothing is
    /// recorded then.
    ///
    /// # Panics
    ///
    /// If the number of buffers is wrong, or if `clip_inp` or `clip_bboxes` has no room for the
    /// operations.
    pub(super) fn record_in(
        &mut self,
        context: &Context,
        queue: &wgpu::Queue,
        pass: &mut wgpu::ComputePass<'_>,
        n_clips: u32,
        buffers: &[wgpu::Buffer],
    ) -> Result<(), LimitsError> {
        let VelloBuffers { clip_inp, clip_bboxes, .. } = VelloBuffers::of(buffers);
        for (name, buffer, stride) in
            [("clip_inp", clip_inp, size_of::<Clip>()), ("clip_bboxes", clip_bboxes, size_of::<ClipBbox>())]
        {
            let capacity = buffer.size() / stride as u64;
            assert!(
                capacity >= n_clips.into(),
                "{name} has no room for {n_clips} clip operations, only for {capacity}"
            );
        }
        let algorithm = self.algorithm.unwrap_or_else(|| ClipAlgorithm::for_operations(n_clips));
        match algorithm.of_scene() {
            None => {
                let max_elements = algorithm.max_operations();
                let limits = Limits { max_elements, max_entries: max_elements };
                limits.check(n_clips as usize, n_clips as usize)?;
            }
            Some(of_scene) => self.resize(context, queue, n_clips as usize, of_scene)?,
        }
        let is_same = |bound: &Bound| bound.algorithm == algorithm && bound.buffers == buffers;
        let bound = self.bound.take().filter(is_same);
        let bound = bound.unwrap_or_else(|| self.bind(context.device(), algorithm, buffers));
        if let Some(scene) = self.scene.as_ref().filter(|_| algorithm.of_scene().is_some()) {
            bound.kernels[0].record(pass, n_clips.div_ceil(shaders::VELLO_CLIP_GATHER.workgroup_size[0]));
            scene.record_stacks_in(pass);
            bound.kernels[1].record(pass, scene.n_partitions());
        } else {
            let n_partitions = n_clips.div_ceil(SMALL_PARTITION_LENGTH);
            bound.kernels.iter().for_each(|kernel| kernel.record(pass, n_partitions));
        }
        self.bound = Some(bound);
        Ok(())
    }

    /// Makes room for a scene of `n` operations, unless there is room, and sets its size.
    fn resize(
        &mut self,
        context: &Context,
        queue: &wgpu::Queue,
        n: usize,
        algorithm: Algorithm,
    ) -> Result<(), LimitsError> {
        // Every operation is a begin or an end. The shaders bind whole buffers, and only the stages
        // for the clipped boxes alone end with a dispatch that `walk` can replace.
        let limits = algorithm.limits_in_one_binding(&context.device().limits());
        limits.check(n, n)?;
        let scene = match self.scene.take().filter(|scene| scene.algorithm() == algorithm) {
            Some(scene) => scene,
            None => {
                self.bound = None;
                SceneBoxes::with_algorithm(context, PassKind::Clip.outputs(), algorithm, n, n)?
            }
        };
        let generation = scene.generation();
        let scene = self.scene.insert(scene);
        scene.set_size(queue, n, n)?;
        if scene.generation() != generation {
            self.bound = None;
        }
        Ok(())
    }

    fn bind(&mut self, device: &wgpu::Device, algorithm: ClipAlgorithm, buffers: &[wgpu::Buffer]) -> Bound {
        let Self { kernels: own, summaries, scene, .. } = self;
        let VelloBuffers { vello_config, clip_inp, path_bboxes, draw_monoids, clip_bboxes } =
            VelloBuffers::of(buffers);
        let kernels = match (algorithm, scene) {
            (ClipAlgorithm::Direct, _) => {
                let direct =
                    VelloClipResolveDirect { vello_config, clip_inp, path_bboxes, draw_monoids, clip_bboxes };
                vec![own.direct.bind(device, direct)]
            }
            (ClipAlgorithm::Small, _) | (_, None) => {
                let [small_summaries, small_partitions] =
                    summaries.get_or_insert_with(|| summary_buffers(device));
                let (small_summaries, small_partitions) = (&*small_summaries, &*small_partitions);
                let reduce = VelloClipReduce {
                    vello_config,
                    clip_inp,
                    path_bboxes,
                    small_summaries,
                    small_partitions,
                };
                let resolve = VelloClipResolve {
                    vello_config,
                    clip_inp,
                    path_bboxes,
                    draw_monoids,
                    clip_bboxes,
                    small_summaries,
                    small_partitions,
                };
                vec![own.reduce.bind(device, reduce), own.resolve.bind(device, resolve)]
            }
            (_, Some(scene)) => {
                let (draw_tags, element_boxes) = (scene.draw_tags(), scene.element_boxes());
                let [summaries, crossings] = scene.stacks();
                let gather =
                    VelloClipGather { vello_config, clip_inp, path_bboxes, draw_tags, element_boxes };
                let walk = VelloClipWalk {
                    config: scene.config(),
                    clip_inp,
                    summaries,
                    draw_monoids,
                    clip_bboxes,
                    element_boxes,
                    crossings,
                    clipped_boxes: scene.clipped_boxes(),
                };
                vec![own.gather.bind(device, gather), own.walk.bind(device, walk)]
            }
        };
        Bound { algorithm, buffers: buffers.to_vec(), kernels }
    }
}

fn summary_buffers(device: &wgpu::Device) -> [wgpu::Buffer; 2] {
    [("summaries", sizes::SMALL_SUMMARY), ("partitions", sizes::SMALL_PARTITION)].map(|(name, stride)| {
        device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(&format!("boxwood.clip.{name}")),
            size: stride as u64 * u64::from(MAX_SMALL_PARTITIONS),
            usage: wgpu::BufferUsages::STORAGE,
            mapped_at_creation: false,
        })
    })
}
