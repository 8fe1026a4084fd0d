//! How a renderer draws.

use vello::AaSupport;

use crate::bump::BumpBuffer;
use crate::error::Error;

/// Who computes the clip boxes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ClipStage {
    /// Vello's own clip stage. It is silently wrong beyond 65,792 clip operations and beyond 256 levels.
    Vello,
    /// Boxwood's, which has no such limits.
    Boxwood,
    /// Vello's up to [`VELLO_MAX_CLIPS`] clip operations, for which it takes one dispatch and cannot go wrong, Boxwood's beyond.
    #[default]
    Auto,
}

/// How many clip operations one workgroup of Vello's clip stage holds. They cannot be deeper than its stack.
pub const VELLO_MAX_CLIPS: u32 = 256;

/// What is done where a scene overflows one of the [buffers](BumpBuffer) that Vello fills to a size not known beforehand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OnOverflow {
    /// It is reported, and nothing is drawn. This waits for the device each frame.
    #[default]
    Refuse,
    /// The buffer is made larger, and the scene drawn again. This waits for the device each frame.
    Grow,
    /// Nobody looks, as in Vello: such a scene is not drawn, or in part. This waits for nothing.
    Ignore,
}

/// How a renderer draws. Vello's own options are some: `vello::RendererOptions::default().into()`.
#[derive(Clone, Debug)]
pub struct RendererOptions {
    /// The ways of anti-aliasing to compile.
    pub antialiasing_support: AaSupport,
    /// Where to keep compiled pipelines.
    pub pipeline_cache: Option<wgpu::PipelineCache>,
    /// Who computes the clip boxes.
    pub clip_stage: ClipStage,
    /// Makes layers as small as what is in them, before they are given tiles.
    ///
    /// A pixel where a layer is empty stays as precise as it was, where Vello would round it to 8 bits at the begin of the layer:
    /// pictures may differ by one step of a channel.
    pub tighten_layers: bool,
    /// What is done where a scene needs more memory than Vello sets aside.
    pub on_overflow: OnOverflow,
    /// How many items some of the [buffers](BumpBuffer) hold at first that Vello fills to a size not known beforehand. Of the
    /// others they hold as many as Vello sets aside, which is 165 MiB in all. Fewer are for [`OnOverflow::Grow`].
    pub initial_items: Vec<(BumpBuffer, u32)>,
    /// As in Vello's options, whether stages run on the CPU. This renderer cannot do that, and says so.
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
            pipeline_cache: options.pipeline_cache,
            clip_stage: ClipStage::default(),
            tighten_layers: false,
            on_overflow: OnOverflow::default(),
            initial_items: Vec::new(),
            use_cpu: options.use_cpu,
        }
    }
}

impl RendererOptions {
    pub(crate) fn check(&self) -> Result<(), Error> {
        if self.use_cpu { Err(Error::CpuStages) } else { Ok(()) }
    }
}
