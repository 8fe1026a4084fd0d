// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// Stage paths, dispatch 4 of 8: the boxes of fills. One invocation per span (`span`).
//
// The extents of a path (`extent`) are the maxima over its segments. The walk over a span
// computes the ends of segments exactly, but only bounds the interiors of curves, which take longer
// and mostly are far from the box. On each side it keeps the candidate of the span: the curve with
// the largest upper bound. Candidates that may decide the box become jobs of the workgroup, and so
// do other curves with an upper bound above the known extents.
//
// | phase                | candidates              | extra_jobs    | barriers after |
// |---|---|---|---|
// | `main`: counters     | -                       | -             | 1 |
// | `walk_span`          | one per side and span   | other curves  | - |
// | `write_extents`      | the same                | the same      | 1 |
// | `main`: list jobs    | open candidates, packed | the same      | 2 |
// | `do_job`, in a loop  | the same                | the same      | - |

#import aabb
#import candidates
#import curve_bounds
#import extent
#import fill_extents
#import grid
#import path_config
#import placement
#import segment
#import span
#import span_walk
#import tag

// The edges of each path that ends. EMPTY if they are in the keys.
@group(0) @binding(5) var<storage, read_write> path_boxes: array<vec4<f32>>;

// The path data and the transforms before each span of the workgroup, and its path.
var<workgroup> span_data: array<u32, SPANS_PER_WORKGROUP>;
var<workgroup> span_transforms: array<u32, SPANS_PER_WORKGROUP>;
var<workgroup> span_paths: array<u32, SPANS_PER_WORKGROUP>;

var<workgroup> n_open_candidates: atomic<u32>;
// There is room for few extra jobs. A span with more is computed exactly throughout.
const MAX_EXTRA_JOBS = SPANS_PER_WORKGROUP;
var<workgroup> extra_jobs: array<u32, MAX_EXTRA_JOBS>;
var<workgroup> n_extra_jobs: atomic<u32>;

// A job is a curve and a side.
//
// | bits   | contents |
// |---|---|
// | 0..11  | pairs of words of path data before the curve in its span |
// | 11..13 | `TAG_SEGMENT` of its tag |
// | 13..22 | transforms before it in the span |
// | 22..24 | side |
// | 24..31 | index of the span in the workgroup |
//
// A span has at most 256 tags, an overhang of 64, and 3 more, so at most 1292 pairs and 323
// transforms. The mask keeps the other fields intact if the span is of another scene.
fn packed_job(pairs: u32, kind: u32, transforms: u32, local: u32) -> u32 {
    return (pairs & 0x7ffu) | (kind << 11u) | (transforms << 13u) | (local << 24u);
}

fn job_on(job: u32, side: u32) -> u32 {
    return job | (side << 22u);
}

