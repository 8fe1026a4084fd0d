//! Paths and their tight boxes.

use boxwood_cpu::Aabb;
use kurbo::{Affine, BezPath, ParamCurveExtrema, PathEl, PathSeg, Point, Rect, Vec2};
use usvg::tiny_skia_path::{self, PathSegment};

/// A unit of a space is large if it is more units of the scene than this. In others, what renderers and strokers take for no
/// length (Vello 10⁻¹² units, kurbo 10⁻⁶) is none to be seen.
const LARGE_UNIT: f64 = 1_048_576.0;

/// The largest coordinate that a path is enlarged to.
const MAX_ENLARGED: f64 = 1_048_576.0;

/// usvg's transform as kurbo's.
pub(crate) fn affine(transform: usvg::Transform) -> Affine {
    let usvg::Transform { sx, kx, ky, sy, tx, ty } = transform;
    Affine::new([sx, ky, kx, sy, tx, ty].map(f64::from))
}

/// Whether the transform keeps `f32` coordinates within `f64`, and is itself within `f32`.
pub(crate) fn is_in_range(transform: Affine) -> bool {
    // A NaN fails the comparison.
    transform.as_coeffs().iter().all(|c| c.abs() <= f64::from(f32::MAX))
}

/// usvg's path as kurbo's.
pub(crate) fn bez_path(data: &tiny_skia_path::Path) -> BezPath {
    let point = |p: tiny_skia_path::Point| Point::new(p.x.into(), p.y.into());
    let mut path = BezPath::with_capacity(data.len());
    for segment in data.segments() {
        match segment {
            PathSegment::MoveTo(p) => path.move_to(point(p)),
            PathSegment::LineTo(p) => path.line_to(point(p)),
            PathSegment::QuadTo(p1, p2) => path.quad_to(point(p1), point(p2)),
            PathSegment::CubicTo(p1, p2, p3) => path.curve_to(point(p1), point(p2), point(p3)),
            PathSegment::Close => path.close_path(),
        }
    }
    path
}

/// usvg's rectangle as kurbo's.
pub(crate) fn rect(rect: usvg::NonZeroRect) -> Rect {
    Rect::new(rect.left().into(), rect.top().into(), rect.right().into(), rect.bottom().into())
}

/// The bounds of a curve after the transform, `None` for a path that has no segment.
pub(crate) fn bounds(path: &BezPath, transform: Affine) -> Option<Rect> {
    segments_bounds(path.segments(), transform)
}

fn segments_bounds(segments: impl Iterator<Item = PathSeg>, transform: Affine) -> Option<Rect> {
    segments
        .map(|segment| match transform * segment {
            // As `Line::bounding_box`, without its search for extrema.
            PathSeg::Line(line) => Rect::from_points(line.p0, line.p1),
            curve => ParamCurveExtrema::bounding_box(&curve),
        })
        .reduce(|a, b| a.union(b))
}

/// The box of the interior of a path after the transform, in the space that the transform leads to.
///
/// Subpaths whose points are all on one line enclose nothing and do not count.
pub(crate) fn fill_box(path: &BezPath, transform: Affine) -> Aabb {
    let boxes = enclosing_subpaths(path)
        .filter_map(|subpath| segments_bounds(kurbo::segments(subpath.iter().copied()), transform));
    boxes.reduce(|a, b| a.union(b)).map_or(Aabb::EMPTY, aabb)
}

/// The path without the subpaths that enclose nothing, as [`fill_box`] has it.
pub(crate) fn without_flat_subpaths(path: &BezPath) -> BezPath {
    enclosing_subpaths(path).flatten().copied().collect()
}

fn enclosing_subpaths(path: &BezPath) -> impl Iterator<Item = &[PathEl]> {
    let elements = path.elements();
    let is_start = |i: &usize| *i == 0 || matches!(elements[*i], PathEl::MoveTo(_));
    let mut starts = (0..elements.len()).filter(is_start).peekable();
    std::iter::from_fn(move || {
        let start = starts.next()?;
        Some(&elements[start..starts.peek().copied().unwrap_or(elements.len())])
    })
    .filter(|subpath| !is_flat(subpath))
}

/// Whether all points are on one line.
fn is_flat(subpath: &[PathEl]) -> bool {
    let points = || {
        subpath.iter().flat_map(|element| match *element {
            PathEl::MoveTo(a) | PathEl::LineTo(a) => [Some(a), None, None],
            PathEl::QuadTo(a, b) => [Some(a), Some(b), None],
            PathEl::CurveTo(a, b, c) => [Some(a), Some(b), Some(c)],
            PathEl::ClosePath => [None; 3],
        })
    };
    let Some(origin) = points().flatten().next() else { return true };
    let Some(direction) = points().flatten().map(|p| p - origin).find(|d| *d != Vec2::ZERO) else {
        return true;
    };
    points().flatten().all(|p| direction.cross(p - origin) == 0.0)
}

