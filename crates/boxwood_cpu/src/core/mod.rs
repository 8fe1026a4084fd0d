//! Boxes, the bicyclic monoid, and the entries of the node stream.

mod aabb;
mod bic;
mod node;

pub use aabb::{Aabb, NotABox};
pub use bic::Bic;
pub use node::{Node, NodeLink};
