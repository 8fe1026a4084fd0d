// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage path bounds, 5 of 6: the boxes of the segments of strokes, joined for each path. An invocation has a span (`path_span`).
//
// As for fills, the reaches of a path (`path_reach`) are the greatest of its segments, and where these start, end and meet is computed
// exactly. What is between the ends of curves takes longer and is bounded: each way the one whose bound is the furthest is computed
// exactly, and others whose bounds are further than what is known.

#import path_config
#import path_tag
#import path_arithmetic
#import path_curve
#import path_segment
#import path_ink
#import aabb
#import ordered
#import path_reach
#import path_span
#import path_span_walk
#import path_split
#import path_stroke
#import path_offset
#import path_stroke_reach

@group(0) @binding(0) var<uniform> config: PathConfig;
@group(0) @binding(1) var<storage> scene: array<u32>;
@group(0) @binding(2) var<storage> spans: array<vec4<u32>>;
// Four words a path.
@group(0) @binding(3) var<storage, read_write> path_keys: array<atomic<i32>>;
// The scene once more, two words at a time.
@group(0) @binding(4) var<storage> scene_pairs: array<vec2<u32>>;

// Where the path data of each span of the workgroup begin, its transform, its style and its path.
var<workgroup> span_data: array<u32, SPANS_PER_WORKGROUP>;
var<workgroup> span_transforms: array<u32, SPANS_PER_WORKGROUP>;
var<workgroup> span_styles: array<u32, SPANS_PER_WORKGROUP>;
var<workgroup> span_paths: array<u32, SPANS_PER_WORKGROUP>;

// Curves whose insides are to be computed, side by side. Of spans for which there is no room all are.
const MAX_JOBS = 5u * SPANS_PER_WORKGROUP;
var<workgroup> jobs: array<u32, MAX_JOBS>;
var<workgroup> n_jobs: atomic<u32>;

// A job is a curve, and which way its reach is wanted, in a word: words of path data before it in the span, 11 bits; the four lowest
// of its tag; the way, 2; the span in the workgroup, 7.
fn packed_job(data: u32, tag: u32, local: u32) -> u32 {
    return data | ((tag & 15u) << 11u) | (local << 17u);
}

// Whether there is room for it.
fn list_job(job: u32, way: u32) -> bool {
    let place = atomicAdd(&n_jobs, 1u);
    if place < MAX_JOBS {
        jobs[place] = job | (way << 15u);
    }
    return place < MAX_JOBS;
}

// What is found of a span, each way.
struct Reaches {
    // What is reached by ends, or more, if a curve is known to reach so far.
    known: vec4<f32>,
    // The furthest bound of a curve, and its job.
    at_most: vec4<f32>,
    jobs: vec4<u32>,
    // Whether the insides of all curves are to be computed.
    is_void: bool,
}

fn with_curve(before: Reaches, job: u32, bounds: ReachBounds) -> Reaches {
    var reaches = before;
    reaches.known = max(before.known, bounds.at_least);
    reaches.at_most = max(before.at_most, bounds.at_most);
    let is_furthest = bounds.at_most > before.at_most;
    reaches.jobs = select(before.jobs, vec4(job), is_furthest);
    // The nearer of the two bounds.
    let is_open = min(before.at_most, bounds.at_most) > reaches.known;
    if any(is_open) && !reaches.is_void {
        // Where there is no room for it, there is none for the furthest later.
        let other = select(vec4(job), before.jobs, is_furthest);
        #repeat way 4
            if is_open[$way] {
                list_job(other[$way], $way);
            }
        #endrepeat
    }
    return reaches;
}

fn is_marker(tag: u32) -> bool {
    return (tag & TAG_SUBPATH_END) != 0u;
}

// Of a closed subpath.
fn is_closing(tag: u32) -> bool {
    return is_marker(tag) && (tag & TAG_SEGMENT) == TAG_LINE;
}

fn tag_at(index: u32) -> u32 {
    return (tag_word(index / 4u) >> (8u * (index % 4u))) & 0xffu;
}

