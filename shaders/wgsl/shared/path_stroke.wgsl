// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// What a segment of a stroke covers; boxwood_cpu has the reasons.

const FINEST = 256u;
const TOLERANCE = 0.25;
const RELATIVE_TOLERANCE = 0x1p-8f;
const ERROR = 0x1p-20f;
const SINE_ERROR = 0x1p-22f;
const LG_CLOSE = -20;
const DUST = 0x1p-40f;
const PEN_DUST = 0x1p-60f;
const TANGENT_DUST = 0x1p-20f;

const JOIN_BEVEL = 0u;
const JOIN_MITER = 1u;
const JOIN_ROUND = 2u;
const CAP_BUTT = 0u;
const CAP_SQUARE = 1u;
const CAP_ROUND = 2u;

// x to the power of -1/2 for a positive normal number.
fn inverse_root(x: f32) -> f32 {
    var y = bitcast<f32>(0x5f375a86u - (bitcast<u32>(x) >> 1u));
    let half = 0.5 * x;
    y = product(y, 1.5 - product(half, product(y, y)));
    y = product(y, 1.5 - product(half, product(y, y)));
    return product(y, 1.5 - product(half, product(y, y)));
}

fn reciprocal(x: f32) -> f32 {
    let y = inverse_root(x);
    return product(y, y);
}

fn length_of(v: vec2<f32>) -> f32 {
    let greatest = max(abs(v.x), abs(v.y));
    if greatest == 0.0 {
        return 0.0;
    }
    let k = exponent_of(greatest);
    let c = flushed2(v * power_of_two(-k), DUST);
    let squares = product2(c, c);
    let squared = squares.x + squares.y;
    return product(squared, inverse_root(squared)) * power_of_two(k);
}

fn unit(v: vec2<f32>) -> vec2<f32> {
    let greatest = max(abs(v.x), abs(v.y));
    if greatest == 0.0 {
        return vec2(1.0, 0.0);
    }
    let k = exponent_of(greatest);
    let c = flushed2(v * power_of_two(-k), DUST);
    let squares = product2(c, c);
    return product2(c, vec2(inverse_root(squares.x + squares.y)));
}

// A segment of a stroke, as it is read. Its transform is an index, its width bits.
struct Stroke {
    segment: Segment,
    // What follows: another segment it `is_joined` to, or the end of the subpath, where it `is_capped`.
    next: Segment,
    is_joined: bool,
    is_capped: bool,
    // The last tag of a subpath, of which that of an open one has the cap at the start.
    is_marker: bool,
    is_drawn: bool,
    transform: u32,
    flags: u32,
    width: u32,
    // The largest bits of the magnitude of its numbers, the transform's apart.
    greatest: u32,
}

struct Pen {
    // What half a line's width along each axis becomes.
    x_axis: vec2<f32>,
    y_axis: vec2<f32>,
    reach: vec2<f32>,
}

fn pen_of(map: Map, half_width: f32) -> Pen {
    let x_axis = flushed2(product2(map.x_axis, vec2(half_width)), PEN_DUST);
    let y_axis = flushed2(product2(map.y_axis, vec2(half_width)), PEN_DUST);
    return Pen(x_axis, y_axis, vec2(length_of(vec2(x_axis.x, y_axis.x)), length_of(vec2(x_axis.y, y_axis.y))));
}

// What half a line's width along a direction becomes.
fn pen_along(pen: Pen, direction: vec2<f32>) -> vec2<f32> {
    return product2(pen.x_axis, direction.xx) + product2(pen.y_axis, direction.yy);
}

// What half a line's width across a direction becomes.
fn pen_across(pen: Pen, direction: vec2<f32>) -> vec2<f32> {
    return product2(pen.y_axis, direction.xx) - product2(pen.x_axis, direction.yy);
}

// The box that grows, as vec4(low, high).
fn with_extent(bounds: vec4<f32>, center: vec2<f32>, extent: vec2<f32>) -> vec4<f32> {
    return join(bounds, vec4(center - extent, center + extent));
}

