//! usvg 0.49 removes an element whose clip path or mask refers to another kind of element, or whose
//! filter refers to no filter.
//!
//! Browsers ignore such references, as CSS Masking (sections 5.1 and 7.1) and Filter Effects
//! (section 5) say. So usvg gets `none` in their place.

use usvg::roxmltree::Node;

use crate::rewrite::Edits;

/// Removes references: each is an element, and the property that refers to another element.
pub(crate) fn ignore<'d>(
    wrong: impl IntoIterator<Item = (Node<'d, 'd>, &'static str)>,
    edits: &mut Edits<'_>,
) {
    for (element, property) in wrong {
        edits.set_property(element, property, "none");
    }
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
