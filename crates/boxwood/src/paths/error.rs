//! The reasons why a scene cannot be used.

use boxwood_cpu::paths::StreamsError;

/// The error for a scene whose path boxes cannot be computed on the GPU. Nothing has been allocated
/// or uploaded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PathsError {
    /// The scene is too large.
    #[error(
        "{need} {items} exceed {limit}, the maximum of the buffers and the device (max_buffer_size and \
         max_storage_buffer_binding_size): use larger buffers, split the scene, or compute it on the CPU"
    )]
    TooLarge {
        /// Of which there are too many: words of the scene, words of path tags, or paths.
        items: &'static str,
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
