//! The buffers of a scene.

use std::sync::atomic::{AtomicBool, Ordering};

use boxwood_cpu::{Scene, tag};

use super::algorithm::{Algorithm, INPUTS, Plan};
use super::pipelines::Pipelines;
use crate::core::limits::{Limits, LimitsError, count};
use crate::core::program::{Program, begin_pass};

#[cfg(doc)]
use boxwood_cpu::{Aabb, Boxes};

/// The buffers of a scene: the inputs, the results, and the working memory of the stages.
///
/// Make them once per scene size, [`upload`](Self::upload) a scene, and [`record`](Self::record)
/// the stages. The buffers with an accessor have the usages `STORAGE`, `COPY_SRC`, `COPY_DST`, and
/// `VERTEX`, so that a later pass can bind them, copy them, or draw an instance per item. They may
/// be longer than the scene: [`n_elements`](Self::n_elements) and [`n_entries`](Self::n_entries) are
/// the numbers of valid items. Each buffer is labelled `boxwood.<stage>.<buffer>`.
///
/// With [`Algorithm::Hierarchical`], a buffer may be larger than a storage binding. If you bind
/// buffers as a whole, keep to [`Algorithm::limits_in_one_binding`].
///
/// With [`Algorithm::Hierarchical`], a scene takes 69 bytes per element, in whole partitions of
/// 1,024 elements, and 44 bytes per entry of the node stream.
#[derive(Debug)]
pub struct Buffers {
    program: Program,
    algorithm: Algorithm,
    /// Whether the stages were recorded over the present scene.
    is_recorded: AtomicBool,
}

impl Buffers {
    /// Buffers for scenes of up to `n_elements` elements and `n_entries` begins and ends, with the
    /// fastest algorithm for this size.
    ///
    /// They contain the empty scene.
    ///
    /// # Errors
    ///
    /// [`LimitsError`] if the device cannot hold such a scene; see [`limits_of`](Self::limits_of).
    /// Nothing is allocated then.
    pub fn with_capacity(
        device: &wgpu::Device,
        pipelines: &Pipelines,
        n_elements: usize,
        n_entries: usize,
    ) -> Result<Self, LimitsError> {
        let fastest = Algorithm::for_elements(n_elements, &device.adapter_info());
        let is_able = fastest.plan(n_elements, n_entries, &device.limits()).is_ok();
        let algorithm = if is_able { fastest } else { Algorithm::Hierarchical };
        Self::with_algorithm(device, pipelines, n_elements, n_entries, algorithm)
    }

    /// The same, with a given algorithm. All algorithms compute the same boxes.
    ///
    /// # Errors
    ///
    /// [`LimitsError`] if the device or the algorithm cannot hold such a scene. Nothing is
    /// allocated then.
    pub fn with_algorithm(
        device: &wgpu::Device,
        pipelines: &Pipelines,
        n_elements: usize,
        n_entries: usize,
        algorithm: Algorithm,
    ) -> Result<Self, LimitsError> {
        let Plan { stages, chunks, size } = algorithm.plan(n_elements, n_entries, &device.limits())?;
        Ok(Self {
            program: Program::new(device, &pipelines.kernels, stages, &INPUTS, &size, chunks),
            algorithm,
            is_recorded: AtomicBool::new(false),
        })
    }

    /// Buffers of the size of a scene, with the scene uploaded.
    ///
    /// # Errors
    ///
    /// The same as [`with_capacity`](Self::with_capacity).
    ///
    /// # Panics
    ///
    /// If `pipelines` belong to another device.
    pub fn of(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        pipelines: &Pipelines,
        scene: &Scene,
    ) -> Result<Self, LimitsError> {
        let mut buffers = Self::with_capacity(device, pipelines, scene.len(), scene.n_entries())?;
        buffers.upload(queue, scene)?;
        Ok(buffers)
    }

    /// The largest scene on this device, with [`Algorithm::Hierarchical`]. The limit is
    /// `max_buffer_size`, since a buffer takes 16 bytes per element. Only the trees over the
    /// partitions must fit in a storage binding (`max_storage_buffer_binding_size`). They take 32
    /// bytes per 1,024 elements, rounded up to a power of two.
    pub fn limits_of(device: &wgpu::Device) -> Limits {
        Algorithm::Hierarchical.limits_on(&device.limits())
    }

    /// Replaces the scene. The next recording computes its boxes. The upload takes effect at the
    /// next submission to `queue`, before its commands, so submit a recording before the upload of
    /// another scene.
    ///
    /// # Errors
    ///
    /// [`LimitsError`] if the scene exceeds the capacity of the buffers. They keep their scene
    /// then.
    pub fn upload(&mut self, queue: &wgpu::Queue, scene: &Scene) -> Result<(), LimitsError> {
        self.set_size(queue, scene.len(), scene.n_entries())?;
        queue.write_buffer(self.draw_tags(), 0, bytemuck::cast_slice(scene.tags()));
        queue.write_buffer(self.element_boxes(), 0, bytemuck::cast_slice(scene.boxes()));
        Ok(())
    }

