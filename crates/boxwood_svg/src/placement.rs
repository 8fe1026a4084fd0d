//! What attributes say of the user space of `svg`, `use` and `image`, which usvg resolves into transforms.

use std::collections::HashMap;
use std::str::FromStr;

use kurbo::{Affine, Rect};
use svgtypes::{Length, LengthUnit, Transform};
use usvg::roxmltree::{self, Document};
use usvg::{Group, Node, Tree};

use crate::path::affine;
use crate::view_box::View;

/// What the root and the elements with an id say. The tree has no other way back to the document.
pub(crate) struct Placements {
    root_view: View,
    /// Whether the root itself says that it has a transform.
    is_root_transformed: bool,
    /// The view of each inner `svg`.
    views: HashMap<String, View>,
    /// The own transform of each `use`, where an attribute alone says it.
    uses: HashMap<String, Affine>,
    /// The rectangle of each `image` that has a width and a height, in its user space.
    images: HashMap<String, Rect>,
}

impl Placements {
    pub(crate) fn of(document: &Document<'_>) -> Self {
        let named = |element: &'static str| {
            let nodes = document.descendants().filter(move |node| node.tag_name().name() == element);
            nodes.filter_map(|node| Some((node.attribute("id")?.to_owned(), node)))
        };
        let is_styled = |text: Option<&str>| text.is_some_and(|text| text.contains("transform"));
        let are_styled =
            document.descendants().any(|node| node.tag_name().name() == "style" && is_styled(node.text()));
        let uses = named("use").filter(|(_, node)| {
            !are_styled && !is_styled(node.attribute("style")) && !node.has_attribute("transform-origin")
        });
        let root = document.root_element();
        Self {
            root_view: View::of(root),
            is_root_transformed: root.has_attribute("transform") || is_styled(root.attribute("style")),
            views: named("svg").map(|(id, node)| (id, View::of(node))).collect(),
            uses: uses.filter_map(|(id, node)| Some((id, own_transform(node)?))).collect(),
            images: named("image").filter_map(|(id, node)| Some((id, rectangle(node)?))).collect(),
        }
    }

    /// From the scene to the user space of the root.
    pub(crate) fn user_from_scene(&self, tree: &Tree) -> Affine {
        let viewport = tree.size().to_non_zero_rect(0.0, 0.0);
        let scene_from_user = match tree.root().children() {
            // usvg has a transform of the root, which it turns around the middle of the viewport, in one group with its view.
            [Node::Group(whole)] if self.is_root_transformed && whole.id().is_empty() => whole.transform(),
            _ => self.root_view.around_from_user(viewport),
        };
        inverse(affine(scene_from_user))
    }

    /// From the space of a group's contents to the user space of the SVG element that the group is.
    ///
    /// That is the identity, but for two. SVG 2 (section 5.5) appends a translation by its x and y to the transform of a `use`.
    /// usvg has both as the transform of the group, but none where it references a `symbol` that is not clipped: then the groups
    /// inside have them. Of an inner `svg`, usvg has a group that clips to its viewport, with its view inside of that.
    pub(crate) fn user_from_group(&self, group: &Group) -> Affine {
        if let (Some(view), Some(clip_path)) = (self.views.get(group.id()), group.clip_path()) {
            let viewport = clip_path.root().bounding_box().to_non_zero_rect();
            return viewport.map_or(Affine::IDENTITY, |v| inverse(affine(view.around_from_user(v))));
        }
        let own = self.uses.get(group.id());
        own.map_or(Affine::IDENTITY, |own| own.inverse() * affine(group.transform()))
    }

    /// The rectangle of an `image`, in the space of the parent of the group that places it, or cuts it as well.
    pub(crate) fn image_rect(&self, group: &Group) -> Option<Rect> {
        self.images.get(image_id(group)?).copied()
    }
}

/// The id of the image that usvg has put this group around: one group to place it; around that, where the image is to
/// fill its viewport (`slice`), one that cuts it to the viewport. The outermost has the id.
pub(crate) fn image_id(group: &Group) -> Option<&str> {
    let is_placement = |group: &Group| matches!(group.children(), [Node::Image(_)]);
    let is_cut = || {
        // usvg gives this group the box of the viewport and not that of its contents.
        let to_own_box =
            group.clip_path().is_some_and(|clip| clip.root().bounding_box() == group.bounding_box());
        let is_around_placement =
            matches!(group.children(), [Node::Group(inner)] if inner.id().is_empty() && is_placement(inner));
        to_own_box && is_around_placement
    };
    (is_placement(group) || is_cut()).then(|| group.id())
}

/// The inverse, the identity where there is none.
fn inverse(transform: Affine) -> Affine {
    if transform.determinant().is_normal() { transform.inverse() } else { Affine::IDENTITY }
}

fn own_transform(node: roxmltree::Node<'_, '_>) -> Option<Affine> {
    let transform = Transform::from_str(node.attribute("transform").unwrap_or_default()).ok()?;
    let transform =
        Affine::new([transform.a, transform.b, transform.c, transform.d, transform.e, transform.f]);
    transform.determinant().is_normal().then_some(transform)
}

/// `None` where it depends on the pixels of the image, on a font or on a viewport.
fn rectangle(node: roxmltree::Node<'_, '_>) -> Option<Rect> {
    let position = |name| node.attribute(name).map_or(Some(0.0), pixels);
    let size = |name| node.attribute(name).and_then(pixels);
    let (x, y) = (position("x")?, position("y")?);
    Some(Rect::new(x, y, x + size("width")?, y + size("height")?))
}

/// A length in CSS pixels.
fn pixels(text: &str) -> Option<f64> {
    let length = Length::from_str(text.trim()).ok()?;
    let unit = match length.unit {
        LengthUnit::None | LengthUnit::Px => 1.0,
        LengthUnit::In => 96.0,
        LengthUnit::Cm => 96.0 / 2.54,
        LengthUnit::Mm => 96.0 / 25.4,
        LengthUnit::Pt => 96.0 / 72.0,
        LengthUnit::Pc => 16.0,
        LengthUnit::Em | LengthUnit::Ex | LengthUnit::Percent => return None,
    };
    Some(length.number * unit)
}
