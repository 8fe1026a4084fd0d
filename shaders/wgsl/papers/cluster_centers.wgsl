// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// Sweep over clusters, 2: the places of the corners of each box in a grid over the bounds, its
// center, and the first means.
//
// Every operation but the subtraction of the smallest coordinate is exact, so that the places are
// the same on every device. A place is monotone in the coordinate, so that boxes that overlap do so
// in the grid, or touch.

#import aabb
#import box_center
#import grid
#import grid_places
#import n_items
#import cluster_config
#import cluster_points
#import workgroup_union

@group(0) @binding(2) var<storage> boxes: array<vec4<f32>>;
@group(0) @binding(3) var<storage> unions: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> box_places: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read_write> centers: array<u32>;
@group(0) @binding(6) var<storage, read_write> means: array<u32>;
// The ends of the bounds of each cluster, as `coordinate_keys`.
@group(0) @binding(7) var<storage, read_write> cluster_bounds: array<vec4<u32>>;

const ITEMS_PER_INVOCATION = 4u;
const PARTITION_LENGTH = ITEMS_PER_INVOCATION * WORKGROUP_SIZE;

// Places have 21 bits. The coordinates of centers are the upper 15 of these.
const PLACE_SHIFT = PLACE_BITS - 21u;
const CENTER_SHIFT = 6u;

const MIDDLE = vec2<u32>(16384u);
const NO_BOUNDS = vec4<u32>(0xffffffffu, 0xffffffffu, 0u, 0u);

var<private> bounds: vec4<f32>;
var<private> scale: f32;

// What is outside of the bounds is at their border.
fn place_of(point: vec2<f32>) -> vec2<u32> {
    let inside = clamp(plain(point.xyxy).xy, bounds.xy, bounds.zw);
    let places = vec2<u32>(clamp((inside - bounds.xy) * scale, vec2(0.0), vec2(LAST_PLACE)));
    // The conversion of NaN can be any number.
    return min(places, vec2(u32(LAST_PLACE))) >> vec2(PLACE_SHIFT);
}

fn center_in_grid(box: vec4<f32>) -> vec2<u32> {
    return place_of(center_of(box)) >> vec2(CENTER_SHIFT);
}

// The center of the box in the middle of a part of the list. Its index is
// (2 cluster + 1) n / (2 n_clusters), rounded down, without a product that exceeds a u32.
fn first_mean(cluster: u32, n: u32) -> u32 {
    let n_halves = 2u * config.n_clusters;
    let half = 2u * cluster + 1u;
    let item = half * (n / n_halves) + half * (n % n_halves) / n_halves;
    let box = boxes[min(item, n - 1u)];
    if is_empty(box) {
        return packed_point(MIDDLE);
    }
    return packed_point(center_in_grid(box));
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let part = workgroup_index(grid);
    let n = n_items();
    if part * PARTITION_LENGTH >= n {
        return;
    }
    var own = EMPTY;
    if local < config.n_shares {
        own = unions[local];
    }
    bounds = plain(workgroup_union(local, own));
    // Both axes have the scale of the larger extent.
    let extents = bounds.zw - bounds.xy;
    scale = scale_of(vec2(max(extents.x, extents.y))).x;
    if part == 0u && local < config.n_clusters {
        means[local] = first_mean(local, n);
        cluster_bounds[local] = NO_BOUNDS;
    }
    #repeat i 4
    let item = part * PARTITION_LENGTH + $i * WORKGROUP_SIZE + local;
    if item < n {
        let box = boxes[item];
        box_places[item] = vec4(place_of(box.xy), place_of(box.zw));
        centers[item] = select(packed_point(center_in_grid(box)), NO_CENTER, is_empty(box));
    }
    #endrepeat
}
