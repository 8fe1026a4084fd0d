//! The buffers of a packed scene and of its path boxes.

use boxwood_cpu::paths::{PathStreams, StreamLayout};

use super::config::PathConfig;
use super::descriptor::{Capacity, PathBuffersDescriptor};
use super::error::PathsError;
use super::stages::{PathGrid, PathPlan, PathSlots};
use crate::core::context::Context;
use crate::core::limits::count;
#[cfg(feature = "testing")]
use crate::core::program::Part;
use crate::core::program::{Program, begin_pass};

/// The flag of a style that is a stroke, as in `vello_encoding::Style`.
const STYLE_STROKE: u32 = 1 << 31;

/// The buffers of a packed scene and of the boxes of its paths.
///
/// Buffers that are not the caller's have labels such as `boxwood.paths.path_boxes`, and the usages
/// `STORAGE`, `COPY_SRC`, `COPY_DST`, and `VERTEX`. They may be longer than the scene:
/// [`n_paths`](Self::n_paths) is the number of valid boxes.
///
/// A path takes 61 bytes besides the scene, or 93 with boxes in whole pixels. A path tag takes two
/// bytes. Lists for strokes take another 64 KiB.
#[derive(Debug)]
pub struct PathBuffers {
    log2_row_tags: Option<u32>,
    capacity: Capacity,
    program: Program<PathGrid>,
    slots: PathSlots,
}

impl PathBuffers {
    /// Creates buffers for scenes of up to a capacity. They contain the empty scene.
    ///
    /// # Errors
    ///
    /// [`PathsError`] if the capacity exceeds the bindings of `device` or the caller's own buffers.
    /// Nothing is allocated then.
    pub fn new(context: &Context, descriptor: &PathBuffersDescriptor<'_>) -> Result<Self, PathsError> {
        let limits = context.device().limits();
        let capacity = descriptor.capacity(&limits)?;
        let PathPlan { plan, slots } = PathPlan::new(descriptor, &capacity, &limits);
        Ok(Self { log2_row_tags: None, capacity, program: Program::new(context, plan), slots })
    }

    /// Replaces the scene. The next recording computes its boxes. Submit earlier recordings first.
    ///
    /// # Errors
    ///
    /// [`PathsError`] if the scene exceeds the capacity, or the caller's buffer does not accept
    /// uploads. The scene stays the same then.
    pub fn upload(&mut self, queue: &wgpu::Queue, streams: &PathStreams<'_>) -> Result<(), PathsError> {
        if !self.scene().usage().contains(wgpu::BufferUsages::COPY_DST) {
            return Err(PathsError::NoCopies);
        }
        // Fills and strokes have dispatches of their own, often with nothing to do.
        let is_stroke = |flags: &u32| flags & STYLE_STROKE != 0;
        let flags = || streams.styles().iter().step_by(2);
        let has_strokes = flags().any(is_stroke);
        let has_fills = !has_strokes || !flags().all(is_stroke);
        self.configure(queue, streams.layout(), streams.words().len(), has_fills, has_strokes)?;
        queue.write_buffer(self.scene(), 0, bytemuck::cast_slice(streams.words()));
        Ok(())
    }

    /// Sets the layout of a scene of `n_words` words that the caller writes to
    /// [`scene`](Self::scene). Submit earlier recordings first.
    ///
    /// The words themselves are not checked. If tags ask for more than the streams contain, the
    /// shaders skip the missing items.
    ///
    /// # Errors
    ///
    /// [`PathsError`] if the scene exceeds the capacity, or the streams are not in order within the
    /// words. The layout stays the same then.
    pub fn set_layout(
        &mut self,
        queue: &wgpu::Queue,
        layout: &StreamLayout,
        n_words: usize,
    ) -> Result<(), PathsError> {
        self.configure(queue, layout, n_words, true, true)
    }

    /// Sets the number of path tags in a row, for scenes uploaded after this.
    ///
    /// # Panics
    ///
    /// Panics unless it is a power of two from [`MIN_ROW_TAGS`](super::MIN_ROW_TAGS) to
    /// [`MAX_ROW_TAGS`](super::MAX_ROW_TAGS).
    #[cfg(feature = "testing")]
    pub fn set_row_tags(&mut self, row_tags: u32) {
        let range = super::MIN_ROW_TAGS..=super::MAX_ROW_TAGS;
        assert!(row_tags.is_power_of_two() && range.contains(&row_tags), "no row has {row_tags} tags");
        self.log2_row_tags = Some(row_tags.ilog2());
    }

    fn configure(
        &mut self,
        queue: &wgpu::Queue,
        layout: &StreamLayout,
        n_words: usize,
        has_fills: bool,
        has_strokes: bool,
    ) -> Result<(), PathsError> {
        layout.check(n_words as u64)?;
        let n_tag_words = layout.path_data_base - layout.path_tag_base;
        self.capacity.check(&Capacity {
            n_words: n_words as u64,
            n_tag_words: n_tag_words.into(),
            n_paths: layout.n_paths.into(),
        })?;
        let mut config = PathConfig::new(layout, count(n_words));
        config.has_fills = has_fills.into();
        config.has_strokes = has_strokes.into();
        config.log2_row_tags = self.log2_row_tags.unwrap_or(config.log2_row_tags);
        self.program.set_size(queue, config);
        Ok(())
    }

    /// The number of paths of the scene.
    pub fn n_paths(&self) -> u32 {
        self.program.size().n_paths
    }

    /// In: the packed scene, `array<u32>`.
    pub fn scene(&self) -> &wgpu::Buffer {
        &self.program[self.slots.scene]
    }

    /// Out: the box of each path, `array<vec4<f32>>`, as [`Aabb`](crate::Aabb).
    pub fn path_boxes(&self) -> &wgpu::Buffer {
        &self.program[self.slots.path_boxes]
    }

    /// Out, if requested: the box of each path in whole pixels, as
    /// [`RoundedBox`](super::RoundedBox), six words each.
    pub fn rounded_boxes(&self) -> Option<&wgpu::Buffer> {
        self.slots.rounded_boxes.map(|slot| &self.program[slot])
    }

    /// Records the stage into the caller's encoder, as one compute pass. This does not submit or
    /// wait.
    pub fn record(&self, encoder: &mut wgpu::CommandEncoder) {
        self.record_in(&mut begin_pass(encoder, "boxwood.paths"));
    }

    /// Records the stage into a compute pass of the caller, who may time it.
    pub fn record_in(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.program.record(pass);
    }

    /// The dispatches that have something to do, in order, to record and time them one by one.
    #[cfg(feature = "testing")]
    pub fn dispatches(&self) -> Vec<Part<'_>> {
        self.program.dispatches().into_iter().filter(|part| !part.is_empty()).collect()
    }
}
