//! Markers, which usvg's tree does not tell from other groups.

use usvg::{Group, Node, Path};

/// The opacity that the contents of markers are given to tell them apart from all else. Object bounding boxes do not depend on
/// opacity.
const MARKER_OPACITY: f32 = 0.012_345_6;

/// The style sheet that gives it to them, and puts the markers of each path right after it. Nor do the boxes depend on the
/// order of painting.
pub(crate) fn style_of_markers() -> String {
    format!("* {{ paint-order: normal !important }} marker > * {{ opacity: {MARKER_OPACITY} !important }}")
}

/// Whether a group is what usvg makes of the markers of a path: a group around each marker, which has the marker's contents.
pub(crate) fn is_marker(group: &Group) -> bool {
    let is_content = |node: &Node| matches!(node, Node::Group(g) if g.opacity().get() == MARKER_OPACITY);
    let is_instance = |node: &Node| matches!(node, Node::Group(g) if g.has_children() && g.children().iter().all(is_content));
    group.id().is_empty() && group.has_children() && group.children().iter().all(is_instance)
}

/// The markers of the path at `place` among the children of a group of the marked tree, if it has some.
pub(crate) fn markers_of(children: &[Node], place: usize) -> Option<&Group> {
    match (children.get(place), children.get(place + 1)) {
        (Some(Node::Path(_)), Some(Node::Group(group))) if is_marker(group) => Some(group),
        _ => None,
    }
}

/// For each child of a group as it is drawn, the place of the same among its children in the marked tree.
///
/// Where markers are painted before their path, or between its fill and its stroke, the two differ: usvg has the markers
/// before the path then, or a path of its own on either side of them.
pub(crate) fn places_in_marked(drawn: &[Node], marked: &[Node]) -> Vec<usize> {
    let mut places = Vec::with_capacity(drawn.len());
    let mut place = 0;
    while let (Some(rest @ [_, ..]), Some(node)) = (drawn.get(places.len()..), marked.get(place)) {
        let Node::Path(path) = node else {
            places.push(place);
            place += 1;
            continue;
        };
        let is_same = |other: &Path| other.data() == path.data();
        let paints = |path: &Path| [path.fill().is_some(), path.stroke().is_some()];
        let (has_markers, of_path): (bool, &[usize]) = match rest {
            _ if markers_of(marked, place).is_none() => (false, &[0]),
            [Node::Path(first), Node::Group(_), Node::Path(last), ..]
                if paints(first) != paints(path) && is_same(last) =>
            {
                (true, &[0, 1, 0])
            }
            [Node::Path(_), ..] => (true, &[0, 1]),
            [_, Node::Path(last), ..] if is_same(last) => (true, &[1, 0]),
            _ => (true, &[1]),
        };
        places.extend(of_path.iter().map(|step| place + step));
        place += 1 + usize::from(has_markers);
    }
    places
}
