//! The user space that an `svg` element establishes by its `viewBox`.

use std::str::FromStr;

use crate::dom::Node;
use crate::geometry::rect;
use kurbo::Rect;
use svgtypes::{Align, AspectRatio, ViewBox};
use usvg::{NonZeroRect, Transform};

/// The attributes of an `svg` element that determine its user space.
#[derive(Clone, Copy)]
pub(crate) struct View {
    view_box: Option<NonZeroRect>,
    aspect: AspectRatio,
}

impl View {
    pub(crate) fn of(svg: Node<'_>) -> Self {
        let view_box = svg.attribute("viewBox").and_then(|text| ViewBox::from_str(text).ok());
        #[expect(clippy::cast_possible_truncation, reason = "usvg computes in f32")]
        let view_box = view_box.and_then(|ViewBox { x, y, w, h }| {
            NonZeroRect::from_xywh(x as f32, y as f32, w as f32, h as f32)
        });
        let aspect = svg.attribute("preserveAspectRatio").and_then(|text| AspectRatio::from_str(text).ok());
        Self { view_box, aspect: aspect.unwrap_or_default() }
    }

    /// The `viewBox`, if it is valid.
    pub(crate) fn view_box(&self) -> Option<Rect> {
        self.view_box.map(|view_box| rect(view_box.to_rect()))
    }

    /// The transform from the user space of the element to the space around it, which contains its
    /// viewport: SVG 2, section 8.2, "Computing the equivalent transform of an SVG viewport".
    ///
    /// It is computed in `f32` and in the order of usvg, so that the result is the same.
    pub(crate) fn around_from_user(&self, viewport: NonZeroRect) -> Transform {
        let placed = Transform::from_translate(viewport.x(), viewport.y());
        let Some(view_box) = self.view_box else { return placed };
        let (sx, sy) = (viewport.width() / view_box.width(), viewport.height() / view_box.height());
        let (sx, sy) = match (self.aspect.align, self.aspect.slice) {
            (Align::None, _) => (sx, sy),
            (_, true) => (sx.max(sy), sx.max(sy)),
            (_, false) => (sx.min(sy), sx.min(sy)),
        };
        let (x, y) = shares(self.aspect.align);
        let tx = -view_box.x() * sx + (viewport.width() - view_box.width() * sx) * x;
        let ty = -view_box.y() * sy + (viewport.height() - view_box.height() * sy) * y;
        placed.pre_concat(Transform::from_row(sx, 0.0, 0.0, sy, tx, ty))
    }
}

/// The shares of the space left in a viewport that are to the left of and above its contents.
const fn shares(align: Align) -> (f32, f32) {
    match align {
        Align::None | Align::XMinYMin => (0.0, 0.0),
        Align::XMidYMin => (0.5, 0.0),
        Align::XMaxYMin => (1.0, 0.0),
        Align::XMinYMid => (0.0, 0.5),
        Align::XMidYMid => (0.5, 0.5),
        Align::XMaxYMid => (1.0, 0.5),
        Align::XMinYMax => (0.0, 1.0),
        Align::XMidYMax => (0.5, 1.0),
        Align::XMaxYMax => (1.0, 1.0),
    }
}
