//! By depth, for any number of entries.

use boxwood_layout::{Bic, WORKGROUP_SIZE};
use boxwood_shaders::SHADERS;

use super::MATCHES;
use crate::stage::{BufferLayout, Grid, Per, Stage, Step};

/// A word of 32 entries an invocation.
pub(super) const PARTITION_LENGTH: u32 = 32 * WORKGROUP_SIZE;

pub(super) static STAGE: Stage = Stage {
    name: "match.hierarchical",
    steps: &[
        Step::once(&SHADERS.matcher_hierarchical_reduce, Grid::Partitions),
        Step::once(&SHADERS.spine_reduce, Grid::Groups),
        Step::once(&SHADERS.spine_top, Grid::Single),
        Step::once(&SHADERS.spine_leaf_linked, Grid::Groups),
        Step::once(&SHADERS.matcher_hierarchical_leaf, Grid::Partitions),
    ],
    buffers: &[
        BufferLayout { name: "partition_bics", per: Per::Partition, stride: size_of::<Bic>() },
        BufferLayout { name: "group_bics", per: Per::Group, stride: size_of::<Bic>() },
        BufferLayout { name: "group_starts", per: Per::Group, stride: 4 },
        BufferLayout { name: "linked_depths", per: Per::Partition, stride: size_of::<[i32; 3]>() },
        BufferLayout { name: "depth_tree", per: Per::TreeNode, stride: 4 },
        BufferLayout { name: "slices", per: Per::Node, stride: 4 },
        BufferLayout { name: "word_stacks", per: Per::NodeWord, stride: size_of::<[u32; 2]>() },
        MATCHES,
    ],
};
