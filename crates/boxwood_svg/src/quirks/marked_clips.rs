//! usvg 0.49 counts the markers of a path in the bounding box that a clip path is relative to. If
//! that box has no area, usvg removes the path.
//!
//! SVG 2 (section 8.10) has only the fill of the path in that box. So such a path gets a copy of
//! its clip path, in user units. A path without area, such as a horizontal line, is not rendered if
//! its clip path or mask is relative to it, but its object box stays. So it gets a clip path
//! without interior.

use kurbo::{BezPath, Point, Rect, Shape};
use svgtypes::PointsParser;
use usvg::roxmltree::{Document, Node};

use crate::guard::document::RelativeEffect;
use crate::quirks::empty_clip_paths::NO_INTERIOR;
use crate::rewrite::Edits;

/// The id of the clip path that lets nothing through.
const NOTHING: &str = "boxwood-clip-nothing";

/// Gives its own clip path to each path that usvg clips wrongly.
pub(crate) fn place_clips(document: &Document<'_>, relative: &[RelativeEffect<'_>], edits: &mut Edits<'_>) {
    let mut hides_any = false;
    for (index, RelativeEffect { path, effect, is_marked }) in relative.iter().enumerate() {
        let Some(fill) = fill_box(*path) else { continue };
        if fill.width() == 0.0 || fill.height() == 0.0 {
            edits.set_property(*path, "clip-path", &format!("url(#{NOTHING})"));
            edits.set_property(*path, "mask", "none");
            hides_any = true;
            continue;
        }
        // A percentage is relative to the units.
        let text = &effect.document().input_text()[effect.range()];
        if !is_marked || !effect.has_tag_name("clipPath") || text.contains('%') {
            continue;
        }
        let id = format!("boxwood-clip-{index}");
        let own = effect.attribute("transform").unwrap_or_default();
        let Rect { x0, y0, .. } = fill;
        let transform = format!("{own} matrix({} 0 0 {} {x0} {y0})", fill.width(), fill.height());
        let changes = [("id", &*id), ("clipPathUnits", "userSpaceOnUse"), ("transform", &*transform)];
        if edits.copy_element(*effect, &changes) {
            edits.set_property(*path, "clip-path", &format!("url(#{id})"));
        }
    }
    if hides_any {
        let attributes = format!("id='{NOTHING}'");
        edits.append_child(document.root_element(), ("clipPath", &attributes), Some(("path", NO_INTERIOR)));
    }
}

/// The box of the fill of a path. `None` if it is not certain.
fn fill_box(shape: Node<'_, '_>) -> Option<Rect> {
    let number = |name| shape.attribute(name).map_or(Some(0.0), |text| text.trim().parse().ok());
    Some(match shape.tag_name().name() {
        "path" => BezPath::from_svg(shape.attribute("d")?).ok()?.bounding_box(),
        "line" => Rect::from_points((number("x1")?, number("y1")?), (number("x2")?, number("y2")?)),
        _ => {
            let points = PointsParser::from(shape.attribute("points")?).map(Point::from);
            points.map(|p| Rect::from_points(p, p)).reduce(|a, b| a.union(b))?
        }
    })
}

#[cfg(test)]
mod tests {
    use usvg::Node;

    use crate::quirks::upstream::tree;

    #[test]
    fn usvg_still_counts_markers_in_the_box_of_a_clip_path() {
        let drawn = tree(
            "<marker id='m' markerUnits='userSpaceOnUse' overflow='visible'><rect width='50' height='50'/></marker>
            <clipPath id='c' clipPathUnits='objectBoundingBox'><rect width='1' height='1'/></clipPath>
            <path d='M0 0H9V9' marker-end='url(#m)' clip-path='url(#c)'/>",
        );
        let [Node::Group(group)] = drawn.root().children() else { panic!("one group") };
        let clip_path = group.clip_path().expect("it is clipped");
        assert!(clip_path.transform().sx > 50.0, "SVG makes it 9");
    }
}
