// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: pairs_strips
// shader: pairs_strips_along_y: along_y

// Stage pairs in strips, 1, after a sort along both axes: the strips of each box, in the order of
// the sweep. Strip i > 0 begins at every (n / 2^lg_strips)th box along the other axis.

#import grid
#import n_items
#import pairs_config
#import aabb
#import coordinate_keys
#import search_bound

@group(0) @binding(2) var<storage> boxes: array<vec4<f32>>;
@group(0) @binding(3) var<storage> order: array<u32>;
// The smaller ends along the other axis in order, those of empty boxes last.
@group(0) @binding(4) var<storage> border_keys: array<u32>;
@group(0) @binding(5) var<storage, read_write> n_entries: array<u32>;
@group(0) @binding(6) var<storage, read_write> first_strips: array<u32>;
// The index of the box, its ends along the other axis, and its larger end along the axis.
@group(0) @binding(7) var<storage, read_write> swept_boxes: array<vec4<u32>>;

// The number of strips that begin before a query.
fn n_borders_before(query: u32, step: u32) -> u32 {
    var n_before = 0u;
    for (var bit = (1u << config.lg_strips) / 2u; bit != 0u; bit /= 2u) {
        if is_key_before(border_keys[(n_before + bit) * step], query) {
            n_before += bit;
        }
    }
    return n_before;
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let place = workgroup_index(grid) * WORKGROUP_SIZE + local;
    let n = n_items();
    if place >= n {
        return;
    }
    let item = order[place];
    let box = boxes[item];
    let keys = coordinate_keys(box);
#ifdef along_y
    let other_ends = keys.xz;
    let end = keys.w;
#else
    let other_ends = keys.yw;
    let end = keys.z;
#endif
    let step = n >> config.lg_strips;
    // Keys are integers: borders <= x are borders < x + 1.
    let first = n_borders_before(other_ends.x + 1u, step);
    let last = max(n_borders_before(other_ends.y, step), first);
    n_entries[place] = select(last + 1u - first, 0u, is_empty(box));
    first_strips[place] = first;
    swept_boxes[place] = vec4(item, other_ends, end);
}
