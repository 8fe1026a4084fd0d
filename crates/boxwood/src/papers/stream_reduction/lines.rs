//! The concatenation of reduced blocks by drawing lines.

use boxwood_shaders::Slots as _;
use boxwood_shaders::papers::{REDUCTION_LINES, ReductionLines};

use super::pipelines::{ReductionConfig, StreamReductionPipelines};
use crate::core::limits::max_binding_size;
use crate::core::plan::NoRoom;
use crate::core::program::one_binding;

/// The width of the texture, if the device allows it. It must not be less than the maximum length
/// of a block.
const MAX_WIDTH: u32 = 8192;

const LABEL: Option<&str> = Some("boxwood.reduction_lines");

const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::R32Uint;

/// The vertices of the two segments of a block.
const VERTICES_PER_BLOCK: u32 = 4;

/// The render pass that draws each reduced block as a line into a texture.
#[derive(Debug)]
pub(super) struct Lines {
    pipeline: wgpu::RenderPipeline,
    group: wgpu::BindGroup,
    pub(super) texture: wgpu::Texture,
    n_blocks: u32,
}

/// The width and the height of a texture with `n` pixels or more.
pub(super) fn texture_size(device: &wgpu::Device, n: u32) -> Result<[u32; 2], NoRoom> {
    let max_size = device.limits().max_texture_dimension_2d;
    let width = max_size.min(MAX_WIDTH);
    let (need, limit) = (n.into(), u64::from(width) * u64::from(max_size));
    if need > limit {
        return Err(NoRoom { buffer: "texture", need, limit });
    }
    Ok([width, n.div_ceil(width).max(1)])
}

impl Lines {
    pub(super) fn new(
        device: &wgpu::Device,
        pipelines: &StreamReductionPipelines,
        buffers: ReductionLines<&wgpu::Buffer>,
        config: &ReductionConfig,
    ) -> Self {
        let pipeline =
            pipelines.lines.get_or_init(|| create_pipeline(device, &pipelines.lines_source)).clone();
        let binding = max_binding_size(&device.limits());
        let entries = REDUCTION_LINES.bindings.iter().zip(buffers.into_items()).map(|(variable, buffer)| {
            let part = one_binding(buffer, binding);
            wgpu::BindGroupEntry { binding: variable.index, resource: wgpu::BindingResource::Buffer(part) }
        });
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: LABEL,
            layout: &pipeline.get_bind_group_layout(0),
            entries: &entries.collect::<Vec<_>>(),
        });
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: LABEL,
            size: wgpu::Extent3d { width: config.width, height: config.height, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT
                | wgpu::TextureUsages::TEXTURE_BINDING
                | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        Self { pipeline, group, texture, n_blocks: config.n_sums }
    }

    pub(super) fn record(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        timestamp_writes: Option<wgpu::RenderPassTimestampWrites<'_>>,
    ) {
        let view = self.texture.create_view(&wgpu::TextureViewDescriptor::default());
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: LABEL,
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT),
                    store: wgpu::StoreOp::Store,
                },
            })],
            timestamp_writes,
            ..Default::default()
        });
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.group, &[]);
        pass.draw(0..VERTICES_PER_BLOCK, 0..self.n_blocks);
    }
}

fn create_pipeline(device: &wgpu::Device, source: &str) -> wgpu::RenderPipeline {
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: LABEL,
        source: wgpu::ShaderSource::Wgsl(source.into()),
    });
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: LABEL,
        layout: None,
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: None,
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            buffers: &[],
        },
        primitive: wgpu::PrimitiveState { topology: wgpu::PrimitiveTopology::LineList, ..Default::default() },
        depth_stencil: None,
        multisample: wgpu::MultisampleState::default(),
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: None,
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            targets: &[Some(FORMAT.into())],
        }),
        multiview_mask: None,
        cache: None,
    })
}
