//! The boxes of a flattened 2D scene on the CPU.
//!
//! [`Engine`] computes them in one pass: for each leaf its box within all clips around it, and for
//! each node its clip box and the union of its contents. A scene of 1,000 elements takes 2 to 4
//! microseconds on one core. Only memory limits the size and the depth of a scene. There is no
//! dependency on a GPU, a window, or a file format.
//!
//! ```
//! use boxwood_cpu::{Aabb, Engine, Scene};
//!
//! // A clip of 10 × 10, and inside it a leaf that sticks out on the right.
//! let mut scene = Scene::new();
//! scene.begin_clip([0.0, 0.0, 10.0, 10.0]);
//! let leaf = scene.leaf([5.0, 5.0, 20.0, 8.0]);
//! scene.end();
//!
//! let mut engine = Engine::new(); // keep both from frame to frame: they keep their memory
//! let boxes = engine.boxes(&scene)?;
//! assert_eq!(boxes.clipped_boxes[leaf], Aabb::new(5.0, 5.0, 10.0, 8.0)?);
//! assert_eq!(boxes.group_boxes[0], boxes.clipped_boxes[leaf]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`specification`] defines the results: one obvious function per stage. The engine and every
//! variant on a GPU equal it bit for bit. Use it to understand or to test, not in a renderer: it
//! takes several times as long as the engine, and allocates.
//!
//! | item | contents |
//! |---|---|
//! | [`Engine`], [`boxes`] | the boxes of a scene, fast |
//! | [`Layers`], [`Batches`] | an order of draws in batches that do not overlap |
//! | [`Damage`], [`Partners`] | the part of a picture that differs between two frames |
//! | [`Occlusion`] | the elements that later, opaque ones hide |
//! | [`Picker`] | the elements at a point or in a rectangle, from the top down |
//! | [`specification`] | one obvious sequential function per stage |
//! | [`paths`] | the boxes of the paths of a packed `vello_encoding` scene |
//!
//! [`paths`] is not a specification. It is a twin with the same bits as the GPU, and an oracle in
//! the tests specifies both.
//!
//! # When not to use it
//!
//! - If a GPU draws the scene and reads the boxes, large scenes are faster with the crate `boxwood`,
//!   whose results stay on the GPU. One core of its host is as fast as an
//!   H200 at about 2,000 elements.
//! - If only a few boxes of a large scene change between frames, an incremental layout of the
//!   application can be faster. The engine computes all boxes of a frame anew.
//! - If boxes are rotated: all boxes are axis-aligned and in one space.
//!
//! # Features
//!
//! | feature | contents |
//! |---|---|
//! | `parallel` | large scenes on all processor cores, by rayon |
//! | `kurbo` | conversion of boxes from `kurbo::Rect` |
//! | `papers` | the algorithms of the papers, step by step |
//!
//! No feature is on by default. Without features, the crate needs `core` and `alloc` alone. Each
//! feature needs the standard library.
//!
//! # Source
//!
//! Levien, *Fast GPU bounding boxes on tree-structured scenes*, 2022,
//! [arXiv:2205.11659](https://arxiv.org/abs/2205.11659), Figure 1 and section 6.

#![cfg_attr(not(any(test, feature = "papers")), no_std)]

#[macro_use]
extern crate alloc;
// The families of boxes are compiled as a part of other programs too, so they need the name of the
// crate.
#[cfg(test)]
extern crate self as boxwood_cpu;

mod adaptive_tree;
mod boxes;
mod core;
mod damage;
mod engine;
#[cfg(test)]
#[allow(dead_code, unreachable_pub, reason = "other programs use the rest")]
#[path = "../tests/families/mod.rs"]
mod families;
mod layers;
mod occlusion;
pub mod paths;
mod pick;
mod radix;
mod scene;
pub mod specification;
mod tiles;
mod tree;

pub use crate::boxes::Boxes;
pub use crate::core::{Aabb, Bic, Entry, EntryLink, NotABox};
pub use crate::damage::{Damage, Damaged, Partners};
pub use crate::engine::{Engine, boxes};
pub use crate::layers::{Batches, Layers};
pub use crate::occlusion::Occlusion;
pub use crate::pick::Picker;
pub use crate::scene::{ElementKind, Scene, SceneError, Unbalanced, tag};
pub use crate::specification::spatial::{Batch, Frame, NO_PARTNER, Place, Rectangle, TileGrid};
