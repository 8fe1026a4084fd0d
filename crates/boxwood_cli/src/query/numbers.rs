//! The numbers of a box, as they are printed.

use boxwood_cpu::Aabb;
use serde::Serialize;

/// Converts a box of the scene to pixels at a zoom, and rounds it outward to whole pixels.
pub(super) fn in_device(bounds: Aabb, zoom: f64) -> Aabb {
    if bounds == Aabb::PLANE || bounds == Aabb::EMPTY {
        return bounds;
    }
    #[expect(clippy::cast_possible_truncation, reason = "clamped to the range of f32")]
    let pixel = |edge: f32, round: fn(f64) -> f64| {
        round(f64::from(edge) * zoom).clamp(f64::from(f32::MIN), f64::from(f32::MAX)) as f32
    };
    Aabb {
        x0: pixel(bounds.x0, f64::floor),
        y0: pixel(bounds.y0, f64::floor),
        x1: pixel(bounds.x1, f64::ceil),
        y1: pixel(bounds.y1, f64::ceil),
    }
}

/// The position, size and edges of a box. The width and height are rounded to the nearest `f32`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Numbers<T> {
    pub(super) x: T,
    pub(super) y: T,
    pub(super) width: T,
    pub(super) height: T,
    pub(super) x0: T,
    pub(super) y0: T,
    pub(super) x1: T,
    pub(super) y1: T,
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
    pub(super) fn of(bounds: Aabb, number: impl Fn(f32) -> T, plane: T, empty: T) -> Self {
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
    }

    #[test]
    fn the_size_of_a_box_is_finite() {
        let Numbers { x, y, width, height, x1, .. } = aabb(-3e38, 0.5, 3e38, 2.0).into();
        assert_eq!((x, y, x1), (-3e38, 0.5, 3e38));
        assert_eq!((width, height), (f32::MAX, 1.5));
    }
}
