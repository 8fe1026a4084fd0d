//! The walk over the tree, in paint order.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use boxwood_cpu::Aabb;
use kurbo::{Affine, Rect, Size};
use peniko::{BlendMode, ImageBrush};
use usvg::{Group, Node};

use crate::absent::absent;
use crate::drawing::{Drawing, LoadTimes, SourceKind};
use crate::encode::{ClipShape, Compositing, Finished, Streams, near};
use crate::origin::{Origins, element_of};
use crate::parse::Parsed;
use crate::path::{affine, is_in_range};
use crate::stroke::DashRoom;
use crate::warnings::{WarningKind, Warnings};
use crate::work::Works;

/// Lowers a tree into a scene, but for its times. `None` if the deadline passes.
pub(crate) fn flatten(
    parsed: Parsed,
    warnings: Warnings,
    clip_to_viewport: bool,
    deadline: Option<Instant>,
) -> Option<Drawing> {
    let Parsed { tree, marked, root_id, ids, placements } = parsed;
    let size = Size::new(tree.size().width().into(), tree.size().height().into());
    let mut walk = Walk::new(size, clip_to_viewport, warnings, deadline);
    walk.inside(&root_id, SourceKind::Svg, |walk| walk.root(tree.root()));
    if walk.is_late {
        return None;
    }
    let mut works = Works::new(size);
    let tree_work = works.of_contents(tree.root());
    // Every box comes from `Aabb::new`, and every element has one.
    let Finished { encoding, elements, table, raster_leaves } = walk.streams.finish(&mut works).ok()?;
    let ((sources, steps), warnings) = (walk.origins.finish(), walk.warnings.take());
    let with_id = sources.iter().filter(|source| source.has_id);
    let absent = absent(ids, with_id.map(|source| source.name.as_str()));
    let (tree, raster_leaves) = (Arc::new(tree), Arc::new(raster_leaves));
    let times = LoadTimes::default();
    Some(Drawing {
        encoding,
        raster_leaves,
        elements,
        table,
        sources,
        absent,
        size,
        warnings,
        tree,
        tree_work,
        times,
        marked,
        placements,
        steps,
    })
}

/// The state of the walk.
pub(crate) struct Walk {
    pub(crate) streams: Streams,
    origins: Origins,
    pub(crate) warnings: Warnings,
    deadline: Option<Instant>,
    pub(crate) viewport: Rect,
    /// Whether what is outside of a viewport is clipped away.
    pub(crate) clip_to_viewport: bool,
    steps: u32,
    is_late: bool,
    /// The decoded images, by the address of their bytes, which the tree keeps alive.
    pub(crate) images: HashMap<usize, Option<ImageBrush>>,
    /// The boxes of clip paths and masks, by their address and the bits of their transform.
    pub(crate) effect_boxes: HashMap<(usize, [u64; 6]), Aabb>,
    /// How many more dashes the strokes of the scene may have.
    pub(crate) dash_room: DashRoom,
}

/// Where a node is.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub(crate) scene_from_node: Affine,
    /// The region of the filter around, which the filter may ink wherever its contents are.
    pub(crate) barrier: Option<Aabb>,
}

impl Place {
    /// The box of something here whose own box is `own_box`.
    pub(crate) fn widened(&self, own_box: Aabb) -> Aabb {
        self.barrier.unwrap_or(own_box)
    }

    /// The same place, inside a filter with this region, if it is one.
    pub(crate) fn behind(self, region: Option<Aabb>) -> Self {
        Self { barrier: region.or(self.barrier), ..self }
    }
}

impl Walk {
    pub(crate) fn new(
        size: Size,
        clip_to_viewport: bool,
        warnings: Warnings,
        deadline: Option<Instant>,
    ) -> Self {
        Self {
            streams: Streams::new(near(size.to_rect())),
            origins: Origins::default(),
            warnings,
            deadline,
            viewport: size.to_rect(),
            clip_to_viewport,
            steps: 0,
            is_late: false,
            images: HashMap::new(),
            effect_boxes: HashMap::new(),
            dash_room: DashRoom::default(),
        }
    }

