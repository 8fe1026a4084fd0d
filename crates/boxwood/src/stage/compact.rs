//! Stage *compact*: the begins and ends alone, in order, and the place of every element among them.
//!
//! A stream compaction by prefix sum and scatter: each partition of 1024 elements counts its begins and ends, one workgroup
//! scans the counts, each partition scatters. Specification: `boxwood_cpu::compact`.

use boxwood_shaders::SHADERS;

use super::{BufferLayout, Grid, Per, Stage, Step};

/// The stage.
pub static STAGE: Stage = Stage {
    name: "compact",
    steps: &[
        Step::once(&SHADERS.compact_reduce, Grid::ElementQuads),
        Step::once(&SHADERS.compact_scan, Grid::Single),
        Step::once(&SHADERS.compact_scatter, Grid::ElementQuads),
    ],
    buffers: &[
        // Words, four an item, as some shaders take them.
        BufferLayout { name: "partition_nodes", per: Per::FourElementPartitions, stride: 16 },
        BufferLayout { name: "places", per: Per::ElementQuad, stride: 16 },
        BufferLayout { name: "nodes", per: Per::Node, stride: 4 },
    ],
};
