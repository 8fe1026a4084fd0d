//! The position of the drawing in the picture: a uniform scale and a translation.

use kurbo::{Affine, Point, Size, Vec2};

/// The map from scene space to device space: a uniform scale, then a translation.
///
/// Scene space is the drawing at 100 %, in CSS pixels. Device space is the picture, in device
/// pixels. In both, x points right and y points down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ViewTransform {
    /// Device pixels per scene unit. Positive and finite.
    pub scale: f64,
    /// The position of the scene's origin, in device pixels.
    pub translation: Vec2,
}

/// The scales that zooming stays within, in device pixels per scene unit.
///
/// Renderers compute in `f32`, which has 24 significant bits. At the upper end, 2¹⁴ pixels per
/// unit, a coordinate of 1,024 units is 2²⁴ pixels, and `f32` still resolves single pixels there.
/// At the lower end, a drawing of 4,096 units is one pixel.
pub const SCALE_RANGE: std::ops::RangeInclusive<f64> = 1.0 / 4096.0..=16_384.0;

impl ViewTransform {
    /// Scales by `scale` device pixels per scene unit, with the origins of both spaces at one
    /// point.
    pub const fn scaled(scale: f64) -> Self {
        Self { scale, translation: Vec2::ZERO }
    }

    /// Centres the scene in a viewport, as large as fits with a margin of `margin` device pixels.
    #[must_use]
    pub fn fit(scene: Size, viewport: Size, margin: f64) -> Self {
        let room = (viewport - Size::new(2.0, 2.0) * margin).max(Size::new(1.0, 1.0));
        let scale = (room.width / scene.width).min(room.height / scene.height);
        Self::centred(scene, viewport, clamp_scale(scale))
    }

    /// Centres the scene in a viewport, with its origin on a whole device pixel.
    #[must_use]
    pub fn centred(scene: Size, viewport: Size, scale: f64) -> Self {
        let rest = (viewport - scene * scale) * 0.5;
        Self { scale, translation: Vec2::new(rest.width.round(), rest.height.round()) }
    }

    /// Magnifies by `factor` around `anchor`, a point in device space that stays in place.
    ///
    /// The scale stays within [`SCALE_RANGE`]. A factor that is not a positive number changes
    /// nothing.
    #[must_use]
    pub fn zoomed_at(self, anchor: Point, factor: f64) -> Self {
        if !(factor.is_finite() && factor > 0.0) {
            return self;
        }
        let scale = clamp_scale(self.scale * factor);
        let anchor = anchor.to_vec2();
        Self { scale, translation: anchor - (anchor - self.translation) * (scale / self.scale) }
    }

    /// Moves the drawing by `delta` device pixels.
    #[must_use]
    pub fn panned(self, delta: Vec2) -> Self {
        Self { translation: self.translation + delta, ..self }
    }

    /// The transform as a matrix.
    pub fn device_from_scene(self) -> Affine {
        Affine::translate(self.translation) * Affine::scale(self.scale)
    }

    /// The scene point at a point of device space.
    pub fn scene_from_device(self, point: Point) -> Point {
        ((point.to_vec2() - self.translation) / self.scale).to_point()
    }
}

/// The nearest scale within [`SCALE_RANGE`].
fn clamp_scale(scale: f64) -> f64 {
    scale.clamp(*SCALE_RANGE.start(), *SCALE_RANGE.end())
}

#[cfg(test)]
mod tests {
    use super::*;

    const VIEWPORT: Size = Size::new(800.0, 600.0);

    #[test]
    fn fit_leaves_the_margin_on_the_tighter_axis() {
        let view = ViewTransform::fit(Size::new(100.0, 100.0), VIEWPORT, 20.0);
        assert_eq!(view, ViewTransform { scale: 5.6, translation: Vec2::new(120.0, 20.0) });
        let tiny = ViewTransform::fit(Size::new(1e9, 1.0), VIEWPORT, 0.0);
        assert_eq!(tiny.scale, *SCALE_RANGE.start());
        let narrow = ViewTransform::fit(Size::new(100.0, 100.0), Size::new(10.0, 10.0), 20.0);
        assert!(narrow.scale > 0.0, "a viewport smaller than its margins");
    }

    #[test]
    fn centred_puts_the_origin_on_a_whole_pixel() {
        let view = ViewTransform::centred(Size::new(101.0, 33.0), VIEWPORT, 1.0);
        assert_eq!(view.translation, Vec2::new(350.0, 284.0));
    }

    #[test]
    fn zooming_keeps_the_point_under_the_cursor() {
        let anchor = Point::new(123.0, 456.0);
        let mut view = ViewTransform { scale: 1.3, translation: Vec2::new(-40.0, 17.0) };
        let held = view.scene_from_device(anchor);
        for factor in [1.1, 7.0, 0.01, 1e9, 1e-9, 1e-9, 3.0] {
            view = view.zoomed_at(anchor, factor);
            assert!(SCALE_RANGE.contains(&view.scale), "scale {}", view.scale);
            let now = view.scene_from_device(anchor);
            assert!(held.distance(now) < 1e-6, "{held} moved to {now}");
        }
        for factor in [f64::NAN, 0.0, -1.0, f64::INFINITY] {
            assert_eq!(view.zoomed_at(anchor, factor), view);
        }
    }

    #[test]
    fn panning_moves_by_device_pixels() {
        let view = ViewTransform::scaled(2.0).panned(Vec2::new(3.0, -4.0));
        assert_eq!(view.device_from_scene() * Point::new(1.0, 1.0), Point::new(5.0, -2.0));
    }
}
