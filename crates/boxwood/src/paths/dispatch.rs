//! The dispatches of the stage, and their numbers of workgroups.

use boxwood_shaders::{Shader, paths as shaders};

use super::config::PathConfig;
use crate::core::limits::{WORKGROUP_SIZE, count};

/// The number of workgroups of a dispatch, given the maximum in one row.
pub(super) type Workgroups = fn(&PathConfig, u32) -> u32;

/// The dispatches, in order. The shaders with rounded boxes replace two of them.
pub(super) fn dispatches(is_rounded: bool) -> [(&'static Shader, Workgroups); 8] {
    let (spans, finish) = if is_rounded {
        (&shaders::PATH_SPANS_ROUNDED, &shaders::PATH_FINISH_ROUNDED)
    } else {
        (&shaders::PATH_SPANS, &shaders::PATH_FINISH)
    };
    [
        // At least one, which clears the keys of the paths.
        (&shaders::PATH_REDUCE, |config, _| config.n_groups().max(1)),
        (&shaders::PATH_SCAN, |_, _| 1),
        (spans, |config, _| config.n_partitions),
        (&shaders::PATH_FILL, |config, _| {
            if config.has_fills == 0 { 0 } else { workgroups(config.n_spans(), &shaders::PATH_FILL) }
        }),
        (&shaders::PATH_STROKE, |config, _| {
            if config.has_strokes == 0 { 0 } else { workgroups(config.n_spans(), &shaders::PATH_STROKE) }
        }),
        (&shaders::PATH_INSIDE, |config, max| job_workgroups(config, config.n_spans(), max)),
        (&shaders::PATH_PIECES, |config, max| job_workgroups(config, max_piece_jobs(config.n_spans()), max)),
        (finish, |config, _| config.n_paths.div_ceil(WORKGROUP_SIZE)),
    ]
}

/// The number of workgroups with one invocation per item.
fn workgroups(n: u64, shader: &Shader) -> u32 {
    count(n.div_ceil(shader.workgroup_size[0].into()))
}

/// The number of workgroups for up to `n` jobs of strokes, all in one row.
fn job_workgroups(config: &PathConfig, n: u64, max_in_row: u32) -> u32 {
    if config.has_strokes == 0 {
        return 0;
    }
    // Enough invocations to occupy a large GPU. They take several jobs each.
    workgroups(n, &shaders::PATH_INSIDE).min(2048).min(max_in_row)
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
