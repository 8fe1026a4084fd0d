//! What a stroke covers.
//!
//! A stroke is what a pen covers that runs along the path, across it, half a line's width to either side, in the path's own space;
//! then joins and caps.

use crate::core::Aabb;

use super::arithmetic::{Vec2, reciprocal};
use super::direction::Direction;
use super::offset::{Curve, is_gentle, legs};
use super::pen::{AxisInk, ERROR, Ink, Placed, Reaches};
use super::segment::{Segment, power_of_two_below_1};
use super::style::{Cap, Join};

/// The error of the tangent of half an angle: in parts of its square, as sines near 0 are rounded; and of itself.
const SQUARED_TANGENT_ERROR: f32 = 1.0 / 4_194_304.0;
const TANGENT_ERROR: f32 = 1.0 / 262_144.0;

/// A sine between two directions that says nothing of the side, where they are far from each other.
const LEAST_SINE: f32 = 1.0 / 524_288.0;

/// What is nothing in a direction: subnormal numbers of it say nothing.
const DIRECTION_DUST: f32 = power_of_two_below_1(40);

/// What follows a segment of a stroke.
pub(super) enum Next {
    /// Another, which starts in this direction.
    Join(Direction, Join),
    /// The end of the subpath.
    Cap(Cap),
    /// Nothing that could be drawn.
    Nothing,
}

/// The box of a segment of a stroke, with what joins it to the next or caps it.
pub(super) fn stroke_box(segment: &Segment, next: &Next, ink: &Ink) -> Aabb {
    let n = segment.n;
    let directions = [Direction::at_start(segment), Direction::at_end(segment)];
    let legs = legs(segment);
    let [a, b, c] = legs;
    let is_nowhere = directions.iter().all(|direction| direction.is_nowhere);
    let units = directions.map(|direction| direction.unit);
    let is_gentle =
        [is_gentle(legs, units[0], ink.half_width), is_gentle([c, b, a], units[1], ink.half_width)];
    ink.box_of(|axis| {
        let ends @ [start, end] = [axis.place(segment.points[0]), axis.place(segment.points[n - 1])];
        let [leaving, arriving] = units;
        let mut reaches = Reaches::NONE;
        if !is_nowhere {
            reaches = end_reaches(start, leaving, axis).max(end_reaches(end, arriving, axis));
            if n > 2 {
                let curve = Curve::new(legs, ends, axis);
                let margin = start.margin.max(end.margin) + curve.error;
                reaches = reaches.max(curve.reaches(legs, units, is_gentle, margin, axis));
            }
        }
        let beyond = match next {
            Next::Join(next, join) => join_reaches(end, arriving, next.unit, *join, axis),
            Next::Cap(cap) => cap_reaches(end, arriving, *cap, axis),
            Next::Nothing => Reaches::NONE,
        };
        reaches.max(beyond)
    })
}

/// The box of the cap at the start of a subpath, which its marker has: a curve from where it ends, by where it starts, to where it
/// starts towards.
pub(super) fn start_cap_box(marker: &Segment, cap: Cap, ink: &Ink) -> Aabb {
    let [_, start, towards, _] = marker.points;
    let direction = Direction::between(start, towards);
    ink.box_of(|axis| {
        let start = axis.place(start);
        let outward = direction.unit.map(|c| -c);
        let of_cap = cap_reaches(start, outward, cap, axis);
        if direction.is_nowhere { of_cap } else { end_reaches(start, direction.unit, axis).max(of_cap) }
    })
}

/// Where a line ends: at a point, with this direction there.
fn end_reaches(point: Placed, direction: Vec2, axis: &AxisInk) -> Reaches {
    Reaches::around(point.value, axis.across(direction).abs() + point.margin)
}

fn cap_reaches(point: Placed, outward: Vec2, cap: Cap, axis: &AxisInk) -> Reaches {
    let along = axis.along(outward);
    match cap {
        Cap::Butt => Reaches::NONE,
        Cap::Square => {
            let extent = axis.across(outward).abs() + point.margin;
            Reaches::around(point.value + along, extent)
        }
        Cap::Round => {
            let Reaches { down, up } = Reaches::around(point.value, axis.reach + point.margin);
            let nothing = axis.reach * DIRECTION_DUST;
            Reaches {
                down: if along <= nothing { down } else { Reaches::NONE.down },
                up: if along >= -nothing { up } else { Reaches::NONE.up },
            }
        }
    }
}

fn join_reaches(point: Placed, arriving: Vec2, leaving: Vec2, join: Join, axis: &AxisInk) -> Reaches {
    match join {
        Join::Bevel => Reaches::NONE,
        Join::Miter(limit) => miter_reaches(point, arriving, leaving, limit, axis),
        // The disc, where the path turns around.
        Join::Round => {
            let (before, after) = (axis.along(arriving), axis.along(leaving));
            let Reaches { down, up } = Reaches::around(point.value, axis.reach + point.margin);
            let nothing = axis.reach * DIRECTION_DUST;
            Reaches {
                down: if before <= nothing && after >= -nothing { down } else { Reaches::NONE.down },
                up: if before >= -nothing && after <= nothing { up } else { Reaches::NONE.up },
            }
        }
    }
}

/// The tip of a miter that is within its limit, or might be.
///
/// It is as far along the path, in half widths of the line, as the tangent of half the angle between the directions.
fn miter_reaches(point: Placed, from: Vec2, to: Vec2, limit: f32, axis: &AxisInk) -> Reaches {
    let sine = from[0] * to[1] - from[1] * to[0];
    let cosine = from[0] * to[0] + from[1] * to[1];
    let is_sharp = cosine < -DIRECTION_DUST;
    let is_side_known = sine.abs() >= LEAST_SINE || !is_sharp;
    let tangent = if is_sharp {
        (1.0 - cosine) * reciprocal(sine.abs().max(LEAST_SINE))
    } else {
        sine.abs() * reciprocal(1.0 + cosine)
    };
    let doubt = tangent * (tangent * SQUARED_TANGENT_ERROR + TANGENT_ERROR);
    let at_least = tangent - doubt;
    // The length of a miter is the root of 1 and the tangent squared.
    if 1.0 + at_least * at_least > limit * limit * (1.0 + 2.0 * ERROR) {
        return Reaches::NONE;
    }
    let at_most = if is_side_known { (tangent + doubt).min(limit) } else { limit };
    let further = axis.along(from) * at_most;
    let across = axis.across(from);
    let margin = axis.error_of(further.abs()) + point.margin;
    let tip = |outer: f32| Reaches::around(point.value + (further + outer), margin);
    if !is_side_known {
        return tip(across).max(tip(-across));
    }
    tip(if sine < -DIRECTION_DUST { across } else { -across })
}
