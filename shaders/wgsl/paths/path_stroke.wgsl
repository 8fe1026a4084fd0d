// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage path bounds, 5 of 8: the boxes of the segments of strokes, joined for each path. An invocation has a span (`path_span`).
//
// As for fills, the reaches of a path (`path_reach`) are the greatest of its segments, and where these start, end, meet and turn back
// is computed at once. How far a curve goes at most between its ends is too: each way the furthest of these is listed if it is further
// than what is known, to be computed by itself, and others that are.
//
// What is out of the ordinary is left for later (`path_stroke_any`): numbers of 16 bits, or beyond all range, or out of step with
// pairs of words; paths whose ink changes; subpaths that end without a marker.

#import aabb
#import furthest
#import job
#import offset
#import path_config
#import pen
#import reach
#import segment
#import span
#import span_walk
#import stroke
#import stroke_follow
#import tag

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
// The numbers of the spans that are left for later, of which there are as many as the third of these.
@group(0) @binding(7) var<storage, read_write> late_spans: array<u32>;

// The jobs of the workgroup; what there is no room for goes straight to those of all workgroups.
const MAX_OWN_JOBS = 2u * SPANS_PER_WORKGROUP;
var<workgroup> own_jobs: array<vec2<u32>, MAX_OWN_JOBS>;
var<workgroup> n_own_jobs: atomic<u32>;
// Its spans that are left for later, as they are out of the ordinary.
var<workgroup> own_late_spans: array<u32, SPANS_PER_WORKGROUP>;
var<workgroup> n_own_late_spans: atomic<u32>;
// Where the jobs begin among those of all workgroups; and where the late spans do, how many there are, and whether there is room for all
// jobs. If not, all its spans are left for later.
var<workgroup> first_job: u32;
var<workgroup> late: vec3<u32>;

// Lists a job. If there is no room for it even among those of all workgroups, there is none for the others of this one later, and all
// its spans are late.
fn list_job(number: u32, curve: u32, way: u32) {
    let job = vec2(number, curve | packed_way(way));
    let place = atomicAdd(&n_own_jobs, 1u);
    if place < MAX_OWN_JOBS {
        own_jobs[place] = job;
        return;
    }
    let beyond = atomicAdd(&n_jobs[0], 1u);
    if beyond < arrayLength(&jobs) {
        jobs[beyond] = job;
    }
}

// What is found of a span, each way.
struct Reaches {
    // What is reached at the least.
    known: vec4<f32>,
    // The furthest that a curve may reach.
    at_most: vec4<f32>,
    // Whether all of that is void, and the span left for later.
    is_late: bool,
}

fn with_curve(before: Reaches, at_most: vec4<f32>, number: u32, local: u32, curve: u32) -> Reaches {
    var reaches = before;
    reaches.at_most = max(before.at_most, at_most);
    let is_furthest = at_most > before.at_most;
    // The nearer of the two.
    let is_open = min(before.at_most, at_most) > before.known;
    if any(is_open) {
        for (var way = 0u; way < N_WAYS; way++) {
            if is_open[way] {
                list_job(number, select(curve, furthest_of_way(local, way), is_furthest[way]), way);
            }
        }
    }
    #repeat way 4
        if is_furthest[$way] {
            furthest[$way * SPANS_PER_WORKGROUP + local] = curve;
        }
    #endrepeat
    return reaches;
}

// The sum of the squares of coordinates below which all of them are in range.
const ORDINARY = 0x1p58f;

// No index of a tag.
const NO_INDEX = 0xffffffffu;

// A segment of f32 that begins with a pair of words, of which it is not known how large its numbers are. The inner points of a line are
// its ends.
fn segment_of_pairs(pair: u32, kind: u32) -> Segment {
    return Segment(
        bitcast<vec2<f32>>(scene_pairs[pair]),
        bitcast<vec2<f32>>(scene_pairs[pair + 1u]),
        bitcast<vec2<f32>>(scene_pairs[pair + kind - 1u]),
        bitcast<vec2<f32>>(scene_pairs[pair + kind]),
        kind + 1u,
        0u,
    );
}

// The point between a segment and the next, which both have, where the path data of the next begin.
fn point_between(data: u32) -> vec2<f32> {
    return bitcast<vec2<f32>>(scene_pairs[pair_of_data(data)]);
}

// Words of path data before a tag after the last segment: tags of no segment may have some too.
fn data_before(walk: Walk, index: u32) -> u32 {
    var data = walk.data;
    for (var i = index; i < walk.index + u32(walk.is_last); i++) {
        data -= data_of_tag(tag_at(walk.begin + i));
    }
    return data;
}

