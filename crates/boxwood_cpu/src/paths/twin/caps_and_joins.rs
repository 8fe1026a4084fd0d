//! The boxes of segments of strokes, with their caps and joins (`docs/strokes.md`, sections 3 and
//! 4).

use super::arithmetic::{Vec2, cross, dot, reciprocal};
use super::brush::{AxisBrush, Brush, Extents, Placed};
use super::direction::Direction;
use super::offset_curve::{Curve, is_gentle, legs};
use super::segment::Segment;
use super::style::{Cap, Join};
use super::thresholds::{DIRECTION_EPSILON, MIN_TURN_SINE, MITER_ERROR, MITER_SQUARE_ERROR, STROKE_ERROR};
use crate::core::Aabb;

/// The successor of a segment of a stroke.
pub(super) enum Next {
    /// Another segment that starts in this direction.
    Join(Direction, Join),
    /// The end of the subpath.
    Cap(Cap),
    /// Nothing that could be drawn.
    Nothing,
}

/// The box of a segment of a stroke, with the join or the cap after it.
pub(super) fn stroke_box(segment: &Segment, next: &Next, brush: &Brush) -> Aabb {
    let n = segment.n;
    let directions = [Direction::at_start(segment), Direction::at_end(segment)];
    let legs = legs(segment);
    let [a, b, c] = legs;
    let is_point = directions.iter().all(|direction| direction.is_point);
    let units @ [leaving, arriving] = directions.map(|direction| direction.unit);
    let is_gentle =
        [is_gentle(legs, leaving, brush.half_width), is_gentle([c, b, a], arriving, brush.half_width)];
    brush.box_of(|axis| {
        let ends @ [start, end] = [axis.place(segment.points[0]), axis.place(segment.points[n - 1])];
        let mut extents = Extents::NONE;
        if !is_point {
            extents = end_extents(start, leaving, axis).max(end_extents(end, arriving, axis));
            if n > 2 {
                let curve = Curve::new(legs, ends, axis);
                extents = extents.max(curve.extents(legs, units, is_gentle, axis));
            }
        }
        let beyond = match next {
            Next::Join(next, join) => join_extents(end, arriving, next.unit, *join, axis),
            Next::Cap(cap) => cap_extents(end, arriving, *cap, axis),
            Next::Nothing => Extents::NONE,
        };
        extents.max(beyond)
    })
}

/// The box of the cap at the start of an open subpath, given its marker: a quadratic curve from the
/// end of the subpath, by its start, to the first point after that.
pub(super) fn start_cap_box(marker: &Segment, cap: Cap, brush: &Brush) -> Aabb {
    let [_, start, towards, _] = marker.points;
    let direction = Direction::between(start, towards);
    brush.box_of(|axis| {
        let start = axis.place(start);
        let of_cap = cap_extents(start, direction.unit.map(|c| -c), cap, axis);
        if direction.is_point { of_cap } else { end_extents(start, direction.unit, axis).max(of_cap) }
    })
}

/// The extents of the end of a segment with this direction.
fn end_extents(point: Placed, direction: Vec2, axis: &AxisBrush) -> Extents {
    Extents::around(point.value, axis.across(direction).abs() + point.margin)
}

fn cap_extents(point: Placed, outward: Vec2, cap: Cap, axis: &AxisBrush) -> Extents {
    let along = axis.along(outward);
    match cap {
        Cap::Butt => Extents::NONE,
        Cap::Square => Extents::around(point.value + along, axis.across(outward).abs() + point.margin),
        Cap::Round => {
            let epsilon = axis.support * DIRECTION_EPSILON;
            let ellipse = Extents::around(point.value, axis.support + point.margin);
            ellipse.only(along <= epsilon, along >= -epsilon)
        }
    }
}

fn join_extents(point: Placed, arriving: Vec2, leaving: Vec2, join: Join, axis: &AxisBrush) -> Extents {
    match join {
        Join::Bevel => Extents::NONE,
        Join::Miter(limit) => miter_extents(point, arriving, leaving, limit, axis),
        // The whole ellipse in each direction in which the path turns around.
        Join::Round => {
            let (before, after) = (axis.along(arriving), axis.along(leaving));
            let epsilon = axis.support * DIRECTION_EPSILON;
            let ellipse = Extents::around(point.value, axis.support + point.margin);
            ellipse.only(before <= epsilon && after >= -epsilon, before >= -epsilon && after <= epsilon)
        }
    }
}

