//! Outlines as lines, and whether a point is inside.

use kurbo::{BezPath, Line, ParamCurveNearest, PathEl, Point, Rect};
use peniko::Fill;

/// The largest error of an outline, relative to its size. If it fills a screen of 4,096 pixels, the
/// error is 1/4 of a pixel.
const RELATIVE_TOLERANCE: f64 = 1.0 / 16_384.0;

/// The largest error of an outline in px at 100 %, for huge outlines. At a zoom of 100, it is a
/// pixel.
const MAX_TOLERANCE: f64 = 0.01;

/// The number of lines per chunk. A point beside the box of a chunk is not compared with its lines.
const CHUNK: usize = 16;

/// The error that an outline of this size may be flattened or expanded with, in px.
pub(super) fn tolerance(bounds: Rect) -> f64 {
    // A point has no size, but lines need some tolerance.
    (RELATIVE_TOLERANCE * bounds.width().max(bounds.height())).clamp(f64::MIN_POSITIVE, MAX_TOLERANCE)
}

/// Lines in scene space.
#[derive(Debug)]
pub(super) struct Lines {
    lines: Vec<Line>,
    /// The bounds of each [`CHUNK`] of the lines.
    chunks: Vec<Rect>,
}

impl Lines {
    /// The lines of a flattened path. If `is_closed`, every subpath ends where it starts.
    pub(super) fn new(path: &BezPath, tolerance: f64, is_closed: bool) -> Self {
        let mut lines = Vec::new();
        let (mut start, mut last) = (Point::ZERO, Point::ZERO);
        let mut add = |from: Point, to: Point| lines.extend((from != to).then(|| Line::new(from, to)));
        kurbo::flatten(path, tolerance, |element| match element {
            PathEl::MoveTo(to) => {
                if is_closed {
                    add(last, start);
                }
                (start, last) = (to, to);
            }
            PathEl::LineTo(to) => {
                add(last, to);
                last = to;
            }
            PathEl::ClosePath => {
                add(last, start);
                last = start;
            }
            // Flattening leaves no curves.
            PathEl::QuadTo(..) | PathEl::CurveTo(..) => {}
        });
        if is_closed {
            add(last, start);
        }
        let bounds_of = |lines: &[Line]| {
            let boxes = lines.iter().map(|line| Rect::from_points(line.p0, line.p1));
            boxes.reduce(|a, b| a.union(b)).unwrap_or_default()
        };
        let chunks = lines.chunks(CHUNK).map(bounds_of).collect();
        Self { lines, chunks }
    }

    /// The number of times that closed lines wind around a point.
    fn winding(&self, at: Point) -> i32 {
        let mut winding = 0;
        for (lines, bounds) in self.lines.chunks(CHUNK).zip(&self.chunks) {
            // A ray to the right crosses the lines that begin above it and do not end above it, or
            // the reverse. So a shared end of two lines counts once.
            if !(bounds.y0 <= at.y && at.y < bounds.y1 && at.x < bounds.x1) {
                continue;
            }
            for Line { p0, p1 } in lines {
                let is_down = p0.y <= at.y && at.y < p1.y;
                let is_up = p1.y <= at.y && at.y < p0.y;
                // The sign of the cross product is the side of the line that the point is on.
                let side = (*p1 - *p0).cross(at - *p0);
                winding += i32::from(is_down && side > 0.0) - i32::from(is_up && side < 0.0);
            }
        }
        winding
    }

    /// Whether a line is at most this far from a point.
    pub(super) fn are_near(&self, at: Point, distance: f64) -> bool {
        let chunks = self.lines.chunks(CHUNK).zip(&self.chunks);
        let is_near = |bounds: &Rect| {
            bounds.x0 - distance <= at.x
                && at.x <= bounds.x1 + distance
                && bounds.y0 - distance <= at.y
                && at.y <= bounds.y1 + distance
        };
        let mut near = chunks.filter(|(_, bounds)| is_near(bounds));
        near.any(|(lines, _)| {
            lines.iter().any(|line| line.nearest(at, 0.0).distance_sq <= distance * distance)
        })
    }
}

/// An outline in scene space: closed lines, and the rule that says what is inside.
#[derive(Debug)]
pub(super) struct Outline {
    lines: Lines,
    rule: Fill,
    /// The distance from the middle of its thinnest part to its edge, in px.
    half_thickness: f64,
}

