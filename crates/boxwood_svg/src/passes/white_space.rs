//! usvg 0.49 ignores the property `white-space`, and removes spaces at the start of parts of texts.
//!
//! The text `a<tspan> b</tspan>` has a space, which usvg removes. So usvg gets texts whose spaces
//! are collapsed by the rules of CSS Text 3 (section 4.1), with `xml:space="preserve"`. A line
//! break is a space in all texts, as in browsers.

use crate::dom::{Document, Node, NodeId, XML};
use crate::error::Error;
use crate::passes::Tools;
use crate::xml::TEXT_PARTS;

const PROPERTY: &str = "white-space";

/// Collapses the spaces of all texts.
pub(crate) fn collapse(document: &mut Document, _tools: &Tools<'_>) -> Result<(), Error> {
    // Browsers draw no `tref`. usvg does, and finds its characters elsewhere.
    let has_reference = |text: Node<'_>| text.descendants().any(|part| part.has_tag("tref"));
    let texts = document.elements().filter(|node| node.has_tag("text") && !has_reference(*node));
    let texts: Vec<_> = texts.map(|node| node.id()).collect();
    for id in texts {
        let text = document.node(id);
        let parts = text.descendants().skip(1).filter(Node::is_element);
        let parts: Vec<_> = parts.map(|part| part.id()).collect();
        for (id, characters) in collapsed(text) {
            if characters.is_empty() {
                document.remove(id);
            } else if document.node(id).text() != Some(&*characters) {
                document.set_text(id, characters);
            }
        }
        parts.into_iter().for_each(|part| document.remove_attribute_in(part, Some(XML), "space"));
        document.set_attribute_in(id, Some(XML), "space", "preserve");
    }
    Ok(())
}

/// The nodes of the characters of a text, with the characters that are drawn.
fn collapsed(text: Node<'_>) -> Vec<(NodeId, String)> {
    let mut nodes: Vec<(NodeId, String)> = Vec::new();
    // Spaces are removed after a space, and at the start. `space` is the node of the last space.
    let (mut is_after_space, mut space) = (true, None);
    for node in text.descendants() {
        let Some(characters) = node.text().filter(|_| is_drawn(node, text)) else { continue };
        let (mut drawn, is_preserved) = (String::with_capacity(characters.len()), is_preserved(node));
        for c in characters.chars() {
            let c = if matches!(c, '\t' | '\n' | '\r') { ' ' } else { c };
            let is_space = c == ' ' && !is_preserved;
            if !is_space || !is_after_space {
                drawn.push(c);
            }
            if is_space && !is_after_space {
                space = Some(nodes.len());
            }
            is_after_space = is_space;
        }
        nodes.push((node.id(), drawn));
    }
    if let Some(last) = space.filter(|_| is_after_space) {
        nodes[last].1.pop();
    }
    nodes
}

/// Whether a node in a text is drawn, unless it is invisible.
fn is_drawn(node: Node<'_>, text: Node<'_>) -> bool {
    let mut around = node.ancestors().skip(1).take_while(|around| *around != text);
    around.all(|part| {
        let is_placed = !part.has_tag("textPath") || part.parent() == Some(text);
        let is_part = part.is_svg() && TEXT_PARTS.contains(&part.tag());
        is_part && is_placed && part.attribute("display") != Some("none")
    })
}

/// Whether the spaces of a node are preserved. Browsers reset the property on each text, and usvg
/// inherits the attribute, as SVG 1.1 says.
fn is_preserved(node: Node<'_>) -> bool {
    let mut is_in_text = true;
    let value = node.ancestors().find_map(|around| {
        let property = around.declaration(PROPERTY).filter(|_| is_in_text);
        is_in_text &= !around.has_tag("text");
        let attribute = || Some(around.attribute_in(Some(XML), "space")? == "preserve");
        property.map(|value| value == "pre").or_else(attribute)
    });
    value == Some(true)
}

#[cfg(test)]
mod tests {
    use usvg::{Group, Node as UsvgNode, Options, TextChunk, Tree};

    use crate::passes::testing::{after_css, fonts};

    /// The characters that usvg draws of the first text.
    fn drawn(xml: &str) -> String {
        let options = Options { fontdb: fonts(), ..Options::default() };
        let tree = Tree::from_str(xml, &options).expect("the drawing is valid");
        first_text(tree.root()).expect("there is a text")
    }

