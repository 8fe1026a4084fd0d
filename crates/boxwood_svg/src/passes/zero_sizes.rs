//! usvg 0.49 leaves out shapes and images without a size, and paths with a single point.
//!
//! They are not drawn, but SVG 2 (section 8.10) gives them a box without an area, at their place.
//! So each becomes a path without paint, whose box is that box. As in Chromium, the boxes of the
//! groups around it do not include it.

use kurbo::{Point, Rect};
use svgtypes::{Length, PathParser, PathSegment, PointsParser};

use crate::css::sizes::Sizes;
use crate::dom::{Document, Node};
use crate::error::Error;
use crate::passes::Tools;
use crate::xml::DEFINITIONS;

/// The property that marks the elements.
const MARK: &str = "-boxwood-no-size";

/// The attributes of shapes and images that are lengths.
const LENGTHS: [&str; 9] = ["cx", "cy", "height", "r", "rx", "ry", "width", "x", "y"];

/// The properties of the path, so that nothing is drawn and no effect is relative to it.
const UNPAINTED: [(&str, &str); 8] = [
    ("clip-path", "none"),
    ("fill", "none"),
    ("filter", "none"),
    ("marker-end", "none"),
    ("marker-mid", "none"),
    ("marker-start", "none"),
    ("mask", "none"),
    ("stroke", "none"),
];

/// Makes a path of each element without a size.
pub(super) fn make_paths(document: &mut Document, tools: &Tools<'_>) -> Result<(), Error> {
    let is_drawn = |node: &Node<'_>| !node.ancestors().any(|around| DEFINITIONS.contains(&around.tag()));
    let without_geometry = document.elements().filter(|node| has_no_geometry(*node) && is_drawn(node));
    let without_geometry: Vec<_> = without_geometry.collect();
    if without_geometry.is_empty() {
        return Ok(());
    }
    let sizes = Sizes::of_document(document, tools.measure);
    let with_box = |node: Node<'_>| Some((node.id(), empty_box(node, &sizes)?));
    let empty: Vec<_> = without_geometry.into_iter().filter_map(with_box).collect();
    for (id, Rect { x0, y0, x1, y1 }) in empty {
        document.rename(id, "path");
        document.set_attribute(id, "d", format!("M{x0} {y0}L{x1} {y1}"));
        UNPAINTED.iter().for_each(|(name, value)| document.set_attribute(id, name, *value));
        document.declare(id, MARK, "");
    }
    Ok(())
}

/// Whether [`make_paths`] has made a path of an element.
pub(crate) fn is_marked(node: Node<'_>) -> bool {
    node.declaration(MARK).is_some()
}

/// Whether the geometry of an element is nothing by its attributes. Only such an element can be
/// without a size.
pub(crate) fn has_no_geometry(node: Node<'_>) -> bool {
    let text = |name: &str| node.attribute(name).unwrap_or_default();
    let is_positive = |name: &str| match text(name).trim().parse::<Length>() {
        Ok(length) => length.number > 0.0,
        // The units and functions of CSS have a number, which is zero seldom.
        Err(_) => text(name).contains(|c| ('1'..='9').contains(&c)),
    };
    let is_positive_or_missing = |name: &str| !node.has_attribute(name) || is_positive(name);
    let has_size = match node.tag() {
        "rect" => is_positive("width") && is_positive("height"),
        "circle" => is_positive("r"),
        "ellipse" => {
            let is_known = node.has_attribute("rx") || node.has_attribute("ry");
            is_known && ["rx", "ry"].into_iter().all(is_positive_or_missing)
        }
        "path" => {
            let mut segments = PathParser::from(text("d")).map_while(Result::ok);
            segments.any(|segment| !matches!(segment, PathSegment::MoveTo { .. }))
        }
        "polygon" | "polyline" => PointsParser::from(text("points")).nth(1).is_some(),
        // The size of the file is that of an image without one.
        "image" => ["width", "height"]
            .into_iter()
            .all(|name| is_positive_or_missing(name) && (node.has_attribute(name) || node.href().is_some())),
        _ => true,
    };
    !has_size
}

