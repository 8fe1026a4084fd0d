//! Boxes, the bicyclic monoid, and the entries of the node stream.

mod aabb;
mod bic;
mod entry;

pub use aabb::{Aabb, NotABox};
pub use bic::Bic;
pub use entry::{Entry, EntryLink};
