//! A list of edits of the text of a document.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use usvg::roxmltree::{Attribute, Document, Node};

use crate::warnings::{WarningKind, Warnings};
use crate::xml::name_or_place;

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
    /// The declarations of elements without a `style` attribute, by the end of their names.
    styles: BTreeMap<usize, String>,
    /// The names of the elements that were left alone, by their starts.
    left_alone: BTreeMap<usize, String>,
}

impl<'d> Edits<'d> {
    pub(crate) fn new(document: &'d Document<'_>) -> Self {
        let root_start = document.root_element().range().start;
        let (edits, styles, left_alone) = (BTreeSet::new(), BTreeMap::new(), BTreeMap::new());
        Self { text: document.input_text(), root_start, edits, styles, left_alone }
    }

    /// Warns about the elements that were left alone so far.
    pub(crate) fn warn(&mut self, warnings: &Warnings) {
        for (_, name) in std::mem::take(&mut self.left_alone) {
            warnings.add(WarningKind::Entity, || name);
        }
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
        let Some(at) = self.start_of_attributes(element) else { return false };
        self.insert(at, format!(" {name}=\"{}\"", escaped(value)));
        true
    }

    /// Sets an attribute of an element. Returns whether it did, as for a new attribute.
    pub(crate) fn set_attribute(&mut self, element: Node<'_, '_>, name: &str, value: &str) -> bool {
        let Some(attribute) = element.attribute_node(name) else {
            return self.add_attribute(element, name, value);
        };
        let range = self.own_range_of_value(element, attribute);
        range.inspect(|range| self.replace(range.clone(), escaped(value))).is_some()
    }

    /// Removes an attribute of an element. Returns whether the element is without it.
    pub(crate) fn remove_attribute(&mut self, element: Node<'_, '_>, name: &str) -> bool {
        let Some(attribute) = element.attribute_node(name) else { return true };
        let is_found = self.own_range_of_value(element, attribute).is_some();
        if is_found {
            self.replace(attribute.range(), "");
        }
        is_found
    }

    /// Sets a property of an element. usvg lets the first declaration with `!important` take
    /// precedence, and ignores the declarations after one that it cannot read. So this one is the
    /// first. Returns whether it is set, as for an attribute.
    pub(crate) fn set_property(&mut self, element: Node<'_, '_>, property: &str, value: &str) -> bool {
        let declaration = format!("{property}:{value}!important;");
        if let Some(style) = element.attribute_node("style") {
            let start = self.own_range_of_value(element, style).map(|range| range.start);
            return start.inspect(|start| self.insert(*start, declaration)).is_some();
        }
        let at = self.start_of_attributes(element);
        at.inspect(|at| self.styles.entry(*at).or_default().push_str(&declaration)).is_some()
    }

    /// Adds an element, in the namespace of its parent, at the end of that. Returns whether it did,
    /// as for an attribute. An element is its name and its attributes, which must not contain a
    /// double quote. It may contain another one.
    pub(crate) fn append_child(
        &mut self,
        parent: Node<'_, '_>,
        (name, attributes): (&str, &str),
        inner: Option<(&str, &str)>,
    ) -> bool {
        let Some(name_end) = self.start_of_attributes(parent) else { return false };
        let range = parent.range();
        let own_name = &self.text[range.start + 1..name_end];
        let prefix = &own_name[..own_name.len() - parent.tag_name().name().len()];
        let contents = inner.map(|(name, attributes)| format!("<{prefix}{name} {attributes}/>"));
        let child = match contents {
            Some(contents) => format!("<{prefix}{name} {attributes}>{contents}</{prefix}{name}>"),
            None => format!("<{prefix}{name} {attributes}/>"),
        };
        match self.text[range.clone()].strip_suffix("/>") {
            Some(_) => self.replace(range.end - 2..range.end, format!(">{child}</{own_name}>")),
            None => {
                let end_tag = self.text[range.clone()].rfind("</").map(|at| range.start + at);
                end_tag.into_iter().for_each(|at| self.insert(at, child.clone()));
            }
        }
        true
    }

    /// Puts a group with these attributes around an element. Returns whether it did: it leaves
    /// elements from an entity and elements with a prefix alone.
    pub(crate) fn wrap(&mut self, element: Node<'_, '_>, attributes: &str) -> bool {
        let namespace = element.parent().and_then(|parent| parent.default_namespace());
        if !self.has_plain_name(element) || namespace != element.tag_name().namespace() {
            return false;
        }
        let range = element.range();
        self.insert(range.start, format!("<g {attributes}>"));
        self.insert(range.end, "</g>");
        true
    }

