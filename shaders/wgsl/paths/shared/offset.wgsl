// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: Offset, bounds_of_inside, offset_of, reach_of_offset

// How far what a pen covers along a curve reaches, exactly as the specification has it; boxwood_cpu has the reasons.

#import aabb
#import arithmetic
#import pen
#import piece
#import reach
#import segment
#import stroke

const TOLERANCE = 0.4375;
const RELATIVE_TOLERANCE = 0x1p-7f;
const CURVE_ERROR = 8.0;
const PARAMETER_ERROR = 0x1p-16f;
const DUST = 0x1p-60f;
const END_PART = 0.125;
const REST = 0.875;
const BEND = 0.6675;

// The legs of the control polygon of a curve as a cubic one, in the path's space or along the axes.
struct Legs {
    a: vec2<f32>,
    b: vec2<f32>,
    c: vec2<f32>,
}

fn legs_of(s: Segment) -> Legs {
    if s.n == 4u {
        return Legs(s.p1 - s.p0, s.p2 - s.p1, s.p3 - s.p2);
    }
    return Legs((s.p1 - s.p0) * (2.0 / 3.0), (s.p3 - s.p0) * (1.0 / 3.0), (s.p3 - s.p1) * (2.0 / 3.0));
}

fn crossed(a: vec2<f32>, b: vec2<f32>) -> f32 {
    let products = product2(a, b.yx);
    return products.x - products.y;
}

fn ahead(leg: vec2<f32>, direction: vec2<f32>) -> f32 {
    let products = product2(leg, direction);
    return products.x + products.y;
}

fn end_part(a: f32, b: f32) -> f32 {
    return a + product(b - a, END_PART);
}

// Whether a curve, in its part at the start, where it leads in a direction, bends less than the edge of a line so wide.
fn is_gentle(legs: Legs, direction: vec2<f32>, half_width: f32) -> bool {
    let turn_a = crossed(legs.a, legs.b);
    let turn_b = 0.5 * crossed(legs.a, legs.c);
    let turn_c = crossed(legs.b, legs.c);
    let turn_ab = end_part(turn_a, turn_b);
    let turn = max(max(abs(turn_a), abs(turn_ab)), abs(end_part(turn_ab, end_part(turn_b, turn_c))));
    let slope_a = ahead(legs.a, direction);
    let slope_b = ahead(legs.b, direction);
    let slope_ab = end_part(slope_a, slope_b);
    let slope = min(min(slope_a, slope_ab), end_part(slope_ab, end_part(slope_b, ahead(legs.c, direction))));
    let cubed = product(product(slope, slope), slope);
    return cubed >= DUST && product(turn, product(half_width, BEND)) <= cubed;
}

// A curve along the axes: its ends, its legs, and the error of what is computed of it.
struct Curve {
    start: vec2<f32>,
    end: vec2<f32>,
    legs: Legs,
    error: vec2<f32>,
}

fn turned_leg(ink: StrokeInk, leg: vec2<f32>) -> vec2<f32> {
    return product2(ink.x_axis, leg.xx) + product2(ink.y_axis, leg.yy);
}

fn curve_of(ink: StrokeInk, legs: Legs, start: vec2<f32>, end: vec2<f32>) -> Curve {
    let turned = Legs(turned_leg(ink, legs.a), turned_leg(ink, legs.b), turned_leg(ink, legs.c));
    let size = abs(turned.a) + abs(turned.b) + abs(turned.c);
    return Curve(start, end, turned, product2(size * CURVE_ERROR, ink.error));
}

// Where a curve turns back each way, or a point of it, and whether it turns back there.
struct Crests {
    at: vec4<f32>,
    is_crest: vec4<bool>,
}

fn signed_reciprocal2(x: vec2<f32>) -> vec2<f32> {
    let inverse = reciprocal2(max(abs(x), vec2(DUST)));
    return select(inverse, -inverse, x < vec2(0.0));
}

fn curve_at(curve: Curve, t: vec2<f32>) -> vec2<f32> {
    let b = curve.legs.b - curve.legs.a;
    let a = (curve.legs.c - curve.legs.b) - b;
    let outer = product2(vec2(3.0), b) + product2(t, a);
    return curve.start + product2(t, product2(vec2(3.0), curve.legs.a) + product2(t, outer));
}

// At the roots of d0 + 2 b t + a t².
fn crests_of_curve(curve: Curve) -> Crests {
    let legs = curve.legs;
    let b = legs.b - legs.a;
    let a = (legs.c - legs.b) - b;
    let discriminant = product2(legs.b, legs.b) - product2(legs.a, legs.c);
    let is_real = discriminant > vec2(DUST);
    let squared = max(discriminant, vec2(DUST));
    let root = select(vec2(0.0), product2(squared, vec2(inverse_root(squared.x), inverse_root(squared.y))), is_real);
    let is_falling = b < vec2(0.0);
    let q = select(b + root, b - root, is_falling);
    let first = saturate(product2(-q, signed_reciprocal2(a)));
    let second = saturate(product2(-legs.a, signed_reciprocal2(q)));
    let bottom = select(second, first, is_falling);
    let top = select(first, second, is_falling);
    let is_bottom = is_real & (abs(bottom - 0.5) < vec2(0.5 - PARAMETER_ERROR));
    let is_top = is_real & (abs(top - 0.5) < vec2(0.5 - PARAMETER_ERROR));
    return Crests(
        vec4(-curve_at(curve, bottom), curve_at(curve, top)),
        vec4(is_bottom, is_top),
    );
}

