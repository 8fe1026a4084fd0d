//! Where segments lead.

use super::arithmetic::{Vec2, inverse_root};
use super::segment::Segment;

/// Control points of which the square of the distance is below this are one point for the direction of a curve, in the path's space.
const CLOSE: f32 = 1.0 / 1_099_511_627_776.0;

/// The same of those that are one point for any purpose.
const NOTHING: f32 = CLOSE * CLOSE;

/// Where a segment leads, in the path's space.
#[derive(Clone, Copy)]
pub(super) struct Direction {
    pub(super) unit: Vec2,
    /// Whether there is none, as all control points are one.
    pub(super) is_nowhere: bool,
}

impl Direction {
    /// From one point to another of the first pair that is not close, else of the last.
    fn of_first(pairs: impl Iterator<Item = (Vec2, Vec2)>) -> Self {
        let (mut vector, mut squared) = ([0.0; 2], 0.0);
        for (from, to) in pairs {
            vector = [to[0] - from[0], to[1] - from[1]];
            squared = vector[0] * vector[0] + vector[1] * vector[1];
            if squared >= CLOSE {
                break;
            }
        }
        if squared < NOTHING {
            return Self { unit: [inverse_root(1.0), 0.0], is_nowhere: true };
        }
        let scale = inverse_root(squared);
        Self { unit: [vector[0] * scale, vector[1] * scale], is_nowhere: false }
    }

    /// From one point to another.
    pub(super) fn between(from: Vec2, to: Vec2) -> Self {
        Self::of_first(std::iter::once((from, to)))
    }

    /// In which a segment starts.
    pub(super) fn at_start(segment: &Segment) -> Self {
        let points = &segment.points[..segment.n];
        Self::of_first(points[1..].iter().map(|to| (points[0], *to)))
    }

    /// In which a segment ends.
    pub(super) fn at_end(segment: &Segment) -> Self {
        let points = &segment.points[..segment.n];
        let (last, before) = (points[segment.n - 1], &points[..segment.n - 1]);
        Self::of_first(before.iter().rev().map(|from| (*from, last)))
    }
}