fn nearly_contains(covered: vec4<f32>, bound: vec4<f32>) -> bool {
    let room = max(vec2(TOLERANCE), (covered.zw - covered.xy) * RELATIVE_TOLERANCE);
    return all(bound.xy >= covered.xy - room) && all(bound.zw <= covered.zw + room);
}

// The box with errors around it; without them along an axis in which the pen leaves nothing.
fn with_error(bounds: vec4<f32>, largest: vec2<f32>, pen: Pen) -> vec4<f32> {
    let error = (largest + pen.reach) * ERROR;
    var low = bounds.xy - error;
    var high = bounds.zw + error;
    low = select(low, vec2(-LEAST), abs(low) < vec2(LEAST));
    high = select(high, vec2(LEAST), abs(high) < vec2(LEAST));
    let is_flat = bounds.xy == bounds.zw;
    return vec4(select(low, bounds.xy, is_flat), select(high, bounds.zw, is_flat));
}

// The first of some vectors that is not almost nothing in the path's space, else the last.
fn first_direction(a: vec2<f32>, b: vec2<f32>, c: vec2<f32>, map: Map) -> vec2<f32> {
    let close = power_of_two(clamp(LG_CLOSE - map.exponent, -126, 127));
    if any(abs(a) > vec2(close)) {
        return a;
    }
    if any(abs(b) > vec2(close)) {
        return b;
    }
    return c;
}

// Segments of 3 control points have the last in p3 too, and those of 2.
fn start_direction(segment: Segment, map: Map) -> vec2<f32> {
    return first_direction(segment.p1 - segment.p0, segment.p2 - segment.p0, segment.p3 - segment.p0, map);
}

fn end_direction(segment: Segment, map: Map) -> vec2<f32> {
    return first_direction(segment.p3 - segment.p2, segment.p3 - segment.p1, segment.p3 - segment.p0, map);
}

struct Cubic {
    p0: vec2<f32>,
    p1: vec2<f32>,
    p2: vec2<f32>,
    p3: vec2<f32>,
}

// The control points of a curve as a cubic one.
fn raised(p0: vec2<f32>, p1: vec2<f32>, p2: vec2<f32>, p3: vec2<f32>, n: u32) -> Cubic {
    if n == 4u {
        return Cubic(p0, p1, p2, p3);
    }
    let third = vec2(1.0 / 3.0);
    return Cubic(p0, product2(p0 + 2.0 * p1, third), product2(p3 + 2.0 * p1, third), p3);
}

// The control points of a curve's derivative, up to a factor.
struct Slopes {
    d0: vec2<f32>,
    d1: vec2<f32>,
    d2: vec2<f32>,
}

// Between two points. The weights are exact.
fn mix_of(a: vec2<f32>, b: vec2<f32>, t: f32) -> vec2<f32> {
    return product2(vec2(1.0 - t), a) + product2(vec2(t), b);
}

fn piece_of_cubic(p: Cubic, t0: f32, t1: f32) -> Cubic {
    let from0 = mix_of(p.p0, p.p1, t0);
    let from1 = mix_of(p.p1, p.p2, t0);
    let from2 = mix_of(p.p2, p.p3, t0);
    let to0 = mix_of(p.p0, p.p1, t1);
    let to1 = mix_of(p.p1, p.p2, t1);
    let to2 = mix_of(p.p2, p.p3, t1);
    let from01 = mix_of(from0, from1, t0);
    let from12 = mix_of(from1, from2, t0);
    let to01 = mix_of(to0, to1, t1);
    let to12 = mix_of(to1, to2, t1);
    return Cubic(mix_of(from01, from12, t0), mix_of(from01, from12, t1), mix_of(to01, to12, t0), mix_of(to01, to12, t1));
}

fn piece_of_quadratic(p: Slopes, t0: f32, t1: f32) -> Slopes {
    let from0 = mix_of(p.d0, p.d1, t0);
    let from1 = mix_of(p.d1, p.d2, t0);
    let to0 = mix_of(p.d0, p.d1, t1);
    let to1 = mix_of(p.d1, p.d2, t1);
    return Slopes(mix_of(from0, from1, t0), mix_of(from0, from1, t1), mix_of(to0, to1, t1));
}

// How far the pen reaches at most that goes in some directions, and the least and greatest that it goes along the axes: a monoid.
struct PenRange {
    extent: vec2<f32>,
    least: vec2<f32>,
    greatest: vec2<f32>,
}

