//! The position of a drawing in a window: a uniform scale and a translation.

use kurbo::{Point, Size, TranslateScale};

/// The scales that zooming stays within, in device pixels per scene unit.
///
/// Renderers compute in `f32`, which has 24 significant bits. At the upper end, 2¹⁴ pixels per
/// unit, a coordinate of 1,024 units is 2²⁴ pixels, and `f32` still resolves single pixels there.
/// At the lower end, a drawing of 4,096 units is one pixel.
const SCALE_RANGE: std::ops::RangeInclusive<f64> = 1.0 / 4096.0..=16_384.0;

/// Centres the scene in a viewport, as large as fits with a margin of `margin` device pixels.
pub(crate) fn fit(scene: Size, viewport: Size, margin: f64) -> TranslateScale {
    let room = (viewport - Size::new(2.0, 2.0) * margin).max(Size::new(1.0, 1.0));
    let scale = (room.width / scene.width).min(room.height / scene.height);
    centred(scene, viewport, clamp_scale(scale))
}

/// Centres the scene in a viewport, with its origin on a whole device pixel.
pub(crate) fn centred(scene: Size, viewport: Size, scale: f64) -> TranslateScale {
    let rest = (viewport - scene * scale) * 0.5;
    TranslateScale::new(rest.to_vec2().round(), scale)
}

/// Magnifies a view by `factor` around `anchor`, a point in device space that stays in place.
///
/// The scale stays within [`SCALE_RANGE`]. A factor that is not a positive number changes nothing.
pub(crate) fn zoomed_at(view: TranslateScale, anchor: Point, factor: f64) -> TranslateScale {
    if !(factor.is_finite() && factor > 0.0) {
        return view;
    }
    let scale = clamp_scale(view.scale * factor);
    let anchor = anchor.to_vec2();
    TranslateScale::new(anchor - (anchor - view.translation) * (scale / view.scale), scale)
}

/// The nearest scale within [`SCALE_RANGE`].
fn clamp_scale(scale: f64) -> f64 {
    scale.clamp(*SCALE_RANGE.start(), *SCALE_RANGE.end())
}

#[cfg(test)]
mod tests {
    use kurbo::Vec2;

    use super::*;

    const VIEWPORT: Size = Size::new(800.0, 600.0);

    #[test]
    fn fit_leaves_the_margin_on_the_tighter_axis() {
        let view = fit(Size::new(100.0, 100.0), VIEWPORT, 20.0);
        assert_eq!((view.scale, view.translation), (5.6, Vec2::new(120.0, 20.0)));
        let tiny = fit(Size::new(1e9, 1.0), VIEWPORT, 0.0);
        assert_eq!(tiny.scale, *SCALE_RANGE.start());
        let narrow = fit(Size::new(100.0, 100.0), Size::new(10.0, 10.0), 20.0);
        assert!(narrow.scale > 0.0, "a viewport smaller than its margins");
    }

    #[test]
    fn centred_puts_the_origin_on_a_whole_pixel() {
        let view = centred(Size::new(101.0, 33.0), VIEWPORT, 1.0);
        assert_eq!(view.translation, Vec2::new(350.0, 284.0));
    }

    #[test]
    fn zooming_keeps_the_point_under_the_cursor() {
        let anchor = Point::new(123.0, 456.0);
        let mut view = TranslateScale::new(Vec2::new(-40.0, 17.0), 1.3);
        let held = view.inverse() * anchor;
        for factor in [1.1, 7.0, 0.01, 1e9, 1e-9, 1e-9, 3.0] {
            view = zoomed_at(view, anchor, factor);
            assert!(SCALE_RANGE.contains(&view.scale), "scale {}", view.scale);
            let now = view.inverse() * anchor;
            assert!(held.distance(now) < 1e-6, "{held} moved to {now}");
        }
        for factor in [f64::NAN, 0.0, -1.0, f64::INFINITY] {
            let same = zoomed_at(view, anchor, factor);
            assert_eq!((same.scale, same.translation), (view.scale, view.translation));
        }
    }
}
