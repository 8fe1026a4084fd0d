//! What is certainly not visible: the pixels that an element can paint, and those that others paint
//! over.
//!
//! Boxes contain everything that is painted, but an anti-aliased edge paints the whole pixel that
//! it is in. All claims are therefore about whole pixels at 100 %.

mod covers;
mod nodes;
mod pixels;
mod unseen;

pub(crate) use covers::Covers;
pub(crate) use nodes::{Nodes, PlacedNode};
pub(crate) use pixels::{canvas, covered, margin, overlap, painted, touched};
pub(crate) use unseen::Unseen;
