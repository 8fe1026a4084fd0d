// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage path bounds, 5 of 5: the box of each path; and, if they are asked for, rounded ones with Vello's flags.

#import path_config
#import aabb
#import ordered

@group(0) @binding(0) var<uniform> config: PathConfig;
@group(0) @binding(1) var<storage> path_keys: array<vec4<i32>>;
@group(0) @binding(2) var<storage, read_write> path_boxes: array<vec4<f32>>;
#ifdef rounded
#import path_bbox
@group(0) @binding(3) var<storage> path_draws: array<vec2<u32>>;
@group(0) @binding(4) var<storage> group_counts: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read_write> path_bboxes: array<PathBbox>;

// What is beyond an i32 is the last f32 within it, but at the far ends, which `i32` holds.
fn whole(v: vec2<f32>) -> vec2<i32> {
    let within = vec2<i32>(clamp(v, vec2(-0x1p31f), vec2(0x1.fffffep30f)));
    return select(within, vec2(0x7fffffff), v >= vec2(0x1p31f));
}
#endif

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
    let edges = f32_from_ordered(path_keys[path]);
    path_boxes[path] = canonical(edges);
#ifdef rounded
    var low = vec2(0x7fffffff);
    var high = vec2(-0x7fffffff - 1);
    if edges.z > edges.x || edges.w > edges.y {
        low = whole(floor(edges.xy));
        high = whole(ceil(edges.zw));
    }
    // A stream may end before its last path.
    var draws = vec2(0u, 0xffffffffu);
    let n_groups = (config.n_partitions + PARTITIONS_PER_GROUP - 1u) / PARTITIONS_PER_GROUP;
    if path < group_counts[n_groups].w {
        draws = path_draws[path];
    }
    path_bboxes[path] = PathBbox(low.x, low.y, high.x, high.y, draws.x, draws.y);
#endif
}
