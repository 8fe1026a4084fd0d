//! The boxes of a flattened 2D scene, computed sequentially on the CPU.
//!
//! This crate is the specification of Boxwood: one obvious function per GPU stage, which every GPU
//! variant must equal bit for bit. [`paths`] is different: it has a twin with the same bits as the
//! GPU, and an oracle in the tests specifies both. The crate is also the fastest choice for small
//! scenes, and the back end on machines without a GPU. Only memory limits the size and depth of a
//! scene. There is no dependency on a GPU, a window, or a file format.
//!
//! ```
//! use boxwood_cpu::{Aabb, Scene, specification};
//!
//! // A clip of 10 × 10, and inside it a leaf that sticks out on the right.
//! let mut scene = Scene::new();
//! scene.begin_clip([0.0, 0.0, 10.0, 10.0]);
//! let leaf = scene.leaf([5.0, 5.0, 20.0, 8.0]);
//! scene.end();
//!
//! let boxes = specification::boxes(&scene);
//! assert_eq!(boxes.clipped_boxes[leaf], Aabb::new(5.0, 5.0, 10.0, 8.0)?);
//! assert_eq!(boxes.group_boxes[0], boxes.clipped_boxes[leaf]);
//! # Ok::<(), boxwood_cpu::NotABox>(())
//! ```
//!
//! | module | contents |
//! |---|---|
//! | [`specification`] | one obvious sequential function per stage |
//! | [`paths`] | the boxes of the paths of a packed `vello_encoding` scene |
//!
//! # Source
//!
//! Levien, *Fast GPU bounding boxes on tree-structured scenes*, 2022,
//! [arXiv:2205.11659](https://arxiv.org/abs/2205.11659), Figure 1 and section 6.

mod boxes;
mod core;
pub mod paths;
mod pick;
mod scene;
pub mod specification;

pub use crate::boxes::Boxes;
pub use crate::core::{Aabb, Bic, Entry, EntryLink, NotABox};
pub use crate::pick::Picker;
pub use crate::scene::{ElementKind, Scene, SceneError, Unbalanced, tag};
pub use crate::specification::spatial::Place;
