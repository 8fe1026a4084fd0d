//! The boxes of a flattened 2D scene, computed sequentially on the CPU.
//!
//! This crate is the specification of Boxwood: one obvious function per GPU stage, which every GPU
//! variant must equal bit for bit. [`paths`] is different: it has a twin with the same bits as the
//! GPU, and an oracle in the tests specifies both. The crate is also the fastest choice for small
//! scenes, and the back end on machines without a GPU. Only memory limits the size and depth of a
//! scene. There is no dependency on a GPU, a window, or a file format.
//!
//! ```
//! use boxwood_cpu::{Aabb, SceneBuilder};
//!
//! // A clip of 10 × 10, and inside it a leaf that sticks out on the right.
//! let mut scene = SceneBuilder::new();
//! scene.begin_clip([0.0, 0.0, 10.0, 10.0])?;
//! let leaf = scene.leaf([5.0, 5.0, 20.0, 8.0])?;
//! scene.end();
//!
//! let boxes = boxwood_cpu::boxes(&scene.finish());
//! assert_eq!(boxes.clipped_boxes[leaf], Aabb::new(5.0, 5.0, 10.0, 8.0)?);
//! assert_eq!(boxes.group_boxes[0], boxes.clipped_boxes[leaf]);
//! # Ok::<(), boxwood_cpu::NotABox>(())
//! ```
//!
//! The modules are the rooms of the project. `boxwood` (the GPU side) and `boxwood_shaders` (the
//! WGSL) have the same ones.
//!
//! | module | contents |
//! |---|---|
//! | `core` | [`Aabb`] and its algebra, the bicyclic monoid [`Bic`], [`Entry`] and [`EntryLink`] |
//! | [`tree`] | parenthesis matching, and scans over a tree of values of any monoid |
//! | [`scene`] | [`Scene`] in, [`Boxes`] out: compaction, clip boxes, clipped boxes, group boxes |
//! | [`paths`] | the boxes of the paths of a packed `vello_encoding` scene |
//! | [`spatial`] | what is done with boxes: selection, sorting, search, a tree, queries, layers, damage, occlusion |
//! | `papers` | algorithms as their papers describe them; needs the feature `papers` |
//!
//! # When not to use it
//!
//! Scenes of more than about 1,000 elements are faster on a GPU, with the crate `boxwood`, if the
//! results stay there.
//!
//! # Source
//!
//! Levien, *Fast GPU bounding boxes on tree-structured scenes*, 2022,
//! [arXiv:2205.11659](https://arxiv.org/abs/2205.11659), Figure 1 and section 6.

mod core;
#[cfg(feature = "papers")]
pub mod papers;
pub mod paths;
pub mod scene;
pub mod spatial;
pub mod tree;

pub use crate::core::{Aabb, Bic, Entry, EntryLink, NotABox};
pub use crate::scene::{Boxes, ElementKind, Scene, SceneBuilder, SceneError, Unbalanced, boxes, tag};
