//! Stage *match*: the parent and the partner of every entry of the node stream.
//!
//! Specification: `boxwood_cpu::match_nodes`. Both ways find what is in an entry's own partition by a search of the
//! bicyclic tree, and what is outside in the stack slices of earlier partitions; they differ in how they find the slice.

use boxwood_layout::{Bic, NodeLink, PartitionDepth};
use boxwood_shaders::SHADERS;

use super::{BufferLayout, Grid, Per, Stage, Step};

const PARTITION_BICS: BufferLayout =
    BufferLayout { name: "partition_bics", per: Per::Partition, stride: size_of::<Bic>() };
const SLICES: BufferLayout = BufferLayout { name: "slices", per: Per::Node, stride: 4 };
const LINKS: BufferLayout = BufferLayout { name: "links", per: Per::Node, stride: size_of::<NodeLink>() };

/// The simple algorithm of Levien 2022, section 7: a workgroup scans the bicyclic sums of all partitions.
pub static SIMPLE: Stage = Stage {
    name: "match",
    steps: &[
        Step::once(&SHADERS.match_reduce, Grid::Partitions),
        Step::once(&SHADERS.match_leaf, Grid::Partitions),
    ],
    buffers: &[PARTITION_BICS, SLICES, LINKS],
};

/// By depth, for any length: a spine over the partitions has their depths, and a tree of the least of them finds the last
/// partition that goes as low as a level.
pub static HIERARCHICAL: Stage = Stage {
    name: "match",
    steps: &[
        Step::once(&SHADERS.match_reduce, Grid::Partitions),
        Step::once(&SHADERS.spine_reduce, Grid::Groups),
        Step::once(&SHADERS.spine_top, Grid::Single),
        Step::once(&SHADERS.spine_leaf, Grid::Groups),
        Step::once(&SHADERS.match_leaf_hierarchical, Grid::Partitions),
    ],
    buffers: &[
        PARTITION_BICS,
        SLICES,
        LINKS,
        BufferLayout { name: "group_bics", per: Per::Group, stride: size_of::<Bic>() },
        BufferLayout { name: "group_starts", per: Per::Group, stride: 4 },
        BufferLayout { name: "partition_depths", per: Per::Partition, stride: size_of::<PartitionDepth>() },
        BufferLayout { name: "depth_tree", per: Per::TreeNode, stride: 4 },
    ],
};
