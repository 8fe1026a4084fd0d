//! usvg 0.49 evaluates `requiredFeatures`, applies conditional attributes to the outermost `svg`,
//! and knows no extension.
//!
//! SVG 2 has no `requiredFeatures`, and browsers ignore it. They have XHTML and `MathML`. Chromium
//! also draws a document whose root does not meet its conditions. So usvg does not get these
//! attributes.

use crate::dom::Document;
use crate::error::Error;
use crate::passes::Tools;
use crate::xml::meets_extensions;

const EXTENSIONS: &str = "requiredExtensions";
const FEATURES: &str = "requiredFeatures";

/// Removes the conditional attributes that do not count.
pub(super) fn remove_ignored(document: &mut Document, _tools: &Tools<'_>) -> Result<(), Error> {
    let root = document.root_element().id();
    for name in [EXTENSIONS, "systemLanguage"] {
        document.remove_attribute(root, name);
    }
    for id in document.element_ids() {
        document.remove_attribute(id, FEATURES);
        if document.node(id).attribute(EXTENSIONS).is_some_and(meets_extensions) {
            document.remove_attribute(id, EXTENSIONS);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use usvg::{Options, Tree};

    #[test]
    fn usvg_still_evaluates_conditions_that_do_not_count() {
        for (of_root, of_shape) in [
            ("systemLanguage='ru'", ""),
            ("", "requiredFeatures='unknown'"),
            ("", "requiredExtensions='http://www.w3.org/1999/xhtml'"),
        ] {
            let svg = format!(
                "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9' {of_root}>
                <rect width='9' height='9' {of_shape}/></svg>"
            );
            let drawn = Tree::from_str(&svg, &Options::default()).expect("the drawing is valid");
            assert!(!drawn.root().has_children(), "{svg}");
        }
    }
}
