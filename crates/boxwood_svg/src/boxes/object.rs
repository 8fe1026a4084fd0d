//! Object bounding boxes.

use std::collections::HashMap;

use kurbo::{Affine, Rect};
use usvg::{ClipPath, Group, Node, Path, Text, Tree};

use crate::boxes::ink::InkBoxes;
use crate::boxes::strokes::{Outline, has_no_segment};
use crate::geometry::{affine, area, bez_path, bounds, sized, union};
use crate::guard::deadline::Deadline;
use crate::quirks::markers::{indices_in_marked, is_marker, markers_of};
use crate::quirks::text_length::cells_box;
use crate::quirks::wrapper_groups::image_id;
use crate::read::user_spaces::UserSpaces;
use crate::table::{Source, SourceKind};

/// The parts that an object bounding box includes: the options of `getBBox` in SVG 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Include {
    /// The interior of shapes, whether it is painted or not; the rectangles of images; the glyph
    /// cells of texts.
    ///
    /// If an image has an id, its rectangle is that of its attributes x, y, width and height.
    /// Without an id, or if one of these depends on a font, a viewport or the pixels, it is the
    /// rectangle that all pixels of the image are fitted to.
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
    /// The x and y of a `use` count, but only if it has an id and no style sheet or `style`
    /// attribute sets a transform. Otherwise usvg does not keep its transform, and the box is in
    /// the space of the element that it uses.
    Local,
    /// The user space of the document at 100 %.
    Scene,
}

/// The object bounding box of a source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ObjectBox {
    /// The tight box, which may have no width or height.
    Tight(Rect),
    /// The source has none of the included parts, or a clip path hides all of them. SVG 2 returns
    /// a rectangle of zeros here, which looks like a point.
    Empty,
    /// The source is inside of a marker, which has a box only as part of the paths that use it.
    InMarker,
}

impl ObjectBox {
    /// The tight box, `None` if there is none.
    pub const fn rect(self) -> Option<Rect> {
        match self {
            Self::Tight(rect) => Some(rect),
            Self::Empty | Self::InMarker => None,
        }
    }
}

/// Computes object bounding boxes of the sources of a drawing.
pub(crate) struct ObjectBoxes<'t> {
    /// The tree that the steps to the sources lead through.
    drawn: &'t Tree,
    /// The same tree with its markers marked, which the boxes are computed from.
    marked: &'t Tree,
    user_spaces: &'t UserSpaces,
    include: Include,
    ink: InkBoxes,
    /// For groups of the drawn tree by address, the indices of their children in the marked tree.
    indices: HashMap<usize, Vec<usize>>,
}

impl<'t> ObjectBoxes<'t> {
    pub(crate) fn new([drawn, marked]: [&'t Tree; 2], user_spaces: &'t UserSpaces, include: Include) -> Self {
        let ink = InkBoxes::new(true, Deadline::after(None));
        Self { drawn, marked, user_spaces, include, ink, indices: HashMap::new() }
    }

    /// The box of a source. The steps to it are indices of children, starting at the root.
    pub(crate) fn of(&mut self, source: &Source, steps: &[u32], space: Space) -> ObjectBox {
        let Some(found) = self.find(steps) else { return ObjectBox::InMarker };
        self.found(&found, source.kind, space).map_or(ObjectBox::Empty, ObjectBox::Tight)
    }

    /// The node of a source in the marked tree, `None` if it is inside of a marker.
    fn find(&mut self, steps: &[u32]) -> Option<Found<'t>> {
        let (mut drawn, mut group) = (self.drawn.root(), self.marked.root());
        let mut found = Found { group, index: None, scene_from_group: Affine::IDENTITY };
        for (depth, step) in steps.iter().enumerate() {
            let step = *step as usize;
            let index = if std::ptr::eq(drawn, group) {
                step
            } else {
                let indices = self.indices.entry(std::ptr::from_ref(drawn).addr());
                let indices =
                    indices.or_insert_with(|| indices_in_marked(drawn.children(), group.children()));
                *indices.get(step)?
            };
            let node = group.children().get(index)?;
            found = Found { group, index: Some(index), ..found };
            if depth + 1 < steps.len() {
                let (Node::Group(drawn_child), Node::Group(child)) = (drawn.children().get(step)?, node)
                else {
                    return None;
                };
                if is_marker(child) {
                    return None;
                }
                (drawn, group) = (drawn_child, child);
                found.scene_from_group *= affine(group.transform());
            }
        }
        Some(found)
    }

    fn found(&mut self, found: &Found<'_>, kind: SourceKind, space: Space) -> Option<Rect> {
        let Some(index) = found.index else {
            let space_from_scene = match space {
                Space::Local => self.user_spaces.user_from_scene(self.drawn),
                Space::Scene => Affine::IDENTITY,
            };
            return self.contents(found.group, space_from_scene);
        };
        match (space, found.group.children().get(index)?) {
            (Space::Scene, _) => self.element(found.group, index, found.scene_from_group),
            // A group that places an image is not an element of its own.
            (Space::Local, Node::Group(inner))
                if kind != SourceKind::Image
                    || (image_id(inner).is_none() && !matches!(inner.children(), [Node::Image(_)])) =>
            {
                self.contents(inner, self.user_spaces.user_from_group(inner))
            }
            (Space::Local, _) => self.element(found.group, index, Affine::IDENTITY),
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
        match self.user_spaces.image_rect(group) {
            Some(rect) => self.rectangle(rect, space_from_parent),
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
        let clip_box = area(self.ink.clip_box(clip_path, space_from_user))?;
        whole.overlaps(clip_box).then(|| whole.intersect(clip_box))
    }

    fn path(&self, path: &Path, space_from_path: Affine) -> Option<Rect> {
        let shape = bez_path(path.data());
        let fill = bounds(&shape, space_from_path).filter(|_| self.include.fill);
        let stroke = path.stroke().filter(|_| self.include.stroke && !has_no_segment(&shape));
        let stroke =
            stroke.and_then(|stroke| area(Outline::dashed(shape, stroke, None, space_from_path).stroke_box));
        union(fill, stroke)
    }

    fn text(&self, text: &Text, space_from_text: Affine) -> Option<Rect> {
        let has_stroke = self.include.stroke && has_stroke(text.flattened());
        let strokes = has_stroke.then(|| {
            let r = text.stroke_bounding_box();
            let [x0, y0, x1, y1] = [r.left(), r.top(), r.right(), r.bottom()].map(f64::from);
            space_from_text.transform_rect_bbox(Rect::new(x0, y0, x1, y1))
        });
        union(self.rectangle(cells_box(text), space_from_text), strokes)
    }
}

/// A node of the marked tree.
struct Found<'t> {
    /// The group around it.
    group: &'t Group,
    /// Its index among the children of that group, `None` for the root itself.
    index: Option<usize>,
    scene_from_group: Affine,
}

fn has_stroke(group: &Group) -> bool {
    group.children().iter().any(|node| match node {
        Node::Group(group) => has_stroke(group),
        Node::Path(path) => path.stroke().is_some(),
        Node::Image(_) | Node::Text(_) => false,
    })
}
