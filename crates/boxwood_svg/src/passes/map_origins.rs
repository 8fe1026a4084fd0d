//! usvg 0.49 has coordinates in `f32`, in which those of maps, such as UTM or EPSG:3857, lose
//! pixels.
//!
//! So a `viewBox` whose origin is far away is moved to zero, with all coordinates of the document,
//! in `f64`. Only documents of shapes, images, texts and groups without references are changed. For
//! others, there is a warning.

use std::fmt::Write;
use std::str::FromStr;

use kurbo::{Affine, Vec2};
use svgtypes::{Length, PathParser, PathSegment, PointsParser, Transform, ViewBox};

use crate::css::values::split;
use crate::dom::{Document, Node, NodeId};
use crate::error::Error;
use crate::passes::Tools;
use crate::xml::user_units;

/// The least distance of the origin, in sizes of the `viewBox`. At this distance, an `f32` has an
/// error of 1/16,000 of the size, which is less than a tenth of a pixel in most drawings.
const LEAST_DISTANCE: f64 = 1024.0;

/// The warning about a document that is not changed.
const IGNORED: &str = "the precision of coordinates that are far from zero";

/// The elements without coordinates.
const CONTAINERS: [&str; 10] =
    ["a", "defs", "desc", "g", "metadata", "script", "style", "svg", "switch", "title"];

/// The coordinates of elements, along x and y.
const COORDINATES: [(&str, &[[&str; 2]]); 5] = [
    ("rect", &[["x", "y"]]),
    ("image", &[["x", "y"]]),
    ("circle", &[["cx", "cy"]]),
    ("ellipse", &[["cx", "cy"]]),
    ("line", &[["x1", "y1"], ["x2", "y2"]]),
];

/// Moves the origin of a map to zero.
pub(super) fn move_to_zero(document: &mut Document, tools: &Tools<'_>) -> Result<(), Error> {
    let root = document.root_element();
    let Some(ViewBox { x, y, w, h }) = root.attribute("viewBox").and_then(|text| text.parse().ok()) else {
        return Ok(());
    };
    if (x / w).abs().max((y / h).abs()) < LEAST_DISTANCE || root.has_attribute("transform") {
        return Ok(());
    }
    let origin = Vec2::new(x, y);
    let changes: Option<Vec<_>> = document.elements().map(|node| changes(node, origin)).collect();
    let Some(changes) = changes else {
        tools.ignore(&[root], IGNORED);
        return Ok(());
    };
    let root = root.id();
    for (id, name, value) in changes.into_iter().flatten() {
        document.set_attribute(id, name, value);
    }
    document.set_attribute(root, "viewBox", format!("0 0 {w} {h}"));
    Ok(())
}

