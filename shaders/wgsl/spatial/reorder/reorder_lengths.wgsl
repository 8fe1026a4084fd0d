// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage reorder, 3, after a sort of the runs: the length of each run.

#import grid
#import n_items
#import reorder_config

@group(0) @binding(2) var<storage> query_counts: array<u32>;
@group(0) @binding(3) var<storage> starts: array<u32>;
@group(0) @binding(4) var<storage> run_order: array<u32>;
@group(0) @binding(5) var<storage, read_write> lengths: array<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let place = workgroup_index(grid) * WORKGROUP_SIZE + local;
    let n_runs = n_items();
    if place >= n_runs {
        return;
    }
    let run = run_order[place];
    // The last run ends with the queries.
    var end = min(query_counts[config.query_count_word], config.capacity);
    if run + 1u < n_runs {
        end = starts[run + 1u];
    }
    lengths[place] = end - starts[run];
}
