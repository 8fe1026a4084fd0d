//! Stage *link*: the parent and the partner of every entry of the node stream, for any length.
//!
//! Partners inside a partition are found by a search of a tree of bicyclic sums. Begins outside of
//! it are found by their depth: a tree of minimum depths over the partitions leads to the last
//! earlier partition that descends to a level. Specification:
//! `boxwood_cpu::specification::tree::link_entries`.

use boxwood_cpu::{Bic, EntryLink};
use boxwood_shaders::{core as core_shaders, sizes, tree as shaders};

use crate::core::schedule::{BufferLayout, Dispatch, Grid, Per, Stage, StageName};

/// The stage.
pub(super) static STAGE: Stage = Stage {
    name: StageName::Link,
    dispatches: &[
        Dispatch::new(&shaders::LINK_REDUCE, Grid::Partitions),
        Dispatch::new(&core_shaders::SPINE_REDUCE, Grid::Groups),
        Dispatch::new(&core_shaders::SPINE_TOP, Grid::Single),
        Dispatch::new(&core_shaders::SPINE_FINISH, Grid::Groups),
        Dispatch::new(&shaders::LINK_FINISH, Grid::Partitions),
    ],
    buffers: &[
        BufferLayout::of::<Bic>("partition_bics", Per::Partition),
        BufferLayout::of::<u32>("slices", Per::Entry),
        BufferLayout::of::<EntryLink>("links", Per::Entry),
        BufferLayout::of::<Bic>("group_bics", Per::Group),
        BufferLayout::of::<i32>("group_starts", Per::Group),
        BufferLayout::new("partition_depths", Per::Partition, sizes::PARTITION_DEPTH),
        BufferLayout::of::<i32>("depth_tree", Per::TreeNode),
    ],
};