    /// Puts a group with an id around the contents of an element, as [`wrap`](Self::wrap) does.
    /// Returns `false` as well if there are no contents.
    pub(crate) fn wrap_contents(&mut self, element: Node<'_, '_>, id: &str) -> bool {
        let Some(Range { start, end }) = self.contents(element) else { return false };
        self.insert(start, format!("<g id=\"{id}\">"));
        // Equal edits count once, and `wrap` may have its own here.
        self.insert(end, "</g >");
        true
    }

    /// The range of the contents of an element. `None` if there are none, if it is from an entity,
    /// or if it has a prefix.
    fn contents(&self, element: Node<'_, '_>) -> Option<Range<usize>> {
        let range = element.range();
        let start = element.first_child()?.range().start;
        let end = range.start + self.text[range.clone()].rfind("</")?;
        (range.contains(&start) && self.has_plain_name(element)).then_some(start..end)
    }

    /// Whether an element is not from an entity, and has no prefix.
    fn has_plain_name(&self, element: Node<'_, '_>) -> bool {
        let start = element.range().start;
        let name = self.end_of_name(element).map(|end| &self.text[start + 1..end]);
        start >= self.root_start && name == Some(element.tag_name().name())
    }

    /// Adds a copy of an element after it, with other values for some attributes. With `transform`,
    /// its contents are in a group with that transform. Returns whether it did, as for an attribute
    /// and [`wrap_contents`](Self::wrap_contents). The values must not contain quotes or markup.
    pub(crate) fn copy_element(
        &mut self,
        element: Node<'_, '_>,
        attributes: &[(&str, &str)],
        transform: Option<&str>,
    ) -> bool {
        let Some(name_end) = self.start_of_attributes(element) else { return false };
        let (mut copy, mut edits) = (self.text[element.range()].to_owned(), Vec::new());
        for (name, value) in attributes {
            edits.push(match element.attribute_node(*name) {
                None => (name_end..name_end, format!(" {name}=\"{value}\"")),
                Some(attribute) => {
                    let Some(range) = self.range_of_value(attribute) else { return false };
                    (range, (*value).to_owned())
                }
            });
        }
        if let Some(transform) = transform {
            let Some(Range { start, end }) = self.contents(element) else { return false };
            edits.push((start..start, format!("<g transform=\"{transform}\">")));
            edits.push((end..end, "</g>".to_owned()));
        }
        edits.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
        let start = element.range().start;
        for (range, value) in edits {
            copy.replace_range(range.start - start..range.end - start, &value);
        }
        self.insert(element.range().end, copy);
        true
    }

    /// Gives another name to an element, without changing its prefix. Returns whether it did, as
    /// for an attribute.
    pub(crate) fn rename(&mut self, element: Node<'_, '_>, name: &str) -> bool {
        let Some(end) = self.start_of_attributes(element) else { return false };
        let (length, range) = (element.tag_name().name().len(), element.range());
        self.replace(end - length..end, name);
        if !self.text[range.clone()].ends_with("/>") {
            let end_tag = self.text[range.clone()].rfind("</").map(|at| range.start + at + "</".len());
            let prefix = end - length - (range.start + "<".len());
            end_tag.into_iter().for_each(|at| self.replace(at + prefix..at + prefix + length, name));
        }
        true
    }

    /// Removes an element with its contents. Returns whether it did.
    pub(crate) fn remove_element(&mut self, element: Node<'_, '_>) -> bool {
        let is_found = self.end_of_name(element).is_some();
        if is_found {
            self.replace(element.range(), "");
        }
        is_found
    }

    /// The place for a new attribute of an element. `None` if the element is from an entity, and is
    /// left alone.
    fn start_of_attributes(&mut self, element: Node<'_, '_>) -> Option<usize> {
        let at = self.end_of_name(element).filter(|at| *at >= self.root_start);
        if at.is_none() {
            self.leave_alone(element);
        }
        at
    }

    /// The range of the value of an element's attribute. Without it, the element is left alone.
    fn own_range_of_value(
        &mut self,
        element: Node<'_, '_>,
        attribute: Attribute<'_, '_>,
    ) -> Option<Range<usize>> {
        let range = self.range_of_value(attribute);
        if range.is_none() {
            self.leave_alone(element);
        }
        range
    }

