//! Clipped leaf boxes and group boxes of a flattened 2D scene, on the GPU.
//!
//! A scene of clips and blends is a tree; its elements come flattened, in paint order, with begins and ends. Boxwood
//! gives every leaf its box as clipped by all its ancestors, and every node the union of what it contains, in a handful
//! of dispatches that it records into the caller's encoder:
//!
//! ```no_run
//! use boxwood::{Aabb, Buffers, Elements, Gpu, Pipelines, tag};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let gpu = Gpu::open(None)?; // or your own device and queue
//! let pipelines = Pipelines::new(&gpu.device); // once
//! # let (tags, boxes) = (vec![], vec![]);
//! let elements = Elements::new(tags, boxes)?;
//! let buffers = Buffers::of(&gpu.device, &gpu.queue, &pipelines, &elements)?; // once a size
//!
//! let mut encoder = gpu.device.create_command_encoder(&Default::default());
//! pipelines.record(&mut encoder, &buffers); // once a frame; submits and waits for nothing
//! gpu.queue.submit([encoder.finish()]);
//! let on_the_gpu: &wgpu::Buffer = buffers.clipped_boxes(); // for your own passes
//! let on_the_cpu = boxwood::read_back(&gpu.device, &gpu.queue, &buffers)?; // or all of it, read back
//! # Ok(()) }
//! ```
//!
//! The stages are *compact* (begins and ends alone), *match* (parents and partners), *clip* and *union*, the last three also at
//! once as *bound*; each has a module in [`stage`], shaders in `boxwood_shaders` and a specification in `boxwood_cpu`, which the
//! results equal bit for bit. They need no feature and no more than WebGPU's default limits; arrays that are larger than a
//! storage binding are bound in windows. Source of the algorithms: Levien, *Fast GPU bounding boxes on tree-structured scenes*,
//! 2022.

mod buffers;
mod gpu;
mod kernel;
mod kernels;
pub mod matcher;
pub mod path_bounds;
mod pipelines;
mod program;
mod read_back;
mod record;
pub mod stage;
pub mod thresholds;
pub mod tree_scan;
mod uniforms;

pub use boxwood_layout::{
    Aabb, Bic, Boxes, Config, ElementKind, Elements, ElementsError, Limits, LimitsError, MAX_ROW_TAGS,
    MIN_ROW_TAGS, Node, NodeLink, NotABox, PARTITIONS_PER_GROUP, PartitionCrossings, PartitionDepth,
    PartitionEntry, PartitionSummary, PathBbox, PathConfig, PathStreams, SIMPLE_MAX_NODES, SmallPartition,
    SmallSummary, StreamLayout, StreamsError, WORKGROUP_SIZE, Window, tag,
};
pub use wgpu;

pub use crate::buffers::Buffers;
pub use crate::gpu::{Gpu, GpuError, max_binding_size};
pub use crate::kernel::Kernel;
pub use crate::pipelines::Pipelines;
pub use crate::read_back::{ReadBackError, Staging, read_back, read_items};
pub use crate::stage::Matching;
