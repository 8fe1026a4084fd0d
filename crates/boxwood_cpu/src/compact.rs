//! Stage *compact*: the begins and ends alone.

use boxwood_layout::{ElementKind, Elements, Node};

/// The node stream of the scene, and of each element its place: how many entries of the node stream precede it.
///
/// # Panics
///
/// If the scene has more elements than an `i32` can index.
pub fn compact(elements: &Elements) -> (Vec<Node>, Vec<u32>) {
    let mut nodes = Vec::with_capacity(elements.n_nodes());
    let mut places = Vec::with_capacity(elements.len());
    for element in 0..elements.len() {
        places.push(u32::try_from(nodes.len()).expect("there are no more nodes than elements"));
        match elements.kind(element) {
            ElementKind::Begin => nodes.push(Node::begin(element)),
            ElementKind::End => nodes.push(Node::end(element)),
            ElementKind::Leaf | ElementKind::Nop => {}
        }
    }
    (nodes, places)
}
