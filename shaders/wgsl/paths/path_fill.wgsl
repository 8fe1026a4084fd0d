// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage path bounds, 4 of 8: the boxes of the segments of fills, joined for each path. An invocation has a span (`path_span`).
//
// The reaches of a path (`path_reach`) are the greatest of its segments. The ends of the segments are computed exactly. The insides
// of curves take longer, and most are nowhere near the box: they are bounded, and each way the one whose bound is the furthest is
// computed exactly. Where the bounds of others are further than what comes out, these are too.

#import aabb
#import fill_reach
#import furthest
#import ink
#import ordered
#import path_config
#import reach
#import segment
#import span
#import span_walk
#import tag

@group(0) @binding(0) var<uniform> config: PathConfig;
@group(0) @binding(1) var<storage> scene: array<u32>;
@group(0) @binding(2) var<storage> spans: array<vec4<u32>>;
// Four words a path.
@group(0) @binding(3) var<storage, read_write> path_keys: array<atomic<i32>>;
// The scene once more, two words at a time.
@group(0) @binding(4) var<storage> scene_pairs: array<vec2<u32>>;
// The edges of each path that ends, or EMPTY where the keys tell.
@group(0) @binding(5) var<storage, read_write> path_boxes: array<vec4<f32>>;

// Where the path data, the transforms and the path of each span of the workgroup begin.
var<workgroup> span_data: array<u32, SPANS_PER_WORKGROUP>;
var<workgroup> span_transforms: array<u32, SPANS_PER_WORKGROUP>;
var<workgroup> span_paths: array<u32, SPANS_PER_WORKGROUP>;

// How many of the furthest are to be computed in the end; these then stand there side by side.
var<workgroup> n_furthest: atomic<u32>;
// The jobs of others that could be further. There is room for few: of spans with more, all is computed.
const MAX_OTHERS = SPANS_PER_WORKGROUP;
var<workgroup> others: array<u32, MAX_OTHERS>;
var<workgroup> n_others: atomic<u32>;

// A job is a curve, and which way its reach is wanted, in a word: pairs of words of path data before it in the span, 11 bits; its kind, 2;
// transforms before it in the span, 9; the way, 2; the span in the workgroup, 7.
fn packed_job(pairs: u32, kind: u32, transforms: u32, way: u32, local: u32) -> u32 {
    return pairs | (kind << 11u) | (transforms << 13u) | (way << 22u) | (local << 24u);
}

// The segment of this kind at a pair of words of the scene. Where the first point is carried over from the segment before, only the
// largest bits of its magnitudes are known.
fn read_pairs(pair: u32, kind: u32, is_carried: bool, greatest_of_start: u32) -> Segment {
    var segment: Segment;
    segment.n = kind + 1u;
    segment.greatest = greatest_of_start;
    let p3 = scene_pairs[pair + kind];
    segment.p3 = bitcast<vec2<f32>>(p3);
    if !is_carried {
        let p0 = scene_pairs[pair];
        segment.p0 = bitcast<vec2<f32>>(p0);
        segment.greatest = greatest_of_point(p0);
    }
    segment.greatest = max(segment.greatest, greatest_of_point(p3));
    if kind > 1u {
        let p1 = scene_pairs[pair + 1u];
        let p2 = scene_pairs[pair + kind - 1u];
        segment.p1 = bitcast<vec2<f32>>(p1);
        segment.p2 = bitcast<vec2<f32>>(p2);
        segment.greatest = max(segment.greatest, max(greatest_of_point(p1), greatest_of_point(p2)));
    }
    return segment;
}

// No word of path data.
const NOWHERE = 0xffffffffu;

// The furthest of a span each way.
struct Reaches {
    // Of the ends of segments, or more, if a curve is known to reach so far.
    known: vec4<f32>,
    // The furthest bound of a curve. Where it is further than what is known, that is not all; else it is exact.
    at_most: vec4<f32>,
    // Whether all of that is void: there are too many curves that could be further, or points that are not pairs of words.
    is_void: bool,
    // Whether the path ends there.
    is_last: bool,
}

