// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage path bounds, 7 of 8: how far strokes go between the ends of the few curves of which only pieces tell, joined for each path. They
// take far longer than others, and so have a dispatch of their own. An invocation has every so-manieth job (`path_job`).

#import inside_job
#import job
#import path_config
#import pen

@group(0) @binding(0) var<uniform> config: PathConfig;
@group(0) @binding(1) var<storage> scene: array<u32>;
@group(0) @binding(2) var<storage> spans: array<vec4<u32>>;
// Four words a path.
@group(0) @binding(3) var<storage, read_write> path_keys: array<atomic<i32>>;
// The scene once more, two words at a time.
@group(0) @binding(4) var<storage> scene_pairs: array<vec2<u32>>;
// As far as there was room.
@group(0) @binding(5) var<storage> piece_jobs: array<vec2<u32>>;
// The second is how many there are.
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
        let ink = stroke_ink_of(job.transform, job.style);
        join_inside(job.path, job.way, ink, offset_of_job(job, ink));
    }
}
