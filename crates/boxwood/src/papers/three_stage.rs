//! The stages *link*, *clip*, and *union* one after the other, in two levels: a workgroup sees all
//! partitions.

use boxwood_cpu::{Aabb, Bic, EntryLink};
use boxwood_shaders::{papers as shaders, tree as tree_shaders};

use crate::core::WORKGROUP_SIZE;
use crate::core::schedule::{BufferLayout, Dispatch, Grid, Per, Stage, StageName};

/// The longest node stream: a workgroup sees one partition per invocation.
///
/// Source: Levien 2022, section 7 ("effective up to a problem size of w²").
pub(crate) const MAX_ENTRIES: u32 = WORKGROUP_SIZE * WORKGROUP_SIZE;

/// The simple algorithm of Levien 2022, section 7: a workgroup scans the bicyclic sums of all
/// partitions. Specification: `boxwood_cpu::specification::tree::link_entries`.
pub(crate) static LINK: Stage = Stage {
    name: StageName::Link,
    dispatches: &[
        Dispatch::new(&tree_shaders::LINK_REDUCE, Grid::Partitions),
        Dispatch::new(&shaders::LINK_FINISH_SIMPLE, Grid::Partitions),
    ],
    buffers: &[
        BufferLayout::of::<Bic>("partition_bics", Per::Partition),
        BufferLayout::of::<u32>("slices", Per::Entry),
        BufferLayout::of::<EntryLink>("links", Per::Entry),
    ],
};

/// Levien 2022, sections 6.1 and 9: intersections along the stack slices, pointer jumping inside a
/// partition. Specification: `boxwood_cpu::specification::scene::clip_entries` and `clip_leaves`.
pub(crate) static CLIP: Stage = Stage {
    name: StageName::Clip,
    dispatches: &[
        Dispatch::new(&shaders::CLIP_REDUCE, Grid::Partitions),
        Dispatch::new(&shaders::CLIP_FINISH, Grid::Partitions),
        Dispatch::new(&shaders::CLIP_ELEMENTS, Grid::Elements),
    ],
    buffers: &[
        BufferLayout::of::<Aabb>("slice_boxes", Per::Entry),
        BufferLayout::of::<Aabb>("clip_boxes", Per::Entry),
        BufferLayout::of::<Aabb>("run_boxes", Per::Entry),
        BufferLayout::of::<Aabb>("clipped_boxes", Per::Element),
    ],
};

/// Levien 2022, sections 6.2 and 9: the contents of a node are a range of the node stream.
/// Specification: `boxwood_cpu::specification::scene::union_groups`.
pub(crate) static UNION: Stage = Stage {
    name: StageName::Union,
    dispatches: &[
        Dispatch::new(&shaders::UNION_REDUCE, Grid::Partitions),
        Dispatch::new(&shaders::UNION_FINISH, Grid::Partitions),
    ],
    buffers: &[
        BufferLayout::of::<Aabb>("suffix_boxes", Per::Entry),
        BufferLayout::of::<Aabb>("group_boxes", Per::Entry),
    ],
};
