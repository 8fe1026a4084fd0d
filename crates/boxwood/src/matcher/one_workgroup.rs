//! In one dispatch of a single workgroup.

use boxwood_layout::WORKGROUP_SIZE;
use boxwood_shaders::SHADERS;

use super::MATCHES;
use crate::stage::{BufferLayout, Grid, Per, Stage, Step};

/// How many entries it takes at a time, up to 32 an invocation.
pub(super) const PARTITION_LENGTH: u32 = 32 * WORKGROUP_SIZE;

pub(super) static STAGE: Stage = Stage {
    name: "match.one_workgroup",
    steps: &[Step::once(&SHADERS.matcher_one_workgroup, Grid::Single)],
    buffers: &[BufferLayout { name: "slices", per: Per::Node, stride: 4 }, MATCHES],
};
