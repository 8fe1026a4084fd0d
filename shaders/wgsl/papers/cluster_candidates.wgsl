// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: cluster_candidates: upper

// Sweep over clusters, 9, after a sort of the entries by their keys: the number of candidates of
// each entry. A candidate is a later entry of the same cluster that begins before or where this one
// ends. Ends in the grid are equal if those of overlapping boxes are close to each other.

#import grid
#import n_items
#import cluster_config
#import cluster_keys
#import bisection

@group(0) @binding(2) var<storage> keys: array<u32>;
@group(0) @binding(3) var<storage> items: array<u32>;
@group(0) @binding(4) var<storage> box_places: array<vec4<u32>>;
@group(0) @binding(5) var<storage> directions: array<vec2<i32>>;
@group(0) @binding(6) var<storage, read_write> n_candidates: array<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let entry = workgroup_index(grid) * WORKGROUP_SIZE + local;
    let n = n_items();
    if entry >= n {
        return;
    }
    // Without room for all entries, the number of candidates is not known. A sum with this one is
    // not known either.
    if item_counts[config.count_word] > config.capacity {
        n_candidates[entry] = 0xffffffffu;
        return;
    }
    // The cluster is in the upper bits, so that the entries of later clusters come after its end.
    let cluster = cluster_of_key(keys[entry]);
    let end = end_keys(cluster, box_places[items[entry]], directions[cluster]).y;
    // The own key is not after the end. `max` is for boxes that are none.
    n_candidates[entry] = max(bound_of(end, n), entry + 1u) - entry - 1u;
}
