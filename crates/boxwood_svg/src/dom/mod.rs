//! A document that the passes before usvg can change.
//!
//! roxmltree parses a text once; [`Document`] then owns the elements, attributes and texts. The
//! entities are expanded, and the default values of the internal subset apply. Comments are left
//! out. [`Document::to_xml`] writes what usvg reads.
//!
//! A node keeps its id while the document changes, and in later clones of the document.

mod attlists;
mod edit;
mod node;
mod parse;
mod write;

use std::num::NonZeroU32;
use std::ops::Range;
use std::sync::Arc;

pub(crate) use node::{Attribute, Node};
pub(crate) use parse::MAX_DEFAULTS;

/// The namespace of SVG.
pub(crate) const SVG: &str = "http://www.w3.org/2000/svg";
pub(crate) const XLINK: &str = "http://www.w3.org/1999/xlink";
pub(crate) const XML: &str = "http://www.w3.org/XML/1998/namespace";

/// The namespace of the declarations of CSS for properties that have no presentation attribute,
/// such as `isolation`. The attributes with these names, such as `rotate` of texts, are others.
const STYLE: &str = "boxwood:style";

/// A node of a document: the index of its data, plus one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct NodeId(NonZeroU32);

impl NodeId {
    /// The document itself, whose children are the root element and the instructions around it.
    const DOCUMENT: Self = Self(NonZeroU32::MIN);

    /// The index of the node in its document.
    pub(crate) fn index(self) -> usize {
        self.0.get() as usize - 1
    }

    /// A number that identifies the node in its document.
    pub(crate) fn to_raw(self) -> u32 {
        self.0.get()
    }

    /// The node with a number, whether or not a document has it.
    pub(crate) fn from_raw(number: u32) -> Option<Self> {
        NonZeroU32::new(number).map(Self)
    }
}

/// A document: a tree of elements and texts.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    /// The text that it was parsed from.
    text: Arc<str>,
    nodes: Vec<Data>,
    /// The number of elements in the text. They are numbered in document order.
    n_elements: u32,
    /// The number of attributes that elements have by default. None is applied if there are more
    /// than [`MAX_DEFAULTS`].
    n_defaults: usize,
    root: NodeId,
}

#[derive(Clone, Debug)]
struct Data {
    kind: Kind,
    /// The position in the text. A node from an entity has that of the entity's declaration, and a
    /// copy has that of its original.
    start: u32,
    parent: Option<NodeId>,
    previous: Option<NodeId>,
    next: Option<NodeId>,
    first: Option<NodeId>,
    last: Option<NodeId>,
}

#[derive(Clone, Debug)]
enum Kind {
    Document,
    Element(Box<Element>),
    Text(Value),
    /// A processing instruction with this target.
    Instruction(Value),
}

#[derive(Clone, Debug)]
struct Element {
    name: Value,
    namespace: Namespace,
    attributes: Vec<OwnAttribute>,
    /// Its number among the elements of the text. `None` if a pass has added it.
    number: Option<u32>,
    /// Whether it is a copy of the element with that number.
    is_copy: bool,
    /// Whether it is the copy that the `use` around it draws.
    is_drawn_by_use: bool,
}

#[derive(Clone, Debug)]
struct OwnAttribute {
    namespace: Namespace,
    name: Value,
    value: Value,
}

