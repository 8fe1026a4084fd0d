//! The boxes of a flattened scene: compaction, links, clip boxes, clipped boxes, and group boxes.
//!
//! [`boxes`] runs all stages. The stages are also functions of their own:
//!
//! | stage on the GPU | function |
//! |---|---|
//! | *compact* | [`compact()`] |
//! | *link* | [`link_entries`] |
//! | *clip* | [`clip_entries`], [`clip_leaves`] |
//! | *union* | [`union_groups`] |
//!
//! Stage *fused* does the work of the last three.

mod clip;
mod compact;
mod union;

pub use clip::{clip_entries, clip_leaves};
pub use compact::compact;
pub use union::union_groups;

use super::tree::link_entries;
use crate::{Boxes, Scene};

/// Computes the boxes of a scene, all stages in order.
///
/// # Panics
///
/// Panics if the scene has more elements than an `i32` can index.
pub fn boxes(scene: &Scene) -> Boxes {
    let (entries, ranks) = compact(scene);
    let links = link_entries(&entries);
    let clip_boxes = clip_entries(scene, &entries, &links);
    let clipped_boxes = clip_leaves(scene, &ranks, &clip_boxes);
    let group_boxes = union_groups(scene, &clipped_boxes);
    Boxes { entries, ranks, links, clip_boxes, clipped_boxes, group_boxes }
}
