//! The elements of a document: where each is, and what is known of it.

use std::collections::{HashMap, HashSet};

use crate::dom::{Document, Node, NodeId};
use crate::no_box::NoBox;
use crate::passes::ids::Prefix;
use crate::passes::{foreign_objects, zero_sizes};
use crate::read::positions::Positions;
#[cfg(feature = "text")]
use crate::read::text_parts::Parts;
use crate::table::TextPart;

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
    /// Whether it is drawn as a whole: a shape, image or text.
    pub(crate) is_leaf: bool,
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

/// The elements of a document, in document order.
#[derive(Default)]
pub(crate) struct Elements {
    elements: Vec<Element>,
    /// The nodes of the drawn document that have ids in the text as well, by these ids.
    by_id: HashMap<String, NodeId>,
    ids: Option<Prefix>,
    /// The number of each node of the drawn document.
    numbers: Vec<Option<u32>>,
    /// The nodes of the drawn document that are copies.
    copies: HashSet<NodeId>,
    /// The shapes and images without a size, whose boxes do not count in other boxes.
    without_size: HashSet<NodeId>,
    /// The values of `clip-path` and `mask`, by the index of the element and the property.
    effects: HashMap<(u32, &'static str), String>,
    /// The innermost element of each path of a text, by the address of the path.
    pub(crate) parts_of_paths: HashMap<usize, u32>,
}

impl Elements {
    /// The elements of a document without CSS. `drawn` is the same document as usvg reads it, in
    /// which elements have got some of these ids.
    pub(crate) fn new(document: &Document, drawn: &Document, ids: Prefix) -> Self {
        let mut all = Self { numbers: drawn.numbers(), ids: Some(ids), ..Self::default() };
        let positions = Positions::new(document.text());
        // The elements around the current one.
        let mut open: Vec<Open<'_>> = Vec::new();
        for (index, node) in (0..).zip(document.originals()) {
            let (tag, around) = (node.tag(), node.parent_element());
            while open.last().is_some_and(|open| Some(open.node) != around) {
                open.pop();
            }
            let ordinal = open.last_mut().map_or(1, |parent| parent.count(tag));
            let parent = open.last().map(|parent| parent.index);
            all.elements.push(Element {
                tag: tag.to_owned(),
                id: node.attribute("id").unwrap_or_default().to_owned(),
                class: node.attribute("class").unwrap_or_default().to_owned(),
                position: positions.of(node.start()),
                is_leaf: is_leaf(node),
                parent,
                ordinal,
                end: index + 1,
                target: None,
                is_kept: false,
                unpainted: None,
                text_part: None,
            });
            for property in ["clip-path", "mask"] {
                if let Some(value) = node.attribute(property).filter(|value| *value != "none") {
                    all.effects.insert((index, property), value.to_owned());
                }
            }
            open.push(Open { index, node, counts: HashMap::new() });
        }
        for node in drawn.elements() {
            let Some(number) = node.number() else { continue };
            if node.is_copy() {
                all.copies.insert(node.id());
            } else if let Some(id) = node.attribute("id") {
                all.by_id.entry(id.to_owned()).or_insert(node.id());
            }
            if zero_sizes::is_marked(node) {
                all.without_size.insert(node.id());
                if !node.is_copy() {
                    all.get_mut(number).unpainted = Some(NoBox::NoSize);
                }
            }
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
    fn link(&mut self, document: &Document) {
        let mut first = HashMap::new();
        for (index, element) in (0..).zip(&self.elements).filter(|(_, element)| !element.id.is_empty()) {
            first.entry(element.id.clone()).or_insert(index);
        }
        let nodes = document.originals();
        for (node, element) in nodes.zip(&mut self.elements).filter(|(_, element)| element.tag == "use") {
            element.target = node.local_href().and_then(|id| first.get(id).copied());
        }
    }

    pub(crate) fn get(&self, index: u32) -> &Element {
        &self.elements[index as usize]
    }

    pub(crate) fn get_mut(&mut self, index: u32) -> &mut Element {
        &mut self.elements[index as usize]
    }

    /// Sets what is known of the parts of texts.
    #[cfg(feature = "text")]
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

    /// Whether each element is one of these, contains one, or is a `use` that draws one. Adds the
    /// uses to these.
    pub(crate) fn containing(&self, these: &mut [bool]) -> Vec<bool> {
        loop {
            let mut all = these.to_vec();
            // Elements are after those around them.
            for (index, element) in self.elements.iter().enumerate().rev() {
                if let Some(parent) = element.parent {
                    all[parent as usize] |= all[index];
                }
            }
            let mut has_more = false;
            for (element, is_one) in self.elements.iter().zip(these.iter_mut()) {
                let draws_one = !*is_one && element.target.is_some_and(|target| all[target as usize]);
                *is_one |= draws_one;
                has_more |= draws_one;
            }
            if !has_more {
                return all;
            }
        }
    }

    /// The elements around an element, the innermost first.
    pub(crate) fn around(&self, index: u32) -> impl Iterator<Item = u32> {
        std::iter::successors(self.get(index).parent, |around| self.get(*around).parent)
    }

    /// The node of the drawn document that has an id in usvg's tree.
    pub(crate) fn node_with_id(&self, id: &str) -> Option<NodeId> {
        let node = self.ids.as_ref().and_then(|ids| ids.node(id));
        node.or_else(|| self.by_id.get(id).copied())
    }

    /// Whether a node of the drawn document is a copy.
    #[cfg(feature = "text")]
    pub(crate) fn is_copy(&self, node: NodeId) -> bool {
        self.copies.contains(&node)
    }

    /// Whether a node of the drawn document is a shape or image without a size.
    pub(crate) fn has_no_size(&self, node: NodeId) -> bool {
        self.without_size.contains(&node)
    }

    /// The index of the element that a node of the drawn document is, or is a copy of.
    pub(crate) fn of_node(&self, node: NodeId) -> Option<u32> {
        self.numbers.get(node.index())?.as_ref().copied()
    }

    /// The element with an id in usvg's tree.
    pub(crate) fn with_id(&self, id: &str) -> Option<u32> {
        self.of_node(self.node_with_id(id)?)
    }

    /// The id of the clip path or mask of an element, empty if the property has another value.
    /// `None` if the element has none.
    pub(crate) fn effect(&self, index: u32, property: &'static str) -> Option<&str> {
        let value = self.effects.get(&(index, property))?;
        let id = value.strip_prefix("url(#").and_then(|rest| rest.strip_suffix(')'));
        Some(id.unwrap_or_default())
    }

    /// The path of an element as `XPath` counts, such as `/svg/g[2]/rect[1]`.
    pub(crate) fn path(&self, index: u32) -> String {
        let mut around: Vec<u32> = self.around(index).collect();
        let root = around.pop().unwrap_or(index);
        let mut path = format!("/{}", self.get(root).tag);
        for step in around.into_iter().rev().chain(Some(index).filter(|_| root != index)) {
            let Element { tag, ordinal, .. } = self.get(step);
            path += &format!("/{tag}[{ordinal}]");
        }
        path
    }
}

/// An element whose children are listed.
struct Open<'a> {
    index: u32,
    node: Node<'a>,
    /// The numbers of its children so far, by name.
    counts: HashMap<&'a str, u32>,
}

impl<'a> Open<'a> {
    /// Counts a child with this name. Returns the number of them so far.
    fn count(&mut self, tag: &'a str) -> u32 {
        let count = self.counts.entry(tag).or_default();
        *count += 1;
        *count
    }
}

/// Whether an element is drawn as a whole.
fn is_leaf(node: Node<'_>) -> bool {
    let is_shape = matches!(
        node.tag(),
        "circle" | "ellipse" | "image" | "line" | "path" | "polygon" | "polyline" | "rect" | "text"
    );
    is_shape || foreign_objects::is_replaced(node)
}
