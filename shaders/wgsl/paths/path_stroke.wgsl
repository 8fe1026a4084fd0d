// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage paths, dispatch 5 of 8: the boxes of strokes. One invocation per span (`span`).
//
// As for fills, the extents of a path (`extent`) are the maxima over its segments. The walk over a
// span computes where segments start, end, meet, and turn around, and bounds the interiors of
// curves. On each side, the candidate of the span and other curves that may decide the box become
// jobs (`stroke_job`) of `path_inside`.
//
// Some spans are out of the ordinary: coordinates of i16, out of range, or not in step with pairs
// of words; paths whose transform or style changes; subpaths that end without a marker. They are
// deferred to `path_inside`. So are all spans of a workgroup whose jobs do not fit the list.
//
// | phase             | candidates            | own_jobs, own_deferred | barriers after |
// |---|---|---|---|
// | `main`: counters  | -                     | -                      | 1 |
// | `do_span`         | one per side and span | listed                 | 1 |
// | `reserve`         | -                     | the same               | 2 |
// | `write_lists`     | -                     | copied to the buffers  | - |

#import aabb
#import brush
#import candidates
#import caps_and_joins
#import extent
#import grid
#import offset_curve
#import path_config
#import segment
#import span
#import span_walk
#import stroke_job
#import stroke_next
#import tag

// The jobs of all workgroups. Those that do not fit are dropped.
@group(0) @binding(5) var<storage, read_write> jobs: array<vec2<u32>>;
// The numbers of jobs, with the dropped ones, of piece jobs, and of deferred spans.
@group(0) @binding(6) var<storage, read_write> n_jobs: array<atomic<u32>>;
// The numbers of deferred spans.
@group(0) @binding(7) var<storage, read_write> deferred_spans: array<u32>;

// The jobs of the workgroup. Those that do not fit go to the buffer at once.
const MAX_OWN_JOBS = 2u * SPANS_PER_WORKGROUP;
var<workgroup> own_jobs: array<vec2<u32>, MAX_OWN_JOBS>;
var<workgroup> n_own_jobs: atomic<u32>;
// The deferred spans of the workgroup, at most one per invocation.
var<workgroup> own_deferred: array<u32, SPANS_PER_WORKGROUP>;
var<workgroup> n_own_deferred: atomic<u32>;

// The part of the lists that the workgroup has reserved.
struct Reserved {
    first_job: u32,
    first_deferred: u32,
    n_deferred: u32,
    // 0 if the jobs do not fit, so that all spans of the workgroup are deferred.
    has_room: u32,
}
var<workgroup> reserved: Reserved;

