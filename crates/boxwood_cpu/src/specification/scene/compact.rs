//! Stage *compact*: the node stream.

use alloc::vec::Vec;

use crate::core::Entry;
use crate::scene::{ElementKind, Scene};

/// The node stream of a scene, and the rank of each element: the number of begins and ends before
/// it.
///
/// # Panics
///
/// Panics if the scene has more elements than an `i32` can index.
pub fn compact(scene: &Scene) -> (Vec<Entry>, Vec<u32>) {
    let mut entries = Vec::with_capacity(scene.n_entries());
    let mut ranks = Vec::with_capacity(scene.len());
    for element in 0..scene.len() {
        ranks.push(u32::try_from(entries.len()).expect("an element index fits in an i32"));
        match scene.kind(element) {
            ElementKind::Begin => entries.push(Entry::begin(element)),
            ElementKind::End => entries.push(Entry::end(element)),
            ElementKind::Leaf | ElementKind::Nop => {}
        }
    }
    (entries, ranks)
}
