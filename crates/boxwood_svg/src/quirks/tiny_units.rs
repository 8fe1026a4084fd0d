//! kurbo 0.13.1 and Vello 0.11 ignore tiny lengths, whatever the transform makes of them.
//!
//! kurbo dashes to within 10⁻⁶ units, and Vello takes lengths below 10⁻¹² for zero. In a drawing
//! whose units are large, such as `scale(1e9)` around tiny shapes, this is visible. So such paths
//! are enlarged, and their transforms reduced, before they are stroked or encoded.

use kurbo::{Affine, Rect};

use crate::geometry::max_scale;
use crate::guard::limits::{MAX_ENLARGED, MAX_UNIT};

/// The factor by which to enlarge a path with these bounds. It is 1 unless its units are large.
///
/// It is a power of two, so no coordinate is rounded. The path gets about its size in the scene,
/// but no coordinate beyond [`MAX_ENLARGED`].
pub(crate) fn enlargement(bounds: impl FnOnce() -> Rect, scene_from_path: Affine) -> f64 {
    let scale = max_scale(scene_from_path);
    if scale <= MAX_UNIT {
        return 1.0;
    }
    let Rect { x0, y0, x1, y1 } = bounds();
    let farthest = [x0, y0, x1, y1].map(f64::abs).into_iter().fold(0.0, f64::max);
    scale.min(MAX_ENLARGED / farthest).log2().floor().exp2().max(1.0)
}

#[cfg(test)]
mod tests {
    use kurbo::{BezPath, Shape, Stroke, StrokeOpts};

    use super::*;

    #[test]
    fn kurbo_still_dashes_by_absolute_lengths() {
        let dashed = |scale: f64| {
            let path =
                Affine::scale(scale) * BezPath::from_svg("M50 60C50 100 90 100 90 60").expect("a path");
            let dashes = kurbo::dash(path.iter(), 7.0 * scale, &[7.0 * scale]).collect::<BezPath>();
            let outline =
                kurbo::stroke(dashes, &Stroke::new(8.0 * scale), &StrokeOpts::default(), 0.001 * scale);
            outline.bounding_box().scale_from_origin(scale.recip())
        };
        let [usual, tiny] = [1.0, 1e-9].map(dashed);
        assert!((usual.x0 - tiny.x0).abs() > 10.0, "{usual} is nearly {tiny}");
    }

    #[test]
    fn paths_with_large_units_are_enlarged_to_their_size_in_the_scene() {
        for (farthest, scale, expected) in [
            (1e-13, 1e15, 2.0_f64.powi(49)),
            (0.0, 1e15, 2.0_f64.powi(49)),
            (8.0, 1e15, 2.0_f64.powi(17)),
            (1e9, 1e15, 1.0),
            (1e-5, 1e6, 1.0),
        ] {
            let rotated = Affine::rotate(0.5) * Affine::scale(scale);
            let bounds = || Rect::new(0.0, -farthest, 0.5 * farthest, 0.0);
            assert_eq!(enlargement(bounds, rotated), expected, "{farthest} {scale}");
        }
    }
}
