// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage path bounds, alone: the boxes that a renderer has rounded to whole pixels, as f32.

#import aabb
#import bbox
#import path_config

@group(0) @binding(0) var<uniform> config: PathConfig;
@group(0) @binding(1) var<storage> path_bboxes: array<PathBbox>;
@group(0) @binding(2) var<storage, read_write> path_boxes: array<vec4<f32>>;

// The f32 that is equal or next below.
fn at_most(v: i32) -> f32 {
    // 24 bits, or all that there are, are exact.
    let dropped = u32(max(0, 8 - i32(countLeadingZeros(u32(max(v, -v - 1))))));
    return f32((v >> dropped) << dropped);
}

// The f32 that is equal or next above, of a number that has a negative.
fn at_least(v: i32) -> f32 {
    if v == 0 {
        return 0.0;
    }
    return -at_most(-v);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
) {
    let path = (workgroup.y * workgroups.x + workgroup.x) * WORKGROUP_SIZE + local;
    if path >= config.n_paths {
        return;
    }
    let bbox = path_bboxes[path];
    if bbox.x0 >= bbox.x1 || bbox.y0 >= bbox.y1 {
        path_boxes[path] = EMPTY;
        return;
    }
    // A high edge is above another, so it has a negative.
    path_boxes[path] = vec4(at_most(bbox.x0), at_most(bbox.y0), at_least(bbox.x1), at_least(bbox.y1));
}
