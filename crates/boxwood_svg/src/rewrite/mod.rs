//! Changes to the text of a document.

mod contents;
mod edits;

pub(crate) use contents::{append, without};
pub(crate) use edits::{Edits, escaped};