// Of one direction, if it is one.
fn pen_range(slope: vec2<f32>, pen: Pen) -> PenRange {
    if all(slope == vec2(0.0)) {
        return PenRange(vec2(0.0), vec2(LARGEST), vec2(-LARGEST));
    }
    let direction = unit(slope);
    let along = pen_along(pen, direction);
    return PenRange(abs(pen_across(pen, direction)), along, along);
}

fn join_ranges(a: PenRange, b: PenRange) -> PenRange {
    return PenRange(max(a.extent, b.extent), min(a.least, b.least), max(a.greatest, b.greatest));
}

fn bound_of_piece(piece: Cubic, range: PenRange, pen: Pen) -> vec4<f32> {
    let turns = (range.least <= vec2(0.0)) & (range.greatest >= vec2(0.0));
    let extent = select(range.extent, pen.reach, turns);
    var bound = with_extent(EMPTY, piece.p0, extent);
    bound = with_extent(bound, piece.p1, extent);
    bound = with_extent(bound, piece.p2, extent);
    return with_extent(bound, piece.p3, extent);
}

// The bounds of what the pen covers along a curve. A piece starts where the one before ends, with the same bits, or where one of
// twice its length did: what is covered there is known.
fn curve_bounds(centre_line: Cubic, slopes: Slopes, pen: Pen) -> vec4<f32> {
    var bounds = EMPTY;
    var start = pen_range(slopes.d0, pen);
    var covered = with_extent(EMPTY, centre_line.p0, start.extent);
    covered = with_extent(covered, centre_line.p3, pen_range(slopes.d2, pen).extent);
    var at = 0u;
    var size = FINEST;
    while at < FINEST {
        let t0 = f32(at) * 0x1p-8f;
        let t1 = f32(at + size) * 0x1p-8f;
        let piece = piece_of_cubic(centre_line, t0, t1);
        let directions = piece_of_quadratic(slopes, t0, t1);
        let end = pen_range(directions.d2, pen);
        let range = join_ranges(join_ranges(start, pen_range(directions.d1, pen)), end);
        let bound = bound_of_piece(piece, range, pen);
        covered = with_extent(covered, piece.p3, end.extent);
        if size == 1u || nearly_contains(covered, bound) {
            bounds = join(bounds, bound);
            start = end;
            at += size;
            // The largest piece that may start here.
            size = 1u << countTrailingZeros(at);
        } else {
            size >>= 1u;
        }
    }
    return bounds;
}

fn with_round(bounds: vec4<f32>, point: vec2<f32>, pen: Pen, is_low: vec2<bool>, is_high: vec2<bool>) -> vec4<f32> {
    let low = select(bounds.xy, min(bounds.xy, point - pen.reach), is_low);
    let high = select(bounds.zw, max(bounds.zw, point + pen.reach), is_high);
    return vec4(low, high);
}

fn with_miter(before: vec4<f32>, point: vec2<f32>, pen: Pen, a: vec2<f32>, b: vec2<f32>, limit: f32) -> vec4<f32> {
    let crossed = product2(a, b.yx);
    let dotted = product2(a, b);
    let sine = crossed.x - crossed.y;
    let cosine = dotted.x + dotted.y;
    var at_least: f32;
    var at_most: f32;
    if cosine >= 0.0 {
        at_least = product(abs(sine), reciprocal(1.0 + cosine));
        at_most = at_least;
    } else {
        at_least = product(1.0 - cosine, reciprocal(abs(sine) + SINE_ERROR));
        at_most = limit;
        if abs(sine) > 2.0 * SINE_ERROR {
            at_most = product(1.0 - cosine, reciprocal(abs(sine) - SINE_ERROR));
        }
    }
    // The length of a miter is the root of 1 and the tangent squared.
    if 1.0 + product(at_least, at_least) > product(product(limit, limit), 1.0 + ERROR) {
        return before;
    }
    let tangent = flushed(min(at_most, limit), TANGENT_DUST);
    let further = product2(pen_along(pen, a), vec2(tangent));
    let across = pen_across(pen, a);
    let margin = (abs(further) + pen.reach) * ERROR;
    var bounds = before;
    // The outer side; both where that is not known.
    if sine <= 2.0 * SINE_ERROR {
        bounds = with_extent(bounds, point + (further + across), margin);
    }
    if sine >= -2.0 * SINE_ERROR {
        bounds = with_extent(bounds, point + (further - across), margin);
    }
    return bounds;
}