// `job` is that of the curve, the first way.
fn with_curve(before: Reaches, job: u32, local: u32, bounds: ReachBounds) -> Reaches {
    var reaches = before;
    reaches.known = max(before.known, bounds.at_least);
    reaches.at_most = max(before.at_most, bounds.at_most);
    let is_furthest = bounds.at_most > before.at_most;
    // The nearer of the two bounds.
    let is_open = min(before.at_most, bounds.at_most) > reaches.known;
    if any(is_open) {
        #repeat way 4
            if is_open[$way] {
                let place = atomicAdd(&n_others, 1u);
                if place < MAX_OTHERS {
                    let before_job = furthest_of_way(local, $way);
                    others[place] = select(job | ($way << 22u), before_job, is_furthest[$way]);
                } else {
                    reaches.is_void = true;
                }
            }
        #endrepeat
    }
    #repeat way 4
        if is_furthest[$way] {
            furthest[$way * SPANS_PER_WORKGROUP + local] = job | ($way << 22u);
        }
    #endrepeat
    return reaches;
}

fn reaches_of_span(span: Span, local: u32) -> Reaches {
    var reaches = Reaches(vec4(-LARGEST), vec4(-LARGEST), false, false);
    var ink: Ink;
    // The end of the last segment, and the word of path data at which it is.
    var end: vec2<f32>;
    var end_greatest = 0u;
    var end_at = NOWHERE;
    var walk = first_segment(span);
    while walk.tag != 0u {
        let kind = walk.tag & TAG_SEGMENT;
        if walk.is_ink_new {
            ink = ink_of(walk.transforms - 1u, walk.styles - 1u);
            walk.is_ink_new = false;
            end_at = NOWHERE;
        }
        let begin = walk.data;
        let is_carried = end_at == begin;
        let at = config.path_data_base + begin;
        end_at = NOWHERE;
        if ink.greatest < INFINITY {
            if (walk.tag & TAG_F32) == 0u || (at & 1u) != 0u {
                reaches.is_void = true;
            } else if has_data(begin, 2u * kind + 2u) {
                let segment = read_pairs(at / 2u, kind, is_carried, end_greatest);
                if segment.greatest < ink.range {
                    var start = end;
                    if !is_carried {
                        let placed = placed_end(ink, segment.p0);
                        reaches.known = max(reaches.known, reach_of_end(placed));
                        start = placed.point;
                    }
                    let end_bits = bitcast<vec2<u32>>(segment.p3);
                    let placed = placed_end(ink, segment.p3);
                    reaches.known = max(reaches.known, reach_of_end(placed));
                    end = placed.point;
                    end_greatest = greatest_of_point(end_bits);
                    end_at = begin + 2u * kind;
                    if kind > 1u {
                        var bounds = ReachBounds(vec4(-LARGEST), vec4(LARGEST));
                        if max(segment.greatest, ink.greatest) < UNBOUNDED {
                            bounds = curve_bounds(segment, ink, start, end);
                        }
                        let job = packed_job(at / 2u - pair_of_data(span.data), kind, walk.transforms - span.transforms, 0u, local);
                        reaches = with_curve(reaches, job, local, bounds);
                    }
                } else if segment.greatest < INFINITY {
                    reaches.known = vec4(LARGEST);
                }
            }
        }
        walk = next_segment(walk);
    }
    reaches.is_last = walk.is_last;
    return reaches;
}

