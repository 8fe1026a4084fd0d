//! Boxwood's stages as passes over Vello's buffers.

mod clip;
mod inner_boxes;
mod kind;
mod occlusion;

use boxwood::{Algorithm, BoundKernel, Context, Kernel, LimitsError, SceneBoxes};
use boxwood_shaders::Shader;
use vello_encoding::Layout;

use clip::ClipPass;
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
    kind: PassKind,
    /// The shaders of the kind.
    kernels: Vec<(&'static Shader, Kernel)>,
    /// The algorithm, or `None` for the fastest.
    algorithm: Option<Algorithm>,
    scene: Option<SceneBoxes>,
    bindings: Option<Bindings>,
    /// The clip stage, for `PassKind::Clip`.
    clip: Option<ClipPass>,
}

/// The buffers of Vello that a pass binds, the [generation](SceneBoxes::generation) of Boxwood's
/// own, and a bind group per kernel.
type Bindings = (Vec<wgpu::Buffer>, u64, Vec<BoundKernel>);

impl VelloPass {
    /// Compiles the pass's own shaders. The context compiles the stages between them.
    pub fn new(device: &wgpu::Device, kind: PassKind) -> Self {
        Self::with_kernels(kind, |shader| Kernel::new(device, shader), || ClipPass::new(device))
    }

    /// The same with the source that `source` returns for each shader, for tests that change one.
    #[cfg(feature = "testing")]
    pub fn with_sources(device: &wgpu::Device, kind: PassKind, source: impl Fn(&Shader) -> String) -> Self {
        let kernel = |shader: &Shader| Kernel::with_source(device, shader, &source(shader));
        Self::with_kernels(kind, kernel, || ClipPass::with_kernels(kernel))
    }

    fn with_kernels(
        kind: PassKind,
        kernel: impl Fn(&'static Shader) -> Kernel,
        clip: impl Fn() -> ClipPass,
    ) -> Self {
        let kernels = kind.shaders().into_iter().map(|shader| (shader, kernel(shader))).collect();
        let clip = (kind == PassKind::Clip).then(clip);
        Self { kind, kernels, algorithm: None, scene: None, bindings: None, clip }
    }

    /// Chooses the algorithm, or the fastest one with `None`. The results are the same.
    /// [`PassKind::Clip`] uses the fastest one in place of an algorithm of the papers.
    pub fn set_algorithm(&mut self, algorithm: Option<Algorithm>) {
        (self.algorithm, self.scene, self.bindings) = (algorithm, None, None);
        self.clip.iter_mut().for_each(ClipPass::reset);
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
        context: &Context,
        queue: &wgpu::Queue,
        pass: &mut wgpu::ComputePass<'_>,
        layout: &Layout,
        buffers: &[wgpu::Buffer],
    ) -> Result<(), LimitsError> {
        let names = self.kind.buffers();
        assert_eq!(buffers.len(), names.len(), "the pass binds {names:?}");
        let (n_items, n_entries) = (self.kind.n_items(layout), layout.n_clips);
        if let Some(clip) = &mut self.clip {
            return clip.record_in((context, queue), pass, (n_items, self.algorithm), buffers);
        }
        let n_elements = n_items.saturating_mul(self.kind.elements_per_item());
        let size @ [n_elements, n_entries_needed] = [n_elements as usize, n_entries as usize];
        // The shaders of the pass bind whole buffers.
        let limits = Algorithm::Hierarchical.limits_in_one_binding(&context.device().limits());
        limits.check(n_elements, n_entries_needed)?;
        let scene = match &mut self.scene {
            Some(scene) => scene,
            none => none.insert(scene_boxes(context, self.kind, self.algorithm, size)?),
        };
        scene.set_size(queue, n_elements, n_entries_needed)?;
        let is_same =
            |(bound, generation, _): &Bindings| bound == buffers && *generation == scene.generation();
        let bindings = self.bindings.take().filter(is_same).unwrap_or_else(|| {
            let vellos = |name: &str| names.iter().position(|own| *own == name).map(|index| &buffers[index]);
            let kernels = self.kernels.iter().map(|(_, kernel)| scene.bind(kernel, vellos));
            (buffers.to_vec(), scene.generation(), kernels.collect())
        });
        let (_, _, kernels) = self.bindings.insert(bindings);
        let mut dispatches = self.kernels.iter().zip(kernels).zip([n_items, n_entries]);
        let mut dispatch_next = |pass: &mut wgpu::ComputePass<'_>| {
            if let Some((((shader, _), kernel), n_items)) = dispatches.next() {
                // One invocation per item.
                kernel.record(pass, n_items.div_ceil(shader.workgroup_size[0]));
            }
        };
        dispatch_next(pass);
        scene.record_in(pass);
        dispatch_next(pass);
        Ok(())
    }

    /// The buffers with the boxes that the last recording computes, or `None` before the first.
    ///
    /// The elements are the draw objects for [`PassKind::FrameBoxes`], and two elements per draw
    /// object for [`PassKind::Tighten`]. [`PassKind::Clip`] has no such buffers.
    pub fn boxes(&self) -> Option<&SceneBoxes> {
        self.scene.as_ref()
    }
}

/// An empty scene for a pass of this kind, with room for a scene of this size.
pub(super) fn scene_boxes(
    context: &Context,
    kind: PassKind,
    algorithm: Option<Algorithm>,
    [n_elements, n_entries]: [usize; 2],
) -> Result<SceneBoxes, LimitsError> {
    let outputs = kind.outputs();
    match algorithm {
        Some(algorithm) => SceneBoxes::with_algorithm(context, outputs, algorithm, n_elements, n_entries),
        None => SceneBoxes::with_capacity(context, outputs, n_elements, n_entries),
    }
}
