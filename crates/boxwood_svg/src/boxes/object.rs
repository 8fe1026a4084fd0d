//! Object bounding boxes.

use std::collections::HashMap;

use kurbo::{Affine, Rect};
use usvg::{ClipPath, Group, Node, Path, Text, Tree};

use crate::boxes::ink::InkBoxes;
use crate::boxes::strokes::Outline;
use crate::geometry::{affine, area, bez_path, bounds_with_points, sized, union};
use crate::guard::deadline::Deadline;
use crate::quirks::background::background;
use crate::quirks::letter_spacing::with_last_spaces;
use crate::quirks::markers::{indices_in_marked, is_marker, markers_of};
use crate::quirks::text_length::cells_box;
use crate::quirks::wrapper_groups::{element_of, image_group, image_id};
use crate::read::user_spaces::UserSpaces;
use crate::table::{ImageNode, Source, SourceKind, TextPart};

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
    /// The x and y of a `use` count, but only if no other `use` draws it, and no style sheet or
    /// `style` attribute sets a transform. Otherwise usvg does not keep its transform, and the box
    /// is in the space of the element that it uses.
    Local,
    /// The user space of the document at 100 %.
    Scene,
}

/// Computes object bounding boxes of the sources of a drawing.
pub(crate) struct ObjectBoxes<'t> {
    drawn: &'t Tree,
    /// The same tree with its markers marked, which the boxes are computed from.
    marked: &'t Tree,
    user_spaces: &'t UserSpaces,
    include: Include,
    ink: InkBoxes,
    /// The nodes of the SVG elements in document order. `None` for the root and inside of a marker.
    nodes: Vec<Option<PlacedNode<'t>>>,
    /// The rectangle of each image, in the space around the group of the marked tree that places or
    /// clips it. Groups are compared by their addresses.
    image_rects: HashMap<*const Group, Rect>,
    /// The background of the marked tree, which does not count.
    background: Option<&'t Path>,
}

/// A node of the marked tree.
#[derive(Clone, Copy)]
struct PlacedNode<'t> {
    node: &'t Node,
    /// The group around it.
    group: &'t Group,
    /// Its index among the children of that group.
    index: usize,
    scene_from_group: Affine,
}

