//! The compiled shaders of stream reduction, and their uniform.

use std::sync::OnceLock;

#[cfg(feature = "testing")]
use boxwood_shaders::Shader;
use boxwood_shaders::papers::REDUCTION_LINES;
use bytemuck::{Pod, Zeroable};

use crate::core::context::Context;

/// The sizes of a stream. `reduction_config.wgsl` has the same layout.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct ReductionConfig {
    /// The number of items.
    pub n_items: u32,
    /// The number of items of a block.
    pub block_length: u32,
    /// The number of prefix sums.
    pub n_sums: u32,
    /// The distance of the terms of one step of the prefix sum.
    pub distance: u32,
    /// The width of the texture.
    pub width: u32,
    /// The height of the texture.
    pub height: u32,
    /// The size of a uniform is a multiple of 16 bytes.
    pub padding: [u32; 2],
}

/// The compiled shaders of this module. Create them once per device. Each shader is compiled when
/// it is first used.
#[derive(Debug)]
pub struct StreamReductionPipelines {
    pub(super) context: Context,
    pub(super) lines_source: String,
    pub(super) lines: OnceLock<wgpu::RenderPipeline>,
}

impl StreamReductionPipelines {
    /// The pipelines of the papers' variants, which include a render pipeline.
    pub fn new(context: &Context) -> Self {
        Self {
            context: context.clone(),
            lines_source: REDUCTION_LINES.source.to_owned(),
            lines: OnceLock::new(),
        }
    }

    /// The same pipelines from other sources, compiled with wgpu's runtime checks. The sources must
    /// bind the same resources. A shader that already has this source is not compiled again.
    #[cfg(feature = "testing")]
    #[must_use]
    pub fn with_changes(&self, source: impl Fn(&Shader) -> String) -> Self {
        let lines_source = source(&REDUCTION_LINES);
        Self { context: self.context.with_changes(source), lines_source, lines: OnceLock::new() }
    }
}
