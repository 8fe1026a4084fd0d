//! Stage *path bounds*: the box of every path of a packed scene, in device space, for the boxes of the elements.
//!
//! In: what `vello_encoding::Resolver` packs (path tags, path data, transforms, styles). Out: one box a path, which is one a draw
//! object, as Vello gives each a path. Specification: `boxwood_cpu::path_bounds`, whose results these equal bit for bit; there
//! it says what the boxes hold and how tight they are.
//!
//! The boxes may go straight to a [`Buffers`] of the same scene, so that the whole way from the packed scene to the clipped
//! boxes is on the GPU:
//!
//! ```no_run
//! use boxwood::paths::{PathBuffers, PathBuffersDescriptor, PathPipelines, PathStreams};
//! use boxwood::{Buffers, Pipelines};
//! # use boxwood::wgpu;
//!
//! # fn example(device: &wgpu::Device, queue: &wgpu::Queue) -> Result<(), Box<dyn std::error::Error>> {
//! # let (words, layout) = (vec![], boxwood::paths::StreamLayout::default());
//! let (pipelines, path_pipelines) = (Pipelines::new(device), PathPipelines::new(device)); // once
//! let streams = PathStreams::new(&words, layout)?; // the words and `bytemuck::cast(layout)` of `vello_encoding`
//!
//! let tags = streams.draw_tags();
//! let mut buffers = Buffers::with_capacity(device, &pipelines, tags.len(), layout.n_clips as usize)?;
//! buffers.upload_tags(queue, tags)?;
//! let size = PathBuffersDescriptor { boxes: Some(buffers.element_boxes()), ..PathBuffersDescriptor::of(&streams) };
//! let mut paths = PathBuffers::new(device, &path_pipelines, &size)?; // once a size
//! paths.upload(queue, &streams)?;
//!
//! let mut encoder = device.create_command_encoder(&Default::default());
//! paths.record(&mut encoder);
//! buffers.record(&mut encoder); // reads what that has written
//! queue.submit([encoder.finish()]);
//! # Ok(()) }
//! ```
//!
//! A renderer's own boxes do as well: [`RoundedBoxes`].

mod buffers;
mod config;
mod error;
mod rounded;

use boxwood_shaders::{Shader, paths as shaders};

#[cfg(feature = "testing")]
pub use self::buffers::PathDispatchRef;
pub use self::buffers::{PathBuffers, PathBuffersDescriptor};
pub use self::config::{MAX_ROW_TAGS, MIN_ROW_TAGS};
#[cfg(feature = "testing")]
pub use self::config::{PARTITIONS_PER_GROUP, PathConfig};
pub use self::error::PathsError;
pub use self::rounded::RoundedBoxes;
pub use boxwood_cpu::paths::{PathBbox, PathStreams, StreamLayout, StreamsError};

use crate::core::kernel::Kernels;

#[cfg(doc)]
use crate::Buffers;

/// The compiled stage. Make it once a device.
#[derive(Debug)]
pub struct PathPipelines {
    kernels: Kernels,
}

/// What the workgroups of a dispatch share out among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Grid {
    /// The partitions of the path tags, one a workgroup.
    Partitions,
    /// The spans of the paths, an invocation each.
    Spans,
    /// Groups of partitions, one a workgroup, and one workgroup at least.
    GroupsOrOne,
    /// The paths, 256 a workgroup.
    Paths,
    /// What there may be of curves of strokes whose insides are computed, some for each invocation.
    Jobs,
    /// The same of those of which pieces tell.
    PieceJobs,
    /// One workgroup does it all.
    Single,
}

impl PathPipelines {
    /// Its shaders, in the order in which they run; of each pair one or the other, or both.
    pub fn shaders() -> [&'static Shader; 11] {
        [
            &shaders::PATH_REDUCE,
            &shaders::PATH_SCAN,
            &shaders::PATH_SPANS,
            &shaders::PATH_SPANS_ROUNDED,
            &shaders::PATH_FILL,
            &shaders::PATH_STROKE,
            &shaders::PATH_INSIDE,
            &shaders::PATH_PIECES,
            &shaders::PATH_FINISH,
            &shaders::PATH_FINISH_ROUNDED,
            &shaders::PATH_UNROUND,
        ]
    }

    /// Compiles the stage for `device`, which needs no feature and no more than WebGPU's default limits.
    pub fn new(device: &wgpu::Device) -> Self {
        let shaders = || Self::shaders().into_iter();
        Self { kernels: Kernels::new(device, shaders(), |_| None) }
    }

    /// The stage from the source that `source` gives for its shaders, which must bind the same resources, each compiled with the first
    /// [`PathBuffers`] or [`RoundedBoxes`] that need it, with wgpu's checks of what they do.
    #[cfg(feature = "testing")]
    pub fn with_sources(device: &wgpu::Device, source: impl Fn(&Shader) -> String) -> Self {
        let shaders = Self::shaders().into_iter();
        Self { kernels: Kernels::new(device, shaders, |shader| Some(source(shader))) }
    }

    /// The same stage from the source that `source` gives now. A shader that [`with_sources`](Self::with_sources) has made of just
    /// that is not compiled again.
    #[cfg(feature = "testing")]
    #[must_use]
    pub fn with_changes(&self, source: impl Fn(&Shader) -> String) -> Self {
        Self { kernels: self.kernels.with_changes(source) }
    }
}

/// So many workgroups in rows of at most `max_per_dimension`.
fn in_rows(n: u32, max_per_dimension: u32) -> [u32; 2] {
    let rows = n.div_ceil(max_per_dimension);
    [if rows == 0 { 0 } else { n.div_ceil(rows) }, rows]
}
