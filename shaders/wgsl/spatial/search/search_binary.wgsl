// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: search_binary
// shader: search_binary_upper: upper

// Stage search, one query per invocation, by bisection.

#import grid
#import n_items
#import search_config
#import bisection

@group(0) @binding(3) var<storage> keys: array<u32>;
@group(0) @binding(4) var<storage> queries: array<u32>;
@group(0) @binding(5) var<storage, read_write> found: array<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let index = workgroup_index(grid) * WORKGROUP_SIZE + local;
    if index >= n_items() {
        return;
    }
    found[index] = bound_of(queries[index], n_keys());
}
