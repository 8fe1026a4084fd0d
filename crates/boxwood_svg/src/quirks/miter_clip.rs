//! kurbo 0.13.1 and Vello 0.11 have no join that clips miters at the miter limit (`stroke-linejoin:
//! miter-clip`).
//!
//! They get miters instead, which are bevels beyond the limit. The box of such a stroke includes
//! the clipped miters, and the picture of the encoding gets a warning.

use kurbo::{BezPath, PathEl, Point};

use crate::geometry::{Corner, corners, segments};

/// A sine below this counts as zero: the coordinates are `f32`, so directions have errors of about
/// 10⁻⁷.
const MIN_SINE: f64 = 1e-6;

/// The corners of a miter that is clipped at the limit, or those on both sides if the path turns
/// back. Empty if the miter is within the limit.
///
/// A clipped miter ends at a line across the bisector of the join, at half of the limit times the
/// width from its vertex (SVG 2, section 13.5.5).
pub(crate) fn clipped_miter(corner: &Corner, half_width: f64, limit: f64) -> Vec<Point> {
    let Corner { vertex, incoming, outgoing } = *corner;
    // The miter points ahead of the incoming segment and behind the outgoing one.
    let bisector = incoming - outgoing;
    if bisector.hypot() < MIN_SINE {
        return Vec::new();
    }
    let bisector = bisector.normalize();
    // Each side of the miter starts at the end of a normal and runs along its segment.
    let sides = [(incoming.turn_90(), incoming), (outgoing.turn_90(), -outgoing)];
    let mut points = Vec::with_capacity(4);
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
        points.extend(outer.map(|(_, normal)| vertex + half_width * normal + distance * along));
    }
    points
}

/// Whether a stroke along the path has a miter beyond the limit.
pub(crate) fn has_clipped_miters(path: &BezPath, limit: f64) -> bool {
    path.subpaths().any(|subpath| {
        let is_closed = matches!(subpath.last(), Some(PathEl::ClosePath));
        let segments = segments(subpath);
        corners(&segments, is_closed).any(|corner| !clipped_miter(&corner, 1.0, limit).is_empty())
    })
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
