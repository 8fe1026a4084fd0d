//! The SVG elements that elements of the scene come from.

use usvg::{Group, Node, Path, Tree};

use crate::no_box::NoBox;
use crate::quirks::background::background;
use crate::quirks::wrapper_groups::element_of;
use crate::read::elements::{Element, Elements, Nodes};
use crate::table::{Clip, ImageNode, Origin, Source, SourceKind};

/// Follows a walk through the tree, and lists the SVG elements that it meets.
#[derive(Default)]
pub(crate) struct SourceTracker {
    document: Elements,
    /// The address of the path that usvg adds for the background of the root.
    background: Option<*const Path>,
    sources: Vec<(Source, Origin)>,
    images: Vec<ImageNode>,
    /// The number of nodes of SVG elements so far.
    n_nodes: usize,
    /// The kinds of the nodes around the current node, and its own, as usvg has them.
    kinds: Vec<SourceKind>,
    /// The SVG elements around the current node, the outermost first.
    open: Vec<OpenElement>,
    /// The element that was left last, and the number of elements around it.
    closed: Option<(usize, OpenElement)>,
    /// Whether everything comes from the current element: in a mask, whose contents have no source
    /// of their own.
    pub(crate) is_frozen: bool,
}

/// An SVG element around the current node.
struct OpenElement {
    /// Its index in the document.
    element: u32,
    /// The path of the innermost `use` that draws it, with an arrow at the end. Empty if none does.
    uses: String,
    /// The number of its node.
    number: usize,
    /// Its index among the sources, once it is one.
    index: Option<u32>,
}

impl SourceTracker {
    /// At the root of a document and of its tree.
    pub(crate) fn new(document: Elements, tree: &Tree) -> Self {
        let background = background(tree.root()).filter(|_| document.has_background);
        let root = OpenElement { element: 0, uses: String::new(), number: 0, index: None };
        let mut tracker = Self {
            document,
            background: background.map(std::ptr::from_ref),
            sources: Vec::new(),
            images: Vec::new(),
            n_nodes: 1,
            kinds: vec![SourceKind::Svg],
            open: vec![root],
            closed: None,
            is_frozen: false,
        };
        tracker.source();
        tracker
    }

    /// Whether the nodes inside of the current one are parts of one path, image or text.
    fn is_in_leaf(&self) -> bool {
        let is_group = |kind: &SourceKind| matches!(kind, SourceKind::Svg | SourceKind::Group);
        self.is_frozen || !self.kinds.last().is_some_and(is_group)
    }

    /// The element that each child of a group comes from. `None` for a node that is only a part of
    /// the current element.
    pub(crate) fn elements_of(&self, group: &Group) -> Vec<Option<u32>> {
        let nodes = group.children();
        let mut elements = vec![None; nodes.len()];
        let Some(current) = self.open.last().filter(|_| !self.is_in_leaf()) else { return elements };
        if let [Node::Group(only)] = nodes
            && only.id().is_empty()
            && self.clips_symbol(current.element, group)
        {
            return elements;
        }
        if let [Node::Group(whole)] = nodes
            && whole.children().first().is_some_and(|node| self.is_background(node))
        {
            return elements;
        }
        let start = nodes.iter().take_while(|node| self.is_background(node)).count();
        let (nodes, own) = (&nodes[start..], &mut elements[start..]);
        for (element, node) in own.iter_mut().zip(nodes) {
            *element = self.document.with_id(id_and_kind(node).0).or_else(|| self.marked_path(node));
        }
        if own.contains(&None) {
            let is_in_use = !current.uses.is_empty() || self.document.get(current.element).target().is_some();
            let has_ids = !is_in_use && !self.document.has_nameless;
            self.fill_gaps(own, nodes, &self.document.contents(current.element), has_ids);
        }
        elements
    }

    fn is_background(&self, node: &Node) -> bool {
        matches!(node, Node::Path(path) if self.background == Some(std::ptr::from_ref(&**path)))
    }

    /// Whether a group is that of a `use` that clips to the viewport of a symbol. usvg has a
    /// further group inside of it.
    fn clips_symbol(&self, element: u32, group: &Group) -> bool {
        let is_symbol = |target| self.document.get(target).tag == "symbol";
        group.clip_path().is_some() && self.document.get(element).target().is_some_and(is_symbol)
    }

