// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// requires: config
// provides: JOBS_PER_WORKGROUP, StrokeJob, add_offset_curve, offset_curve_of_job, packed_brush
// provides: packed_curve, packed_side, unpacked_job

// A *stroke job*: a curve of f32, and the side on which the extent of its interior may decide the
// box. Two words: the number of its span, and
//
// | bits   | contents |
// |---|---|
// | 0..11  | pairs of words of path data before the curve in its span |
// | 11     | whether it is cubic |
// | 12..14 | side |
// | 14..23 | transforms before the span's segments, relative to the span |
// | 23..32 | styles before them |
//
// The fields are wide enough for the same reasons as in jobs of fills (`path_fill`).

#import aabb
#import brush
#import extent
#import offset_curve
#import segment
#import span
#import span_walk
#import tag

// Invocations per workgroup of the dispatches for jobs.
const JOBS_PER_WORKGROUP = 128u;

struct StrokeJob {
    data: u32,
    tag: u32,
    side: u32,
    path: u32,
    brush: Brush,
}

// The parts of the second word.
fn packed_curve(pairs: u32, is_cubic: bool) -> u32 {
    return (pairs & 0x7ffu) | (u32(is_cubic) << 11u);
}

fn packed_side(side: u32) -> u32 {
    return side << 12u;
}

fn packed_brush(transforms: u32, styles: u32) -> u32 {
    return (transforms << 14u) | (styles << 23u);
}

// The brush of a job is BRUSH_NONE if its span is of another scene (`read_span`).
fn unpacked_job(words: vec2<u32>) -> StrokeJob {
    var job: StrokeJob;
    let span = read_span(words.x);
    job.data = 2u * (pair_of_data(span.data) + (words.y & 0x7ffu)) - config.path_data_base;
    job.tag = (2u + ((words.y >> 11u) & 1u)) | TAG_F32;
    job.side = (words.y >> 12u) & 3u;
    job.path = span.path;
    job.brush.kind = BRUSH_NONE;
    if span.tag != NO_SPAN {
        job.brush = brush_of(span.transforms + ((words.y >> 14u) & 0x1ffu) - 1u, span.styles + (words.y >> 23u) - 1u);
    }
    return job;
}

fn offset_curve_of_job(job: StrokeJob) -> OffsetCurve {
    return offset_curve_of(read_segment(job.data, job.tag), job.brush, job.side);
}

// Adds the extent of an offset curve to the box of its path.
fn add_offset_curve(job: StrokeJob, offset: OffsetCurve) {
    let extent = extent_of(offset);
    if extent != -LARGEST && job.brush.kind == BRUSH_ORDINARY {
        add_extent(job.path, job.side, normal_extents(job.brush, vec4(extent))[job.side]);
    }
}
