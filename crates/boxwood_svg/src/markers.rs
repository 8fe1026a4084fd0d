//! Markers, which usvg's tree does not tell from other groups.

use usvg::{Group, Node};

/// The opacity that the contents of markers are given to tell them apart from all else. Object bounding boxes do not depend on
/// opacity.
const MARKER_OPACITY: f32 = 0.012_345_6;

/// The style sheet that gives it to them.
pub(crate) fn style_of_markers() -> String {
    format!("marker > * {{ opacity: {MARKER_OPACITY} !important }}")
}

/// Whether a group is what usvg makes of the markers of a path: a group around each marker, which has the marker's contents.
pub(crate) fn is_marker(group: &Group) -> bool {
    let is_content = |node: &Node| matches!(node, Node::Group(g) if g.opacity().get() == MARKER_OPACITY);
    let is_instance = |node: &Node| matches!(node, Node::Group(g) if g.has_children() && g.children().iter().all(is_content));
    group.id().is_empty() && group.has_children() && group.children().iter().all(is_instance)
}
