// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// Sweep over clusters, 10, after a scan of the numbers of candidates: what the sweep needs of each
// entry.

#import grid
#import n_items
#import cluster_config
#import cluster_keys

@group(0) @binding(2) var<storage> keys: array<u32>;
@group(0) @binding(3) var<storage> items: array<u32>;
@group(0) @binding(4) var<storage> members: array<vec2<u32>>;
// The candidates before those of each entry, and their total.
@group(0) @binding(5) var<storage> sums: array<u32>;
@group(0) @binding(6) var<storage, read_write> swept: array<vec4<u32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let entry = workgroup_index(grid) * WORKGROUP_SIZE + local;
    if entry >= n_items() {
        return;
    }
    let item = items[entry];
    let cluster = cluster_of_key(keys[entry]);
    let below = (1u << (cluster % 32u)) - 1u;
    let earlier = members[item] & select(vec2(below, 0u), vec2(0xffffffffu, below), cluster >= 32u);
    swept[entry] = vec4(item, earlier, sums[entry]);
}
