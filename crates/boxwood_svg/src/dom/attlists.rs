//! The default values of attributes that a document type declaration declares.
//!
//! XML (section 3.3.2) applies the default values in the internal subset, and `xmlns` attributes
//! are among them. roxmltree does not, so it would refuse the prefixes.

use std::collections::{HashMap, HashSet};

use super::{Attribute, XML};

/// The start of a declaration of attributes.
const START: &str = "<!ATTLIST";

/// The attributes with default values in the internal subset of a document.
pub(super) struct Attlists {
    /// The end of the name of the root element in the text, and the name.
    root: (usize, String),
    /// The name of the element, the name of the attribute, and its default value.
    defaults: Vec<[String; 3]>,
    /// The indices of the default values of each element.
    of_elements: HashMap<String, Vec<usize>>,
}

impl Attlists {
    /// The default values in a text. `None` if there are none.
    pub(super) fn of(text: &str) -> Option<Self> {
        let (name_end, root) = root(text).filter(|_| text.contains(START))?;
        let declarations = without_comments(&text[..name_end]);
        let lists = declarations.split(START).skip(1);
        let mut all: Vec<[String; 3]> = lists.flat_map(|list| defaults(list).unwrap_or_default()).collect();
        // XML, section 3.3: of several declarations of an attribute, the first one counts.
        let mut known = HashSet::new();
        all.retain(|[element, name, _]| known.insert((element.clone(), name.clone())));
        let mut of_elements: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, [element, ..]) in all.iter().enumerate() {
            of_elements.entry(element.clone()).or_default().push(index);
        }
        let root = (name_end, root.to_owned());
        (!all.is_empty()).then_some(Self { root, defaults: all, of_elements })
    }

    /// The text with the namespaces that the root gets by default, as attributes of it. `None` if
    /// it gets none. All prefixes are declared there, because elements inside of the root seldom
    /// declare others.
    pub(super) fn with_namespaces(&self, text: &str) -> Option<String> {
        let (name_end, root) = (self.root.0, &self.root.1);
        let tag_end = end_of_tag(&text[name_end..]).map_or(text.len(), |length| name_end + length);
        let words = || text[name_end..tag_end].split_ascii_whitespace();
        let mut added = String::new();
        for [element, name, value] in &self.defaults {
            let is_namespace = name.starts_with("xmlns:") || (name == "xmlns" && element == root);
            let start = format!(" {name}=");
            let is_known = added.contains(&start) || words().any(|word| word.split('=').next() == Some(name));
            if is_namespace && !is_known && !value.contains(['<', '&', '"']) {
                added += &format!("{start}\"{value}\"");
            }
        }
        (!added.is_empty()).then(|| [&text[..name_end], &added, &text[name_end..]].concat())
    }

    /// The attributes, other than namespaces, that an element with this name has by default.
    /// Attributes with prefixes other than `xml` are left out.
    pub(super) fn defaults(&self, tag: &str) -> impl Iterator<Item = Attribute<'_>> {
        let of_element = self.of_elements.get(tag).into_iter().flatten();
        let of_element = of_element.map(|index| &self.defaults[*index]);
        of_element.filter_map(|[_, name, value]| match name.split_once(':') {
            None if name != "xmlns" => Some(Attribute { namespace: None, name, value }),
            Some(("xml", name)) => Some(Attribute { namespace: Some(XML), name, value }),
            _ => None,
        })
    }
}

/// A text without its comments, which may have declarations that do not count.
fn without_comments(text: &str) -> String {
    let mut parts = text.split("<!--");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.filter_map(|part| part.split_once("-->")).fold(first, |text, (_, after)| text + after)
}

/// The end of a tag: the first `>` outside of the values of attributes.
fn end_of_tag(text: &str) -> Option<usize> {
    let mut quote = None;
    text.find(|c| match (quote, c) {
        (Some(open), _) => {
            quote = (c != open).then_some(open);
            false
        }
        (None, '"' | '\'') => {
            quote = Some(c);
            false
        }
        (None, _) => c == '>',
    })
}

/// The end of the name of the root element, and the name.
fn root(text: &str) -> Option<(usize, &str)> {
    let mut at = 0;
    loop {
        at += text.get(at..)?.find('<')?;
        let rest = &text[at..];
        let length = if rest.starts_with("<!--") {
            rest.find("-->")?
        } else if rest.starts_with("<?") {
            rest.find("?>")?
        } else if rest.starts_with("<!") {
            end_of_declaration(rest)?
        } else {
            let end = rest.find(|c: char| c.is_ascii_whitespace() || matches!(c, '/' | '>'))?;
            return Some((at + end, &rest[1..end]));
        };
        at += length;
    }
}

