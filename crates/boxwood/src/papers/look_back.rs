//! Matching in a single pass with decoupled look-back, after Levien 2021, "The stack monoid
//! revisited".

use boxwood_shaders::papers as shaders;

use crate::core::WORKGROUP_SIZE;
use crate::core::matching::{Description, MATCHES};
use crate::core::schedule::{BufferLayout, Dispatch, Grid, Per, Stage, StageName};

pub(crate) static LOOK_BACK: Description = Description {
    name: "look_back",
    // One word of 32 entries per invocation.
    partition_length: 32 * WORKGROUP_SIZE,
    max_entries: i32::MAX as u64,
    stage: Stage {
        name: StageName::Match,
        dispatches: &[
            Dispatch::new(&shaders::MATCHER_LOOK_BACK_CLEAR, Grid::Groups),
            Dispatch::new(&shaders::MATCHER_LOOK_BACK, Grid::Partitions),
        ],
        buffers: &[
            BufferLayout::of::<u32>("aggregates", Per::Partition),
            BufferLayout::of::<u32>("back_links", Per::Partition),
            BufferLayout::of::<u32>("stacks", Per::Entry),
            MATCHES,
        ],
    },
};
