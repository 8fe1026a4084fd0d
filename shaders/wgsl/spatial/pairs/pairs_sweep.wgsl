// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: pairs_sweep_count
// shader: pairs_sweep_list: list

// Stage pairs by a sweep, 4 and 5: the number of pairs in each chunk of the candidates, and then
// the pairs.
//
// A candidate is a box and one of those that come after it, and begin before it ends. So they
// overlap if they do along the other axis.
//
// In strips, a box has an entry in each strip that it meets. Two boxes that both begin in earlier
// strips are a pair of one of these.

#import grid
#import n_items
#import pairs_config
#import sweep_candidates

// An item is the index of a box, its ends along the other axis, and its sum.
fn is_pair_of(own: vec4<u32>, other: vec4<u32>) -> bool {
    return (own.x & other.x & CONTINUED) == 0u && max(own.y, other.y) < min(own.z, other.z);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    sweep(local, workgroup_index(grid));
}
