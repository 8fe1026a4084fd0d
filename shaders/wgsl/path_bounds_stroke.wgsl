// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage path bounds, 5 of 8: the boxes of the segments of strokes, joined for each path. An invocation has a span (`path_span`).
//
// As for fills, the reaches of a path (`path_reach`) are the greatest of its segments, and where these start, end and meet is computed
// exactly. What is between the ends of curves takes longer and is bounded: each way the one whose bound is the furthest is listed, to be
// computed exactly, and others whose bounds are further than what is known.

#import path_config
#import path_job
#import path_inside_bounds

@group(0) @binding(0) var<uniform> config: PathConfig;
@group(0) @binding(1) var<storage> scene: array<u32>;
@group(0) @binding(2) var<storage> spans: array<vec4<u32>>;
// Four words a path.
@group(0) @binding(3) var<storage, read_write> path_keys: array<atomic<i32>>;
// The scene once more, two words at a time.
@group(0) @binding(4) var<storage> scene_pairs: array<vec2<u32>>;
// The jobs of all workgroups, as far as there is room, and how many there are.
@group(0) @binding(5) var<storage, read_write> jobs: array<vec2<u32>>;
@group(0) @binding(6) var<storage, read_write> n_jobs: array<atomic<u32>>;

// The jobs of the workgroup. Of spans for which there is no room the insides of all curves are computed.
const MAX_JOBS = 5u * SPANS_PER_WORKGROUP;
var<workgroup> own_jobs: array<vec2<u32>, MAX_JOBS>;
var<workgroup> n_own_jobs: atomic<u32>;
var<workgroup> first_place: u32;

// Whether there is room for it.
fn list_job(number: u32, job: u32, way: u32) -> bool {
    let place = atomicAdd(&n_own_jobs, 1u);
    if place < MAX_JOBS {
        own_jobs[place] = vec2(number, with_way(job, way));
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
}

fn with_curve(before: Reaches, number: u32, job: u32, bounds: ReachBounds) -> Reaches {
    var reaches = before;
    reaches.known = max(before.known, bounds.at_least);
    reaches.at_most = max(before.at_most, bounds.at_most);
    let is_furthest = bounds.at_most > before.at_most;
    reaches.jobs = select(before.jobs, vec4(job), is_furthest);
    // The nearer of the two bounds.
    let is_open = min(before.at_most, bounds.at_most) > reaches.known;
    if any(is_open) {
        // Where there is no room for it, there is none for the furthest later.
        let other = select(vec4(job), before.jobs, is_furthest);
        #repeat way 4
            if is_open[$way] {
                list_job(number, other[$way], $way);
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

fn reaches_of_span(span: Span, number: u32) -> Reaches {
    var reaches = Reaches(vec4(-LARGEST), vec4(-LARGEST), vec4(0u));
    var ink: StrokeInk;
    var pen: Pen;
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
        // Drawn the same way, and from where that ends: the words could be taken for others.
        let is_carried = is_followed && !walk.is_ink_new && ((tag ^ last_tag) & TAG_F32) == 0u;
        if last_tag != 0u {
            var beyond = vec4(-LARGEST);
            if !is_followed || (is_marker(tag) && !is_closing(tag) && segment.greatest < INFINITY) {
                beyond = cap_reaches(pen, end, arriving.unit, end_cap_of(ink.flags));
            } else if segment.greatest < INFINITY {
                beyond = join_reaches(pen, end, arriving.unit, leaving.unit, ink.flags);
            }
            reaches.known = max(reaches.known, reaches_beyond(pen, beyond, end));
        }
        last_tag = 0u;
        if walk.tag != 0u {
            if walk.is_ink_new && is_stroked {
                ink = stroke_ink_of(walk.transforms - 1u, walk.styles - 1u);
                pen = pen_of(ink.base.matrix, ink.width);
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
                        let bounds = inside_bounds(segment, ink, pen, start, end);
                        reaches = with_curve(reaches, number, packed_job(walk, span), bounds);
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
    let s = power_of_two(-k);
    let direction = direction_of(marker.p3 * s - marker.p1 * s, k);
    let start = placed_point(ink.base, marker.p1, k).point;
    let cap = cap_reaches(pen, start, -direction.unit, start_cap_of(ink.flags));
    return max(end_reaches(pen, start, direction), reaches_beyond(pen, cap, start));
}

// Joins how far the insides of all curves of a span go.
fn do_span(span: Span) {
    var walk = first_segment(span);
    while walk.tag != 0u {
        let ink = stroke_ink_of(walk.transforms - 1u, walk.styles - 1u);
        let segment = read_segment(walk.data, walk.tag);
        let is_drawn = ink.base.greatest < INFINITY && segment.greatest < ink.base.range;
        if is_drawn && segment.n > 2u && !is_marker(walk.tag) {
            for (var way = 0u; way < N_WAYS; way++) {
                let inside = inside_of(segment, ink, way);
                join_inside(span.path, way, inside, offset_of_inside(inside));
            }
        }
        walk = next_segment(walk);
    }
}

@compute @workgroup_size(SPANS_PER_WORKGROUP)
fn main(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
) {
    if local == 0u {
        atomicStore(&n_own_jobs, 0u);
    }
    workgroupBarrier();
    let number = (workgroup.y * workgroups.x + workgroup.x) * SPANS_PER_WORKGROUP + local;
    let span = read_span(number);
    if span.tag != NO_SPAN {
        let reaches = reaches_of_span(span, number);
        let is_open = reaches.at_most > reaches.known;
        var is_void = false;
        #repeat way 4
            if reaches.known[$way] != -LARGEST {
                join_way(span.path, $way, reaches.known[$way]);
            }
            if is_open[$way] && !is_void {
                is_void = !list_job(number, reaches.jobs[$way], $way);
            }
        #endrepeat
        if is_void {
            do_span(span);
        }
    }
    workgroupBarrier();
    let n_own = min(atomicLoad(&n_own_jobs), MAX_JOBS);
    if local == 0u {
        first_place = atomicAdd(&n_jobs[0], n_own);
    }
    let first = workgroupUniformLoad(&first_place);
    for (var i = local; i < n_own; i += SPANS_PER_WORKGROUP) {
        if first + i < arrayLength(&jobs) {
            jobs[first + i] = own_jobs[i];
        } else {
            do_job(own_jobs[i]);
        }
    }
}
