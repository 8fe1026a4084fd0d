//! Stage *compact*: the begins and ends alone, in order, and the place of every element among them.
//!
//! A stream compaction by prefix sum and scatter: each partition counts its begins and ends, one workgroup scans the
//! counts, each partition scatters. Specification: `boxwood_cpu::compact`.

use boxwood_shaders::SHADERS;

use super::{BufferLayout, Grid, Per, Stage, Step};

/// The stage.
pub static STAGE: Stage = Stage {
    name: "compact",
    steps: &[
        Step::once(&SHADERS.compact_reduce, Grid::Elements),
        Step::once(&SHADERS.compact_scan, Grid::Single),
        Step::once(&SHADERS.compact_scatter, Grid::Elements),
    ],
    buffers: &[
        BufferLayout { name: "partition_nodes", per: Per::ElementPartition, stride: 4 },
        BufferLayout { name: "places", per: Per::Element, stride: 4 },
        BufferLayout { name: "nodes", per: Per::Node, stride: 4 },
    ],
};