    /// Finds the elements of nodes without an id, from the elements that can have nodes there.
    ///
    /// usvg drops the ids of what a `use` or a marker draws, and of the parts of a path with
    /// markers between them. With `has_ids`, no other node is without an id, so a group without one
    /// holds markers. It is empty if its element is, such as a text without characters.
    fn fill_gaps(&self, elements: &mut [Option<u32>], nodes: &[Node], contents: &[u32], has_ids: bool) {
        let (mut start, mut after) = (0, 0);
        while start < nodes.len() {
            if let Some(element) = elements[start] {
                after = after.max(contents.partition_point(|other| *other <= element));
                start += 1;
                continue;
            }
            let end = (start..nodes.len()).find(|i| elements[*i].is_some()).unwrap_or(nodes.len());
            let next = elements.get(end).copied().flatten();
            let before = next.map_or(contents.len(), |next| contents.partition_point(|other| *other < next));
            let gap = contents.get(after..before).unwrap_or_default();
            let around = [start.checked_sub(1).and_then(|i| elements[i]), next];
            let is_left_out = |i: &usize| self.has_known(&nodes[*i]) || has_ids && is_empty(&nodes[*i]);
            let unknown: Vec<usize> = (start..end).filter(|i| !is_left_out(i)).collect();
            let is_marker = |i: &usize| has_ids && is_nameless_group(&nodes[*i]);
            let first = unknown.iter().position(|i| !is_marker(i)).unwrap_or(unknown.len());
            let last = unknown.iter().rposition(|i| !is_marker(i)).map_or(first, |last| last + 1);
            let found = if first == last {
                self.owners_of_markers(around, unknown.len())
            } else {
                let mut found = self.owners_of_markers([around[0], None], first);
                let own: Vec<&Node> = unknown[first..last].iter().map(|i| &nodes[*i]).collect();
                found.extend(self.elements_in_gap(gap, around, &own));
                found.extend(self.owners_of_markers([None, next], unknown.len() - last));
                found
            };
            unknown.iter().zip(found).for_each(|(i, element)| elements[*i] = element);
            start = end;
        }
    }

    /// The elements of nodes between those of two elements, from the elements in the gap.
    fn elements_in_gap(&self, gap: &[u32], around: [Option<u32>; 2], nodes: &[&Node]) -> Vec<Option<u32>> {
        let can_be = |(node, element): (&&Node, &u32)| {
            let Element { nodes, tag, .. } = self.document.get(*element);
            match node {
                // A leaf is in a group only for an effect. usvg also has groups around images.
                Node::Group(group) if !group.should_isolate() && group.transform().is_identity() => {
                    *nodes == Nodes::Group || tag == "image"
                }
                Node::Group(_) => true,
                Node::Path(_) | Node::Image(_) | Node::Text(_) => *nodes == Nodes::Leaf,
            }
        };
        match gap {
            [] => self.owners_of_markers(around, nodes.len()),
            [only] => vec![Some(*only); nodes.len()],
            _ if gap.len() == nodes.len() && nodes.iter().zip(gap).all(can_be) => {
                gap.iter().copied().map(Some).collect()
            }
            _ => vec![None; nodes.len()],
        }
    }

    /// The path in a group that holds only the path and its markers. usvg puts one around a path
    /// with markers and an effect. Its group around everything can look alike, but the group of an
    /// element has a known id in it, and markers have none.
    fn marked_path(&self, node: &Node) -> Option<u32> {
        let Node::Group(group) = node else { return None };
        let is_marker = |node: &Node| is_nameless_group(node) && !is_empty(node) && !self.has_known(node);
        match group.children() {
            [Node::Path(path), other] | [other, Node::Path(path)]
                if group.id().is_empty() && is_marker(other) =>
            {
                self.document.with_id(path.id())
            }
            _ => None,
        }
    }

    /// The elements of markers, given the elements of the nodes before and after the markers.
    fn owners_of_markers(&self, [before, after]: [Option<u32>; 2], n_markers: usize) -> Vec<Option<u32>> {
        let is_leaf = |element: &u32| self.document.get(*element).nodes == Nodes::Leaf;
        let [before, after] = [before.filter(is_leaf), after.filter(is_leaf)];
        if before.is_some() && after.is_some() && self.document.has_paint_order_rules {
            return vec![None; n_markers];
        }
        let mut owners = vec![before.or(after); n_markers];
        let is_first = after.is_some_and(|after| self.document.get(after).has_markers_first);
        if let Some(last) = owners.last_mut().filter(|_| is_first) {
            *last = after;
        }
        owners
    }

    /// Whether a node has a descendant with a known id. Such a node is not that of an element, but
    /// a group that usvg puts around several of them.
    fn has_known(&self, node: &Node) -> bool {
        let Node::Group(group) = node else { return false };
        group
            .children()
            .iter()
            .any(|node| self.document.with_id(id_and_kind(node).0).is_some() || self.has_known(node))
    }

