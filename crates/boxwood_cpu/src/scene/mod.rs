//! The boxes of a flattened scene: compaction, links, clip boxes, clipped boxes, and group boxes.
//!
//! [`boxes`] runs all stages. The stages are also functions of their own:
//!
//! | stage on the GPU | function |
//! |---|---|
//! | *compact* | [`compact()`] |
//! | *link* | [`link_nodes`] |
//! | *clip* | [`clip_nodes`], [`clip_leaves`] |
//! | *union* | [`union_groups`] |
//!
//! Stage *fused* does the work of the last three.

mod boxes;
mod builder;
mod clip;
mod compact;
mod elements;
mod union;

pub use boxes::Boxes;
pub use builder::SceneBuilder;
pub use clip::{clip_leaves, clip_nodes};
pub use compact::compact;
pub use elements::{ElementKind, Scene, SceneError, Unbalanced, tag};
pub use union::union_groups;

use crate::tree::link_nodes;

/// Computes the boxes of a scene, all stages in order.
///
/// # Panics
///
/// Panics if the scene has more elements than an `i32` can index.
pub fn boxes(scene: &Scene) -> Boxes {
    let (nodes, node_ranks) = compact(scene);
    let links = link_nodes(&nodes);
    let clip_boxes = clip_nodes(scene, &nodes, &links);
    let clipped_boxes = clip_leaves(scene, &node_ranks, &clip_boxes);
    let group_boxes = union_groups(scene, &clipped_boxes);
    Boxes { nodes, node_ranks, links, clip_boxes, clipped_boxes, group_boxes }
}
