//! Tight boxes of paths and rectangles under transforms.

use boxwood_cpu::Aabb;
use kurbo::{Affine, BezPath, ParamCurveExtrema, PathEl, Point, Rect, Vec2};
use usvg::Group;

use crate::geometry::affine;

/// Whether a transform takes `f32` coordinates to finite `f64` ones, and fits in an `f32` itself.
pub(crate) fn is_in_range(transform: Affine) -> bool {
    // A NaN fails the comparison.
    transform.as_coeffs().iter().all(|c| c.abs() <= f64::from(f32::MAX))
}

/// The transform from the contents of a group to the scene. `None` if its numbers are too large, or
/// if the group's own transform is not invertible: SVG does not render such a group.
pub(crate) fn scene_from_group(group: &Group, scene_from_parent: Affine) -> Option<Affine> {
    let scene_from_group = scene_from_parent * affine(group.transform());
    (is_invertible(group) && is_in_range(scene_from_group)).then_some(scene_from_group)
}

/// Whether a group's own transform is invertible. The determinant is exact: its factors are `f32`.
pub(crate) fn is_invertible(group: &Group) -> bool {
    affine(group.transform()).determinant() != 0.0
}

/// The bounds of a path after a transform, `None` if it has no segment.
pub(crate) fn bounds(path: &BezPath, transform: Affine) -> Option<Rect> {
    let boxes = path.segments().map(|segment| ParamCurveExtrema::bounding_box(&(transform * segment)));
    boxes.reduce(|a, b| a.union(b))
}

/// The bounds of a path after a transform, including the points of subpaths without a segment that
/// are closed, such as `M9 9z`. SVG 2 (section 9.3.1) draws caps there.
pub(crate) fn bounds_with_points(path: &BezPath, transform: Affine) -> Option<Rect> {
    let points = path.subpaths().filter_map(|subpath| match subpath {
        [PathEl::MoveTo(p), PathEl::ClosePath] => Some(Rect::from_points(transform * *p, transform * *p)),
        _ => None,
    });
    points.chain(bounds(path, transform)).reduce(|a, b| a.union(b))
}

/// The box of the interior of a path after a transform.
///
/// A subpath whose points are all on one line has no interior.
pub(crate) fn fill_box(path: &BezPath, transform: Affine) -> Aabb {
    bounds(&without_flat_subpaths(path), transform).map_or(Aabb::EMPTY, aabb)
}

/// The path without the subpaths that have no interior.
pub(crate) fn without_flat_subpaths(path: &BezPath) -> BezPath {
    path.subpaths().filter(|subpath| !is_flat(subpath)).flatten().copied().collect()
}

/// The points of a path, including control points.
pub(crate) fn control_points(path: &[PathEl]) -> impl Iterator<Item = Point> {
    path.iter()
        .flat_map(|element| match *element {
            PathEl::MoveTo(a) | PathEl::LineTo(a) => [Some(a), None, None],
            PathEl::QuadTo(a, b) => [Some(a), Some(b), None],
            PathEl::CurveTo(a, b, c) => [Some(a), Some(b), Some(c)],
            PathEl::ClosePath => [None; 3],
        })
        .flatten()
}

/// Whether all points of a subpath are on one line.
fn is_flat(subpath: &[PathEl]) -> bool {
    let points = || control_points(subpath);
    let Some(origin) = points().next() else { return true };
    let direction = points().map(|p| p - origin).find(|d| *d != Vec2::ZERO);
    direction.is_none_or(|direction| points().all(|p| direction.cross(p - origin) == 0.0))
}

/// A box as a rectangle, `None` if it is empty.
pub(crate) fn area(b: Aabb) -> Option<Rect> {
    (!b.is_empty()).then(|| Rect::new(b.x0.into(), b.y0.into(), b.x1.into(), b.y1.into()))
}

/// The box of a rectangle after a transform.
pub(crate) fn rect_box(rect: Rect, transform: Affine) -> Aabb {
    aabb(transform.transform_rect_bbox(rect))
}

