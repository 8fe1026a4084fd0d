// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage path bounds, 6 of 8: how far strokes go between the ends of the curves that are listed for it, joined for each path; and of
// these, which need a look at their pieces. Then the spans that were left for later. An invocation has every so-manieth job (`path_job`)
// and span.

#import inside_job
#import job
#import path_config
#import pen
#import span
#import span_walk
#import stroke_any

@group(0) @binding(0) var<uniform> config: PathConfig;
@group(0) @binding(1) var<storage> scene: array<u32>;
@group(0) @binding(2) var<storage> spans: array<vec4<u32>>;
// Four words a path.
@group(0) @binding(3) var<storage, read_write> path_keys: array<atomic<i32>>;
// The scene once more, two words at a time.
@group(0) @binding(4) var<storage> scene_pairs: array<vec2<u32>>;
// As far as there was room.
@group(0) @binding(5) var<storage> jobs: array<vec2<u32>>;
// Of which there are this many; how many of them are for pieces; and how many spans are left for later.
@group(0) @binding(6) var<storage, read_write> n_jobs: array<atomic<u32>>;
@group(0) @binding(7) var<storage, read_write> piece_jobs: array<vec2<u32>>;
@group(0) @binding(8) var<storage> late_spans: array<u32>;

// Whether the job is for later, if there is room for it.
fn defer_job(words: vec2<u32>) -> bool {
    let place = atomicAdd(&n_jobs[1], 1u);
    if place < arrayLength(&piece_jobs) {
        piece_jobs[place] = words;
    }
    return place < arrayLength(&piece_jobs);
}

@compute @workgroup_size(JOBS_PER_WORKGROUP)
fn main(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
) {
    let first = (workgroup.y * workgroups.x + workgroup.x) * JOBS_PER_WORKGROUP + local;
    let n_invocations = workgroups.x * workgroups.y * JOBS_PER_WORKGROUP;
    let n = min(atomicLoad(&n_jobs[0]), arrayLength(&jobs));
    for (var i = first; i < n; i += n_invocations) {
        let job = unpacked_job(jobs[i]);
        let ink = stroke_ink_of(job.transform, job.style);
        let offset = offset_of_job(job, ink);
        if !offset.has_pieces || !defer_job(jobs[i]) {
            join_inside(job.path, job.way, ink, offset);
        }
    }
    let n_late = atomicLoad(&n_jobs[2]);
    for (var i = first; i < n_late; i += n_invocations) {
        let span = read_span(late_spans[i]);
        if span.tag != NO_SPAN {
            join_any(span);
        }
    }
}
