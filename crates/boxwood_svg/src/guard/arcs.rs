//! The number of curves that the elliptical arcs of a document become.
//!
//! usvg approximates each arc by curves to within 0.1 user units, whatever its size, and keeps all
//! of them. An ellipse with the larger radius r takes about (11 r)^(1/6) curves, so only absurd
//! radii take many.

use std::f64::consts::TAU;

use crate::dom::{Document, Node};
use kurbo::{Arc, Point, SvgArc, Vec2};
use svgtypes::{Length, LengthUnit, PathParser, PathSegment};

use crate::error::{LimitError, Quantity};
use crate::guard::limits::{MAX_CURVES_OF_ARC, MAX_CURVES_OF_ARCS};
use crate::xml::user_units;

/// The tolerance of usvg, in user units.
const TOLERANCE: f64 = 0.1;

/// A font or viewport without a size has a default size, which is less than this.
const MIN_LARGEST_UNIT: f64 = 1_000.0;

/// Checks that the arcs of a document become no more curves than the limits allow.
///
/// # Errors
///
/// If they become more.
pub(crate) fn check(document: &Document) -> Result<(), LimitError> {
    let unit = largest_unit(document);
    let mut total = 0.0;
    for element in document.elements() {
        let (curves, most) = match element.tag() {
            "path" => curves_of_path(element.attribute("d").unwrap_or_default()),
            "circle" | "ellipse" | "rect" => (excess(curves_of_ellipse(radius(element, unit))), 0.0),
            _ => continue,
        };
        total += curves;
        Quantity::CurvesOfArc.check(most, MAX_CURVES_OF_ARC)?;
        Quantity::CurvesOfArcs.check(total, MAX_CURVES_OF_ARCS)?;
    }
    Ok(())
}

/// An upper bound of the lengths that relative lengths are multiples of, such as font sizes and the
/// sizes of viewports.
fn largest_unit(document: &Document) -> f64 {
    let names = ["viewBox", "width", "height", "font-size"];
    let texts = document.elements().flat_map(|element| names.map(|name| element.attribute(name)));
    let numbers = texts.flatten().flat_map(|text| text.split([' ', ',', '\t', '\n', '\r']));
    let lengths = numbers.filter_map(|text| text.parse().ok());
    lengths.map(|length| in_user_units(length, 1.0)).fold(MIN_LARGEST_UNIT, f64::max)
}

/// The number of curves that the arcs of path data become, beyond four per arc, and the largest
/// number for one arc.
fn curves_of_path(data: &str) -> (f64, f64) {
    let (mut total, mut most) = (0.0, 0.0_f64);
    if !data.contains(['a', 'A']) {
        return (total, most);
    }
    let (mut start, mut last) = (Point::ZERO, Point::ZERO);
    // usvg draws the segments before an error.
    for segment in PathParser::from(data).map_while(Result::ok) {
        let origin = if segment.is_abs() { Point::ZERO } else { last };
        let to = |x: f64, y: f64| origin + Vec2::new(x, y);
        let end = match segment {
            PathSegment::MoveTo { x, y, .. } => {
                start = to(x, y);
                start
            }
            PathSegment::HorizontalLineTo { x, .. } => Point::new(to(x, 0.0).x, last.y),
            PathSegment::VerticalLineTo { y, .. } => Point::new(last.x, to(0.0, y).y),
            PathSegment::ClosePath { .. } => start,
            PathSegment::EllipticalArc { rx, ry, x_axis_rotation, large_arc, sweep, x, y, .. } => {
                let (from, end) = (last, to(x, y));
                let (radii, x_rotation) = (Vec2::new(rx, ry), x_axis_rotation.to_radians());
                let curves = curves_of_arc(&SvgArc { from, to: end, radii, x_rotation, large_arc, sweep });
                total += excess(curves);
                most = most.max(curves);
                end
            }
            PathSegment::LineTo { x, y, .. }
            | PathSegment::CurveTo { x, y, .. }
            | PathSegment::SmoothCurveTo { x, y, .. }
            | PathSegment::Quadratic { x, y, .. }
            | PathSegment::SmoothQuadratic { x, y, .. } => to(x, y),
        };
        last = end;
    }
    (total, most)
}

/// The number of curves that kurbo makes of an arc, as in `Arc::append_iter`. Zero if a parameter
/// is NaN.
fn curves_of_arc(arc: &SvgArc) -> f64 {
    Arc::from_svg_arc(arc).map_or(0.0, |arc| {
        (curves_of_ellipse(arc.radii.x.max(arc.radii.y)) * arc.sweep_angle.abs() / TAU).ceil().max(0.0)
    })
}

/// The number of curves that kurbo makes of a whole ellipse with this larger radius.
fn curves_of_ellipse(radius: f64) -> f64 {
    (1.1163 * radius / TOLERANCE).powf(1.0 / 6.0).max(4.0)
}

/// The number of curves beyond the four that any ellipse takes.
fn excess(curves: f64) -> f64 {
    (curves - 4.0).max(0.0)
}

/// An upper bound of the larger radius of a circle, of an ellipse, or of the corners of a
/// rectangle, if relative lengths are at most multiples of `relative_to`.
fn radius(shape: Node<'_>, relative_to: f64) -> f64 {
    let mut has_relative = false;
    let mut largest = |names: &[&str]| {
        let lengths = names.iter().filter_map(|name| shape.attribute(name)?.trim().parse::<Length>().ok());
        let lengths = lengths.inspect(|length| has_relative |= user_units(length.unit).is_none());
        lengths.map(|length| in_user_units(length, relative_to)).fold(0.0, f64::max)
    };
    let (radius, side) = (largest(&["r", "rx", "ry"]), largest(&["width", "height"]));
    // The radius of a corner is at most half of a side.
    let radius = if shape.has_tag("rect") { radius.min(0.5 * side) } else { radius };
    let most = f64::from(f32::MAX);
    // usvg leaves out shapes that do not fit in an `f32`. A relative length may be less than this
    // upper bound.
    if radius > most && !has_relative { 0.0 } else { radius.min(most) }
}

/// A length in user units. A relative one is a multiple of `relative_to`, or a percentage of it.
fn in_user_units(Length { number, unit }: Length, relative_to: f64) -> f64 {
    let percent = if unit == LengthUnit::Percent { 0.01 } else { 1.0 };
    number * user_units(unit).unwrap_or(percent * relative_to)
}

#[cfg(test)]
mod tests {
    use kurbo::BezPath;

    use super::*;

    /// kurbo's parser has the tolerance of usvg.
    #[test]
    fn the_count_is_the_number_of_curves_that_kurbo_makes() {
        for (data, others) in [
            ("M5 5A9 3 0 0 0 20 5", 0),
            ("M5 5A9e4 3e3 40 1 0 20 5", 0),
            ("M5 5a1 1e6 3 0 1 1e6 5", 0),
            ("M3 4h5v6l2 2q1 2 3 4t9 9z m3 4c1 2 3 4 5 6s1 2 3 4H5V6a1 1e7 3 1 1 1e5 5", 2),
            ("m1 1a1 1 0 1 1 1e9 1e5", 0),
        ] {
            let path = BezPath::from_svg(data).expect("a path");
            let is_curve = |element: &kurbo::PathEl| matches!(element, kurbo::PathEl::CurveTo(..));
            let made = path.elements().iter().filter(|element| is_curve(element)).count() - others;
            let (total, most) = curves_of_path(data);
            assert_eq!(most, made as f64, "{data}");
            assert_eq!(total, excess(most), "{data}");
        }
    }
}
