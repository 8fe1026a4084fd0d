//! Matching by depth, for any number of entries.

use boxwood_cpu::Bic;
use boxwood_shaders::{core as core_shaders, sizes, tree as shaders};

use crate::core::WORKGROUP_SIZE;
use crate::core::matching::{Description, MATCHES};
use crate::core::schedule::{BufferLayout, Dispatch, Grid, Per, Stage, StageName};

pub(super) static HIERARCHICAL: Description = Description {
    name: "hierarchical",
    // One word of 32 entries per invocation.
    partition_length: 32 * WORKGROUP_SIZE,
    max_entries: i32::MAX as u64,
    stage: Stage {
        name: StageName::Match,
        dispatches: &[
            Dispatch::new(&shaders::MATCHER_HIERARCHICAL_REDUCE, Grid::Partitions),
            Dispatch::new(&core_shaders::SPINE_REDUCE, Grid::Groups),
            Dispatch::new(&core_shaders::SPINE_TOP, Grid::Single),
            Dispatch::new(&core_shaders::SPINE_FINISH_LINKED, Grid::Groups),
            Dispatch::new(&shaders::MATCHER_HIERARCHICAL_FINISH, Grid::Partitions),
        ],
        buffers: &[
            BufferLayout::of::<Bic>("partition_bics", Per::Partition),
            BufferLayout::of::<Bic>("group_bics", Per::Group),
            BufferLayout::of::<i32>("group_starts", Per::Group),
            BufferLayout::new("linked_depths", Per::Partition, sizes::LINKED_DEPTH),
            BufferLayout::of::<i32>("depth_tree", Per::TreeNode),
            BufferLayout::of::<u32>("slices", Per::Entry),
            BufferLayout::of::<[u32; 2]>("word_stacks", Per::EntryWord),
            MATCHES,
        ],
    },
};