    fn leave_alone(&mut self, element: Node<'_, '_>) {
        self.left_alone.entry(element.range().start).or_insert_with(|| name_or_place(element));
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

    /// The end of an element's name in its start tag. `None` if roxmltree reports another position.
    fn end_of_name(&self, element: Node<'_, '_>) -> Option<usize> {
        let start = element.range().start + 1;
        let tag = self.text.get(start - 1..)?.strip_prefix('<')?;
        let length = tag.find(|c: char| c.is_ascii_whitespace() || matches!(c, '/' | '>'))?;
        tag[..length].ends_with(element.tag_name().name()).then_some(start + length)
    }

    /// The text with all edits, `None` if there are none.
    pub(crate) fn apply(mut self) -> Option<String> {
        for (at, declarations) in std::mem::take(&mut self.styles) {
            self.insert(at, format!(" style=\"{declarations}\""));
        }
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

/// A text as it is inside of an attribute's quotes.
pub(crate) fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('"', "&quot;").replace('\'', "&apos;")
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

    const TEXT: &str =
        "<!-- é --><s:a xmlns:s='u' s:style='a:1'><b/><c style = \"x:y\"\n e='>'>f='3'</c></s:a>";

    #[test]
    fn attributes_are_added() {
        let added = edited(TEXT, |edits, element| {
            let name = element.tag_name().name();
            assert!(edits.add_attribute(element, "id", &format!("<{name}&\"")));
        });
        let expected = ["<s:a", "<b", "<c"].into_iter().fold(TEXT.to_owned(), |text, tag| {
            let name = &tag[tag.len() - 1..];
            text.replace(tag, &format!("{tag} id=\"&lt;{name}&amp;&quot;\""))
        });
        assert_eq!(added, Some(expected));
    }

    #[test]
    fn properties_are_set_together() {
        let set = edited(TEXT, |edits, element| {
            for property in ["mask", "filter"] {
                assert!(edits.set_property(element, property, "none"));
            }
        });
        let declarations = "mask:none!important;filter:none!important;";
        let sorted = "filter:none!important;mask:none!important;";
        let expected = TEXT
            .replace("'a:1'", &format!("'{sorted}a:1'"))
            .replace("<b", &format!("<b style=\"{declarations}\""))
            .replace("\"x:y\"", &format!("\"{sorted}x:y\""));
        assert_eq!(set, Some(expected));
    }

    #[test]
    fn children_are_appended() {
        let appended = edited(TEXT, |edits, element| {
            assert!(edits.append_child(element, ("d", "i='1'"), Some(("e", ""))));
        });
        let expected = TEXT
            .replace("<b/>", "<b><d i='1'><e /></d></b>")
            .replace("</c></s:a>", "<d i='1'><e /></d></c><s:d i='1'><s:e /></s:d></s:a>");
        assert_eq!(appended, Some(expected));
    }

    #[test]
    fn elements_are_wrapped() {
        let text = "<a xmlns='u' xmlns:s='u'><b><c/></b><s:d/><b xmlns='v'/></a>";
        let wrapped = edited(text, |edits, element| {
            let is_wrapped = match element.tag_name().name() {
                "b" if element.has_children() => edits.wrap_contents(element, "1"),
                "c" => edits.wrap(element, "id=\"2\"") && !edits.wrap_contents(element, "3"),
                "a" => true,
                _ => !edits.wrap(element, "4"),
            };
            assert!(is_wrapped, "{element:?}");
        });
        let expected = text.replace("<c/>", "<g id=\"1\"><g id=\"2\"><c/></g ></g>");
        assert_eq!(wrapped, Some(expected));
    }

    #[test]
    fn elements_are_copied() {
        let copied = edited(TEXT, |edits, element| {
            if element.has_tag_name("c") {
                assert!(edits.copy_element(element, &[("e", "1"), ("id", "2"), ("style", "")], Some("t")));
            }
        });
        let copy = "<c id=\"2\" style = \"\"\n e='1'><g transform=\"t\">f='3'</g></c>";
        assert_eq!(copied, Some(TEXT.replace("</c>", &format!("</c>{copy}"))));
    }

    #[test]
    fn elements_are_renamed() {
        let renamed = edited("<a xmlns:s='u'><s:bc x='>'>f</s:bc ><bc/></a>", |edits, element| {
            assert!(
                !element.has_tag_name("bc") && element.tag_name().name() != "bc"
                    || edits.rename(element, "d")
            );
        });
        assert_eq!(renamed.as_deref(), Some("<a xmlns:s='u'><s:d x='>'>f</s:d ><d/></a>"));
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
        let edit = |edits: &mut Edits<'_>, element: Node<'_, '_>| {
            if element.has_tag_name("b") {
                assert!(!edits.add_attribute(element, "id", "1"), "its quotes would end the entity");
                assert!(!edits.append_child(element, ("d", ""), None));
                assert!(edits.set_property(element, "mask", "none"));
            }
        };
        let expected = text("<b style='mask:none!important;a:1'/>");
        assert_eq!(edited(&text("<b style='a:1'/>"), edit), Some(expected));
    }
}