// What a curve itself stays below each way, but for where it turns back and but for gentle parts at its ends.
fn ceilings_of(curve: Curve, is_gentle_start: bool, is_gentle_end: bool) -> vec4<f32> {
    let first = select(curve.start, curve_at(curve, vec2(END_PART)), is_gentle_start);
    let last = select(curve.end, curve_at(curve, vec2(REST)), is_gentle_end);
    return max(reach_along(first), reach_along(last));
}

// How far what the pen covers along a curve goes each way between its ends, where it leads in these directions: as far as where it
// turns back, and at most as far as it may elsewhere, if that is further.
fn bounds_of_inside(
    s: Segment,
    ink: StrokeInk,
    start: PlacedPoint,
    end: PlacedPoint,
    leaving: vec2<f32>,
    arriving: vec2<f32>,
) -> ReachBounds {
    let legs = legs_of(s);
    let curve = curve_of(ink, legs, start.value, end.value);
    let with_pen = (ink.reach + (max(start.margin, end.margin) + curve.error)).xyxy;
    let crests = crests_of_curve(curve);
    let ceilings = ceilings_of(
        curve,
        is_gentle(legs, leaving, ink.half_width),
        is_gentle(Legs(legs.c, legs.b, legs.a), arriving, ink.half_width),
    );
    return ReachBounds(select(vec4(-LARGEST), crests.at + with_pen, crests.is_crest), ceilings + with_pen);
}

// How far what the pen covers along a curve goes one way between its ends; -LARGEST where that is no further than there.
struct Offset {
    reach: f32,
    // Whether the pieces of the curve tell more; and of them, how far they are known to go, but for the error, and how much looser
    // they may be. `crest` is how far it goes where it turns back.
    has_pieces: bool,
    crest: f32,
    curve: Piece,
    known: f32,
    tolerance: f32,
    margin: f32,
    pen_reach: f32,
}

// Something along the axes as it is one way, up or, with the sign turned, down.
fn along_way(v: vec2<f32>, way: u32) -> f32 {
    let value = select(v.x, v.y, (way & 1u) != 0u);
    return select(-value, value, (way & 2u) != 0u);
}

fn turn_of(ink: StrokeInk, leg: vec2<f32>, way: u32) -> vec2<f32> {
    let across = pen_across(ink, leg);
    return vec2(along_way(pen_along(ink, leg), way), select(across.x, across.y, (way & 1u) != 0u));
}

// How far the pen reaches along and across the legs of a curve; only the proportions count.
fn turns_of(legs: Legs, ink: StrokeInk, way: u32) -> Turns {
    let turns = Turns(turn_of(ink, legs.a, way), turn_of(ink, legs.b, way), turn_of(ink, legs.c, way));
    let sizes = max(abs(turns.t0), max(abs(turns.t1), abs(turns.t2)));
    let greatest = max(sizes.x, sizes.y);
    var scale = 1.0;
    if greatest >= DUST {
        scale = power_of_two(-exponent_of(greatest));
    }
    return Turns(
        flushed2(turns.t0 * scale, TURN_DUST),
        flushed2(turns.t1 * scale, TURN_DUST),
        flushed2(turns.t2 * scale, TURN_DUST),
    );
}

fn offset_of(s: Segment, ink: StrokeInk, way: u32) -> Offset {
    var offset: Offset;
    offset.reach = -LARGEST;
    offset.crest = -LARGEST;
    let leaving = start_direction(s).unit;
    let arriving = end_direction(s).unit;
    let is_y = (way & 1u) != 0u;
    let legs = legs_of(s);
    let start = placed_point_of(ink, s.p0);
    let end = placed_point_of(ink, s.p3);
    let curve = curve_of(ink, legs, start.value, end.value);
    let margins = max(start.margin, end.margin) + curve.error;
    offset.margin = select(margins.x, margins.y, is_y);
    offset.pen_reach = select(ink.reach.x, ink.reach.y, is_y);
    let with_pen = offset.pen_reach + offset.margin;
    let crests = crests_of_curve(curve);
    let ceilings = ceilings_of(
        curve,
        is_gentle(legs, leaving, ink.half_width),
        is_gentle(Legs(legs.c, legs.b, legs.a), arriving, ink.half_width),
    );
    let ceiling = ceilings[way];
    let first = along_way(curve.start, way);
    let last = along_way(curve.end, way);
    let start_extent = abs(along_way(pen_across(ink, leaving), way));
    let end_extent = abs(along_way(pen_across(ink, arriving), way));
    offset.known = max(first + start_extent, last + end_extent);
    if crests.is_crest[way] {
        offset.crest = crests.at[way] + with_pen;
        offset.known = max(offset.known, crests.at[way] + offset.pen_reach);
    }
    offset.reach = offset.crest;
    if ceiling + offset.pen_reach <= offset.known {
        return offset;
    }
    offset.curve = Piece(
        vec4(first, first + along_way(curve.legs.a, way), last - along_way(curve.legs.c, way), last),
        turns_of(legs, ink, way),
    );
    if is_nowhere_beyond(offset.curve, offset.known + 0.5 * offset.margin, offset.pen_reach) {
        return offset;
    }
    offset.reach = max(offset.crest, ceiling + with_pen);
    offset.tolerance = max(TOLERANCE, abs(last - first) * RELATIVE_TOLERANCE);
    offset.has_pieces = ceiling + offset.pen_reach > offset.known + offset.tolerance;
    return offset;
}

// The same with what its pieces tell.
fn reach_of_offset(offset: Offset) -> f32 {
    if offset.has_pieces {
        let of_pieces = bound_of_pieces(offset.curve, offset.known, offset.tolerance, offset.pen_reach);
        return max(offset.crest, min(offset.reach, of_pieces + offset.margin));
    }
    return offset.reach;
}
