//! Stage *compact*: the node stream.

use super::elements::{ElementKind, Scene};
use crate::core::Node;

/// The node stream of a scene, and the rank of each element: the number of begins and ends before
/// it.
///
/// # Panics
///
/// Panics if the scene has more elements than an `i32` can index.
pub fn compact(scene: &Scene) -> (Vec<Node>, Vec<u32>) {
    let mut nodes = Vec::with_capacity(scene.n_nodes());
    let mut node_ranks = Vec::with_capacity(scene.len());
    for element in 0..scene.len() {
        node_ranks.push(u32::try_from(nodes.len()).expect("an element index fits in an i32"));
        match scene.kind(element) {
            ElementKind::Begin => nodes.push(Node::begin(element)),
            ElementKind::End => nodes.push(Node::end(element)),
            ElementKind::Leaf | ElementKind::Nop => {}
        }
    }
    (nodes, node_ranks)
}
