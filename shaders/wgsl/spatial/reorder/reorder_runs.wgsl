// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage reorder, 2, after the selection of the starts of runs of equal keys: the key of each run.

#import grid
#import n_items
#import reorder_config

@group(0) @binding(2) var<storage> keys: array<u32>;
@group(0) @binding(3) var<storage> starts: array<u32>;
@group(0) @binding(4) var<storage, read_write> run_keys: array<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let run = workgroup_index(grid) * WORKGROUP_SIZE + local;
    if run < n_items() {
        run_keys[run] = keys[starts[run]];
    }
}
