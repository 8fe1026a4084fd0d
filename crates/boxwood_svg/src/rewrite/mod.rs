//! Changes to the text of a document.

mod append;
mod edits;

pub(crate) use append::append;
pub(crate) use edits::{Edits, escaped};
