//! What a stroke covers.
//!
//! A stroke is what a pen covers that runs along the path, across it, half a line's width to either side, in the path's own space;
//! then joins and caps.
//!
//! A *reach* is how far something goes one way, of four: -x, -y, x and y. It is computed alike for all, along an axis whose sign is
//! turned where the way is down.

use boxwood_layout::Aabb;

use super::arithmetic::{Vec2, flushed, reciprocal};
use super::direction::Direction;
use super::offset::offset_reach;
use super::pen::{ERROR, Pen, PenRow};
use super::segment::{Placed, Segment, exponent_for, power_of_two_below_1};
use super::style::{Cap, Join};

/// The error of the sine between two directions.
const SINE_ERROR: f32 = 1.0 / 4_194_304.0;

/// What is nothing beside the width of a line.
const TANGENT_DUST: f32 = power_of_two_below_1(20);

/// How far nothing goes: the identity of the maximum.
const NO_REACH: f32 = -f32::MAX;

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
pub(super) fn stroke_box(segment: &Segment, placed: &Placed, next: &Next, pen: &Pen) -> Aabb {
    let n = segment.n;
    let (start, end) = (Direction::at_start(segment), Direction::at_end(segment));
    let slopes = slopes(segment);
    pen.box_of(|row, axis, sign| {
        let values = placed.values[axis].map(|v| sign * v);
        let mut reach = end_reach(values[0], &start, row).max(end_reach(values[n - 1], &end, row));
        if n > 2 {
            let largest = values[..n].iter().fold(0.0_f32, |m, v| m.max(v.abs()));
            let offset = offset_reach(values, n, slopes, [&start, &end], row);
            reach = reach.max(offset.map_or(NO_REACH, |offset| row.with_error(offset, largest)));
        }
        reach.max(match next {
            Next::Join(leaving, join) => join_reach(values[n - 1], &end, leaving, *join, row),
            Next::Cap(cap) => cap_reach(values[n - 1], end.unit, *cap, row),
            Next::Nothing => NO_REACH,
        })
    })
}

/// The box of the cap at the start of a subpath, which its marker has: a curve from where it ends, by where it starts, to where it
/// starts towards.
pub(super) fn start_cap_box(marker: &Segment, placed: &Placed, cap: Cap, pen: &Pen) -> Aabb {
    let [_, start, towards, _] = marker.points;
    let direction = Direction::between(start, towards, exponent_for(marker.greatest()));
    pen.box_of(|row, axis, sign| {
        let start = sign * placed.values[axis][1];
        end_reach(start, &direction, row).max(cap_reach(start, direction.unit.map(|c| -c), cap, row))
    })
}

fn difference(a: Vec2, b: Vec2) -> Vec2 {
    [a[0] - b[0], a[1] - b[1]]
}

/// The control points of the derivative of a curve, up to a factor, as of a cubic one.
fn slopes(segment: &Segment) -> [Vec2; 3] {
    let [p0, p1, p2, p3] = segment.scaled().points;
    let (first, middle) = (difference(p1, p0), difference(p2, p1));
    if segment.n == 4 {
        return [first, middle, difference(p3, p2)];
    }
    [first.map(|c| 2.0 * c), [first[0] + middle[0], first[1] + middle[1]], middle.map(|c| 2.0 * c)]
}

/// Where a line ends: at a point, with this direction there.
///
/// What is no longer than a point and has no width along an axis has none there.
fn end_reach(point: f32, direction: &Direction, row: &PenRow) -> f32 {
    let extent = row.extent(direction.unit);
    if row.reach == 0.0 || (direction.is_nowhere && extent == 0.0) {
        return point;
    }
    row.with_error(point + extent, point.abs())
}

fn cap_reach(point: f32, outward: Vec2, cap: Cap, row: &PenRow) -> f32 {
    let along = row.along(outward);
    let reach = match cap {
        Cap::Square => point + along + row.extent(outward),
        Cap::Round if along >= 0.0 => point + row.reach,
        Cap::Round | Cap::Butt => return NO_REACH,
    };
    if row.reach == 0.0 { point } else { row.with_error(reach, point.abs()) }
}

fn join_reach(point: f32, arriving: &Direction, leaving: &Direction, join: Join, row: &PenRow) -> f32 {
    if row.reach == 0.0 {
        return NO_REACH;
    }
    match join {
        Join::Miter(limit) => {
            let tip = miter_reach(point, arriving.unit, leaving.unit, limit, row);
            if tip == NO_REACH { NO_REACH } else { row.with_error(tip, point.abs()) }
        }
        // The disc, where the path turns around.
        Join::Round if row.along(arriving.unit) >= 0.0 && row.along(leaving.unit) <= 0.0 => {
            row.with_error(point + row.reach, point.abs())
        }
        Join::Round | Join::Bevel => NO_REACH,
    }
}

/// The tip of a miter that is within its limit, or might be.
///
/// It is as far along the path, in half widths of the line, as the tangent of half the angle between the directions.
fn miter_reach(point: f32, from: Vec2, to: Vec2, limit: f32, row: &PenRow) -> f32 {
    let sine = from[0] * to[1] - from[1] * to[0];
    let cosine = from[0] * to[0] + from[1] * to[1];
    let (at_least, at_most) = if cosine >= 0.0 {
        let tangent = sine.abs() * reciprocal(1.0 + cosine);
        (tangent, tangent)
    } else {
        let is_known = sine.abs() > 2.0 * SINE_ERROR;
        let at_least = (1.0 - cosine) * reciprocal(sine.abs() + SINE_ERROR);
        (at_least, if is_known { (1.0 - cosine) * reciprocal(sine.abs() - SINE_ERROR) } else { limit })
    };
    // The length of a miter is the root of 1 and the tangent squared.
    if 1.0 + at_least * at_least > limit * limit * (1.0 + ERROR) {
        return NO_REACH;
    }
    let further = row.along(from) * flushed(at_most.min(limit), TANGENT_DUST);
    let across = row.across(from);
    let margin = (further.abs() + row.reach) * ERROR;
    // The outer side; both where that is not known.
    let right = if sine <= 2.0 * SINE_ERROR { point + (further + across) } else { NO_REACH };
    let left = if sine >= -2.0 * SINE_ERROR { point + (further - across) } else { NO_REACH };
    right.max(left) + margin
}
