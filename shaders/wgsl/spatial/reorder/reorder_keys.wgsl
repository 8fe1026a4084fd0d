// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: reorder_keys: hilbert
// shader: reorder_keys_points: hilbert points

// Stage reorder, 1: the place of the center of each query along Hilbert's curve, in 16 bits.

#import curve
#import grid
#import grid_places
#import n_items
#import reorder_config

@group(0) @binding(2) var<storage> queries: array<vec4<f32>>;
// The rectangle that the curve fills.
@group(0) @binding(3) var<storage> bounds: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> keys: array<u32>;

const KEY_SHIFT = 16u;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let item = workgroup_index(grid) * WORKGROUP_SIZE + local;
    if item >= n_items() {
        return;
    }
    let extremes = plain(bounds[0]);
    let query = queries[item];
#ifdef points
    let box = query.xyxy;
#else
    let box = query;
#endif
    let cell = cell_of(box, extremes, scale_of(extremes.zw - extremes.xy));
    keys[item] = curve_key(cell.x, cell.y) >> KEY_SHIFT;
}
