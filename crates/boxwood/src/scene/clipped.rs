//! The buffers of a scene for its clipped boxes alone.

use boxwood_cpu::Scene;

use super::algorithm::{Algorithm, INPUTS};
use super::pipelines::Pipelines;
use crate::core::limits::{LimitsError, count};
use crate::core::program::{Program, begin_pass};

#[cfg(doc)]
use super::buffers::Buffers;
#[cfg(doc)]
use boxwood_cpu::{Aabb, Boxes};

/// The buffers of a scene for the clipped boxes of its leaves alone, without links, clip boxes, and
/// group boxes.
///
/// This is what a renderer needs for culling. It takes fewer dispatches and less time than
/// [`Buffers`], which have the other results too. The clipped boxes are the same, bit for bit.
///
/// The buffers with an accessor have the usages `STORAGE`, `COPY_SRC`, `COPY_DST`, and `VERTEX`.
/// Each is labelled `boxwood.<stage>.<buffer>`. All of them fit in a storage binding.
#[derive(Debug)]
pub struct ClippedBuffers {
    program: Program,
    algorithm: Algorithm,
}

impl ClippedBuffers {
    /// Buffers for scenes of up to `n_elements` elements, with the fastest algorithm for this size.
    /// They contain the empty scene.
    ///
    /// # Errors
    ///
    /// [`LimitsError`] if the device cannot bind such a scene. Nothing is allocated then.
    pub fn with_capacity(
        device: &wgpu::Device,
        pipelines: &Pipelines,
        n_elements: usize,
    ) -> Result<Self, LimitsError> {
        let fastest = Algorithm::for_elements(n_elements, &device.adapter_info());
        let plan = fastest.clipped_plan(&device.limits());
        let is_able = plan.is_some_and(|(_, limit)| n_elements as u64 <= limit);
        let algorithm = if is_able { fastest } else { Algorithm::Hierarchical };
        Self::with_algorithm(device, pipelines, n_elements, algorithm)
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
        algorithm: Algorithm,
    ) -> Result<Self, LimitsError> {
        let Some((stages, limit)) = algorithm.clipped_plan(&device.limits()) else {
            return Err(LimitsError::Elements { need: n_elements as u64, limit: 0 });
        };
        check(n_elements, limit)?;
        // Every element may be a begin or an end.
        let size = algorithm.config(count(n_elements), count(n_elements));
        let program = Program::new(device, &pipelines.kernels, stages, &INPUTS, &size, None);
        Ok(Self { program, algorithm })
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
        let mut buffers = Self::with_capacity(device, pipelines, scene.len())?;
        buffers.upload(queue, scene)?;
        Ok(buffers)
    }

    /// Replaces the scene, as [`Buffers::upload`] does.
    ///
    /// # Errors
    ///
    /// [`LimitsError`] if the scene exceeds the capacity of the buffers. They keep their scene
    /// then.
    pub fn upload(&mut self, queue: &wgpu::Queue, scene: &Scene) -> Result<(), LimitsError> {
        self.set_size(queue, scene.len())?;
        queue.write_buffer(self.draw_tags(), 0, bytemuck::cast_slice(scene.tags()));
        queue.write_buffer(self.element_boxes(), 0, bytemuck::cast_slice(scene.boxes()));
        Ok(())
    }

    /// Sets the size of a scene that a pass of the caller writes into
    /// [`draw_tags`](Self::draw_tags) and [`element_boxes`](Self::element_boxes) before the stages
    /// run.
    ///
    /// The boxes must keep the rules of [`Aabb`](Aabb#values). Nothing checks this. If it does not
    /// hold, the results have no meaning, but no shader accesses memory outside of its buffers.
    ///
    /// # Errors
    ///
    /// The same as [`upload`](Self::upload).
    pub fn set_size(&mut self, queue: &wgpu::Queue, n_elements: usize) -> Result<(), LimitsError> {
        check(n_elements, self.capacity())?;
        self.program.set_config(queue, self.algorithm.config(count(n_elements), count(n_elements)));
        Ok(())
    }

    /// Records all dispatches into the caller's encoder, as one compute pass. This does not submit,
    /// map, or wait.
    pub fn record(&self, encoder: &mut wgpu::CommandEncoder) {
        self.record_in(&mut begin_pass(encoder, "boxwood"));
    }

    /// Records all dispatches into a compute pass of the caller, who may time it.
    pub fn record_in(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.program.record(pass);
    }

    /// Records the dispatches before the last one into a compute pass of the caller, whose own
    /// kernel takes the place of `fused_clip`.
    #[cfg(feature = "kernels")]
    pub fn record_stacks_in(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.program.record_all_but_last(pass);
    }

    /// The number of workgroups of that kernel.
    #[cfg(feature = "kernels")]
    pub fn n_partitions(&self) -> u32 {
        self.program.config().n_partitions
    }

    /// That kernel, or one that runs before the recording, with the buffers that `own` returns by
    /// name, and these buffers for the other names.
    ///
    /// # Panics
    ///
    /// If a name has no buffer.
    #[cfg(feature = "kernels")]
    pub fn bind<'a>(
        &'a self,
        device: &wgpu::Device,
        kernel: &crate::Kernel,
        own: impl Fn(&str) -> Option<&'a wgpu::Buffer>,
    ) -> crate::BoundKernel {
        kernel.bind(device, |name| own(name).unwrap_or_else(|| self.program.buffer(name)))
    }

    /// The algorithm that computes the boxes.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// The largest number of elements that the buffers can hold.
    pub fn capacity(&self) -> u64 {
        self.program.capacity().max_elements
    }

    /// The number of elements in the scene.
    pub fn n_elements(&self) -> u32 {
        self.program.config().n_elements
    }

    /// In: one draw tag per element, `array<u32>`, as in [`Buffers::draw_tags`].
    pub fn draw_tags(&self) -> &wgpu::Buffer {
        self.program.buffer("draw_tags")
    }

    /// In: one box per element, `array<vec4<f32>>`, as in [`Buffers::element_boxes`].
    pub fn element_boxes(&self) -> &wgpu::Buffer {
        self.program.buffer("element_boxes")
    }

    /// Out: [`Boxes::clipped_boxes`], `array<vec4<f32>>`, one per element. The values at elements
    /// that are not leaves have no meaning.
    pub fn clipped_boxes(&self) -> &wgpu::Buffer {
        self.program.buffer("clipped_boxes")
    }
}

fn check(n_elements: usize, limit: u64) -> Result<(), LimitsError> {
    let need = n_elements as u64;
    if need > limit { Err(LimitsError::Elements { need, limit }) } else { Ok(()) }
}
