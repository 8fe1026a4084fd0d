// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: cap_reaches, end_cap_of, end_direction, end_reaches, first_direction, join_reaches
// provides: squared_length, start_cap_of, start_direction

// How far a stroke goes each way where its segments end, exactly as the specification has it; boxwood_cpu has the reasons.

#import aabb
#import arithmetic
#import pen
#import segment

const CLOSE = 0x1p-40f;
const NOTHING = 0x1p-80f;
const SQUARED_TANGENT_ERROR = 0x1p-22f;
const TANGENT_ERROR = 0x1p-18f;
const LEAST_SINE = 0x1p-19f;
const DIRECTION_DUST = 0x1p-40f;

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

fn miter_limit_of(flags: u32) -> f32 {
    let biased = (flags >> 10u) & 31u;
    let limit = bitcast<f32>(((biased + 112u) << 23u) | ((flags & 0x3ffu) << 13u));
    return select(select(limit, 0x1p24f, biased == 31u), 0.0, biased == 0u);
}

// Where a segment leads, in the path's space.
struct Direction {
    unit: vec2<f32>,
    // Whether there is none, as all control points are one.
    is_nowhere: bool,
}

// That of the first of some vectors that is not almost nothing, else of the last; of nothing at all that of x.
fn first_direction(a: vec2<f32>, b: vec2<f32>, c: vec2<f32>) -> Direction {
    var vector = a;
    var squared = squared_length(a);
    var is_nowhere = false;
    if squared < CLOSE {
        let of_b = squared_length(b);
        vector = select(b, c, of_b < CLOSE);
        squared = squared_length(vector);
        is_nowhere = squared < NOTHING;
        if is_nowhere {
            vector = vec2(1.0, 0.0);
            squared = 1.0;
        }
    }
    return Direction(vector * inverse_root(squared), is_nowhere);
}

fn squared_length(v: vec2<f32>) -> f32 {
    let squares = product2(v, v);
    return squares.x + squares.y;
}

// Segments of 3 control points have the last in p3 too, and p1 in p2; those of 2 the last in p1 and p3, and either in p2.
fn start_direction(s: Segment) -> Direction {
    return first_direction(s.p1 - s.p0, s.p2 - s.p0, s.p3 - s.p0);
}

fn end_direction(s: Segment) -> Direction {
    return first_direction(s.p3 - s.p2, s.p3 - s.p1, s.p3 - s.p0);
}

// Where a line ends: at a point, with this direction there.
fn end_reaches(ink: StrokeInk, point: PlacedPoint, direction: vec2<f32>) -> vec4<f32> {
    return reach_around(point.value, abs(pen_across(ink, direction)) + point.margin);
}

// How far the pen goes along what is no direction, each way.
fn along_nothing(ink: StrokeInk) -> vec4<f32> {
    return (ink.reach * DIRECTION_DUST).xyxy;
}

fn cap_reaches(ink: StrokeInk, point: PlacedPoint, outward: vec2<f32>, cap: u32) -> vec4<f32> {
    var reaches = vec4(-LARGEST);
    if cap == CAP_SQUARE || cap == CAP_ROUND {
        let along = pen_along(ink, outward);
        if cap == CAP_SQUARE {
            reaches = reach_around(point.value + along, abs(pen_across(ink, outward)) + point.margin);
        } else {
            let is_covered = vec4(-along, along) >= -along_nothing(ink);
            reaches = select(reaches, reach_around(point.value, ink.reach + point.margin), is_covered);
        }
    }
    return reaches;
}

fn join_reaches(ink: StrokeInk, point: PlacedPoint, arriving: vec2<f32>, leaving: vec2<f32>) -> vec4<f32> {
    let join = join_of(ink.flags);
    if join == JOIN_MITER {
        return miter_reaches(ink, point, arriving, leaving);
    }
    var reaches = vec4(-LARGEST);
    if join == JOIN_ROUND {
        // The disc, where the path turns around.
        let before = pen_along(ink, arriving);
        let after = pen_along(ink, leaving);
        let nothing = along_nothing(ink);
        let turns = (vec4(-before, before) >= -nothing) & (vec4(-after, after) <= nothing);
        reaches = select(reaches, reach_around(point.value, ink.reach + point.margin), turns);
    }
    return reaches;
}

// The tip of a miter that is within its limit, or might be.
fn miter_reaches(ink: StrokeInk, point: PlacedPoint, a: vec2<f32>, b: vec2<f32>) -> vec4<f32> {
    let crossed = product2(a, b.yx);
    let dotted = product2(a, b);
    let sine = crossed.x - crossed.y;
    let cosine = dotted.x + dotted.y;
    let is_sharp = cosine < -DIRECTION_DUST;
    let is_side_known = abs(sine) >= LEAST_SINE || !is_sharp;
    let divisor = select(1.0 + cosine, max(abs(sine), LEAST_SINE), is_sharp);
    let tangent = product(select(abs(sine), 1.0 - cosine, is_sharp), reciprocal(divisor));
    let doubt = product(tangent, product(tangent, SQUARED_TANGENT_ERROR) + TANGENT_ERROR);
    let at_least = tangent - doubt;
    let limit = miter_limit_of(ink.flags);
    // The length of a miter is the root of 1 and the tangent squared.
    let is_long = 1.0 + product(at_least, at_least) > product(product(limit, limit), 1.0 + 2.0 * ERROR);
    let at_most = select(limit, min(tangent + doubt, limit), is_side_known);
    let further = product2(pen_along(ink, a), vec2(at_most));
    let across = pen_across(ink, a);
    // Beside this, nothing else counts.
    let margin = select(product2(abs(further), ink.error) + point.margin, vec2(-LARGEST), is_long);
    let outer = select(-across, across, sine < -DIRECTION_DUST);
    let reaches = reach_around(point.value + (further + outer), margin);
    if !is_side_known {
        return max(reaches, reach_around(point.value + (further - outer), margin));
    }
    return reaches;
}
