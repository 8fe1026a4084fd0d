//! kurbo 0.13.1 and Vello 0.11 have no join that clips miters at the miter limit (`stroke-linejoin:
//! miter-clip`).
//!
//! They get miters instead, which are bevels beyond the limit. The box of such a stroke includes
//! the clipped miters, and the picture of the encoding gets a warning.

use boxwood_cpu::Aabb;
use kurbo::{Affine, BezPath, ParamCurve, PathEl, PathSeg, Point, Rect, Vec2};

use crate::geometry::aabb;

/// A sine below this counts as zero: the coordinates are `f32`, so directions have errors of about
/// 10⁻⁷.
const MIN_SINE: f64 = 1e-6;

/// The box of the corners of clipped miters of a stroke. The rest of the stroke is the same as with
/// bevels.
///
/// A clipped miter ends at a line across the bisector of the join, at half of the limit times the
/// width from its vertex (SVG 2, section 13.5.5).
pub(crate) fn clipped_miters_box(path: &BezPath, width: f64, limit: f64, scene_from_path: Affine) -> Aabb {
    let points = joins(path).into_iter().flat_map(|join| join.corners(0.5 * width, limit));
    let boxes = points.map(|p| Rect::from_points(scene_from_path * p, scene_from_path * p));
    let boxes = boxes.reduce(|a, b| a.union(b));
    boxes.map_or(Aabb::EMPTY, aabb)
}

/// Whether a stroke along the path has a miter beyond the limit.
pub(crate) fn has_clipped_miters(path: &BezPath, limit: f64) -> bool {
    joins(path).iter().any(|join| !join.corners(1.0, limit).is_empty())
}

/// A vertex of a path between two segments, with the unit tangents there.
struct Join {
    vertex: Point,
    incoming: Vec2,
    outgoing: Vec2,
}

impl Join {
    /// The corners of the clipped miter, or of both if the path turns back, and the vertex. Empty
    /// if the miter is within the limit.
    ///
    /// The vertex is in the box of the stroke anyway. It gives a box of corners on one side a width
    /// and a height, because a box without counts as empty.
    fn corners(&self, half_width: f64, limit: f64) -> Vec<Point> {
        // The miter points ahead of the incoming segment and behind the outgoing one.
        let bisector = self.incoming - self.outgoing;
        if bisector.hypot() < MIN_SINE {
            return Vec::new();
        }
        let bisector = bisector.normalize();
        // Each side of the miter starts at the end of a normal and runs along its segment.
        let sides = [(self.incoming.turn_90(), self.incoming), (self.outgoing.turn_90(), -self.outgoing)];
        let mut corners = Vec::with_capacity(5);
        for (normal, along) in sides {
            // The sine of half the angle between the segments.
            let sine = normal.dot(bisector);
            if sine.abs() * limit > 1.0 + MIN_SINE {
                continue;
            }
            let distance = half_width * (limit - sine.abs()).max(0.0) / along.dot(bisector).max(MIN_SINE);
            // If the path turns back, both sides of the segment are outside of the join.
            let outer = [(sine > -MIN_SINE, normal), (sine < MIN_SINE, -normal)];
            let outer = outer.into_iter().filter(|(is_outer, _)| *is_outer);
            corners.extend(outer.map(|(_, normal)| self.vertex + half_width * normal + distance * along));
        }
        if !corners.is_empty() {
            corners.push(self.vertex);
        }
        corners
    }
}

/// The joins of a path, including those where closed subpaths end.
fn joins(path: &BezPath) -> Vec<Join> {
    let mut joins = Vec::new();
    for subpath in path.subpaths() {
        // A segment without length has no direction, and makes no join.
        let segments = kurbo::segments(subpath.iter().copied());
        let segments: Vec<_> = segments.filter_map(|s| Some((s.start(), tangents(s)?))).collect();
        let is_closed = matches!(subpath.last(), Some(PathEl::ClosePath));
        let closing = segments.last().zip(segments.first()).filter(|_| is_closed);
        let pairs = segments.iter().zip(segments.iter().skip(1)).chain(closing);
        joins.extend(pairs.map(|((_, [_, incoming]), (vertex, [outgoing, _]))| Join {
            vertex: *vertex,
            incoming: *incoming,
            outgoing: *outgoing,
        }));
    }
    joins
}

/// The unit tangents of a segment at its start and at its end.
fn tangents(segment: PathSeg) -> Option<[Vec2; 2]> {
    let [p0, p1, p2, p3] = match segment {
        PathSeg::Line(l) => [l.p0, l.p0, l.p1, l.p1],
        PathSeg::Quad(q) => [q.p0, q.p1, q.p1, q.p2],
        PathSeg::Cubic(c) => [c.p0, c.p1, c.p2, c.p3],
    };
    let direction = |from: Point, to: Point| (from != to).then(|| (to - from).normalize());
    let leaving = [p1, p2, p3].into_iter().find_map(|p| direction(p0, p))?;
    let arriving = [p2, p1, p0].into_iter().find_map(|p| direction(p, p3))?;
    Some([leaving, arriving])
}

#[cfg(test)]
mod tests {
    #[test]
    fn kurbo_still_has_no_clipped_miters() {
        let style = kurbo::Stroke::default();
        // This does not compile once kurbo has another join.
        match style.join {
            kurbo::Join::Bevel | kurbo::Join::Miter | kurbo::Join::Round => {}
        }
    }
}
