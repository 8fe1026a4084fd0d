//! Trees as streams of begins and ends: parenthesis matching, and scans over values of any monoid.

mod link;
mod scan;

#[cfg(feature = "papers")]
pub(crate) use link::index_or_none;
pub use link::{link_entries, match_parentheses};
pub(crate) use scan::close;
pub use scan::{Monoid, scan_down, scan_up};
