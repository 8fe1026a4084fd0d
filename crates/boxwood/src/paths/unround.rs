//! Path boxes from the rounded boxes of a renderer.

use boxwood_cpu::Aabb;
use boxwood_cpu::paths::RoundedBox;
use boxwood_shaders::paths::PathUnround;

use super::config::PathConfig;
use super::error::PathsError;
use crate::core::context::Context;
use crate::core::limits::{WORKGROUP_SIZE, max_binding_size};
use crate::core::plan::{NoRoom, Plan};
use crate::core::program::{Program, begin_pass};

/// Converts boxes in whole pixels that a renderer has computed, such as Vello's `path_bboxes`, to
/// path boxes.
///
/// A box without area becomes [`Aabb::EMPTY`]. Edges beyond 2²⁴ that `f32` cannot represent are
/// rounded outward.
#[derive(Debug)]
pub struct UnroundPass {
    program: Program<u32>,
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
        rounded_boxes: &wgpu::Buffer,
        boxes: &wgpu::Buffer,
        n_paths: u32,
    ) -> Result<Self, PathsError> {
        let mut plan = Plan::new("boxwood.paths", ());
        let config = plan.uniform("config", &PathConfig { n_paths, ..PathConfig::default() });
        let rounded_boxes = plan.given::<RoundedBox>("rounded_boxes", rounded_boxes, n_paths);
        let path_boxes = plan.given::<Aabb>("path_boxes", boxes, n_paths);
        plan.begin("boxwood.paths");
        plan.dispatch(PathUnround { config, rounded_boxes, path_boxes }, n_paths.div_ceil(WORKGROUP_SIZE));
        plan.end();
        let room = plan.check(max_binding_size(&context.device().limits()));
        room.map_err(|NoRoom { need, limit, .. }| PathsError::TooLarge { items: "paths", need, limit })?;
        Ok(Self { program: Program::new(context, plan) })
    }

    /// Records the conversion, as one compute pass. The renderer must compute its boxes earlier in
    /// the same encoder, or in an earlier submission.
    pub fn record(&self, encoder: &mut wgpu::CommandEncoder) {
        self.program.record(&mut begin_pass(encoder, "boxwood.paths"));
    }
}
