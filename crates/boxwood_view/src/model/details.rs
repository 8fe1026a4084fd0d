//! The facts about one source that take too long to compute for all of them.

use boxwood_svg::{Explanation, Include, Space, Style, explain, style};
use kurbo::Rect;

use super::{Edges, Model};

/// The kinds of object box in [`Details::object_boxes`], with their titles.
pub(crate) const OBJECT_BOXES: [(&str, Include); 3] = [
    ("fill", Include { fill: true, stroke: false, markers: false, clipped: false }),
    ("fill, stroke, markers", Include { fill: true, stroke: true, markers: true, clipped: false }),
    ("the same, clipped", Include { fill: true, stroke: true, markers: true, clipped: true }),
];

/// The facts about a selected source.
#[derive(Debug)]
pub(crate) struct Details {
    pub(crate) source: u32,
    /// What each effect around the source leaves of its box, and what hides it.
    pub(crate) explanation: Explanation,
    /// What sets the edges of its boxes.
    pub(crate) edges: Edges,
    /// How it is painted.
    pub(crate) style: Style,
    /// Its object boxes in its user space and in scene space, for each of [`OBJECT_BOXES`].
    pub(crate) object_boxes: [[Option<Rect>; 2]; OBJECT_BOXES.len()],
    /// usvg's boxes of the element in scene space, without and with its stroke. `None` if it has no
    /// id that usvg keeps.
    pub(crate) usvg_boxes: Option<[Rect; 2]>,
}

impl Details {
    /// Computes the details. This takes several passes over the drawing.
    pub(crate) fn new(model: &Model, source: u32) -> Self {
        let drawing = &model.drawing;
        let explanation = explain(drawing, &[source]).pop().expect("one source has one explanation");
        let object_box = |include, space| {
            drawing.object_boxes_of(include, space, |index| index == source as usize)[source as usize]
        };
        let object_boxes = OBJECT_BOXES
            .map(|(_, include)| [Space::Local, Space::Scene].map(|space| object_box(include, space)));
        let named = &model.source(source);
        let node = named.has_id.then(|| drawing.tree.node_by_id(&named.name)).flatten();
        let rect = |r: resvg::tiny_skia::Rect| {
            Rect::new(r.left().into(), r.top().into(), r.right().into(), r.bottom().into())
        };
        let usvg_boxes = node.map(|node| [node.abs_bounding_box(), node.abs_stroke_bounding_box()].map(rect));
        let (edges, style) = (Edges::new(model, source), style(drawing, source));
        Self { source, explanation, edges, style, object_boxes, usvg_boxes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::tests::{index, model};

    #[test]
    fn a_source_has_every_kind_of_box() {
        let model = model(
            r##"<clipPath id="k"><rect width="30" height="30"/></clipPath><g transform="translate(10 0)">
            <rect id="r" x="5" y="6" width="40" height="10" stroke="#000" stroke-width="2" clip-path="url(#k)"/></g>"##,
        );
        let source = index(&model, "r");
        let details = Details::new(&model, source);
        let [[local, scene], [_, stroked], [_, clipped]] = details.object_boxes;
        assert_eq!(local, Some(Rect::new(5.0, 6.0, 45.0, 16.0)));
        assert_eq!(scene, Some(Rect::new(15.0, 6.0, 55.0, 16.0)));
        assert_eq!(stroked, Some(Rect::new(14.0, 5.0, 56.0, 17.0)));
        assert_eq!(clipped, Some(Rect::new(14.0, 5.0, 40.0, 17.0)));
        assert!(details.usvg_boxes.is_some());
        assert_eq!(details.explanation.parts.len(), 2, "a fill and a stroke");
    }
}
