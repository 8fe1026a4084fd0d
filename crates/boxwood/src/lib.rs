//! Clipped leaf boxes and group boxes of a flattened 2D scene, on the GPU.
//!
//! A 2D scene is a tree: clips cut their contents, and blends composite their contents as a group.
//! In its flattened form, it is a list of elements in paint order: leaves, begins, and ends.
//! Boxwood computes the box of every leaf as clipped by all its ancestors, and for every node the
//! union of the boxes of its leaves. It records a few compute dispatches into your encoder:
//!
//! ```no_run
//! use boxwood::{Context, Outputs, Scene, SceneBoxes};
//!
//! # fn example(device: &wgpu::Device, queue: &wgpu::Queue) -> Result<(), Box<dyn std::error::Error>> {
//! let mut scene = Scene::new();
//! scene.begin_clip([0.0, 0.0, 100.0, 100.0]);
//! let button = scene.leaf([80.0, 10.0, 150.0, 20.0]);
//! scene.end();
//!
//! let context = Context::new(device); // once per device
//! let mut boxes = SceneBoxes::new(&context, Outputs::CLIPPED | Outputs::GROUPS); // once per scene
//!
//! boxes.update(queue, &scene)?; // in each frame: uploads the scene, and grows with it
//! let mut encoder = device.create_command_encoder(&Default::default());
//! boxes.record(&mut encoder); // your own passes can read `boxes.clipped_boxes()` after it
//! queue.submit([encoder.finish()]);
//!
//! let results = boxes.read_back(queue)?; // for tools and tests
//! assert_eq!(results.clipped_boxes[button].to_string(), "(80, 10, 100, 20)");
//! # Ok(()) }
//! # use boxwood::wgpu;
//! ```
//!
//! The caller owns the device, the queue, and the encoder. Boxwood only records: it does not
//! submit, map, or wait. It needs no optional feature and only WebGPU's default limits.
//!
//! # When not to use it
//!
//! Scenes of up to about 2,000 elements are faster on one CPU core: use [`boxwood_cpu::Engine`],
//! which takes the same [`Scene`]. A dispatch costs microseconds before it does any work. If the
//! boxes are needed on the CPU, the read-back alone costs about 0.4 ms on a discrete GPU, the time
//! that a core takes for about 50,000 elements.
//!
//! # Features
//!
//! | feature | contents |
//! |---|---|
//! | `scene` (default) | this module: the boxes of a scene |
//! | `tree` | [`tree`]: parenthesis matching by itself, and scans over a tree of values of any monoid |
//! | `json` | `tree::Json`: from a JSON text to its tree |
//! | `brackets` | `tree::Brackets`: from a text to the tree of its brackets, by a table of its syntax |
//! | `paths` | [`paths`]: the boxes of the paths of a packed `vello_encoding` scene |
//! | `spatial` | [`spatial`]: what is done with boxes: selection, sorting, search, a tree, queries, layers, damage, occlusion |
//! | `papers` | the algorithms of the papers as published, as further variants of [`Algorithm`], [`tree::Matcher`], and `spatial::Sorter`, and in `papers` |
//! | `native` | [`native`]: opening an adapter, with the back ends of wgpu |
//! | `kurbo` | conversion of boxes from `kurbo::Rect` |
//! | `plans` | `Plan`, `Program`, and `Staging`, for crates that record dispatches of their own around the stages |
//! | `testing` | `testing`: hooks for tests and benchmarks |
//!
//! # Source
//!
//! Levien, *Fast GPU bounding boxes on tree-structured scenes*, 2022,
//! [arXiv:2205.11659](https://arxiv.org/abs/2205.11659).

#![cfg_attr(
    not(all(
        feature = "scene",
        feature = "tree",
        feature = "json",
        feature = "paths",
        feature = "spatial",
        feature = "papers",
        feature = "plans",
        feature = "testing"
    )),
    allow(dead_code, unreachable_pub, unused_imports, reason = "each room uses only a part of `core`")
)]

mod core;
#[cfg(feature = "native")]
pub mod native;
#[cfg(feature = "papers")]
pub mod papers;
#[cfg(feature = "paths")]
pub mod paths;
#[cfg(feature = "scene")]
mod scene;
#[cfg(feature = "spatial")]
pub mod spatial;
#[cfg(feature = "testing")]
pub mod testing;
#[cfg(feature = "tree")]
pub mod tree;

#[doc(no_inline)]
pub use boxwood_cpu::{
    Aabb, Boxes, ElementKind, Entry, EntryLink, NotABox, Scene, SceneError, Unbalanced, tag,
};
pub use wgpu;

pub use crate::core::context::Context;
pub use crate::core::limits::{Limits, LimitsError, WORKGROUP_SIZE, max_binding_size};
#[cfg(feature = "plans")]
pub use crate::core::plan::{Plan, Slot, Workgroups};
#[cfg(feature = "plans")]
pub use crate::core::program::Program;
#[cfg(feature = "plans")]
pub use crate::core::read_back::{PendingRead, Staging};
pub use crate::core::read_back::{ReadBackError, read_items_async, read_texels_async};
#[cfg(not(target_arch = "wasm32"))]
pub use crate::core::read_back::{read_items, read_texels};
#[cfg(feature = "scene")]
pub use crate::scene::{
    Algorithm, Outputs, SceneBoxes, Schedule, ScheduledBuffer, ScheduledDispatch, UpdateError,
};
