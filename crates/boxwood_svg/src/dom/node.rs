//! A view of a node.

use std::fmt;
use std::hash::{Hash, Hasher};

use super::{Document, Kind, NodeId, OwnAttribute, STYLE, SVG, XLINK};

/// A node of a document. Nodes are equal if their ids are.
#[derive(Clone, Copy)]
pub(crate) struct Node<'d> {
    document: &'d Document,
    id: NodeId,
}

/// An attribute of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Attribute<'d> {
    pub(crate) namespace: Option<&'d str>,
    /// The name without a prefix.
    pub(crate) name: &'d str,
    pub(crate) value: &'d str,
}

impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Node<'_> {}

impl Hash for Node<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id.hash(state);
    }
}

impl fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{}>", self.name_or_place())
    }
}

impl<'d> Node<'d> {
    pub(super) const fn new(document: &'d Document, id: NodeId) -> Self {
        Self { document, id }
    }

    pub(crate) const fn document(self) -> &'d Document {
        self.document
    }

    pub(crate) const fn id(self) -> NodeId {
        self.id
    }

    /// The position of the node in the text. For characters, that of the first one.
    pub(crate) fn start(self) -> usize {
        self.document.data(self.id).start as usize
    }

    fn at(self, id: Option<NodeId>) -> Option<Self> {
        id.map(|id| Self { id, ..self })
    }

    pub(crate) fn is_element(&self) -> bool {
        self.document.element(self.id).is_some()
    }

    /// The number of an element of the document's text. `None` if a pass has added the element.
    pub(crate) fn number(self) -> Option<u32> {
        self.document.element(self.id)?.number
    }

    /// Whether an element is a copy.
    pub(crate) fn is_copy(self) -> bool {
        self.document.element(self.id).is_some_and(|element| element.is_copy)
    }

    /// Whether an element is the copy that the `use` around it draws. The own children of a `use`
    /// are not drawn.
    pub(crate) fn is_drawn_by_use(self) -> bool {
        self.document.element(self.id).is_some_and(|element| element.is_drawn_by_use)
    }

    /// The name of an element without a prefix, empty for other nodes.
    pub(crate) fn tag(self) -> &'d str {
        self.document.element(self.id).map_or("", |element| self.document.str(&element.name))
    }

    pub(crate) fn has_tag(self, tag: &str) -> bool {
        self.tag() == tag
    }

    pub(crate) fn namespace(self) -> Option<&'d str> {
        self.document.element(self.id)?.namespace.url()
    }

    /// Whether usvg reads an element as one of SVG.
    pub(crate) fn is_svg(self) -> bool {
        // usvg takes an element without a namespace as one of SVG.
        matches!(self.namespace(), None | Some(SVG))
    }

    /// The characters of a text.
    pub(crate) fn text(self) -> Option<&'d str> {
        match &self.document.data(self.id).kind {
            Kind::Text(value) => Some(self.document.str(value)),
            Kind::Document | Kind::Element(_) | Kind::Instruction(_) => None,
        }
    }

    /// The target of a processing instruction.
    pub(super) fn instruction(self) -> Option<&'d str> {
        match &self.document.data(self.id).kind {
            Kind::Instruction(target) => Some(self.document.str(target)),
            Kind::Document | Kind::Element(_) | Kind::Text(_) => None,
        }
    }

    /// The bytes of the names, attributes and characters of a node and its contents.
    pub(crate) fn size(self) -> usize {
        let of_attributes =
            |node: Self| -> usize { node.attributes().map(|own| own.name.len() + own.value.len()).sum() };
        self.descendants()
            .map(|node| node.tag().len() + node.text().map_or(0, str::len) + of_attributes(node))
            .sum()
    }

    pub(crate) fn attributes(self) -> impl Iterator<Item = Attribute<'d>> + Clone {
        let attributes = self.document.element(self.id).map_or(&[][..], |element| &element.attributes);
        attributes.iter().map(move |attribute| Attribute {
            namespace: attribute.namespace.url(),
            name: self.document.str(&attribute.name),
            value: self.document.str(&attribute.value),
        })
    }

    /// The value of an attribute without a namespace.
    pub(crate) fn attribute(self, name: &str) -> Option<&'d str> {
        self.attribute_in(None, name)
    }

    /// The value of an attribute in a namespace.
    pub(crate) fn attribute_in(self, namespace: Option<&str>, name: &str) -> Option<&'d str> {
        let is_wanted =
            |known: &&OwnAttribute| self.document.is(&known.name, name) && known.namespace.url() == namespace;
        // Elements have few attributes, so a search is faster than a map.
        let found = self.document.element(self.id)?.attributes.iter().find(is_wanted);
        found.map(|attribute| self.document.str(&attribute.value))
    }

    pub(crate) fn has_attribute(self, name: &str) -> bool {
        self.attribute(name).is_some()
    }

    /// The value of a property that CSS declares and that has no presentation attribute.
    pub(crate) fn declaration(self, property: &str) -> Option<&'d str> {
        self.attribute_in(Some(STYLE), property)
    }

    /// The value of a property by CSS, or else by the attribute of its name.
    pub(crate) fn declared(self, property: &str) -> Option<&'d str> {
        // Presentation attributes are the weakest declarations of the author.
        self.declaration(property).or_else(|| self.attribute(property).map(str::trim))
    }

    /// The value of an inherited property, by the nearest element that declares it.
    pub(crate) fn inherited(self, property: &str) -> Option<&'d str> {
        // `inherit` asks the parent, as does a property that is not declared.
        self.ancestors().filter_map(|around| around.declared(property)).find(|value| *value != "inherit")
    }

    /// The address that an element refers to. `href` takes precedence over `xlink:href` (SVG 2,
    /// section 16.1.6).
    pub(crate) fn href(self) -> Option<&'d str> {
        self.attribute("href").or_else(|| self.attribute_in(Some(XLINK), "href"))
    }

    /// The id of the element that an element refers to, if that is in the same document.
    pub(crate) fn local_href(self) -> Option<&'d str> {
        self.href()?.trim().strip_prefix('#')
    }

    /// The id of an element, or its name and its position in the text if it has no id.
    pub(crate) fn name_or_place(self) -> String {
        let id = self.attribute("id").filter(|id| !id.is_empty());
        id.map_or_else(
            || {
                let [line, column] = self.document.position(self.start());
                format!("<{}> at {line}:{column}", self.tag())
            },
            str::to_owned,
        )
    }

    /// The node around it. The document is around the root element.
    pub(crate) fn parent(self) -> Option<Self> {
        self.at(self.document.data(self.id).parent)
    }

    pub(crate) fn parent_element(self) -> Option<Self> {
        self.parent().filter(Node::is_element)
    }

    /// The node and the nodes around it, the innermost first.
    pub(crate) fn ancestors(self) -> impl Iterator<Item = Self> + Clone {
        std::iter::successors(Some(self), |node| node.parent())
    }

    pub(crate) fn first_child(self) -> Option<Self> {
        self.at(self.document.data(self.id).first)
    }

    pub(crate) fn first_element_child(self) -> Option<Self> {
        self.children().find(Node::is_element)
    }

    pub(crate) fn next_sibling(self) -> Option<Self> {
        self.at(self.document.data(self.id).next)
    }

    pub(crate) fn children(self) -> impl Iterator<Item = Self> + Clone {
        std::iter::successors(self.first_child(), |node| node.next_sibling())
    }

    /// The node and the nodes inside of it, in document order.
    pub(crate) fn descendants(self) -> impl Iterator<Item = Self> + Clone {
        std::iter::successors(Some(self), move |node| {
            // Each step follows the links, without a stack, so deep trees need no memory here.
            let outside = || {
                let mut around = node.ancestors().take_while(|around| *around != self);
                around.find_map(Node::next_sibling)
            };
            node.first_child().or_else(outside)
        })
    }
}
