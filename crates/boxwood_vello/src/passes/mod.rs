//! Boxwood's stages as passes over Vello's buffers.

mod clip;
mod inner_boxes;
mod kind;
mod occlusion;
mod scene_buffers;

use boxwood::{Algorithm, Buffers, Kernel, LimitsError, Pipelines};
use boxwood_shaders::Shader;
use vello_encoding::Layout;

use clip::ClipPass;
pub use kind::PassKind;
pub use occlusion::OcclusionPass;
use scene_buffers::SceneBuffers;

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
    scene: Option<SceneBuffers>,
    /// The clip stage, for `PassKind::Clip`.
    clip: Option<ClipPass>,
}

impl VelloPass {
    /// Compiles the pass's own shaders. [`Pipelines`] compiles the stages between them.
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
        Self { kind, kernels, algorithm: None, scene: None, clip }
    }

    /// Chooses the algorithm, or the fastest one with `None`. The results are the same.
    pub fn set_algorithm(&mut self, algorithm: Option<Algorithm>) {
        (self.algorithm, self.scene) = (algorithm, None);
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
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        pipelines: &Pipelines,
        pass: &mut wgpu::ComputePass<'_>,
        layout: &Layout,
        buffers: &[wgpu::Buffer],
    ) -> Result<(), LimitsError> {
        let names = self.kind.buffers();
        assert_eq!(buffers.len(), names.len(), "the pass binds {names:?}");
        let (n_items, n_entries) = (self.kind.n_items(layout), layout.n_clips);
        if let Some(clip) = &mut self.clip {
            return clip.record_in((device, queue, pipelines), pass, (n_items, self.algorithm), buffers);
        }
        let n_elements = n_items.saturating_mul(self.kind.elements_per_item());
        let size = (n_elements as usize, n_entries as usize);
        let last = self.scene.take();
        let scene = SceneBuffers::new(device, queue, pipelines, size, self.algorithm, last)?;
        let SceneBuffers { buffers: scene, bindings } = self.scene.insert(scene);
        let kept = bindings.take().filter(|(bound, _)| bound == buffers);
        let (_, kernels) = bindings.insert(kept.unwrap_or_else(|| {
            let buffer = |name: &str| match names.iter().position(|own| *own == name) {
                Some(index) => &buffers[index],
                None => scene.buffer(name),
            };
            let kernels = self.kernels.iter().map(|(_, kernel)| kernel.bind(device, buffer));
            (buffers.to_vec(), kernels.collect())
        }));
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
    pub fn boxes(&self) -> Option<&Buffers> {
        self.scene.as_ref().map(|scene| &scene.buffers)
    }
}
