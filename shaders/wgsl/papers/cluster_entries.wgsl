// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// Sweep over clusters, 8, after a scan of the numbers of entries: the key of each entry by which
// all clusters are sorted at once, and its box.

#import grid
#import n_items
#import cluster_config
#import cluster_keys
#import owners

@group(0) @binding(2) var<storage> box_counts: array<u32>;
// The entries before those of each box, and their total.
@group(0) @binding(3) var<storage> sums: array<u32>;
@group(0) @binding(4) var<storage> members: array<vec2<u32>>;
@group(0) @binding(5) var<storage> box_places: array<vec4<u32>>;
@group(0) @binding(6) var<storage> directions: array<vec2<i32>>;
@group(0) @binding(7) var<storage, read_write> begin_keys: array<u32>;
@group(0) @binding(8) var<storage, read_write> items: array<u32>;

// The cluster of the bit with a rank, counted from the lowest.
fn cluster_at(bits: vec2<u32>, rank: u32) -> u32 {
    var rest = bits;
    for (var i = 0u; i < min(rank, MAX_CLUSTERS - 1u); i++) {
        let is_low = rest.x != 0u;
        rest = select(vec2(0u, rest.y & (rest.y - 1u)), vec2(rest.x & (rest.x - 1u), rest.y), is_low);
    }
    let cluster = select(32u + firstTrailingBit(rest.y), firstTrailingBit(rest.x), rest.x != 0u);
    return min(cluster, MAX_CLUSTERS - 1u);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let first = workgroup_index(grid) * OUTPUTS_PER_PARTITION;
    let n_entries = n_items();
    if first >= n_entries {
        return;
    }
    prepare_owners(local, first, min(box_counts[config.box_count_word], config.box_capacity));
    #repeat round 8
    let entry = first + $round * WORKGROUP_SIZE + local;
    if entry < n_entries {
        let item = owner_of(entry);
        let cluster = cluster_at(members[item], entry - sums[item]);
        begin_keys[entry] = end_keys(cluster, box_places[item], directions[cluster]).x;
        items[entry] = item;
    }
    #endrepeat
}
