//! usvg 0.49 overflows its stack on some cycles of references, and removes an element whose clip
//! path or mask refers to another kind of element, or whose filter refers to no filter.
//!
//! An element that closes a cycle is left out. Browsers ignore references to a wrong kind of
//! element, as CSS Masking (sections 5.1 and 7.1) and Filter Effects (section 5) say. So usvg gets
//! `none` in their place.

use crate::dom::Document;
use crate::error::Error;
use crate::guard::document::{Checked, check};
use crate::passes::Tools;
use crate::warnings::WarningKind;

/// Removes the elements that close cycles, and wrong references.
///
/// # Errors
///
/// If the document exceeds a limit.
pub(super) fn remove(document: &mut Document, tools: &Tools<'_>) -> Result<(), Error> {
    let Checked { closing, in_themselves, wrong } = check(document)?;
    for node in closing.iter().chain(&in_themselves) {
        tools.warnings.add(WarningKind::ReferenceCycle, || node.name_or_place());
    }
    let closing: Vec<_> = closing.iter().map(|node| node.id()).collect();
    let wrong: Vec<_> = wrong.iter().map(|(node, property)| (node.id(), *property)).collect();
    closing.into_iter().for_each(|id| document.remove(id));
    for (id, property) in wrong {
        document.set_attribute(id, property, "none");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::quirks::upstream::tree;

    #[test]
    fn usvg_still_removes_elements_with_wrong_references() {
        for reference in ["clip-path='url(#m)'", "mask='url(#m)'", "filter='url(#m)'", "filter='url(#none)'"]
        {
            let drawn = tree(&format!("<marker id='m'/><rect width='9' height='9' {reference}/>"));
            assert!(!drawn.root().has_children(), "{reference}");
        }
    }
}
