//! Elements by CSS selectors.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use crate::dom::Document;
use cssparser::{ParseError, Parser, Token};
use selectors::SelectorList;
use selectors::parser::{ParseRelative, Selector as ParsedSelector};

use crate::css::matching::{ElementTree, Matcher, NEVER, Namespaces, Selectors, ancestor_hashes, parse_list};
use crate::css::values::split;
use crate::guard::deadline::Deadline;

/// A list of CSS selectors, such as `rect.logo, g:not(.hidden) > path:nth-child(2n)`.
///
/// All selectors of style sheets are supported: those of Selectors 4 that can match in a document
/// that is not interacted with. Others, such as `:hover` and `::before`, are errors, because they
/// select nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selector(String);

/// A text is not a list of CSS selectors that can select something.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{part}` at character {position} is not supported. A selector consists of names, *, .class, #id, [attribute], \
     pseudo-classes such as :not(…), `a b`, `a > b`, `a + b`, and `a ~ b`"
)]
pub struct SelectorError {
    /// The first pseudo-class that selects nothing, or else the first invalid selector of the list.
    pub part: String,
    /// The position of its first character in the text, starting at 1.
    pub position: usize,
}

impl FromStr for Selector {
    type Err = SelectorError;

    fn from_str(text: &str) -> Result<Self, SelectorError> {
        let error = |part: &str, at| {
            let position = 1 + text[..at].chars().count();
            Err(SelectorError { part: part.to_owned(), position })
        };
        if let Some(Range { start, end }) = never_matching(&mut Parser::new(text)) {
            return error(&text[start..end], start);
        }
        if parse(text).is_some() {
            return Ok(Self(text.to_owned()));
        }
        let part = split(text, |c| c == ',').into_iter().find(|part| parse(part).is_none());
        let part = part.unwrap_or(text);
        error(part, part.as_ptr().addr() - text.as_ptr().addr())
    }
}

/// The range of the first pseudo-class that matches nothing, such as `:hover`.
fn never_matching(input: &mut Parser<'_>) -> Option<Range<usize>> {
    let mut colon = None;
    loop {
        let start = input.position().byte_index();
        let token = input.next_including_whitespace().ok()?.clone();
        let range = |colon| colon..input.position().byte_index();
        match (&token, colon) {
            (Token::Ident(name), Some(colon)) if NEVER.contains(&&*name.to_ascii_lowercase()) => {
                return Some(range(colon));
            }
            (Token::Function(_) | Token::ParenthesisBlock | Token::SquareBracketBlock, _) => {
                let inside = |input: &mut Parser<'_>| Ok::<_, ParseError<()>>(never_matching(input));
                if let Ok(found @ Some(_)) = input.parse_nested_block(inside) {
                    return found;
                }
            }
            _ => {}
        }
        colon = matches!(token, Token::Colon).then_some(start);
    }
}

/// A list of selectors, none of which is for a pseudo-element: that is not an element.
fn parse(text: &str) -> Option<SelectorList<Selectors>> {
    let mut input = Parser::new(text);
    let list = parse_list(&Namespaces::default(), &mut input, ParseRelative::No).ok()?;
    let has_pseudo_element = list.slice().iter().any(ParsedSelector::has_pseudo_element);
    (input.is_exhausted() && !has_pseudo_element).then_some(list)
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Selector {
    /// Whether this selects each element of a document, in document order.
    pub(crate) fn selected(&self, document: &Document) -> Vec<bool> {
        let deadline = Deadline::default();
        let tree = ElementTree::new(document, &deadline);
        let list = parse(&self.0);
        let selectors: Vec<_> = list
            .iter()
            .flat_map(SelectorList::slice)
            .map(|selector| (selector, ancestor_hashes(selector)))
            .collect();
        let mut matcher = Matcher::new(&tree);
        let is_selected = |index| {
            let mut is_selected = false;
            matcher.enter(index);
            matcher.with_current(|matches| {
                is_selected = selectors.iter().any(|(selector, hashes)| matches(selector, hashes));
            });
            is_selected
        };
        (0..u32::try_from(tree.len()).unwrap_or(u32::MAX)).map(is_selected).collect()
    }
}
