//! From bytes to usvg's tree, and the parts of the document that the tree does not keep.

pub(crate) mod bytes;
pub(crate) mod elements;
mod entities;
#[cfg(feature = "text")]
pub(crate) mod fonts;
mod image_budget;
pub(crate) mod image_headers;
pub(crate) mod images;
mod metrics;
#[cfg(not(feature = "text"))]
pub(crate) mod no_fonts;
mod positions;
#[cfg(feature = "text")]
pub(crate) mod text_parts;
pub(crate) mod tree;
pub(crate) mod unknown_ink;
pub(crate) mod unlisted;
pub(crate) mod user_spaces;
mod view_box;

#[cfg(not(feature = "text"))]
pub(crate) use no_fonts as fonts;
