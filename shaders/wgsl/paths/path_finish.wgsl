// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// shader: path_finish
// shader: path_finish_rounded: rounded

// Stage paths, dispatch 8 of 8: writes the box of each path. With `rounded`, also the box in whole
// pixels, with Vello's flags.

#import aabb
#import grid
#import path_config

@group(0) @binding(1) var<storage> path_keys: array<vec4<i32>>;
// In: the edges that `path_fill` has found for each path that ends. EMPTY if they are in the keys.
// Out: all boxes.
@group(0) @binding(2) var<storage, read_write> path_boxes: array<vec4<f32>>;
@group(0) @binding(3) var<storage> group_counts: array<vec4<u32>>;
#ifdef rounded
#import rounded_box
@group(0) @binding(4) var<storage> path_draws: array<vec2<u32>>;
@group(0) @binding(5) var<storage, read_write> rounded_boxes: array<RoundedBox>;

// Saturates at the ends of i32. 0x1.fffffep30 is the largest f32 below 2^31.
fn whole(v: vec2<f32>) -> vec2<i32> {
    let within = vec2<i32>(clamp(v, vec2(-0x1p31f), vec2(0x1.fffffep30f)));
    return select(within, vec2(0x7fffffff), v >= vec2(0x1p31f));
}
#endif

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) workgroups: vec3<u32>) {
    let path = id.y * workgroups.x * WORKGROUP_SIZE + id.x;
    if path >= config.n_paths {
        return;
    }
    let n_groups = (config.n_partitions + PARTITIONS_PER_GROUP - 1u) / PARTITIONS_PER_GROUP;
    // The tags may end before the last path, and within a path.
    let n_ended = group_counts[n_groups].w;
    var edges = EMPTY;
    if path < n_ended && config.has_fills != 0u {
        edges = path_boxes[path];
    }
    let is_joined = path <= n_ended && (config.has_strokes != 0u || edges.x == LARGEST);
    if is_joined {
        let keys = path_keys[path];
        let of_fills = ordered_from_f32(edges);
        edges = f32_from_ordered(vec4(min(keys.xy, of_fills.xy), max(keys.zw, of_fills.zw)));
    }
    let is_empty = edges.x >= edges.z || edges.y >= edges.w;
    // Most boxes are in place already.
    if is_joined || is_empty {
        path_boxes[path] = select(edges, EMPTY, vec4(is_empty));
    }
#ifdef rounded
    var low = vec2(0x7fffffff);
    var high = vec2(-0x7fffffff - 1);
    if edges.z > edges.x || edges.w > edges.y {
        low = whole(floor(edges.xy));
        high = whole(ceil(edges.zw));
    }
    var draws = vec2(0u, 0xffffffffu);
    if path < n_ended {
        draws = path_draws[path];
    }
    rounded_boxes[path] = RoundedBox(low.x, low.y, high.x, high.y, draws.x, draws.y);
#endif
}