/// The end of a document type declaration: the first `>` outside of quotes, comments and brackets.
fn end_of_declaration(text: &str) -> Option<usize> {
    let (mut depth, mut at) = (0, 0);
    loop {
        at += text.get(at..)?.find(['"', '\'', '<', '>', '-'])?;
        let rest = &text[at..];
        match rest.as_bytes()[0] {
            quote @ (b'"' | b'\'') => at += rest[1..].find(char::from(quote))? + 2,
            b'<' if rest.starts_with("<!--") => at += rest.find("-->")? + 3,
            b'<' => (depth, at) = (depth + 1, at + 1),
            b'>' if depth <= 1 => return Some(at),
            b'>' => (depth, at) = (depth - 1, at + 1),
            _ => at += 1,
        }
    }
}

/// The default values in an `ATTLIST` declaration after its first word. `None` if it is not
/// well-formed, which roxmltree reports.
fn defaults(list: &str) -> Option<Vec<[String; 3]>> {
    let mut found = Vec::new();
    let (element, mut rest) = word(list)?;
    while !rest.trim_start().starts_with('>') {
        let (name, after) = word(rest)?;
        let (kind, after) = word(after)?;
        // The values of an enumeration are in parentheses.
        let after = match kind {
            "NOTATION" => after.split_once(')')?.1,
            _ if kind.starts_with('(') => rest[offset(rest, kind)?..].split_once(')')?.1,
            _ => after,
        };
        rest = after.trim_start();
        rest = rest.strip_prefix("#FIXED").unwrap_or(rest).trim_start();
        let quote = rest.chars().next()?;
        rest = if matches!(quote, '"' | '\'') {
            let (value, after) = rest[1..].split_once(quote)?;
            found.push([element, name, value].map(str::to_owned));
            after
        } else {
            word(rest)?.1
        };
    }
    Some(found)
}

/// The first word of a text, and the text after it.
fn word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let end = text.find(|c: char| c.is_ascii_whitespace() || c == '>')?;
    (end > 0).then(|| text.split_at(end))
}

/// The position of a part of a text.
fn offset(text: &str, part: &str) -> Option<usize> {
    part.as_ptr().addr().checked_sub(text.as_ptr().addr())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dom::Document;

    #[test]
    fn roxmltree_still_ignores_default_values() {
        let text = "<!DOCTYPE a [<!ATTLIST b xmlns:k CDATA #FIXED 'u'>]><a><b k:c='1'/></a>";
        let options = usvg::roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
        assert!(usvg::roxmltree::Document::parse_with_options(text, options).is_err());
        assert!(Document::parse(text).is_ok());
    }

    const DTD: &str = "<?xml version='1.0'?><!-- <a> --><!DOCTYPE a [<!-- > ' --><!ENTITY e '>'>
        <!ATTLIST a xmlns CDATA 'u' xmlns:k CDATA #FIXED \"v\" b (x | y) 'x' c CDATA #IMPLIED
            xml:space (preserve) 'preserve'>
        <!ATTLIST b xmlns:l CDATA 'w' xmlns CDATA 'other' xmlns:m CDATA #REQUIRED d NOTATION (x|y) 'y'>]>";

    #[test]
    fn the_root_gets_the_namespaces() {
        for (root, expected) in [
            ("<a/>", "<a xmlns=\"u\" xmlns:k=\"v\" xmlns:l=\"w\"/>"),
            ("<a xmlns='x' xmlns:l='y'/>", "<a xmlns:k=\"v\" xmlns='x' xmlns:l='y'/>"),
            ("<a b='>' xmlns='x' xmlns:l='y'/>", "<a xmlns:k=\"v\" b='>' xmlns='x' xmlns:l='y'/>"),
            ("<b/>", "<b xmlns:k=\"v\" xmlns:l=\"w\" xmlns=\"other\"/>"),
        ] {
            let text = format!("{DTD}{root}");
            let attlists = Attlists::of(&text).expect("there are defaults");
            assert_eq!(attlists.with_namespaces(&text), Some(format!("{DTD}{expected}")));
        }
        for other in
            ["<a>&lt;!ATTLIST</a>", "<!ATTLIST", "<!DOCTYPE a [<!ATTLIST b xmlns:", "<!--<!ATTLIST--"]
        {
            assert!(Attlists::of(other).is_none(), "{other}");
        }
    }

    #[test]
    fn the_first_declaration_outside_of_comments_counts() {
        let text = "<!DOCTYPE a [<!-- <!ATTLIST a b CDATA '1'> --><!ATTLIST a b CDATA '2'><!ATTLIST a b CDATA '3' c CDATA '4'>]><a/>";
        let document = Document::parse(text).expect("it is XML");
        let root = document.root_element();
        assert_eq!([root.attribute("b"), root.attribute("c")], [Some("2"), Some("4")]);
    }

    #[test]
    fn elements_get_their_attributes() {
        let document = Document::parse(&format!("{DTD}<a><b/><b d='x'/></a>")).expect("it is XML");
        let attributes = document
            .elements()
            .map(|node| [node.attribute("b"), node.attribute("d"), node.attribute_in(Some(XML), "space")]);
        let expected =
            [[Some("x"), None, Some("preserve")], [None, Some("y"), None], [None, Some("x"), None]];
        assert_eq!(attributes.collect::<Vec<_>>(), expected);
    }
}