/// The box of a shape or image without a size. `None` for other elements, and without a place.
fn empty_box(node: Node<'_>, sizes: &Sizes<'_>) -> Option<Rect> {
    let optional = |name: &str| sizes.length(node, name);
    // A length with a unit that is not known here is not zero.
    let has_unknown = LENGTHS.iter().any(|name| node.has_attribute(name) && optional(name).is_none());
    if has_unknown {
        return None;
    }
    let length = |name: &str| optional(name).unwrap_or(0.0);
    // A negative size is invalid (SVG 2, section 7.5), as if it was missing.
    let size = |name: &str| optional(name).filter(|size| *size >= 0.0);
    let without_size = |x: f64, y: f64, width: f64, height: f64| {
        let is_empty = width == 0.0 || height == 0.0;
        is_empty.then(|| Rect::from_origin_size((x, y), (width, height)))
    };
    let around = |rx: f64, ry: f64| without_size(length("cx") - rx, length("cy") - ry, 2.0 * rx, 2.0 * ry);
    match node.tag() {
        "rect" => {
            let [width, height] = ["width", "height"].map(|name| size(name).unwrap_or(0.0));
            without_size(length("x"), length("y"), width, height)
        }
        // A size that is missing is that of the file.
        "image" => {
            let [width, height] = match ["width", "height"].map(size) {
                sizes if node.href().is_none() => sizes.map(|size| size.unwrap_or(0.0)),
                [Some(0.0), None] | [None, Some(0.0)] => [0.0; 2],
                sizes => sizes.map(|size| size.unwrap_or(f64::NAN)),
            };
            without_size(length("x"), length("y"), width, height)
        }
        "circle" => {
            let r = size("r").unwrap_or(0.0);
            around(r, r)
        }
        "ellipse" => {
            let (rx, ry) = (size("rx").or(size("ry")), size("ry").or(size("rx")));
            around(rx.unwrap_or(0.0), ry.unwrap_or(0.0))
        }
        "path" => {
            let mut segments = PathParser::from(node.attribute("d")?).map_while(Result::ok);
            let Some(PathSegment::MoveTo { x, y, .. }) = segments.next() else { return None };
            segments.next().is_none().then(|| Rect::from_points((x, y), (x, y)))
        }
        "polygon" | "polyline" => {
            let mut points = PointsParser::from(node.attribute("points")?).map(Point::from);
            let point = points.next()?;
            points.next().is_none().then(|| Rect::from_points(point, point))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::contents_after;
    use crate::quirks::upstream::tree;

    #[test]
    fn usvg_still_leaves_out_elements_without_a_size() {
        for element in
            ["rect height='9'", "circle", "path d='M5 5'", "polyline points='5 5'", "image width='0'"]
        {
            assert!(!tree(&format!("<{element}/>")).root().has_children(), "{element}");
        }
    }

    /// The boxes are those of `getBBox` in Chromium 156.
    #[test]
    fn elements_without_a_size_become_paths() {
        for (element, expected) in [
            ("rect x='5' y='6' height='9'", Some("M5 6L5 15")),
            ("circle cx='5' cy='6'", Some("M5 6L5 6")),
            ("path d='M5 6'", Some("M5 6L5 6")),
            ("polyline points='3 4'", Some("M3 4L3 4")),
            ("ellipse cx='3' cy='4' rx='0' ry='7'", Some("M3 -3L3 11")),
            ("image x='3' y='2' width='0' height='5'", Some("M3 2L3 7")),
            ("path d=''", None),
            ("rect x='3' y='4' width='-1' height='9'", Some("M3 4L3 13")),
            ("circle cx='4' cy='5' r='-1'", Some("M4 5L4 5")),
            ("ellipse cx='4' cy='5' rx='-1' ry='-3'", Some("M4 5L4 5")),
            ("ellipse cx='4' cy='5' rx='-1' ry='3'", None),
            ("rect width='1' height='9'", None),
            ("rect width='1lh' height='9'", None),
            ("image x='3' height='9'", Some("M3 0L3 9")),
            ("image height='9' href='a.png'", None),
        ] {
            let found = contents_after(make_paths, &format!("<svg><{element}/></svg>"));
            match expected {
                Some(data) => assert!(found.contains(&format!(" d=\"{data}\"")), "{element}: {found}"),
                None => assert!(!found.contains("marker-end"), "{element}: {found}"),
            }
        }
        let definition = "<clipPath><rect height=\"9\"/></clipPath>";
        assert_eq!(contents_after(make_paths, &format!("<svg>{definition}</svg>")), definition);
    }
}
