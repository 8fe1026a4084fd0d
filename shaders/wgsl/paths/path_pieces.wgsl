// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage paths, dispatch 7 of 8: the extents of the interiors of the few curves of strokes that need
// their pieces. They take much longer than other curves, so they have a dispatch of their own.
//
// Each invocation takes every n-th job (`stroke_job`), for n invocations. It uses no workgroup
// memory and no barrier.

#import stroke_job

@group(0) @binding(5) var<storage> piece_jobs: array<vec2<u32>>;
// The second is the number of piece jobs, with those that `piece_jobs` has no room for.
@group(0) @binding(6) var<storage> n_jobs: array<u32>;

@compute @workgroup_size(JOBS_PER_WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) workgroups: vec3<u32>) {
    let first = id.y * workgroups.x * JOBS_PER_WORKGROUP + id.x;
    let n_invocations = workgroups.x * workgroups.y * JOBS_PER_WORKGROUP;
    let n = min(n_jobs[1], arrayLength(&piece_jobs));
    for (var i = first; i < n; i += n_invocations) {
        let job = unpacked_job(piece_jobs[i]);
        add_offset_curve(job, offset_curve_of_job(job));
    }
}
