//! Matching in one dispatch of a single workgroup.

use boxwood_shaders::tree as shaders;

use crate::core::WORKGROUP_SIZE;
use crate::core::matching::{Description, MATCHES};
use crate::core::schedule::{BufferLayout, Dispatch, Grid, Per, Stage, StageName};

/// The number of entries that the workgroup processes at a time: one word of 32 entries per
/// invocation.
const PARTITION_LENGTH: u32 = 32 * WORKGROUP_SIZE;

pub(super) static ONE_WORKGROUP: Description = Description {
    name: "one_workgroup",
    partition_length: PARTITION_LENGTH,
    max_entries: 8 * PARTITION_LENGTH as u64,
    stage: Stage {
        name: StageName::Match,
        dispatches: &[Dispatch::new(&shaders::MATCHER_ONE_WORKGROUP, Grid::Single)],
        buffers: &[BufferLayout::of::<u32>("slices", Per::Entry), MATCHES],
    },
};
