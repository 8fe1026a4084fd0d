//! usvg 0.49 turns the markers of a path into a group that looks like any other group.
//!
//! Object bounding boxes need to know which groups are markers, and of which path. So a drawing
//! that has markers is parsed a second time, with their contents marked by an opacity that no
//! drawing has, and with the markers painted right after their path. Object bounding boxes depend on
//! neither.
//!
//! usvg drops the ids in markers, and opacity is a property that it keeps exactly. Finding the
//! markers in the first tree is not possible, because that tree does not show whether a group belongs to the
//! path before it or after it. usvg also splits a path with `paint-order: fill markers` in two and
//! drops its id.

use usvg::{Group, Node, Path};

use crate::dom::Document;

/// The opacity that marks the contents of a marker.
const MARK: f32 = 0.012_345_6;

/// A document whose tree has the markers right after their paths, with their contents marked.
pub(crate) fn marked(document: &Document) -> Document {
    let mut marked = document.clone();
    for node in document.elements() {
        marked.remove_attribute(node.id(), "paint-order");
        if node.parent().is_some_and(|around| around.has_tag("marker")) {
            marked.set_attribute(node.id(), "opacity", MARK.to_string());
        }
    }
    marked
}

/// Whether a group of the marked tree holds the markers of a path: groups for each marker, with the
/// marker's contents.
pub(crate) fn is_marker(group: &Group) -> bool {
    let is_content = |node: &Node| matches!(node, Node::Group(g) if g.opacity().get() == MARK);
    let is_instance = |node: &Node| matches!(node, Node::Group(g) if g.has_children() && g.children().iter().all(is_content));
    group.id().is_empty() && group.has_children() && group.children().iter().all(is_instance)
}

/// The markers of the path at `index` among the children of a group of the marked tree, if it has
/// markers.
pub(crate) fn markers_of(children: &[Node], index: usize) -> Option<&Group> {
    match (children.get(index), children.get(index + 1)) {
        (Some(Node::Path(_)), Some(Node::Group(group))) if is_marker(group) => Some(group),
        _ => None,
    }
}

/// For each child of a group of the drawn tree, its index among the children of the same group in
/// the marked tree.
///
/// The indices differ if a path is painted after its markers, or if its markers are painted between
/// its fill and its stroke: the drawn tree then has one path on each side of them.
pub(crate) fn indices_in_marked(drawn: &[Node], marked: &[Node]) -> Vec<usize> {
    let mut indices = Vec::with_capacity(drawn.len());
    let mut index = 0;
    while let (Some(rest @ [_, ..]), Some(node)) = (drawn.get(indices.len()..), marked.get(index)) {
        let is_same = |other: &Path| matches!(node, Node::Path(path) if path.data() == other.data());
        let paints = |path: &Path| [path.fill().is_some(), path.stroke().is_some()];
        let is_part = |part: &Path| matches!(node, Node::Path(path) if paints(part) != paints(path));
        let has_markers = markers_of(marked, index).is_some();
        let steps: &[usize] = match rest {
            _ if !has_markers => &[0],
            [Node::Path(first), Node::Group(_), Node::Path(last), ..] if is_part(first) && is_same(last) => {
                &[0, 1, 0]
            }
            [Node::Path(_), ..] => &[0, 1],
            [_, Node::Path(last), ..] if is_same(last) => &[1, 0],
            _ => &[1],
        };
        indices.extend(steps.iter().map(|step| index + step));
        index += 1 + usize::from(has_markers);
    }
    indices
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quirks::upstream::tree;

    #[test]
    fn usvg_still_does_not_tell_markers_from_groups() {
        let marker = "<marker id='m' overflow='visible'><rect width='9' height='9'/></marker>";
        let with = |style: &str| tree(&format!("{marker}<path id='p' d='M9 9H50V50' stroke='red' {style}/>"));
        let drawn = with("marker-end='url(#m)'");
        let [Node::Path(path), Node::Group(markers)] = drawn.root().children() else {
            panic!("a path and its markers")
        };
        assert_eq!((path.id(), markers.id()), ("p", ""));
        let drawn = with("marker-end='url(#m)' style='paint-order: fill markers'");
        let [Node::Path(fill), Node::Group(_), Node::Path(stroke)] = drawn.root().children() else {
            panic!("the markers between fill and stroke")
        };
        assert_eq!((fill.id(), stroke.id()), ("", ""));
    }
}
