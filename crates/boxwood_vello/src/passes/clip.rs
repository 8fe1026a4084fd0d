//! The clip stage: Boxwood's clip boxes in the layouts of Vello's buffers.

use boxwood::{Algorithm, BoundKernel, Context, Kernel, LimitsError, SceneBoxes};
use boxwood_shaders::{Shader, sizes, vello as shaders};
use vello_encoding::{Clip, ClipBbox};

use super::kind::PassKind;
use super::scene_boxes;

/// The number of clip operations per workgroup, for up to 65,536 operations.
const SMALL_PARTITION_LENGTH: u32 = shaders::VELLO_CLIP_RESOLVE.workgroup_size[0];

/// The largest number of these partitions: a workgroup sees one per invocation.
const MAX_SMALL_PARTITIONS: u32 = SMALL_PARTITION_LENGTH;

/// The kernels, and the working memory of the last recording.
#[derive(Debug)]
pub(super) struct ClipPass {
    kernels: Kernels,
    /// The summaries of `MAX_SMALL_PARTITIONS` partitions.
    summaries: Option<[wgpu::Buffer; 2]>,
    /// The scene, beyond 65,536 operations.
    scene: Option<SceneBoxes>,
    bound: Option<Bound>,
}

#[derive(Debug)]
struct Kernels {
    /// Few operations: each workgroup reads all earlier operations itself.
    direct: Kernel,
    /// Up to 65,536 operations: a dispatch that summarises partitions, and one that uses the
    /// summaries.
    reduce: Kernel,
    resolve: Kernel,
    /// Any number: a dispatch that writes a scene, and one that writes the results for Vello, after
    /// the stages that find the stack before each partition.
    gather: Kernel,
    walk: Kernel,
}

/// Kernels that are bound to buffers, in order.
#[derive(Debug)]
struct Bound {
    algorithm: Algorithm,
    buffers: Vec<wgpu::Buffer>,
    kernels: Vec<BoundKernel>,
}

impl ClipPass {
    /// Compiles the shaders without runtime checks, which take longer than the stage.
    pub(super) fn new(device: &wgpu::Device) -> Self {
        #[expect(unsafe_code, reason = "wgpu has no other way to omit the checks")]
        // SAFETY: the shaders compare each index that comes from a buffer of the caller with the
        // length of the buffer that it indexes, and so they do with the operations up to the number
        // in Vello's configuration. `record_in` ensures that `clip_inp` and `clip_bboxes` have room
        // for the operations that it announces. The dispatches of the same recording write the
        // summaries and the scene, whose size the algorithm can hold: indices from them are those
        // of operations. All loops end after a number of rounds that constants or the number
        // of operations bound. Workgroup memory is written before it is read.
        Self::with_kernels(|shader| unsafe { Kernel::new_unchecked(device, shader) })
    }

