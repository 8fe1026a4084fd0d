//! Segments as they are read, and where they are in device space.

use super::arithmetic::{Vec2, affine, exponent, flushed, power_of_two};
use super::curve::extent;
use crate::core::Aabb;

/// The control points of a segment: 2 to 4 of them, then nothing.
#[derive(Clone, Copy)]
pub(super) struct Segment {
    pub(super) points: [Vec2; 4],
    pub(super) n: usize,
}

/// A transform, brought with the coordinates that it is for to a range in which nothing overflows or is subnormal.
#[derive(Clone, Copy)]
pub(super) struct Map {
    /// Its matrix times 2 to the power of `exponent`: x to x, x to y, y to x, y to y.
    pub(super) matrix: [f32; 4],
    translation: Vec2,
    /// What coordinates are divided by 2 to the power of.
    exponent: i32,
}

/// The range of the exponents that coordinates are scaled by: those of the largest coordinate, within what 2 can be raised to.
const MIN_EXPONENT: i32 = -60;
const MAX_EXPONENT: i32 = 126;

/// The largest exponent of a scaled matrix or of a translation, beyond which boxes are out of range.
const MAX_MATRIX_EXPONENT: i32 = 100;

/// What is nothing among scaled coordinates, the largest of which is at least 1, and in a scaled matrix, in device space.
const COORDINATE_DUST: f32 = power_of_two_below_1(42);
const MATRIX_DUST: f32 = power_of_two_below_1(38);

pub(super) const fn power_of_two_below_1(k: u32) -> f32 {
    f32::from_bits((127 - k) << 23)
}

/// The bits of the magnitude of what is not finite, or more.
pub(super) const INFINITY: u32 = 0x7f80_0000;

pub(super) fn magnitude(x: f32) -> u32 {
    x.to_bits() & 0x7fff_ffff
}

impl Segment {
    /// The largest bits of the magnitude of a coordinate.
    pub(super) fn greatest(&self) -> u32 {
        greatest_of(&self.points[..self.n])
    }
}

impl Map {
    /// The transform for coordinates up to these bits. `None` where boxes could be out of range; all numbers are finite.
    pub(super) fn new(transform: [f32; 6], greatest: u32) -> Option<Self> {
        let exponent_of_coordinates = exponent_for(greatest);
        let is_subnormal = |x: f32| magnitude(x) < 1 << 23;
        let [a, b, c, d, translation @ ..] = transform;
        let matrix = [a, b, c, d].map(|v| if is_subnormal(v) { 0.0 } else { v });
        let is_huge = |v: f32, by: i32| v != 0.0 && exponent(v) + by > MAX_MATRIX_EXPONENT;
        if matrix.iter().any(|v| is_huge(*v, exponent_of_coordinates))
            || translation.iter().any(|v| is_huge(*v, 0))
        {
            return None;
        }
        let scale = power_of_two(exponent_of_coordinates);
        Some(Self {
            matrix: matrix.map(|v| flushed(v * scale, MATRIX_DUST)),
            translation: translation.map(|v| flushed(v, MATRIX_DUST)),
            exponent: exponent_of_coordinates,
        })
    }

    /// A coordinate or a length, scaled.
    pub(super) fn scaled(&self, x: f32) -> f32 {
        scaled(self.exponent, x)
    }

    /// Where a point of scaled coordinates is, and in which axes that is rounded.
    pub(super) fn apply(&self, [x, y]: Vec2) -> (Vec2, [bool; 2]) {
        let [a, b, c, d] = self.matrix;
        let (x_there, is_x_inexact) = affine(a, x, c, y, self.translation[0]);
        let (y_there, is_y_inexact) = affine(b, x, d, y, self.translation[1]);
        ([x_there, y_there], [is_x_inexact, is_y_inexact])
    }
}

/// What coordinates up to these bits are divided by 2 to the power of.
pub(super) fn exponent_for(greatest: u32) -> i32 {
    exponent(f32::from_bits(greatest)).clamp(MIN_EXPONENT, MAX_EXPONENT)
}

fn scaled(exponent: i32, x: f32) -> f32 {
    flushed(x * power_of_two(-exponent), COORDINATE_DUST)
}

/// Where the control points of a segment are, by axis.
struct Placed {
    values: [[f32; 4]; 2],
    is_inexact: [[bool; 4]; 2],
}

/// Places the control points. The ends each by itself, so that they are where those of the neighbours are.
///
/// `None` where boxes could be out of range; all numbers are finite.
fn placed(segment: &Segment, transform: [f32; 6]) -> Option<Placed> {
    let mut placed = Placed { values: [[0.0; 4]; 2], is_inexact: [[false; 4]; 2] };
    for (i, &point) in segment.points[..segment.n].iter().enumerate() {
        let is_end = i == 0 || i == segment.n - 1;
        let greatest = if is_end { greatest_of(&[point]) } else { segment.greatest() };
        let map = Map::new(transform, greatest)?;
        let (there, is_inexact) = map.apply(point.map(|c| map.scaled(c)));
        for axis in 0..2 {
            placed.values[axis][i] = there[axis];
            placed.is_inexact[axis][i] = is_inexact[axis];
        }
    }
    Some(placed)
}

/// The box of a segment that is filled.
pub(super) fn fill_box(segment: &Segment, transform: [f32; 6]) -> Aabb {
    let Some(Placed { values, is_inexact }) = placed(segment, transform) else { return Aabb::PLANE };
    let (x0, x1) = extent(values[0], segment.n, is_inexact[0]);
    let (y0, y1) = extent(values[1], segment.n, is_inexact[1]);
    Aabb { x0, y0, x1, y1 }
}

/// The largest bits of the magnitude of a coordinate.
fn greatest_of(points: &[Vec2]) -> u32 {
    points.iter().flatten().fold(0, |m, c| m.max(magnitude(*c)))
}
