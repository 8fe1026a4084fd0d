//! What strokes are drawn with: a pen, and where it goes.
//!
//! The pen is half a line's width across the path, to either side, in the path's own space. The transform makes of it any
//! parallelogram's half diagonal.
//!
//! All numbers that come in are below 2³⁰, so that nothing overflows on the way; and whatever is subnormal on the way comes out as
//! less than [`LEAST`], or beside numbers that it changes no bit of.

use crate::core::Aabb;

use super::arithmetic::{LEAST, Vec2, affine, flushed, high, inverse_root, reciprocal};
use super::segment::{magnitude, power_of_two_below_1};

/// What is this large, or larger, is out of range.
pub(super) const RANGE: f32 = 1_073_741_824.0;

/// What is nothing in a transform or as half a line's width, and as the square of a pen's reach.
const INK_DUST: f32 = power_of_two_below_1(60);
const PEN_DUST: f32 = power_of_two_below_1(120);

/// The sine of the angle between the axes below which they are one for the purpose of [`origin_of`], and the least terms of a
/// determinant.
const LEAST_SINE: f32 = 1.0 / 1024.0;
const LEAST_TERMS: f32 = power_of_two_below_1(40);

/// The error of what is computed of strokes, relative to the terms that it is computed from.
pub(super) const ERROR: f32 = 1.0 / 2_097_152.0;

/// How far nothing goes: the identity of the maximum.
pub(super) const NO_REACH: f32 = -f32::MAX;

/// How far something goes along an axis, down and up, each as a number that is larger where it is further: -x and x.
#[derive(Clone, Copy)]
pub(super) struct Reaches {
    pub(super) down: f32,
    pub(super) up: f32,
}

impl Reaches {
    pub(super) const NONE: Self = Self { down: NO_REACH, up: NO_REACH };

    /// What goes so far to both sides of a value.
    pub(super) fn around(value: f32, by: f32) -> Self {
        Self { down: by - value, up: by + value }
    }

    pub(super) fn max(self, other: Self) -> Self {
        Self { down: self.down.max(other.down), up: self.up.max(other.up) }
    }
}

/// A transform with the pen of a line's width.
pub(super) struct Ink {
    axes: [AxisInk; 2],
    /// Half the line's width, in the path's space.
    pub(super) half_width: f32,
}

/// What a transform and a pen are along one axis of device space.
#[derive(Clone, Copy)]
pub(super) struct AxisInk {
    /// What x and y of the path's space become, from `origin` on, which becomes `translation`.
    row: Vec2,
    origin: Vec2,
    translation: f32,
    /// What half a line's width along x and along y of the path's space becomes.
    pen: Vec2,
    /// How far the pen reaches, whatever its direction.
    pub(super) reach: f32,
    /// The relative error; that of what is flat is 0.
    error: f32,
    /// The error of the translation and the pen.
    margin: f32,
}

/// Where a point is along an axis, and the error of what is computed beside it.
#[derive(Clone, Copy)]
pub(super) struct Placed {
    pub(super) value: f32,
    pub(super) margin: f32,
}

impl Ink {
    /// The pen of a line's width under a transform, all of them finite. `None` where they are out of range.
    pub(super) fn new(transform: [f32; 6], width: f32) -> Option<Self> {
        let range = magnitude(RANGE);
        if transform.iter().chain([&width]).any(|v| magnitude(*v) >= range) {
            return None;
        }
        let half_width = flushed(0.5 * width.abs(), INK_DUST);
        let [a, b, c, d, e, f] = transform.map(|v| flushed(v, INK_DUST));
        let origin = origin_of([a, b, c, d, e, f]);
        let axis = |x: f32, y: f32, translation: f32| {
            let pen = [x * half_width, y * half_width];
            let squared = pen[0] * pen[0] + pen[1] * pen[1];
            let reach = if squared < PEN_DUST { 0.0 } else { squared * inverse_root(squared) };
            let error = if reach == 0.0 { 0.0 } else { ERROR };
            let (translation, _) = affine(x, origin[0], y, origin[1], translation);
            let margin = (translation.abs() + 4.0 * reach) * error;
            AxisInk { row: [x, y], origin, translation, pen, reach, error, margin }
        };
        Some(Self { axes: [axis(a, c, e), axis(b, d, f)], half_width })
    }

    /// The box of what goes so far along each axis, if it goes anywhere.
    pub(super) fn box_of(&self, reaches: impl Fn(&AxisInk) -> Reaches) -> Aabb {
        let [x, y] = self.axes.each_ref().map(|axis| {
            let Reaches { down, up } = reaches(axis);
            // Subnormal numbers and -0.0 are not for boxes.
            let least = if axis.error == 0.0 { 0.0 } else { LEAST };
            let kept = |reach: f32| if reach.abs() < LEAST { least } else { reach };
            [0.0 - kept(down), kept(up)]
        });
        Aabb { x0: x[0], y0: y[0], x1: x[1], y1: y[1] }
    }
}

/// The point of the path's space that is at the origin of device space, or near; that of the path's space where there is none near.
///
/// Points that are drawn where they are seen are near to it, however far from the origin of their own space: of their differences
/// nothing is rounded off.
fn origin_of([a, b, c, d, e, f]: [f32; 6]) -> Vec2 {
    let determinant = a * d - b * c;
    let terms = (a * d).abs() + (b * c).abs();
    if determinant.abs() < terms * LEAST_SINE || terms < LEAST_TERMS {
        return [0.0; 2];
    }
    let inverse = reciprocal(determinant.abs());
    let scale = if determinant < 0.0 { -inverse } else { inverse };
    // Of so few bits that what it becomes is exact.
    let origin = [high((c * f - d * e) * scale), high((b * e - a * f) * scale)];
    if origin.iter().any(|v| v.abs() >= RANGE) { [0.0; 2] } else { origin }
}

impl AxisInk {
    pub(super) fn place(&self, [x, y]: Vec2) -> Placed {
        let of_x = self.row[0] * (x - self.origin[0]);
        let of_y = self.row[1] * (y - self.origin[1]);
        Placed {
            value: (of_x + of_y) + self.translation,
            margin: (of_x.abs() + of_y.abs()) * self.error + self.margin,
        }
    }

    /// What a vector of the path's space becomes.
    pub(super) fn turn(&self, [x, y]: Vec2) -> f32 {
        self.row[0] * x + self.row[1] * y
    }

    /// What half a line's width along a direction becomes.
    pub(super) fn along(&self, [x, y]: Vec2) -> f32 {
        self.pen[0] * x + self.pen[1] * y
    }

    /// What half a line's width across a direction becomes, to its left in a space with y up.
    pub(super) fn across(&self, [x, y]: Vec2) -> f32 {
        self.pen[1] * x - self.pen[0] * y
    }

    /// The error of what is as large as this.
    pub(super) fn error_of(&self, size: f32) -> f32 {
        size * self.error
    }
}
