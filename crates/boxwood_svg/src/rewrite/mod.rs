//! Changes to the text of a document before usvg reads it.

mod edits;

pub(crate) use edits::Edits;
