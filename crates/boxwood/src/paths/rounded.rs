//! The boxes that a renderer has rounded.

use super::config::PathConfig;
use crate::core::WORKGROUP_SIZE;
use crate::core::limits::max_binding_size;
use boxwood_cpu::Aabb;
use boxwood_cpu::paths::PathBbox;
use boxwood_shaders::paths as shaders;

use super::buffers::{config_buffer, one_binding};
use super::{PathPipelines, PathsError, in_rows};

/// Boxes in whole pixels that a renderer has computed, such as Vello's `path_bboxes`, to be taken for the boxes of the elements.
///
/// A box without area becomes [`Aabb::EMPTY`]; edges beyond 2²⁴, which `f32` does not hold, are rounded outward.
#[derive(Debug)]
pub struct RoundedBoxes {
    pipeline: wgpu::ComputePipeline,
    group: wgpu::BindGroup,
    workgroups: [u32; 2],
}

impl RoundedBoxes {
    /// From the first `n_paths` of `path_bboxes`, [`PathBbox`] each, to the first of `boxes`, `array<vec4<f32>>`. Both buffers have the
    /// usage `STORAGE`.
    ///
    /// # Errors
    ///
    /// More paths than either buffer holds, or than `device` can bind.
    pub fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        pipelines: &PathPipelines,
        path_bboxes: &wgpu::Buffer,
        boxes: &wgpu::Buffer,
        n_paths: u32,
    ) -> Result<Self, PathsError> {
        let limits = device.limits();
        let binding = max_binding_size(&limits);
        let n_bboxes = path_bboxes.size().min(binding) / size_of::<PathBbox>() as u64;
        let limit = n_bboxes.min(boxes.size().min(binding) / size_of::<Aabb>() as u64);
        // Of none too a binding has one.
        let need = n_paths.max(1).into();
        if need > limit {
            return Err(PathsError::Paths { need, limit });
        }
        let config = config_buffer(device);
        queue.write_buffer(&config, 0, bytemuck::bytes_of(&PathConfig { n_paths, ..PathConfig::default() }));
        let buffer_of = |name: &str| match name {
            "config" => &config,
            "path_bboxes" => path_bboxes,
            _ => boxes,
        };
        let part = |name: &str| one_binding(buffer_of(name), binding);
        let kernel = pipelines.kernels.get(&shaders::PATH_UNROUND);
        let group = kernel.bind_parts(device, part);
        let pipeline = kernel.pipeline().clone();
        let max_per_dimension = limits.max_compute_workgroups_per_dimension;
        Ok(Self { pipeline, group, workgroups: in_rows(n_paths.div_ceil(WORKGROUP_SIZE), max_per_dimension) })
    }

    /// Records the conversion, as one compute pass. The renderer computes its boxes in the same encoder or before.
    pub fn record(&self, encoder: &mut wgpu::CommandEncoder) {
        let [x, y] = self.workgroups;
        if x > 0 && y > 0 {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                label: Some("boxwood.paths"),
                timestamp_writes: None,
            });
            pass.set_pipeline(&self.pipeline);
            pass.set_bind_group(0, &self.group, &[]);
            pass.dispatch_workgroups(x, y, 1);
        }
    }
}
