//! Hooks for tests and benchmarks: schedules, single stages and dispatches, and the table of the
//! fastest algorithms.
//!
//! [`Context::with_changes`](crate::Context::with_changes) replaces the sources of
//! shaders.

pub use crate::core::chunk::Chunk;
pub use crate::core::config::Config;
pub use crate::core::program::Part;
pub use crate::core::schedule::{
    Axis, BufferLayout, Chunked, Dispatch, Grid, LINKS_PER_ROUND, PARTITION_LENGTH, Per, Renamed, Stage,
    StageName, buffer_of,
};
pub use crate::core::thresholds::{Fastest, Task, Thresholds, ThresholdsError, kind};
#[cfg(feature = "scene")]
pub use crate::scene::{
    DIRECT_MAX_ELEMENTS, MAX_PARTITIONS_PER_INVOCATION, SMALL_MAX_ELEMENTS, TWO_LEVEL_MAX_ELEMENTS,
};

/// The stages of an algorithm, in order, for arrays that each fit in a storage binding.
#[cfg(feature = "scene")]
pub fn stages(algorithm: crate::Algorithm) -> &'static [&'static Stage] {
    algorithm.stages()
}

/// The stage of an algorithm for parenthesis matching.
#[cfg(feature = "tree")]
pub fn matcher_stage(matcher: crate::tree::Matcher) -> &'static Stage {
    matcher.stage()
}

/// The stages of an algorithm for arrays that are larger than a storage binding, if it has such
/// stages.
#[cfg(feature = "scene")]
pub fn chunked_stages(algorithm: crate::Algorithm) -> Option<&'static [&'static Stage]> {
    algorithm.chunked_stages()
}
