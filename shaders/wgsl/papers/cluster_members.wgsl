// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// Sweep over clusters, 7: the clusters of each box, a bit each, and their number. Two boxes that
// overlap have a cluster in common: the one whose bounds contain one of them.

#import grid
#import n_items
#import cluster_config
#import coordinate_keys

@group(0) @binding(2) var<storage> boxes: array<vec4<f32>>;
@group(0) @binding(3) var<storage> cluster_bounds: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read_write> members: array<vec2<u32>>;
@group(0) @binding(5) var<storage, read_write> n_entries: array<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let item = workgroup_index(grid) * WORKGROUP_SIZE + local;
    if item >= n_items() {
        return;
    }
    let keys = coordinate_keys(boxes[item]);
    var bits = vec2(0u);
    for (var cluster = 0u; cluster < config.n_clusters; cluster++) {
        let bounds = cluster_bounds[cluster];
        let is_member = all(max(keys.xy, bounds.xy) < min(keys.zw, bounds.zw));
        let bit = u32(is_member) << (cluster % 32u);
        bits |= select(vec2(bit, 0u), vec2(0u, bit), cluster >= 32u);
    }
    members[item] = bits;
    n_entries[item] = countOneBits(bits.x) + countOneBits(bits.y);
}
