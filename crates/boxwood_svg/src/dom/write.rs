//! From a document to the text that usvg reads.

use super::{Attribute, Document, Node, STYLE, SVG, XLINK, XML};

/// The properties without a presentation attribute that usvg reads. Attributes with these names
/// mean nothing.
const STYLE_PROPERTIES: [&str; 6] = [
    "background-color",
    "font-kerning",
    "font-optical-sizing",
    "font-variation-settings",
    "isolation",
    "mix-blend-mode",
];

impl Document {
    /// The text of the elements and attributes that usvg may read. All elements are in the
    /// namespace of SVG.
    pub(crate) fn to_xml(&self) -> String {
        let mut xml = String::with_capacity(self.text.len());
        let mut open: Vec<Node<'_>> = Vec::new();
        let root = self.root_element();
        let mut next = Some(root);
        while let Some(node) = next {
            let child = if write_start(node, root, &mut xml) { node.first_child() } else { None };
            if child.is_some() {
                open.push(node);
                next = child;
                continue;
            }
            next = node.next_sibling().filter(|_| node != root);
            // The end tags of all elements that end here.
            while next.is_none()
                && let Some(parent) = open.pop()
            {
                xml.extend(["</", parent.tag(), ">"]);
                next = parent.next_sibling().filter(|_| parent != root);
            }
        }
        xml
    }
}

/// Writes a text, or the start tag of an element. Returns whether the contents of the element
/// follow.
fn write_start(node: Node<'_>, root: Node<'_>, xml: &mut String) -> bool {
    if let Some(text) = node.text() {
        escape(text, |byte| matches!(byte, b'&' | b'<' | b'>' | b'\r'), xml);
        return false;
    }
    // The cascade has applied the style sheets.
    if !node.is_element() || !node.is_svg() || node.has_tag("style") {
        return false;
    }
    xml.extend(["<", node.tag()]);
    if node == root {
        xml.extend([" xmlns=\"", SVG, "\""]);
    }
    let mut style = String::new();
    for Attribute { namespace, name, value } in node.attributes() {
        match (namespace, name) {
            (Some(STYLE), property) if STYLE_PROPERTIES.contains(&property) => {
                style.extend([property, ":", value, ";"]);
            }
            // The cascade has resolved them.
            (None, "class" | "style") => {}
            (None, name) if STYLE_PROPERTIES.contains(&name) => {}
            (None, name) => write_attribute(["", name], value, xml),
            (Some(XLINK), "href") if !node.has_attribute("href") => write_attribute(["", name], value, xml),
            (Some(XML), "space") => write_attribute(["xml:", name], value, xml),
            _ => {}
        }
    }
    if !style.is_empty() {
        write_attribute(["", "style"], &style, xml);
    }
    let has_contents = node.first_child().is_some();
    xml.push_str(if has_contents { ">" } else { "/>" });
    has_contents
}

fn write_attribute([prefix, name]: [&str; 2], value: &str, xml: &mut String) {
    xml.extend([" ", prefix, name, "=\""]);
    escape(value, |byte| matches!(byte, b'&' | b'<' | b'"' | b'\t' | b'\n' | b'\r'), xml);
    xml.push('"');
}

/// Writes a text with references in place of the characters that XML would read differently, which
/// are all in ASCII.
fn escape(text: &str, is_read_differently: impl Fn(u8) -> bool, xml: &mut String) {
    let mut rest = text;
    // Most of a drawing is path data without such characters. Bytes are searched several times as
    // fast as characters.
    while let Some(at) = rest.bytes().position(&is_read_differently) {
        xml.push_str(&rest[..at]);
        xml.push_str(match rest.as_bytes()[at] {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            b'"' => "&quot;",
            b'\t' => "&#9;",
            b'\n' => "&#10;",
            _ => "&#13;",
        });
        rest = &rest[at + 1..];
    }
    xml.push_str(rest);
}
