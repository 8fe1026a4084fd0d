//! Elements by CSS selectors.

use std::fmt;
use std::str::FromStr;

use cssparser::Parser;
use selectors::SelectorList;
use selectors::parser::ParseRelative;
use usvg::roxmltree::Document;

use crate::css::matching::{ElementTree, Matcher, Namespaces, Selectors, ancestor_hashes, parse_list};
use crate::guard::deadline::Deadline;
use crate::inline_style::split;

/// A list of CSS selectors, such as `rect.logo, g:not(.hidden) > path:nth-child(2n)`.
///
/// All selectors of style sheets are supported: those of Selectors 4 that can match in a document
/// that is not interacted with. Others, such as `:hover`, match nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selector(String);

/// A text is not a list of CSS selectors.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{part}` at character {position} is not a selector. A selector consists of names, *, .class, #id, [attribute], \
     pseudo-classes such as :not(…), `a b`, `a > b`, `a + b`, and `a ~ b`"
)]
pub struct SelectorError {
    /// The first invalid selector of the list.
    pub part: String,
    /// The position of its first character in the text, starting at 1.
    pub position: usize,
}

impl FromStr for Selector {
    type Err = SelectorError;

    fn from_str(text: &str) -> Result<Self, SelectorError> {
        if parse(text).is_some() {
            return Ok(Self(text.to_owned()));
        }
        let part = split(text, |c| c == ',').into_iter().find(|part| parse(part).is_none());
        let part = part.unwrap_or(text);
        let offset = part.as_ptr().addr() - text.as_ptr().addr();
        Err(SelectorError { part: part.to_owned(), position: 1 + text[..offset].chars().count() })
    }
}

fn parse(text: &str) -> Option<SelectorList<Selectors>> {
    let mut input = Parser::new(text);
    let list = parse_list(&Namespaces::default(), &mut input, ParseRelative::No).ok()?;
    input.is_exhausted().then_some(list)
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Selector {
    /// Whether this selects each element of a document, in document order.
    pub(crate) fn selected(&self, document: &Document<'_>) -> Vec<bool> {
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
