// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage pairs by a sweep, 3: what the sweep along the axis with fewer candidates needs of each box.

#import grid
#import n_items
#import pairs_config
#import coordinate_keys

@group(0) @binding(2) var<storage> boxes: array<vec4<f32>>;
@group(0) @binding(3) var<storage> x_order: array<u32>;
@group(0) @binding(4) var<storage> y_order: array<u32>;
// The candidates before those of each box, and their total.
@group(0) @binding(5) var<storage> x_sums: array<u32>;
@group(0) @binding(6) var<storage> y_sums: array<u32>;
@group(0) @binding(7) var<storage, read_write> sums: array<u32>;
// The index of the box, its ends along the other axis, and its sum.
@group(0) @binding(8) var<storage, read_write> swept: array<vec4<u32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let place = workgroup_index(grid) * WORKGROUP_SIZE + local;
    let n = n_items();
    if place > n {
        return;
    }
    let is_along_y = y_sums[n] < x_sums[n];
    var sum = 0u;
    if is_along_y {
        sum = y_sums[place];
    } else {
        sum = x_sums[place];
    }
    sums[place] = sum;
    if place == n {
        return;
    }
    var item = 0u;
    if is_along_y {
        item = y_order[place];
    } else {
        item = x_order[place];
    }
    let ends = coordinate_keys(boxes[item]);
    swept[place] = vec4(item, select(ends.yw, ends.xz, is_along_y), sum);
}
