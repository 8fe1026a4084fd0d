//! kurbo 0.13.1 returns an outline with NaN for some strokes along cubic curves whose last two
//! control points coincide.
//!
//! The derivative of such a curve vanishes at its end. There kurbo looks for a cusp of the offset
//! curve and finds it exactly at the end, where it divides by the length of the derivative. So a
//! stroke that is not finite is expanded again along curves whose third control point is moved a
//! little towards the second, which keeps the direction of the end.

use kurbo::{BezPath, PathEl, Stroke, StrokeOpts};

/// How far the third control point is moved, relative to its distance from the second.
///
/// The curve moves by at most 4/9 of this, which is far below the tolerance of an outline. In
/// 200,000 random curves of 10 units, with strokes up to 1,000 wide, no outline was non-finite with
/// this. With 10⁻⁷, some had errors of 4 units.
const SHIFT: f64 = 1e-5;

/// The outline of a stroke.
pub(crate) fn outline(path: &BezPath, style: &Stroke, tolerance: f64) -> BezPath {
    let expand = |path: &BezPath| kurbo::stroke(path.iter(), style, &StrokeOpts::default(), tolerance);
    let outline = expand(path);
    if outline.is_finite() { outline } else { expand(&with_end_derivatives(path)) }
}

fn with_end_derivatives(path: &BezPath) -> BezPath {
    let shifted = |element| match element {
        PathEl::CurveTo(a, b, end) if b == end => PathEl::CurveTo(a, b.lerp(a, SHIFT), end),
        other => other,
    };
    path.iter().map(shifted).collect()
}

#[cfg(test)]
mod tests {
    use kurbo::{Cap, CubicBez, ParamCurve, ParamCurveDeriv, Point, Rect, Shape};

    use super::*;

    /// The curve of `assets/cases/strokenan.svg`, with its coordinates rounded to `f32`.
    fn curve_of_case() -> CubicBez {
        let point = |x: f32, y: f32| Point::new(x.into(), y.into());
        let end = point(1_031.903_1, 445.585_75);
        CubicBez::new(point(1_032.851_6, 441.123_75), point(1_032.851_6, 444.098_94), end, end)
    }

    fn path(curve: CubicBez) -> BezPath {
        [PathEl::MoveTo(curve.p0), PathEl::CurveTo(curve.p1, curve.p2, curve.p3)].into_iter().collect()
    }

    fn style(width: f64) -> Stroke {
        Stroke::new(width).with_caps(Cap::Butt)
    }

    /// The box of the ends of the normals of a curve.
    fn box_of_normals(curve: CubicBez, width: f64) -> Rect {
        const N: u32 = 20_000;
        let normals = (0..N).map(|i| {
            // Denser towards the ends.
            let t = 0.5 - 0.5 * (std::f64::consts::PI * f64::from(i) / f64::from(N)).cos();
            let normal = curve.deriv().eval(t).to_vec2().normalize().turn_90() * (0.5 * width);
            (curve.eval(t), normal)
        });
        let end = (curve.p3, (curve.p3 - curve.p1).normalize().turn_90() * (0.5 * width));
        let boxes = normals.chain([end]).map(|(p, normal)| Rect::from_points(p - normal, p + normal));
        boxes.reduce(|a, b| a.union(b)).expect("there are normals")
    }

    #[test]
    fn kurbo_still_returns_nan() {
        let outline = kurbo::stroke(path(curve_of_case()), &style(12.0), &StrokeOpts::default(), 0.001);
        assert!(!outline.is_finite());
    }

    #[test]
    fn outlines_are_finite_and_right() {
        let mut random = 88_172_645_463_325_252_u64;
        let mut coordinate = || {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            10.0 * (random >> 11) as f64 / (1_u64 << 53) as f64
        };
        let mut point = || Point::new(coordinate(), coordinate());
        let (mut n_repeated, mut curves) = (0, vec![curve_of_case()]);
        curves.extend((0..2_000).map(|_| {
            let [p0, p1, end] = [point(), point(), point()];
            CubicBez::new(p0, p1, end, end)
        }));
        for curve in curves {
            let (path, style) = (path(curve), style(12.0));
            if kurbo::stroke(path.iter(), &style, &StrokeOpts::default(), 0.001).is_finite() {
                continue;
            }
            n_repeated += 1;
            let (found, expected) =
                (outline(&path, &style, 0.001).bounding_box(), box_of_normals(curve, 12.0));
            for (a, b) in [
                (found.x0, expected.x0),
                (found.y0, expected.y0),
                (found.x1, expected.x1),
                (found.y1, expected.y1),
            ] {
                assert!((a - b).abs() < 0.005, "{curve:?}: {found} is not {expected}");
            }
        }
        assert!(n_repeated > 5, "only {n_repeated} outlines are non-finite");
    }
}