fn reaches_of_span(span: Span, number: u32, local: u32) -> Reaches {
    var reaches = Reaches(vec4(-LARGEST), vec4(-LARGEST), false);
    var walk = first_segment(span);
    let inks = packed_inks(walk.transforms - span.transforms, walk.styles - span.styles);
    let ink = stroke_ink_of(walk.transforms - 1u, walk.styles - 1u);
    walk.is_ink_new = false;
    // The index of the tag after the segment before, if that goes on, and in which direction it ends, in the path's space.
    var next_index = NO_INDEX;
    var arriving: vec2<f32>;
    while walk.tag != 0u && !reaches.is_late {
        let kind = walk.tag & TAG_SEGMENT;
        let at = config.path_data_base + walk.data;
        let is_joined = walk.index == next_index;
        reaches.is_late = walk.is_ink_new || (next_index != NO_INDEX && !is_joined);
        next_index = NO_INDEX;
        if ink.kind != INK_NONE && !reaches.is_late {
            var s: Segment;
            reaches.is_late = true;
            if ink.kind == INK_STROKES && (walk.tag & TAG_F32) != 0u && (at & 1u) == 0u
                && has_data(walk.data, 2u * kind + 2u) {
                s = segment_of_pairs(at / 2u, kind);
                let squares = (dot(s.p0, s.p0) + dot(s.p1, s.p1)) + (dot(s.p2, s.p2) + dot(s.p3, s.p3));
                reaches.is_late = !(squares < ORDINARY);
            }
            if !reaches.is_late {
                let leaving = start_direction(s);
                let start = placed_point_of(ink, s.p0);
                if is_joined {
                    var beyond: vec4<f32>;
                    if is_marker(walk.tag) && kind != TAG_LINE {
                        beyond = cap_reaches(ink, start, arriving, end_cap_of(ink.flags));
                    } else {
                        beyond = join_reaches(ink, start, arriving, leaving.unit);
                    }
                    reaches.known = max(reaches.known, beyond);
                }
                if is_marker(walk.tag) {
                    if kind == 2u {
                        reaches.known = max(reaches.known, start_cap_reaches(s, ink));
                    }
                } else {
                    let end_direction = end_direction(s);
                    if !(leaving.is_nowhere && end_direction.is_nowhere) {
                        let end = placed_point_of(ink, s.p3);
                        let of_start = end_reaches(ink, start, leaving.unit);
                        reaches.known = max(reaches.known, max(of_start, end_reaches(ink, end, end_direction.unit)));
                        if kind > 1u {
                            let inside = bounds_of_inside(s, ink, start, end, leaving.unit, end_direction.unit);
                            reaches.known = max(reaches.known, inside.at_least);
                            let place = packed_curve(at / 2u - pair_of_data(span.data), kind == 3u);
                            reaches = with_curve(reaches, inside.at_most, number, local, inks | place);
                        }
                    }
                    arriving = end_direction.unit;
                    next_index = walk.index + 1u;
                }
            }
        }
        walk = next_segment(walk);
    }
    if next_index != NO_INDEX && !reaches.is_late {
        let tag = tag_at(span.tag + next_index);
        let data = data_before(walk, next_index);
        let end = placed_point_of(ink, point_between(data));
        reaches.known = max(reaches.known, reaches_beyond(ink, end, arriving, tag, data));
    }
    reaches.known = kept_reaches(ink, reaches.known);
    return reaches;
}

@compute @workgroup_size(SPANS_PER_WORKGROUP)
fn main(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
) {
    if local == 0u {
        atomicStore(&n_own_jobs, 0u);
        atomicStore(&n_own_late_spans, 0u);
    }
    workgroupBarrier();
    let number = (workgroup.y * workgroups.x + workgroup.x) * SPANS_PER_WORKGROUP + local;
    let span = read_span(number);
    if span.tag != NO_SPAN {
        var reaches = reaches_of_span(span, number, local);
        if reaches.is_late {
            own_late_spans[atomicAdd(&n_own_late_spans, 1u)] = number;
        } else {
            let is_open = reaches.at_most > reaches.known;
            for (var way = 0u; way < N_WAYS; way++) {
                if is_open[way] {
                    list_job(number, furthest_of_way(local, way), way);
                }
            }
            #repeat way 4
                if reaches.known[$way] != -LARGEST {
                    join_way(span.path, $way, reaches.known[$way]);
                }
            #endrepeat
        }
    }
    workgroupBarrier();
    let n_own = min(atomicLoad(&n_own_jobs), MAX_OWN_JOBS);
    if local == 0u {
        first_job = atomicAdd(&n_jobs[0], n_own);
        let has_room = n_own == 0u || first_job + n_own <= arrayLength(&jobs);
        let n_late = select(SPANS_PER_WORKGROUP, atomicLoad(&n_own_late_spans), has_room);
        late = vec3(atomicAdd(&n_jobs[2], n_late), n_late, u32(has_room));
    }
    let first = workgroupUniformLoad(&first_job);
    let own_late = workgroupUniformLoad(&late);
    for (var i = local; i < n_own && first + i < arrayLength(&jobs); i += SPANS_PER_WORKGROUP) {
        jobs[first + i] = own_jobs[i];
    }
    if own_late.z == 0u {
        late_spans[own_late.x + local] = number;
    } else if local < own_late.y {
        late_spans[own_late.x + local] = own_late_spans[local];
    }
}
