// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense

// How far a stroke goes each way where its segments end, exactly as the specification has it; boxwood_cpu has the reasons.

const ERROR = 0x1p-20f;
const SINE_ERROR = 0x1p-22f;
const LG_CLOSE = -20;
const LG_NOTHING = -60;
const DUST = 0x1p-40f;
const PEN_DUST = 0x1p-60f;
const TANGENT_DUST = 0x1p-20f;

const JOIN_MITER = 1u;
const JOIN_ROUND = 2u;
const CAP_BUTT = 0u;
const CAP_SQUARE = 1u;
const CAP_ROUND = 2u;

fn join_of(flags: u32) -> u32 {
    return (flags >> 28u) & 3u;
}

fn start_cap_of(flags: u32) -> u32 {
    return (flags >> 26u) & 3u;
}

fn end_cap_of(flags: u32) -> u32 {
    return (flags >> 24u) & 3u;
}

fn miter_limit_of(flags: u32) -> f32 {
    let biased = (flags >> 10u) & 31u;
    if biased == 0u {
        return 0.0;
    }
    if biased == 31u {
        return 0x1p24f;
    }
    return bitcast<f32>(((biased + 112u) << 23u) | ((flags & 0x3ffu) << 13u));
}

// x to the power of -1/2 for a positive normal number.
fn inverse_root(x: f32) -> f32 {
    var y = bitcast<f32>(0x5f375a86u - (bitcast<u32>(x) >> 1u));
    let half = 0.5 * x;
    y = y * (1.5 - product(half, y * y));
    y = y * (1.5 - product(half, y * y));
    return y * (1.5 - product(half, y * y));
}

fn reciprocal(x: f32) -> f32 {
    let y = inverse_root(x);
    return y * y;
}

// A vector as one whose greatest component is at least 1 and below 2, times 2 to the power of `exponent`.
struct Scaled {
    vector: vec2<f32>,
    exponent: i32,
    // The inverse of the vector's length; 0 where the vector is 0.
    inverse_length: f32,
    squared_length: f32,
}

fn scaled_vector(v: vec2<f32>) -> Scaled {
    let greatest = max(abs(v.x), abs(v.y));
    if greatest == 0.0 {
        return Scaled(vec2(0.0), 0, 0.0, 0.0);
    }
    let k = exponent_of(greatest);
    let c = flushed2(v * power_of_two(-k), DUST);
    let squares = product2(c, c);
    let squared = squares.x + squares.y;
    return Scaled(c, k, inverse_root(squared), squared);
}

fn length_of(v: vec2<f32>) -> f32 {
    let c = scaled_vector(v);
    return product(c.squared_length, c.inverse_length) * power_of_two(c.exponent);
}

fn unit(v: vec2<f32>) -> vec2<f32> {
    let c = scaled_vector(v);
    if c.inverse_length == 0.0 {
        return vec2(1.0, 0.0);
    }
    return c.vector * c.inverse_length;
}

// The pen in device space, but for its translation.
struct Pen {
    // What half a line's width along each axis of the path's space becomes.
    x_axis: vec2<f32>,
    y_axis: vec2<f32>,
    // How far it reaches along the axes, whatever its direction.
    reach: vec2<f32>,
}

