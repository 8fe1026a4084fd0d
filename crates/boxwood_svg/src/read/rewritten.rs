//! The changes to a document before usvg reads it.

use usvg::roxmltree::Document;

use crate::quirks::displacement::replace_scales;
use crate::rewrite::Edits;
use crate::warnings::Warnings;

/// The text of a document with all changes, `None` if it needs none.
pub(crate) fn rewritten(document: &Document<'_>, warnings: &Warnings) -> Option<String> {
    let mut edits = Edits::new(document);
    replace_scales(document, &mut edits, warnings);
    edits.apply()
}