/// The smallest box of `f32` that contains a rectangle: the whole plane if a side is NaN.
pub(crate) fn aabb(rect: Rect) -> Aabb {
    Aabb::new(rect.x0, rect.y0, rect.x1, rect.y1).unwrap_or(Aabb::PLANE)
}

/// The largest factor by which a transform stretches a length: its larger singular value.
pub(crate) fn max_scale(transform: Affine) -> f64 {
    let [a, b, c, d, ..] = transform.as_coeffs();
    let (x, y) = (a * a + b * b, c * c + d * d);
    (0.5 * (x + y + (x - y).hypot(2.0 * (a * c + b * d)))).sqrt()
}

#[cfg(test)]
mod tests {
    use kurbo::Shape;

    use super::*;

    #[test]
    fn a_rotated_circle_has_the_bounds_of_a_circle() {
        let circle = kurbo::Circle::new((10.0, 0.0), 5.0).to_path(1e-6);
        let rotated = bounds(&circle, Affine::rotate(1.0)).expect("a circle has segments");
        let (sin, cos) = 1.0_f64.sin_cos();
        let expected = Rect::from_center_size((10.0 * cos, 10.0 * sin), (10.0, 10.0));
        for (a, b) in [(rotated.x0, expected.x0), (rotated.y0, expected.y0), (rotated.x1, expected.x1)] {
            assert!((a - b).abs() < 1e-4, "{rotated} is not {expected}");
        }
    }

    #[test]
    fn max_scale_is_the_larger_singular_value() {
        let transform = Affine::rotate(0.3) * Affine::scale_non_uniform(2.0, 7.0) * Affine::rotate(1.1);
        assert!((max_scale(transform) - 7.0).abs() < 1e-12);
        assert!((max_scale(Affine::skew(1.0, 0.0)) - 1.618_033_988).abs() < 1e-9);
        assert_eq!(max_scale(Affine::scale(0.0)), 0.0);
    }

    #[test]
    fn a_path_without_segments_has_an_empty_box() {
        let mut path = BezPath::new();
        path.move_to((5.0, 5.0));
        assert_eq!(fill_box(&path, Affine::IDENTITY), Aabb::EMPTY);
    }

    #[test]
    fn closed_points_are_within_bounds() {
        let bounds_of = |d: &str| {
            bounds_with_points(&BezPath::from_svg(d).expect("a path"), Affine::translate((1.0, 0.0)))
        };
        assert_eq!(bounds_of("M9 8zM1 2H5M7 7"), Some(Rect::new(2.0, 2.0, 10.0, 8.0)));
        assert_eq!(bounds_of("M9 8z"), Some(Rect::new(10.0, 8.0, 10.0, 8.0)));
        assert_eq!(bounds_of("M9 8"), None);
    }

    #[test]
    fn flat_subpaths_have_no_interior() {
        let path = |d: &str| BezPath::from_svg(d).expect("a path");
        for flat in ["M0 0L9 9", "M0 0L9 9Z", "M10 30H50M30 10V50", "M1 1C2 2 3 3 9 9L5 5Z", "M3 3Z"] {
            assert_eq!(fill_box(&path(flat), Affine::rotate(0.5)), Aabb::EMPTY, "{flat}");
        }
        let corner = Aabb::new(0.0, 0.0, 2.0, 1.0).expect("numbers");
        assert_eq!(fill_box(&path("M0 0H2V1M5 5H90"), Affine::IDENTITY), corner);
        assert_eq!(without_flat_subpaths(&path("M0 0H2V1M5 5H90")), path("M0 0H2V1"));
    }

    #[test]
    fn transforms_beyond_f32_are_out_of_range() {
        assert!(is_in_range(Affine::scale(1e38)));
        for bad in [1e39, f64::INFINITY, f64::NAN] {
            assert!(!is_in_range(Affine::scale(bad)), "{bad}");
        }
    }
}
