// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: cluster_sweep_count
// shader: cluster_sweep_list: list

// Sweep over clusters, 11 and 12: the number of pairs in each chunk of the candidates of all
// clusters, and then the pairs. The first cluster that two boxes have in common has their pair.

#import aabb
#import grid
#import n_items
#import pairs_config
#import sweep_candidates

@group(0) @binding(6) var<storage> boxes: array<vec4<f32>>;

// An item is the index of a box, its earlier clusters, a bit each, and its sum.
fn is_pair_of(own: vec4<u32>, other: vec4<u32>) -> bool {
    let is_first = all((own.yz & other.yz) == vec2(0u));
    return is_first && !is_empty(meet(boxes[own.x], boxes[other.x]));
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    sweep(local, workgroup_index(grid));
}
