//! usvg 0.49 counts the markers of a path in the bounding box that a clip path is relative to.
//!
//! SVG 2 (section 8.10) has only the fill of the path in that box. So such a path gets a copy of
//! its clip path, in user units.

use kurbo::{BezPath, Point, Rect, Shape};
use svgtypes::PointsParser;
use usvg::roxmltree::Node;

use crate::guard::document::MarkedClip;
use crate::rewrite::Edits;

/// Gives its own clip path to each path.
pub(crate) fn place_clips(marked: &[MarkedClip<'_>], edits: &mut Edits<'_>) {
    for (index, MarkedClip { path, clip_path }) in marked.iter().enumerate() {
        // A percentage is relative to the units.
        let text = &clip_path.document().input_text()[clip_path.range()];
        let Some(fill) = fill_box(*path).filter(|_| !text.contains('%')) else { continue };
        let id = format!("boxwood-clip-{index}");
        let own = clip_path.attribute("transform").unwrap_or_default();
        let Rect { x0, y0, .. } = fill;
        let transform = format!("{own} matrix({} 0 0 {} {x0} {y0})", fill.width(), fill.height());
        let changes = [("id", &*id), ("clipPathUnits", "userSpaceOnUse"), ("transform", &*transform)];
        if edits.copy_element(*clip_path, &changes) {
            edits.set_property(*path, "clip-path", &format!("url(#{id})"));
        }
    }
}

/// The box of the fill of a path, if it has an area. Sizes in other units than user units do not
/// count.
fn fill_box(shape: Node<'_, '_>) -> Option<Rect> {
    let number = |name| shape.attribute(name).map_or(Some(0.0), |text| text.trim().parse().ok());
    let fill = match shape.tag_name().name() {
        "path" => BezPath::from_svg(shape.attribute("d")?).ok()?.bounding_box(),
        "line" => Rect::from_points((number("x1")?, number("y1")?), (number("x2")?, number("y2")?)),
        _ => {
            let points = PointsParser::from(shape.attribute("points")?).map(Point::from);
            points.map(|p| Rect::from_points(p, p)).reduce(|a, b| a.union(b))?
        }
    };
    (fill.width() > 0.0 && fill.height() > 0.0).then_some(fill)
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