    fn root(&mut self, root: &Group) {
        let source = self.source();
        if self.clip_to_viewport {
            let viewport = ClipShape::rect(self.viewport, Affine::IDENTITY);
            self.streams.begin_clip(&viewport, None, source);
        } else {
            self.streams.begin_blend(Compositing { blend: BlendMode::default(), alpha: 1.0 }, source);
        }
        self.children(root, Place { scene_from_node: Affine::IDENTITY, barrier: None });
        self.streams.end();
    }

    /// Whether to go on: the deadline is looked at now and then.
    pub(crate) fn is_in_time(&mut self) -> bool {
        self.steps = self.steps.wrapping_add(1);
        if self.steps.is_multiple_of(64) && self.deadline.is_some_and(|deadline| Instant::now() > deadline) {
            self.is_late = true;
        }
        !self.is_late
    }

    /// Lowers the children of a group that is at `place`.
    pub(crate) fn children(&mut self, group: &Group, place: Place) {
        self.each_child(group, |walk, node| walk.node(node, place));
    }

    /// Passes over what is in a group that draws nothing, for the elements in it that have an id.
    pub(crate) fn undrawn(&mut self, group: &Group) {
        self.each_child(group, |walk, node| match node {
            Node::Group(group) => {
                let (id, kind) = element_of(group);
                walk.inside(id, kind, |walk| walk.undrawn(group));
            }
            Node::Path(path) => walk.inside(path.id(), SourceKind::Path, |_| ()),
            Node::Image(image) => walk.inside(image.id(), SourceKind::Image, |_| ()),
            Node::Text(text) => walk.inside(text.id(), SourceKind::Text, |_| ()),
        });
    }

    fn each_child(&mut self, group: &Group, mut visit: impl FnMut(&mut Self, &Node)) {
        let [mut groups, mut paths, mut images, mut texts] = [0_usize; 4];
        for (place, node) in group.children().iter().enumerate() {
            if !self.is_in_time() {
                return;
            }
            let (word, count) = match node {
                Node::Group(_) => ("g", &mut groups),
                Node::Path(_) => ("path", &mut paths),
                Node::Image(_) => ("image", &mut images),
                Node::Text(_) => ("text", &mut texts),
            };
            *count += 1;
            let length = self.origins.step_down(word, *count, place);
            visit(self, node);
            self.origins.step_back(length);
        }
    }

    fn node(&mut self, node: &Node, place: Place) {
        match node {
            Node::Group(group) => {
                let (id, kind) = element_of(group);
                self.inside(id, kind, |walk| walk.group_below(group, place));
            }
            Node::Path(path) => {
                self.inside(path.id(), SourceKind::Path, |walk| walk.path(path, place));
            }
            Node::Image(image) => {
                self.inside(image.id(), SourceKind::Image, |walk| walk.image(image, place));
            }
            Node::Text(text) => {
                // `flattened` is what is drawn; the text's own boxes are those of its font's cells.
                self.inside(text.id(), SourceKind::Text, |walk| {
                    walk.group_below(text.flattened(), place);
                });
            }
        }
    }

    fn group_below(&mut self, group: &Group, parent: Place) {
        let parent_from_node = affine(group.transform());
        // SVG: a transform that is not invertible disables rendering. The determinant is exact, as the numbers are of `f32`.
        if parent_from_node.determinant() == 0.0 {
            return self.undrawn(group);
        }
        let scene_from_node = parent.scene_from_node * parent_from_node;
        if !is_in_range(scene_from_node) {
            self.warn(WarningKind::HugeTransform);
            return self.undrawn(group);
        }
        self.group(group, Place { scene_from_node, ..parent });
    }

    /// Runs `lower` for something inside the element with this id.
    fn inside(&mut self, id: &str, kind: SourceKind, lower: impl FnOnce(&mut Self)) {
        let has_entered = self.origins.enter(id, kind);
        lower(self);
        if has_entered {
            self.origins.leave();
        }
    }

    /// Runs `lower` for something that has no sources of its own: what becomes elements comes from the current element.
    pub(crate) fn sealed(&mut self, lower: impl FnOnce(&mut Self)) {
        self.origins.seal();
        lower(self);
        self.origins.unseal();
    }

    /// The index of the source for elements of the current node.
    pub(crate) fn source(&mut self) -> u32 {
        self.origins.source()
    }

    /// Counts a warning at the current node.
    pub(crate) fn warn(&self, kind: WarningKind) {
        self.warnings.add(kind, || self.origins.name());
    }
}
