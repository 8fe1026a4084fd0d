//! Object bounding boxes.

use std::collections::HashMap;

use kurbo::{Affine, Rect};
use usvg::{ClipPath, Group, Node, Path, Text, Tree};

use crate::cells::cells_box;
use crate::drawing::{Drawing, SourceKind};
use crate::flatten::Walk;
use crate::markers::{is_marker, markers_of, places_in_marked};
use crate::path::{affine, area, bez_path, bounds};
use crate::placement::{Placements, image_id};
use crate::stroke::{Outline, is_pointless};
use crate::warnings::Warnings;

/// What counts for an object bounding box: the options of SVG 2's `getBBox`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Include {
    /// The interior of shapes, whether painted or not; the rectangles of images; the cells of a text's glyphs.
    ///
    /// The rectangle of an image with an id is that of its x, y, width and height. One without, or with lengths that depend on
    /// a font, a viewport or its pixels, has that of what it shows: all of its pixels, fitted as it says.
    ///
    /// The cells of a text that `textLength` spaces out end where it says if that is one line of ASCII in one style; of others
    /// usvg has a space after the last glyph as well.
    pub fill: bool,
    /// The strokes of what has one, as if without dashes.
    pub stroke: bool,
    /// Markers, each with its own fill and stroke whatever else counts. An element that is hidden has none rendered on it.
    pub markers: bool,
    /// Whether the clip paths of the element and of what is in it cut the box. Those around it never do.
    ///
    /// The box of a clip path cuts, as in ink boxes. Where a clip path is no upright rectangle, SVG 2's box may be tighter: that
    /// holds what the path itself leaves of the box.
    pub clipped: bool,
}

/// The space of an object bounding box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// The user space of each element itself, as `getBBox` has it: its own transform does not count. That of an `svg` element is
    /// that of its contents, after its `viewBox`.
    ///
    /// The x and y of a `use` count in it, but only where it has an id and where no style sheet or `style` has a transform:
    /// of other uses, usvg does not keep what their own transform was. Their boxes are in the space of what they use.
    Local,
    /// The user space of the document at 100 %.
    Scene,
}

/// The object bounding box of a source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ObjectBox {
    /// The tight box in the space asked for, maybe without width or height.
    Tight(Rect),
    /// The source has nothing of what counts, or a clip path leaves nothing of it. SVG 2 has a rectangle of zeros here, which
    /// cannot be told from a point.
    Empty,
    /// The source is inside of a marker, which has a box only as part of the paths that it is on.
    InMarker,
}

impl ObjectBox {
    /// The box, unless it is empty or there is none.
    pub const fn rect(self) -> Option<Rect> {
        match self {
            Self::Tight(rect) => Some(rect),
            Self::Empty | Self::InMarker => None,
        }
    }
}

impl Drawing {
    /// The object bounding box of each of the [sources](Self::sources), by the algorithm of SVG 2 (section 8.10,
    /// "Bounding boxes").
    ///
    /// Visibility, opacity, paint, masks and filters do not count. What is not seen is a source only where it has an id. An
    /// element that usvg leaves out has no source and no box: one with `display: none`, without size, or with an effect that is
    /// not valid.
    pub fn object_boxes(&self, include: Include, space: Space) -> Vec<ObjectBox> {
        let mut objects = Objects {
            walk: Walk::new(self.size, true, Warnings::default(), None),
            include,
            placements: &self.placements,
            drawn: &self.tree,
            marked: self.marked.as_ref().unwrap_or(&self.tree),
            places: HashMap::new(),
        };
        let sources = self.steps.iter().zip(&self.sources);
        sources.map(|(steps, source)| objects.of_source(steps, source.kind, space)).collect()
    }
}

/// The boxes of one kind.
struct Objects<'t> {
    walk: Walk,
    include: Include,
    placements: &'t Placements,
    /// The tree that the steps to the sources lead through.
    drawn: &'t Tree,
    /// The tree that is bounded: the same with its markers told apart.
    marked: &'t Tree,
    /// For the groups of the first that have been met, by their address, the places of their children in the second.
    places: HashMap<usize, Vec<usize>>,
}

impl<'t> Objects<'t> {
    fn of_source(&mut self, steps: &[u32], kind: SourceKind, space: Space) -> ObjectBox {
        let found = self.bounds_of_source(steps, kind, space);
        found.map_or(ObjectBox::InMarker, |bounds| bounds.map_or(ObjectBox::Empty, ObjectBox::Tight))
    }

    /// Nothing for what is inside of a marker.
    #[expect(clippy::option_option, reason = "the inner one is the empty box")]
    fn bounds_of_source(&mut self, steps: &[u32], kind: SourceKind, space: Space) -> Option<Option<Rect>> {
        let Some((last, above)) = steps.split_last() else {
            let space_from_scene = match space {
                Space::Local => self.placements.user_from_scene(self.drawn),
                Space::Scene => Affine::IDENTITY,
            };
            return Some(self.contents(self.marked.root(), space_from_scene));
        };
        let (mut drawn, mut group) = (self.drawn.root(), self.marked.root());
        let mut scene_from_group = Affine::IDENTITY;
        for step in above {
            let place = self.place(drawn, group, *step)?;
            let (Node::Group(drawn_child), Node::Group(child)) =
                (drawn.children().get(*step as usize)?, group.children().get(place)?)
            else {
                return None;
            };
            if is_marker(child) {
                return None;
            }
            (drawn, group) = (drawn_child, child);
            scene_from_group *= affine(group.transform());
        }
        let place = self.place(drawn, group, *last)?;
        Some(match (space, group.children().get(place)?) {
            (Space::Scene, _) => self.element(group, place, scene_from_group),
            // The group that places an image is not an element of its own.
            (Space::Local, Node::Group(inner))
                if kind == SourceKind::Image
                    && (image_id(inner).is_some() || matches!(inner.children(), [Node::Image(_)])) =>
            {
                self.element(group, place, Affine::IDENTITY)
            }
            (Space::Local, Node::Group(inner)) => {
                self.contents(inner, self.placements.user_from_group(inner))
            }
            (Space::Local, _) => self.element(group, place, Affine::IDENTITY),
        })
    }