    /// Enters a node that comes from this element, `None` for a part of the current element.
    pub(crate) fn enter(&mut self, node: &Node, element: Option<u32>) -> [usize; 2] {
        let around = [self.kinds.len(), self.open.len()];
        if self.is_in_leaf() {
            return around;
        }
        let (_, kind) = id_and_kind(node);
        self.kinds.push(kind);
        let number = self.n_nodes;
        self.n_nodes += 1;
        let current = self.open.last().expect("the root is open");
        let Some(element) = element.filter(|element| *element != current.element) else { return around };
        if self.document.get(element).tag == "image" {
            self.images.push(ImageNode { element, number });
        }
        let is_same =
            |closed: &mut (usize, OpenElement)| (closed.0, closed.1.element) == (around[1], element);
        if let Some((_, mut closed)) = self.closed.take_if(is_same) {
            // A path and its markers are one element. Its own node is that of the path.
            if kind == SourceKind::Path {
                closed.number = number;
                if let Some(index) = closed.index {
                    self.sources[index as usize].1.number = number;
                }
            }
            self.open.push(closed);
            return around;
        }
        let uses = match self.document.get(current.element).target() {
            Some(_) => format!("{}{} → ", current.uses, self.document.path(current.element)),
            None => current.uses.clone(),
        };
        self.document.get_mut(element).is_kept |= uses.is_empty();
        let is_in_use = !uses.is_empty();
        let has_id = !is_in_use && !self.document.get(element).id.is_empty();
        self.open.push(OpenElement { element, uses, number, index: None });
        if has_id {
            self.source();
        }
        if !is_in_use {
            self.add_text_parts(element);
        }
        around
    }

    /// Lists the parts of the current element, if it is a text. The text becomes a source if it has
    /// some.
    fn add_text_parts(&mut self, text: u32) {
        for element in text..self.document.end(text) {
            if self.document.get(text).tag == "text" && self.document.get(element).text_part.is_some() {
                let parent = Some(self.source());
                let number = self.open.last().map_or(0, |text| text.number);
                let origin = Origin { element, number, is_in_use: false };
                self.sources.push((source(&self.document, element, "", parent), origin));
            }
        }
    }

    /// Leaves the nodes that were entered since.
    pub(crate) fn leave(&mut self, [n_kinds, n_open]: [usize; 2]) {
        self.kinds.truncate(n_kinds);
        if self.open.len() > n_open {
            self.open.truncate(n_open + 1);
            self.closed = self.open.pop().map(|closed| (n_open, closed));
        }
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
                        number: element.number,
                        is_in_use: !element.uses.is_empty(),
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

    /// The reason for a clip by a clip path with this id in usvg's tree. usvg makes clip paths for
    /// viewports, and copies those in units of a bounding box, which get new ids.
    pub(crate) fn clip(&self, id: &str) -> Clip {
        let id = self.known_id(id, "clipPath");
        let current = self.open.last().filter(|_| id.is_empty());
        match current.map(|open| self.document.get(open.element).tag.as_str()) {
            Some("svg" | "use" | "image") => Clip::Viewport,
            _ => Clip::ClipPath { id },
        }
    }

    /// The id, if an element with this tag has it in the document. An empty text otherwise.
    pub(crate) fn known_id(&self, id: &str, tag: &str) -> String {
        let element = self.document.with_id(id).filter(|element| self.document.get(*element).tag == tag);
        element.map_or_else(String::new, |_| id.to_owned())
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
        let is_leaf = self.document.get(current.element).nodes == Nodes::Leaf;
        let is_its_node = is_leaf || current.number + 1 == self.n_nodes;
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

    /// The sources in document order, where each comes from, the nodes of images, and the elements
    /// of the document.
    pub(crate) fn finish(self) -> (Vec<Source>, Vec<Origin>, Vec<ImageNode>, Elements) {
        let (sources, origins) = self.sources.into_iter().unzip();
        (sources, origins, self.images, self.document)
    }
}

fn is_nameless_group(node: &Node) -> bool {
    matches!(node, Node::Group(_)) && id_and_kind(node).0.is_empty()
}

/// Whether a node is a group without contents. usvg has one for an element that has a transform or
/// an effect, and nothing to draw.
fn is_empty(node: &Node) -> bool {
    matches!(node, Node::Group(group) if !group.has_children())
}

/// The id and the kind of the SVG element that a node comes from, as usvg has them.
fn id_and_kind(node: &Node) -> (&str, SourceKind) {
    match node {
        Node::Group(group) => element_of(group),
        Node::Path(path) => (path.id(), SourceKind::Path),
        Node::Image(image) => (image.id(), SourceKind::Image),
        Node::Text(text) => (text.id(), SourceKind::Text),
    }
}

fn source(document: &Elements, index: u32, uses: &str, parent: Option<u32>) -> Source {
    let Element { tag, id, class, position: [line, column], nodes, text_part, .. } = document.get(index);
    let path = format!("{uses}{}", document.path(index));
    let has_id = uses.is_empty() && !id.is_empty();
    let kind = match tag.as_str() {
        _ if index == 0 => SourceKind::Svg,
        _ if text_part.is_some() => SourceKind::TextPart,
        "image" => SourceKind::Image,
        "text" => SourceKind::Text,
        _ if *nodes == Nodes::Leaf => SourceKind::Path,
        _ => SourceKind::Group,
    };
    let name = if has_id { id.clone() } else { path.clone() };
    let (tag, class) = (tag.clone(), class.clone());
    Source { name, has_id, kind, parent, tag, path, line: *line, column: *column, class }
}
