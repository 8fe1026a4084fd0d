//! From bytes to usvg's tree, and the parts of the document that the tree does not keep.

pub(crate) mod bytes;
pub(crate) mod elements;
mod entities;
pub(crate) mod fonts;
mod image_budget;
pub(crate) mod images;
mod metrics;
mod positions;
pub(crate) mod text_parts;
pub(crate) mod tree;
pub(crate) mod unlisted;
pub(crate) mod user_spaces;
mod view_box;