/// Some text, which most often is a part of the document's text.
#[derive(Clone, Debug)]
enum Value {
    Source { start: u32, end: u32 },
    Own(Box<str>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Namespace {
    None,
    Svg,
    Xlink,
    Xml,
    Style,
    Other(Box<str>),
}

impl Namespace {
    fn of(url: Option<&str>) -> Self {
        match url {
            None => Self::None,
            Some(SVG) => Self::Svg,
            Some(XLINK) => Self::Xlink,
            Some(XML) => Self::Xml,
            Some(STYLE) => Self::Style,
            // Metadata of editors, which nothing here reads but selectors may match.
            Some(other) => Self::Other(other.into()),
        }
    }

    fn url(&self) -> Option<&str> {
        match self {
            Self::None => None,
            Self::Svg => Some(SVG),
            Self::Xlink => Some(XLINK),
            Self::Xml => Some(XML),
            Self::Style => Some(STYLE),
            Self::Other(url) => Some(url),
        }
    }
}

impl Document {
    /// The text that it was parsed from.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The number of attributes that elements have by default, applied or not.
    pub(crate) fn n_defaults(&self) -> usize {
        self.n_defaults
    }

    pub(crate) fn node(&self, id: NodeId) -> Node<'_> {
        Node::new(self, id)
    }

    /// The number among the elements of the text of each node, by the indices of the nodes. `None`
    /// for what a pass has added, and for texts.
    pub(crate) fn numbers(&self) -> Vec<Option<u32>> {
        // Removed nodes keep their place, so the indices stay those of the ids.
        let number =
            |data: &Data| if let Kind::Element(element) = &data.kind { element.number } else { None };
        self.nodes.iter().map(number).collect()
    }

    pub(crate) fn root_element(&self) -> Node<'_> {
        self.node(self.root)
    }

    /// The processing instructions outside of the root element, by their targets.
    pub(crate) fn instructions(&self) -> impl Iterator<Item = (&str, usize)> {
        self.node(NodeId::DOCUMENT).children().filter_map(|node| Some((node.instruction()?, node.start())))
    }

    /// All elements, in document order.
    pub(crate) fn elements(&self) -> impl Iterator<Item = Node<'_>> + Clone {
        self.root_element().descendants().filter(Node::is_element)
    }

    /// The elements of the text, in document order, if none was removed. The index of each is its
    /// number.
    pub(crate) fn originals(&self) -> impl Iterator<Item = Node<'_>> + Clone {
        self.elements().filter(|node| node.number().is_some() && !node.is_copy())
    }

    /// The ids of all elements, in document order: for passes that change them one by one.
    pub(crate) fn element_ids(&self) -> Vec<NodeId> {
        self.elements().map(|node| node.id()).collect()
    }

    fn data(&self, id: NodeId) -> &Data {
        &self.nodes[id.index()]
    }

    fn element(&self, id: NodeId) -> Option<&Element> {
        if let Kind::Element(element) = &self.data(id).kind { Some(element) } else { None }
    }

    fn str<'d>(&'d self, value: &'d Value) -> &'d str {
        match value {
            Value::Source { start, end } => &self.text[*start as usize..*end as usize],
            Value::Own(text) => text,
        }
    }

    /// Whether a value is a text. Comparing bytes is faster than cutting a text at characters.
    fn is(&self, value: &Value, text: &str) -> bool {
        match value {
            Value::Source { start, end } => {
                self.text.as_bytes()[*start as usize..*end as usize] == *text.as_bytes()
            }
            Value::Own(own) => **own == *text,
        }
    }

    /// The line and the column of a position in the text, starting at 1. A column is a number of
    /// characters.
    pub(crate) fn position(&self, at: usize) -> [u32; 2] {
        // Columns count characters, as editors do, so the bytes of the line are decoded.
        let before = self.text.get(..at).unwrap_or_default();
        let line = before.rsplit('\n').next().unwrap_or_default();
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        [number(before.matches('\n').count() + 1), number(line.chars().count() + 1)]
    }
}

impl Value {
    fn of(text: &str, part: &str) -> Self {
        // Most values are parts of the text: a document then needs few allocations, and a clone of
        // it copies few strings.
        match range_in(text, part) {
            Some(Range { start, end }) => Self::Source { start, end },
            None => Self::Own(part.into()),
        }
    }
}

/// The range of a part of a text, if that is where the part is in memory.
fn range_in(text: &str, part: &str) -> Option<Range<u32>> {
    // roxmltree borrows a value from the text unless it expands entities in it. Comparing addresses
    // needs no search, and no `unsafe`.
    let start = part.as_ptr().addr().checked_sub(text.as_ptr().addr())?;
    let end = start.checked_add(part.len()).filter(|end| *end <= text.len())?;
    Some(u32::try_from(start).ok()?..u32::try_from(end).ok()?)
}
