//! What is done with boxes: selection, sorting, and search.
//!
//! | stage on the GPU | function |
//! |---|---|
//! | *select* | [`select()`], [`mask`] |

mod select;

pub use select::{Predicate, mask, select};
