//! The brush of a stroke: the disc of half a line's width in the path's space, and its ellipse in
//! device space (`docs/strokes.md`, section 2).
//!
//! All numbers are below [`STROKE_RANGE`], so nothing overflows. Subnormal intermediate results end
//! up below [`MIN_COORDINATE`], or beside numbers of which they change no bit.

use super::arithmetic::{Vec2, affine, cross, dot, flushed, high, inverse_root, reciprocal};
use super::thresholds::{
    MIN_AXES_SINE, MIN_COORDINATE, MIN_DETERMINANT_TERMS, STROKE_ERROR, STROKE_RANGE, SUPPORT_EPSILON,
    TRANSFORM_EPSILON,
};
use crate::core::Aabb;

/// The extent of nothing: the identity of the maximum.
pub(super) const NO_EXTENT: f32 = -f32::MAX;

/// How far a shape extends along an axis in both directions: -x and x, so that larger is farther.
#[derive(Clone, Copy)]
pub(super) struct Extents {
    pub(super) down: f32,
    pub(super) up: f32,
}

impl Extents {
    pub(super) const NONE: Self = Self { down: NO_EXTENT, up: NO_EXTENT };

    /// The extents of an interval around a value.
    pub(super) fn around(value: f32, half_size: f32) -> Self {
        Self { down: half_size - value, up: half_size + value }
    }

    pub(super) fn max(self, other: Self) -> Self {
        Self { down: self.down.max(other.down), up: self.up.max(other.up) }
    }

    /// These extents where the flags are set, otherwise none.
    pub(super) fn only(self, down: bool, up: bool) -> Self {
        Self { down: if down { self.down } else { NO_EXTENT }, up: if up { self.up } else { NO_EXTENT } }
    }
}

/// A brush under a transform.
pub(super) struct Brush {
    axes: [AxisBrush; 2],
    /// Half the line's width in the path's space.
    pub(super) half_width: f32,
}

/// A brush along one axis of device space.
#[derive(Clone, Copy)]
pub(super) struct AxisBrush {
    /// The images of x and y of the path's space, relative to `origin`, whose image is
    /// `translation`.
    row: Vec2,
    origin: Vec2,
    translation: f32,
    /// The images of half a line's width along x and along y of the path's space.
    half: Vec2,
    /// The support of the ellipse.
    pub(super) support: f32,
    /// The relative error. 0 if the ellipse is flat.
    error: f32,
    /// The error of the translation and the support.
    margin: f32,
}

/// A point along an axis, and the error of the extents around it.
#[derive(Clone, Copy)]
pub(super) struct Placed {
    pub(super) value: f32,
    pub(super) margin: f32,
}

impl Brush {
    /// The brush of a line of this width under a transform. `None` if a number is out of range.
    pub(super) fn new(transform: [f32; 6], width: f32) -> Option<Self> {
        if transform.iter().chain([&width]).any(|v| v.abs() >= STROKE_RANGE) {
            return None;
        }
        let half_width = flushed(0.5 * width.abs(), TRANSFORM_EPSILON);
        let [a, b, c, d, e, f] = transform.map(|v| flushed(v, TRANSFORM_EPSILON));
        let origin = origin_of([a, b, c, d, e, f]);
        let axis = |x: f32, y: f32, translation: f32| {
            let half = [x * half_width, y * half_width];
            let squared = dot(half, half);
            let support = if squared < SUPPORT_EPSILON { 0.0 } else { squared * inverse_root(squared) };
            let error = if support == 0.0 { 0.0 } else { STROKE_ERROR };
            let (translation, _) = affine(x, origin[0], y, origin[1], translation);
            let margin = (translation.abs() + 4.0 * support) * error;
            AxisBrush { row: [x, y], origin, translation, half, support, error, margin }
        };
        Some(Self { axes: [axis(a, c, e), axis(b, d, f)], half_width })
    }

    /// The box of a shape with these extents along each axis.
    pub(super) fn box_of(&self, extents: impl Fn(&AxisBrush) -> Extents) -> Aabb {
        let [x, y] = self.axes.each_ref().map(|axis| {
            let Extents { down, up } = extents(axis);
            // Boxes contain no subnormal numbers and no -0.0.
            let least = if axis.error == 0.0 { 0.0 } else { MIN_COORDINATE };
            let normal = |extent: f32| if extent.abs() < MIN_COORDINATE { least } else { extent };
            [0.0 - normal(down), normal(up)]
        });
        Aabb { x0: x[0], y0: y[0], x1: x[1], y1: y[1] }
    }
}

/// A point of the path's space near the one that is at the origin of device space. 0 if the
/// transform is nearly singular or the point is out of range.
///
/// Visible points are near it, however far they are from the origin of their own space, so
/// differences from it are small.
fn origin_of([a, b, c, d, e, f]: [f32; 6]) -> Vec2 {
    let determinant = a * d - b * c;
    let terms = (a * d).abs() + (b * c).abs();
    if determinant.abs() < terms * MIN_AXES_SINE || terms < MIN_DETERMINANT_TERMS {
        return [0.0; 2];
    }
    let inverse = reciprocal(determinant.abs());
    let scale = if determinant < 0.0 { -inverse } else { inverse };
    // With only 12 bits, so that its place is exact.
    let origin = [high((c * f - d * e) * scale), high((b * e - a * f) * scale)];
    if origin.iter().any(|v| v.abs() >= STROKE_RANGE) { [0.0; 2] } else { origin }
}

impl AxisBrush {
    pub(super) fn place(&self, [x, y]: Vec2) -> Placed {
        let of_x = self.row[0] * (x - self.origin[0]);
        let of_y = self.row[1] * (y - self.origin[1]);
        Placed {
            value: (of_x + of_y) + self.translation,
            margin: (of_x.abs() + of_y.abs()) * self.error + self.margin,
        }
    }

    /// The image of a vector of the path's space.
    pub(super) fn transformed(&self, vector: Vec2) -> f32 {
        dot(self.row, vector)
    }

    /// The image of half a line's width along a direction.
    pub(super) fn along(&self, direction: Vec2) -> f32 {
        dot(self.half, direction)
    }

    /// The image of half a line's width along the left normal (-y, x) of a direction.
    pub(super) fn across(&self, direction: Vec2) -> f32 {
        cross(direction, self.half)
    }

    /// The error of a result of this size.
    pub(super) fn error_of(&self, size: f32) -> f32 {
        size * self.error
    }
}
