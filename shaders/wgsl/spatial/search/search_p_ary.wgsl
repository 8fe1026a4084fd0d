// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: search_p_ary
// shader: search_p_ary_upper: upper

// Stage search, one query per workgroup: its 256 invocations compare a key each in every round.

#import grid
#import n_items
#import search_config
#import search_bound

@group(0) @binding(3) var<storage> keys: array<u32>;
@group(0) @binding(4) var<storage> queries: array<u32>;
@group(0) @binding(5) var<storage, read_write> found: array<u32>;

var<private> query: u32;

fn is_before(place: u32) -> bool {
    return is_key_before(keys[place], query);
}

#import p_ary_search

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let index = workgroup_index(grid);
    if index >= n_items() {
        return;
    }
    query = queries[index];
    let place = p_ary_search(local, n_keys());
    if local == 0u {
        found[index] = place;
    }
}
