//! usvg 0.49 ignores `pathLength`.
//!
//! SVG 2 (section 9.6.1) scales distances along a path by its length over `pathLength`. So the
//! dashes of such an element are scaled.

use crate::css::sizes::{LengthAxis, Sizes};
use crate::css::values::{Units, evaluate, split};
use crate::dom::{Document, Node};
use crate::error::Error;
use crate::passes::Tools;
use kurbo::{BezPath, Circle, Ellipse, Line, Rect, Shape};
use svgtypes::PointsParser;

const ATTRIBUTE: &str = "pathLength";
const DASHES: &str = "stroke-dasharray";
const OFFSET: &str = "stroke-dashoffset";

/// The error of a length, relative to it.
const ACCURACY: f64 = 1e-6;

/// Scales the dashes of the elements with a length by the author.
pub(super) fn scale_dashes(document: &mut Document, tools: &Tools<'_>) -> Result<(), Error> {
    let has_length = |node: &Node<'_>| node.has_attribute(ATTRIBUTE);
    if !document.elements().any(|node| has_length(&node)) {
        return Ok(());
    }
    let sizes = Sizes::of_document(document, tools.measure);
    let mut changes = Vec::new();
    for node in document.elements().filter(has_length) {
        let (Some(dashes), Some(factor)) = (node.inherited(DASHES), factor(node, &sizes)) else { continue };
        if dashes == "none" {
            continue;
        }
        let units = sizes.units(node, LengthAxis::Diagonal);
        let scaled = |text: &str| Some((factor * units.px(evaluate(text, &units)?)).to_string());
        let lengths = split(dashes, |c| c.is_whitespace() || c == ',').into_iter().map(scaled);
        if let Some(lengths) = lengths.collect::<Option<Vec<_>>>() {
            changes.push((node.id(), DASHES, lengths.join(" ")));
        }
        if let Some(offset) = node.inherited(OFFSET).and_then(scaled) {
            changes.push((node.id(), OFFSET, offset));
        }
    }
    changes.into_iter().for_each(|(id, name, value)| document.set_attribute(id, name, value));
    Ok(())
}

/// The factor of distances along the path of an element. `None` if `pathLength` does not apply.
fn factor(node: Node<'_>, sizes: &Sizes<'_>) -> Option<f64> {
    let by_author: f64 = node.attribute(ATTRIBUTE)?.trim().parse().ok()?;
    let factor = path_length(node, sizes)? / by_author;
    (by_author > 0.0 && factor.is_finite() && factor > 0.0).then_some(factor)
}

/// The length of the path of a shape. `None` for other elements, and for a path with an error.
fn path_length(node: Node<'_>, sizes: &Sizes<'_>) -> Option<f64> {
    let optional = |name: &str| sizes.length(node, name);
    let length = |name: &str| optional(name).unwrap_or(0.0);
    let path = match node.tag() {
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
            if node.has_tag("polygon") && !path.elements().is_empty() {
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
    use crate::passes::testing::after;
    use crate::quirks::upstream::tree;

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
        for (element, expected) in [
            ("path d='M20 20H180' pathLength='100' stroke-dasharray='50 100'", Some("80 160")),
            ("line x2='30' y2='40' pathLength='1' stroke-dasharray='.5'", Some("25")),
            ("rect width='30' height='20' pathLength='10' stroke-dasharray='1'", Some("10")),
            ("polygon points='0 0 30 0 30 40' pathLength='12' stroke-dasharray='1,2'", Some("10 20")),
            ("polyline points='0 0 30 0 30 40' pathLength='7' stroke-dasharray='1'", Some("10")),
            ("path d='M0 0H9' pathLength='0' stroke-dasharray='1'", None),
            ("path d='M0 0H9' pathLength='9' stroke-dasharray='none'", None),
            ("path d='M0 0H9' pathLength='9'", None),
        ] {
            let text = format!("<svg><{element}/></svg>");
            let dashes = |document: &Document| {
                let shape = document.root_element().first_element_child().expect("it is there");
                shape.attribute(DASHES).map(str::to_owned)
            };
            let (scaled, before) = (after(scale_dashes, &text).0, Document::parse(&text).expect("it is XML"));
            let round = |length: &str| length.parse::<f64>().expect("a number").round().to_string();
            let found = dashes(&scaled).filter(|found| Some(found) != dashes(&before).as_ref());
            let found = found.map(|dashes| dashes.split(' ').map(round).collect::<Vec<_>>().join(" "));
            assert_eq!(found.as_deref(), expected, "{element}");
        }
    }
}
