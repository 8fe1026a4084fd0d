// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage index, 1: the union of all boxes. Each workgroup unites its share. The next dispatch unites
// the results.

#import aabb
#import grid
#import n_items
#import index_config
#import workgroup_union

@group(0) @binding(2) var<storage> boxes: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> unions: array<vec4<f32>>;

const BOXES_PER_ROUND = 4u;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let share = workgroup_index(grid);
    if share >= config.n_unions {
        return;
    }
    let n = n_items();
    let stride = config.n_unions * WORKGROUP_SIZE;
    var own = EMPTY;
    for (var item = share * WORKGROUP_SIZE + local; item < n; item += BOXES_PER_ROUND * stride) {
        // Loads without conditions are in flight at the same time. The last box can be loaded
        // twice.
        var loaded: array<vec4<f32>, BOXES_PER_ROUND>;
        #repeat i 4
        loaded[$i] = boxes[min(item + $i * stride, n - 1u)];
        #endrepeat
        #repeat i 4
        own = join(own, canonical(loaded[$i]));
        #endrepeat
    }
    let all = workgroup_union(local, own);
    if local == 0u {
        unions[share] = all;
    }
}