    fn first_text(group: &Group) -> Option<String> {
        group.children().iter().find_map(|node| match node {
            UsvgNode::Text(text) => Some(text.chunks().iter().map(TextChunk::text).collect()),
            UsvgNode::Group(group) => first_text(group),
            UsvgNode::Path(_) | UsvgNode::Image(_) => None,
        })
    }

    fn drawing(elements: &str) -> String {
        format!("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>{elements}</svg>")
    }

    #[test]
    fn usvg_still_ignores_white_space_in_css() {
        assert_eq!(drawn(&drawing("<text style='white-space:pre'> a   b </text>")), "a b");
    }

    #[test]
    fn usvg_still_removes_a_space_at_the_start_of_a_part() {
        assert_eq!(drawn(&drawing("<text>a<tspan> b</tspan></text>")), "ab");
    }

    /// The spaces are those of the boxes in Chromium 156.
    #[test]
    fn spaces_are_preserved_as_in_browsers() {
        let space = |attributes: &str| {
            let drawing = drawing(&format!("<text {attributes}> a  \n b </text>"));
            drawn(&after_css(&drawing).to_xml())
        };
        for preserving in [
            "white-space: pre",
            "white-space: PRE-WRAP",
            "white-space: break-spaces",
            "white-space: preserve nowrap",
            "white-space-collapse: preserve",
        ] {
            assert_eq!(space(&format!("style='{preserving}'")), " a    b ", "{preserving}");
        }
        for collapsing in [
            "white-space: normal",
            "white-space: nowrap",
            "white-space: pre-line",
            "white-space: initial",
            "white-space-collapse: preserve-breaks",
        ] {
            assert_eq!(space(&format!("xml:space='preserve' style='{collapsing}'")), "a b", "{collapsing}");
        }
        assert_eq!(space("xml:space='preserve' style='white-space: foo'"), " a    b ");
        assert_eq!(space("white-space='pre'"), "a b", "it is not an attribute");
    }

    /// The spaces are those of the boxes in Chromium 156.
    #[test]
    fn a_text_and_its_parts_can_differ() {
        let [pre, normal] = ["pre", "normal"].map(|value| format!("tspan style='white-space:{value}'"));
        let around = |style: &str| format!("<g style='white-space:pre'><text {style}> a  b</text></g>");
        for (element, expected) in [
            (around(""), "a b"),
            (around("style='white-space:inherit'"), " a  b"),
            (format!("<text>a   b<{pre}>   c   d   </tspan></text>"), "a b   c   d   "),
            (format!("<text style='white-space:pre'>a <{normal}> b </tspan> c</text>"), "a  b  c"),
            (format!("<text> <{pre}> b </tspan> c</text>"), " b  c"),
            (format!("<text>a <{pre}> b </tspan> c</text>"), "a  b  c"),
            (format!("<text>a<{pre}>b  </tspan> </text>"), "ab  "),
        ] {
            assert_eq!(drawn(&after_css(&drawing(&element)).to_xml()), expected, "{element}");
        }
    }

    /// The spaces are those of the boxes in Chromium 156.
    #[test]
    fn spaces_collapse_across_parts() {
        for (contents, expected) in [
            ("a<tspan> b</tspan>", "a b"),
            ("a <tspan> b</tspan>", "a b"),
            ("a&#10;<tspan>&#9; b</tspan>", "a b"),
            ("a <tspan x='50'> b </tspan> c", "a b c"),
            ("a <tspan display='none'> b </tspan> c", "a c"),
            ("a <desc>foo</desc> c", "a c"),
            ("<tspan> </tspan><tspan> a</tspan><tspan> </tspan>", "a"),
            ("a<tspan> </tspan><tspan> b</tspan><tspan> </tspan>", "a b"),
            ("<tspan>a</tspan> <tspan>b</tspan>", "a b"),
            ("<tspan>a </tspan> <tspan> b</tspan>", "a b"),
            ("&#xa0; a&#xa0;", "\u{a0} a\u{a0}"),
        ] {
            let element = format!("<text>{contents}</text>");
            assert_eq!(drawn(&after_css(&drawing(&element)).to_xml()), expected, "{contents}");
        }
    }
}
