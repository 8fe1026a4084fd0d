//! Stage *compact*: the node stream, and the rank of every element in it.
//!
//! A stream compaction by prefix sum and scatter. Each partition of 1024 elements counts its begins
//! and ends, one workgroup scans the counts, and each partition scatters its entries.
//! Specification: `boxwood_cpu::specification::scene::compact`.

use boxwood_cpu::Entry;
use boxwood_shaders::scene as shaders;

use crate::core::schedule::{Axis, BufferLayout, Dispatch, Grid, Per, Stage, StageName};

/// The stage.
pub(crate) static STAGE: Stage = Stage {
    name: StageName::Compact,
    dispatches: &[
        Dispatch::new(&shaders::COMPACT_REDUCE, Grid::ElementQuads),
        Dispatch::new(&shaders::COMPACT_SCAN, Grid::Single),
        Dispatch::new(&shaders::COMPACT_SCATTER, Grid::ElementQuads),
    ],
    buffers: &BUFFERS,
};

/// The same for arrays that are larger than a storage binding.
pub(super) static CHUNKED: Stage = Stage {
    name: StageName::Compact,
    dispatches: &[
        Dispatch::new(&shaders::COMPACT_REDUCE, Grid::ElementQuads)
            .in_chunks(&[(Axis::Partitions, &["config", "draw_tags", "partition_entries"])]),
        Dispatch::new(&shaders::COMPACT_SCAN, Grid::Single),
        Dispatch::new(&shaders::COMPACT_SCATTER_CHUNKED, Grid::ElementQuads).in_chunks(&[
            (Axis::Partitions, &["config", "draw_tags", "partition_entries", "ranks"]),
            (Axis::Entries, &["entries"]),
        ]),
    ],
    buffers: &BUFFERS,
};

const BUFFERS: [BufferLayout; 3] = [
    // Some shaders read or write four words at a time.
    BufferLayout::of::<[u32; 4]>("partition_entries", Per::FourElementPartitions),
    BufferLayout::of::<[u32; 4]>("ranks", Per::ElementQuad),
    BufferLayout::of::<Entry>("entries", Per::Entry),
];
