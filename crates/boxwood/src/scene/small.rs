//! Stage *fused* for small scenes: one element per invocation, 256 per partition, and a workgroup
//! sees all partitions.
//!
//! The time of a small scene is the latency of its dispatches and barriers, so these variants
//! include the compaction. Specification: `boxwood_cpu::specification::boxes`.

use boxwood_cpu::{Aabb, Entry, EntryLink};
use boxwood_shaders::{scene as shaders, sizes};

use crate::core::schedule::{BufferLayout, Dispatch, Grid, Per, Stage, StageName};

/// For up to 256 partitions.
pub(super) static SMALL: Stage = Stage {
    name: StageName::Fused,
    dispatches: &[
        Dispatch::new(&shaders::SMALL_REDUCE, Grid::SeveralPartitions),
        Dispatch::new(&shaders::SMALL_RESOLVE, Grid::Partitions),
        Dispatch::new(&shaders::SMALL_STITCH, Grid::Partitions),
    ],
    buffers: &BUFFERS,
};

/// For up to 16 partitions: each workgroup reads the tags of all earlier partitions itself, so
/// nothing summarises them. One partition takes one dispatch.
pub(super) static DIRECT: Stage = Stage {
    name: StageName::Fused,
    dispatches: &[
        Dispatch::new(&shaders::SMALL_RESOLVE_SINGLE, Grid::OnlyPartition),
        Dispatch::new(&shaders::SMALL_RESOLVE_DIRECT, Grid::SeveralPartitions),
        Dispatch::new(&shaders::SMALL_STITCH, Grid::SeveralPartitions),
    ],
    buffers: &BUFFERS,
};

/// The clipped boxes alone, for up to 256 partitions.
pub(super) static CLIPPED: Stage = Stage {
    name: StageName::Fused,
    dispatches: &[
        Dispatch::new(&shaders::SMALL_REDUCE, Grid::SeveralPartitions),
        Dispatch::new(&shaders::SMALL_CLIP, Grid::Partitions),
    ],
    buffers: &CLIPPED_BUFFERS,
};

/// The clipped boxes alone, for up to 16 partitions.
pub(super) static CLIPPED_DIRECT: Stage = Stage {
    name: StageName::Fused,
    dispatches: &[Dispatch::new(&shaders::SMALL_CLIP_DIRECT, Grid::Partitions)],
    buffers: &CLIPPED_DIRECT_BUFFERS,
};

static CLIPPED_DIRECT_BUFFERS: [BufferLayout; 1] = [BufferLayout::of::<Aabb>("clipped_boxes", Per::Element)];

static CLIPPED_BUFFERS: [BufferLayout; 3] = [
    BufferLayout::new("small_summaries", Per::Partition, sizes::SMALL_SUMMARY),
    BufferLayout::new("small_partitions", Per::Partition, sizes::SMALL_PARTITION),
    BufferLayout::of::<Aabb>("clipped_boxes", Per::Element),
];

static BUFFERS: [BufferLayout; 8] = [
    BufferLayout::new("small_summaries", Per::Partition, sizes::SMALL_SUMMARY),
    BufferLayout::new("small_partitions", Per::Partition, sizes::SMALL_PARTITION),
    BufferLayout::of::<Entry>("entries", Per::Entry),
    BufferLayout::of::<[u32; 4]>("ranks", Per::ElementQuad),
    BufferLayout::of::<EntryLink>("links", Per::Entry),
    BufferLayout::of::<Aabb>("clip_boxes", Per::Entry),
    BufferLayout::of::<Aabb>("clipped_boxes", Per::Element),
    BufferLayout::of::<Aabb>("group_boxes", Per::Entry),
];
