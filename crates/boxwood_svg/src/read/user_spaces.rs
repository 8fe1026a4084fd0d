//! The user spaces of `svg` and `image` elements, by their attributes. usvg keeps only the
//! transforms that it makes of them.

use std::collections::HashMap;
use std::str::FromStr;

use crate::dom::{self, Document};
use kurbo::{Affine, Rect, Vec2};
use svgtypes::{Length, ViewBox};
use usvg::{Group, Node, Tree};

use crate::dom::NodeId;
use crate::geometry::affine;
use crate::read::view_box::View;
use crate::xml::user_units;

/// The user spaces of the root, of `svg` elements, and of images.
pub(crate) struct UserSpaces {
    root_view: View,
    /// The origin that a pass has moved to zero, in all user spaces.
    pub(crate) origin: Vec2,
    /// Whether the root has a transform of its own.
    is_root_transformed: bool,
    /// The view of each inner `svg`.
    views: HashMap<String, View>,
    /// The rectangle of each `image` with a width and a height, in its user space.
    images: Vec<(NodeId, Rect)>,
}

impl UserSpaces {
    /// The `viewBox` of the root.
    pub(crate) fn root_view_box(&self) -> Option<Rect> {
        self.root_view.view_box().map(|view_box| view_box + self.origin)
    }

    /// The user spaces in a document as usvg reads it.
    /// `original` is the document before the passes for usvg.
    pub(crate) fn of(document: &Document, original: &Document) -> Self {
        let viewports = document.elements().filter(|node| node.has_tag("svg"));
        let with_id = viewports.filter_map(|node| Some((node.attribute("id")?.to_owned(), node)));
        let images = document.elements().filter(|node| node.has_tag("image"));
        let root = document.root_element();
        Self {
            root_view: View::of(root),
            origin: moved_origin(original, document),
            is_root_transformed: root.has_attribute("transform"),
            views: with_id.map(|(id, node)| (id, View::of(node))).collect(),
            images: images.filter_map(|node| Some((node.id(), rectangle(node)?))).collect(),
        }
    }

    /// The transform from scene space to the user space of the root.
    pub(crate) fn user_from_scene(&self, tree: &Tree) -> Affine {
        let viewport = tree.size().to_non_zero_rect(0.0, 0.0);
        let scene_from_user = match tree.root().children() {
            // usvg applies a transform of the root around the middle of the viewport, and puts it
            // with the view into one group.
            [Node::Group(whole)] if self.is_root_transformed && whole.id().is_empty() => whole.transform(),
            _ => self.root_view.around_from_user(viewport),
        };
        Affine::translate(self.origin) * inverse(affine(scene_from_user))
    }

    /// The transform from the space of a group's contents to the user space of the SVG element that
    /// the group comes from.
    ///
    /// It is the identity, except for an inner `svg`: usvg has a group that clips to its viewport,
    /// with its view inside of that.
    pub(crate) fn user_from_group(&self, group: &Group) -> Affine {
        if let (Some(view), Some(clip_path)) = (self.views.get(group.id()), group.clip_path()) {
            let viewport = clip_path.root().bounding_box().to_non_zero_rect();
            return viewport.map_or(Affine::IDENTITY, |v| inverse(affine(view.around_from_user(v))));
        }
        Affine::IDENTITY
    }

    /// The rectangles of images, in their user spaces.
    pub(crate) fn image_rects(&self) -> impl Iterator<Item = (NodeId, Rect)> {
        self.images.iter().copied()
    }
}

/// The origin that a pass has moved to zero: the difference of the origins of the `viewBox`.
fn moved_origin(original: &Document, moved: &Document) -> Vec2 {
    let origin = |document: &Document| {
        let view_box = document.root_element().attribute("viewBox")?.parse::<ViewBox>().ok()?;
        Some(Vec2::new(view_box.x, view_box.y))
    };
    origin(original).zip(origin(moved)).map_or(Vec2::ZERO, |(original, moved)| original - moved)
}

/// The inverse of a transform, the identity if it has none.
fn inverse(transform: Affine) -> Affine {
    if transform.determinant().is_normal() { transform.inverse() } else { Affine::IDENTITY }
}

/// The rectangle of an image, `None` if it depends on the image's pixels, on a font or on a
/// viewport.
fn rectangle(node: dom::Node<'_>) -> Option<Rect> {
    let length = |text: &str| {
        let length = Length::from_str(text.trim()).ok()?;
        Some(length.number * user_units(length.unit)?)
    };
    let position = |name| node.attribute(name).map_or(Some(0.0), length);
    let size = |name| node.attribute(name).and_then(length);
    let (x, y) = (position("x")?, position("y")?);
    Some(Rect::new(x, y, x + size("width")?, y + size("height")?))
}
