//! The extents of a stroke between the ends of a curve (`docs/strokes.md`, section 3).
//!
//! The edges of the stroke are offset curves. One attains its extremum along an axis at an end, at
//! an extremum of the curve itself, or at a cusp, where the radius of curvature is half the line's
//! width. The first two are known at once. [`is_gentle`] excludes cusps near an end, and
//! [`Piece::is_within`] shows that others do not matter, or else they are bounded piece by piece.

use super::arithmetic::{Vec2, cross, dot, exponent, flushed, inverse_root, reciprocal};
use super::brush::{AxisBrush, Extents, NO_EXTENT, Placed};
use super::piece::Piece;
use super::segment::Segment;
use super::thresholds::{
    CURVE_EPSILON, CURVE_ERROR, END_PART, GENTLE_FACTOR, PARAMETER_ERROR, PIECE_TOLERANCE,
    RELATIVE_PIECE_TOLERANCE, TANGENT_EPSILON, power_of_two,
};

/// The legs of the control polygon of a curve as a cubic one, in the path's space: a third of the
/// control vectors of its derivative.
pub(super) fn legs(segment: &Segment) -> [Vec2; 3] {
    let [p0, p1, p2, p3] = segment.points;
    let between = |from: Vec2, to: Vec2, part: f32| [(to[0] - from[0]) * part, (to[1] - from[1]) * part];
    if segment.n == 4 {
        return [between(p0, p1, 1.0), between(p1, p2, 1.0), between(p2, p3, 1.0)];
    }
    [between(p0, p1, 2.0 / 3.0), between(p0, p2, 1.0 / 3.0), between(p1, p2, 2.0 / 3.0)]
}

/// Whether the curvature of the first part of a curve is at most the curvature of the brush. The
/// curve starts in this direction.
///
/// The curvature is |B' × B''| / |B'|³. The product is a quadratic curve with 18 times the control
/// values `turns`, and |B'| is at least 3 times its component `speeds` in the direction.
pub(super) fn is_gentle(legs: [Vec2; 3], direction: Vec2, half_width: f32) -> bool {
    let [a, b, c] = legs;
    let turns = end_part([cross(a, b), 0.5 * cross(a, c), cross(b, c)]);
    let speeds = end_part(legs.map(|leg| dot(leg, direction)));
    let turn = turns[0].abs().max(turns[1].abs()).max(turns[2].abs());
    let speed = speeds[0].min(speeds[1]).min(speeds[2]);
    let cubed = speed * speed * speed;
    cubed >= CURVE_EPSILON && turn * (half_width * GENTLE_FACTOR) <= cubed
}

/// The control values of the part of a quadratic curve at the start.
fn end_part([a, b, c]: [f32; 3]) -> [f32; 3] {
    let mix = |a: f32, b: f32| a + (b - a) * END_PART;
    let (ab, bc) = (mix(a, b), mix(b, c));
    [a, ab, mix(ab, bc)]
}

/// A curve along an axis.
pub(super) struct Curve {
    ends: [f32; 2],
    legs: [f32; 3],
    /// The error of its values.
    margin: f32,
}

/// A curve in one direction along an axis.
struct DirectedCurve {
    start: f32,
    end: f32,
    legs: [f32; 3],
    /// The largest value between the ends, if the curve turns around there.
    extremum: Option<f32>,
}

impl Curve {
    /// The curve with these legs between placed ends.
    pub(super) fn new(path_legs: [Vec2; 3], ends: [Placed; 2], axis: &AxisBrush) -> Self {
        let legs = path_legs.map(|leg| axis.transformed(leg));
        let size = legs[0].abs() + legs[1].abs() + legs[2].abs();
        let margin = ends[0].margin.max(ends[1].margin) + axis.error_of(size * CURVE_ERROR);
        Self { ends: ends.map(|end| end.value), legs, margin }
    }

    /// The extents of the stroke between the ends of the curve. None where they do not exceed those
    /// of the ends, which have these directions.
    pub(super) fn extents(
        &self,
        path_legs: [Vec2; 3],
        directions: [Vec2; 2],
        is_gentle: [bool; 2],
        axis: &AxisBrush,
    ) -> Extents {
        let [down, up] = self.directed();
        let at_ends = directions.map(|direction| axis.across(direction).abs());
        let tangents = path_legs.map(|leg| [axis.along(leg), axis.across(leg)]);
        let turned = tangents.map(|[along, across]| [-along, across]);
        Extents {
            down: down.extent(at_ends, turned, is_gentle, self.margin, axis.support),
            up: up.extent(at_ends, tangents, is_gentle, self.margin, axis.support),
        }
    }

