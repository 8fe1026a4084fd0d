//! Vello 0.11 strokes a segment that is shorter than 10⁻⁶ units as if it had the direction of the
//! x-axis. The joins at its ends then turn by up to 180°, and a wide stroke gets square patches.
//!
//! The last point of a circle around the origin may be 10⁻⁷ units away from its first, so that the
//! closing line is such a segment. So these segments are left out of strokes.

use kurbo::{BezPath, PathEl, Point};

use crate::geometry::control_points;

/// The distance per axis within which two points count as equal, in units: Vello's 10⁻⁶ and the
/// error of `f32` in a unit.
const SHORTEST: f64 = 2e-6;

/// A path without its short segments, except for subpaths that have no others.
///
/// Its points move by at most [`SHORTEST`].
pub(crate) fn without_short_segments(path: &BezPath) -> BezPath {
    let mut long = BezPath::with_capacity(path.elements().len());
    for subpath in path.subpaths() {
        let [PathEl::MoveTo(start), rest @ ..] = subpath else {
            long.extend(subpath.iter().copied());
            continue;
        };
        if control_points(subpath).all(|p| is_near(p, *start)) {
            long.extend(subpath.iter().copied());
            continue;
        }
        let mut kept = vec![PathEl::MoveTo(*start)];
        let mut last = *start;
        for element in rest {
            if element.end_point().is_none() || control_points(&[*element]).any(|p| !is_near(p, last)) {
                kept.push(*element);
                last = element.end_point().unwrap_or(last);
            }
        }
        if let [.., end, PathEl::ClosePath] = &mut kept[..]
            && is_near(last, *start)
        {
            move_end(end, *start);
        }
        long.extend(kept);
    }
    long
}

fn is_near(a: Point, b: Point) -> bool {
    (a - b).x.abs() < SHORTEST && (a - b).y.abs() < SHORTEST
}

fn move_end(element: &mut PathEl, to: Point) {
    match element {
        PathEl::MoveTo(end) | PathEl::LineTo(end) | PathEl::QuadTo(_, end) | PathEl::CurveTo(_, _, end) => {
            *end = to;
        }
        PathEl::ClosePath => {}
    }
}

#[cfg(test)]
mod tests {
    use kurbo::Stroke;
    use vello_encoding::Encoding;

    use super::*;

    fn path(svg: &str) -> BezPath {
        BezPath::from_svg(svg).expect("a path")
    }

    fn n_encoded_segments(path: &BezPath) -> u32 {
        let mut encoding = Encoding::new();
        assert!(encoding.encode_stroke_style(&Stroke::new(9.0)) && encoding.encode_shape(path, false));
        encoding.n_path_segments
    }

    /// The shader itself is seen to fail in `boxwood_render`.
    #[test]
    fn vello_still_encodes_short_closing_lines() {
        let nearly_closed = path("M5 0C5 3 3 5 0 5C-3 5 5 -3 5.0000005 0Z");
        let closed = without_short_segments(&nearly_closed);
        assert_eq!(n_encoded_segments(&nearly_closed), n_encoded_segments(&closed) + 1);
    }

    #[test]
    fn only_short_segments_are_left_out() {
        for (whole, expected) in [
            ("M0 0L1e-7 0L9 0L9 9L9 9.0000001Z", "M0 0L9 0L9 9Z"),
            ("M0 0L9 0L9 9L1e-7 1e-7Z", "M0 0L9 0L9 9L0 0Z"),
            ("M0 0L9 0L9 9L1e-7 1e-7", "M0 0L9 0L9 9L1e-7 1e-7"),
            ("M0 0C9 0 9 0 0 1e-7Q1e-7 0 0 0", "M0 0C9 0 9 0 0 1e-7"),
            ("M3 3L3 3ZM5 5L9 9", "M3 3L3 3ZM5 5L9 9"),
            // Many short segments together are long.
            ("M0 0L15e-7 0L3e-6 0L45e-7 0", "M0 0L3e-6 0"),
        ] {
            assert_eq!(without_short_segments(&path(whole)), path(expected), "{whole}");
        }
    }
}
