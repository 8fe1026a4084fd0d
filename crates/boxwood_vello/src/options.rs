//! The options of a renderer.

use std::num::NonZeroUsize;

use vello::AaSupport;

use crate::bump::BumpBuffer;

/// The stage that computes the clip boxes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ClipStage {
    /// Vello's own clip stage. It is wrong, without an error, beyond [`VELLO_MAX_CLIPS`] clip
    /// operations and beyond [`VELLO_MAX_DEPTH`] levels.
    Vello,
    /// Boxwood's stage, which has no such limits. Up to 65,536 clip operations it takes one or two
    /// dispatches, as Vello's does.
    #[default]
    Boxwood,
}

/// The maximum number of clip operations (begins and ends) for Vello's clip stage: a workgroup sees
/// the 256 partitions of 256 operations before its own.
pub const VELLO_MAX_CLIPS: u32 = 257 * 256;

/// The maximum number of open clips for Vello's clip stage: one per invocation of a workgroup.
pub const VELLO_MAX_DEPTH: u32 = 256;

/// The reaction to a scene that overflows one of the [buffers](BumpBuffer) that Vello fills by bump
/// allocation.
///
/// Vello does not write the picture of such a frame: the target keeps its previous contents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OnOverflow {
    /// Return an error.
    #[default]
    Refuse,
    /// Grow the buffer and draw the scene again.
    Grow,
    /// Do not look at the counters, as in Vello. Nothing reports the missing picture.
    Ignore,
}

/// The time at which the renderer looks at the counters of a frame, unless [`OnOverflow::Ignore`]
/// is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OverflowCheck {
    /// Before [`Renderer::render_to_texture`](crate::Renderer::render_to_texture) returns. Each
    /// frame waits for the device.
    #[default]
    Wait,
    /// In a later call: the CPU can prepare the next frame while the device draws.
    ///
    /// The next call of [`render_to_texture`](crate::Renderer::render_to_texture),
    /// [`poll`](crate::Renderer::poll), or [`flush`](crate::Renderer::flush) that finds the
    /// counters of a frame with an overflow returns
    /// [`Error::LostFrames`](crate::Error::LostFrames). Until then the target of that frame keeps
    /// its previous contents. With [`OnOverflow::Grow`], the buffers have grown when the error is
    /// returned, but the caller has to draw the scene again.
    Deferred,
}

/// The options of a renderer. Vello's options convert into them:
/// `vello::RendererOptions::default().into()`.
#[derive(Clone, Debug)]
pub struct RendererOptions {
    /// The methods of antialiasing to compile.
    pub antialiasing_support: AaSupport,
    /// The number of threads that compile shaders, in [`Renderer::new`](crate::Renderer::new) and
    /// [`Renderer::warm_up`](crate::Renderer::warm_up). `None` uses all cores except two. It has no
    /// effect on WebAssembly, which has no threads.
    pub num_init_threads: Option<NonZeroUsize>,
    /// The cache for Vello's compiled pipelines.
    pub pipeline_cache: Option<wgpu::PipelineCache>,
    /// The stage that computes the clip boxes.
    pub clip_stage: ClipStage,
    /// Shrink each layer to its contents before it gets tiles.
    ///
    /// Vello rounds the backdrop of a layer to 8 bits everywhere in the layer's box. Where a shrunk
    /// layer no longer is, the backdrop stays exact. So a premultiplied channel may differ from
    /// Vello's by one step of 255 per layer over it, since each of the two may be off by half a
    /// step. The target has straight alpha: at a pixel with alpha `a`, a colour channel may differ
    /// by `1 / a` steps.
    pub tighten_layers: bool,
    /// Leave out draw objects that later, opaque rectangles hide: see
    /// [`OcclusionPass`](crate::OcclusionPass). The picture stays the same.
    ///
    /// It pays for scenes with windows or pages on top of each other. The CPU looks for the
    /// rectangles in each frame, and the pass takes seven dispatches if there are any.
    pub hide_occluded: bool,
    /// Sample gradients and blurred rectangles at the centres of pixels, as images are.
    ///
    /// Vello samples them at the top left corners, so in its pictures they are moved by half a
    /// pixel down and to the right.
    pub centre_samples: bool,
    /// The reaction to a scene that needs more memory than Vello reserves.
    pub on_overflow: OnOverflow,
    /// The time at which an overflow is found.
    pub overflow_check: OverflowCheck,
    /// The initial number of items of some [buffers](BumpBuffer) that Vello fills by bump
    /// allocation. The others have Vello's sizes; all of Vello's sizes together are 165 MiB. Use
    /// smaller ones with [`OnOverflow::Grow`].
    pub initial_items: Vec<(BumpBuffer, u32)>,
    /// Whether stages run on the CPU, as in Vello's options. This renderer does not support it and
    /// returns [`Error::CpuStages`](crate::Error::CpuStages).
    pub use_cpu: bool,
}

impl Default for RendererOptions {
    fn default() -> Self {
        vello::RendererOptions::default().into()
    }
}

impl From<vello::RendererOptions> for RendererOptions {
    fn from(options: vello::RendererOptions) -> Self {
        Self {
            antialiasing_support: options.antialiasing_support,
            num_init_threads: options.num_init_threads,
            pipeline_cache: options.pipeline_cache,
            clip_stage: ClipStage::default(),
            tighten_layers: false,
            hide_occluded: false,
            centre_samples: false,
            on_overflow: OnOverflow::default(),
            overflow_check: OverflowCheck::default(),
            initial_items: Vec::new(),
            use_cpu: options.use_cpu,
        }
    }
}
