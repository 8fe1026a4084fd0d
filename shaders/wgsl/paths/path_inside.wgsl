// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage paths, dispatch 6 of 8: the extents of the interiors of the listed curves of strokes. Lists
// the few that need their pieces for `path_pieces`. Then computes the deferred spans.
//
// Each invocation takes every n-th job (`stroke_job`) and every n-th deferred span, for n
// invocations. It uses no workgroup memory and no barrier.

#import deferred_span
#import span
#import span_walk
#import stroke_job

@group(0) @binding(5) var<storage> jobs: array<vec2<u32>>;
// The numbers of jobs, with those that `jobs` has no room for, of piece jobs, and of deferred
// spans.
@group(0) @binding(6) var<storage, read_write> n_jobs: array<atomic<u32>>;
@group(0) @binding(7) var<storage, read_write> piece_jobs: array<vec2<u32>>;
@group(0) @binding(8) var<storage> deferred_spans: array<u32>;

// Lists a job for `path_pieces`. Returns false if there is no room.
fn list_piece_job(words: vec2<u32>) -> bool {
    let slot = atomicAdd(&n_jobs[1], 1u);
    if slot < arrayLength(&piece_jobs) {
        piece_jobs[slot] = words;
    }
    return slot < arrayLength(&piece_jobs);
}

@compute @workgroup_size(JOBS_PER_WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) workgroups: vec3<u32>) {
    let first = id.y * workgroups.x * JOBS_PER_WORKGROUP + id.x;
    let n_invocations = workgroups.x * workgroups.y * JOBS_PER_WORKGROUP;
    let n = min(atomicLoad(&n_jobs[0]), arrayLength(&jobs));
    for (var i = first; i < n; i += n_invocations) {
        let job = unpacked_job(jobs[i]);
        let offset = offset_curve_of_job(job);
        if !offset.has_pieces || !list_piece_job(jobs[i]) {
            add_offset_curve(job, offset);
        }
    }
    let n_deferred = min(atomicLoad(&n_jobs[2]), arrayLength(&deferred_spans));
    for (var i = first; i < n_deferred; i += n_invocations) {
        let span = read_span(deferred_spans[i]);
        if span.tag != NO_SPAN {
            add_deferred_span(span);
        }
    }
}
