//! What Boxwood's buffers hold, and the algebra of what they hold.
//!
//! Every stage of Boxwood exists twice, as a sequential function (`boxwood_cpu`) and as WGSL
//! (`boxwood_shaders`). Both speak in the types of this crate: [`Aabb`], [`Bic`], [`Node`], [`NodeLink`], the
//! [`Elements`] that go in and the [`Boxes`] that come out. All of them have the layout of their WGSL twins, and a
//! test of the workspace compares the two through naga's reflection.
//!
//! | word | meaning |
//! |---|---|
//! | element | one entry of the flattened scene, in paint order: a leaf, a begin or an end |
//! | leaf | a draw object: fill, stroke, image, glyph run, blurred rectangle |
//! | clip node | a begin/end pair whose shape is intersected with all that is inside |
//! | blend node | a begin/end pair whose contents are composited as one group; a node can be both |
//! | node stream | the begins and ends alone, in order |
//! | place | of an element: how many entries of the node stream precede it |
//! | leaf box | the leaf's own ink box, before clipping |
//! | clip box | of a node: its shape's box ∩ the clip boxes of all its ancestors |
//! | clipped leaf box | leaf box ∩ the clip box of the innermost enclosing node |
//! | group box | of a node: the union of the clipped leaf boxes inside it |
//!
//! This crate knows neither a GPU nor a file format.

mod aabb;
mod bic;
mod boxes;
mod config;
mod elements;
mod limits;
mod node;
mod stack_monoid;
mod streams;
mod window;

pub use aabb::{Aabb, NotABox};
pub use bic::Bic;
pub use boxes::Boxes;
pub use config::Config;
pub use elements::{ElementKind, Elements, ElementsError, tag};
pub use limits::{Limits, LimitsError, SIMPLE_MAX_NODES, WORKGROUP_SIZE};
pub use node::{
    Node, NodeLink, PartitionCrossings, PartitionDepth, PartitionEntry, PartitionSummary, SmallPartition,
    SmallSummary,
};
pub use stack_monoid::Stack;
pub use streams::{
    MAX_ROW_TAGS, MIN_ROW_TAGS, PARTITIONS_PER_GROUP, PathBbox, PathConfig, PathStreams, StreamLayout,
    StreamsError,
};
pub use window::Window;
