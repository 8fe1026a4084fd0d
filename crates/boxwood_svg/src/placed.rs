//! The nodes of usvg's tree that the elements of a document have.
//!
//! Each element that can have a node has an id in the tree (`passes::ids`), so one walk finds all
//! of them. An element may have several nodes, such as a group for its effects and a path in it;
//! its place is the outermost of them.

use std::collections::HashMap;

use kurbo::Affine;
use usvg::{Group, Node, Path, Tree};

use crate::dom::NodeId;
use crate::geometry::affine;
use crate::quirks::background::background;
use crate::quirks::wrapper_groups::element_of;
use crate::read::elements::Elements;
use crate::table::SourceKind;

/// The place of an element in a tree.
#[derive(Clone, Copy)]
pub(crate) struct PlacedNode<'t> {
    pub(crate) node: &'t Node,
    /// The transform of the group around the node.
    pub(crate) scene_from_group: Affine,
}

/// The places of all elements in a tree.
pub(crate) struct Places<'t> {
    by_node: HashMap<NodeId, PlacedNode<'t>>,
    /// The path that usvg adds for the background of the root. No element has it.
    pub(crate) background: Option<&'t Path>,
}

impl<'t> Places<'t> {
    pub(crate) fn new(tree: &'t Tree, elements: &Elements) -> Self {
        let mut places = Self { by_node: HashMap::new(), background: background(tree.root()) };
        places.add(tree.root(), Affine::IDENTITY, elements);
        places
    }

    fn add(&mut self, group: &'t Group, scene_from_group: Affine, elements: &Elements) {
        for node in group.children() {
            if let Some(id) = elements.node_with_id(id_and_kind(node).0) {
                self.by_node.entry(id).or_insert(PlacedNode { node, scene_from_group });
            }
            if let Node::Group(inner) = node {
                self.add(inner, scene_from_group * affine(inner.transform()), elements);
            }
        }
    }

    /// The place of a node of the drawn document.
    pub(crate) fn of(&self, node: NodeId) -> Option<PlacedNode<'t>> {
        self.by_node.get(&node).copied()
    }
}

/// The id and the kind of the SVG element that a node comes from, as usvg has them.
pub(crate) fn id_and_kind(node: &Node) -> (&str, SourceKind) {
    match node {
        Node::Group(group) => element_of(group),
        Node::Path(path) => (path.id(), SourceKind::Path),
        Node::Image(image) => (image.id(), SourceKind::Image),
        Node::Text(text) => (text.id(), SourceKind::Text),
    }
}

/// The group of a node that has the paths of a shape and its markers: for a shape, each path is its
/// fill, its stroke, or both, and each group has markers. `None` if there are no paths.
pub(crate) fn shape_group(node: &Node) -> Option<&Group> {
    let Node::Group(group) = node else { return None };
    match group.children() {
        children if children.iter().any(|child| matches!(child, Node::Path(_))) => Some(group),
        [only] => shape_group(only),
        _ => None,
    }
}
