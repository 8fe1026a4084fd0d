// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage pairs by a sweep, 1: the keys by which the boxes are sorted, for each axis. Empty boxes are
// last.

#import grid
#import n_items
#import pairs_config
#import aabb
#import coordinate_keys

@group(0) @binding(2) var<storage> boxes: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> x_keys: array<u32>;
@group(0) @binding(4) var<storage, read_write> y_keys: array<u32>;

const ITEMS_PER_INVOCATION = 4u;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let first = workgroup_index(grid) * ITEMS_PER_INVOCATION * WORKGROUP_SIZE + local;
    let n = n_items();
    #repeat i 4
    let item = first + $i * WORKGROUP_SIZE;
    if item < n {
        let box = boxes[item];
        let keys = select(coordinate_keys(box), vec4(0xffffffffu), is_empty(box));
        x_keys[item] = keys.x;
        y_keys[item] = keys.y;
    }
    #endrepeat
}
