// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage reorder, packets, 1, after a selection of the first run of each key: the queries of each
// key, and the number of their packets.

#import grid
#import n_items
#import reorder_config

// The first run of each key, and the queries before each run.
@group(0) @binding(2) var<storage> key_starts: array<u32>;
@group(0) @binding(3) var<storage> query_sums: array<u32>;
@group(0) @binding(4) var<storage> n_queries: array<u32>;
@group(0) @binding(5) var<storage, read_write> key_ranges: array<vec2<u32>>;
@group(0) @binding(6) var<storage, read_write> n_packets: array<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let place = workgroup_index(grid) * WORKGROUP_SIZE + local;
    let n_keys = n_items();
    if place >= n_keys {
        return;
    }
    let first = query_sums[key_starts[place]];
    var end = n_queries[0];
    if place + 1u < n_keys {
        end = query_sums[key_starts[place + 1u]];
    }
    key_ranges[place] = vec2(first, end);
    n_packets[place] = (end - first + PACKET_LENGTH - 1u) / PACKET_LENGTH;
}
