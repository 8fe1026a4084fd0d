//! A list of edits of the text of a document.

use std::collections::BTreeSet;
use std::ops::Range;

use usvg::roxmltree::{Attribute, Document, Node};

/// Edits of the text of one document, which are collected first and applied at once.
///
/// roxmltree reports positions in the text, even for nodes from an entity: these are in the
/// declaration of the entity, which is there once, however often it is used. So equal edits count
/// once. Of edits that overlap, the one that starts first counts.
pub(crate) struct Edits<'d> {
    text: &'d str,
    /// Where the declarations of entities end, and the elements begin.
    root_start: usize,
    /// Each edit as the start and end of a range, and its replacement.
    edits: BTreeSet<(usize, usize, String)>,
}

impl<'d> Edits<'d> {
    pub(crate) fn new(document: &'d Document<'_>) -> Self {
        let root_start = document.root_element().range().start;
        Self { text: document.input_text(), root_start, edits: BTreeSet::new() }
    }

    /// Replaces a range of the text.
    pub(crate) fn replace(&mut self, range: Range<usize>, replacement: impl Into<String>) {
        self.edits.insert((range.start, range.end, replacement.into()));
    }

    /// Inserts some text.
    pub(crate) fn insert(&mut self, at: usize, text: impl Into<String>) {
        self.replace(at..at, text);
    }

    /// Adds an attribute to an element, which must not have it yet. Returns whether it did: it
    /// leaves elements from an entity alone, because the value of an entity is itself quoted and
    /// may stand for several elements.
    pub(crate) fn add_attribute(&mut self, element: Node<'_, '_>, name: &str, value: &str) -> bool {
        let Some(at) = self.end_of_name(element).filter(|at| *at >= self.root_start) else { return false };
        let value = value.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
        self.insert(at, format!(" {name}=\"{value}\""));
        true
    }

    /// Removes an attribute of an element if it has it. Returns whether it did.
    #[cfg_attr(not(test), expect(dead_code, reason = "for wrong references"))]
    pub(crate) fn remove_attribute(&mut self, element: Node<'_, '_>, name: &str) -> bool {
        let range = element.attribute_node(name).and_then(|attribute| self.range_of_attribute(attribute));
        range.inspect(|range| self.replace(range.clone(), "")).is_some()
    }

    /// Removes an element with its contents. Returns whether it did.
    pub(crate) fn remove_element(&mut self, element: Node<'_, '_>) -> bool {
        let is_found = self.end_of_name(element).is_some();
        if is_found {
            self.replace(element.range(), "");
        }
        is_found
    }

    /// The range of an attribute's value in the text, between its quotes. `None` if roxmltree
    /// reports another range, which it does if there are many spaces around the equals sign.
    pub(crate) fn range_of_value(&self, attribute: Attribute<'_, '_>) -> Option<Range<usize>> {
        let range = attribute.range_value();
        let before = self.text.get(..range.start)?.chars().next_back()?;
        let value = self.text.get(range.clone())?;
        let is_quoted = matches!(before, '"' | '\'') && self.text[range.end..].starts_with(before);
        (is_quoted && !value.contains(before)).then_some(range)
    }

    /// The range of an attribute in the text, from its name to its last quote.
    fn range_of_attribute(&self, attribute: Attribute<'_, '_>) -> Option<Range<usize>> {
        let (start, value) = (attribute.range().start, self.range_of_value(attribute)?);
        let assignment = self.text.get(start..value.start - 1)?.trim_end().strip_suffix('=')?;
        // The name may have a prefix.
        assignment.trim_end().ends_with(attribute.name()).then_some(start..value.end + 1)
    }

    /// The end of an element's name in its start tag. `None` if roxmltree reports another position.
    fn end_of_name(&self, element: Node<'_, '_>) -> Option<usize> {
        let start = element.range().start + 1;
        let tag = self.text.get(start - 1..)?.strip_prefix('<')?;
        let length = tag.find(|c: char| c.is_ascii_whitespace() || matches!(c, '/' | '>'))?;
        tag[..length].ends_with(element.tag_name().name()).then_some(start + length)
    }

    /// The text with all edits, `None` if there are none.
    pub(crate) fn apply(self) -> Option<String> {
        let (mut edited, mut from) = (String::with_capacity(self.text.len()), 0);
        for (start, end, replacement) in &self.edits {
            if *start >= from {
                edited.extend([&self.text[from..*start], replacement]);
                from = *end;
            }
        }
        (!self.edits.is_empty()).then(|| edited + &self.text[from..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xml::parse;

    /// The text after some edits of each element.
    fn edited(text: &str, edit: impl Fn(&mut Edits<'_>, Node<'_, '_>)) -> Option<String> {
        let document = parse(text).expect("it is XML");
        let mut edits = Edits::new(&document);
        document.descendants().filter(Node::is_element).for_each(|element| edit(&mut edits, element));
        edits.apply()
    }

    #[test]
    fn attributes_are_added_and_removed() {
        let text = "<!-- é --><s:a xmlns:s='u' s:d='1'><b/><c d = \"2\"\n e='>'>d='3'</c></s:a>";
        let added = edited(text, |edits, element| {
            let name = element.tag_name().name();
            edits.add_attribute(element, "id", &format!("<{name}&\""));
        });
        let expected = text
            .replace("<s:a", "<s:a id=\"&lt;a&amp;&quot;\"")
            .replace("<b", "<b id=\"&lt;b&amp;&quot;\"")
            .replace("<c", "<c id=\"&lt;c&amp;&quot;\"");
        assert_eq!(added, Some(expected));
        let removed = edited(text, |edits, element| {
            assert_eq!(edits.remove_attribute(element, "d"), !element.has_tag_name("b"));
        });
        assert_eq!(removed, Some(text.replace("s:d='1'", "").replace("d = \"2\"", "")));
        assert_eq!(edited(text, |edits, element| assert!(!edits.remove_attribute(element, "f"))), None);
    }

    #[test]
    fn elements_are_removed_with_the_edits_inside_of_them() {
        let removed = edited("<a>é<b><c/></b><b/>.</a>", |edits, element| {
            if element.has_tag_name("b") {
                edits.remove_element(element);
            }
            edits.add_attribute(element, "i", "1");
        });
        // The attribute of an element is inside of it.
        assert_eq!(removed.as_deref(), Some("<a i=\"1\">é.</a>"));
    }

    #[test]
    fn the_text_of_an_entity_is_edited_once() {
        let text = |b: &str| format!("<!DOCTYPE a [<!ENTITY b \"{b}\">]><a>&b;&b;</a>");
        let before = text("<b c='1' d='2'/>");
        let edit = |edits: &mut Edits<'_>, element: Node<'_, '_>| {
            if element.has_tag_name("b") {
                assert!(!edits.add_attribute(element, "id", "1"), "its quotes would end the entity");
                assert!(edits.remove_attribute(element, "c"));
            }
        };
        assert_eq!(edited(&before, edit), Some(text("<b  d='2'/>")));
    }
}
