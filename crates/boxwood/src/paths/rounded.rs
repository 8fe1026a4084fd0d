//! The boxes that a renderer has rounded.

use crate::core::limits::max_binding_size;
use super::config::PathConfig;
use crate::core::WORKGROUP_SIZE;
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
        path_bounds: &PathPipelines,
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
        let group = path_bounds.kernels.get(&shaders::PATH_UNROUND).bind_parts(device, part);
        let max_per_dimension = limits.max_compute_workgroups_per_dimension;
        Ok(Self { group, workgroups: in_rows(n_paths.div_ceil(WORKGROUP_SIZE), max_per_dimension) })
    }
}

impl PathPipelines {
    /// Records what makes boxes of a renderer's, which it has computed in the same encoder or before.
    pub fn record_rounded(&self, encoder: &mut wgpu::CommandEncoder, boxes: &RoundedBoxes) {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some("boxwood.path_bounds"),
            timestamp_writes: None,
        });
        self.dispatch(&mut pass, &shaders::PATH_UNROUND, boxes.workgroups, &boxes.group);
    }
}
