//! Stage *fused*: links, clip boxes, clipped boxes, and group boxes together, by dispatches over
//! partitions of 1024 elements.
//!
//! `fused_reduce` summarises each partition. `fused_before*` finds the stack of open begins before
//! each partition. `fused_resolve` computes the results inside each partition. `fused_stitch*`
//! completes the nodes that cross partitions. Specification:
//! `boxwood_cpu::specification::tree::link_entries`,
//! `boxwood_cpu::specification::scene::clip_entries`, `clip_leaves`, and `union_groups`.

use boxwood_cpu::{Aabb, Bic, EntryLink};
use boxwood_shaders::{core as core_shaders, scene as shaders, sizes};

use crate::core::schedule::{Axis, BufferLayout, Dispatch, Grid, Per, Stage, StageName};

/// In two levels: a workgroup sees all partitions, up to four per invocation.
pub(super) static TWO_LEVEL: Stage = Stage {
    name: StageName::Fused,
    dispatches: &[
        Dispatch::new(&shaders::FUSED_REDUCE, Grid::Partitions),
        Dispatch::new(&shaders::FUSED_BEFORE_TWO_LEVEL, Grid::Partitions),
        Dispatch::new(&shaders::FUSED_RESOLVE, Grid::Partitions),
        Dispatch::new(&shaders::FUSED_STITCH_TWO_LEVEL, Grid::SeveralPartitions),
    ],
    buffers: HIERARCHICAL_BUFFERS.split_at(N_TWO_LEVEL_BUFFERS).0,
};

/// In as many levels as the scene needs, for scenes whose arrays each fit in a storage binding.
///
/// A begin is found by its depth, with a tree of minimum depths over the partitions. The nodes that
/// enclose a partition below its slice are the slice of another partition and the nodes that
/// enclose that one: a forest over the partitions, which pointer jumping resolves.
pub(super) static HIERARCHICAL: Stage = Stage {
    name: StageName::Fused,
    dispatches: &[
        Dispatch::new(&shaders::FUSED_REDUCE, Grid::Partitions),
        Dispatch::new(&core_shaders::SPINE_REDUCE, Grid::Groups),
        Dispatch::new(&core_shaders::SPINE_TOP, Grid::Single),
        Dispatch::new(&core_shaders::SPINE_FINISH, Grid::Groups),
        Dispatch::new(&shaders::FUSED_ENCLOSING, Grid::Groups),
        ENCLOSING_ROUNDS,
        Dispatch::new(&shaders::FUSED_BEFORE, Grid::Partitions),
        Dispatch::new(&shaders::FUSED_RESOLVE, Grid::Partitions),
        Dispatch::new(&shaders::FUSED_TREE, Grid::Groups),
        Dispatch::new(&shaders::FUSED_TREE_TOP, Grid::Single),
        Dispatch::new(&shaders::FUSED_STITCH, Grid::SeveralPartitions),
    ],
    buffers: &HIERARCHICAL_BUFFERS,
};

/// The clipped boxes alone, in two levels.
pub(super) static CLIPPED_TWO_LEVEL: Stage = Stage {
    name: StageName::Fused,
    dispatches: &[
        Dispatch::new(&shaders::FUSED_REDUCE_CLIPPED, Grid::Partitions),
        Dispatch::new(&shaders::FUSED_BEFORE_TWO_LEVEL_CLIPPED, Grid::Partitions),
        Dispatch::new(&shaders::FUSED_CLIP, Grid::Partitions),
    ],
    buffers: CLIPPED_BUFFERS.split_at(N_TWO_LEVEL_CLIPPED_BUFFERS).0,
};

/// The clipped boxes alone, in as many levels as the scene needs.
pub(super) static CLIPPED: Stage = Stage {
    name: StageName::Fused,
    dispatches: &[
        Dispatch::new(&shaders::FUSED_REDUCE_CLIPPED, Grid::Partitions),
        Dispatch::new(&core_shaders::SPINE_REDUCE, Grid::Groups),
        Dispatch::new(&core_shaders::SPINE_TOP, Grid::Single),
        Dispatch::new(&core_shaders::SPINE_FINISH, Grid::Groups),
        Dispatch::new(&shaders::FUSED_ENCLOSING, Grid::Groups),
        ENCLOSING_ROUNDS,
        Dispatch::new(&shaders::FUSED_BEFORE_CLIPPED, Grid::Partitions),
        Dispatch::new(&shaders::FUSED_CLIP, Grid::Partitions),
    ],
    buffers: &CLIPPED_BUFFERS,
};

