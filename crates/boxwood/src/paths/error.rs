//! The reasons why a scene cannot be used.

use boxwood_cpu::paths::StreamsError;

/// The error for a scene whose path boxes cannot be computed on the GPU. Nothing has been allocated
/// or uploaded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PathsError {
    /// The scene has too many words.
    #[error(
        "a packed scene of {need} words exceeds {limit}, the maximum of the buffers and the device: \
         use larger buffers, split the scene, or compute it on the CPU"
    )]
    Words {
        /// The number that the scene has.
        need: u64,
        /// The maximum.
        limit: u64,
    },
    /// The scene has too many words of path tags.
    #[error("{need} words of path tags exceed {limit}, the maximum of the buffers: use larger buffers")]
    TagWords {
        /// The number that the scene has.
        need: u64,
        /// The maximum.
        limit: u64,
    },
    /// The scene has too many paths.
    #[error(
        "{need} paths exceed {limit}, the maximum of the buffers and the device: use larger buffers, \
         split the scene, or compute it on the CPU"
    )]
    Paths {
        /// The number that the scene has.
        need: u64,
        /// The maximum.
        limit: u64,
    },
    /// The caller's buffer for the scene does not accept uploads.
    #[error(
        "the caller's buffer for the scene lacks the usage COPY_DST: add it, or write the scene and call \
         set_layout"
    )]
    NoCopies,
    /// The layout does not fit the words of the scene.
    #[error(transparent)]
    Streams(#[from] StreamsError),
}
