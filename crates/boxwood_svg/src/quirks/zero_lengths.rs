//! kurbo 0.13.1 and Vello 0.11 draw no caps on subpaths and dashes without length.
//!
//! SVG 2 (section 13.5.4) draws them, with the direction of the x-axis. So such subpaths and dashes
//! are made just long enough to have a direction.

use kurbo::{BezPath, PathEl};

use crate::geometry::control_points;

/// The length that a subpath or dash without length gets, in widths of the stroke.
const LENGTH: f64 = 1e-3;

/// The dashes, without zero lengths.
pub(crate) fn lengthened_dashes(mut dashes: Vec<f64>, width: f64) -> Vec<f64> {
    let length = width * LENGTH;
    for i in (0..dashes.len()).step_by(2) {
        if dashes[i] == 0.0 && dashes.get(i + 1).is_some_and(|gap| *gap > 2.0 * length) {
            dashes[i] = length;
            dashes[i + 1] -= length;
        }
    }
    dashes
}

/// The path, without subpaths of zero length.
pub(crate) fn lengthened_subpaths(path: &BezPath, width: f64) -> BezPath {
    let mut lengthened = BezPath::with_capacity(path.elements().len());
    for subpath in path.subpaths() {
        match subpath {
            [PathEl::MoveTo(p), _, ..] if control_points(subpath).all(|q| q == *p) => {
                // Far from the origin, the width may be less than the spacing of `f32`.
                #[expect(clippy::cast_possible_truncation, reason = "the next larger number is wanted")]
                let next_x = f64::from((p.x as f32).next_up());
                lengthened.move_to(*p);
                lengthened.line_to((next_x.max(p.x + width * LENGTH), p.y));
            }
            _ => lengthened.extend(subpath.iter().copied()),
        }
    }
    lengthened
}

#[cfg(test)]
mod tests {
    use kurbo::{Cap, Stroke, StrokeOpts};

    use super::*;

    #[test]
    fn kurbo_still_draws_no_caps_on_points() {
        let style = Stroke::new(4.0).with_caps(Cap::Round);
        for point in ["M5 5L5 5", "M5 5Z"] {
            let path = BezPath::from_svg(point).expect("a path");
            let outline = |path: &BezPath| kurbo::stroke(path.iter(), &style, &StrokeOpts::default(), 0.001);
            assert!(outline(&path).is_empty(), "{point}");
            assert!(!outline(&lengthened_subpaths(&path, 4.0)).is_empty(), "{point}");
        }
    }
}
