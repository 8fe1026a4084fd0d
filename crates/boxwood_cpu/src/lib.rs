//! The boxes of a flattened scene, computed sequentially.
//!
//! One obvious function a stage, in the words of the stage's name: this crate is the specification that every GPU
//! variant must equal bit for bit, and the back end of Boxwood's tools on machines without a GPU. It is the sequential
//! algorithm of Levien, *Fast GPU bounding boxes on tree-structured scenes*, 2022 (Figure 1 and section 6), with no
//! limit on size or depth but memory.
//!
//! ```
//! use boxwood_layout::{Aabb, Elements, tag};
//!
//! // A clip of 10 x 10, and inside it a leaf that sticks out on the right. 0x44 is Vello's tag of a solid fill.
//! let clip = Aabb::new(0.0, 0.0, 10.0, 10.0)?;
//! let leaf = Aabb::new(5.0, 5.0, 20.0, 8.0)?;
//! let elements = Elements::new(vec![tag::BEGIN, 0x44, tag::END], vec![clip, leaf, Aabb::EMPTY])?;
//!
//! let boxes = boxwood_cpu::boxes(&elements);
//! assert_eq!(boxes.clipped_boxes[1], Aabb::new(5.0, 5.0, 10.0, 8.0)?);
//! assert_eq!(boxes.group_boxes[0], boxes.clipped_boxes[1]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod clip;
mod compact;
mod r#match;
mod path_bounds;
mod tree_scan;
mod tree_search;
mod union;

use boxwood_layout::{Boxes, Elements};

pub use clip::{clip_leaves, clip_nodes};
pub use compact::compact;
pub use r#match::{match_nodes, match_parentheses};
pub use path_bounds::{path_bboxes, path_bounds};
pub use tree_scan::{Monoid, scan_down, scan_up};
pub use tree_search::{BicTree, search_parentheses};
pub use union::union_groups;

/// Every stage in order.
///
/// # Panics
///
/// If the scene has more elements or begins and ends than an `i32` can index.
pub fn boxes(elements: &Elements) -> Boxes {
    let (nodes, places) = compact(elements);
    let links = match_nodes(&nodes);
    let clip_boxes = clip_nodes(elements, &nodes, &links);
    let clipped_boxes = clip_leaves(elements, &places, &clip_boxes);
    let group_boxes = union_groups(elements, &clipped_boxes);
    Boxes { nodes, places, links, clip_boxes, clipped_boxes, group_boxes }
}