// The segment of this kind at a pair of words of the scene. The caller has checked that the path
// data has it. If the first point is the end of the segment before, only its magnitude is needed.
fn read_pairs(pair: u32, kind: u32, is_shared: bool, greatest_of_start: u32) -> Segment {
    var segment: Segment;
    segment.n = kind + 1u;
    segment.greatest = greatest_of_start;
    let p3 = scene_pairs[pair + kind];
    segment.p3 = bitcast<vec2<f32>>(p3);
    if !is_shared {
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

// No offset of path data.
const NO_DATA = 0xffffffffu;

// The result of a walk over a span.
struct Extents {
    // Lower bounds: the extents of the ends of segments, and points of curves.
    known: vec4<f32>,
    // The largest upper bound of a curve. `known` is exact where it is not lower than this.
    at_most: vec4<f32>,
    // Whether the span must be walked again, exactly: there is no room for a job, or points are not
    // pairs of words.
    is_void: bool,
    // Whether the path ends in the span.
    is_last: bool,
}

// Adds the interior of a curve. `job` is its job on side 0.
fn with_curve(before: Extents, job: u32, local: u32, bounds: ExtentBounds) -> Extents {
    var extents = before;
    extents.known = max(before.known, bounds.at_least);
    extents.at_most = max(before.at_most, bounds.at_most);
    let is_candidate = bounds.at_most > before.at_most;
    // Either this curve or the candidate before it needs an extra job if both may decide the box.
    let is_open = min(before.at_most, bounds.at_most) > extents.known;
    if any(is_open) {
        #repeat side 4
            if is_open[$side] {
                let place = atomicAdd(&n_extra_jobs, 1u);
                if place < MAX_EXTRA_JOBS {
                    let before_job = candidate_on($side, local);
                    extra_jobs[place] = select(job_on(job, $side), before_job, is_candidate[$side]);
                } else {
                    extents.is_void = true;
                }
            }
        #endrepeat
    }
    #repeat side 4
        if is_candidate[$side] {
            candidates[$side * SPANS_PER_WORKGROUP + local] = job_on(job, $side);
        }
    #endrepeat
    return extents;
}

fn walk_span(span: Span, local: u32) -> Extents {
    var extents = Extents(vec4(-LARGEST), vec4(-LARGEST), false, false);
    var placement: Placement;
    // The end of the last segment, and its offset in the path data.
    var end: vec2<f32>;
    var end_greatest = 0u;
    var end_at = NO_DATA;
    var walk = first_segment(span);
    while walk.tag != 0u {
        let kind = walk.tag & TAG_SEGMENT;
        if walk.is_state_new {
            placement = placement_of(walk.transforms - 1u, walk.styles - 1u);
            walk.is_state_new = false;
            end_at = NO_DATA;
        }
        let begin = walk.data;
        let is_shared = end_at == begin;
        let at = config.path_data_base + begin;
        end_at = NO_DATA;
        if placement.greatest < INFINITY {
            if (walk.tag & TAG_F32) == 0u || (at & 1u) != 0u {
                extents.is_void = true;
            } else if has_data(begin, 2u * kind + 2u) {
                let segment = read_pairs(at / 2u, kind, is_shared, end_greatest);
                if segment.greatest < placement.range {
                    var start = end;
                    if !is_shared {
                        let placed = placed_end(placement, segment.p0);
                        extents.known = max(extents.known, extents_of_end(placed));
                        start = placed.point;
                    }
                    let placed = placed_end(placement, segment.p3);
                    extents.known = max(extents.known, extents_of_end(placed));
                    end = placed.point;
                    end_greatest = greatest_of_point(bitcast<vec2<u32>>(segment.p3));
                    end_at = begin + 2u * kind;
                    if kind > 1u {
                        var bounds = ExtentBounds(vec4(-LARGEST), vec4(LARGEST));
                        if max(segment.greatest, placement.greatest) < MAX_BOUNDED {
                            bounds = bounds_of_curve(segment, placement, start, end);
                        }
                        let pairs = at / 2u - pair_of_data(span.data);
                        let job = packed_job(pairs, kind, walk.transforms - span.transforms, local);
                        extents = with_curve(extents, job, local, bounds);
                    }
                } else if segment.greatest < INFINITY {
                    extents.known = vec4(LARGEST);
                }
            }
        }
        walk = next_segment(walk);
    }
    extents.is_last = walk.is_last;
    return extents;
}

// The extents of a span of any kind, exactly.
fn exact_extents_of_span(span: Span) -> vec4<f32> {
    var extents = vec4(-LARGEST);
    var walk = first_segment(span);
    while walk.tag != 0u {
        let placement = placement_of(walk.transforms - 1u, walk.styles - 1u);
        let segment = read_segment(walk.data, walk.tag);
        if placement.greatest < INFINITY && segment.greatest < placement.range {
            extents = max(extents, extents_of_end(placed_end(placement, segment.p0)));
            extents = max(extents, extents_of_end(placed_end(placement, segment.p3)));
            if segment.n > 2u {
                for (var side = 0u; side < N_SIDES; side++) {
                    extents.x = max(extents.x, extent_of_curve(segment, placement, side));
                    // Rotates the next side to the front, since registers have no index.
                    extents = extents.yzwx;
                }
            }
        } else if placement.greatest < INFINITY && segment.greatest < INFINITY {
            extents = vec4(LARGEST);
        }
        walk = next_segment(walk);
    }
    return extents;
}

// Writes the known extents of a span to the keys or the edges of its path.
fn write_extents(span: Span, number: u32, extents: Extents) {
    let has_jobs = any(extents.at_most > extents.known);
    let is_covered = extents.known.x != -LARGEST;
    let keys = keys_of(vec4(-extents.known.xy, extents.known.zw));
    var edges = EMPTY;
    // A span in which a path begins and ends is alone.
    if number >= config.n_paths || !extents.is_last {
        add_extents(span.path, extents.known);
    } else if has_jobs {
        #repeat side 4
            atomicStore(&path_keys[N_SIDES * span.path + $side], keys[$side]);
        #endrepeat
    } else if is_covered {
        edges = f32_from_ordered(keys);
    } else if config.has_strokes == 0u {
        // Flat edges, since `path_finish` reads the keys of a path with EMPTY, and nothing has set
        // them.
        edges = vec4(0.0);
    }
    if extents.is_last {
        path_boxes[span.path] = edges;
    }
}

// Joins the extent of a curve on a side to its path.
fn do_job(job: u32) {
    let local = job >> 24u;
    let kind = (job >> 11u) & 3u;
    let pair = pair_of_data(span_data[local]) + (job & 0x7ffu);
    // Always true, unless the span is of another scene (`read_span`).
    if has_data(2u * pair - config.path_data_base, 2u * kind + 2u) {
        let transform = span_transforms[local] + ((job >> 13u) & 0x1ffu) - 1u;
        let segment = read_pairs(pair, kind, false, 0u);
        let side = (job >> 22u) & 3u;
        add_extent(span_paths[local], side, extent_of_curve(segment, read_placement(transform), side));
    }
}

@compute @workgroup_size(SPANS_PER_WORKGROUP)
fn main(@builtin(local_invocation_index) local: u32, grid: Grid) {
    if local == 0u {
        atomicStore(&n_open_candidates, 0u);
        atomicStore(&n_extra_jobs, 0u);
    }
    workgroupBarrier();
    let number = workgroup_index(grid) * SPANS_PER_WORKGROUP + local;
    let span = read_span(number);
    var extents = Extents(vec4(-LARGEST), vec4(-LARGEST), false, false);
    if span.tag != NO_SPAN {
        span_data[local] = span.data;
        span_transforms[local] = span.transforms;
        span_paths[local] = span.path;
        extents = walk_span(span, local);
        if extents.is_void {
            extents.known = exact_extents_of_span(span);
            extents.at_most = vec4(-LARGEST);
        }
        write_extents(span, number, extents);
    }
    let is_open = extents.at_most > extents.known;
    let own = candidates_of_span(local);
    workgroupBarrier();
    #repeat side 4
        if is_open[$side] {
            candidates[atomicAdd(&n_open_candidates, 1u)] = own[$side];
        }
    #endrepeat
    // The keys that jobs join are written.
    storageBarrier();
    workgroupBarrier();
    let n_first = atomicLoad(&n_open_candidates);
    let n_jobs = n_first + min(atomicLoad(&n_extra_jobs), MAX_EXTRA_JOBS);
    for (var i = local; i < n_jobs; i += SPANS_PER_WORKGROUP) {
        var job: u32;
        if i < n_first {
            job = candidates[i];
        } else {
            job = extra_jobs[i - n_first];
        }
        do_job(job);
    }
}
