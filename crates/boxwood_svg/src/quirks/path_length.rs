//! usvg 0.49 ignores `pathLength`.
//!
//! SVG 2 (section 9.6.1) scales distances along a path by its length over `pathLength`. So the
//! dashes of such an element are scaled.

use kurbo::{BezPath, Circle, Ellipse, Line, Rect, Shape};
use svgtypes::PointsParser;
use usvg::roxmltree::{Document, Node};

use crate::css::sizes::{Axis, Measure, Sizes};
use crate::css::values::{Units, evaluate};
use crate::inline_style::{declared, split};
use crate::rewrite::Edits;
use crate::warnings::Warnings;

const ATTRIBUTE: &str = "pathLength";
const DASHES: &str = "stroke-dasharray";
const OFFSET: &str = "stroke-dashoffset";

/// The error of a length, relative to it.
const ACCURACY: f64 = 1e-6;

/// The text of a document with scaled dashes. `None` if nothing is scaled.
pub(crate) fn scaled_dashes(
    document: &Document<'_>,
    measure: Measure<'_>,
    warnings: &Warnings,
) -> Option<String> {
    if !document.input_text().contains(ATTRIBUTE) {
        return None;
    }
    let mut edits = Edits::new(document);
    let sizes = Sizes::of_document(document, measure);
    for node in document.descendants().filter(|node| node.has_attribute(ATTRIBUTE)) {
        let (Some(dashes), Some(factor)) = (inherited(node, DASHES), factor(node, &sizes)) else { continue };
        if dashes == "none" {
            continue;
        }
        let units = sizes.units(node, Axis::Diagonal);
        let scaled = |text: &str| Some((factor * units.px(evaluate(text, &units)?)).to_string());
        let lengths = split(dashes, |c| c.is_whitespace() || c == ',').into_iter().map(scaled);
        if let Some(lengths) = lengths.collect::<Option<Vec<_>>>() {
            edits.set_property(node, DASHES, &lengths.join(" "));
        }
        if let Some(offset) = inherited(node, OFFSET).and_then(scaled) {
            edits.set_property(node, OFFSET, &offset);
        }
    }
    edits.warn(warnings);
    edits.apply()
}

/// The value of an inherited property, by the nearest element that declares it.
fn inherited<'a>(node: Node<'a, '_>, property: &str) -> Option<&'a str> {
    node.ancestors().filter_map(|around| declared(around, property)).find(|value| *value != "inherit")
}

/// The factor of distances along the path of an element. `None` if `pathLength` does not apply.
fn factor(node: Node<'_, '_>, sizes: &Sizes<'_>) -> Option<f64> {
    let by_author: f64 = node.attribute(ATTRIBUTE)?.trim().parse().ok()?;
    let factor = path_length(node, sizes)? / by_author;
    (by_author > 0.0 && factor.is_finite() && factor > 0.0).then_some(factor)
}

/// The length of the path of a shape. `None` for other elements, and for a path with an error.
fn path_length(node: Node<'_, '_>, sizes: &Sizes<'_>) -> Option<f64> {
    let optional = |name: &str| {
        let units = sizes.units(node, Axis::of(name));
        Some(units.px(evaluate(node.attribute(name)?, &units)?))
    };
    let length = |name: &str| optional(name).unwrap_or(0.0);
    let path = match node.tag_name().name() {
        "path" => BezPath::from_svg(node.attribute("d")?).ok()?,
        "line" => Line::new((length("x1"), length("y1")), (length("x2"), length("y2"))).into_path(ACCURACY),
        "circle" => return Some(Circle::new((0.0, 0.0), length("r")).perimeter(ACCURACY)),
        "ellipse" => {
            let (rx, ry) = (optional("rx").or(optional("ry"))?, optional("ry").or(optional("rx"))?);
            return Some(Ellipse::new((0.0, 0.0), (rx, ry), 0.0).perimeter(ACCURACY * rx.max(ry)));
        }
        "rect" => {
            let rect = Rect::new(0.0, 0.0, length("width"), length("height"));
            let rx = optional("rx").or(optional("ry")).unwrap_or(0.0).min(0.5 * rect.width());
            let ry = optional("ry").or(optional("rx")).unwrap_or(0.0).min(0.5 * rect.height());
            let corners = Ellipse::new((0.0, 0.0), (rx, ry), 0.0);
            let straight = rect.perimeter(ACCURACY) - 4.0 * (rx + ry);
            let has_corners = rx > 0.0 && ry > 0.0;
            return Some(if has_corners {
                straight + corners.perimeter(ACCURACY * rx.max(ry))
            } else {
                rect.perimeter(ACCURACY)
            });
        }
        "polygon" | "polyline" => {
            let mut path = BezPath::new();
            for point in PointsParser::from(node.attribute("points")?) {
                if path.elements().is_empty() { path.move_to(point) } else { path.line_to(point) }
            }
            if node.has_tag_name("polygon") && !path.elements().is_empty() {
                path.close_path();
            }
            path
        }
        _ => return None,
    };
    let size = path.control_box();
    Some(path.perimeter(ACCURACY * size.width().max(size.height()).max(ACCURACY)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::css::sizes::FontMetrics;
    use crate::quirks::upstream::tree;
    use crate::xml::parse;

    #[test]
    fn usvg_still_ignores_the_length_by_the_author() {
        let dashes = "stroke='red' stroke-dasharray='50' pathLength='100'";
        let drawn = tree(&format!("<path d='M0 0H200' {dashes}/>"));
        let [usvg::Node::Path(path)] = drawn.root().children() else { panic!("one path") };
        assert_eq!(path.stroke().and_then(|stroke| stroke.dasharray()), Some(&[50.0, 50.0][..]));
    }

    /// The dashes and the offset are those of Chromium 156.
    #[test]
    fn dashes_are_scaled() {
        for (shape, expected) in [
            ("path d='M20 20H180' pathLength='100' stroke-dasharray='50 100'", Some("80 160")),
            ("line x2='30' y2='40' pathLength='1' stroke-dasharray='.5'", Some("25")),
            ("rect width='30' height='20' pathLength='10' stroke-dasharray='1'", Some("10")),
            ("polygon points='0 0 30 0 30 40' pathLength='12' stroke-dasharray='1,2'", Some("10 20")),
            ("polyline points='0 0 30 0 30 40' pathLength='7' stroke-dasharray='1'", Some("10")),
            ("path d='M0 0H9' pathLength='0' stroke-dasharray='1'", None),
            ("path d='M0 0H9' pathLength='9' stroke-dasharray='none'", None),
            ("path d='M0 0H9' pathLength='9'", None),
        ] {
            let text = format!("<svg><{shape}/></svg>");
            let document = parse(&text).expect("it is XML");
            let measure = |_: &str| FontMetrics { ch: 0.5, ex: 0.5, cap: 0.5 };
            let scaled = scaled_dashes(&document, &measure, &Warnings::default());
            let scaled = scaled.as_deref().map(|text| parse(text).expect("it is XML"));
            let found = scaled.as_ref().map(|document| {
                let shape = document.root_element().first_element_child().expect("it is there");
                let lengths = declared(shape, DASHES).expect("it is set").split(' ');
                let round = |length: &str| length.parse::<f64>().expect("a number").round().to_string();
                lengths.map(round).collect::<Vec<_>>().join(" ")
            });
            assert_eq!(found.as_deref(), expected, "{shape}");
        }
    }
}
