//! Isolating one part of a normalised drawing.

use std::collections::HashSet;

use resvg::usvg::roxmltree::{Document, Node, NodeId};

/// The class of a part, by the property that loosens its box the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// A leaf without a stroke.
    Plain,
    /// A leaf with a stroke.
    Stroked,
    /// A leaf inside a clip path.
    Clipped,
    /// A leaf inside a mask.
    Masked,
    /// A leaf inside a filter, or a filter with nothing in it.
    Filtered,
    /// A group with its contents.
    Group,
}

/// A leaf or group of a normalised drawing.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// `leaf` or `group`, and its number.
    pub(super) name: String,
    pub(super) class: Class,
    node: NodeId,
}

/// A drawing as usvg writes it: definitions in `defs`, and groups, paths, and images.
pub(super) struct Normalised<'t> {
    text: &'t str,
    document: Document<'t>,
    leaves: Vec<Part>,
    groups: Vec<Part>,
}

impl<'t> Normalised<'t> {
    pub(super) fn new(text: &'t str) -> Result<Self, String> {
        let document = Document::parse(text).map_err(|error| error.to_string())?;
        let (mut leaves, mut groups) = (Vec::new(), Vec::new());
        let drawn = document.root_element().descendants().filter(|node| {
            node.is_element() && !node.ancestors().any(|around| around.tag_name().name() == "defs")
        });
        for node in drawn {
            match node.tag_name().name() {
                "path" | "image" => leaves.push(leaf(node, leaves.len())),
                "g" if !node.children().any(|child| child.is_element()) => {
                    leaves.push(leaf(node, leaves.len()));
                }
                "g" => {
                    let name = format!("group {}", groups.len());
                    groups.push(Part { name, class: Class::Group, node: node.id() });
                }
                _ => {}
            }
        }
        Ok(Self { text, document, leaves, groups })
    }

    /// The paths, images, and groups without contents, in document order.
    pub(super) fn leaves(&self) -> &[Part] {
        &self.leaves
    }

    /// The groups with contents, in document order.
    pub(super) fn groups(&self) -> &[Part] {
        &self.groups
    }

    /// A drawing of only the definitions, the part, and the groups around it.
    pub(super) fn only(&self, part: &Part) -> String {
        let node = self.document.get_node(part.node).expect("a part is of its document");
        let around: HashSet<_> = node.ancestors().skip(1).map(|node| node.id()).collect();
        let mut text = String::new();
        self.write(self.document.root_element(), part.node, &around, &mut text);
        text
    }

    fn write(&self, node: Node<'_, '_>, part: NodeId, around: &HashSet<NodeId>, text: &mut String) {
        let is_whole = node.id() == part || node.tag_name().name() == "defs";
        let ends = node.first_child().zip(node.last_child()).filter(|_| !is_whole);
        let Some((first, last)) = ends else { return text.push_str(&self.text[node.range()]) };
        text.push_str(&self.text[node.range().start..first.range().start]);
        for child in node.children() {
            let is_kept =
                child.id() == part || around.contains(&child.id()) || child.tag_name().name() == "defs";
            if is_kept {
                self.write(child, part, around, text);
            }
        }
        text.push_str(&self.text[last.range().end..node.range().end]);
    }
}

fn leaf(node: Node<'_, '_>, index: usize) -> Part {
    let is_inside = |effect: &str| node.ancestors().any(|around| around.has_attribute(effect));
    let class = if is_inside("filter") {
        Class::Filtered
    } else if is_inside("mask") {
        Class::Masked
    } else if is_inside("clip-path") {
        Class::Clipped
    } else if node.attribute("stroke").is_some_and(|stroke| stroke != "none") {
        Class::Stroked
    } else {
        Class::Plain
    };
    Part { name: format!("leaf {index}"), class, node: node.id() }
}
