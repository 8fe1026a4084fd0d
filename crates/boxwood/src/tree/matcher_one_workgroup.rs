//! Matching in one dispatch of a single workgroup.

use boxwood_shaders::tree as shaders;

use super::matcher::MATCHES;
use crate::core::WORKGROUP_SIZE;
use crate::core::schedule::{BufferLayout, Grid, Per, Stage, StageName, Step};

/// The number of entries that the workgroup takes at a time: one word of 32 entries per invocation.
pub(super) const PARTITION_LENGTH: u32 = 32 * WORKGROUP_SIZE;

pub(super) static STAGE: Stage = Stage {
    name: StageName::Match,
    steps: &[Step::once(&shaders::MATCHER_ONE_WORKGROUP, Grid::Single)],
    buffers: &[BufferLayout::of::<u32>("slices", Per::Node), MATCHES],
};
