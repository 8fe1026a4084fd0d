//! Trees as streams of begins and ends: parenthesis matching, scans over values of any monoid,
//! the tree of a JSON text, and the brackets of a text.

mod brackets;
mod json;
mod link;
mod scan;

pub use brackets::{BracketError, BracketReason, BracketRole, BracketRow, BracketSyntax, brackets};
pub use json::{JsonError, JsonKind, JsonReason, JsonRoots, JsonRow, json};
#[cfg(feature = "papers")]
pub(crate) use link::index_or_none;
pub use link::{link_entries, match_parentheses};
pub(crate) use scan::close;
pub use scan::{Monoid, scan_down, scan_up};
