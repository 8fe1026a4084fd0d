//! Where segments lead.

use super::arithmetic::{Vec2, power_of_two, unit};
use super::segment::{Segment, exponent_for};

/// Control points that are this close are one point for the direction of a curve, in the path's space.
const LG_CLOSE: i32 = -20;

/// Vectors that are shorter than 2 to the power of this, in the path's space or beside the coordinates, are none. Beside longer ones
/// what is subnormal is nothing.
const LG_NOTHING: i32 = -60;

/// Where a segment leads, in the path's space.
pub(super) struct Direction {
    pub(super) unit: Vec2,
    /// Whether there is none, as all control points are one.
    pub(super) is_nowhere: bool,
}

impl Direction {
    /// From one point to another of the first pair whose points are not almost one in the path's space, else of the last. Their
    /// coordinates are up to 2 to the power of `exponent`.
    fn of_first(pairs: impl Iterator<Item = (Vec2, Vec2)>, exponent: i32) -> Self {
        let length = |k: i32| power_of_two((k - exponent).clamp(LG_NOTHING, 127));
        let (close, nothing) = (length(LG_CLOSE), length(LG_NOTHING));
        let scale = power_of_two(-exponent);
        let mut vector = [0.0; 2];
        let mut greatest = 0.0;
        for (from, to) in pairs {
            vector = [to[0] * scale - from[0] * scale, to[1] * scale - from[1] * scale];
            greatest = vector[0].abs().max(vector[1].abs());
            if greatest > close {
                break;
            }
        }
        let is_nowhere = greatest < nothing;
        Self { unit: unit(if is_nowhere { [0.0; 2] } else { vector }), is_nowhere }
    }

    /// From one point to another, of coordinates up to 2 to the power of `exponent`.
    pub(super) fn between(from: Vec2, to: Vec2, exponent: i32) -> Self {
        Self::of_first(std::iter::once((from, to)), exponent)
    }

    /// In which a segment starts.
    pub(super) fn at_start(segment: &Segment) -> Self {
        let points = &segment.points[..segment.n];
        let onwards = points[1..].iter().map(|to| (points[0], *to));
        Self::of_first(onwards, exponent_for(segment.greatest()))
    }

    /// In which a segment ends.
    pub(super) fn at_end(segment: &Segment) -> Self {
        let points = &segment.points[..segment.n];
        let (last, before) = (points[segment.n - 1], &points[..segment.n - 1]);
        let backwards = before.iter().rev().map(|from| (*from, last));
        Self::of_first(backwards, exponent_for(segment.greatest()))
    }
}
