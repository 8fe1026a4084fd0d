//! Vello's clip stage, by Boxwood's.
//!
//! Reads and writes what Vello's `clip_reduce` and `clip_leaf` do, bit for bit, without their limits of 65,792 clip operations
//! and 256 levels. Shaders: `vello_clip_gather`, those of Boxwood's stages, `vello_clip_scatter`.
//! Specification: `vello_shaders::cpu::clip_leaf`.

use boxwood::{Algorithm, Kernel, LimitsError, Pipelines};
use boxwood_shaders::Shader;
use vello_encoding::Layout;

use crate::scene_pass::{PassSize, ScenePass};

/// What [`ClipPass::record_in`] binds, by the names that its shaders have for them. All are Vello's own.
///
/// - `vello_config`, read, uniform: `vello_encoding::ConfigUniform`, of which `layout.n_clips` counts.
/// - `clip_inp`, read: `vello_encoding::Clip`, one a clip operation.
/// - `path_bboxes`, read: `vello_encoding::PathBbox`, one a path.
/// - `draw_monoids`, read and written: `vello_encoding::DrawMonoid`, one a draw object. That of an end gets `path_ix`,
///   `scene_offset` and `info_offset` of its begin.
/// - `clip_bboxes`, written: `vello_encoding::ClipBbox`, one a clip operation: the intersection of the path boxes of all clips
///   that are open after it, inverted where that is empty, ±1e9 where there are none.
pub const CLIP_BUFFERS: [&str; 5] =
    ["vello_config", "clip_inp", "path_bboxes", "draw_monoids", "clip_bboxes"];

/// Vello's clip stage, by Boxwood's.
///
/// An end without a begin leaves its draw object as it is, and has the whole plane.
#[derive(Debug)]
pub struct ClipPass {
    pass: ScenePass,
}

impl ClipPass {
    /// Compiles its own two shaders. Those between them are in [`Pipelines`].
    pub fn new(device: &wgpu::Device) -> Self {
        Self::with_kernels(|shader| Kernel::new(device, shader))
    }

    /// Compiles them from the source that `source` gives, with wgpu's checks. This is for tests that break one.
    pub fn with_sources(device: &wgpu::Device, source: impl Fn(&Shader) -> String) -> Self {
        Self::with_kernels(|shader| Kernel::with_source(device, shader, &source(shader)))
    }

    fn with_kernels(kernel: impl Fn(&'static Shader) -> Kernel) -> Self {
        let gather = kernel(&boxwood_shaders::vello::VELLO_CLIP_GATHER);
        let scatter = kernel(&boxwood_shaders::vello::VELLO_CLIP_SCATTER);
        Self { pass: ScenePass::new(gather, Some(scatter), &CLIP_BUFFERS) }
    }

    /// Chooses the algorithm, which makes no difference to the results; `None` is the fastest for the length of the stream.
    pub fn set_algorithm(&mut self, algorithm: Option<Algorithm>) {
        self.pass.set_algorithm(algorithm);
    }

    /// Records the stage into a compute pass of the caller's, over the buffers of [`CLIP_BUFFERS`], for a scene of this `layout`, of which
    /// `n_clips` counts.
    /// It writes to `queue` what is to be there before the pass runs; two recordings need two submissions.
    ///
    /// # Errors
    ///
    /// More clip operations than the device can hold. Nothing is recorded then.
    pub fn record_in(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        pipelines: &Pipelines,
        pass: &mut wgpu::ComputePass<'_>,
        layout: &Layout,
        buffers: &[wgpu::Buffer; CLIP_BUFFERS.len()],
    ) -> Result<(), LimitsError> {
        self.pass.record_in(device, queue, pipelines, pass, &pass_size(layout), buffers)
    }
}

fn pass_size(layout: &Layout) -> PassSize {
    let n = layout.n_clips;
    PassSize { n_elements: n, n_nodes: n, n_gathered: n, n_scattered: n }
}