fn reaches_of_span(span: Span, local: u32) -> Reaches {
    var reaches = Reaches(vec4(-LARGEST), vec4(-LARGEST), vec4(0u), false);
    var ink: StrokeInk;
    var pen: Pen;
    var has_ink = false;
    var is_stroked = false;
    // The segment before, if it goes on: its tag, its index and its path data; where it ends, and in which direction.
    var last_tag = 0u;
    var last_index = 0u;
    var last_data = 0u;
    var end: vec2<f32>;
    var arriving: Direction;
    var walk = first_segment(span);
    while walk.tag != 0u || last_tag != 0u {
        // The tag that follows the segment before; at the end of a row it is in another.
        var next_tag = 0u;
        if last_tag != 0u {
            if walk.tag == 0u {
                next_tag = tag_at(span.tag + last_index + 1u);
            } else if walk.index == last_index + 1u {
                next_tag = walk.tag;
            }
        }
        let is_followed = (next_tag & TAG_SEGMENT) != 0u;
        var tag = walk.tag;
        var data = walk.data;
        if is_followed {
            tag = next_tag;
            data = last_data + data_of_tag(last_tag);
        }
        if walk.tag != 0u && walk.is_ink_new {
            is_stroked = is_stroke(walk.styles - 1u);
        }
        var segment: Segment;
        var leaving: Direction;
        if tag != 0u && (is_stroked || last_tag != 0u) {
            segment = read_segment(data, tag);
            if segment.greatest < INFINITY {
                leaving = start_direction(segment);
            }
        }
        if last_tag != 0u {
            if !is_followed || (is_marker(tag) && !is_closing(tag) && segment.greatest < INFINITY) {
                let cap = end_cap_of(ink.flags);
                reaches.known = max(reaches.known, cap_reaches(pen, end, arriving.unit, cap));
            } else if segment.greatest < INFINITY {
                let joined = join_reaches(pen, end, arriving.unit, leaving.unit, ink.flags);
                reaches.known = max(reaches.known, joined);
            }
        }
        // It starts where that ends, but where the words are taken for others.
        var is_carried = is_followed && ((tag ^ last_tag) & TAG_F32) == 0u;
        last_tag = 0u;
        if walk.tag != 0u {
            if walk.is_ink_new && is_stroked {
                ink = stroke_ink_of(walk.transforms - 1u, walk.styles - 1u);
                pen = pen_of(ink.base.matrix, ink.width);
                if has_ink {
                    // Jobs have no room for a second.
                    reaches.is_void = true;
                } else {
                    span_transforms[local] = walk.transforms - 1u;
                    span_styles[local] = walk.styles - 1u;
                    has_ink = true;
                }
                is_carried = false;
            }
            walk.is_ink_new = false;
            if is_stroked && ink.base.greatest < INFINITY && segment.greatest < INFINITY && !is_closing(tag) {
                if segment.greatest >= ink.base.range {
                    reaches.known = vec4(LARGEST);
                } else if is_marker(tag) {
                    if segment.n == 3u {
                        reaches.known = max(reaches.known, start_cap_reaches(segment, ink, pen));
                    }
                } else {
                    var start = end;
                    if !is_carried {
                        start = placed_end(ink.base, segment.p0).point;
                    }
                    end = placed_end(ink.base, segment.p3).point;
                    arriving = leaving;
                    if segment.n > 2u {
                        arriving = end_direction(segment);
                    }
                    reaches.known = max(reaches.known, end_reaches(pen, start, leaving));
                    reaches.known = max(reaches.known, end_reaches(pen, end, arriving));
                    if segment.n > 2u {
                        let job = packed_job(data - span.data, tag, local);
                        reaches = with_curve(reaches, job, inside_bounds(segment, ink, pen, start, end));
                    }
                    last_tag = tag;
                    last_index = walk.index;
                    last_data = data;
                }
            }
            walk = next_segment(walk);
        }
    }
    return reaches;
}

// A marker of an open subpath is a curve from where that ends, by where it starts, to where it starts towards.
fn start_cap_reaches(marker: Segment, ink: StrokeInk, pen: Pen) -> vec4<f32> {
    let k = exponent_for(marker.greatest);
    let towards = scaled_by(k, marker.p3) - scaled_by(k, marker.p1);
    let direction = first_direction(towards, towards, towards, k);
    let start = placed_point(ink.base, marker.p1, k).point;
    let cap = cap_reaches(pen, start, -direction.unit, start_cap_of(ink.flags));
    return max(end_reaches(pen, start, direction), cap);
}

// Joins how far the inside of a segment goes one way.
fn do_job(data: u32, tag: u32, transform: u32, style: u32, way: u32, path: u32) {
    let ink = stroke_ink_of(transform, style);
    let segment = read_segment(data, tag);
    if ink.base.greatest >= INFINITY || segment.greatest >= ink.base.range || segment.n == 2u || is_marker(tag) {
        return;
    }
    let row = transform_row_of(ink.base, way);
    let pen = pen_row_of(row, ink.width);
    let ends = placed_ends(row, segment).point;
    let inner = placed_inside(row, segment).point;
    let reach = offset_reach(segment, ends, inner, pen);
    if reach != -LARGEST {
        join_way(path, way, with_error(pen, reach, largest_of(ends, inner)));
    }
}

@compute @workgroup_size(SPANS_PER_WORKGROUP)
fn main(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
) {
    if local == 0u {
        atomicStore(&n_jobs, 0u);
    }
    workgroupBarrier();
    let number = (workgroup.y * workgroups.x + workgroup.x) * SPANS_PER_WORKGROUP + local;
    var walk: Walk;
    let span = read_span(number);
    if span.tag != NO_SPAN {
        let path = path_of_span(number, span);
        span_data[local] = span.data;
        span_paths[local] = path;
        var reaches = reaches_of_span(span, local);
        let is_open = reaches.at_most > reaches.known;
        #repeat way 4
            if reaches.known[$way] != -LARGEST {
                join_way(path, $way, reaches.known[$way]);
            }
            if is_open[$way] && !reaches.is_void {
                reaches.is_void = !list_job(reaches.jobs[$way], $way);
            }
        #endrepeat
        if reaches.is_void {
            walk = first_segment(span);
        }
    }
    workgroupBarrier();
    // First the jobs that are listed, then those of the own span, if all of them are to be done.
    let n_listed = min(atomicLoad(&n_jobs), MAX_JOBS);
    var next_job = local;
    var next_way = 0u;
    while next_job < n_listed || walk.tag != 0u {
        if next_job < n_listed {
            let job = jobs[next_job];
            let owner = job >> 17u;
            do_job(
                span_data[owner] + (job & 0x7ffu),
                (job >> 11u) & 15u,
                span_transforms[owner],
                span_styles[owner],
                (job >> 15u) & 3u,
                span_paths[owner],
            );
            next_job += SPANS_PER_WORKGROUP;
        } else {
            do_job(walk.data, walk.tag, walk.transforms - 1u, walk.styles - 1u, next_way, span_paths[local]);
            next_way = (next_way + 1u) % N_WAYS;
            if next_way == 0u {
                walk = next_segment(walk);
            }
        }
    }
}
