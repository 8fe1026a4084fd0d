//! Elements by CSS selectors.

use std::fmt;
use std::str::FromStr;

use simplecss::StyleSheet;
use usvg::roxmltree::Node;

use crate::xml::{self, Selectable};

/// A list of CSS selectors, such as `rect.logo, g#a > path`.
///
/// Supported are type, universal, class, id and attribute selectors, `:first-child`, and the
/// combinators for descendants and children.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selector(String);

/// A text is not a list of supported CSS selectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "not a CSS selector of the supported kinds: names, *, .class, #id, [attribute], :first-child, `a b`, and `a > b`"
)]
pub struct SelectorError;

impl FromStr for Selector {
    type Err = SelectorError;

    fn from_str(text: &str) -> Result<Self, SelectorError> {
        let selector = Self(text.to_owned());
        let rules = selector.rules();
        let n_rules = StyleSheet::parse(&rules).rules.len();
        let is_valid = !text.contains(['{', '}', '@']) && n_rules == 1 + text.matches(',').count();
        is_valid.then_some(selector).ok_or(SelectorError)
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Selector {
    /// The selectors as the rules of a style sheet, one rule for each.
    fn rules(&self) -> String {
        format!("{} {{ fill: none }}", self.0)
    }

    /// Whether this selects each element of a document, in document order.
    pub(crate) fn selected(&self, text: &str) -> Vec<bool> {
        let Ok(document) = xml::parse(text) else { return Vec::new() };
        let rules = self.rules();
        let sheet = StyleSheet::parse(&rules);
        let is_selected = |node| sheet.rules.iter().any(|rule| rule.selector.matches(&Selectable(node)));
        document.descendants().filter(Node::is_element).map(is_selected).collect()
    }
}
