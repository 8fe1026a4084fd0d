//! Trees as streams of begins and ends: parenthesis matching, scans over values of any monoid, and
//! the tree of a JSON text.

mod json;
mod link;
mod scan;

pub use json::{JsonError, JsonKind, JsonReason, JsonRoots, JsonRow, json};
#[cfg(feature = "papers")]
pub(crate) use link::index_or_none;
pub use link::{link_entries, match_parentheses};
pub(crate) use scan::close;
pub use scan::{Monoid, scan_down, scan_up};
