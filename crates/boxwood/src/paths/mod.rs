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
//! The boxes can go straight to the [`SceneBoxes`] of the same scene. Then every step from the
//! packed scene to the clipped boxes is on the GPU:
//!
//! ```no_run
//! use boxwood::paths::{PathBuffers, PathBuffersDescriptor, PathStreams};
//! use boxwood::{Context, Outputs, SceneBoxes};
//! # use boxwood::wgpu;
//!
//! # fn example(device: &wgpu::Device, queue: &wgpu::Queue) -> Result<(), Box<dyn std::error::Error>> {
//! # let (words, layout) = (vec![], boxwood::paths::StreamLayout::default());
//! let context = Context::new(device); // once per device
//! let streams = PathStreams::new(&words, layout)?; // the words, and `bytemuck::cast(layout)`, of `vello_encoding`
//!
//! let mut boxes = SceneBoxes::new(&context, Outputs::CLIPPED); // once per scene
//! boxes.update_tags(queue, streams.draw_tags())?;
//! let target = Some(boxes.element_boxes());
//! let size = PathBuffersDescriptor { boxes: target, ..PathBuffersDescriptor::of(&streams) };
//! let mut paths = PathBuffers::new(&context, &size)?; // anew when `boxes.generation()` changes
//! paths.upload(queue, &streams)?;
//!
//! let mut encoder = device.create_command_encoder(&Default::default());
//! paths.record(&mut encoder);
//! boxes.record(&mut encoder); // reads the boxes that `paths` writes
//! queue.submit([encoder.finish()]);
//! # Ok(()) }
//! ```
//!
//! A renderer that has computed boxes in whole pixels can use these instead: see [`UnroundPass`].

mod buffers;
mod config;
mod descriptor;
mod error;
mod stages;
mod unround;

pub use self::buffers::PathBuffers;
#[cfg(feature = "testing")]
pub use self::config::{MAX_ROW_TAGS, MIN_ROW_TAGS, PARTITIONS_PER_GROUP, PathConfig};
pub use self::descriptor::PathBuffersDescriptor;
pub use self::error::PathsError;
pub use self::unround::UnroundPass;
#[doc(no_inline)]
pub use boxwood_cpu::paths::{PathStreams, RoundedBox, StreamLayout, StreamsError};

#[cfg(doc)]
use crate::SceneBoxes;
