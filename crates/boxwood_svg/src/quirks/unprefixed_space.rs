//! usvg 0.49 takes the attribute `space` for `xml:space`.
//!
//! It is not an attribute of SVG, and browsers ignore it. So usvg does not get it.

use usvg::roxmltree::{Document, Node};

use crate::rewrite::Edits;
use crate::xml::own_attribute;

/// Removes the attribute `space` without a prefix from all elements.
pub(crate) fn remove_space(document: &Document<'_>, edits: &mut Edits<'_>) {
    for element in document.descendants().filter(Node::is_element) {
        let space = own_attribute(element, "space");
        if let Some(attribute) = space.filter(|space| edits.range_of_value(*space).is_some()) {
            edits.replace(attribute.range(), "");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use usvg::{Node as UsvgNode, Options, Tree};

    use super::*;
    use crate::xml::parse;

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
        let document = parse(text).expect("it is XML");
        let mut edits = Edits::new(&document);
        remove_space(&document, &mut edits);
        assert_eq!(edits.apply(), Some("<svg><text xml:space='preserve' /></svg>".to_owned()));
    }
}