    /// The same with kernels of the caller.
    pub(super) fn with_kernels(kernel: impl Fn(&'static Shader) -> Kernel) -> Self {
        let kernels = Kernels {
            direct: kernel(&shaders::VELLO_CLIP_RESOLVE_DIRECT),
            reduce: kernel(&shaders::VELLO_CLIP_REDUCE),
            resolve: kernel(&shaders::VELLO_CLIP_RESOLVE),
            gather: kernel(&shaders::VELLO_CLIP_GATHER),
            walk: kernel(&shaders::VELLO_CLIP_WALK),
        };
        Self { kernels, summaries: None, scene: None, bound: None }
    }

    /// Forgets the scene and the bindings of the last recording.
    pub(super) fn reset(&mut self) {
        (self.scene, self.bound) = (None, None);
    }

    /// Records the stage for `n_clips` operations over Vello's `buffers`, which are those of
    /// [`PassKind::Clip`]. `None` stands for the fastest algorithm.
    ///
    /// # Errors
    ///
    /// [`LimitsError`] if the device or the algorithm cannot hold so many operations. Nothing is
    /// recorded then.
    ///
    /// # Panics
    ///
    /// If `clip_inp` or `clip_bboxes` has no room for the operations.
    pub(super) fn record_in(
        &mut self,
        (context, queue): (&Context, &wgpu::Queue),
        pass: &mut wgpu::ComputePass<'_>,
        (n_clips, algorithm): (u32, Option<Algorithm>),
        buffers: &[wgpu::Buffer],
    ) -> Result<(), LimitsError> {
        for (name, stride) in [("clip_inp", size_of::<Clip>()), ("clip_bboxes", size_of::<ClipBbox>())] {
            let capacity = buffers[index_of(name)].size() / stride as u64;
            assert!(
                capacity >= n_clips.into(),
                "{name} has no room for {n_clips} clip operations, only for {capacity}"
            );
        }
        // The algorithms of the papers have no stages for clip boxes alone.
        let has_clip_stages = |algorithm: &Algorithm| {
            use Algorithm::{Direct, Hierarchical, Small, TwoLevel};
            matches!(algorithm, Direct | Small | TwoLevel | Hierarchical)
        };
        let algorithm = algorithm.filter(has_clip_stages).unwrap_or_else(|| fastest(n_clips));
        let is_small = matches!(algorithm, Algorithm::Direct | Algorithm::Small);
        if is_small {
            algorithm.limits().check(n_clips as usize, n_clips as usize)?;
        } else {
            self.resize(context, queue, n_clips as usize, algorithm)?;
        }
        let is_same = |bound: &Bound| bound.algorithm == algorithm && bound.buffers == buffers;
        let bound = self.bound.take().filter(is_same);
        let bound = bound.unwrap_or_else(|| self.bind(context.device(), algorithm, buffers));
        if let Some(scene) = self.scene.as_ref().filter(|_| !is_small) {
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
                scene_boxes(context, PassKind::Clip, Some(algorithm), [n, n])?
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

    fn bind(&mut self, device: &wgpu::Device, algorithm: Algorithm, buffers: &[wgpu::Buffer]) -> Bound {
        let Self { kernels: own, summaries, scene, .. } = self;
        let vellos = |name: &str| &buffers[index_of(name)];
        let kernels = match (algorithm, scene) {
            (Algorithm::Direct, _) => vec![own.direct.bind(device, vellos)],
            (Algorithm::Small, _) | (_, None) => {
                let [summaries, partitions] = summaries.get_or_insert_with(|| small_summaries(device));
                let buffer = |name: &str| match name {
                    "small_summaries" => &*summaries,
                    "small_partitions" => &*partitions,
                    _ => vellos(name),
                };
                vec![own.reduce.bind(device, buffer), own.resolve.bind(device, buffer)]
            }
            (_, Some(scene)) => {
                let vellos = |name: &str| position(name).map(|index| &buffers[index]);
                [&own.gather, &own.walk].map(|kernel| scene.bind(kernel, vellos)).into()
            }
        };
        Bound { algorithm, buffers: buffers.to_vec(), kernels }
    }
}

/// The fastest algorithm. The times are those of an NVIDIA H100.
fn fastest(n_clips: u32) -> Algorithm {
    // `Direct` takes 7 to 11 µs up to here, and 12 and 13 µs for twice and four times as many.
    // `Small` takes 12 µs for any number up to twice as many.
    const DIRECT_IS_FASTEST: u32 = 1024;
    let candidates = [Algorithm::Small, Algorithm::TwoLevel];
    let can_hold = |algorithm: &Algorithm| u64::from(n_clips) <= algorithm.limits().max_elements;
    match n_clips {
        ..=DIRECT_IS_FASTEST => Algorithm::Direct,
        _ => candidates.into_iter().find(can_hold).unwrap_or(Algorithm::Hierarchical),
    }
}

fn small_summaries(device: &wgpu::Device) -> [wgpu::Buffer; 2] {
    [("summaries", sizes::SMALL_SUMMARY), ("partitions", sizes::SMALL_PARTITION)].map(|(name, stride)| {
        device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(&format!("boxwood.clip.{name}")),
            size: stride as u64 * u64::from(MAX_SMALL_PARTITIONS),
            usage: wgpu::BufferUsages::STORAGE,
            mapped_at_creation: false,
        })
    })
}

/// The index of a buffer of Vello among those of the pass.
fn position(name: &str) -> Option<usize> {
    PassKind::Clip.buffers().iter().position(|own| *own == name)
}

/// The same for a name that is one of them.
fn index_of(name: &str) -> usize {
    position(name).expect("the shaders bind the buffers of the pass")
}
