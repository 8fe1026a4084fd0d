//! Where segments lead.

use super::arithmetic::{Vec2, power_of_two, unit};
use super::segment::{Segment, exponent_for};

/// Control points that are this close are one point for the direction of a curve, in the path's space.
const LG_CLOSE: i32 = -20;

/// Where a segment leads, in the path's space.
pub(super) struct Direction {
    pub(super) unit: Vec2,
    /// Whether there is none, as all control points are one.
    pub(super) is_nowhere: bool,
}

impl Direction {
    /// That of the first of some vectors that is not almost nothing in the path's space, else of the last. They are divided by 2 to
    /// the power of `exponent`.
    fn of_first(vectors: impl Iterator<Item = Vec2> + Clone, exponent: i32) -> Self {
        let close = power_of_two((LG_CLOSE - exponent).clamp(-126, 127));
        let is_long = |v: &Vec2| v[0].abs() > close || v[1].abs() > close;
        let vector = vectors.clone().find(is_long).or_else(|| vectors.last()).unwrap_or_default();
        Self { unit: unit(vector), is_nowhere: vector == [0.0; 2] }
    }

    /// From one point to another, which are divided by 2 to the power of `exponent`.
    pub(super) fn between(from: Vec2, to: Vec2, exponent: i32) -> Self {
        Self::of_first(std::iter::once(difference(to, from)), exponent)
    }

    /// In which a segment starts.
    pub(super) fn at_start(segment: &Segment) -> Self {
        let Segment { points, n } = segment.scaled();
        let onwards = points[1..n].iter().map(|p| difference(*p, points[0]));
        Self::of_first(onwards, exponent_for(segment.greatest()))
    }

    /// In which a segment ends.
    pub(super) fn at_end(segment: &Segment) -> Self {
        let Segment { points, n } = segment.scaled();
        let backwards = points[..n - 1].iter().rev().map(|p| difference(points[n - 1], *p));
        Self::of_first(backwards, exponent_for(segment.greatest()))
    }
}

pub(super) fn difference(a: Vec2, b: Vec2) -> Vec2 {
    [a[0] - b[0], a[1] - b[1]]
}