/// A box as a rectangle, `None` if it is empty.
pub(crate) fn area(b: Aabb) -> Option<Rect> {
    (!b.is_empty()).then(|| Rect::new(b.x0.into(), b.y0.into(), b.x1.into(), b.y1.into()))
}

/// The box of a rectangle after the transform.
pub(crate) fn rect_box(rect: Rect, transform: Affine) -> Aabb {
    aabb(transform.transform_rect_bbox(rect))
}

/// The smallest box of `f32` that holds the rectangle. One that is not a number could be anywhere.
pub(crate) fn aabb(rect: Rect) -> Aabb {
    Aabb::new(rect.x0, rect.y0, rect.x1, rect.y1).unwrap_or(Aabb::PLANE)
}

/// The most that the transform stretches any length.
pub(crate) fn max_scale(transform: Affine) -> f64 {
    // The larger singular value.
    let [a, b, c, d, ..] = transform.as_coeffs();
    let (x, y) = (a * a + b * b, c * c + d * d);
    (0.5 * (x + y + (x - y).hypot(2.0 * (a * c + b * d)))).sqrt()
}

/// By how much a path is to be enlarged, and its transform reduced, before it is stroked or encoded: 1, unless its units are
/// large.
///
/// It is a power of two, so that nothing is rounded, and brings the path to about its size in the scene, but no coordinate of its
/// `bounds` beyond a limit.
pub(crate) fn enlargement(bounds: impl FnOnce() -> Rect, scene_from_path: Affine) -> f64 {
    let scale = max_scale(scene_from_path);
    if scale <= LARGE_UNIT {
        return 1.0;
    }
    let Rect { x0, y0, x1, y1 } = bounds();
    let farthest = [x0, y0, x1, y1].map(f64::abs).into_iter().fold(0.0, f64::max);
    scale.min(MAX_ENLARGED / farthest).log2().floor().exp2().max(1.0)
}

#[cfg(test)]
mod tests {
    use kurbo::Shape;

    use super::*;

    #[test]
    fn the_box_of_a_turned_circle_stays_that_of_the_circle() {
        let circle = kurbo::Circle::new((10.0, 0.0), 5.0).to_path(1e-6);
        let turned = bounds(&circle, Affine::rotate(1.0)).expect("a circle has segments");
        let (sin, cos) = 1.0_f64.sin_cos();
        let expected = Rect::from_center_size((10.0 * cos, 10.0 * sin), (10.0, 10.0));
        for (a, b) in [(turned.x0, expected.x0), (turned.y0, expected.y0), (turned.x1, expected.x1)] {
            assert!((a - b).abs() < 1e-4, "{turned} is not {expected}");
        }
    }

    #[test]
    fn the_most_that_a_transform_stretches() {
        let transform = Affine::rotate(0.3) * Affine::scale_non_uniform(2.0, 7.0) * Affine::rotate(1.1);
        assert!((max_scale(transform) - 7.0).abs() < 1e-12);
        assert!((max_scale(Affine::skew(1.0, 0.0)) - 1.618_033_988).abs() < 1e-9);
        assert_eq!(max_scale(Affine::scale(0.0)), 0.0);
    }

    #[test]
    fn a_path_without_segments_has_no_box() {
        let mut path = BezPath::new();
        path.move_to((5.0, 5.0));
        assert_eq!(fill_box(&path, Affine::IDENTITY), Aabb::EMPTY);
    }

    #[test]
    fn flat_subpaths_enclose_nothing() {
        let path = |d: &str| BezPath::from_svg(d).expect("a path");
        for flat in ["M0 0L9 9", "M0 0L9 9Z", "M10 30H50M30 10V50", "M1 1C2 2 3 3 9 9L5 5Z", "M3 3Z"] {
            assert_eq!(fill_box(&path(flat), Affine::rotate(0.5)), Aabb::EMPTY, "{flat}");
        }
        let corner = Aabb::new(0.0, 0.0, 2.0, 1.0).expect("numbers");
        assert_eq!(fill_box(&path("M0 0H2V1M5 5H90"), Affine::IDENTITY), corner);
        assert_eq!(without_flat_subpaths(&path("M0 0H2V1M5 5H90")), path("M0 0H2V1"));
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
            let turned = Affine::rotate(0.5) * Affine::scale(scale);
            let bounds = || Rect::new(0.0, -farthest, 0.5 * farthest, 0.0);
            assert_eq!(enlargement(bounds, turned), expected, "{farthest} {scale}");
        }
    }

    #[test]
    fn transforms_out_of_range_are_known() {
        assert!(is_in_range(Affine::scale(1e38)));
        for bad in [1e39, f64::INFINITY, f64::NAN] {
            assert!(!is_in_range(Affine::scale(bad)), "{bad} was taken");
        }
    }
}
