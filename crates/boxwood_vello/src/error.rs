//! Errors of the renderer.

use boxwood::spatial::SpatialError;
use boxwood::{LimitsError, ReadBackError};
use vello::AaConfig;

use crate::bump::Overflow;

/// The reason why a renderer cannot be made or a scene cannot be drawn.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The options ask for stages on the CPU.
    #[error(
        "`use_cpu` is not supported, because every stage runs on the GPU: use vello::Renderer for stages on the CPU"
    )]
    CpuStages,
    /// The renderer was made without this method of antialiasing.
    #[error("the renderer was made without {0:?}: add it to `antialiasing_support` in the options")]
    Antialiasing(AaConfig),
    /// The scene has layers that are not closed. Vello would write beyond its buffers.
    #[error("{0} layers of the scene are still open: call Scene::pop_layer for each")]
    OpenLayers(u32),
    /// An image has fewer bytes of data than its size requires. An image without data may be
    /// registered with another renderer, or no longer registered.
    #[error(
        "image {id} of {width} x {height} has {found} bytes of data instead of {needed}: \
         provide four per pixel, or register a texture with this renderer"
    )]
    Image {
        /// The identity of its data.
        id: u64,
        /// Its width in pixels.
        width: u32,
        /// Its height in pixels.
        height: u32,
        /// The number of bytes that it has.
        found: usize,
        /// The number of bytes that its size requires.
        needed: u64,
    },
    /// The texture in place of an image cannot be copied to Vello's atlas.
    #[error(
        "the texture in place of image {id} has the format {format:?} and the usage {usage:?}: \
         it needs Rgba8Unorm and COPY_SRC"
    )]
    Texture {
        /// The identity of the image's data.
        id: u64,
        /// The format of the texture.
        format: wgpu::TextureFormat,
        /// The usage of the texture.
        usage: wgpu::TextureUsages,
    },
    /// The target has no pixels, or is larger than a texture of the device can be.
    #[error("a target of {width} x {height} is not possible: each side needs 1 to {limit} pixels")]
    Target {
        /// Its width in pixels.
        width: u32,
        /// Its height in pixels.
        height: u32,
        /// The maximum number of pixels per side.
        limit: u32,
    },
    /// A part of the scene does not fit in a buffer of the device.
    #[error("{part} need {need} words, and a buffer of the device holds {limit}: split the scene")]
    Scene {
        /// The part.
        part: &'static str,
        /// The minimum number of words that it needs.
        need: u64,
        /// The number of words that a buffer holds.
        limit: u64,
    },
    /// The scene has too many clips, layers, or draw objects for Boxwood's stages.
    #[error("the clips, layers, or draw objects of the scene exceed a limit")]
    Limits(#[from] LimitsError),
    /// The scene has too many draw objects for the pass that hides occluded ones.
    #[error("the draw objects of the scene exceed a limit of the option `hide_occluded`")]
    Occlusion(#[from] SpatialError),
    /// A buffer that Vello fills by bump allocation is too small. Nothing is drawn.
    #[error(transparent)]
    Overflow(#[from] Overflow),
    /// Earlier frames overflowed a buffer, and their targets are unchanged. Only
    /// [`OverflowCheck::Deferred`](crate::OverflowCheck::Deferred) reports this.
    #[error("{n_frames} earlier frames were not drawn{}", if *.can_redraw { ": draw again" } else { "" })]
    LostFrames {
        /// The number of frames.
        n_frames: usize,
        /// The first buffer that was too small for the first of these frames.
        #[source]
        overflow: Overflow,
        /// Whether the buffers have grown to the sizes that the frames needed.
        can_redraw: bool,
    },
    /// The counters of a frame could not be read back.
    #[error("the counters of Vello's buffers cannot be read")]
    ReadBack(#[from] ReadBackError),
    /// The recording is not one of the version of Vello that this crate supports.
    #[error("boxwood_vello does not support this version of Vello: {0}")]
    Recording(String),
    /// The device reported an error.
    #[error("the graphics device reported: {0}")]
    Gpu(String),
    /// Vello's shaders could not be loaded again.
    #[cfg(feature = "hot_reload")]
    #[error("Vello's shaders cannot be loaded")]
    Shaders(#[from] vello_shaders::compile::ErrorVec),
    /// The profiler could not be made.
    #[cfg(feature = "wgpu-profiler")]
    #[error("the profiler cannot be made")]
    Profiler(#[from] wgpu_profiler::CreationError),
}