// Of a line's width, by its bits.
fn pen_of(matrix: vec4<f32>, width: u32) -> Pen {
    let k = exponent_for(magnitude(width));
    let half_width = vec2(0.5 * abs(scaled_by(k, vec2(bitcast<f32>(width))).x));
    let axes = scaled_matrix(matrix, k);
    let x_axis = flushed2(product2(axes.xy, half_width), PEN_DUST);
    let y_axis = flushed2(product2(axes.zw, half_width), PEN_DUST);
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

// Reaches with the error of what is computed beside a point.
fn with_errors(pen: Pen, reaches: vec4<f32>, point: vec2<f32>) -> vec4<f32> {
    let further = reaches + ((abs(point) + 4.0 * pen.reach) * ERROR).xyxy;
    return select(further, vec4(LEAST), abs(further) < vec4(LEAST));
}

// Where a segment leads, in the path's space.
struct Direction {
    unit: vec2<f32>,
    // Whether there is none, as all control points are one.
    is_nowhere: bool,
}

fn greatest_of(v: vec2<f32>) -> f32 {
    return max(abs(v.x), abs(v.y));
}

// What counts as a length, divided by 2 to the power of `exponent`.
fn scaled_length(lg_length: i32, exponent: i32) -> f32 {
    return power_of_two(clamp(lg_length - exponent, LG_NOTHING, 127));
}

// That of the first of some vectors, divided by 2 to the power of `exponent`, that is not almost nothing, else of the last.
fn first_direction(a: vec2<f32>, b: vec2<f32>, c: vec2<f32>, exponent: i32) -> Direction {
    let close = scaled_length(LG_CLOSE, exponent);
    return direction_of(select(select(c, b, greatest_of(b) > close), a, greatest_of(a) > close), exponent);
}

fn direction_of(v: vec2<f32>, exponent: i32) -> Direction {
    let is_nowhere = greatest_of(v) < scaled_length(LG_NOTHING, exponent);
    return Direction(unit(select(v, vec2(0.0), is_nowhere)), is_nowhere);
}

// Segments of 3 control points have the last in p3 too, and those of 2.
fn start_direction(segment: Segment) -> Direction {
    let k = exponent_for(segment.greatest);
    let s = power_of_two(-k);
    let p0 = segment.p0 * s;
    return first_direction(segment.p1 * s - p0, segment.p2 * s - p0, segment.p3 * s - p0, k);
}

fn end_direction(segment: Segment) -> Direction {
    let k = exponent_for(segment.greatest);
    let s = power_of_two(-k);
    let p3 = segment.p3 * s;
    return first_direction(p3 - segment.p2 * s, p3 - segment.p1 * s, p3 - segment.p0 * s, k);
}

// How far a segment reaches where it starts or ends: at a point, with this direction there.
fn end_reaches(pen: Pen, point: vec2<f32>, direction: Direction) -> vec4<f32> {
    let extent = abs(pen_across(pen, direction.unit));
    let at = reach_along(point);
    let is_point = (pen.reach == vec2(0.0)) | (vec2(direction.is_nowhere) & (extent == vec2(0.0)));
    return select(with_errors(pen, at + extent.xyxy, point), at, is_point.xyxy);
}

// What a join or a cap reaches, with the error of that; where there is none, less than any end.
fn reaches_beyond(pen: Pen, reaches: vec4<f32>, point: vec2<f32>) -> vec4<f32> {
    return select(with_errors(pen, reaches, point), vec4(-LARGEST), (pen.reach == vec2(0.0)).xyxy);
}

// How far a cap reaches, but for errors, -LARGEST where there is none.
fn cap_reaches(pen: Pen, point: vec2<f32>, outward: vec2<f32>, cap: u32) -> vec4<f32> {
    var reaches = vec4(-LARGEST);
    if cap != CAP_BUTT {
        let at = reach_along(point);
        let along = reach_along(pen_along(pen, outward));
        if cap == CAP_ROUND {
            reaches = select(reaches, at + pen.reach.xyxy, along >= vec4(0.0));
        }
        if cap == CAP_SQUARE {
            reaches = at + along + abs(pen_across(pen, outward)).xyxy;
        }
    }
    return reaches;
}

// The same of a join.
fn join_reaches(pen: Pen, point: vec2<f32>, arriving: vec2<f32>, leaving: vec2<f32>, flags: u32) -> vec4<f32> {
    let join = join_of(flags);
    let at = reach_along(point);
    let along = reach_along(pen_along(pen, arriving));
    var reaches = vec4(-LARGEST);
    if join == JOIN_ROUND {
        // The disc, where the path turns around.
        let turns = (along >= vec4(0.0)) & (reach_along(pen_along(pen, leaving)) <= vec4(0.0));
        reaches = select(reaches, at + pen.reach.xyxy, turns);
    }
    if join == JOIN_MITER {
        let limit = miter_limit_of(flags);
        let miter = miter_of(arriving, leaving, limit);
        if miter.is_within {
            let further = product4(along, vec4(miter.tangent));
            let right = pen_across(pen, arriving);
            var outer = reach_along(select(-right, right, miter.is_right));
            if miter.is_right && miter.is_left {
                outer = abs(outer);
            }
            let margin = (abs(further) + pen.reach.xyxy) * ERROR;
            reaches = at + (further + outer) + margin;
        }
    }
    return reaches;
}

struct Miter {
    is_within: bool,
    // How far the tip is along the path, in half widths of the line.
    tangent: f32,
    // On which side; both where that is not known.
    is_right: bool,
    is_left: bool,
}

// The tip of a miter that is within its limit, or might be.
fn miter_of(a: vec2<f32>, b: vec2<f32>, limit: f32) -> Miter {
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
    return Miter(
        // The length of a miter is the root of 1 and the tangent squared.
        1.0 + product(at_least, at_least) <= product(product(limit, limit), 1.0 + ERROR),
        flushed(min(at_most, limit), TANGENT_DUST),
        sine <= 2.0 * SINE_ERROR,
        sine >= -2.0 * SINE_ERROR,
    );
}
