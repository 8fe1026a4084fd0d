//! The elements of a document: where each is, and which can have nodes in usvg's tree.
//!
//! usvg keeps the id of an element on its node, so elements without an id get one before usvg sees
//! the document. Nothing refers to these ids, and each `g` and `use` has a group in the tree in any
//! case, so the tree is otherwise the same.

use std::collections::HashMap;

use usvg::roxmltree::{Document, Node};

use crate::inline_style::declared;
use crate::no_box::NoBox;
use crate::quirks::background;
use crate::quirks::spaced_ids::SpacedIds;
use crate::quirks::{foreign_objects, switches};
use crate::read::positions::Positions;
use crate::read::text_parts::Parts;
use crate::rewrite::Edits;
use crate::table::TextPart;
use crate::xml::local_href;

/// An element of a document.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    /// Its name without a prefix, such as `rect`.
    pub(crate) tag: String,
    /// Its id, empty if it has none.
    pub(crate) id: String,
    /// The value of its attribute `class`.
    pub(crate) class: String,
    /// Its line and its column in the document, starting at 1. Columns are characters.
    pub(crate) position: [u32; 2],
    pub(crate) nodes: Nodes,
    parent: Option<u32>,
    /// Its position among its siblings with the same name, starting at 1.
    ordinal: u32,
    /// The index after that of its last descendant.
    end: u32,
    /// The element that a `use` refers to.
    target: Option<u32>,
    /// Whether it has a node in usvg's tree, outside of what a `use` draws.
    pub(crate) is_kept: bool,
    /// Why it paints nothing, if its node says so.
    pub(crate) unpainted: Option<NoBox>,
    /// What is known of it, if it is a part of a text and has characters.
    pub(crate) text_part: Option<TextPart>,
    /// Whether its group was added to the document.
    has_wrapper: bool,
    /// Whether its markers are painted before its fill and stroke, by its properties and those of
    /// the elements around it.
    pub(crate) has_markers_first: bool,
}

impl Element {
    /// The element that a `use` refers to.
    pub(crate) fn target(&self) -> Option<u32> {
        self.target
    }

    /// The element around it.
    pub(crate) fn parent(&self) -> Option<u32> {
        self.parent
    }

    /// Notes why something in it paints nothing. Of several reasons, it keeps the first, or that
    /// something is hidden.
    pub(crate) fn note(&mut self, reason: NoBox) {
        if self.unpainted.is_none() || reason == NoBox::Hidden {
            self.unpainted = Some(reason);
        }
    }
}

/// The nodes of an element in usvg's tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Nodes {
    /// A path, image or text, which may be in groups for its effects.
    Leaf,
    /// A group around the nodes of its children, or of the element it refers to.
    Group,
    /// None. The nodes of its children are in its place.
    OfChildren,
    /// None, and none of its children.
    None,
}

/// The elements of a document, in document order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Elements {
    elements: Vec<Element>,
    /// The elements by the ids that they have in the document. Of several elements with an id, it
    /// is the first if the others get one of their own, and `None` if not.
    by_id: HashMap<String, Option<u32>>,
    /// What the ids start with that elements get. Their indices follow.
    prefix: String,
    /// Whether the root may have a background.
    pub(crate) has_background: bool,
    /// Whether some element that can have nodes has no id in usvg's tree: one from an entity, for
    /// example.
    pub(crate) has_nameless: bool,
    /// The innermost element of each path of a text, by the address of the path.
    pub(crate) parts_of_paths: HashMap<usize, u32>,
}

