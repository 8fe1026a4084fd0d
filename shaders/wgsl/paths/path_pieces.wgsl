// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage paths, dispatch 7 of 8: the extents of the interiors of the few curves of strokes that need
// their pieces. They take much longer than other curves, so they have a dispatch of their own.
//
// Each invocation takes every n-th job (`stroke_job`), for n invocations. It uses no workgroup memory
// and no barrier.

#import path_config
#import stroke_job

@group(0) @binding(0) var<uniform> config: PathConfig;
@group(0) @binding(1) var<storage> scene: array<u32>;
@group(0) @binding(2) var<storage> spans: array<vec4<u32>>;
// Four words per path.
@group(0) @binding(3) var<storage, read_write> path_keys: array<atomic<i32>>;
// The scene, two words at a time.
@group(0) @binding(4) var<storage> scene_pairs: array<vec2<u32>>;
@group(0) @binding(5) var<storage> piece_jobs: array<vec2<u32>>;
// The second is the number of piece jobs, with those that `piece_jobs` has no room for.
@group(0) @binding(6) var<storage> n_jobs: array<u32>;

@compute @workgroup_size(JOBS_PER_WORKGROUP)
fn main(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
) {
    let first = (workgroup.y * workgroups.x + workgroup.x) * JOBS_PER_WORKGROUP + local;
    let n_invocations = workgroups.x * workgroups.y * JOBS_PER_WORKGROUP;
    let n = min(n_jobs[1], arrayLength(&piece_jobs));
    for (var i = first; i < n; i += n_invocations) {
        let job = unpacked_job(piece_jobs[i]);
        join_offset_curve(job, offset_curve_of_job(job));
    }
}
