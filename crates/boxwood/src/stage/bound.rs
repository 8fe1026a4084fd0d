//! Stage *bound*: match, clip and union at once, in one walk over each partition of 1024 elements.
//!
//! Each dispatch reads its input once: `reduce` leaves what other partitions need to know of one, `leaf` does the work inside of
//! each, `stitch` finishes the nodes that cross partitions. Specification: `boxwood_cpu::match_nodes`, `boxwood_cpu::clip_nodes`,
//! `boxwood_cpu::clip_leaves` and `boxwood_cpu::union_groups`.

use boxwood_layout::{
    Aabb, Bic, Node, NodeLink, PartitionCrossings, PartitionDepth, PartitionEntry, PartitionSummary,
    SmallPartition, SmallSummary, WORKGROUP_SIZE,
};
use boxwood_shaders::SHADERS;

use super::{Axis, BufferLayout, Dispatch, Grid, Per, Stage, Step};

/// How many elements a workgroup takes, four an invocation.
pub const PARTITION_LENGTH: u32 = 4 * WORKGROUP_SIZE;

const fn layout<T>(name: &'static str, per: Per) -> BufferLayout {
    BufferLayout { name, per, stride: size_of::<T>() }
}

const SUMMARIES: BufferLayout = layout::<PartitionSummary>("summaries", Per::Partition);
const CROSSINGS: BufferLayout = layout::<PartitionCrossings>("crossings", Per::Partition);
const PARTITION_BICS: BufferLayout = layout::<Bic>("partition_bics", Per::Partition);
const SLICE_BOXES: BufferLayout = layout::<Aabb>("slice_boxes", Per::Slot);
const LINKS: BufferLayout = layout::<NodeLink>("links", Per::Node);
const CLIP_BOXES: BufferLayout = layout::<Aabb>("clip_boxes", Per::Node);
const CLIPPED_BOXES: BufferLayout = layout::<Aabb>("clipped_boxes", Per::Element);
const GROUP_BOXES: BufferLayout = layout::<Aabb>("group_boxes", Per::Node);

const SMALL_BUFFERS: &[BufferLayout] = &[
    layout::<SmallSummary>("small_summaries", Per::Partition),
    layout::<SmallPartition>("small_partitions", Per::Partition),
    layout::<Node>("nodes", Per::Node),
    BufferLayout { name: "places", per: Per::ElementQuad, stride: 16 },
    LINKS,
    CLIP_BOXES,
    CLIPPED_BOXES,
    GROUP_BOXES,
];

/// For small scenes, in two levels: an element an invocation, 256 a partition.
pub static SMALL: Stage = Stage {
    name: "bound",
    steps: &[
        Step::once(&SHADERS.bound_small_reduce, Grid::SeveralPartitions),
        Step::once(&SHADERS.bound_small_leaf, Grid::Partitions),
        Step::once(&SHADERS.bound_small_stitch, Grid::Partitions),
    ],
    buffers: SMALL_BUFFERS,
};

/// The same for scenes so small that a workgroup reads all tags before its partition itself, a stretch an invocation.
pub static DIRECT: Stage = Stage {
    name: "bound",
    steps: &[
        Step::once(&SHADERS.bound_small_leaf_direct, Grid::Partitions),
        Step::once(&SHADERS.bound_small_stitch, Grid::Partitions),
    ],
    buffers: SMALL_BUFFERS,
};

/// In two levels: each workgroup sees all partitions, which are as many as it has invocations at most.
pub static TWO_LEVEL: Stage = Stage {
    name: "bound",
    steps: &[
        Step::once(&SHADERS.bound_reduce, Grid::Partitions),
        Step::once(&SHADERS.bound_before_two_level, Grid::Partitions),
        Step::once(&SHADERS.bound_leaf, Grid::Partitions),
        Step::once(&SHADERS.bound_stitch_two_level, Grid::SeveralPartitions),
    ],
    buffers: &[
        SUMMARIES,
        CROSSINGS,
        PARTITION_BICS,
        SLICE_BOXES,
        LINKS,
        CLIP_BOXES,
        CLIPPED_BOXES,
        GROUP_BOXES,
    ],
};

/// In as many levels as it takes: by depth, with a tree of the least depths over the partitions. What encloses a partition beneath
/// its slice is another partition's slice, and what encloses that: a forest over the partitions, resolved by pointer jumping.
///
/// For scenes each of whose arrays fits a storage binding; [`IN_WINDOWS`] takes larger ones.
pub static HIERARCHICAL: Stage = Stage {
    name: "bound",
    steps: &[
        Step::once(&SHADERS.bound_reduce, Grid::Partitions),
        Step::once(&SHADERS.spine_reduce, Grid::Groups),
        Step::once(&SHADERS.spine_top, Grid::Single),
        Step::once(&SHADERS.spine_leaf, Grid::Groups),
        Step::once(&SHADERS.bound_entry, Grid::Groups),
        ENTRY_ROUNDS,
        Step::once(&SHADERS.bound_before, Grid::Partitions),
        Step::once(&SHADERS.bound_leaf, Grid::Partitions),
        Step::once(&SHADERS.bound_tree_leaf, Grid::Groups),
        Step::once(&SHADERS.bound_tree_top, Grid::Single),
        Step::once(&SHADERS.bound_stitch, Grid::SeveralPartitions),
    ],
    buffers: &HIERARCHICAL_BUFFERS,
};