impl<'t> ObjectBoxes<'t> {
    pub(crate) fn new(
        [drawn, marked]: [&'t Tree; 2],
        user_spaces: &'t UserSpaces,
        images: &[ImageNode],
        has_background: bool,
        include: Include,
    ) -> Self {
        let ink = InkBoxes::new(true, Deadline::after(None));
        let background = background(marked.root()).filter(|_| has_background);
        let (nodes, image_rects) = (vec![None], HashMap::new());
        let mut boxes = Self { drawn, marked, user_spaces, include, ink, nodes, image_rects, background };
        boxes.list(drawn.root(), Some(marked.root()), Affine::IDENTITY);
        for image in images {
            let placed = boxes.nodes.get(image.number).copied().flatten();
            let group = placed.and_then(|placed| image_group(placed.node));
            if let (Some(group), Some(rect)) = (group, user_spaces.image_rect(image.element)) {
                boxes.image_rects.insert(std::ptr::from_ref(group), rect);
            }
        }
        boxes
    }

    /// Lists the nodes of the SVG elements in a group of the drawn tree. `marked` is the same group
    /// in the marked tree, `None` inside of a marker.
    fn list(&mut self, drawn: &Group, marked: Option<&'t Group>, scene_from_group: Affine) {
        let indices = indices_in_marked(drawn.children(), marked.map_or(&[], Group::children));
        for (i, child) in drawn.children().iter().enumerate() {
            let placed = marked.zip(indices.get(i)).map(|(group, &index)| {
                let node = &group.children()[index];
                PlacedNode { node, group, index, scene_from_group }
            });
            self.nodes.push(placed);
            let Node::Group(child) = child else { continue };
            // The contents of other groups are parts of one element.
            if element_of(child).1 == SourceKind::Group {
                match placed.map(|placed| placed.node) {
                    Some(Node::Group(group)) if !is_marker(group) => {
                        self.list(child, Some(group), scene_from_group * affine(group.transform()));
                    }
                    _ => self.list(child, None, scene_from_group),
                }
            }
        }
    }

    /// The box of a source, whose node has this number in document order. `None` if the source has
    /// none of the included parts, or if a clip path hides all of them.
    pub(crate) fn of(&mut self, source: &Source, number: usize, space: Space) -> Option<Rect> {
        if source.kind == SourceKind::Svg {
            return self.root(space);
        }
        let placed = *self.nodes.get(number)?;
        self.placed(placed?, source.kind, space)
    }

    /// The box of a part of a text, whose node has this number in document order.
    pub(crate) fn text_part(&self, part: &TextPart, number: usize, space: Space) -> Option<Rect> {
        let PlacedNode { node, group, index, scene_from_group } = self.nodes.get(number).copied()??;
        let space_from_text = match (space, node) {
            (Space::Scene, _) => space_from_text(group.children().get(index)?, scene_from_group),
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
            Space::Local => self.user_spaces.user_from_scene(self.drawn),
            Space::Scene => Affine::IDENTITY,
        };
        self.contents(self.marked.root(), space_from_scene)
    }

    fn placed(&mut self, placed: PlacedNode<'_>, kind: SourceKind, space: Space) -> Option<Rect> {
        let PlacedNode { node, group, index, scene_from_group } = placed;
        match (space, node) {
            (Space::Scene, _) => self.element(group, index, scene_from_group),
            // A group that places an image is not an element of its own.
            (Space::Local, Node::Group(inner)) if kind != SourceKind::Image || image_id(inner).is_none() => {
                self.contents(inner, self.user_spaces.user_from_group(inner))
            }
            (Space::Local, _) => self.element(group, index, Affine::IDENTITY),
        }
    }

    /// The box of the element at an index of a group: that of its node and, for a path, of its
    /// markers.
    fn element(&mut self, group: &Group, index: usize, space_from_group: Affine) -> Option<Rect> {
        let own = self.node(group.children().get(index)?, space_from_group);
        let Some(markers) = markers_of(group.children(), index) else { return own };
        let both = union(own, self.group(markers, space_from_group))?;
        // usvg puts a group without an id around a path with markers that has effects.
        let is_own_group = group.id().is_empty() && group.children().len() == 2;
        self.clip(both, group.clip_path().filter(|_| is_own_group), space_from_group)
    }

    fn node(&mut self, node: &Node, space_from_parent: Affine) -> Option<Rect> {
        match node {
            Node::Group(group) => self.group(group, space_from_parent),
            Node::Path(path) => self.path(path, space_from_parent),
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
        let include = self.include;
        if is_marker(group) {
            if !include.markers {
                return None;
            }
            self.include = Include { fill: true, stroke: true, ..include };
        }
        let children = group.children().iter().map(|node| self.node(node, space_from_group));
        let contents = children.fold(None, union);
        self.include = include;
        self.clip(contents?, group.clip_path(), space_from_group)
    }

    /// The part of a box that a clip path leaves, if clip paths count.
    fn clip(&mut self, whole: Rect, clip_path: Option<&ClipPath>, space_from_user: Affine) -> Option<Rect> {
        let Some(clip_path) = clip_path.filter(|_| self.include.clipped) else { return Some(whole) };
        let clip_box = area(self.ink.clip_box(Some(clip_path), space_from_user))?;
        whole.overlaps(clip_box).then(|| whole.intersect(clip_box))
    }

    fn path(&self, path: &Path, space_from_path: Affine) -> Option<Rect> {
        if self.background.is_some_and(|background| std::ptr::eq(background, path)) {
            return None;
        }
        let fill = self.include.fill.then(|| bounds_with_points(&bez_path(path.data()), space_from_path));
        let stroke = path.stroke().filter(|_| self.include.stroke);
        let outline = stroke.and_then(|stroke| Outline::new(path, stroke, space_from_path, None));
        union(fill.flatten(), outline.and_then(|outline| area(outline.stroke_box)))
    }

    fn text(&self, text: &Text, space_from_text: Affine) -> Option<Rect> {
        let has_stroke = self.include.stroke && has_stroke(text.flattened());
        let strokes = has_stroke.then(|| {
            let r = text.stroke_bounding_box();
            let [x0, y0, x1, y1] = [r.left(), r.top(), r.right(), r.bottom()].map(f64::from);
            space_from_text.transform_rect_bbox(Rect::new(x0, y0, x1, y1))
        });
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
