//! Miters that are cut at the miter limit (`stroke-linejoin: miter-clip`), which neither kurbo nor Vello has.

use boxwood_cpu::Aabb;
use kurbo::{Affine, BezPath, PathEl, Point, Rect, Vec2};

use crate::path::aabb;

/// How little a sine may be for an angle to be one of none or of half a turn.
const NO_ANGLE: f64 = 1e-6;

/// The box of the corners of the joins of a stroke whose miters are longer than the limit. The rest of the stroke is what it is
/// with bevels.
///
/// Such a miter ends at a line across the bisector of the join, half of the limit times the width away from its vertex (SVG 2,
/// section 13.5.5).
pub(crate) fn cut_miters_box(path: &BezPath, width: f64, limit: f64, scene_from_path: Affine) -> Aabb {
    // Each with its vertex, as a box without width or height is none.
    let with_vertex = |join: Join| {
        let corners = join.corners(0.5 * width, limit);
        (!corners.is_empty()).then(|| corners.into_iter().chain([join.vertex]))
    };
    let points = joins(path).into_iter().filter_map(with_vertex).flatten().map(|p| scene_from_path * p);
    let cut = points.map(|p| Rect::from_points(p, p)).reduce(|a, b| a.union(b));
    cut.map_or(Aabb::EMPTY, aabb)
}

/// Whether a stroke along the path has a miter that is longer than the limit.
pub(crate) fn has_cut_miters(path: &BezPath, limit: f64) -> bool {
    joins(path).iter().any(|join| !join.corners(1.0, limit).is_empty())
}

/// A vertex of a path between two segments, with the unit vectors along which it is entered and left.
struct Join {
    vertex: Point,
    entry: Vec2,
    exit: Vec2,
}

impl Join {
    /// The corners of the cut, `reach` being half of the width. None where the miter is within the limit.
    fn corners(&self, reach: f64, limit: f64) -> Vec<Point> {
        // The miter points ahead of what enters and behind of what leaves.
        let bisector = self.entry - self.exit;
        if bisector.hypot() < NO_ANGLE {
            return Vec::new();
        }
        let bisector = bisector.normalize();
        // Each side of the miter starts at the end of a normal and runs along its segment.
        let sides = [(self.entry.turn_90(), self.entry), (self.exit.turn_90(), -self.exit)];
        let mut corners = Vec::with_capacity(4);
        for (normal, along) in sides {
            // The sine of half the angle between the segments.
            let sine = normal.dot(bisector);
            if sine.abs() * limit > 1.0 + NO_ANGLE {
                continue;
            }
            let distance = reach * (limit - sine.abs()).max(0.0) / along.dot(bisector).max(NO_ANGLE);
            // Of a turn by half a circle both sides are the outer one.
            let outer = [sine > -NO_ANGLE, sine < NO_ANGLE].into_iter().zip([normal, -normal]);
            corners.extend(
                outer
                    .filter(|(is_outer, _)| *is_outer)
                    .map(|(_, normal)| self.vertex + reach * normal + distance * along),
            );
        }
        corners
    }
}

/// The joins of a path, that at the end of each closed subpath included.
fn joins(path: &BezPath) -> Vec<Join> {
    let mut joins = Vec::new();
    let (mut start, mut at) = (Point::ZERO, Point::ZERO);
    // How the subpath sets out, and how it arrives here.
    let (mut first, mut last): (Option<Vec2>, Option<Vec2>) = (None, None);
    for element in path.iter() {
        let points = match element {
            PathEl::MoveTo(p) => {
                (start, at) = (p, p);
                (first, last) = (None, None);
                continue;
            }
            PathEl::LineTo(p) => [at, at, p, p],
            PathEl::QuadTo(a, p) => [at, a, a, p],
            PathEl::CurveTo(a, b, p) => [at, a, b, p],
            PathEl::ClosePath => [at, at, start, start],
        };
        let direction = |from: Point, to: Point| (from != to).then(|| (to - from).normalize());
        let [p0, p1, p2, p3] = points;
        let ahead = [p1, p2, p3].into_iter().find_map(|p| direction(p0, p));
        let behind = [p2, p1, p0].into_iter().find_map(|p| direction(p, p3));
        // What stays where it is has no direction, and makes no join.
        if let (Some(exit), Some(arrival)) = (ahead, behind) {
            joins.extend(last.map(|entry| Join { vertex: at, entry, exit }));
            first = first.or(Some(exit));
            last = Some(arrival);
        }
        at = p3;
        if element == PathEl::ClosePath {
            joins.extend(last.zip(first).map(|(entry, exit)| Join { vertex: start, entry, exit }));
            (first, last) = (None, None);
        }
    }
    joins
}
