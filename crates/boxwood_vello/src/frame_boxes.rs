//! The boxes of a frame as Vello draws it: Boxwood's stages over Vello's own buffers.
//!
//! The elements are the draw objects of the frame, and all boxes are in its pixels. A leaf box, and the box of a clip's shape, is what
//! Vello has made of the path: flattened at the frame's size, and rounded outward to whole pixels. Shaders: `vello_frame_gather` and
//! those of Boxwood's stages.

use boxwood::{Buffers, Kernel, LimitsError, Pipelines};
use boxwood_shaders::Shader;
use vello_encoding::Layout;

use crate::scene_pass::{PassSize, ScenePass};

/// What [`FramePass::record_in`] binds, by the names that its shader has for them. All are Vello's own, and only read.
///
/// - `vello_config`, uniform: `vello_encoding::ConfigUniform`.
/// - `scene`: the packed scene, of which the draw tags count.
/// - `draw_monoids`: `vello_encoding::DrawMonoid`, one a draw object.
/// - `path_bboxes`: `vello_encoding::PathBbox`, one a path.
pub const FRAME_BUFFERS: [&str; 4] = ["vello_config", "scene", "draw_monoids", "path_bboxes"];

/// The boxes of a frame as Vello draws it, after its stage `draw_leaf`.
#[derive(Debug)]
pub struct FramePass {
    pass: ScenePass,
}

impl FramePass {
    /// Compiles its own shader. Those after it are in [`Pipelines`].
    pub fn new(device: &wgpu::Device) -> Self {
        Self::with_kernels(|shader| Kernel::new(device, shader))
    }

    /// Compiles it from the source that `source` gives, with wgpu's checks. This is for tests that break it.
    pub fn with_sources(device: &wgpu::Device, source: impl Fn(&Shader) -> String) -> Self {
        Self::with_kernels(|shader| Kernel::with_source(device, shader, &source(shader)))
    }

    fn with_kernels(kernel: impl Fn(&'static Shader) -> Kernel) -> Self {
        let gather = kernel(&boxwood_shaders::vello::VELLO_FRAME_GATHER);
        Self { pass: ScenePass::new(gather, None, &FRAME_BUFFERS) }
    }

    /// Records it into a compute pass of the caller's, over the buffers of [`FRAME_BUFFERS`], for a scene of this `layout`. It writes to `queue` what is
    /// to be there before the pass runs; two recordings need two submissions.
    ///
    /// # Errors
    ///
    /// More draw objects than the device can hold as elements. Nothing is recorded then.
    pub fn record_in(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        pipelines: &Pipelines,
        pass: &mut wgpu::ComputePass<'_>,
        layout: &Layout,
        buffers: &[wgpu::Buffer; FRAME_BUFFERS.len()],
    ) -> Result<(), LimitsError> {
        self.pass.record_in(device, queue, pipelines, pass, &pass_size(layout), buffers)
    }

    /// Where the last recording leaves the boxes; none before the first.
    pub fn boxes(&self) -> Option<&Buffers> {
        self.pass.scene()
    }
}

fn pass_size(layout: &Layout) -> PassSize {
    PassSize {
        n_elements: layout.n_draw_objects,
        n_nodes: layout.n_clips,
        n_gathered: layout.n_draw_objects,
        n_scattered: 0,
    }
}
