//! The SVG elements that elements of the scene come from.

use usvg::{ClipPath, Node, Path, Transform};

use crate::dom::NodeId;
use crate::no_box::NoBox;
use crate::passes::marked_effects::NO_AREA;
use crate::placed::id_and_kind;
use crate::read::elements::{Element, Elements};
use crate::signature::with_transform;
use crate::table::{Clip, Origin, Source, SourceKind};
use crate::xml::SHAPES;

/// Follows a walk through the tree, and lists the SVG elements that it meets.
#[derive(Default)]
pub(crate) struct SourceTracker {
    document: Elements,
    sources: Vec<(Source, Origin)>,
    /// The number of nodes that were entered so far.
    n_nodes: usize,
    /// The kinds of the nodes around the current node, and its own, as usvg has them.
    kinds: Vec<SourceKind>,
    /// The SVG elements around the current node, the outermost first.
    open: Vec<OpenElement>,
    /// Whether everything comes from the current element: in a mask, whose contents have no source
    /// of their own.
    pub(crate) is_frozen: bool,
}

/// An SVG element around the current node.
struct OpenElement {
    /// Its node in the document as usvg reads it.
    node: NodeId,
    /// Its index in the document.
    element: u32,
    /// The paths of all uses that draw it, each with an arrow at the end. Empty if none does.
    uses: String,
    /// The number of nodes before its own.
    n_before: usize,
    /// Its index among the sources, once it is one.
    index: Option<u32>,
    /// A hash of the transforms of its groups.
    transforms: u64,
}

impl SourceTracker {
    /// At the root of a document.
    pub(crate) fn new(document: Elements, root: NodeId) -> Self {
        let uses = String::new();
        let root = OpenElement { node: root, element: 0, uses, n_before: 0, index: None, transforms: 0 };
        let mut tracker =
            Self { document, n_nodes: 1, kinds: vec![SourceKind::Svg], open: vec![root], ..Self::default() };
        tracker.source();
        tracker
    }

    /// Whether the nodes inside of the current one are parts of one path, image or text.
    fn is_in_leaf(&self) -> bool {
        let is_group = |kind: &SourceKind| matches!(kind, SourceKind::Svg | SourceKind::Group);
        self.is_frozen || !self.kinds.last().is_some_and(is_group)
    }

    /// Whether the current element is none of those that were entered before.
    pub(crate) fn has_entered(&self, [_, n_open]: [usize; 2]) -> bool {
        self.open.len() > n_open
    }

    /// Whether the current element is a shape.
    pub(crate) fn is_shape(&self) -> bool {
        self.open.last().is_some_and(|open| SHAPES.contains(&&*self.document.get(open.element).tag))
    }

    /// Enters a node. Returns the numbers of nodes and of elements around it.
    pub(crate) fn enter(&mut self, node: &Node) -> [usize; 2] {
        let around = [self.kinds.len(), self.open.len()];
        if self.is_in_leaf() {
            return around;
        }
        let (id, kind) = id_and_kind(node);
        self.kinds.push(kind);
        let n_before = self.n_nodes;
        self.n_nodes += 1;
        let current = self.open.last().expect("the root is open");
        // A node without an id of its own is a part of the current element.
        let own = self.document.node_with_id(id).filter(|own| *own != current.node);
        let Some((own, element)) = own.and_then(|own| Some((own, self.document.of_node(own)?))) else {
            self.add_transform(node);
            return around;
        };
        let is_use = self.document.get(current.element).tag == "use";
        let uses = if is_use {
            format!("{}{} → ", current.uses, self.document.path(current.element))
        } else {
            current.uses.clone()
        };
        let is_in_use = !uses.is_empty();
        self.document.get_mut(element).is_kept |= !is_in_use;
        let transforms = transform(node).map_or(0, |transform| with_transform(0, transform));
        self.open.push(OpenElement { node: own, element, uses, n_before, index: None, transforms });
        if !is_in_use {
            self.source();
            self.add_text_parts(element);
        }
        around
    }

    /// Adds the transform of a node to those of the current element. A group without an id around
    /// a single path, text or image is left out: usvg has it for the transform of that.
    fn add_transform(&mut self, node: &Node) {
        let is_around_leaf = match node {
            Node::Group(group) => {
                let is_single = matches!(group.children(), [Node::Path(_) | Node::Image(_) | Node::Text(_)]);
                is_single && group.id().is_empty()
            }
            _ => true,
        };
        let transform = transform(node).filter(|_| !is_around_leaf);
        if let (Some(transform), Some(current)) = (transform, self.open.last_mut()) {
            current.transforms = with_transform(current.transforms, transform);
            if let Some(index) = current.index {
                self.sources[index as usize].1.transforms = current.transforms;
            }
        }
    }

    /// Lists the parts of the current element, if it is a text. The text becomes a source if it has
    /// some.
    fn add_text_parts(&mut self, text: u32) {
        if self.document.get(text).tag != "text" {
            return;
        }
        for element in text..self.document.end(text) {
            if self.document.get(element).text_part.is_some() {
                let parent = Some(self.source());
                let Some(text) = self.open.last() else { return };
                let origin = Origin { element, node: text.node, is_in_use: false, transforms: 0 };
                self.sources.push((source(&self.document, element, "", parent), origin));
            }
        }
    }

    /// Leaves the nodes that were entered since.
    pub(crate) fn leave(&mut self, [n_kinds, n_open]: [usize; 2]) {
        self.kinds.truncate(n_kinds);
        self.open.truncate(n_open);
    }

