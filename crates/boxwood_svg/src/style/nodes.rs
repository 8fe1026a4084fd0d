//! The nodes of usvg's tree that a source comes from.

use usvg::{Group, Node, Path, Text};

use super::Paints;
use crate::quirks::wrapper_groups::element_of;
use crate::table::SourceKind;

/// The group around the node with a number, and its index there. `number` counts from the first
/// node of the group, starting at 1; see [`Origin::number`](crate::table::Origin::number).
pub(super) fn find<'t>(group: &'t Group, number: &mut usize) -> Option<(&'t Group, usize)> {
    if *number == 0 {
        return None;
    }
    for (index, child) in group.children().iter().enumerate() {
        *number -= 1;
        if *number == 0 {
            return Some((group, index));
        }
        // The contents of other groups are parts of one element.
        if let Node::Group(inner) = child
            && element_of(inner).1 == SourceKind::Group
            && let Some(found) = find(inner, number)
        {
            return Some(found);
        }
    }
    None
}

/// The paints of the shape at an index of a group. usvg has two paths for a shape with markers
/// between its fill and its stroke.
pub(super) fn paints(group: &Group, index: usize) -> Paints {
    let Some(shape) = shape(&group.children()[index]) else { return Paints::default() };
    let is_same = |path: &&Path| std::ptr::eq(path.data(), shape.data());
    let siblings = group.children().iter().filter_map(path);
    let paths: Vec<&Path> = std::iter::once(shape).chain(siblings.filter(is_same)).collect();
    Paints {
        fill: paths.iter().find_map(|path| path.fill()).map(Into::into),
        stroke: paths.iter().find_map(|path| path.stroke()).map(Into::into),
        font: None,
    }
}

fn path(node: &Node) -> Option<&Path> {
    if let Node::Path(path) = node { Some(path) } else { None }
}

/// The path of a shape, which may be in groups for its effects, with its markers beside it.
fn shape(node: &Node) -> Option<&Path> {
    match node {
        Node::Path(path) => Some(path),
        Node::Group(group) => {
            let path = group.children().iter().find_map(path);
            path.or_else(|| if let [only] = group.children() { shape(only) } else { None })
        }
        Node::Image(_) | Node::Text(_) => None,
    }
}

/// The text of a node, which may be in groups for its effects.
pub(super) fn text(node: &Node) -> Option<&Text> {
    match node {
        Node::Text(text) => Some(text),
        Node::Group(group) => group.children().iter().find_map(text),
        Node::Path(_) | Node::Image(_) => None,
    }
}