// If a job does not fit the buffer, neither will the jobs that `reserve` asks room for.
fn list_job(number: u32, curve: u32, side: u32) {
    let job = vec2(number, curve | packed_side(side));
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

// The result of a walk over a span.
struct Extents {
    // Lower bounds, exact where no upper bound of a curve exceeds them.
    known: vec4<f32>,
    // The largest upper bound of a curve.
    at_most: vec4<f32>,
    // Whether the span is deferred. The other members are void then.
    is_deferred: bool,
}

// Adds a curve with an upper bound. `curve` is the second word of its job without the side.
fn with_curve(before: Extents, at_most: vec4<f32>, number: u32, local: u32, curve: u32) -> Extents {
    var extents = before;
    extents.at_most = max(before.at_most, at_most);
    let is_candidate = at_most > before.at_most;
    // Either this curve or the candidate before it needs a job if both may decide the box.
    let is_open = min(before.at_most, at_most) > before.known;
    if any(is_open) {
        for (var side = 0u; side < N_SIDES; side++) {
            if is_open[side] {
                list_job(number, select(curve, candidate_on(side, local), is_candidate[side]), side);
            }
        }
    }
    #repeat side 4
        if is_candidate[$side] {
            candidates[$side * SPANS_PER_WORKGROUP + local] = curve;
        }
    #endrepeat
    return extents;
}

// If the squares of all coordinates add up to less, each coordinate is below 2^29 and in range.
const ORDINARY_SQUARES = 0x1p58f;

// Whether a tag has a segment of f32 that starts at a pair of words, and a brush that is in range.
fn has_pairs(walk: Walk, brush: Brush) -> bool {
    let kind = walk.tag & TAG_SEGMENT;
    let at = config.path_data_base + walk.data;
    return brush.kind == BRUSH_ORDINARY && (walk.tag & TAG_F32) != 0u && (at & 1u) == 0u
        && has_data(walk.data, 2u * kind + 2u);
}

// The segment of a tag that has pairs, without its magnitude. Inner control points that it does not
// have are one of its ends.
fn segment_of_pairs(walk: Walk) -> Segment {
    let kind = walk.tag & TAG_SEGMENT;
    let pair = pair_of_data(walk.data);
    return Segment(
        bitcast<vec2<f32>>(scene_pairs[pair]),
        bitcast<vec2<f32>>(scene_pairs[pair + 1u]),
        bitcast<vec2<f32>>(scene_pairs[pair + kind - 1u]),
        bitcast<vec2<f32>>(scene_pairs[pair + kind]),
        kind + 1u,
        0u,
    );
}

// Whether the coordinates of a segment are in range. False for NaN.
fn is_ordinary(s: Segment) -> bool {
    let squares = (dot(s.p0, s.p0) + dot(s.p1, s.p1)) + (dot(s.p2, s.p2) + dot(s.p3, s.p3));
    return squares < ORDINARY_SQUARES;
}

// The offset of the path data of the tag at `index`, which comes after the last segment of a walk.
// Tags without a segment may have path data too.
fn data_after(walk: Walk, index: u32) -> u32 {
    var data = walk.data;
    for (var i = index; i < walk.index + u32(walk.is_last); i++) {
        data -= data_of_tag(tag_at(walk.begin + i));
    }
    return data;
}

// No index of a tag.
const NO_INDEX = 0xffffffffu;

fn walk_span(span: Span, number: u32, local: u32) -> Extents {
    var extents = Extents(vec4(-LARGEST), vec4(-LARGEST), false);
    var walk = first_segment(span);
    let brush_bits = packed_brush(walk.transforms - span.transforms, walk.styles - span.styles);
    let brush = brush_of(walk.transforms - 1u, walk.styles - 1u);
    walk.is_state_new = false;
    // The index of the tag after the last segment, if that is not a marker, and the direction in
    // which the segment ends.
    var next_index = NO_INDEX;
    var arriving: vec2<f32>;
    while walk.tag != 0u && !extents.is_deferred {
        let kind = walk.tag & TAG_SEGMENT;
        let is_joined = walk.index == next_index;
        extents.is_deferred = walk.is_state_new || (next_index != NO_INDEX && !is_joined);
        next_index = NO_INDEX;
        if brush.kind != BRUSH_NONE && !extents.is_deferred {
            // With a flag in the segment instead, strokes take 4 % longer on an NVIDIA H200.
            var s: Segment;
            extents.is_deferred = true;
            if has_pairs(walk, brush) {
                s = segment_of_pairs(walk);
                extents.is_deferred = !is_ordinary(s);
            }
            if !extents.is_deferred {
                let leaving = start_direction(s);
                let start = place(brush, s.p0);
                if is_joined {
                    var beyond: vec4<f32>;
                    if is_marker(walk.tag) && kind != TAG_LINE {
                        beyond = cap_extents(brush, start, arriving, end_cap_of(brush.flags));
                    } else {
                        beyond = join_extents(brush, start, arriving, leaving.unit);
                    }
                    extents.known = max(extents.known, beyond);
                }
                if is_marker(walk.tag) {
                    if kind == 2u {
                        extents.known = max(extents.known, start_cap_extents(s, brush));
                    }
                } else {
                    let ending = end_direction(s);
                    if !(leaving.is_point && ending.is_point) {
                        let end = place(brush, s.p3);
                        let at_start = end_extents(brush, start, leaving.unit);
                        extents.known = max(extents.known, max(at_start, end_extents(brush, end, ending.unit)));
                        if kind > 1u {
                            let interior = interior_of(s, brush, start, end, leaving.unit, ending.unit);
                            let bounds = bounds_of_interior(interior, brush);
                            extents.known = max(extents.known, bounds.at_least);
                            let pairs = pair_of_data(walk.data) - pair_of_data(span.data);
                            let curve = brush_bits | packed_curve(pairs, kind == 3u);
                            extents = with_curve(extents, bounds.at_most, number, local, curve);
                        }
                    }
                    arriving = ending.unit;
                    next_index = walk.index + 1u;
                }
            }
        }
        walk = next_segment(walk);
    }
    if next_index != NO_INDEX && !extents.is_deferred {
        // If the loop kept the offset, strokes would take 4 % longer. The last segment ends there,
        // so the path data has a point there.
        let next_data = data_after(walk, next_index);
        let end = place(brush, bitcast<vec2<f32>>(scene_pairs[pair_of_data(next_data)]));
        let tag = tag_at(span.tag + next_index);
        extents.known = max(extents.known, extents_beyond(brush, end, arriving, tag, next_data));
    }
    extents.known = normal_extents(brush, extents.known);
    return extents;
}

// Adds the known extents of a span to its path, and lists its jobs or the span itself.
fn do_span(span: Span, number: u32, local: u32) {
    let extents = walk_span(span, number, local);
    if extents.is_deferred {
        own_deferred[atomicAdd(&n_own_deferred, 1u)] = number;
        return;
    }
    let is_open = extents.at_most > extents.known;
    for (var side = 0u; side < N_SIDES; side++) {
        if is_open[side] {
            list_job(number, candidate_on(side, local), side);
        }
    }
    add_extents(span.path, extents.known);
}

// Reserves room for the lists of the workgroup. One invocation.
fn reserve() {
    let n_own = min(atomicLoad(&n_own_jobs), MAX_OWN_JOBS);
    let first_job = atomicAdd(&n_jobs[0], n_own);
    let has_room = n_own == 0u || first_job + n_own <= arrayLength(&jobs);
    let n_deferred = select(SPANS_PER_WORKGROUP, atomicLoad(&n_own_deferred), has_room);
    reserved = Reserved(first_job, atomicAdd(&n_jobs[2], n_deferred), n_deferred, u32(has_room));
}

// The buffers have room, unless single dispatches are repeated. So indices are compared with their
// lengths.
fn write_lists(number: u32, local: u32) {
    let own = workgroupUniformLoad(&reserved);
    let n_own = min(atomicLoad(&n_own_jobs), MAX_OWN_JOBS);
    for (var i = local; i < n_own && own.first_job + i < arrayLength(&jobs); i += SPANS_PER_WORKGROUP) {
        jobs[own.first_job + i] = own_jobs[i];
    }
    let place = own.first_deferred + local;
    if local < own.n_deferred && place < arrayLength(&deferred_spans) {
        var deferred = number;
        if own.has_room != 0u {
            deferred = own_deferred[local];
        }
        deferred_spans[place] = deferred;
    }
}

@compute @workgroup_size(SPANS_PER_WORKGROUP)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    if local == 0u {
        atomicStore(&n_own_jobs, 0u);
        atomicStore(&n_own_deferred, 0u);
    }
    workgroupBarrier();
    let number = workgroup_index(grid) * SPANS_PER_WORKGROUP + local;
    let span = read_span(number);
    if span.tag != NO_SPAN {
        do_span(span, number, local);
    }
    workgroupBarrier();
    if local == 0u {
        reserve();
    }
    write_lists(number, local);
}
