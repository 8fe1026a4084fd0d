//! The dispatches of the stage, and their numbers of workgroups.

use boxwood_shaders::{Shader, paths as shaders};

use super::config::PathConfig;
use crate::core::limits::{WORKGROUP_SIZE, count};

/// The items that the workgroups of a dispatch divide among them.
#[derive(Clone, Copy, Debug)]
pub(super) enum Grid {
    /// The groups of partitions, one per workgroup. One workgroup if there are none.
    Groups,
    /// A single workgroup.
    Single,
    /// The partitions of the path tags, one per workgroup.
    Partitions,
    /// The spans, one per invocation, if there may be fills.
    FillSpans,
    /// The spans, one per invocation, if there may be strokes.
    StrokeSpans,
    /// The list of stroke jobs, several per invocation.
    StrokeJobs,
    /// The list of piece jobs, several per invocation.
    PieceJobs,
    /// The paths, 256 per workgroup.
    Paths,
}

/// The dispatches, in order. The shaders with rounded boxes replace two of them.
pub(super) fn dispatches(is_rounded: bool) -> [(&'static Shader, Grid); 8] {
    let (spans, finish) = if is_rounded {
        (&shaders::PATH_SPANS_ROUNDED, &shaders::PATH_FINISH_ROUNDED)
    } else {
        (&shaders::PATH_SPANS, &shaders::PATH_FINISH)
    };
    [
        (&shaders::PATH_REDUCE, Grid::Groups),
        (&shaders::PATH_SCAN, Grid::Single),
        (spans, Grid::Partitions),
        (&shaders::PATH_FILL, Grid::FillSpans),
        (&shaders::PATH_STROKE, Grid::StrokeSpans),
        (&shaders::PATH_INSIDE, Grid::StrokeJobs),
        (&shaders::PATH_PIECES, Grid::PieceJobs),
        (finish, Grid::Paths),
    ]
}

impl Grid {
    /// The number of workgroups. Those that take several jobs each are in one row.
    pub(super) fn workgroups(self, config: &PathConfig, max_per_dimension: u32) -> u32 {
        let spans = || count_of_workgroups(config.n_spans(), &shaders::PATH_FILL);
        // Enough invocations to occupy a large GPU. They take several jobs each.
        let jobs = |n| count_of_workgroups(n, &shaders::PATH_INSIDE).min(2048).min(max_per_dimension);
        match self {
            Self::Groups => config.n_groups().max(1),
            Self::Single => 1,
            Self::Partitions => config.n_partitions,
            Self::FillSpans if config.has_fills == 0 => 0,
            Self::StrokeSpans | Self::StrokeJobs | Self::PieceJobs if config.has_strokes == 0 => 0,
            Self::FillSpans | Self::StrokeSpans => spans(),
            Self::StrokeJobs => jobs(config.n_spans()),
            Self::PieceJobs => jobs(max_piece_jobs(config.n_spans())),
            Self::Paths => config.n_paths.div_ceil(WORKGROUP_SIZE),
        }
    }
}

fn count_of_workgroups(n: u64, shader: &Shader) -> u32 {
    count(n.div_ceil(shader.workgroup_size[0].into()))
}

/// The room for stroke jobs: several times as many as among random curves, and some for small
/// scenes. If they do not fit, spans are deferred, which takes longer.
pub(super) fn max_jobs(n_spans: u64) -> u64 {
    n_spans + 8192
}

/// The room for jobs that need pieces, which are few. If they do not fit, they are computed
/// earlier.
pub(super) fn max_piece_jobs(n_spans: u64) -> u64 {
    n_spans / 8 + 256
}
