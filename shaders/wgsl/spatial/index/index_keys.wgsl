// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: index_keys_morton
// shader: index_keys_hilbert: hilbert

// Stage index, 2: the place of the center of each box along a curve through the union of all boxes.
//
// Every operation but the subtraction of the smallest coordinate is exact, so that the keys are the
// same on every device.

#import aabb
#import curve
#import grid
#import grid_places
#import n_items
#import index_config
#import workgroup_union

@group(0) @binding(2) var<storage> boxes: array<vec4<f32>>;
@group(0) @binding(3) var<storage> unions: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> keys: array<u32>;
@group(0) @binding(5) var<storage, read_write> bounds: array<vec4<f32>>;

const ITEMS_PER_INVOCATION = 4u;
const PARTITION_LENGTH = ITEMS_PER_INVOCATION * WORKGROUP_SIZE;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    let n = n_items();
    // The first workgroup writes the union, even if there are no boxes.
    if part > 0u && part * PARTITION_LENGTH >= n {
        return;
    }
    var own = EMPTY;
    if local < config.n_unions {
        own = unions[local];
    }
    let all = workgroup_union(local, own);
    if part == 0u && local == 0u {
        bounds[0] = all;
    }
    let extremes = plain(all);
    let scale = scale_of(extremes.zw - extremes.xy);
    #repeat i 4
    let item = part * PARTITION_LENGTH + $i * WORKGROUP_SIZE + local;
    if item < n {
        let box = boxes[item];
        let cell = cell_of(box, extremes, scale);
        let key = select(curve_key(cell.x, cell.y), 0xffffffffu, is_empty(box));
        keys[item] = key >> config.key_shift;
    }
    #endrepeat
}
