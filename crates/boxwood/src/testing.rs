//! Hooks for tests and benchmarks: plans, and single stages and dispatches.
//!
//! [`Context::with_changes`](crate::Context::with_changes) replaces the sources of shaders.

pub use crate::core::config::Config;
pub use crate::core::grid::{Grid, LINKS_PER_ROUND, PARTITION_LENGTH};
pub use crate::core::kernel::Compiled;
pub use crate::core::plan::{Chunk, ChunkAxis, Plan, PlannedBuffer, PlannedDispatch, Slot, Workgroups};
pub use crate::core::program::Part;
#[cfg(feature = "scene")]
pub use crate::scene::{MAX_PARTITIONS_PER_INVOCATION, SMALL_MAX_ELEMENTS, TWO_LEVEL_MAX_ELEMENTS};

/// The stages of an algorithm for scenes of up to `n_elements` elements and `n_entries` begins and
/// ends, for arrays that each fit in a storage binding.
#[cfg(feature = "scene")]
pub fn stages(algorithm: crate::Algorithm, n_elements: u32, n_entries: u32) -> Plan<Grid> {
    algorithm.stages(algorithm.config(n_elements, n_entries)).plan.checked()
}

/// The same for arrays that are larger than a storage binding, if the algorithm has such stages.
#[cfg(feature = "scene")]
pub fn chunked_stages(algorithm: crate::Algorithm, n_elements: u32, n_entries: u32) -> Option<Plan<Grid>> {
    algorithm.chunked_stages(algorithm.config(n_elements, n_entries)).map(|scene| scene.plan.checked())
}

/// The stages of an algorithm for parenthesis matching, for up to `n_entries` begins and ends.
#[cfg(feature = "tree")]
pub fn matcher_stages(matcher: crate::tree::Matcher, n_entries: u32) -> Plan<Grid> {
    matcher.stages(n_entries).plan.checked()
}

/// The stages of a tree scan over values of `stride` bytes, for up to `n_entries` begins and ends.
#[cfg(feature = "tree")]
pub fn scan_stages(stride: usize, n_entries: u32) -> Plan<Grid> {
    crate::tree::scan_stages(stride, n_entries).checked()
}
