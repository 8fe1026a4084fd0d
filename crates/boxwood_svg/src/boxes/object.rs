//! Object bounding boxes.

use std::collections::HashMap;

use kurbo::{Affine, Rect};
use usvg::{ClipPath, Group, Node, Path, Text, Tree};

use crate::boxes::ink::InkBoxes;
use crate::boxes::strokes::StrokedPath;
use crate::dom::NodeId;
use crate::geometry::{affine, area, bez_path, bounds_with_points, rect, sized, union};
use crate::guard::deadline::Deadline;
use crate::passes::unloaded_images::is_unloaded;
use crate::placed::{PlacedNode, Places, id_and_kind};
use crate::quirks::letter_spacing::with_last_spaces;
use crate::quirks::text_length::cells_box;
use crate::quirks::wrapper_groups::{image_group, image_id};
use crate::read::elements::Elements;
use crate::read::user_spaces::UserSpaces;
use crate::table::{Source, SourceKind, TextPart};
use crate::xml::SHAPES;

/// The parts that an object bounding box includes: the options of `getBBox` in SVG 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Include {
    /// The interior of shapes, whether it is painted or not; the rectangles of images; the glyph
    /// cells of texts.
    ///
    /// The rectangle of an image is that of its attributes x, y, width and height. Inside of a
    /// marker, or if one of these depends on a font, a viewport or the pixels, it is the rectangle
    /// that all pixels of the image are fitted to.
    ///
    /// If a text with `textLength` is one line of ASCII in one style, its cells end where
    /// `textLength` says. Otherwise they include the space that usvg adds after the last glyph.
    pub fill: bool,
    /// Strokes, without their dashes.
    pub stroke: bool,
    /// Markers, each with its own fill and stroke. A hidden element has no markers.
    pub markers: bool,
    /// Whether the clip paths of the element and of its contents cut the box. The clip paths around
    /// it never do.
    ///
    /// The box of a clip path cuts, as for ink boxes. If a clip path is not an axis-aligned
    /// rectangle, SVG 2's box may be tighter, because the path itself cuts there.
    pub clipped: bool,
}

/// The space of an object bounding box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// The user space of each element, as for `getBBox`: the element's own transform does not
    /// count. The user space of an `svg` element is that of its contents, after its `viewBox`.
    ///
    /// The x and y of a `use` count.
    Local,
    /// The user space of the document at 100 %.
    Scene,
}

/// Computes object bounding boxes of the sources of a drawing.
pub(crate) struct ObjectBoxes<'t> {
    tree: &'t Tree,
    elements: &'t Elements,
    user_spaces: &'t UserSpaces,
    include: Include,
    ink: InkBoxes,
    places: Places<'t>,
    /// The rectangle of each image, in the space around the group that places or clips it. Groups
    /// are compared by their addresses.
    image_rects: HashMap<*const Group, Rect>,
}

impl<'t> ObjectBoxes<'t> {
    pub(crate) fn new(
        tree: &'t Tree,
        elements: &'t Elements,
        user_spaces: &'t UserSpaces,
        include: Include,
    ) -> Self {
        let ink = InkBoxes::new(true, Deadline::after(None));
        let places = Places::new(tree, elements);
        let images = user_spaces.image_rects().filter_map(|(node, rect)| {
            let group = image_group(places.of(node)?.node)?;
            Some((std::ptr::from_ref(group), rect))
        });
        let image_rects = images.collect();
        Self { tree, elements, user_spaces, include, ink, places, image_rects }
    }

    /// The box of a source, which has this node in the drawn document. `None` if the source has
    /// none of the included parts, or if a clip path hides all of them.
    pub(crate) fn of(&mut self, source: &Source, node: NodeId, space: Space) -> Option<Rect> {
        if source.kind == SourceKind::Svg {
            return self.root(space);
        }
        let PlacedNode { node, scene_from_group } = self.places.of(node)?;
        match (space, node) {
            (Space::Scene, _) => self.node(node, scene_from_group),
            // A group that places an image is not an element of its own.
            (Space::Local, Node::Group(inner))
                if source.kind != SourceKind::Image || image_id(inner).is_none() =>
            {
                self.contents(inner, self.user_spaces.user_from_group(inner))
            }
            (Space::Local, _) => self.node(node, Affine::IDENTITY),
        }
    }

    /// The box of a part of a text that has this node.
    pub(crate) fn text_part(&self, part: &TextPart, node: NodeId, space: Space) -> Option<Rect> {
        let PlacedNode { node, scene_from_group } = self.places.of(node)?;
        let space_from_text = match (space, node) {
            (Space::Scene, _) => space_from_text(node, scene_from_group),
            (Space::Local, Node::Group(inner)) => {
                let space_from_inner = self.user_spaces.user_from_group(inner);
                inner.children().iter().find_map(|node| space_from_text(node, space_from_inner))
            }
            (Space::Local, _) => Some(Affine::IDENTITY),
        };
        let placed = |rect| Some(space_from_text?.transform_rect_bbox(rect));
        let cells = part.cells.filter(|_| self.include.fill);
        let strokes = part.strokes.filter(|_| self.include.stroke);
        union(cells.and_then(placed), strokes.and_then(placed))
    }

