//! Cutting an outline to a rectangle.

use kurbo::{BezPath, Point, Rect, Shape};

use crate::geometry::control_points;

/// The smallest error that curves are flattened with, in px.
const MIN_TOLERANCE: f64 = 0.05;

/// The error that curves are flattened with, relative to the size of the path: even a huge path
/// becomes few lines.
const RELATIVE_TOLERANCE: f64 = 1e-6;

/// The part of the interior of a path that is inside of a rectangle, as polygons.
///
/// Winding numbers inside of the rectangle are kept, so the result can be filled with any rule. The
/// algorithm is that of Sutherland and Hodgman (1974), applied to each subpath. Every subpath
/// begins with a `MoveTo`, as in usvg's paths and kurbo's strokes.
pub(crate) fn cut(path: &BezPath, rect: Rect) -> BezPath {
    let bounds = path.bounding_box();
    let tolerance = (bounds.width().max(bounds.height()) * RELATIVE_TOLERANCE).max(MIN_TOLERANCE);
    let mut lines = BezPath::new();
    kurbo::flatten(path.iter(), tolerance, |element| lines.push(element));
    let mut cut = BezPath::new();
    for subpath in lines.subpaths() {
        let mut points: Vec<_> = control_points(subpath).collect();
        points = cut_side(&points, |p| p.x - rect.x0, |p| Point::new(rect.x0, p.y));
        points = cut_side(&points, |p| rect.x1 - p.x, |p| Point::new(rect.x1, p.y));
        points = cut_side(&points, |p| p.y - rect.y0, |p| Point::new(p.x, rect.y0));
        points = cut_side(&points, |p| rect.y1 - p.y, |p| Point::new(p.x, rect.y1));
        if points.len() >= 3 {
            cut.move_to(points[0]);
            points[1..].iter().for_each(|point| cut.line_to(*point));
            cut.close_path();
        }
    }
    cut
}

/// The part of a closed polygon where `depth` is not negative.
///
/// `snap` moves a point onto the line where `depth` is zero: between huge coordinates,
/// interpolation misses it by far.
fn cut_side(points: &[Point], depth: impl Fn(Point) -> f64, snap: impl Fn(Point) -> Point) -> Vec<Point> {
    let mut kept = Vec::with_capacity(points.len() + 4);
    let Some(&last) = points.last() else { return kept };
    let mut from = last;
    for &to in points {
        let (depth_from, depth_to) = (depth(from), depth(to));
        if (depth_from < 0.0) != (depth_to < 0.0) {
            kept.push(snap(from.lerp(to, depth_from / (depth_from - depth_to))));
        }
        if depth_to >= 0.0 {
            kept.push(to);
        }
        from = to;
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn area_and_winding_inside_of_the_rectangle_are_kept() {
        let mut path = Rect::new(-1e30, 2.0, 1e30, 4.0).to_path(0.1);
        path.extend(Rect::new(0.0, 0.0, 4.0, 4.0).to_path(0.1).reverse_subpaths());
        let cut = cut(&path, Rect::new(0.0, 0.0, 10.0, 10.0));
        assert!((cut.area() - (20.0 - 16.0)).abs() < 1e-9, "{}", cut.area());
        assert_eq!(cut.winding(Point::new(8.0, 3.0)), 1);
        assert_eq!(cut.winding(Point::new(2.0, 3.0)), 0);
        assert_eq!(cut.winding(Point::new(2.0, 1.0)), -1);
    }

    #[test]
    fn nothing_is_left_of_a_path_outside_of_the_rectangle() {
        let path = Rect::new(20.0, 0.0, 30.0, 5.0).to_path(0.1);
        assert!(cut(&path, Rect::new(0.0, 0.0, 10.0, 10.0)).is_empty());
    }

    #[test]
    fn a_slanted_edge_is_cut_where_it_crosses() {
        let mut path = BezPath::new();
        path.move_to((-10.0, 0.0));
        path.line_to((10.0, 0.0));
        path.line_to((10.0, 20.0));
        let cut = cut(&path, Rect::new(0.0, 0.0, 10.0, 20.0));
        // A trapezium that is 10 high at x = 0 and 20 high at x = 10.
        assert!((cut.area().abs() - 150.0).abs() < 1e-9, "{}", cut.area());
    }
}
