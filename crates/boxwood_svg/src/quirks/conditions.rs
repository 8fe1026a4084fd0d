//! usvg 0.49 evaluates `requiredFeatures`, and applies conditional attributes to the outermost
//! `svg`.
//!
//! SVG 2 has no `requiredFeatures`, and browsers ignore it. Chromium also draws a document whose
//! root does not meet its conditions. So usvg does not get these attributes.

use usvg::roxmltree::{Document, Node};

use crate::rewrite::Edits;

const FEATURES: &str = "requiredFeatures";

/// Removes the conditional attributes that do not count.
pub(crate) fn remove_ignored(document: &Document<'_>, edits: &mut Edits<'_>) {
    let root = document.root_element();
    for name in ["requiredExtensions", "systemLanguage"] {
        edits.remove_attribute(root, name);
    }
    if document.input_text().contains(FEATURES) {
        for element in document.descendants().filter(Node::is_element) {
            edits.remove_attribute(element, FEATURES);
        }
    }
}

#[cfg(test)]
mod tests {
    use usvg::{Options, Tree};

    #[test]
    fn usvg_still_evaluates_conditions_that_do_not_count() {
        for (of_root, of_shape) in [("systemLanguage='ru'", ""), ("", "requiredFeatures='unknown'")] {
            let svg = format!(
                "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9' {of_root}>
                <rect width='9' height='9' {of_shape}/></svg>"
            );
            let drawn = Tree::from_str(&svg, &Options::default()).expect("the drawing is valid");
            assert!(!drawn.root().has_children(), "{svg}");
        }
    }
}
