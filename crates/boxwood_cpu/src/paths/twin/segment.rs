//! Segments, and their boxes as fills (`docs/strokes.md`, section 6).

use super::arithmetic::{Vec2, affine, exponent, flushed, magnitude};
use super::extremum::extent;
use super::thresholds::{
    COORDINATE_EPSILON, MATRIX_EPSILON, MAX_EXPONENT, MAX_MATRIX_EXPONENT, MIN_EXPONENT, power_of_two,
};
use crate::core::Aabb;

/// The control points of a segment: 2 to 4 of them.
#[derive(Clone, Copy)]
pub(super) struct Segment {
    pub(super) points: [Vec2; 4],
    pub(super) n: usize,
}

/// The `magnitude` of infinity. NaN is above it, and finite numbers are below it.
pub(super) const INFINITY: u32 = 0x7f80_0000;

impl Segment {
    /// The largest magnitude of a coordinate.
    pub(super) fn greatest(&self) -> u32 {
        greatest_of(&self.points[..self.n])
    }
}

fn greatest_of(points: &[Vec2]) -> u32 {
    points.iter().flatten().fold(0, |m, c| m.max(magnitude(*c)))
}

/// The place of a point in device space, and whether it is rounded along each axis.
///
/// Coordinates of up to the magnitude `greatest` are scaled down by a power of two, and the matrix
/// is scaled up. `None` if boxes could be out of range. All numbers are finite.
fn place(transform: [f32; 6], point: Vec2, greatest: u32) -> Option<[(f32, bool); 2]> {
    let k = exponent(f32::from_bits(greatest)).clamp(MIN_EXPONENT, MAX_EXPONENT);
    let [a, b, c, d, e, f] = transform;
    let is_subnormal = |v: f32| magnitude(v) < 1 << 23;
    let matrix = [a, b, c, d].map(|v| if is_subnormal(v) { 0.0 } else { v });
    let is_huge = |v: f32, by: i32| v != 0.0 && exponent(v) + by > MAX_MATRIX_EXPONENT;
    if matrix.iter().any(|v| is_huge(*v, k)) || is_huge(e, 0) || is_huge(f, 0) {
        return None;
    }
    let [a, b, c, d] = matrix.map(|v| flushed(v * power_of_two(k), MATRIX_EPSILON));
    let [e, f] = [e, f].map(|v| flushed(v, MATRIX_EPSILON));
    let [x, y] = point.map(|v| flushed(v * power_of_two(-k), COORDINATE_EPSILON));
    Some([affine(a, x, c, y, e), affine(b, x, d, y, f)])
}

/// The box of a segment of a fill. [`Aabb::PLANE`] if it could be out of range.
///
/// Each end is placed by itself, so that it is the same for both segments that share it.
pub(super) fn fill_box(segment: &Segment, transform: [f32; 6]) -> Aabb {
    let (mut values, mut is_inexact) = ([[0.0; 4]; 2], [[false; 4]; 2]);
    for (i, &point) in segment.points[..segment.n].iter().enumerate() {
        let is_end = i == 0 || i == segment.n - 1;
        let greatest = if is_end { greatest_of(&[point]) } else { segment.greatest() };
        let Some(placed) = place(transform, point, greatest) else { return Aabb::PLANE };
        for axis in 0..2 {
            (values[axis][i], is_inexact[axis][i]) = placed[axis];
        }
    }
    let (x0, x1) = extent(values[0], segment.n, is_inexact[0]);
    let (y0, y1) = extent(values[1], segment.n, is_inexact[1]);
    Aabb { x0, y0, x1, y1 }
}
