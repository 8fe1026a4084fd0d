//! The numbers of a box, as they are printed.

use boxwood_cpu::Aabb;
use kurbo::{Affine, Rect};
use serde::Serialize;

/// Converts a box of the scene to pixels at a zoom, and rounds it outward to whole pixels. Beyond
/// 2^24 not every whole number is an `f32`, and the next one outward is taken.
pub(crate) fn in_device(bounds: Aabb, zoom: f64) -> Aabb {
    if bounds == Aabb::PLANE || bounds == Aabb::EMPTY {
        return bounds;
    }
    let low = |edge: f32| round_down((f64::from(edge) * zoom).floor());
    let high = |edge: f32| -round_down((-f64::from(edge) * zoom).floor());
    // Adding 0.0 turns -0.0 into 0.0.
    let [x0, y0, x1, y1] =
        [low(bounds.x0), low(bounds.y0), high(bounds.x1), high(bounds.y1)].map(|edge| edge + 0.0);
    Aabb { x0, y0, x1, y1 }
}

/// A box of the scene in another unit. Each edge is rounded to the nearest `f32`.
pub(crate) fn transformed(bounds: Aabb, unit_from_scene: Affine) -> Aabb {
    if bounds == Aabb::PLANE || bounds == Aabb::EMPTY {
        return bounds;
    }
    let Aabb { x0, y0, x1, y1 } = bounds;
    let rect = Rect::new(x0.into(), y0.into(), x1.into(), y1.into());
    let Rect { x0, y0, x1, y1 } = unit_from_scene.transform_rect_bbox(rect);
    #[expect(clippy::cast_possible_truncation, reason = "clamped to the range of f32")]
    let [x0, y0, x1, y1] =
        [x0, y0, x1, y1].map(|edge| edge.clamp(f32::MIN.into(), f32::MAX.into()) as f32 + 0.0);
    Aabb { x0, y0, x1, y1 }
}

/// The largest finite `f32` that is not above a number, or `f32::MIN` if there is none.
#[expect(clippy::cast_possible_truncation, reason = "clamped to the range of f32")]
fn round_down(value: f64) -> f32 {
    let nearest = value.clamp(f32::MIN.into(), f32::MAX.into()) as f32;
    if f64::from(nearest) > value { nearest.next_down().max(f32::MIN) } else { nearest }
}

/// The position, size and edges of a box, as numbers or as texts. The width and height are rounded
/// to the nearest `f32`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Numbers<T> {
    /// The left edge.
    pub x: T,
    /// The top edge.
    pub y: T,
    /// The width.
    pub width: T,
    /// The height.
    pub height: T,
    /// The left edge.
    pub x0: T,
    /// The top edge.
    pub y0: T,
    /// The right edge.
    pub x1: T,
    /// The bottom edge.
    pub y1: T,
}

impl From<Aabb> for Numbers<f32> {
    fn from(Aabb { x0, y0, x1, y1 }: Aabb) -> Self {
        // Both edges may be near the largest number, on either side of zero.
        let length = |start: f32, end: f32| (end - start).min(f32::MAX);
        Self { x: x0, y: y0, width: length(x0, x1), height: length(y0, y1), x0, y0, x1, y1 }
    }
}

impl<T: Clone> Numbers<T> {
    /// The numbers of a box, or eight times `plane` or `empty`.
    pub fn of(bounds: Aabb, number: impl Fn(f32) -> T, plane: T, empty: T) -> Self {
        let convert = |value| match bounds {
            Aabb::PLANE => plane.clone(),
            // Not `is_empty`: an object box can be a line.
            Aabb::EMPTY => empty.clone(),
            _ => number(value),
        };
        let Numbers { x, y, width, height, x0, y0, x1, y1 } = Numbers::from(bounds);
        let [x, y, width, height] = [x, y, width, height].map(convert);
        let [x0, y0, x1, y1] = [x0, y0, x1, y1].map(convert);
        Self { x, y, width, height, x0, y0, x1, y1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn aabb(x0: f64, y0: f64, x1: f64, y1: f64) -> Aabb {
        Aabb::new(x0, y0, x1, y1).expect("no coordinate is NaN")
    }

    #[test]
    fn boxes_in_pixels_are_rounded_outward() {
        assert_eq!(in_device(aabb(0.4, -0.4, 1.1, 2.0), 2.0), aabb(0.0, -1.0, 3.0, 4.0));
        assert_eq!(in_device(Aabb::EMPTY, 2.0), Aabb::EMPTY);
        assert_eq!(in_device(Aabb::PLANE, 2.0), Aabb::PLANE);
        assert_eq!(in_device(aabb(0.0, 0.0, 1.0, 3e38), 9.0).y1, f32::MAX);
        // 3 x 5592405.5 = 16777216.5, and 16777217 is not an f32.
        let large = 5_592_405.5;
        assert_eq!(in_device(aabb(-large, large, 1.0, 2.0 * large), 3.0).x0, -16_777_218.0);
        assert_eq!(in_device(aabb(0.0, 0.0, large, large), 3.0).x1, 16_777_218.0);
    }

    #[test]
    fn the_size_of_a_box_is_finite() {
        let Numbers { x, y, width, height, x1, .. } = aabb(-3e38, 0.5, 3e38, 2.0).into();
        assert_eq!((x, y, x1), (-3e38, 0.5, 3e38));
        assert_eq!((width, height), (f32::MAX, 1.5));
    }
}
