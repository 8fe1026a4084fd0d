// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// Sweep over clusters, 1: the bounds of the centers of all boxes that are not empty. Each workgroup
// has its share. The next dispatch unites the results.

#import aabb
#import box_center
#import grid
#import n_items
#import cluster_config
#import workgroup_union

@group(0) @binding(2) var<storage> boxes: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> unions: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let share = workgroup_index(grid);
    if share >= config.n_shares {
        return;
    }
    let n = n_items();
    let stride = config.n_shares * WORKGROUP_SIZE;
    var own = EMPTY;
    for (var item = share * WORKGROUP_SIZE + local; item < n; item += stride) {
        let box = boxes[item];
        if !is_empty(box) {
            own = join(own, center_of(box).xyxy);
        }
    }
    let all = workgroup_union(local, own);
    if local == 0u {
        unions[share] = all;
    }
}