impl Elements {
    /// The elements of a document. Gives an id to each one that can have nodes and has none.
    /// `original` has the same elements at the positions that users see.
    pub(crate) fn new(document: &Document<'_>, original: &Document<'_>, edits: &mut Edits<'_>) -> Self {
        let text = document.input_text();
        let mut prefix = "element-".to_owned();
        while text.contains(&prefix) {
            prefix.push('-');
        }
        let has_background = declared(document.root_element(), background::PROPERTY).is_some();
        let mut all = Self { prefix, has_background, ..Self::default() };
        let positions = Positions::new(original.input_text());
        let mut spaced_ids = SpacedIds::of(document);
        // The elements around the current one.
        let mut open: Vec<Open<'_, '_>> = Vec::new();
        let starts = original.descendants().filter(Node::is_element).map(|node| node.range().start);
        for (node, start) in document.descendants().filter(Node::is_element).zip(starts) {
            let index = u32::try_from(all.elements.len()).unwrap_or(u32::MAX);
            let (tag, around) = (node.tag_name().name(), node.parent_element());
            while open.last().is_some_and(|open| Some(open.node) != around) {
                open.pop();
            }
            let ordinal = open.last_mut().map_or(1, |parent| parent.count(tag));
            let id = node.attribute("id").unwrap_or_default();
            if !id.is_empty() {
                let own_id = format!("{}{index}", all.prefix);
                // usvg refers to the last element with an id, browsers to the first.
                let is_other = all.by_id.contains_key(id) || spaced_ids.contains(id);
                let is_renamed = is_other && edits.set_attribute(node, "id", &own_id);
                if is_renamed {
                    spaced_ids.replace(id, &own_id, edits);
                } else {
                    let known = all.by_id.entry(id.to_owned());
                    known.and_modify(|other| *other = None).or_insert(Some(index));
                }
            }
            let parent = open.last().map(|parent| parent.index);
            let has_markers_first = match declared(node, "paint-order") {
                Some(order) if order != "inherit" => order.trim_start().starts_with("markers"),
                _ => parent.is_some_and(|parent| all.get(parent).has_markers_first),
            };
            let mut element = Element {
                tag: tag.to_owned(),
                id: id.to_owned(),
                class: node.attribute("class").unwrap_or_default().to_owned(),
                position: positions.of(start),
                nodes: nodes(node),
                parent,
                ordinal,
                end: index + 1,
                target: None,
                is_kept: false,
                unpainted: None,
                text_part: None,
                has_wrapper: false,
                has_markers_first,
            };
            if element.nodes == Nodes::OfChildren
                && !id.is_empty()
                && wrap(node, &format!("{}{index:010}", all.prefix), edits)
            {
                element.nodes = Nodes::Group;
                element.has_wrapper = true;
            }
            if element.nodes != Nodes::None && id.is_empty() {
                let has_attribute = node.attributes().any(|attribute| attribute.name() == "id");
                let is_named =
                    !has_attribute && edits.add_attribute(node, "id", &format!("{}{index}", all.prefix));
                all.has_nameless |= !is_named;
            }
            all.elements.push(element);
            open.push(Open { index, node, counts: HashMap::new() });
        }
        all.close();
        all.link(document);
        all
    }

    /// Sets the end of each element.
    fn close(&mut self) {
        for index in (0..self.elements.len()).rev() {
            let Element { parent, end, .. } = self.elements[index];
            if let Some(parent) = parent {
                let around = &mut self.elements[parent as usize].end;
                *around = (*around).max(end);
            }
        }
    }

    /// Sets the target of each `use`: the first element with the id.
    fn link(&mut self, document: &Document<'_>) {
        let mut first = HashMap::new();
        for (index, element) in (0..).zip(&self.elements).filter(|(_, element)| !element.id.is_empty()) {
            first.entry(element.id.clone()).or_insert(index);
        }
        let nodes = document.descendants().filter(Node::is_element);
        for (node, element) in nodes.zip(&mut self.elements).filter(|(_, element)| element.tag == "use") {
            element.target = local_href(node).and_then(|id| first.get(id).copied());
        }
    }

    pub(crate) fn get(&self, index: u32) -> &Element {
        &self.elements[index as usize]
    }

    pub(crate) fn get_mut(&mut self, index: u32) -> &mut Element {
        &mut self.elements[index as usize]
    }

    /// Sets what is known of the parts of texts.
    pub(crate) fn set_text_parts(&mut self, Parts { parts, of_paths }: Parts) {
        self.parts_of_paths = of_paths;
        for (index, part) in parts {
            let element = self.get_mut(index);
            element.text_part = Some(part);
            element.unpainted = (!part.has_paths).then_some(NoBox::Unknown);
        }
    }

    /// The text around an element.
    pub(crate) fn text_around(&self, index: u32) -> Option<u32> {
        self.around(index).find(|around| self.get(*around).tag == "text")
    }

