// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// A *job*: a curve of a stroke, and which way it is to be known how far the stroke goes between the ends. It is two words: the number of
// a span; and words of path data before the curve in it, 11 bits; the way, 2; whether its numbers are f32; whether it is cubic;
// transforms and styles before it in the span, 8 each.

#import path_tag
#import path_span
#import path_span_walk
#import path_inside

// Invocations of a workgroup that has jobs alone.
const JOBS_PER_WORKGROUP = 128u;

struct Job {
    data: u32,
    tag: u32,
    way: u32,
    transform: u32,
    style: u32,
    path: u32,
}

// The second word, without the way. A row has at most 256 tags, one of which is that of the curve.
fn packed_job(walk: Walk, span: Span) -> u32 {
    let kind = ((walk.tag & TAG_F32) >> 3u) | ((walk.tag & 1u) << 1u);
    let inks = (walk.transforms - span.transforms) | ((walk.styles - span.styles) << 8u);
    return (walk.data - span.data) | (kind << 13u) | (inks << 15u);
}

fn with_way(job: u32, way: u32) -> u32 {
    return job | (way << 11u);
}

fn unpacked_job(words: vec2<u32>) -> Job {
    let span = unpacked_span(spans[words.x], words.x);
    let is_f32 = (words.y >> 13u) & 1u;
    let is_cubic = (words.y >> 14u) & 1u;
    return Job(
        span.data + (words.y & 0x7ffu),
        (2u + is_cubic) | (is_f32 << 3u),
        (words.y >> 11u) & 3u,
        span.transforms + ((words.y >> 15u) & 0xffu) - 1u,
        span.styles + ((words.y >> 23u) & 0xffu) - 1u,
        span.path,
    );
}

fn offset_of_job(job: Job, ink: StrokeInk) -> Offset {
    return offset_of(read_segment(job.data, job.tag), ink, job.way);
}

fn do_job(words: vec2<u32>) {
    let job = unpacked_job(words);
    let ink = stroke_ink_of(job.transform, job.style);
    join_inside(job.path, job.way, ink, offset_of_job(job, ink));
}
