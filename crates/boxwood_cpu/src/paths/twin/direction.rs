//! The directions of segments.

use super::arithmetic::{Vec2, dot, inverse_root};
use super::segment::Segment;
use super::thresholds::{MIN_LENGTH_SQUARED, MIN_TANGENT_SQUARED};

/// The direction of a segment in the path's space.
#[derive(Clone, Copy)]
pub(super) struct Direction {
    pub(super) unit: Vec2,
    /// Whether all control points coincide. The direction is then the x axis.
    pub(super) is_point: bool,
}

impl Direction {
    /// The direction between the first pair of points that are not close, or else the last pair.
    fn of_first(pairs: impl Iterator<Item = (Vec2, Vec2)>) -> Self {
        let (mut vector, mut squared) = ([0.0; 2], 0.0);
        for (from, to) in pairs {
            vector = [to[0] - from[0], to[1] - from[1]];
            squared = dot(vector, vector);
            if squared >= MIN_TANGENT_SQUARED {
                break;
            }
        }
        if squared < MIN_LENGTH_SQUARED {
            return Self { unit: [inverse_root(1.0), 0.0], is_point: true };
        }
        let scale = inverse_root(squared);
        Self { unit: vector.map(|c| c * scale), is_point: false }
    }

    /// The direction from one point to another.
    pub(super) fn between(from: Vec2, to: Vec2) -> Self {
        Self::of_first(core::iter::once((from, to)))
    }

    /// The direction in which a segment starts.
    pub(super) fn at_start(segment: &Segment) -> Self {
        let points = &segment.points[..segment.n];
        Self::of_first(points[1..].iter().map(|to| (points[0], *to)))
    }

    /// The direction in which a segment ends.
    pub(super) fn at_end(segment: &Segment) -> Self {
        let points = &segment.points[..segment.n];
        let (last, before) = (points[segment.n - 1], &points[..segment.n - 1]);
        Self::of_first(before.iter().rev().map(|from| (*from, last)))
    }
}