    /// Replaces the scene with one that has these draw tags. A pass of the caller writes the boxes
    /// into [`element_boxes`](Self::element_boxes) before the stages run.
    ///
    /// The boxes must keep the rules of [`Aabb`](Aabb#values); nothing checks them.
    ///
    /// # Errors
    ///
    /// The same as [`upload`](Self::upload).
    pub fn upload_tags(&mut self, queue: &wgpu::Queue, draw_tags: &[u32]) -> Result<(), LimitsError> {
        let n_entries = draw_tags.iter().filter(|&&t| matches!(t, tag::BEGIN | tag::END)).count();
        self.set_size(queue, draw_tags.len(), n_entries)?;
        queue.write_buffer(self.draw_tags(), 0, bytemuck::cast_slice(draw_tags));
        Ok(())
    }

    /// Sets the size of a scene that a pass of the caller writes into
    /// [`draw_tags`](Self::draw_tags) and [`element_boxes`](Self::element_boxes) before the stages
    /// run.
    ///
    /// The boxes must keep the rules of [`Aabb`](Aabb#values), and exactly `n_entries` of the tags
    /// must be begins and ends. Nothing checks this. If it does not hold, the results have no
    /// meaning, but no shader accesses memory outside of its buffers.
    ///
    /// # Errors
    ///
    /// The same as [`upload`](Self::upload).
    pub fn set_size(
        &mut self,
        queue: &wgpu::Queue,
        n_elements: usize,
        n_entries: usize,
    ) -> Result<(), LimitsError> {
        self.capacity().check(n_elements, n_entries)?;
        self.program.set_config(queue, self.algorithm.config(count(n_elements), count(n_entries)));
        self.is_recorded = AtomicBool::new(false);
        Ok(())
    }

    /// Records all stages into the caller's encoder, as one compute pass.
    ///
    /// This does not submit, map, or wait. Later passes of the same encoder can read the results.
    /// The scene may be replaced and recorded again in every frame, after the submission.
    pub fn record(&self, encoder: &mut wgpu::CommandEncoder) {
        self.record_in(&mut begin_pass(encoder, "boxwood"));
    }

    /// Records all stages into a compute pass of the caller, who may time it.
    pub fn record_in(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.program.record(pass);
        self.is_recorded.store(true, Ordering::Relaxed);
    }

    /// Whether the stages were recorded since the last change of the scene.
    pub(super) fn is_recorded(&self) -> bool {
        self.is_recorded.load(Ordering::Relaxed)
    }

    /// The stages, in order, to record and time one of them alone.
    #[cfg(feature = "testing")]
    pub fn stages(&self) -> impl Iterator<Item = crate::testing::Part<'_>> {
        self.program.stages()
    }

    /// The dispatches, in order, to record and time one of them alone. A dispatch in rounds has one
    /// part for each of a pair of rounds.
    #[cfg(feature = "testing")]
    pub fn dispatches(&self) -> impl Iterator<Item = crate::testing::Part<'_>> {
        self.program.dispatches()
    }

    /// The algorithm that computes the boxes.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// The buffer that the shaders of the stages bind by this name.
    ///
    /// # Panics
    ///
    /// If the algorithm has no such buffer, or for `config`: the shaders run without bounds checks
    /// and rely on its contents.
    #[cfg(feature = "kernels")]
    pub fn buffer(&self, name: &str) -> &wgpu::Buffer {
        assert_ne!(name, "config", "the size of the scene is private");
        self.program.buffer(name)
    }

    /// The largest scene that the buffers can hold.
    pub fn capacity(&self) -> Limits {
        self.program.capacity()
    }

    /// The number of elements in the scene.
    pub fn n_elements(&self) -> u32 {
        self.program.config().n_elements
    }

    /// The length of the node stream of the scene.
    pub fn n_entries(&self) -> u32 {
        self.program.config().n_entries
    }

    /// In: the draw tag of each element, `array<u32>`.
    pub fn draw_tags(&self) -> &wgpu::Buffer {
        self.program.buffer("draw_tags")
    }

    /// In: the box of each element, `array<vec4<f32>>` in the layout of [`Aabb`]. A leaf has its
    /// ink box, a begin the box of its shape.
    pub fn element_boxes(&self) -> &wgpu::Buffer {
        self.program.buffer("element_boxes")
    }

    /// Out: [`Boxes::ranks`], `array<u32>`, one per element.
    pub fn ranks(&self) -> &wgpu::Buffer {
        self.program.buffer("ranks")
    }

    /// Out: [`Boxes::entries`], `array<i32>`, one per entry of the node stream.
    pub fn entries(&self) -> &wgpu::Buffer {
        self.program.buffer("entries")
    }

    /// Out: [`Boxes::links`], `array<EntryLink>`, one per entry of the node stream.
    pub fn links(&self) -> &wgpu::Buffer {
        self.program.buffer("links")
    }

    /// Out: [`Boxes::clip_boxes`], `array<vec4<f32>>`, one per entry of the node stream.
    pub fn clip_boxes(&self) -> &wgpu::Buffer {
        self.program.buffer("clip_boxes")
    }

    /// Out: [`Boxes::clipped_boxes`], `array<vec4<f32>>`, one per element. The values at elements
    /// that are not leaves have no meaning.
    pub fn clipped_boxes(&self) -> &wgpu::Buffer {
        self.program.buffer("clipped_boxes")
    }

    /// Out: [`Boxes::group_boxes`], `array<vec4<f32>>`, one per entry of the node stream.
    pub fn group_boxes(&self) -> &wgpu::Buffer {
        self.program.buffer("group_boxes")
    }
}
