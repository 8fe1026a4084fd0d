//! Path boxes from the rounded boxes of a renderer.

use boxwood_cpu::Aabb;
use boxwood_cpu::paths::RoundedBox;
use boxwood_shaders::paths as shaders;

use super::PathsError;
use super::config::PathConfig;
use crate::core::context::Context;
use crate::core::kernel::BoundKernel;
use crate::core::limits::{WORKGROUP_SIZE, max_binding_size};
use crate::core::program::{begin_pass, one_binding, uniform};

/// Converts boxes in whole pixels that a renderer has computed, such as Vello's `path_bboxes`, to
/// path boxes.
///
/// A box without area becomes [`Aabb::EMPTY`]. Edges beyond 2²⁴ that `f32` cannot represent are
/// rounded outward.
#[derive(Debug)]
pub struct UnroundPass {
    kernel: BoundKernel,
    n_workgroups: u32,
}

impl UnroundPass {
    /// Prepares the conversion of the first `n_paths` of `rounded_boxes`, a [`RoundedBox`] each, to
    /// the first of `boxes`, `array<vec4<f32>>`. Both buffers need the usage `STORAGE`.
    ///
    /// # Errors
    ///
    /// [`PathsError::TooLarge`] if the paths exceed either buffer or a binding of `device`.
    pub fn new(
        context: &Context,
        queue: &wgpu::Queue,
        rounded_boxes: &wgpu::Buffer,
        boxes: &wgpu::Buffer,
        n_paths: u32,
    ) -> Result<Self, PathsError> {
        let device = context.device();
        let binding = max_binding_size(&device.limits());
        let max_rounded = rounded_boxes.size().min(binding) / size_of::<RoundedBox>() as u64;
        let limit = max_rounded.min(boxes.size().min(binding) / size_of::<Aabb>() as u64);
        // wgpu rejects empty bindings.
        let need = n_paths.max(1).into();
        if need > limit {
            return Err(PathsError::TooLarge { items: "paths", need, limit });
        }
        let config = uniform(device, "boxwood.paths.config", &PathConfig::default());
        queue.write_buffer(&config, 0, bytemuck::bytes_of(&PathConfig { n_paths, ..PathConfig::default() }));
        let buffer_of = |variable: &str| match variable {
            "config" => &config,
            "rounded_boxes" => rounded_boxes,
            _ => boxes,
        };
        let kernel = context.kernel(&shaders::PATH_UNROUND);
        let kernel = kernel.bind_parts(device, |variable| one_binding(buffer_of(variable), binding));
        Ok(Self { kernel, n_workgroups: n_paths.div_ceil(WORKGROUP_SIZE) })
    }

    /// Records the conversion, as one compute pass. The renderer must compute its boxes earlier in
    /// the same encoder, or in an earlier submission.
    pub fn record(&self, encoder: &mut wgpu::CommandEncoder) {
        self.kernel.record(&mut begin_pass(encoder, "boxwood.paths"), self.n_workgroups);
    }
}