/// The same for scenes with arrays larger than a storage binding, which are bound a window at a time; each must fit a buffer.
///
/// What wants room for a box an element has it in an array that is not in use: the stack before a partition in the clipped boxes,
/// what lies at the ends of nodes from other partitions in the slice boxes.
pub static IN_WINDOWS: Stage = Stage {
    name: "bound",
    steps: &[
        Step::in_windows(
            &SHADERS.bound_reduce,
            Grid::Partitions,
            &[
                ("config", Axis::Partitions),
                ("draw_tags", Axis::Partitions),
                ("element_boxes", Axis::Partitions),
                ("partition_nodes", Axis::Partitions),
                ("summaries", Axis::Partitions),
                ("slice_boxes", Axis::Partitions),
                ("partition_bics", Axis::Partitions),
            ],
        ),
        Step::once(&SHADERS.spine_reduce, Grid::Groups),
        Step::once(&SHADERS.spine_top, Grid::Single),
        Step::once(&SHADERS.spine_leaf, Grid::Groups),
        Step::in_windows(
            &SHADERS.bound_entry_sources_windowed,
            Grid::Groups,
            &[("slice_boxes", Axis::Sources)],
        ),
        Step::once(&SHADERS.bound_entry_windowed, Grid::Groups),
        ENTRY_ROUNDS,
        Step::in_windows(
            &SHADERS.bound_before_windowed,
            Grid::Partitions,
            &[
                ("config", Axis::Partitions),
                ("summaries", Axis::Sources),
                ("slice_boxes", Axis::Sources),
                ("crossings", Axis::Partitions),
                ("clipped_boxes", Axis::Partitions),
            ],
        ),
        Step::in_windows(
            &SHADERS.bound_leaf_windowed,
            Grid::Partitions,
            &[
                ("config", Axis::Partitions),
                ("summaries", Axis::Partitions),
                ("element_boxes", Axis::Partitions),
                ("crossings", Axis::Partitions),
                ("links", Axis::Nodes),
                ("clip_boxes", Axis::Nodes),
                ("clipped_boxes", Axis::Partitions),
                ("group_boxes", Axis::Nodes),
            ],
        ),
        Step::once(&SHADERS.bound_tree_leaf_windowed, Grid::Groups),
        Step::once(&SHADERS.bound_tree_top, Grid::Single),
        Step::in_windows(
            &SHADERS.bound_stitch_fronts_windowed,
            Grid::Partitions,
            &[
                ("summaries", Axis::Partitions),
                ("crossings", Axis::Partitions),
                ("slice_boxes", Axis::Partitions),
                ("group_boxes", Axis::Nodes),
            ],
        ),
        Step::in_windows(
            &SHADERS.bound_stitch_begins_windowed,
            Grid::Partitions,
            &[
                ("config", Axis::Partitions),
                ("nodes", Axis::Nodes),
                ("summaries", Axis::Partitions),
                ("crossings", Axis::Partitions),
                ("slice_boxes", Axis::Partitions),
                ("links", Axis::Nodes),
                ("group_boxes", Axis::Nodes),
            ],
        ),
        Step::in_windows(
            &SHADERS.bound_stitch_ends_windowed,
            Grid::Partitions,
            &[
                ("config", Axis::Partitions),
                ("summaries", Axis::Partitions),
                ("crossings", Axis::Partitions),
                ("slice_boxes", Axis::Partitions),
                ("group_boxes", Axis::Nodes),
            ],
        ),
    ],
    buffers: &HIERARCHICAL_BUFFERS,
};

/// Pointer jumping from group to group.
const ENTRY_ROUNDS: Step = Step::Rounds([
    Dispatch {
        shader: &SHADERS.bound_entry_jump,
        grid: Grid::Groups,
        bound_to: &[("entries_before", "entries"), ("entries_after", "other_entries")],
        windows: &[],
    },
    Dispatch {
        shader: &SHADERS.bound_entry_jump,
        grid: Grid::Groups,
        bound_to: &[("entries_before", "other_entries"), ("entries_after", "entries")],
        windows: &[],
    },
]);

const HIERARCHICAL_BUFFERS: [BufferLayout; 15] = [
    SUMMARIES,
    CROSSINGS,
    PARTITION_BICS,
    SLICE_BOXES,
    LINKS,
    CLIP_BOXES,
    CLIPPED_BOXES,
    GROUP_BOXES,
    layout::<Bic>("group_bics", Per::Group),
    layout::<i32>("group_starts", Per::Group),
    layout::<PartitionDepth>("partition_depths", Per::Partition),
    layout::<i32>("depth_tree", Per::TreeNode),
    layout::<PartitionEntry>("entries", Per::Partition),
    layout::<PartitionEntry>("other_entries", Per::Partition),
    layout::<Aabb>("union_tree", Per::TreeNode),
];
