//! The boxes of the paths of a packed `vello_encoding` scene, in device space.
//!
//! The input is the output of `vello_encoding::Resolver`: path tags, path data, transforms, and
//! styles. The output is one box per path. Vello gives each draw object one path, so these are the
//! boxes of the elements of the scene.
//!
//! The results equal [`boxwood_cpu::paths::twin::path_boxes`] bit for bit on every device.
//! [`boxwood_cpu::paths`] documents the contents and the tightness of the boxes, and
//! `docs/strokes.md` derives them.
//!
//! The boxes can go straight to the [`Buffers`] of the same scene. Then every step from the packed
//! scene to the clipped boxes is on the GPU:
//!
//! ```no_run
//! use boxwood::paths::{PathBuffers, PathBuffersDescriptor, PathPipelines, PathStreams};
//! use boxwood::{Buffers, Pipelines};
//! # use boxwood::wgpu;
//!
//! # fn example(device: &wgpu::Device, queue: &wgpu::Queue) -> Result<(), Box<dyn std::error::Error>> {
//! # let (words, layout) = (vec![], boxwood::paths::StreamLayout::default());
//! let (pipelines, path_pipelines) = (Pipelines::new(device), PathPipelines::new(device)); // once
//! let streams = PathStreams::new(&words, layout)?; // the words, and `bytemuck::cast(layout)`, of `vello_encoding`
//!
//! let tags = streams.draw_tags();
//! let mut buffers = Buffers::with_capacity(device, &pipelines, tags.len(), layout.n_clips as usize)?;
//! buffers.upload_tags(queue, tags)?;
//! let size = PathBuffersDescriptor { boxes: Some(buffers.element_boxes()), ..PathBuffersDescriptor::of(&streams) };
//! let mut paths = PathBuffers::new(device, &path_pipelines, &size)?; // once per scene size
//! paths.upload(queue, &streams)?;
//!
//! let mut encoder = device.create_command_encoder(&Default::default());
//! paths.record(&mut encoder);
//! buffers.record(&mut encoder); // reads the boxes that `paths` writes
//! queue.submit([encoder.finish()]);
//! # Ok(()) }
//! ```
//!
//! A renderer that has computed boxes in whole pixels can use these instead: see [`UnroundPass`].

mod buffers;
mod config;
mod descriptor;
mod dispatch;
mod error;
mod unround;

use boxwood_shaders::Shader;

pub use self::buffers::PathBuffers;
#[cfg(feature = "testing")]
pub use self::config::{MAX_ROW_TAGS, MIN_ROW_TAGS, PARTITIONS_PER_GROUP, PathConfig};
pub use self::descriptor::PathBuffersDescriptor;
pub use self::error::PathsError;
pub use self::unround::UnroundPass;
pub use boxwood_cpu::paths::{PathStreams, RoundedBox, StreamLayout, StreamsError};

use self::dispatch::dispatches;

#[cfg(doc)]
use crate::Buffers;

/// The shaders, in the order of their dispatches. Some occur twice.
#[cfg(feature = "testing")]
pub fn shaders() -> impl Iterator<Item = &'static Shader> {
    let stage = dispatches(false).into_iter().chain(dispatches(true)).map(|(shader, _)| shader);
    stage.chain([&boxwood_shaders::paths::PATH_UNROUND])
}
