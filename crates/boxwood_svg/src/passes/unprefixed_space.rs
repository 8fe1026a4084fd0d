//! usvg 0.49 takes the attribute `space` for `xml:space`.
//!
//! It is not an attribute of SVG, and browsers ignore it. So usvg does not get it.

use crate::dom::Document;
use crate::error::Error;
use crate::passes::Tools;

/// Removes the attribute `space` without a prefix from all elements.
pub(super) fn remove(document: &mut Document, _tools: &Tools<'_>) -> Result<(), Error> {
    for id in document.element_ids() {
        document.remove_attribute(id, "space");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use usvg::{Node as UsvgNode, Options, Tree};

    use super::*;
    use crate::passes::testing::contents_after;

    #[test]
    fn usvg_still_reads_the_attribute_without_a_prefix() {
        let mut options = Options::default();
        Arc::make_mut(&mut options.fontdb).load_font_data(boxwood_assets::NOTO_SANS.to_vec());
        let svg = "<svg xmlns='http://www.w3.org/2000/svg' width='100' height='100'>
            <text font-family='Noto Sans' space='preserve'> A </text></svg>";
        let tree = Tree::from_str(svg, &options).expect("the drawing is valid");
        let [UsvgNode::Text(text)] = tree.root().children() else { panic!("one text") };
        assert_eq!(text.chunks()[0].text(), " A ", "browsers make it A");
    }

    #[test]
    fn only_the_attribute_without_a_prefix_is_removed() {
        let text = "<svg><text xml:space='preserve' space='preserve'/></svg>";
        assert_eq!(contents_after(remove, text), "<text xml:space=\"preserve\"/>");
    }
}