    /// All elements.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Element> {
        self.elements.iter()
    }

    /// Whether an element in an element has a node in usvg's tree.
    pub(crate) fn has_kept(&self, index: u32) -> bool {
        self.within(index).iter().any(|element| element.is_kept)
    }

    /// An element and those inside of it, in document order.
    pub(crate) fn within(&self, index: u32) -> &[Element] {
        &self.elements[index as usize..self.end(index) as usize]
    }

    /// The index after that of the last element inside of an element.
    pub(crate) fn end(&self, index: u32) -> u32 {
        self.get(index).end
    }

    /// The elements around an element, the innermost first.
    pub(crate) fn around(&self, index: u32) -> impl Iterator<Item = u32> {
        std::iter::successors(self.get(index).parent, |around| self.get(*around).parent)
    }

    /// The only element with an id, which may be one that it got.
    pub(crate) fn with_id(&self, id: &str) -> Option<u32> {
        // A character reference can spell the prefix in an id of the document.
        self.by_id.get(id).copied().unwrap_or_else(|| id.strip_prefix(&self.prefix)?.parse().ok())
    }

    /// The path of an element as `XPath` counts, such as `/svg/g[2]/rect[1]`.
    pub(crate) fn path(&self, index: u32) -> String {
        let Element { tag, parent, ordinal, .. } = self.get(index);
        match parent {
            Some(parent) => format!("{}/{tag}[{ordinal}]", self.path(*parent)),
            None => format!("/{tag}"),
        }
    }

    /// The elements that can have nodes in the group of an element, in document order.
    pub(crate) fn contents(&self, index: u32) -> Vec<u32> {
        let mut contents = Vec::new();
        let element = self.get(index);
        match element.target {
            Some(target)
                if self.get(target).has_wrapper
                    || !matches!(self.get(target).tag.as_str(), "symbol" | "svg") =>
            {
                contents.push(target);
            }
            Some(target) => self.add_children(target, &mut contents),
            None if element.nodes == Nodes::Leaf => {}
            None => self.add_children(index, &mut contents),
        }
        contents
    }

    fn add_children(&self, index: u32, contents: &mut Vec<u32>) {
        let mut child = index + 1;
        while child < self.get(index).end {
            match self.get(child).nodes {
                Nodes::Leaf | Nodes::Group => contents.push(child),
                Nodes::OfChildren => self.add_children(child, contents),
                Nodes::None => {}
            }
            child = self.get(child).end;
        }
    }
}

/// An element whose children are listed.
struct Open<'a, 'input> {
    index: u32,
    node: Node<'a, 'input>,
    /// The numbers of its children so far, by name.
    counts: HashMap<&'a str, u32>,
}

impl<'a> Open<'a, '_> {
    /// Counts a child with this name. Returns the number of them so far.
    fn count(&mut self, tag: &'a str) -> u32 {
        let count = self.counts.entry(tag).or_default();
        *count += 1;
        *count
    }
}

/// Adds a group with an id around the contents of an inner `svg`, which usvg has none for. The
/// space of its contents is its user space. Returns whether it did.
fn wrap(node: Node<'_, '_>, id: &str, edits: &mut Edits<'_>) -> bool {
    node.tag_name().name() == "svg" && node.parent_element().is_some() && edits.wrap_contents(node, id)
}

fn nodes(node: Node<'_, '_>) -> Nodes {
    let is_text_part = || node.ancestors().skip(1).any(|around| around.tag_name().name() == "text");
    match node.tag_name().name() {
        _ if declared(node, "display") == Some("none") => Nodes::None,
        "circle" | "ellipse" | "image" | "line" | "path" | "polygon" | "polyline" | "rect" | "text" => {
            Nodes::Leaf
        }
        "g" | "use" => Nodes::Group,
        "a" if !is_text_part() => Nodes::Group,
        "svg" if node.parent_element().is_some() && clips(node) => Nodes::Group,
        "foreignObject" if foreign_objects::is_replaced(node) => Nodes::Leaf,
        "switch" if switches::is_replaced(node) => Nodes::Group,
        "svg" | "switch" => Nodes::OfChildren,
        _ => Nodes::None,
    }
}

/// Whether an inner `svg` clips to its viewport. Only then usvg has a group for it.
fn clips(svg: Node<'_, '_>) -> bool {
    let has_size = svg.has_attribute("width") && svg.has_attribute("height");
    has_size && !matches!(declared(svg, "overflow"), Some("visible" | "auto"))
}