    fn root(&mut self, space: Space) -> Option<Rect> {
        let space_from_scene = match space {
            Space::Local => self.user_spaces.user_from_scene(self.tree),
            Space::Scene => Affine::IDENTITY,
        };
        self.contents(self.tree.root(), space_from_scene)
    }

    fn node(&mut self, node: &Node, space_from_parent: Affine) -> Option<Rect> {
        match node {
            Node::Group(group) => self.group(group, space_from_parent),
            Node::Path(path) => self.path(path, space_from_parent),
            // The image in its place has a size of its own.
            Node::Image(image) if is_unloaded(image) => None,
            Node::Image(image) => self.rectangle(sized(image.size()), space_from_parent),
            Node::Text(text) => self.text(text, space_from_parent),
        }
    }

    fn group(&mut self, group: &Group, space_from_parent: Affine) -> Option<Rect> {
        match self.image_rects.get(&std::ptr::from_ref(group)) {
            Some(rect) => self.rectangle(*rect, space_from_parent),
            None => self.contents(group, space_from_parent * affine(group.transform())),
        }
    }

    fn rectangle(&self, rect: Rect, space_from_rect: Affine) -> Option<Rect> {
        self.include.fill.then(|| space_from_rect.transform_rect_bbox(rect))
    }

    /// The box of the contents of a group, cut by the group's clip path.
    fn contents(&mut self, group: &Group, space_from_group: Affine) -> Option<Rect> {
        let element = self.elements.with_id(group.id()).map(|element| self.elements.get(element));
        let is_shape = element.is_some_and(|element| SHAPES.contains(&&*element.tag));
        let contents = if is_shape {
            self.marked_shape(group, space_from_group)
        } else {
            let has_no_size = |node: &Node| {
                let own = self.elements.node_with_id(id_and_kind(node).0);
                own.is_some_and(|own| self.elements.has_no_size(own))
            };
            let children: Vec<&Node> = group.children().iter().filter(|node| !has_no_size(node)).collect();
            children.into_iter().map(|node| self.node(node, space_from_group)).fold(None, union)
        };
        self.clip(contents?, group.clip_path(), space_from_group)
    }

    /// The box of the shape with markers in a group that was added around it. The shape may be in
    /// further groups for its effects.
    fn marked_shape(&mut self, group: &Group, space_from_group: Affine) -> Option<Rect> {
        let is_path = |node: &Node| matches!(node, Node::Path(_));
        if !group.children().iter().any(is_path) {
            let [Node::Group(inner)] = group.children() else { return None };
            let space_from_inner = space_from_group * affine(inner.transform());
            let shape = self.marked_shape(inner, space_from_inner)?;
            return self.clip(shape, inner.clip_path(), space_from_inner);
        }
        let include = self.include;
        let mut whole = None;
        for node in group.children() {
            if !is_path(node) && include.markers {
                self.include = Include { fill: true, stroke: true, ..include };
            }
            if is_path(node) || include.markers {
                whole = union(whole, self.node(node, space_from_group));
            }
            self.include = include;
        }
        whole
    }

    /// The part of a box that a clip path leaves, if clip paths count.
    fn clip(&mut self, whole: Rect, clip_path: Option<&ClipPath>, space_from_user: Affine) -> Option<Rect> {
        let Some(clip_path) = clip_path.filter(|_| self.include.clipped) else { return Some(whole) };
        let clip_box = area(self.ink.clip_box(Some(clip_path), space_from_user))?;
        whole.overlaps(clip_box).then(|| whole.intersect(clip_box))
    }

    fn path(&self, path: &Path, space_from_path: Affine) -> Option<Rect> {
        if self.places.background.is_some_and(|background| std::ptr::eq(background, path)) {
            return None;
        }
        let fill = self.include.fill.then(|| bounds_with_points(&bez_path(path.data()), space_from_path));
        let stroke = path.stroke().filter(|_| self.include.stroke);
        let stroked = stroke.and_then(|stroke| StrokedPath::new(path, stroke, space_from_path, None));
        union(fill.flatten(), stroked.and_then(|stroked| area(stroked.own_box)))
    }

    fn text(&self, text: &Text, space_from_text: Affine) -> Option<Rect> {
        let has_stroke = self.include.stroke && has_stroke(text.flattened());
        let strokes =
            has_stroke.then(|| space_from_text.transform_rect_bbox(rect(text.stroke_bounding_box())));
        let cells = with_last_spaces(text, cells_box(text));
        union(self.rectangle(cells, space_from_text), strokes)
    }
}

/// The transform from the space of the text in a node.
fn space_from_text(node: &Node, space_from_parent: Affine) -> Option<Affine> {
    match node {
        Node::Text(_) => Some(space_from_parent),
        Node::Group(group) => {
            let space_from_group = space_from_parent * affine(group.transform());
            group.children().iter().find_map(|node| space_from_text(node, space_from_group))
        }
        Node::Path(_) | Node::Image(_) => None,
    }
}

fn has_stroke(group: &Group) -> bool {
    group.children().iter().any(|node| match node {
        Node::Group(group) => has_stroke(group),
        Node::Path(path) => path.stroke().is_some(),
        Node::Image(_) | Node::Text(_) => false,
    })
}
