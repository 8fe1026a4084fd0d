//! What the nodes of usvg's tree are painted with.

use usvg::{Group, Node, Path, Text};

use super::Paints;
use crate::placed::shape_group;

/// The paints of a shape. usvg has two paths for a shape with markers between its fill and its
/// stroke.
pub(super) fn paints(node: &Node) -> Paints {
    let children = shape_group(node).map_or(std::slice::from_ref(node), Group::children);
    let paths: Vec<&Path> = children.iter().filter_map(path).collect();
    Paints {
        fill: paths.iter().find_map(|path| path.fill()).map(Into::into),
        stroke: paths.iter().find_map(|path| path.stroke()).map(Into::into),
        font: None,
    }
}

fn path(node: &Node) -> Option<&Path> {
    if let Node::Path(path) = node { Some(path) } else { None }
}

/// The text of a node, which may be in groups for its effects.
pub(super) fn text(node: &Node) -> Option<&Text> {
    match node {
        Node::Text(text) => Some(text),
        Node::Group(group) => group.children().iter().find_map(text),
        Node::Path(_) | Node::Image(_) => None,
    }
}
