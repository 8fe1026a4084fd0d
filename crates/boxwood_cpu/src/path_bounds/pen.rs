//! The pen that a stroke is drawn with.
//!
//! It is half a line's width across the path, to either side, in the path's own space. The transform makes of it any parallelogram's
//! half diagonal.

use boxwood_layout::Aabb;

use super::arithmetic::{LEAST, Vec2, flushed, length};
use super::segment::{Map, magnitude, power_of_two_below_1};

/// The error of what is computed of strokes, relative to the numbers that come in.
pub(super) const ERROR: f32 = 1.0 / 1_048_576.0;

/// What is nothing for a pen in device space.
const PEN_DUST: f32 = power_of_two_below_1(60);

/// The pen in device space, but for its translation.
pub(super) struct Pen {
    /// The transform's matrix times half the line's width: x to x, x to y, y to x, y to y.
    matrix: [f32; 4],
    /// How far it reaches along the axes, whatever its direction.
    reach: Vec2,
}

/// The pen as it reaches one way.
pub(super) struct PenRow {
    /// What half a line's width along x and along y of the path's space is, that way.
    row: Vec2,
    pub(super) reach: f32,
}

impl Pen {
    /// The pen of a line's width that is finite. `None` where boxes could be out of range.
    pub(super) fn new(transform: [f32; 6], width: f32) -> Option<Self> {
        let map = Map::new(transform, magnitude(width))?;
        let half_width = 0.5 * map.scaled(width).abs();
        let matrix = map.matrix.map(|v| flushed(v * half_width, PEN_DUST));
        let [a, b, c, d] = matrix;
        Some(Self { matrix, reach: [length([a, c]), length([b, d])] })
    }

    /// Along an axis, with this sign.
    fn row(&self, axis: usize, sign: f32) -> PenRow {
        PenRow { row: [sign * self.matrix[axis], sign * self.matrix[axis + 2]], reach: self.reach[axis] }
    }

    /// The box of what goes so far each way, if it goes anywhere.
    pub(super) fn box_of(&self, reach: impl Fn(&PenRow, usize, f32) -> f32) -> Aabb {
        let of = |axis, sign| reach(&self.row(axis, sign), axis, sign);
        // Differences, as a negation of 0 is not 0.
        Aabb { x0: 0.0 - of(0, -1.0), y0: 0.0 - of(1, -1.0), x1: of(0, 1.0), y1: of(1, 1.0) }
    }
}

impl PenRow {
    /// What half a line's width along a direction becomes.
    pub(super) fn along(&self, [x, y]: Vec2) -> f32 {
        self.row[0] * x + self.row[1] * y
    }

    /// What half a line's width across a direction becomes, to its left in a space with y up.
    pub(super) fn across(&self, [x, y]: Vec2) -> f32 {
        self.row[1] * x - self.row[0] * y
    }

    /// The same to the side that goes further.
    pub(super) fn extent(&self, direction: Vec2) -> f32 {
        self.across(direction).abs()
    }

    /// A reach with the error of what is computed beside numbers up to `largest`.
    pub(super) fn with_error(&self, reach: f32, largest: f32) -> f32 {
        let reach = reach + (largest + 4.0 * self.reach) * ERROR;
        // Subnormal numbers and -0.0 are not for boxes.
        if reach.abs() < LEAST { LEAST } else { reach }
    }
}
