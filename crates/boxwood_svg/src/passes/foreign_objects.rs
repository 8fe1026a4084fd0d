//! usvg 0.49 leaves out a `foreignObject`.
//!
//! Its contents are not drawn here either. But its box is that of its attributes (SVG 2, section
//! 12.4), so it becomes a rectangle without paint.

use crate::dom::{Document, Node};
use crate::error::Error;
use crate::passes::Tools;
use crate::xml::is_selected;

/// Makes a rectangle of each `foreignObject`.
pub(super) fn make_rectangles(document: &mut Document, _tools: &Tools<'_>) -> Result<(), Error> {
    let foreign = document.elements().filter(|node| is_replaced(*node)).map(|node| node.id());
    for id in foreign.collect::<Vec<_>>() {
        document.rename(id, "rect");
        for property in ["fill", "stroke"] {
            document.set_attribute(id, property, "none");
        }
    }
    Ok(())
}

/// Whether [`make_rectangles`] makes a rectangle of an element. One that a `switch` does not select
/// is not drawn.
pub(crate) fn is_replaced(node: Node<'_>) -> bool {
    node.has_tag("foreignObject") && is_selected(node)
}

/// What a `foreignObject` contains: the name of its first element, or `text`. `None` if it is
/// empty.
pub(crate) fn contents<'a>(foreign: Node<'a>) -> Option<&'a str> {
    let has_text = |node: Node<'_>| node.text().is_some_and(|text| !text.trim().is_empty());
    let mut found = foreign.children().filter(|child| child.is_element() || has_text(*child));
    found.next().map(|child| if child.is_element() { child.tag() } else { "text" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::contents_after;
    use crate::quirks::upstream::tree;

    #[test]
    fn usvg_still_leaves_out_foreign_objects() {
        let drawn = tree("<foreignObject id='f' width='9' height='9'/>");
        assert!(!drawn.root().has_children());
    }

    #[test]
    fn a_foreign_object_becomes_a_rectangle() {
        let text =
            "<svg><foreignObject width='1'> <p/></foreignObject><switch><g/><foreignObject/></switch></svg>";
        let expected = "<rect width=\"1\" fill=\"none\" stroke=\"none\"> <p/></rect><switch><g/><foreignObject/></switch>";
        assert_eq!(contents_after(make_rectangles, text), expected);
        let document = Document::parse(text).expect("it is XML");
        let foreign = document.root_element().first_element_child().expect("it is there");
        assert_eq!(contents(foreign), Some("p"));
    }
}