    /// The curve down and up its axis.
    ///
    /// Its extrema are at the roots of a t² + 2 b t + d₀. Of the two formulas for a root, each is
    /// used where it does not cancel.
    fn directed(&self) -> [DirectedCurve; 2] {
        let [d0, d1, d2] = self.legs;
        let b = d1 - d0;
        let a = (d2 - d1) - b;
        let discriminant = d1 * d1 - d0 * d2;
        let is_real = discriminant > CURVE_EPSILON;
        let root = if is_real { discriminant * inverse_root(discriminant) } else { 0.0 };
        let is_falling = b < 0.0;
        let q = if is_falling { b - root } else { b + root };
        let first = (-q * signed_reciprocal(a)).clamp(0.0, 1.0);
        let second = (-d0 * signed_reciprocal(q)).clamp(0.0, 1.0);
        let (bottom, top) = if is_falling { (first, second) } else { (second, first) };
        let [start, end] = self.ends;
        let value = |t: f32| value_of(start, self.legs, t);
        let is_extremum = |t: f32| is_real && (t - 0.5).abs() < 0.5 - PARAMETER_ERROR;
        let directed = |sign: f32, t: f32| DirectedCurve {
            start: sign * start,
            end: sign * end,
            legs: self.legs.map(|leg| sign * leg),
            extremum: is_extremum(t).then(|| sign * value(t)),
        };
        [directed(-1.0, bottom), directed(1.0, top)]
    }
}

/// A curve at a parameter.
fn value_of(start: f32, [d0, d1, d2]: [f32; 3], t: f32) -> f32 {
    let b = d1 - d0;
    let a = (d2 - d1) - b;
    start + t * (3.0 * d0 + t * (3.0 * b + t * a))
}

fn signed_reciprocal(x: f32) -> f32 {
    let inverse = reciprocal(x.abs().max(CURVE_EPSILON));
    // The same for both zeros.
    if x < 0.0 { -inverse } else { inverse }
}

impl DirectedCurve {
    /// The extent of the stroke between the ends, where the brush has the extents `at_ends`.
    fn extent(
        &self,
        at_ends: [f32; 2],
        tangents: [Vec2; 3],
        is_gentle: [bool; 2],
        margin: f32,
        support: f32,
    ) -> f32 {
        let of_extremum = self.extremum.map_or(NO_EXTENT, |extremum| extremum + (support + margin));
        let ceiling = self.ceiling(is_gentle);
        let mut known = (self.start + at_ends[0]).max(self.end + at_ends[1]);
        if let Some(extremum) = self.extremum {
            known = known.max(extremum + support);
        }
        if ceiling + support <= known {
            return of_extremum;
        }
        let [d0, _, d2] = self.legs;
        let values = [self.start, self.start + d0, self.end - d2, self.end];
        let curve = Piece { values, tangents: scaled(tangents) };
        if curve.is_nowhere_beyond(known + 0.5 * margin, support) {
            return of_extremum;
        }
        let tolerance = PIECE_TOLERANCE.max((self.end - self.start).abs() * RELATIVE_PIECE_TOLERANCE);
        let mut between = ceiling + (support + margin);
        if ceiling + support > known + tolerance {
            between = between.min(curve.bound_by_pieces(known, tolerance, support) + margin);
        }
        of_extremum.max(between)
    }

    /// An upper bound of the curve itself, without its extremum and gentle end parts. The larger of
    /// two ends, since a curve without an extremum exceeds neither.
    fn ceiling(&self, is_gentle: [bool; 2]) -> f32 {
        let at = |t: f32| value_of(self.start, self.legs, t);
        let first = if is_gentle[0] { at(END_PART) } else { self.start };
        let last = if is_gentle[1] { at(1.0 - END_PART) } else { self.end };
        first.max(last)
    }
}

/// The control vectors of the derivative, as components along and across the axis. Only their
/// proportions matter, so they are scaled.
fn scaled(tangents: [Vec2; 3]) -> [Vec2; 3] {
    let greatest = tangents.iter().flatten().fold(0.0_f32, |m, c| m.max(c.abs()));
    let k = if greatest < CURVE_EPSILON { 0 } else { exponent(greatest) };
    tangents.map(|tangent| tangent.map(|c| flushed(c * power_of_two(-k), TANGENT_EPSILON)))
}
