//! Cutting an outline to a rectangle.

use kurbo::{BezPath, PathEl, Point, Rect, Shape};

/// The part of the interior of `path` that is within `window`, as polygons.
///
/// Curves become lines within `tolerance`. Winding numbers are kept inside the window, so any fill rule may follow
/// (Sutherland and Hodgman 1974, on each subpath).
pub(crate) fn cut(path: &BezPath, window: Rect, tolerance: f64) -> BezPath {
    let mut cut = BezPath::new();
    let mut subpath = Vec::new();
    kurbo::flatten(path.iter(), tolerance, |element| match element {
        PathEl::MoveTo(p) => {
            finish(&mut subpath, window, &mut cut);
            subpath.push(p);
        }
        PathEl::LineTo(p) => subpath.push(p),
        PathEl::ClosePath => {
            // A path may go on from the point where its last subpath began.
            let start = subpath.first().copied();
            finish(&mut subpath, window, &mut cut);
            subpath.extend(start);
        }
        PathEl::QuadTo(..) | PathEl::CurveTo(..) => {}
    });
    finish(&mut subpath, window, &mut cut);
    cut
}

/// A tolerance for [`cut`] with which even a huge path makes few lines.
pub(crate) fn cut_tolerance(path: &BezPath) -> f64 {
    let bounds = path.bounding_box();
    (bounds.width().max(bounds.height()) * 1e-6).max(0.05)
}

fn finish(subpath: &mut Vec<Point>, window: Rect, cut: &mut BezPath) {
    let mut points = std::mem::take(subpath);
    points = cut_side(&points, |p| p.x - window.x0, |p| Point::new(window.x0, p.y));
    points = cut_side(&points, |p| window.x1 - p.x, |p| Point::new(window.x1, p.y));
    points = cut_side(&points, |p| p.y - window.y0, |p| Point::new(p.x, window.y0));
    points = cut_side(&points, |p| window.y1 - p.y, |p| Point::new(p.x, window.y1));
    if points.len() >= 3 {
        cut.move_to(points[0]);
        for &point in &points[1..] {
            cut.line_to(point);
        }
        cut.close_path();
    }
}

/// The part of a closed polygon where `depth` is not negative. `snap` brings a point onto the line where it is zero,
/// which interpolation alone misses by far between huge coordinates.
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
    fn area_and_winding_are_those_within_the_window() {
        let mut path = Rect::new(-1e30, 2.0, 1e30, 4.0).to_path(0.1);
        path.extend(Rect::new(0.0, 0.0, 4.0, 4.0).to_path(0.1).reverse_subpaths());
        let cut = cut(&path, Rect::new(0.0, 0.0, 10.0, 10.0), 0.1);
        assert!((cut.area() - (20.0 - 16.0)).abs() < 1e-9, "{}", cut.area());
        assert_eq!(cut.winding(Point::new(8.0, 3.0)), 1);
        assert_eq!(cut.winding(Point::new(2.0, 3.0)), 0);
        assert_eq!(cut.winding(Point::new(2.0, 1.0)), -1);
    }

    #[test]
    fn nothing_is_left_of_a_path_beyond_the_window() {
        let path = Rect::new(20.0, 0.0, 30.0, 5.0).to_path(0.1);
        assert!(cut(&path, Rect::new(0.0, 0.0, 10.0, 10.0), 0.1).is_empty());
    }

    #[test]
    fn a_slanted_edge_is_cut_where_it_crosses() {
        let mut path = BezPath::new();
        path.move_to((-10.0, 0.0));
        path.line_to((10.0, 0.0));
        path.line_to((10.0, 20.0));
        let cut = cut(&path, Rect::new(0.0, 0.0, 10.0, 20.0), 0.1);
        // The trapezium between x = 0, where the slope is 10 high, and x = 10, where it is 20 high.
        assert!((cut.area().abs() - 150.0).abs() < 1e-9, "{}", cut.area());
    }
}
