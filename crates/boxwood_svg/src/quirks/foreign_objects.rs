//! usvg 0.49 leaves out a `foreignObject`.
//!
//! Its contents are not drawn here either. But its box is that of its attributes (SVG 2, section
//! 12.4), so it becomes a rectangle without paint.

use usvg::roxmltree::{Document, Node};

use crate::rewrite::Edits;
use crate::xml::is_selected;

/// Makes a rectangle of each `foreignObject`.
pub(crate) fn make_rectangles(document: &Document<'_>, edits: &mut Edits<'_>) {
    for node in document.descendants().filter(|node| is_replaced(*node)) {
        if edits.rename(node, "rect") {
            for property in ["fill", "stroke"] {
                edits.set_property(node, property, "none");
            }
        }
    }
}

/// Whether [`make_rectangles`] makes a rectangle of an element. A `switch` does not select it,
/// since it is not drawn. One from an entity is left alone.
pub(crate) fn is_replaced(node: Node<'_, '_>) -> bool {
    node.tag_name().name() == "foreignObject"
        && node.range().start >= node.document().root_element().range().start
        && is_selected(node)
}

/// What a `foreignObject` contains: the name of its first element, or `text`. `None` if it is
/// empty.
pub(crate) fn contents<'a>(foreign: Node<'a, '_>) -> Option<&'a str> {
    let has_text = |node: Node<'_, '_>| node.text().is_some_and(|text| !text.trim().is_empty());
    let mut found = foreign.children().filter(|child| child.is_element() || has_text(*child));
    found.next().map(|child| if child.is_element() { child.tag_name().name() } else { "text" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quirks::upstream::tree;
    use crate::xml::parse;

    #[test]
    fn usvg_still_leaves_out_foreign_objects() {
        let drawn = tree("<foreignObject id='f' width='9' height='9'/>");
        assert!(!drawn.root().has_children());
    }

    #[test]
    fn a_foreign_object_becomes_a_rectangle() {
        let text =
            "<svg><foreignObject width='1'> <p/></foreignObject><switch><foreignObject/></switch></svg>";
        let document = parse(text).expect("it is XML");
        let mut edits = Edits::new(&document);
        make_rectangles(&document, &mut edits);
        let expected =
            text.replacen("<foreignObject", "<rect style=\"fill:none!important;stroke:none!important;\"", 1);
        let expected = expected.replacen("</foreignObject", "</rect", 1);
        assert_eq!(edits.apply(), Some(expected));
        let foreign = document.root_element().first_element_child().expect("it is there");
        assert_eq!(contents(foreign), Some("p"));
    }
}