    /// The place of a child of a group in the marked tree.
    fn place(&mut self, drawn: &'t Group, marked: &'t Group, step: u32) -> Option<usize> {
        if std::ptr::eq(drawn, marked) {
            return Some(step as usize);
        }
        let places = self.places.entry(std::ptr::from_ref(drawn).addr());
        let places = places.or_insert_with(|| places_in_marked(drawn.children(), marked.children()));
        places.get(step as usize).copied()
    }

    /// The box of the element at this place in a group: that of its node, for a path with its markers.
    fn element(&mut self, group: &Group, place: usize, space_from_group: Affine) -> Option<Rect> {
        let own = self.node(group.children().get(place)?, space_from_group);
        let Some(markers) = markers_of(group.children(), place) else { return own };
        let markers = self.node_of(markers, space_from_group);
        let both = own.into_iter().chain(markers).reduce(|a, b| a.union(b))?;
        // usvg puts a group without an id around a path with markers that has effects.
        let is_own_group = group.id().is_empty() && group.children().len() == 2;
        self.cut(both, group.clip_path().filter(|_| is_own_group), space_from_group)
    }

    fn node(&mut self, node: &Node, space_from_parent: Affine) -> Option<Rect> {
        match node {
            Node::Group(group) => self.node_of(group, space_from_parent),
            Node::Path(path) => self.path(path, space_from_parent),
            Node::Image(image) => {
                let (width, height) = (image.size().width().into(), image.size().height().into());
                let rect = Rect::new(0.0, 0.0, width, height);
                self.include.fill.then(|| space_from_parent.transform_rect_bbox(rect))
            }
            Node::Text(text) => self.text(text, space_from_parent),
        }
    }

    fn node_of(&mut self, group: &Group, space_from_parent: Affine) -> Option<Rect> {
        match self.placements.image_rect(group) {
            Some(rect) => self.include.fill.then(|| space_from_parent.transform_rect_bbox(rect)),
            None => self.contents(group, space_from_parent * affine(group.transform())),
        }
    }

    /// The box of what is in a group, in the space that `space_from_group` leads to, cut by the group's clip path.
    fn contents(&mut self, group: &Group, space_from_group: Affine) -> Option<Rect> {
        let include = self.include;
        if is_marker(group) {
            if !include.markers {
                return None;
            }
            self.include = Include { fill: true, stroke: true, ..include };
        }
        let children = group.children().iter().filter_map(|node| self.node(node, space_from_group));
        let contents = children.reduce(|a, b| a.union(b));
        self.include = include;
        let contents = contents?;
        self.cut(contents, group.clip_path(), space_from_group)
    }

    /// The part of a box that a clip path leaves, where clip paths count.
    fn cut(&mut self, whole: Rect, clip_path: Option<&ClipPath>, space_from_user: Affine) -> Option<Rect> {
        let Some(clip_path) = clip_path.filter(|_| self.include.clipped) else { return Some(whole) };
        let clip_box = area(self.walk.clip_box(clip_path, space_from_user))?;
        whole.overlaps(clip_box).then(|| whole.intersect(clip_box))
    }

    fn path(&self, path: &Path, space_from_path: Affine) -> Option<Rect> {
        let shape = bez_path(path.data());
        let fill = bounds(&shape, space_from_path).filter(|_| self.include.fill);
        let stroke = path.stroke().filter(|_| self.include.stroke && !is_pointless(&shape));
        let stroke =
            stroke.and_then(|stroke| area(Outline::dashed(shape, stroke, None, space_from_path).stroke_box));
        fill.into_iter().chain(stroke).reduce(|a, b| a.union(b))
    }

    fn text(&self, text: &Text, space_from_text: Affine) -> Option<Rect> {
        let placed = |rect| space_from_text.transform_rect_bbox(rect);
        let cells = self.include.fill.then(|| placed(cells_box(text)));
        let has_stroke = self.include.stroke && has_stroke(text.flattened());
        let strokes = has_stroke.then(|| {
            let r = text.stroke_bounding_box();
            let [x0, y0, x1, y1] = [r.left(), r.top(), r.right(), r.bottom()].map(f64::from);
            placed(Rect::new(x0, y0, x1, y1))
        });
        cells.into_iter().chain(strokes).reduce(|a, b| a.union(b))
    }
}

fn has_stroke(group: &Group) -> bool {
    group.children().iter().any(|node| match node {
        Node::Group(group) => has_stroke(group),
        Node::Path(path) => path.stroke().is_some(),
        Node::Image(_) | Node::Text(_) => false,
    })
}
