//! Elements by CSS selectors.

use std::fmt;
use std::str::FromStr;

use simplecss::{Selector as Parsed, SelectorToken, SelectorTokenizer};
use usvg::roxmltree::{Document, Node};

use crate::xml::Selectable;

/// A list of CSS selectors, such as `rect.logo, g#a > path`.
///
/// Supported are type, universal, class, id and attribute selectors, `:first-child`, and the
/// combinators for descendants, children and next siblings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selector(String);

/// A text is not a list of supported CSS selectors.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{part}` at character {position} is not supported.{} A selector consists of names, *, .class, #id, [attribute], \
     :first-child, `a b`, `a > b`, and `a + b`",
    instead(part)
)]
pub struct SelectorError {
    /// The pseudo-class, or the whole selector of the list.
    pub part: String,
    /// The position of its first character in the text, starting at 1.
    pub position: usize,
}

impl FromStr for Selector {
    type Err = SelectorError;

    fn from_str(text: &str) -> Result<Self, SelectorError> {
        for selector in list(text) {
            if let Some(part) = unsupported(selector) {
                let position = 1 + text[..offset(text, part)].chars().count();
                return Err(SelectorError { part: part.to_owned(), position });
            }
        }
        Ok(Self(text.to_owned()))
    }
}

/// The selectors of a list, without the spaces around them. A comma in a string does not separate
/// selectors.
fn list(text: &str) -> Vec<&str> {
    let (mut selectors, mut start, mut quote) = (Vec::new(), 0, None);
    for (at, char) in text.char_indices() {
        match (quote, char) {
            (None, '"' | '\'') => quote = Some(char),
            (Some(open), _) if open == char => quote = None,
            (None, ',') => {
                selectors.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    selectors.push(text[start..].trim());
    selectors
}

/// The part of a selector that is not supported, if there is one: the first pseudo-class that
/// nothing in a drawing can match, or else the whole selector.
fn unsupported(selector: &str) -> Option<&str> {
    for token in SelectorTokenizer::from(selector).map_while(Result::ok) {
        match token {
            SelectorToken::PseudoClass("first-child") => {}
            SelectorToken::PseudoClass(name) => {
                let start = offset(selector, name);
                return Some(&selector[start - 1..start + name.len()]);
            }
            SelectorToken::LangPseudoClass(language) => {
                let before = &selector[..offset(selector, language)];
                return before.rfind(LANG).map(|start| &selector[start..start + LANG.len()]);
            }
            _ => {}
        }
    }
    // The parser stops at some characters. So a child at the end shows that it has read everything.
    let with_child = format!("{selector} > *");
    let is_whole = |parsed: Parsed<'_>| parsed.to_string().ends_with(" > *");
    (!Parsed::parse(&with_child).is_some_and(is_whole)).then_some(selector)
}

/// A sentence about what to write instead of a part that is not supported, after a space. Empty if
/// there is nothing like it.
fn instead(part: &str) -> &'static str {
    match part {
        ":not" => " List the wanted elements instead, such as `rect, path`.",
        ":is" | ":where" => " List whole selectors instead, such as `g > rect, g > path`.",
        ":nth-child" => " Count siblings instead, such as `rect:first-child + rect`.",
        _ if part.starts_with(':') => "",
        _ if part.contains('~') && !part.contains("~=") => {
            " Write `a + b` instead of `a ~ b`, for the next sibling alone."
        }
        _ => "",
    }
}

const LANG: &str = ":lang";

/// The offset of a part in a text, in bytes.
fn offset(text: &str, part: &str) -> usize {
    part.as_ptr().addr() - text.as_ptr().addr()
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Selector {
    /// Whether this selects each element of a document, in document order.
    pub(crate) fn selected(&self, document: &Document<'_>) -> Vec<bool> {
        let selectors: Vec<_> = list(&self.0).into_iter().filter_map(Parsed::parse).collect();
        let is_selected = |node| selectors.iter().any(|selector| selector.matches(&Selectable(node)));
        document.descendants().filter(Node::is_element).map(is_selected).collect()
    }
}
