//! Trees as streams of begins and ends: parenthesis matching by itself, and scans over values of
//! any monoid.
//!
//! - [`Matcher`] solves the parentheses matching problem on packed bits.
//! - `Json` finds the tree of a JSON text, with the feature `json`.
//! - `Brackets` finds the tree of the brackets of a text by a table of its syntax, with the feature
//!   `brackets`.
//! - [`TreeScan`] computes products of your own values along the path from the root, and over each
//!   subtree.
//!
//! For up to about 1,000 entries, `boxwood_cpu::specification::tree` on one core is faster.

mod bits;
#[cfg(feature = "brackets")]
mod brackets;
#[cfg(feature = "json")]
mod json;
mod link;
mod matcher;
#[cfg(feature = "papers")]
mod matcher_look_back;
#[cfg(feature = "papers")]
mod matcher_two_level;
mod scan;
#[cfg(any(feature = "brackets", feature = "json"))]
mod text;

#[cfg(feature = "brackets")]
#[doc(no_inline)]
pub use boxwood_cpu::specification::tree::{BracketError, BracketReason, BracketRole, BracketSyntax};
#[cfg(feature = "json")]
#[doc(no_inline)]
pub use boxwood_cpu::specification::tree::{JsonError, JsonKind, JsonReason, JsonRoots};
#[cfg(feature = "brackets")]
pub use brackets::Brackets;
#[cfg(feature = "json")]
pub use json::{Json, JsonSpan};
pub use matcher::{MatchBuffers, Matcher};
#[cfg(feature = "testing")]
pub(crate) use scan::scan_stages;
pub use scan::{MAX_STRIDE, Monoid, TreeScan, TreeScanBuffers, TreeScanError};
#[cfg(any(feature = "brackets", feature = "json"))]
pub use text::{TextBuffersError, TextCapacity, TextConfig, TextReport, TextReportError};
