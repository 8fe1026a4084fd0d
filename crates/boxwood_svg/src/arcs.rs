//! How many curves the elliptical arcs of a document become.
//!
//! usvg makes each arc curves that are off by at most 0.1 units, be it of an ellipse of 10⁵⁰ units, and holds all of them. An ellipse
//! with the larger radius r takes about (11 r)^(1/6) curves, so that only absurd numbers make many.

use std::f64::consts::TAU;

use kurbo::{Arc, Point, SvgArc, Vec2};
use svgtypes::{Length, LengthUnit, PathParser, PathSegment};
use usvg::roxmltree::{Document, Node};

use crate::Error;

/// The most curves that an arc of path data may become: the parser takes a time that is quadratic in them.
pub(crate) const MAX_CURVES_OF_ARC: f64 = 10_000.0;

/// The most curves, beyond four an arc, that all arcs of a document may become, each counted once.
pub(crate) const MAX_CURVES: f64 = 200_000.0;

/// The tolerance of usvg, in user units.
const TOLERANCE: f64 = 0.1;

/// Checks that the arcs of the paths and shapes of a document become no more curves than may be.
///
/// # Errors
///
/// Too many of them.
pub(crate) fn check(document: &Document<'_>) -> Result<(), Error> {
    let mut unit = None;
    let mut total = 0.0;
    for node in document.descendants().filter(Node::is_element) {
        let (curves, most) = match node.tag_name().name() {
            "path" => curves_of_path(node.attribute("d").unwrap_or_default()),
            "circle" | "ellipse" | "rect" => {
                let unit = || *unit.get_or_insert_with(|| largest_unit(document));
                (excess(curves_of_ellipse(radius(node, unit))), 0.0)
            }
            _ => continue,
        };
        total += curves;
        if most > MAX_CURVES_OF_ARC || total > MAX_CURVES {
            return Err(Error::Arcs { count: total });
        }
    }
    Ok(())
}

/// The curves of the arcs of path data beyond four each, and the most that one arc becomes.
fn curves_of_path(data: &str) -> (f64, f64) {
    let (mut total, mut most) = (0.0, 0.0_f64);
    if !data.contains(['a', 'A']) {
        return (total, most);
    }
    let (mut start, mut last) = (Point::ZERO, Point::ZERO);
    // usvg draws what comes before an error.
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

/// How many curves kurbo makes of an arc: as in `Arc::append_iter`. What is not a number makes none.
fn curves_of_arc(arc: &SvgArc) -> f64 {
    Arc::from_svg_arc(arc).map_or(0.0, |arc| {
        (curves_of_ellipse(arc.radii.x.max(arc.radii.y)) * arc.sweep_angle.abs() / TAU).ceil().max(0.0)
    })
}

/// How many curves kurbo makes of a whole ellipse with this larger radius.
fn curves_of_ellipse(radius: f64) -> f64 {
    (1.1163 * radius / TOLERANCE).powf(1.0 / 6.0).max(4.0)
}

fn excess(curves: f64) -> f64 {
    (curves - 4.0).max(0.0)
}

/// The larger radius of a circle, of an ellipse or of the corners of a rectangle, at most.
fn radius(shape: Node<'_, '_>, unit: impl FnOnce() -> f64) -> f64 {
    let lengths = |names: [&str; 3]| names.map(|name| shape.attribute(name)?.trim().parse::<Length>().ok());
    let radii = lengths(["r", "rx", "ry"]);
    // The radius of a corner is at most half of the side.
    let sides = lengths(["width", "height", ""]);
    let is_relative =
        |length: &Length| matches!(length.unit, LengthUnit::Em | LengthUnit::Ex | LengthUnit::Percent);
    let has_relative = radii.iter().chain(&sides).flatten().any(is_relative);
    let unit = if has_relative { unit() } else { 1.0 };
    let largest = |lengths: [Option<Length>; 3]| {
        lengths.into_iter().flatten().map(|length| units(length, unit)).fold(0.0, f64::max)
    };
    let side = if shape.tag_name().name() == "rect" { largest(sides) } else { f64::INFINITY };
    let radius = largest(radii).min(0.5 * side);
    let largest = f64::from(f32::MAX);
    // usvg has shapes as `f32`, and leaves out what is larger. What is relative may be smaller than this.
    if radius > largest && !has_relative { 0.0 } else { radius.min(largest) }
}

/// A length in user units, where one that is relative is so to `unit`.
fn units(Length { number, unit: kind }: Length, unit: f64) -> f64 {
    number
        * match kind {
            LengthUnit::None | LengthUnit::Px => 1.0,
            LengthUnit::In => 96.0,
            LengthUnit::Cm => 96.0 / 2.54,
            LengthUnit::Mm => 96.0 / 25.4,
            LengthUnit::Pt => 96.0 / 72.0,
            LengthUnit::Pc => 96.0 / 6.0,
            LengthUnit::Em | LengthUnit::Ex => unit,
            LengthUnit::Percent => 0.01 * unit,
        }
}

/// The largest number that relative lengths may be relative to, as attributes have it.
fn largest_unit(document: &Document<'_>) -> f64 {
    let names = ["viewBox", "width", "height", "font-size"];
    let attributes = document.descendants().flat_map(|node| names.map(|name| node.attribute(name)));
    let numbers = attributes.flatten().flat_map(|text| text.split([' ', ',', '\t', '\n', '\r']));
    let lengths = numbers.filter_map(|text| text.parse::<Length>().ok());
    lengths.map(|length| units(length, 1.0)).fold(1_000.0, f64::max)
}

#[cfg(test)]
mod tests {
    use kurbo::BezPath;

    use super::*;

    /// kurbo's parser has the tolerance of usvg.
    #[test]
    fn as_many_curves_are_counted_as_are_made() {
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
