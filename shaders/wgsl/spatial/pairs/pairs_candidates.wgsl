// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: pairs_candidates
// shader: pairs_candidates_along_y: along_y

// Stage pairs by a sweep, 2, after a sort along an axis: the number of candidates of each box. They
// come after it, and begin before it ends.

#import grid
#import n_items
#import pairs_config
#import coordinate_keys
#import bisection

@group(0) @binding(2) var<storage> boxes: array<vec4<f32>>;
@group(0) @binding(3) var<storage> keys: array<u32>;
@group(0) @binding(4) var<storage> order: array<u32>;
@group(0) @binding(5) var<storage, read_write> n_candidates: array<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let place = workgroup_index(grid) * WORKGROUP_SIZE + local;
    let n = n_items();
    if place >= n {
        return;
    }
    let box = boxes[order[place]];
#ifdef along_y
    let end = coordinate_keys(box).w;
#else
    let end = coordinate_keys(box).z;
#endif
    // `max` is for empty boxes, which end before they begin.
    n_candidates[place] = max(bound_of(end, n), place + 1u) - place - 1u;
}
