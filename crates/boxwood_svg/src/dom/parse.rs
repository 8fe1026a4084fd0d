//! From a text to a document.

use std::sync::Arc;

use usvg::roxmltree::{self, ParsingOptions, StringStorage};

use super::{Attribute, Data, Document, Element, Kind, Namespace, NodeId, OwnAttribute, Value, range_in};
use crate::dom::attlists::Attlists;

/// The largest number of attributes that the elements of a document have by default. It is four for
/// each of as many elements as usvg reads.
pub(crate) const MAX_DEFAULTS: usize = 4_000_000;

impl Document {
    /// Parses a text as usvg does: with a document type declaration, which may declare entities and
    /// the default values of attributes.
    pub(crate) fn parse(text: &str) -> Result<Self, roxmltree::Error> {
        let attlists = Attlists::of(text);
        let declared = attlists.as_ref().and_then(|attlists| attlists.with_namespaces(text));
        let text: Arc<str> = declared.map_or_else(|| Arc::from(text), Arc::from);
        let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
        let parsed = roxmltree::Document::parse_with_options(&text, options)?;
        let mut document = Self {
            text: Arc::clone(&text),
            nodes: Vec::with_capacity(parsed.descendants().len()),
            n_elements: 0,
            n_defaults: 0,
            root: NodeId::DOCUMENT,
        };
        document.copy(&parsed);
        if let Some(attlists) = attlists {
            document.apply_defaults(&attlists);
        }
        Ok(document)
    }

    fn copy(&mut self, parsed: &roxmltree::Document<'_>) {
        let document = self.push(Kind::Document, 0);
        // The nodes around the current one, in both documents.
        let mut open = vec![(parsed.root(), document)];
        for node in parsed.descendants().skip(1) {
            while node.parent() != open.last().map(|(around, _)| *around) {
                open.pop();
            }
            let Some((kind, start)) = self.kind(node) else { continue };
            let is_root = node == parsed.root_element();
            let id = self.push(kind, start);
            self.append(open.last().map_or(document, |(_, around)| *around), id);
            if is_root {
                self.root = id;
            }
            if node.is_element() {
                open.push((node, id));
            }
        }
    }

    /// The kind of a node, and its position. `None` for a comment.
    fn kind(&mut self, node: roxmltree::Node<'_, '_>) -> Option<(Kind, u32)> {
        let start = u32::try_from(node.range().start).unwrap_or(u32::MAX);
        if let Some(instruction) = node.pi() {
            return Some((Kind::Instruction(Value::of(&self.text, instruction.target)), start));
        }
        if node.is_text() {
            let storage = node.text_storage()?;
            // A section of character data starts with its delimiter.
            let of_characters = range_in(&self.text, storage.as_str()).map_or(start, |range| range.start);
            return Some((Kind::Text(self.value(storage)), of_characters));
        }
        if !node.is_element() {
            return None;
        }
        let attributes = node.attributes().map(|attribute| OwnAttribute {
            namespace: Namespace::of(attribute.namespace()),
            name: Value::of(&self.text, attribute.name()),
            value: self.value(attribute.value_storage()),
        });
        let element = Element {
            name: Value::of(&self.text, node.tag_name().name()),
            namespace: Namespace::of(node.tag_name().namespace()),
            attributes: attributes.collect(),
            number: Some(self.n_elements),
            is_copy: false,
            is_drawn_by_use: false,
        };
        self.n_elements += 1;
        Some((Kind::Element(Box::new(element)), start))
    }

    fn value(&self, storage: &StringStorage<'_>) -> Value {
        Value::of(&self.text, storage.as_str())
    }

    pub(super) fn push(&mut self, kind: Kind, start: u32) -> NodeId {
        self.nodes.push(Data {
            kind,
            start,
            parent: None,
            previous: None,
            next: None,
            first: None,
            last: None,
        });
        let number = u32::try_from(self.nodes.len()).ok().and_then(std::num::NonZeroU32::new);
        NodeId(number.expect("the sizes of documents and of copies are limited"))
    }

    /// Gives the default values of its attributes to each element.
    fn apply_defaults(&mut self, attlists: &Attlists) {
        self.n_defaults = self.elements().map(|node| attlists.defaults(node.tag()).count()).sum();
        if self.n_defaults > MAX_DEFAULTS {
            return;
        }
        for id in self.element_ids() {
            let node = self.node(id);
            let defaults = attlists.defaults(node.tag());
            let missing: Vec<_> = defaults
                .filter(|default| node.attribute_in(default.namespace, default.name).is_none())
                .collect();
            for Attribute { namespace, name, value } in missing {
                self.set_attribute_in(id, namespace, name, value);
            }
        }
    }
}
