// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: cap_extents, end_cap_of, end_direction, end_extents, first_direction, join_extents
// provides: start_cap_of, start_direction

// The extents of a stroke where its segments end and meet (docs/strokes.md, section 4), with the
// bits of boxwood_cpu::paths::twin.

#import aabb
#import arithmetic
#import brush
#import segment
#import thresholds

// The fields of a style's flags, as in vello_encoding.
const JOIN_MITER = 1u;
const JOIN_ROUND = 2u;
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

// The f16 in the lower half. Subnormal numbers count as 0; infinity and NaN as MAX_MITER_LIMIT.
fn miter_limit_of(flags: u32) -> f32 {
    let biased = (flags >> 10u) & 31u;
    let limit = bitcast<f32>(((biased + 112u) << 23u) | ((flags & 0x3ffu) << 13u));
    return select(select(limit, MAX_MITER_LIMIT, biased == 31u), 0.0, biased == 0u);
}

// The direction of a segment in the path's space.
struct Direction {
    unit: vec2<f32>,
    // Whether all control points coincide. The direction is then the x axis.
    is_point: bool,
}

// The direction of the first vector that is not close to 0. That of the last one if all are.
fn first_direction(a: vec2<f32>, b: vec2<f32>, c: vec2<f32>) -> Direction {
    var vector = a;
    var squared = dotted(a, a);
    var is_point = false;
    if squared < MIN_TANGENT_SQUARED {
        let of_b = dotted(b, b);
        vector = select(b, c, of_b < MIN_TANGENT_SQUARED);
        squared = dotted(vector, vector);
        is_point = squared < MIN_LENGTH_SQUARED;
        if is_point {
            vector = vec2(1.0, 0.0);
            squared = 1.0;
        }
    }
    return Direction(vector * inverse_root(squared), is_point);
}

// These rely on the repeated points of segments with fewer than four control points.
fn start_direction(s: Segment) -> Direction {
    return first_direction(s.p1 - s.p0, s.p2 - s.p0, s.p3 - s.p0);
}

fn end_direction(s: Segment) -> Direction {
    return first_direction(s.p3 - s.p2, s.p3 - s.p1, s.p3 - s.p0);
}

// The extents of the end of a segment with this direction.
fn end_extents(brush: Brush, point: PlacedPoint, direction: vec2<f32>) -> vec4<f32> {
    return extents_around(point.value, abs(across(brush, direction)) + point.margin);
}

// Components of `along` up to this size have no certain sign.
fn along_epsilon(brush: Brush) -> vec4<f32> {
    return (brush.support * DIRECTION_EPSILON).xyxy;
}

fn cap_extents(brush: Brush, point: PlacedPoint, outward: vec2<f32>, cap: u32) -> vec4<f32> {
    var extents = vec4(-LARGEST);
    if cap == CAP_SQUARE || cap == CAP_ROUND {
        let ahead = along(brush, outward);
        if cap == CAP_SQUARE {
            extents = extents_around(point.value + ahead, abs(across(brush, outward)) + point.margin);
        } else {
            let is_covered = vec4(-ahead, ahead) >= -along_epsilon(brush);
            extents = select(extents, extents_around(point.value, brush.support + point.margin), is_covered);
        }
    }
    return extents;
}

fn join_extents(brush: Brush, point: PlacedPoint, arriving: vec2<f32>, leaving: vec2<f32>) -> vec4<f32> {
    let join = join_of(brush.flags);
    if join == JOIN_MITER {
        return miter_extents(brush, point, arriving, leaving);
    }
    var extents = vec4(-LARGEST);
    if join == JOIN_ROUND {
        // The whole ellipse on each side on which the path turns around.
        let before = along(brush, arriving);
        let after = along(brush, leaving);
        let epsilon = along_epsilon(brush);
        let turns = (vec4(-before, before) >= -epsilon) & (vec4(-after, after) <= epsilon);
        extents = select(extents, extents_around(point.value, brush.support + point.margin), turns);
    }
    return extents;
}

// The extents of the tip of a miter, if it is within its limit or might be.
fn miter_extents(brush: Brush, point: PlacedPoint, a: vec2<f32>, b: vec2<f32>) -> vec4<f32> {
    let sine = crossed(a, b);
    let cosine = dotted(a, b);
    let is_sharp = cosine < -DIRECTION_EPSILON;
    let is_turn_known = abs(sine) >= MIN_TURN_SINE || !is_sharp;
    // The tangent of half the turn, by the formula without cancellation, and its bounds.
    let divisor = select(1.0 + cosine, max(abs(sine), MIN_TURN_SINE), is_sharp);
    let tangent = product(select(abs(sine), 1.0 - cosine, is_sharp), reciprocal(divisor));
    let error = product(tangent, product(tangent, MITER_SQUARE_ERROR) + MITER_ERROR);
    let at_least = tangent - error;
    let limit = miter_limit_of(brush.flags);
    // The square of a miter's length, in line widths, is 1 + tangent².
    let is_long = 1.0 + product(at_least, at_least) > product(product(limit, limit), 1.0 + 2.0 * STROKE_ERROR);
    let at_most = select(limit, min(tangent + error, limit), is_turn_known);
    let further = product2(along(brush, a), vec2(at_most));
    let beside = across(brush, a);
    // A long miter has no tip: its extents are below all others.
    let margin = select(product2(abs(further), brush.error) + point.margin, vec2(-LARGEST), is_long);
    let outer = select(-beside, beside, sine < -DIRECTION_EPSILON);
    let extents = extents_around(point.value + (further + outer), margin);
    if !is_turn_known {
        return max(extents, extents_around(point.value + (further - outer), margin));
    }
    return extents;
}
