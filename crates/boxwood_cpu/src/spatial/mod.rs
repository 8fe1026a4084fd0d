//! What is done with boxes: selection, sorting, and search.
//!
//! | stage on the GPU | function |
//! |---|---|
//! | *select* | [`select()`], [`mask`] |
//! | *sort* | [`sort()`], [`Network`] |

mod select;
mod sort;

pub use select::{Predicate, mask, select};
pub use sort::{Network, sort};