fn with_cap(bounds: vec4<f32>, point: vec2<f32>, pen: Pen, outward: vec2<f32>, cap: u32) -> vec4<f32> {
    let along = pen_along(pen, outward);
    if cap == CAP_SQUARE {
        return with_extent(bounds, point + along, abs(pen_across(pen, outward)));
    }
    if cap == CAP_ROUND {
        return with_round(bounds, point, pen, along <= vec2(0.0), along >= vec2(0.0));
    }
    return bounds;
}

fn miter_limit_of(bits: u32) -> f32 {
    let biased = (bits >> 10u) & 31u;
    if biased == 0u {
        return 0.0;
    }
    if biased == 31u {
        return 0x1p24f;
    }
    return bitcast<f32>(((biased + 112u) << 23u) | ((bits & 0x3ffu) << 13u));
}

// The box of a segment of a stroke: of what follows, `is_joined` to the next or `is_capped`. Coordinates are scaled. Unless it
// `is_whole`, only the ends of a curve and what follows it are in the box. Each way it is that of the whole, or the rest of the
// curve is as far: where the ends are flat and have no margin, too, as the rest starts and ends there.
fn stroke_box(segment: Segment, next: Segment, stroke: Stroke, is_whole: bool, map: Map, pen: Pen) -> vec4<f32> {
    let p0 = place(map, segment.p0).point;
    let p3 = place(map, segment.p3).point;
    var largest = max(abs(p0), abs(p3));
    let direction = unit(end_direction(segment, map));
    let extent = abs(pen_across(pen, direction));
    // A direction that hangs on control points which are almost one is not that of all of them: ends are added to curves too.
    var start_extent = extent;
    if segment.n > 2u {
        start_extent = abs(pen_across(pen, unit(start_direction(segment, map))));
    }
    var bounds = with_extent(with_extent(EMPTY, p0, start_extent), p3, extent);
    if stroke.is_capped {
        bounds = with_cap(bounds, p3, pen, direction, (stroke.flags >> 24u) & 3u);
    }
    if stroke.is_joined {
        let next_direction = unit(start_direction(next, map));
        let kind = (stroke.flags >> 28u) & 3u;
        if kind == JOIN_ROUND {
            let before = pen_along(pen, direction);
            let after = pen_along(pen, next_direction);
            let is_low = (before <= vec2(0.0)) & (after >= vec2(0.0));
            bounds = with_round(bounds, p3, pen, is_low, (before >= vec2(0.0)) & (after <= vec2(0.0)));
        }
        if kind == JOIN_MITER {
            bounds = with_miter(bounds, p3, pen, direction, next_direction, miter_limit_of(stroke.flags & 0xffffu));
        }
    }
    if segment.n > 2u {
        let p1 = place(map, segment.p1).point;
        let p2 = place(map, segment.p2).point;
        largest = max(largest, max(abs(p1), abs(p2)));
        if is_whole {
            let own = raised(segment.p0, segment.p1, segment.p2, segment.p3, segment.n);
            let slopes = Slopes(own.p1 - own.p0, own.p2 - own.p1, own.p3 - own.p2);
            bounds = join(bounds, curve_bounds(raised(p0, p1, p2, p3, segment.n), slopes, pen));
        }
    }
    return with_error(bounds, largest, pen);
}

// The box of the cap at the start of a subpath, which its marker has: where it starts, and towards where.
fn start_cap_box(marker: Segment, flags: u32, map: Map, pen: Pen) -> vec4<f32> {
    let start = place(map, marker.p1).point;
    let direction = unit(marker.p3 - marker.p1);
    let bounds = with_extent(EMPTY, start, abs(pen_across(pen, direction)));
    return with_error(with_cap(bounds, start, pen, -direction, (flags >> 26u) & 3u), abs(start), pen);
}
