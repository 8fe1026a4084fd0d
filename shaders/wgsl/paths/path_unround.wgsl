// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Converts boxes that a renderer has rounded to whole pixels to boxes of f32. It is not a part of
// stage paths, but takes its place.

#import aabb
#import grid
#import path_config
#import rounded_box

@group(0) @binding(1) var<storage> rounded_boxes: array<RoundedBox>;
@group(0) @binding(2) var<storage, read_write> path_boxes: array<vec4<f32>>;

// The largest f32 that is not greater.
fn rounded_down(v: i32) -> f32 {
    // An f32 holds 24 significant bits. The shifts drop the others.
    let dropped = u32(max(0, 8 - i32(countLeadingZeros(u32(max(v, -v - 1))))));
    return f32((v >> dropped) << dropped);
}

// The smallest f32 that is not less, for a number whose negative is an i32.
fn rounded_up(v: i32) -> f32 {
    if v == 0 {
        return 0.0;
    }
    return -rounded_down(-v);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) workgroups: vec3<u32>) {
    let path = id.y * workgroups.x * WORKGROUP_SIZE + id.x;
    if path >= config.n_paths {
        return;
    }
    let rounded = rounded_boxes[path];
    if rounded.x0 >= rounded.x1 || rounded.y0 >= rounded.y1 {
        path_boxes[path] = EMPTY;
        return;
    }
    // An upper edge is greater than a lower one, so its negative is an i32.
    path_boxes[path] =
        vec4(rounded_down(rounded.x0), rounded_down(rounded.y0), rounded_up(rounded.x1), rounded_up(rounded.y1));
}