type Change = (NodeId, &'static str, String);

/// The changes of an element. `None` if something of it is not known here.
fn changes(node: Node<'_>, origin: Vec2) -> Option<Vec<Change>> {
    if !node.is_svg() {
        return Some(Vec::new());
    }
    let id = node.id();
    let refers = |value: &str| value.contains("url(");
    let is_inner_svg = node.has_tag("svg") && node.parent_element().is_some();
    if is_inner_svg || node.attributes().any(|attribute| refers(attribute.value)) {
        return None;
    }
    let mut changes = Vec::new();
    if let Some(text) = node.attribute("transform") {
        let Transform { a, b, c, d, e, f } = Transform::from_str(text).ok()?;
        let moved = Affine::translate(-origin) * Affine::new([a, b, c, d, e, f]) * Affine::translate(origin);
        let numbers = moved.as_coeffs().map(|v| v.to_string()).join(" ");
        changes.push((id, "transform", format!("matrix({numbers})")));
    }
    let coordinates = COORDINATES.iter().find(|(tag, _)| node.has_tag(tag));
    match node.tag() {
        tag if CONTAINERS.contains(&tag) => {}
        "path" => changes.push((id, "d", path(node.attribute("d").unwrap_or_default(), origin))),
        "polygon" | "polyline" => {
            let mut points = String::new();
            for (x, y) in PointsParser::from(node.attribute("points").unwrap_or_default()) {
                _ = write!(points, "{} {} ", x - origin.x, y - origin.y);
            }
            changes.push((id, "points", points));
        }
        "text" | "tspan" => {
            for (name, origin) in [("x", origin.x), ("y", origin.y)] {
                // A text without a place starts at the old origin.
                let default = if node.has_tag("text") { "0" } else { "" };
                let places =
                    split(node.attribute(name).unwrap_or(default), |c| c.is_whitespace() || c == ',');
                let moved = places.into_iter().map(|place| {
                    let length = Length::from_str(place).ok()?;
                    Some((length.number * user_units(length.unit)? - origin).to_string())
                });
                let moved = moved.collect::<Option<Vec<_>>>()?;
                if !moved.is_empty() {
                    changes.push((id, name, moved.join(" ")));
                }
            }
        }
        _ => {
            for [x, y] in coordinates?.1 {
                for (name, origin) in [(*x, origin.x), (*y, origin.y)] {
                    let length = Length::from_str(node.attribute(name).unwrap_or("0").trim()).ok()?;
                    let moved = length.number * user_units(length.unit)? - origin;
                    changes.push((id, name, moved.to_string()));
                }
            }
        }
    }
    Some(changes)
}

/// The data of a path with another origin, up to an error.
fn path(data: &str, origin: Vec2) -> String {
    let mut moved = String::with_capacity(data.len());
    for (index, segment) in PathParser::from(data).map_while(Result::ok).enumerate() {
        // The first command is absolute in any case.
        let is_absolute = match segment {
            PathSegment::MoveTo { abs, .. } => abs || index == 0,
            PathSegment::LineTo { abs, .. }
            | PathSegment::HorizontalLineTo { abs, .. }
            | PathSegment::VerticalLineTo { abs, .. }
            | PathSegment::CurveTo { abs, .. }
            | PathSegment::SmoothCurveTo { abs, .. }
            | PathSegment::Quadratic { abs, .. }
            | PathSegment::SmoothQuadratic { abs, .. }
            | PathSegment::EllipticalArc { abs, .. }
            | PathSegment::ClosePath { abs } => abs,
        };
        let Vec2 { x: ox, y: oy } = if is_absolute { origin } else { Vec2::ZERO };
        let command = |letter: char| if is_absolute { letter } else { letter.to_ascii_lowercase() };
        _ = match segment {
            PathSegment::MoveTo { x, y, .. } => write!(moved, "{}{} {}", command('M'), x - ox, y - oy),
            PathSegment::LineTo { x, y, .. } => write!(moved, "{}{} {}", command('L'), x - ox, y - oy),
            PathSegment::HorizontalLineTo { x, .. } => write!(moved, "{}{}", command('H'), x - ox),
            PathSegment::VerticalLineTo { y, .. } => write!(moved, "{}{}", command('V'), y - oy),
            PathSegment::CurveTo { x1, y1, x2, y2, x, y, .. } => {
                let [x1, x2, x] = [x1, x2, x].map(|x| x - ox);
                let [y1, y2, y] = [y1, y2, y].map(|y| y - oy);
                write!(moved, "{}{x1} {y1} {x2} {y2} {x} {y}", command('C'))
            }
            PathSegment::SmoothCurveTo { x2, y2, x, y, .. } => {
                write!(moved, "{}{} {} {} {}", command('S'), x2 - ox, y2 - oy, x - ox, y - oy)
            }
            PathSegment::Quadratic { x1, y1, x, y, .. } => {
                write!(moved, "{}{} {} {} {}", command('Q'), x1 - ox, y1 - oy, x - ox, y - oy)
            }
            PathSegment::SmoothQuadratic { x, y, .. } => {
                write!(moved, "{}{} {}", command('T'), x - ox, y - oy)
            }
            PathSegment::EllipticalArc { rx, ry, x_axis_rotation, large_arc, sweep, x, y, .. } => {
                let [large, sweep] = [large_arc, sweep].map(u8::from);
                let (x, y) = (x - ox, y - oy);
                write!(moved, "{}{rx} {ry} {x_axis_rotation} {large} {sweep} {x} {y}", command('A'))
            }
            PathSegment::ClosePath { .. } => write!(moved, "Z"),
        };
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::after;

    const MAP: &str =
        "<svg xmlns='http://www.w3.org/2000/svg' width='200' height='150' viewBox='4567800 5678900 20 15'>";

    #[test]
    fn usvg_still_loses_the_coordinates_of_maps() {
        let text = format!("{MAP}<rect x='4567802.25' y='5678902.25' width='4.5' height='3.5'/></svg>");
        let drawn = usvg::Tree::from_str(&text, &usvg::Options::default()).expect("it is valid");
        assert_ne!(drawn.root().abs_bounding_box().left(), 22.5);
    }

    #[test]
    fn all_coordinates_are_moved() {
        let moved = |contents: &str| {
            let (document, _) = after(move_to_zero, &format!("{MAP}{contents}</svg>"));
            let contents = document.to_xml();
            contents.split_once('>').map(|(_, rest)| rest.trim_end_matches("</svg>").to_owned())
        };
        for (element, expected) in [
            (
                "<line x1='4567801' y1='5678901' x2='4567802' y2='0'/>",
                "<line x1=\"1\" y1=\"1\" x2=\"2\" y2=\"-5678900\"/>",
            ),
            ("<circle cx='4567801px' cy='5678901'/>", "<circle cx=\"1\" cy=\"1\"/>"),
            ("<polygon points='4567801,5678901 4567802 5678902'/>", "<polygon points=\"1 1 2 2 \"/>"),
            (
                "<path d='m4567801 5678901h1V5678903a1 2 3 0 1 4 5L4567801 5678901zm1 1M4567802 5678901 x'/>",
                "<path d=\"M1 1h1V3a1 2 3 0 1 4 5L1 1Zm1 1M2 1\"/>",
            ),
            ("<text x='4567801 4567802'>A</text>", "<text x=\"1 2\" y=\"-5678900\">A</text>"),
            (
                "<text y='5678901'><tspan>A</tspan></text>",
                "<text y=\"1\" x=\"-4567800\"><tspan>A</tspan></text>",
            ),
            ("<g transform='translate(3 4)'/>", "<g transform=\"matrix(1 0 0 1 3 4)\"/>"),
        ] {
            assert_eq!(moved(element).as_deref(), Some(expected), "{element}");
        }
        for other in ["<text x=\"1em\">A</text>", "<rect fill=\"url(#a)\"/>", "<rect x=\"1em\"/>", "<svg/>"] {
            assert_eq!(moved(other).as_deref(), Some(other));
            assert_eq!(after(move_to_zero, &format!("{MAP}{other}</svg>")).1, 1, "{other}");
        }
    }
}