/// The turn between two unit vectors.
struct Turn {
    sine: f32,
    /// The tangent of half the turn: the distance of a miter's tip along the path, in half line
    /// widths. Meaningless if the turn is so sharp that the sign of its sine is unknown.
    half_tangent: f32,
    /// The bound on the error of the tangent.
    error: f32,
    /// Whether the sign of the sine is known.
    is_known: bool,
}

impl Turn {
    fn between(from: Vec2, to: Vec2) -> Self {
        let (sine, cosine) = (cross(from, to), dot(from, to));
        let is_sharp = cosine < -DIRECTION_EPSILON;
        // The formula without cancellation.
        let half_tangent = if is_sharp {
            (1.0 - cosine) * reciprocal(sine.abs().max(MIN_TURN_SINE))
        } else {
            sine.abs() * reciprocal(1.0 + cosine)
        };
        let error = half_tangent * (half_tangent * MITER_SQUARE_ERROR + MITER_ERROR);
        Self { sine, half_tangent, error, is_known: sine.abs() >= MIN_TURN_SINE || !is_sharp }
    }
}

/// The extents of the tip of a miter, if it is within its limit or might be.
fn miter_extents(point: Placed, from: Vec2, to: Vec2, limit: f32, axis: &AxisBrush) -> Extents {
    let turn = Turn::between(from, to);
    let at_least = turn.half_tangent - turn.error;
    // The square of a miter's length, in line widths, is 1 + tangent².
    if 1.0 + at_least * at_least > limit * limit * (1.0 + 2.0 * STROKE_ERROR) {
        return Extents::NONE;
    }
    let at_most = if turn.is_known { (turn.half_tangent + turn.error).min(limit) } else { limit };
    let further = axis.along(from) * at_most;
    let across = axis.across(from);
    let margin = axis.error_of(further.abs()) + point.margin;
    let tip = |outer: f32| Extents::around(point.value + (further + outer), margin);
    if !turn.is_known {
        return tip(across).max(tip(-across));
    }
    tip(if turn.sine < -DIRECTION_EPSILON { across } else { -across })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The error of the tangent as a part of its bound (`docs/strokes.md`, section 7). Half of the
    /// turns are sharp, with all orders of magnitude down to those whose sign is unknown.
    #[test]
    #[expect(clippy::cast_possible_truncation, reason = "vectors are rounded to f32")]
    fn errors_of_the_tangents_of_half_turns_over_random_turns() {
        const N_TURNS: u64 = 30_000_000;
        // The part of the error that the margin of the point covers.
        const NEARLY_STRAIGHT_ERROR: f64 = 1.0 / (1 << 22) as f64;
        let mut state = 1_u64;
        // SplitMix64: a number from 0 to 1.
        let mut random = || {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
        };
        let mut largest = 0.0_f64;
        for i in 0..N_TURNS {
            let turn = if i % 2 == 0 {
                random() * std::f64::consts::PI
            } else {
                std::f64::consts::PI - (-14.0 * random()).exp()
            };
            let angle = random() * std::f64::consts::TAU;
            let mut vector = |angle: f64| {
                let length = 1.0 + random();
                [(length * angle.cos()) as f32, (length * angle.sin()) as f32]
            };
            let [from, to] = [vector(angle), vector(angle + turn)];
            let unit = |vector| Direction::between([0.0; 2], vector).unit;
            let found = Turn::between(unit(from), unit(to));
            if !found.is_known {
                continue;
            }
            let [from, to] = [from, to].map(|vector| vector.map(f64::from));
            let sine = (from[0] * to[1] - from[1] * to[0]).abs();
            let cosine = from[0] * to[0] + from[1] * to[1];
            let lengths = from[0].hypot(from[1]) * to[0].hypot(to[1]);
            let exact = if cosine < 0.0 { (lengths - cosine) / sine } else { sine / (lengths + cosine) };
            let error = (f64::from(found.half_tangent) - exact).abs() - NEARLY_STRAIGHT_ERROR;
            largest = largest.max(error / f64::from(found.error));
        }
        assert!((0.56..=0.57).contains(&largest), "{largest}");
    }
}
