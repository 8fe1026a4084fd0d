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
    pub(super) fn of_first<const N: usize>(vectors: [Vec2; N], exponent: i32) -> Self {
        let close = power_of_two((LG_CLOSE - exponent).clamp(-126, 127));
        let is_long = |v: &&Vec2| v[0].abs() > close || v[1].abs() > close;
        let vector = *vectors.iter().find(is_long).unwrap_or(&vectors[N - 1]);
        Self { unit: unit(vector), is_nowhere: vector == [0.0; 2] }
    }

    /// In which a segment starts.
    pub(super) fn at_start(segment: &Segment) -> Self {
        let exponent = exponent_for(segment.greatest());
        let [p0, p1, p2, p3] = segment.scaled().points;
        match segment.n {
            2 => Self::of_first([difference(p1, p0)], exponent),
            3 => Self::of_first([difference(p1, p0), difference(p2, p0)], exponent),
            _ => Self::of_first([difference(p1, p0), difference(p2, p0), difference(p3, p0)], exponent),
        }
    }

    /// In which a segment ends.
    pub(super) fn at_end(segment: &Segment) -> Self {
        let exponent = exponent_for(segment.greatest());
        let [p0, p1, p2, p3] = segment.scaled().points;
        match segment.n {
            2 => Self::of_first([difference(p1, p0)], exponent),
            3 => Self::of_first([difference(p2, p1), difference(p2, p0)], exponent),
            _ => Self::of_first([difference(p3, p2), difference(p3, p1), difference(p3, p0)], exponent),
        }
    }
}

pub(super) fn difference(a: Vec2, b: Vec2) -> Vec2 {
    [a[0] - b[0], a[1] - b[1]]
}
