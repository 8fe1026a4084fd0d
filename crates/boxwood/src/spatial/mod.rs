//! Stages over boxes: selection, sorting, search, queries, and more.
//!
//! | stage | what it does |
//! |---|---|
//! | [`Scan`] | adds up counts |
//! | [`Expand`] | finds the item that each output belongs to, for items with several outputs |
//! | [`Select`] | keeps some of the items |
//! | [`Sort`] | sorts keys, with a value each |
//! | [`Search`] | finds the places of queries among sorted keys |
//! | [`Index`] | builds a tree over boxes |
//! | [`Lbvh`] | builds a binary tree with links over the leaves of an index |
//! | [`Queries`] | finds the boxes at points, in rectangles, or near points |
//! | [`Layers`] | finds an order of draws in batches that do not overlap |
//! | [`Damage`] | finds the part of a picture that differs between two frames |
//! | [`Occlusion`] | finds the elements that later, opaque ones hide |
//! | [`Reorder`] | finds an order of queries in which neighbours are close to each other |
//! | [`Packets`] | divides this order into ranges of queries that are in the same place |
//! | [`Pairs`] | finds the pairs of boxes that overlap |
//!
//! The inputs are buffers of the caller, such as
//! [`SceneBoxes::clipped_boxes`](crate::SceneBoxes::clipped_boxes), and the results are buffers
//! that the caller's own passes can bind. The number of items can be in a buffer too, so that the
//! results of one stage can be the items of the next: see [`Items`]. Every result equals that of
//! its specification in [`boxwood_cpu::specification::spatial`].
//!
//! Boxes are as [`Aabb::new`](crate::Aabb::new) returns them, without NaN and -0. With other boxes,
//! results are unspecified, but no stage accesses anything beyond its buffers. A buffer of the
//! caller needs the usage `STORAGE`, and is not changed. It has room for at least one item, even if
//! there are none. A stage keeps the buffers that it was made with: make it anew when
//! [`SceneBoxes::generation`](crate::SceneBoxes::generation) changes.
//!
//! ```no_run
//! use boxwood::spatial::{Items, Predicate, Select};
//! use boxwood::{Aabb, Context, SceneBoxes};
//! # use boxwood::wgpu;
//!
//! # fn example(device: &wgpu::Device, queue: &wgpu::Queue, scene: &SceneBoxes, n: u32) -> Result<(), Box<dyn std::error::Error>> {
//! let context = Context::new(device); // once per device
//! let boxes = Items::new(scene.clipped_boxes(), n);
//! let visible = Select::new(&context, Predicate::Overlapping, boxes)?; // once per scene size
//! visible.set_n_vertices(queue, 4);
//! visible.set_region(queue, Aabb::new(0.0, 0.0, 1920.0, 1080.0)?);
//!
//! let mut encoder = device.create_command_encoder(&Default::default());
//! scene.record(&mut encoder);
//! visible.record(&mut encoder.begin_compute_pass(&Default::default()));
//! queue.submit([encoder.finish()]);
//! // A render pass can bind `visible.selected()`, and call `draw_indirect(visible.draw_arguments(), 0)`.
//! # Ok(()) }
//! ```

mod check;
mod count;
mod damage;
mod error;
mod expand;
mod index;
mod layers;
mod lbvh;
mod occlusion;
mod pairs;
mod query;
mod reorder;
mod scan;
mod search;
mod select;
mod sort;
mod stage;
mod tiles;

#[doc(no_inline)]
pub use boxwood_cpu::specification::spatial::{Axis, Bound, Order, Rectangle, TileGrid};

pub use self::count::{Count, Items};
pub use self::damage::{Damage, FrameBuffers};
pub use self::error::SpatialError;
pub use self::expand::Expand;
pub use self::index::{Index, PackedTree};
pub use self::layers::Layers;
pub use self::lbvh::{Lbvh, LbvhLinks};
pub use self::occlusion::{Covers, Occlusion};
pub use self::pairs::{Pairs, Strips};
pub use self::query::{Condition, Queries, Question, Source};
pub use self::reorder::{Packets, Reorder};
pub use self::scan::Scan;
pub use self::search::Search;
pub use self::select::{Predicate, Select};
pub use self::sort::Sort;
#[cfg(any(feature = "papers", feature = "testing"))]
pub use self::sort::Sorter;
#[cfg(feature = "papers")]
pub(crate) use self::{
    check::{MAX_ITEMS, check_items, check_range},
    count::{CountSlot, Counted},
    expand::OUTPUTS_PER_PARTITION,
    pairs::{CandidateTest, Swept, plan_pairs},
    scan::Sums,
    sort::Sorted,
    stage::{Stage, stage_methods},
};
#[cfg(feature = "testing")]
pub use self::{
    expand::ExpandConfig, index::IndexConfig, layers::LayersConfig, pairs::PairsConfig, query::QueryConfig,
    reorder::ReorderConfig, scan::ScanConfig, search::SearchConfig, search::Searcher, select::SelectConfig,
    sort::SortConfig, tiles::TilesConfig,
};