    /// The index of the current SVG element among the sources. It and the groups around it become
    /// sources if they are not.
    pub(crate) fn source(&mut self) -> u32 {
        let mut parent = None;
        for element in &mut self.open {
            let index = *element.index.get_or_insert_with(|| {
                self.sources.push((
                    source(&self.document, element.element, &element.uses, parent),
                    Origin {
                        element: element.element,
                        node: element.node,
                        is_in_use: !element.uses.is_empty(),
                        transforms: element.transforms,
                    },
                ));
                u32::try_from(self.sources.len() - 1).unwrap_or(u32::MAX)
            });
            parent = Some(index);
        }
        parent.unwrap_or_default()
    }

    /// The name of the current SVG element.
    pub(crate) fn name(&self) -> String {
        let current = self.open.last();
        current.map(|open| source(&self.document, open.element, &open.uses, None).name).unwrap_or_default()
    }

    /// The reason for a clip by a clip path in usvg's tree. usvg makes clip paths for viewports,
    /// and copies those in units of a bounding box, which get new ids.
    pub(crate) fn clip(&self, clip_path: &ClipPath, is_in_marker: bool) -> Clip {
        let id = clip_path.id();
        match self.effect_id(id, "clip-path", "clipPath") {
            _ if id == NO_AREA => Clip::NoArea,
            Some(of_document) if of_document == id || !is_of_viewport(clip_path) => {
                Clip::ClipPath { id: of_document }
            }
            _ if is_in_marker => Clip::Marker,
            _ => Clip::Viewport,
        }
    }

    /// The id in the document of a clip path or mask with this id in usvg's tree, which may be a
    /// copy. Empty if it has none, and `None` if the current element has no such property.
    pub(crate) fn effect_id(&self, id: &str, property: &'static str, tag: &str) -> Option<String> {
        let is_known = self.document.with_id(id).is_some_and(|element| self.document.get(element).tag == tag);
        let of_current = || self.document.effect(self.open.last()?.element, property);
        if is_known { Some(id.to_owned()) } else { of_current().map(str::to_owned) }
    }

    /// The innermost element in a text that a path belongs to. `None` if it is not in a text with
    /// parts.
    pub(crate) fn part_of(&self, path: &Path) -> Option<u32> {
        let is_in_use = self.open.last().is_none_or(|current| !current.uses.is_empty());
        let part = self.document.parts_of_paths.get(&std::ptr::from_ref(path).addr());
        part.copied().filter(|_| !is_in_use && !self.is_frozen)
    }

    /// Notes why the node that was entered last paints nothing, if it is that of the current SVG
    /// element or inside of a path, image or text. What a `use` draws has no reason of its own, so
    /// the `use` has it.
    pub(crate) fn note(&mut self, reason: NoBox) {
        let Some(current) = self.open.last() else { return };
        let is_leaf = self.document.get(current.element).is_leaf;
        let is_its_node = is_leaf || current.n_before + 1 == self.n_nodes;
        let own = self.open.iter().rev().find(|open| open.uses.is_empty());
        if let Some(own) = own.filter(|_| is_its_node && !self.is_frozen) {
            self.document.get_mut(own.element).note(reason);
        }
    }

    /// Notes why a path paints nothing, also for the parts of a text that it belongs to. `part` is
    /// the innermost element in the text.
    pub(crate) fn note_of_path(&mut self, part: Option<u32>, reason: NoBox) {
        let mut around = part;
        while let Some(element) = around.filter(|element| self.document.get(*element).text_part.is_some()) {
            self.document.get_mut(element).note(reason.clone());
            around = self.document.get(element).parent();
        }
        self.note(reason);
    }

    /// The sources in document order, where each comes from, and the elements of the document.
    pub(crate) fn finish(self) -> (Vec<Source>, Vec<Origin>, Elements) {
        let (sources, origins) = self.sources.into_iter().unzip();
        (sources, origins, self.document)
    }
}

/// Whether usvg has made a clip path for a viewport. A copy of a clip path in units of a bounding
/// box has the transform of the box. The passes make copies with other names.
fn is_of_viewport(clip_path: &ClipPath) -> bool {
    let is_generated = clip_path.id().starts_with("clipPath");
    is_generated
        && clip_path.transform().is_identity()
        && clip_path.clip_path().is_none()
        && matches!(clip_path.root().children(), [Node::Path(_)])
}

/// The transform of a group.
fn transform(node: &Node) -> Option<Transform> {
    if let Node::Group(group) = node { Some(group.transform()) } else { None }
}

fn source(document: &Elements, index: u32, uses: &str, parent: Option<u32>) -> Source {
    let Element { tag, id, class, position: [line, column], is_leaf, text_part, .. } = document.get(index);
    let path = format!("{uses}{}", document.path(index));
    let has_id = uses.is_empty() && !id.is_empty();
    let kind = match tag.as_str() {
        _ if index == 0 => SourceKind::Svg,
        _ if text_part.is_some() => SourceKind::TextPart,
        "image" => SourceKind::Image,
        "text" => SourceKind::Text,
        _ if *is_leaf => SourceKind::Path,
        _ => SourceKind::Group,
    };
    let name = if has_id { id.clone() } else { path.clone() };
    let (tag, class) = (tag.clone(), class.clone());
    Source { name, has_id, kind, parent, tag, path, line: *line, column: *column, class }
}
