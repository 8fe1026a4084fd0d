//! Vello's layers made as small as what is in them.
//!
//! A layer costs tiles, bins and, where it is nested deep, memory for its pixels all over its box, which is that of its clip
//! path. Its group box is the union of the clipped boxes of what is drawn in it, which may be much smaller. Where a layer is
//! empty it changes nothing, unless its compose mode is destructive or it is a luminance mask: those keep their boxes, and the
//! layers around keep what holds them. Shaders: `vello_tighten_gather`, those of Boxwood's stages, `vello_tighten_scatter`.

use boxwood::{Kernel, LimitsError, Pipelines};
use boxwood_shaders::Shader;
use vello_encoding::Layout;

use crate::scene_pass::{PassSize, ScenePass};

/// What [`TightenPass::record_in`] binds, by the names that its shaders have for them. All are Vello's own.
///
/// - `vello_config`, read, uniform: `vello_encoding::ConfigUniform`.
/// - `scene`, read: the packed scene, of which the draw tags and the blend words count.
/// - `draw_monoids`, read: `vello_encoding::DrawMonoid`, one a draw object.
/// - `path_bboxes`, read and written: `vello_encoding::PathBbox`, one a path. Those of layers get their group box.
pub const TIGHTEN_BUFFERS: [&str; 4] = ["vello_config", "scene", "draw_monoids", "path_bboxes"];

/// Vello's layers made as small as what is in them, between its clip stage and binning.
#[derive(Debug)]
pub struct TightenPass {
    pass: ScenePass,
}

impl TightenPass {
    /// Compiles its own two shaders. Those between them are in [`Pipelines`].
    pub fn new(device: &wgpu::Device) -> Self {
        Self::with_kernels(|shader| Kernel::new(device, shader))
    }

    /// Compiles them from the source that `source` gives, with wgpu's checks. This is for tests that break one.
    pub fn with_sources(device: &wgpu::Device, source: impl Fn(&Shader) -> String) -> Self {
        Self::with_kernels(|shader| Kernel::with_source(device, shader, &source(shader)))
    }

    fn with_kernels(kernel: impl Fn(&'static Shader) -> Kernel) -> Self {
        let gather = kernel(&boxwood_shaders::vello::VELLO_TIGHTEN_GATHER);
        let scatter = kernel(&boxwood_shaders::vello::VELLO_TIGHTEN_SCATTER);
        Self { pass: ScenePass::new(gather, Some(scatter), &TIGHTEN_BUFFERS) }
    }

    /// Records it into a compute pass of the caller's, over the buffers of [`TIGHTEN_BUFFERS`], for a scene of this `layout`. It writes to `queue` what is
    /// to be there before the pass runs; two recordings need two submissions.
    ///
    /// # Errors
    ///
    /// More draw objects than the device can hold, each as two elements. Nothing is recorded then.
    pub fn record_in(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        pipelines: &Pipelines,
        pass: &mut wgpu::ComputePass<'_>,
        layout: &Layout,
        buffers: &[wgpu::Buffer; TIGHTEN_BUFFERS.len()],
    ) -> Result<(), LimitsError> {
        self.pass.record_in(device, queue, pipelines, pass, &pass_size(layout), buffers)
    }
}

fn pass_size(layout: &Layout) -> PassSize {
    PassSize {
        n_elements: layout.n_draw_objects.saturating_mul(2),
        n_nodes: layout.n_clips,
        n_gathered: layout.n_draw_objects,
        n_scattered: layout.n_clips,
    }
}
