//! usvg 0.49 ignores `direction` when it places the lines of a text by `text-anchor`.
//!
//! In SVG 2 (section 11.10.1), the start of a line from right to left is its right end. So `start`
//! and `end` change places where the text is written in that direction.

use crate::dom::{Document, Node};
use crate::error::Error;
use crate::passes::Tools;
use crate::xml::is_in_text;

const ANCHOR: &str = "text-anchor";

/// Exchanges `start` and `end` in lines from right to left.
pub(super) fn mirror_anchors(document: &mut Document, _tools: &Tools<'_>) -> Result<(), Error> {
    if !document.elements().any(|node| node.attribute("direction") == Some("rtl")) {
        return Ok(());
    }
    let anchor = |node: Node<'_>| {
        let is_mirrored = node.inherited("direction") == Some("rtl");
        match node.inherited(ANCHOR).unwrap_or("start") {
            "start" if is_mirrored => "end",
            "end" if is_mirrored => "start",
            "end" => "end",
            "middle" => "middle",
            _ => "start",
        }
    };
    // Each part gets its own anchor, because a line has that of the part that it starts in.
    let parts = document.elements().filter(|node| is_in_text(*node));
    let anchors: Vec<_> = parts.map(|node| (node.id(), anchor(node))).collect();
    anchors.into_iter().for_each(|(id, anchor)| document.set_attribute(id, ANCHOR, anchor));
    Ok(())
}

#[cfg(test)]
mod tests {
    use usvg::{Options, Tree};

    use super::*;
    use crate::passes::testing::{contents_after, fonts};

    #[test]
    fn usvg_still_ignores_the_direction_of_an_anchor() {
        let svg = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>
            <text x='100' direction='rtl'>ABC</text></svg>";
        let options = Options { fontdb: fonts(), ..Options::default() };
        let tree = Tree::from_str(svg, &options).expect("the drawing is valid");
        assert!(tree.root().bounding_box().left() > 99.0, "in browsers, the text ends there");
    }

    #[test]
    fn start_and_end_change_places() {
        for (text, expected) in [
            ("<text direction=\"rtl\">A</text>", "<text direction=\"rtl\" text-anchor=\"end\">A</text>"),
            (
                "<text text-anchor=\"end\" direction=\"rtl\">A<tspan direction=\"ltr\">B</tspan></text>",
                "<text text-anchor=\"start\" direction=\"rtl\">A<tspan direction=\"ltr\" text-anchor=\"end\">B</tspan></text>",
            ),
            (
                "<text text-anchor=\"middle\" direction=\"rtl\">A</text>",
                "<text text-anchor=\"middle\" direction=\"rtl\">A</text>",
            ),
            ("<text text-anchor=\"end\">A</text>", "<text text-anchor=\"end\">A</text>"),
        ] {
            assert_eq!(contents_after(mirror_anchors, &format!("<svg>{text}</svg>")), expected);
        }
    }
}