/// The stages of [`HIERARCHICAL`] for arrays that are larger than a storage binding. Each array
/// must fit in a buffer.
///
/// Arrays that are not in use at the time provide working memory of one box per element: the
/// clipped boxes for the stack before a partition, and the slice boxes for the fronts of nodes that
/// end in a partition and begin in another.
pub(super) static CHUNKED: Stage = Stage {
    name: StageName::Fused,
    dispatches: &[
        Dispatch::new(&shaders::FUSED_REDUCE, Grid::Partitions).in_chunks(&[
            (Axis::Partitions, &["config", "draw_tags", "element_boxes", "partition_entries"]),
            (Axis::Partitions, &["summaries", "slice_boxes", "partition_bics"]),
        ]),
        Dispatch::new(&core_shaders::SPINE_REDUCE, Grid::Groups),
        Dispatch::new(&core_shaders::SPINE_TOP, Grid::Single),
        Dispatch::new(&core_shaders::SPINE_FINISH, Grid::Groups),
        Dispatch::new(&shaders::FUSED_ENCLOSING_SOURCES_CHUNKED, Grid::Groups)
            .in_chunks(&[(Axis::Sources, &["slice_boxes"])]),
        Dispatch::new(&shaders::FUSED_ENCLOSING_CHUNKED, Grid::Groups),
        ENCLOSING_ROUNDS,
        Dispatch::new(&shaders::FUSED_BEFORE_CHUNKED, Grid::Partitions).in_chunks(&[
            (Axis::Partitions, &["config", "crossings", "clipped_boxes"]),
            (Axis::Sources, &["summaries", "slice_boxes"]),
        ]),
        Dispatch::new(&shaders::FUSED_RESOLVE_CHUNKED, Grid::Partitions).in_chunks(&[
            (Axis::Partitions, &["config", "summaries", "element_boxes", "crossings", "clipped_boxes"]),
            (Axis::Entries, &["links", "clip_boxes", "group_boxes"]),
        ]),
        Dispatch::new(&shaders::FUSED_TREE, Grid::Groups),
        Dispatch::new(&shaders::FUSED_TREE_TOP, Grid::Single),
        Dispatch::new(&shaders::FUSED_STITCH_FRONTS_CHUNKED, Grid::Partitions).in_chunks(&[
            (Axis::Partitions, &["summaries", "crossings", "slice_boxes"]),
            (Axis::Entries, &["group_boxes"]),
        ]),
        Dispatch::new(&shaders::FUSED_STITCH_BEGINS_CHUNKED, Grid::Partitions).in_chunks(&[
            (Axis::Partitions, &["config", "summaries", "crossings", "slice_boxes"]),
            (Axis::Entries, &["entries", "links", "group_boxes"]),
        ]),
        Dispatch::new(&shaders::FUSED_STITCH_ENDS_CHUNKED, Grid::Partitions).in_chunks(&[
            (Axis::Partitions, &["config", "summaries", "crossings", "slice_boxes"]),
            (Axis::Entries, &["group_boxes"]),
        ]),
    ],
    buffers: &HIERARCHICAL_BUFFERS,
};

/// Pointer jumping from group to group.
const ENCLOSING_ROUNDS: Dispatch = Dispatch::new(&shaders::FUSED_ENCLOSING_JUMP, Grid::Groups).in_rounds([
    &[("enclosing_before", "enclosing"), ("enclosing_after", "other_enclosing")],
    &[("enclosing_before", "other_enclosing"), ("enclosing_after", "enclosing")],
]);

/// The number of buffers that two levels need, which are the first ones.
const N_TWO_LEVEL_BUFFERS: usize = 9;

/// The same for the clipped boxes alone.
const N_TWO_LEVEL_CLIPPED_BUFFERS: usize = 5;

static CLIPPED_BUFFERS: [BufferLayout; 11] = [
    BufferLayout::new("summaries", Per::Partition, sizes::PARTITION_SUMMARY),
    BufferLayout::new("crossings", Per::Partition, sizes::PARTITION_CROSSINGS),
    BufferLayout::of::<Bic>("partition_bics", Per::Partition),
    BufferLayout::of::<Aabb>("slice_boxes", Per::Slot),
    BufferLayout::of::<Aabb>("clipped_boxes", Per::Element),
    BufferLayout::of::<Bic>("group_bics", Per::Group),
    BufferLayout::of::<i32>("group_starts", Per::Group),
    BufferLayout::new("partition_depths", Per::Partition, sizes::PARTITION_DEPTH),
    BufferLayout::of::<i32>("depth_tree", Per::TreeNode),
    BufferLayout::new("enclosing", Per::Partition, sizes::ENCLOSING),
    BufferLayout::new("other_enclosing", Per::Partition, sizes::ENCLOSING),
];

static HIERARCHICAL_BUFFERS: [BufferLayout; 15] = [
    BufferLayout::new("summaries", Per::Partition, sizes::PARTITION_SUMMARY),
    BufferLayout::new("crossings", Per::Partition, sizes::PARTITION_CROSSINGS),
    BufferLayout::of::<Bic>("partition_bics", Per::Partition),
    BufferLayout::of::<Aabb>("slice_boxes", Per::Slot),
    BufferLayout::of::<EntryLink>("links", Per::Entry),
    BufferLayout::of::<Aabb>("clip_boxes", Per::Entry),
    BufferLayout::of::<Aabb>("clipped_boxes", Per::Element),
    BufferLayout::of::<Aabb>("group_boxes", Per::Entry),
    BufferLayout::of::<Aabb>("union_tree", Per::TreeNode),
    BufferLayout::of::<Bic>("group_bics", Per::Group),
    BufferLayout::of::<i32>("group_starts", Per::Group),
    BufferLayout::new("partition_depths", Per::Partition, sizes::PARTITION_DEPTH),
    BufferLayout::of::<i32>("depth_tree", Per::TreeNode),
    BufferLayout::new("enclosing", Per::Partition, sizes::ENCLOSING),
    BufferLayout::new("other_enclosing", Per::Partition, sizes::ENCLOSING),
];
