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

/// The extents of the tip of a miter, if it is within its limit or might be.
///
/// The distance of the tip along the path, in half line widths, is the tangent of half the turn.
fn miter_extents(point: Placed, from: Vec2, to: Vec2, limit: f32, axis: &AxisBrush) -> Extents {
    let (sine, cosine) = (cross(from, to), dot(from, to));
    let is_sharp = cosine < -DIRECTION_EPSILON;
    let is_turn_known = sine.abs() >= MIN_TURN_SINE || !is_sharp;
    // The formula without cancellation.
    let tangent = if is_sharp {
        (1.0 - cosine) * reciprocal(sine.abs().max(MIN_TURN_SINE))
    } else {
        sine.abs() * reciprocal(1.0 + cosine)
    };
    let error = tangent * (tangent * MITER_SQUARE_ERROR + MITER_ERROR);
    let at_least = tangent - error;
    // The square of a miter's length, in line widths, is 1 + tangent².
    if 1.0 + at_least * at_least > limit * limit * (1.0 + 2.0 * STROKE_ERROR) {
        return Extents::NONE;
    }
    let at_most = if is_turn_known { (tangent + error).min(limit) } else { limit };
    let further = axis.along(from) * at_most;
    let across = axis.across(from);
    let margin = axis.error_of(further.abs()) + point.margin;
    let tip = |outer: f32| Extents::around(point.value + (further + outer), margin);
    if !is_turn_known {
        return tip(across).max(tip(-across));
    }
    tip(if sine < -DIRECTION_EPSILON { across } else { -across })
}
