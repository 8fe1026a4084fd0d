// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: search_binary
// shader: search_binary_upper: upper

// Stage search, one query per invocation, by bisection. The number of steps depends on the number
// of keys alone, so that all invocations take the same time. If the keys are not in order, each
// index is still less than their number.

#import grid
#import n_items
#import search_config
#import search_bound

@group(0) @binding(3) var<storage> keys: array<u32>;
@group(0) @binding(4) var<storage> queries: array<u32>;
@group(0) @binding(5) var<storage, read_write> found: array<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let index = workgroup_index(grid) * WORKGROUP_SIZE + local;
    if index >= n_items() {
        return;
    }
    let query = queries[index];
    // The bound is one of `low` to `low + length`.
    var low = 0u;
    var length = n_keys();
    while length > 1u {
        let half = length / 2u;
        low += select(0u, half, is_key_before(keys[low + half - 1u], query));
        length -= half;
    }
    if length == 1u && is_key_before(keys[low], query) {
        low += 1u;
    }
    found[index] = low;
}
