// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: OffsetCurve, bounds_of_interior, extent_of, interior_of, offset_curve_of

// The extents of a stroke between the ends of a curve (docs/strokes.md, section 3), with the bits
// of boxwood_cpu::paths::twin.

#import aabb
#import arithmetic
#import brush
#import caps_and_joins
#import extent
#import piece
#import segment
#import thresholds

// The legs of the control polygon of a curve as a cubic one: a third of the control vectors of its
// derivative. In the path's space, or along the axes.
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

fn at_end_part(a: f32, b: f32) -> f32 {
    return a + product(b - a, END_PART);
}

// Whether the curvature of the first part of a curve is at most the curvature of the brush. The
// curve starts in this direction (docs/strokes.md, section 3.2).
fn is_gentle(legs: Legs, direction: vec2<f32>, half_width: f32) -> bool {
    let turn_a = crossed(legs.a, legs.b);
    let turn_b = 0.5 * crossed(legs.a, legs.c);
    let turn_c = crossed(legs.b, legs.c);
    let turn_ab = at_end_part(turn_a, turn_b);
    let turn_abc = at_end_part(turn_ab, at_end_part(turn_b, turn_c));
    let turn = max(max(abs(turn_a), abs(turn_ab)), abs(turn_abc));
    let speed_a = dotted(legs.a, direction);
    let speed_b = dotted(legs.b, direction);
    let speed_ab = at_end_part(speed_a, speed_b);
    let speed_abc = at_end_part(speed_ab, at_end_part(speed_b, dotted(legs.c, direction)));
    let speed = min(min(speed_a, speed_ab), speed_abc);
    let cubed = product(product(speed, speed), speed);
    return cubed >= CURVE_EPSILON && product(turn, product(half_width, GENTLE_FACTOR)) <= cubed;
}

// A curve along the axes, and the error of its values.
struct Curve {
    start: vec2<f32>,
    end: vec2<f32>,
    legs: Legs,
    error: vec2<f32>,
}

fn transformed(brush: Brush, leg: vec2<f32>) -> vec2<f32> {
    return product2(brush.x_axis, leg.xx) + product2(brush.y_axis, leg.yy);
}

fn curve_of(brush: Brush, path_legs: Legs, start: vec2<f32>, end: vec2<f32>) -> Curve {
    let legs = Legs(
        transformed(brush, path_legs.a),
        transformed(brush, path_legs.b),
        transformed(brush, path_legs.c),
    );
    let size = abs(legs.a) + abs(legs.b) + abs(legs.c);
    return Curve(start, end, legs, product2(size * CURVE_ERROR, brush.error));
}

fn curve_at(curve: Curve, t: vec2<f32>) -> vec2<f32> {
    let b = curve.legs.b - curve.legs.a;
    let a = (curve.legs.c - curve.legs.b) - b;
    let outer = product2(vec2(3.0), b) + product2(t, a);
    return curve.start + product2(t, product2(vec2(3.0), curve.legs.a) + product2(t, outer));
}

// The extents of points of a curve, and whether they are its extrema.
struct Extrema {
    at: vec4<f32>,
    is_extremum: vec4<bool>,
}

fn signed_reciprocal2(x: vec2<f32>) -> vec2<f32> {
    let inverse = reciprocal2(max(abs(x), vec2(CURVE_EPSILON)));
    return select(inverse, -inverse, x < vec2(0.0));
}

fn is_interior(t: vec2<f32>) -> vec2<bool> {
    return abs(t - 0.5) < vec2(0.5 - PARAMETER_ERROR);
}

// The extrema are at the roots of a t² + 2 b t + legs.a.
fn extrema_of(curve: Curve) -> Extrema {
    let legs = curve.legs;
    let b = legs.b - legs.a;
    let a = (legs.c - legs.b) - b;
    let discriminant = product2(legs.b, legs.b) - product2(legs.a, legs.c);
    let is_real = discriminant > vec2(CURVE_EPSILON);
    let squared = max(discriminant, vec2(CURVE_EPSILON));
    let root = select(vec2(0.0), product2(squared, vec2(inverse_root(squared.x), inverse_root(squared.y))), is_real);
    let is_falling = b < vec2(0.0);
    let q = select(b + root, b - root, is_falling);
    let first = saturate(product2(-q, signed_reciprocal2(a)));
    let second = saturate(product2(-legs.a, signed_reciprocal2(q)));
    let bottom = select(second, first, is_falling);
    let top = select(first, second, is_falling);
    return Extrema(
        vec4(-curve_at(curve, bottom), curve_at(curve, top)),
        vec4(is_real & is_interior(bottom), is_real & is_interior(top)),
    );
}

// The interior of a curve of a stroke.
struct Interior {
    legs: Legs,
    curve: Curve,
    // The error along each axis.
    margin: vec2<f32>,
    extrema: Extrema,
    // Upper bounds of the extents of the curve itself, without its extrema and gentle end parts.
    ceilings: vec4<f32>,
}

