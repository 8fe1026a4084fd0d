//! Stage *compact*: the begins and ends alone, in order, and the place of every element among them.
//!
//! A stream compaction by prefix sum and scatter: each partition of 1024 elements counts its begins and ends, one workgroup
//! scans the counts, each partition scatters. Specification: `boxwood_cpu::compact`.

use boxwood_shaders::SHADERS;

use super::{Axis, BufferLayout, Grid, Per, Stage, Step};

/// The stage.
pub static STAGE: Stage = Stage {
    name: "compact",
    steps: &[
        Step::once(&SHADERS.compact_reduce, Grid::ElementQuads),
        Step::once(&SHADERS.compact_scan, Grid::Single),
        Step::once(&SHADERS.compact_scatter, Grid::ElementQuads),
    ],
    buffers: &BUFFERS,
};

/// The same where arrays are larger than a binding.
pub static IN_WINDOWS: Stage = Stage {
    name: "compact",
    steps: &[
        Step::in_windows(
            &SHADERS.compact_reduce,
            Grid::ElementQuads,
            &[
                ("config", Axis::Partitions),
                ("draw_tags", Axis::Partitions),
                ("partition_nodes", Axis::Partitions),
            ],
        ),
        Step::once(&SHADERS.compact_scan, Grid::Single),
        Step::in_windows(
            &SHADERS.compact_scatter_windowed,
            Grid::ElementQuads,
            &[
                ("config", Axis::Partitions),
                ("draw_tags", Axis::Partitions),
                ("partition_nodes", Axis::Partitions),
                ("places", Axis::Partitions),
                ("nodes", Axis::Nodes),
            ],
        ),
    ],
    buffers: &BUFFERS,
};

const BUFFERS: [BufferLayout; 3] = [
    // Words, four an item, as some shaders take them.
    BufferLayout { name: "partition_nodes", per: Per::FourElementPartitions, stride: 16 },
    BufferLayout { name: "places", per: Per::ElementQuad, stride: 16 },
    BufferLayout { name: "nodes", per: Per::Node, stride: 4 },
];
