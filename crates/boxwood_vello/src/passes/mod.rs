//! Boxwood's stages as passes over Vello's buffers.

mod clip;
mod inner_boxes;
mod kind;
mod occlusion;

use boxwood::{Algorithm, BoundKernel, Context, Kernel, LimitsError, SceneBoxes};
use boxwood_shaders::vello::{self as shaders, VelloFrameGather, VelloTightenGather, VelloTightenScatter};
use boxwood_shaders::{Shader, ShaderWith};
use vello_encoding::Layout;

pub use clip::ClipAlgorithm;
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
    kernels: Kernels,
    scene: Option<SceneBoxes>,
    bindings: Option<Bindings>,
}

/// The shaders of a pass.
#[derive(Debug)]
enum Kernels {
    Clip(Box<ClipPass>),
    FrameBoxes(Kernel<VelloFrameGather>),
    Tighten { gather: Kernel<VelloTightenGather>, scatter: Kernel<VelloTightenScatter> },
}

/// The buffers of Vello that a pass binds, the [generation](SceneBoxes::generation) of Boxwood's
/// own, and the kernels before and after the stages.
type Bindings = (Vec<wgpu::Buffer>, u64, Vec<BoundKernel>);

impl VelloPass {
    /// Compiles the pass's own shaders. The context compiles the stages between them.
    pub fn new(device: &wgpu::Device, kind: PassKind) -> Self {
        Self::compiled(kind, &Compiler { device, source: None })
    }

    /// The same with the source that `source` returns for each shader, for tests that change one.
    #[cfg(feature = "testing")]
    pub fn with_sources(device: &wgpu::Device, kind: PassKind, source: impl Fn(&Shader) -> String) -> Self {
        Self::compiled(kind, &Compiler { device, source: Some(&source) })
    }

    fn compiled(kind: PassKind, compiler: &Compiler<'_>) -> Self {
        let kernels = match kind {
            PassKind::Clip => Kernels::Clip(Box::new(ClipPass::new(compiler))),
            PassKind::FrameBoxes => Kernels::FrameBoxes(compiler.kernel(&shaders::VELLO_FRAME_GATHER)),
            PassKind::Tighten => Kernels::Tighten {
                gather: compiler.kernel(&shaders::VELLO_TIGHTEN_GATHER),
                scatter: compiler.kernel(&shaders::VELLO_TIGHTEN_SCATTER),
            },
        };
        Self { kind, kernels, scene: None, bindings: None }
    }

    /// Chooses the algorithm of [`PassKind::Clip`], or the fastest one with `None`. The results are
    /// the same.
    pub fn set_clip_algorithm(&mut self, algorithm: Option<ClipAlgorithm>) {
        if let Kernels::Clip(clip) = &mut self.kernels {
            clip.set_algorithm(algorithm);
        }
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
        let (n_items, n_entries) = (self.kind.n_items(layout), layout.n_clips);
        if let Kernels::Clip(clip) = &mut self.kernels {
            return clip.record_in(context, queue, pass, n_items, buffers);
        }
        let n_elements = n_items.saturating_mul(self.kind.elements_per_item());
        let size @ [n_elements, n_entries_needed] = [n_elements as usize, n_entries as usize];
        // The shaders of the pass bind whole buffers.
        let limits = Algorithm::Hierarchical.limits_in_one_binding(&context.device().limits());
        limits.check(n_elements, n_entries_needed)?;
        let scene = match &mut self.scene {
            Some(scene) => scene,
            none => none.insert(scene_boxes(context, self.kind, size)?),
        };
        scene.set_size(queue, n_elements, n_entries_needed)?;
        let is_same =
            |(bound, generation, _): &Bindings| bound == buffers && *generation == scene.generation();
        let bindings = self.bindings.take().filter(is_same).unwrap_or_else(|| {
            let kernels = self.kernels.bind(context.device(), scene, buffers);
            (buffers.to_vec(), scene.generation(), kernels)
        });
        let (_, _, kernels) = self.bindings.insert(bindings);
        // One invocation per item.
        let [before, after] = [
            (n_items, &shaders::VELLO_FRAME_GATHER.workgroup_size),
            (n_entries, &shaders::VELLO_TIGHTEN_SCATTER.workgroup_size),
        ]
        .map(|(n, size)| n.div_ceil(size[0]));
        kernels[0].record(pass, before);
        scene.record_in(pass);
        if let Some(scatter) = kernels.get(1) {
            scatter.record(pass, after);
        }
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

impl Kernels {
    /// Binds the kernels before and after the stages.
    fn bind(&self, device: &wgpu::Device, boxes: &SceneBoxes, buffers: &[wgpu::Buffer]) -> Vec<BoundKernel> {
        let [vello_config, scene, draw_monoids, path_bboxes] = buffers else {
            panic!("the pass binds {:?}", PassKind::Tighten.buffers());
        };
        let (draw_tags, element_boxes) = (boxes.draw_tags(), boxes.element_boxes());
        match self {
            Self::Clip(_) => Vec::new(),
            Self::FrameBoxes(gather) => {
                let own = VelloFrameGather {
                    vello_config,
                    scene,
                    draw_monoids,
                    path_bboxes,
                    draw_tags,
                    element_boxes,
                };
                vec![gather.bind(device, own)]
            }
            Self::Tighten { gather, scatter } => {
                let before = VelloTightenGather {
                    vello_config,
                    scene,
                    draw_monoids,
                    path_bboxes,
                    draw_tags,
                    element_boxes,
                };
                let after = VelloTightenScatter {
                    vello_config,
                    scene,
                    draw_monoids,
                    entries: boxes.entries(),
                    group_boxes: boxes.group_boxes(),
                    path_bboxes,
                };
                vec![gather.bind(device, before), scatter.bind(device, after)]
            }
        }
    }
}

/// Compiles the shaders of passes.
#[derive(Clone, Copy)]
struct Compiler<'a> {
    device: &'a wgpu::Device,
    /// The source of each shader, if it is not the shader's own.
    source: Option<&'a dyn Fn(&Shader) -> String>,
}

impl Compiler<'_> {
    fn kernel<S>(&self, shader: &'static ShaderWith<S>) -> Kernel<S> {
        match self.source {
            Some(source) => Kernel::with_source(self.device, shader, &source(shader)),
            None => Kernel::new(self.device, shader),
        }
    }

    /// Compiles the shader's own source without runtime checks.
    ///
    /// # Safety
    ///
    /// The same as for [`Kernel::new_unchecked`].
    #[expect(unsafe_code, reason = "wgpu has no other way to omit the checks")]
    unsafe fn unchecked<S>(&self, shader: &'static ShaderWith<S>) -> Kernel<S> {
        match self.source {
            Some(_) => self.kernel(shader),
            // SAFETY: the caller guarantees it.
            None => unsafe { Kernel::new_unchecked(self.device, shader) },
        }
    }
}

/// An empty scene for a pass of this kind, with room for a scene of this size.
fn scene_boxes(
    context: &Context,
    kind: PassKind,
    [n_elements, n_entries]: [usize; 2],
) -> Result<SceneBoxes, LimitsError> {
    SceneBoxes::with_capacity(context, kind.outputs(), n_elements, n_entries)
}