// The interior of a curve between placed ends with these directions.
fn interior_of(
    s: Segment,
    brush: Brush,
    start: PlacedPoint,
    end: PlacedPoint,
    leaving: vec2<f32>,
    arriving: vec2<f32>,
) -> Interior {
    var interior: Interior;
    let legs = legs_of(s);
    let curve = curve_of(brush, legs, start.value, end.value);
    interior.legs = legs;
    interior.curve = curve;
    interior.margin = max(start.margin, end.margin) + curve.error;
    interior.extrema = extrema_of(curve);
    // The ends of the part between the gentle parts.
    let is_gentle_start = is_gentle(legs, leaving, brush.half_width);
    let is_gentle_end = is_gentle(Legs(legs.c, legs.b, legs.a), arriving, brush.half_width);
    let first = select(curve.start, curve_at(curve, vec2(END_PART)), is_gentle_start);
    let last = select(curve.end, curve_at(curve, vec2(1.0 - END_PART)), is_gentle_end);
    interior.ceilings = max(extents_of(first), extents_of(last));
    return interior;
}

// Bounds of the extents of an interior: those at its extrema, and those that may exceed them.
fn bounds_of_interior(interior: Interior, brush: Brush) -> ExtentBounds {
    let with_brush = (brush.support + interior.margin).xyxy;
    return ExtentBounds(
        select(vec4(-LARGEST), interior.extrema.at + with_brush, interior.extrema.is_extremum),
        interior.ceilings + with_brush,
    );
}

// The extent of the interior of a curve on one side.
struct OffsetCurve {
    // A bound. -LARGEST if the extent is not greater than the extents of the ends.
    extent: f32,
    // Whether the pieces of the curve give a tighter bound. The other members are for that.
    has_pieces: bool,
    // The extent at the extremum. -LARGEST without one.
    extremum: f32,
    curve: Piece,
    // A lower bound of the extent of the segment, without margin, and the tolerance and the margin
    // of the upper bound.
    known: f32,
    tolerance: f32,
    margin: f32,
    support: f32,
}

// The component of a vector in the outward direction of a side.
fn outward(v: vec2<f32>, side: u32) -> f32 {
    let value = select(v.x, v.y, (side & 1u) != 0u);
    return select(-value, value, (side & 2u) != 0u);
}

// The components of a vector of the path's space along and across the outward direction of a side,
// as the brush has them.
fn tangent_of(brush: Brush, leg: vec2<f32>, side: u32) -> vec2<f32> {
    let beside = across(brush, leg);
    return vec2(outward(along(brush, leg), side), select(beside.x, beside.y, (side & 1u) != 0u));
}

// The control vectors of the derivative. Only their proportions matter, so they are scaled.
fn tangents_of(legs: Legs, brush: Brush, side: u32) -> Tangents {
    let a = tangent_of(brush, legs.a, side);
    let b = tangent_of(brush, legs.b, side);
    let c = tangent_of(brush, legs.c, side);
    let sizes = max(abs(a), max(abs(b), abs(c)));
    let greatest = max(sizes.x, sizes.y);
    var scale = 1.0;
    if greatest >= CURVE_EPSILON {
        scale = power_of_two(-exponent_of(greatest));
    }
    return Tangents(
        flushed2(a * scale, TANGENT_EPSILON),
        flushed2(b * scale, TANGENT_EPSILON),
        flushed2(c * scale, TANGENT_EPSILON),
    );
}

fn offset_curve_of(s: Segment, brush: Brush, side: u32) -> OffsetCurve {
    var offset: OffsetCurve;
    offset.extent = -LARGEST;
    offset.extremum = -LARGEST;
    let leaving = start_direction(s).unit;
    let arriving = end_direction(s).unit;
    let interior = interior_of(s, brush, place(brush, s.p0), place(brush, s.p3), leaving, arriving);
    let is_y = (side & 1u) != 0u;
    offset.margin = select(interior.margin.x, interior.margin.y, is_y);
    offset.support = select(brush.support.x, brush.support.y, is_y);
    let with_brush = offset.support + offset.margin;
    let ceiling = interior.ceilings[side];
    let first = outward(interior.curve.start, side);
    let last = outward(interior.curve.end, side);
    let at_start = abs(outward(across(brush, leaving), side));
    let at_end = abs(outward(across(brush, arriving), side));
    offset.known = max(first + at_start, last + at_end);
    if interior.extrema.is_extremum[side] {
        offset.extremum = interior.extrema.at[side] + with_brush;
        offset.known = max(offset.known, interior.extrema.at[side] + offset.support);
    }
    offset.extent = offset.extremum;
    if ceiling + offset.support <= offset.known {
        return offset;
    }
    let legs = interior.curve.legs;
    offset.curve = Piece(
        vec4(first, first + outward(legs.a, side), last - outward(legs.c, side), last),
        tangents_of(interior.legs, brush, side),
    );
    if is_nowhere_beyond(offset.curve, offset.known + 0.5 * offset.margin, offset.support) {
        return offset;
    }
    offset.extent = max(offset.extremum, ceiling + with_brush);
    offset.tolerance = max(PIECE_TOLERANCE, abs(last - first) * RELATIVE_PIECE_TOLERANCE);
    offset.has_pieces = ceiling + offset.support > offset.known + offset.tolerance;
    return offset;
}

// The extent with the bound by pieces, if it has one.
fn extent_of(offset: OffsetCurve) -> f32 {
    if offset.has_pieces {
        let by_pieces = bound_by_pieces(offset.curve, offset.known, offset.tolerance, offset.support);
        return max(offset.extremum, min(offset.extent, by_pieces + offset.margin));
    }
    return offset.extent;
}