// The reaches of a span of any kind, all exactly.
fn exact_reaches_of_span(span: Span) -> vec4<f32> {
    var reaches = vec4(-LARGEST);
    var walk = first_segment(span);
    while walk.tag != 0u {
        let ink = ink_of(walk.transforms - 1u, walk.styles - 1u);
        let segment = read_segment(walk.data, walk.tag);
        if ink.greatest < INFINITY && segment.greatest < ink.range {
            reaches = max(reaches, reach_of_end(placed_end(ink, segment.p0)));
            reaches = max(reaches, reach_of_end(placed_end(ink, segment.p3)));
            if segment.n > 2u {
                for (var way = 0u; way < N_WAYS; way++) {
                    reaches.x = max(reaches.x, reach_of_curve(segment, ink, way));
                    // The next way comes first, as registers have no index.
                    reaches = reaches.yzwx;
                }
            }
        } else if ink.greatest < INFINITY && segment.greatest < INFINITY {
            reaches = vec4(LARGEST);
        }
        walk = next_segment(walk);
    }
    return reaches;
}

// Joins how far the curve goes that way.
fn do_job(job: u32) {
    let local = job >> 24u;
    let way = (job >> 22u) & 3u;
    let ink = read_ink(span_transforms[local] + ((job >> 13u) & 0x1ffu) - 1u);
    let pair = pair_of_data(span_data[local]) + (job & 0x7ffu);
    let reach = reach_of_curve(read_pairs(pair, (job >> 11u) & 3u, false, 0u), ink, way);
    join_way(span_paths[local], way, reach);
}

// What is known of a span, which is written to its path.
fn do_span(number: u32, local: u32) -> Reaches {
    var reaches = Reaches(vec4(-LARGEST), vec4(-LARGEST), false, false);
    let span = read_span(number);
    if span.tag == NO_SPAN {
        return reaches;
    }
    let path = span.path;
    span_data[local] = span.data;
    span_transforms[local] = span.transforms;
    span_paths[local] = path;
    reaches = reaches_of_span(span, local);
    if reaches.is_void {
        reaches.known = exact_reaches_of_span(span);
        reaches.at_most = vec4(-LARGEST);
    }
    let has_jobs = any(reaches.at_most > reaches.known);
    let has_ink = reaches.known.x != -LARGEST;
    let keys = keys_of(vec4(-reaches.known.xy, reaches.known.zw));
    let first = N_WAYS * path;
    var edges = EMPTY;
    // What begins a path may end it too.
    if number >= config.n_paths || !reaches.is_last {
        if has_ink {
            atomicMin(&path_keys[first], keys.x);
            atomicMin(&path_keys[first + 1u], keys.y);
            atomicMax(&path_keys[first + 2u], keys.z);
            atomicMax(&path_keys[first + 3u], keys.w);
        }
    } else if has_jobs {
        atomicStore(&path_keys[first], keys.x);
        atomicStore(&path_keys[first + 1u], keys.y);
        atomicStore(&path_keys[first + 2u], keys.z);
        atomicStore(&path_keys[first + 3u], keys.w);
    } else if has_ink {
        edges = f32_from_ordered(keys);
    } else if config.has_strokes == 0u {
        // The keys do not tell.
        edges = vec4(0.0);
    }
    if reaches.is_last {
        path_boxes[path] = edges;
    }
    return reaches;
}

@compute @workgroup_size(SPANS_PER_WORKGROUP)
fn main(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
) {
    let first_number = (workgroup.y * workgroups.x + workgroup.x) * SPANS_PER_WORKGROUP;
    if local == 0u {
        atomicStore(&n_furthest, 0u);
        atomicStore(&n_others, 0u);
    }
    workgroupBarrier();
    let reaches = do_span(first_number + local, local);
    let is_open = reaches.at_most > reaches.known;
    let own = furthest_of_span(local);
    workgroupBarrier();
    #repeat way 4
        if is_open[$way] {
            furthest[atomicAdd(&n_furthest, 1u)] = own[$way];
        }
    #endrepeat
    // What the jobs join is in place.
    storageBarrier();
    workgroupBarrier();
    let n_first = atomicLoad(&n_furthest);
    let n_jobs = n_first + min(atomicLoad(&n_others), MAX_OTHERS);
    for (var i = local; i < n_jobs; i += SPANS_PER_WORKGROUP) {
        var job: u32;
        if i < n_first {
            job = furthest[i];
        } else {
            job = others[i - n_first];
        }
        do_job(job);
    }
}
