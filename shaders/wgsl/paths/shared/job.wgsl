// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: config, spans
// provides: JOBS_PER_WORKGROUP, offset_of_job, packed_curve, packed_inks, packed_way
// provides: unpacked_job

// A *job*: a curve of f32 of a stroke, and which way it is to be known how far the stroke goes between the ends. It is two words: the
// number of a span; and pairs of words of path data before the curve in it, 11 bits; whether it is cubic; the way, 2; transforms and
// styles before the curves of the span, 9 each.

#import offset
#import pen
#import segment
#import span
#import tag

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

// The parts of the second word.
fn packed_curve(pairs: u32, is_cubic: bool) -> u32 {
    return pairs | (u32(is_cubic) << 11u);
}

fn packed_way(way: u32) -> u32 {
    return way << 12u;
}

fn packed_inks(transforms: u32, styles: u32) -> u32 {
    return (transforms << 14u) | (styles << 23u);
}

fn unpacked_job(words: vec2<u32>) -> Job {
    let span = unpacked_span(spans[words.x], words.x);
    let pair = pair_of_data(span.data) + (words.y & 0x7ffu);
    let is_cubic = (words.y >> 11u) & 1u;
    return Job(
        2u * pair - config.path_data_base,
        (2u + is_cubic) | TAG_F32,
        (words.y >> 12u) & 3u,
        span.transforms + ((words.y >> 14u) & 0x1ffu) - 1u,
        span.styles + (words.y >> 23u) - 1u,
        span.path,
    );
}

fn offset_of_job(job: Job, ink: StrokeInk) -> Offset {
    return offset_of(read_segment(job.data, job.tag), ink, job.way);
}
