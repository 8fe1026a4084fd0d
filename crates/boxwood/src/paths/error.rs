//! What a scene of paths may be too large for.

use boxwood_cpu::paths::StreamsError;

/// Why the boxes of a scene's paths cannot be computed on the GPU. Nothing is allocated or uploaded then.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PathsError {
    /// Too many words.
    #[error(
        "a packed scene of {need} words is more than {limit}, the least of what the buffers and the device can hold: \
         take larger buffers, split the scene, or compute it on the CPU"
    )]
    Words {
        /// How many the scene has.
        need: u64,
        /// How many there may be.
        limit: u64,
    },
    /// Too many words of path tags.
    #[error(
        "{need} words of path tags are more than the {limit} that there is room for: take larger buffers"
    )]
    TagWords {
        /// How many the scene has.
        need: u64,
        /// How many there may be.
        limit: u64,
    },
    /// Too many paths.
    #[error(
        "{need} paths are more than {limit}, the least of what the buffers and the device can hold: \
         take larger buffers, split the scene, or compute it on the CPU"
    )]
    Paths {
        /// How many the scene has.
        need: u64,
        /// How many there may be.
        limit: u64,
    },
    /// The caller's buffer is not for uploads.
    #[error(
        "the caller's buffer of the scene has no usage COPY_DST: give it that, or write the scene there and call set_layout"
    )]
    NoCopies,
    /// A row of path tags that no shader takes.
    #[error("a row of {found} path tags is none of 16, 32, 64, 128 and 256: take one of these, or none")]
    RowTags {
        /// How many were asked for.
        found: u32,
    },
    /// The layout is not one of these words.
    #[error(transparent)]
    Streams(#[from] StreamsError),
}
