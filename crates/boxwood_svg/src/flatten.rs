//! The walk over the tree, in paint order.

use std::collections::HashMap;
use std::fmt::Write;
use std::sync::Arc;
use std::time::Instant;

use boxwood_layout::Aabb;
use kurbo::{Affine, Rect, Shape, Size};
use peniko::{Fill, ImageBrush};
use usvg::{Group, Node, Tree};

use crate::encode::{ClipShape, Streams};
use crate::path::{affine, is_in_range, rect_box};
use crate::scene::{Scene, Source, SourceKind};
use crate::warnings::{Kind, Warnings};

/// Lowers a tree into a scene. `None` if the deadline passes.
pub(crate) fn flatten(
    tree: Tree,
    root_id: &str,
    warnings: Warnings,
    deadline: Option<Instant>,
) -> Option<Scene> {
    let size = Size::new(tree.size().width().into(), tree.size().height().into());
    let mut walk = Walk {
        streams: Streams::default(),
        sources: Vec::new(),
        warnings,
        deadline,
        viewport: size.to_rect(),
        steps: 0,
        is_late: false,
        path: "/".to_owned(),
        container: None,
        images: HashMap::new(),
        clip_boxes: HashMap::new(),
    };
    walk.root(tree.root(), root_id);
    if walk.is_late {
        return None;
    }
    // Every box comes from `Aabb::new`, and every element has one.
    let (encoding, elements, table) = walk.streams.finish().ok()?;
    let warnings = walk.warnings.take();
    Some(Scene { encoding, elements, table, sources: walk.sources, size, warnings, tree: Arc::new(tree) })
}

/// The state of the walk.
pub(crate) struct Walk {
    pub(crate) streams: Streams,
    sources: Vec<Source>,
    pub(crate) warnings: Warnings,
    deadline: Option<Instant>,
    pub(crate) viewport: Rect,
    steps: u32,
    is_late: bool,
    /// The path of the current node over the tree, such as `/g[2]/path[1]`.
    path: String,
    /// The path, text or image that everything inside it comes from.
    container: Option<Container>,
    /// The decoded images, by the address of their bytes, which the tree keeps alive.
    pub(crate) images: HashMap<usize, Option<ImageBrush>>,
    /// The boxes of clip paths, by their address and the bits of their transform.
    pub(crate) clip_boxes: HashMap<(usize, [u64; 6]), Aabb>,
}

/// Where a node is.
#[derive(Clone, Copy)]
pub(crate) struct Place<'n> {
    pub(crate) scene_from_node: Affine,
    /// The region of the filter around, which the filter may ink wherever its contents are.
    pub(crate) barrier: Option<Aabb>,
    /// The id of the group that usvg puts around an image.
    wrapper_id: &'n str,
}

impl Place<'_> {
    /// The box of something here whose own box is `own_box`.
    pub(crate) fn widened(&self, own_box: Aabb) -> Aabb {
        self.barrier.unwrap_or(own_box)
    }

    /// The same place, inside a filter with this region, if it is one.
    pub(crate) fn behind(self, region: Option<Aabb>) -> Self {
        Self { barrier: region.or(self.barrier), ..self }
    }
}

/// An SVG element that stands for all that is inside it.
struct Container {
    source: Source,
    /// Its place among the sources, once something has come from it.
    index: Option<u32>,
}

impl Walk {
    fn root(&mut self, root: &Group, id: &str) {
        let viewport = ClipShape {
            path: self.viewport.to_path(0.1),
            rule: Fill::NonZero,
            scene_from_path: Affine::IDENTITY,
            shape_box: rect_box(self.viewport, Affine::IDENTITY),
        };
        let source = self.source(id, SourceKind::Svg);
        self.path.clear();
        self.streams.begin_clip(&viewport, None, source);
        let place = Place { scene_from_node: Affine::IDENTITY, barrier: None, wrapper_id: "" };
        self.children(root, place);
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
    pub(crate) fn children(&mut self, group: &Group, place: Place<'_>) {
        let [mut groups, mut paths, mut images, mut texts] = [0_usize; 4];
        for node in group.children() {
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
            let length = self.path.len();
            let _ = write!(self.path, "/{word}[{count}]");
            self.node(node, place);
            self.path.truncate(length);
        }
    }

    fn node(&mut self, node: &Node, place: Place<'_>) {
        match node {
            Node::Group(group) => self.group_below(group, place),
            Node::Path(path) => {
                self.inside(path.id(), SourceKind::Path, |walk| walk.path(path, place));
            }
            Node::Image(image) => {
                let id = if image.id().is_empty() { place.wrapper_id } else { image.id() };
                self.inside(id, SourceKind::Image, |walk| walk.image(image, place));
            }
            Node::Text(text) => {
                // `flattened` is what is drawn; the text's own boxes are those of its font's cells.
                self.inside(text.id(), SourceKind::Text, |walk| {
                    walk.group_below(text.flattened(), place);
                });
            }
        }
    }

    fn group_below(&mut self, group: &Group, parent: Place<'_>) {
        let scene_from_node = parent.scene_from_node * affine(group.transform());
        if !is_in_range(scene_from_node) {
            self.warn(Kind::HugeTransform, group.id());
            return;
        }
        // usvg wraps an image in a group, and that in another for `slice`; the outermost has the id.
        let wrapper_id = match group.children() {
            [_] if !group.id().is_empty() => group.id(),
            [_] if parent.wrapper_id_reaches(group) => parent.wrapper_id,
            _ => "",
        };
        self.group(group, Place { scene_from_node, wrapper_id, ..parent });
    }

    /// Runs `lower` for something inside the element with this id, which then stands for all that it adds.
    fn inside(&mut self, id: &str, kind: SourceKind, lower: impl FnOnce(&mut Self)) {
        if self.container.is_some() {
            return lower(self);
        }
        self.container = Some(Container { source: self.new_source(id, kind), index: None });
        lower(self);
        self.container = None;
    }

    /// The index of the source for elements of the current node.
    pub(crate) fn source(&mut self, id: &str, kind: SourceKind) -> u32 {
        let next = u32::try_from(self.sources.len()).unwrap_or(u32::MAX);
        match &mut self.container {
            Some(Container { index: Some(index), .. }) => *index,
            Some(Container { source, index }) => {
                self.sources.push(source.clone());
                *index.insert(next)
            }
            None => {
                let source = self.new_source(id, kind);
                self.sources.push(source);
                next
            }
        }
    }

    fn new_source(&self, id: &str, kind: SourceKind) -> Source {
        let has_id = !id.is_empty();
        Source { name: if has_id { id.to_owned() } else { self.path.clone() }, has_id, kind }
    }

    /// Counts a warning at the current node.
    pub(crate) fn warn(&self, kind: Kind, id: &str) {
        self.warnings.add(kind, || match &self.container {
            Some(container) => container.source.name.clone(),
            None => self.new_source(id, SourceKind::Group).name,
        });
    }
}

impl Place<'_> {
    /// Whether `group` is the inner of the two groups that usvg puts around an image that is cut to its viewport.
    fn wrapper_id_reaches(&self, group: &Group) -> bool {
        !self.wrapper_id.is_empty() && group.id().is_empty() && matches!(group.children(), [Node::Image(_)])
    }
}
