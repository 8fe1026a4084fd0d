//! Why a scene is not drawn.

use boxwood::{LimitsError, ReadBackError};
use vello::AaConfig;

use crate::bump::Overflow;

/// Why a renderer cannot be made, or a scene is not drawn.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The options ask for the stages on the CPU.
    #[error(
        "`use_cpu` is not supported: every stage runs on the GPU, take vello::Renderer for stages on the CPU"
    )]
    CpuStages,
    /// The way of anti-aliasing was not asked for when the renderer was made.
    #[error("the renderer was made without {0:?}: name it in the options' `antialiasing_support`")]
    Antialiasing(AaConfig),
    /// Layers were begun and not ended. Vello writes beyond its buffers for such scenes.
    #[error("{0} layers of the scene are still open: call Scene::pop_layer for each")]
    OpenLayers(u32),
    /// An image without data, which is of another renderer or no longer registered.
    #[error(
        "image {id} of {width} x {height} has no data: register it with this renderer, and keep it registered"
    )]
    EmptyImage {
        /// The identity of its data.
        id: u64,
        /// Its width in pixels.
        width: u32,
        /// Its height in pixels.
        height: u32,
    },
    /// An image with less data than it has pixels.
    #[error(
        "image {id} of {width} x {height} has {found} bytes of data where it takes {needed}: give it four a pixel"
    )]
    ShortImage {
        /// The identity of its data.
        id: u64,
        /// Its width in pixels.
        width: u32,
        /// Its height in pixels.
        height: u32,
        /// How many bytes it has.
        found: usize,
        /// How many it takes.
        needed: u64,
    },
    /// The target is larger than the device's textures can be.
    #[error(
        "a target of {width} x {height} is beyond the device's limit of {limit} pixels a side: draw the scene in parts"
    )]
    Target {
        /// Its width in pixels.
        width: u32,
        /// Its height in pixels.
        height: u32,
        /// The most pixels a side.
        limit: u32,
    },
    /// The scene is more words than a buffer of the device can have.
    #[error(
        "the scene takes {need} words, and a buffer of the device holds {limit}: draw it in several scenes"
    )]
    Scene {
        /// How many words the scene takes at least.
        need: u64,
        /// How many there may be.
        limit: u64,
    },
    /// The brushes of the scene need more words than a buffer of the device can have.
    #[error(
        "the scene's brushes and layers need {need} words of draw info and bins, and a buffer of the device holds {limit}: \
         draw it in several scenes"
    )]
    Info {
        /// How many words the scene needs at least.
        need: u64,
        /// How many there may be.
        limit: u64,
    },
    /// More clips or layers than the stage can hold.
    #[error("the scene has too many clips and layers")]
    Limits(#[from] LimitsError),
    /// One of the buffers that Vello fills to a size not known beforehand is too small. Nothing is drawn.
    #[error(transparent)]
    Overflow(#[from] Overflow),
    /// What the frame needed could not be read back.
    #[error("the sizes that Vello's buffers need cannot be read back")]
    ReadBack(#[from] ReadBackError),
    /// Vello records something else than the version that this crate is for.
    #[error(
        "this is not the Vello that boxwood_vello is for: {what} takes {found:?} where {expected:?} was expected"
    )]
    Recording {
        /// Which of its commands.
        what: &'static str,
        /// The names of the buffers that it should have.
        expected: Vec<&'static str>,
        /// The names of the buffers that it has.
        found: Vec<&'static str>,
    },
    /// The device reports an error.
    #[error("the graphics device reports: {0}")]
    Gpu(String),
}