impl Outline {
    /// The outline of a path in scene space. If it is not a stroke of a known thickness, it is as
    /// thick as its bounds.
    pub(super) fn new(path: &BezPath, rule: Fill, half_thickness: Option<f64>) -> Self {
        let bounds = path.control_box();
        let half_thickness = half_thickness.unwrap_or(0.5 * bounds.width().min(bounds.height()));
        Self { lines: Lines::new(path, tolerance(bounds), true), rule, half_thickness }
    }

    /// Whether a point is inside, or at most `tolerance` away from the middle of an outline that is
    /// thinner than twice that.
    pub(super) fn contains(&self, point: Point, tolerance: f64) -> bool {
        let winding = self.lines.winding(point);
        let is_inside = match self.rule {
            Fill::NonZero => winding != 0,
            Fill::EvenOdd => winding % 2 != 0,
        };
        let around = tolerance - self.half_thickness;
        is_inside || (around > 0.0 && self.lines.are_near(point, around))
    }
}

#[cfg(test)]
mod tests {
    use kurbo::{Circle, Shape};

    use super::*;

    fn outline(path: &str, rule: Fill) -> Outline {
        Outline::new(&BezPath::from_svg(path).expect("a path"), rule, None)
    }

    #[test]
    fn windings_equal_those_of_kurbo() {
        let path = BezPath::from_svg(
            "M10 0L60 90L-10 30H70L0 90ZM20 20C90 20 90 70 20 70S-50 20 20 20M30 40Q50 90 60 40",
        )
        .expect("a path");
        let mut closed = BezPath::new();
        for subpath in path.subpaths() {
            closed.extend(subpath.iter().copied());
            closed.close_path();
        }
        let outline = Outline::new(&path, Fill::NonZero, None);
        let mut n_windings = std::collections::BTreeMap::<i32, usize>::new();
        for step in 0..40_000 {
            // No point is on a line.
            let at = Point::new(f64::from(step % 200) * 0.61 - 20.037, f64::from(step / 200) * 0.53 - 5.019);
            let winding = outline.lines.winding(at);
            *n_windings.entry(winding).or_default() += 1;
            let is_near_edge = outline.lines.are_near(at, 0.01);
            assert!(is_near_edge || winding == closed.winding(at), "{at}");
        }
        assert!(n_windings.len() >= 4, "{n_windings:?}");
    }

    #[test]
    fn vertices_count_once() {
        // The ray to the right passes through the tip, and along an edge.
        let tip = outline("M0 0L9 5L0 10Z", Fill::EvenOdd);
        assert!(tip.contains(Point::new(1.0, 5.0), 0.0) && !tip.contains(Point::new(-1.0, 5.0), 0.0));
        assert!(!tip.contains(Point::new(-1.0, 0.0), 0.0) && !tip.contains(Point::new(-1.0, 10.0), 0.0));
        let steps = outline("M0 0H5V5H10V10H0Z", Fill::EvenOdd);
        for (x, y, is_inside) in [(-1.0, 5.0, false), (1.0, 5.0, true), (7.0, 5.0, true), (7.0, 4.9, false)] {
            assert_eq!(steps.contains(Point::new(x, y), 0.0), is_inside, "{x} {y}");
        }
    }

    #[test]
    fn only_thin_outlines_are_hit_beside() {
        let [thin, thick] = ["M0 0H90V1H0Z", "M0 0H90V9H0Z"].map(|path| outline(path, Fill::NonZero));
        let above = |y: f64| Point::new(50.0, -y);
        assert!(thin.contains(above(1.4), 2.0) && !thin.contains(above(1.6), 2.0));
        assert!(!thin.contains(above(0.1), 0.0));
        assert!(!thick.contains(above(0.1), 2.0));
    }

    #[test]
    fn circles_of_any_size_have_a_bounded_number_of_lines() {
        for radius in [1e-3, 1.0, 1e3] {
            let circle = Circle::new((5.0, 5.0), radius).to_path(1e-9 * radius);
            let n_lines = Outline::new(&circle, Fill::NonZero, None).lines.lines.len();
            assert!((50..1_000).contains(&n_lines), "{radius}: {n_lines}");
        }
    }
}
