//! The overlay on the GPU: outlines as instanced lines, drawn straight from the stage's buffers.

use std::ops::Range;

use boxwood::Buffers;
use boxwood_cpu::Aabb;
use wgpu::util::DeviceExt as _;

use super::kinds::OverlayKinds;
use super::uniforms::{LineStyle, OverlayView};

/// The boxes that the stage computed, and the parts of them that are drawn.
pub(crate) struct OverlayBoxes<'a> {
    pub(crate) buffers: &'a Buffers,
    /// The elements whose boxes are drawn.
    pub(crate) elements: Range<u32>,
    /// The entries of the node stream whose boxes are drawn.
    pub(crate) nodes: Range<u32>,
}

/// The vertices of an outline: four edges of two triangles.
const VERTICES_PER_BOX: u32 = 24;

/// The pipeline that draws outlines, and the uniforms that it reads.
#[derive(Debug)]
pub(crate) struct OverlayPipeline {
    pipeline: wgpu::RenderPipeline,
    view: wgpu::Buffer,
    /// The kinds in paint order, each with the view and its line.
    kinds: Vec<(OverlayKinds, wgpu::BindGroup)>,
}

impl OverlayPipeline {
    /// Compiles the pipeline for pictures of a format.
    pub(crate) fn new(device: &wgpu::Device, format: wgpu::TextureFormat) -> Self {
        let pipeline = pipeline(device, format);
        let view = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("boxwood.overlay.view"),
            size: size_of::<OverlayView>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let layout = pipeline.get_bind_group_layout(0);
        let kinds = OverlayKinds::ALL.styles_in_paint_order().map(|style| {
            let line = device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
                label: Some("boxwood.overlay.style"),
                contents: bytemuck::bytes_of(&LineStyle::from(style)),
                usage: wgpu::BufferUsages::UNIFORM,
            });
            let uniforms = device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("boxwood.overlay"),
                layout: &layout,
                entries: &[
                    wgpu::BindGroupEntry { binding: 0, resource: view.as_entire_binding() },
                    wgpu::BindGroupEntry { binding: 1, resource: line.as_entire_binding() },
                ],
            });
            (style.kind, uniforms)
        });
        Self { kinds: kinds.collect(), pipeline, view }
    }

    /// Draws the outlines of the kinds in `shown` over a picture, and submits that.
    pub(crate) fn draw(
        &self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        picture: &wgpu::TextureView,
        boxes: &OverlayBoxes<'_>,
        view: &OverlayView,
        shown: OverlayKinds,
    ) {
        queue.write_buffer(&self.view, 0, bytemuck::bytes_of(view));
        let label = Some("boxwood.overlay");
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label });
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label,
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: picture,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load: wgpu::LoadOp::Load, store: wgpu::StoreOp::Store },
            })],
            ..Default::default()
        });
        pass.set_pipeline(&self.pipeline);
        let OverlayBoxes { buffers, elements, nodes } = boxes;
        for (kind, uniforms) in self.kinds.iter().filter(|(kind, _)| shown.contains(*kind)) {
            let (boxes, words, instances) = match *kind {
                OverlayKinds::LEAF => (buffers.element_boxes(), buffers.draw_tags(), elements),
                OverlayKinds::CLIPPED => (buffers.clipped_boxes(), buffers.draw_tags(), elements),
                OverlayKinds::CLIP => (buffers.clip_boxes(), buffers.nodes(), nodes),
                _ => (buffers.group_boxes(), buffers.nodes(), nodes),
            };
            pass.set_bind_group(0, uniforms, &[]);
            pass.set_vertex_buffer(0, boxes.slice(..));
            pass.set_vertex_buffer(1, words.slice(..));
            pass.draw(0..VERTICES_PER_BOX, instances.clone());
        }
        drop(pass);
        queue.submit([encoder.finish()]);
    }
}

/// The pipeline: each instance has a box, and a draw tag or a node.
fn pipeline(device: &wgpu::Device, format: wgpu::TextureFormat) -> wgpu::RenderPipeline {
    let label = Some("boxwood.overlay");
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label,
        source: wgpu::ShaderSource::Wgsl(boxwood_shaders::view::OVERLAY.source.into()),
    });
    let per_instance = |size: usize, attributes| {
        let (array_stride, step_mode) = (size as u64, wgpu::VertexStepMode::Instance);
        Some(wgpu::VertexBufferLayout { array_stride, step_mode, attributes })
    };
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label,
        layout: None,
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: None,
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            buffers: &[
                per_instance(size_of::<Aabb>(), &wgpu::vertex_attr_array![0 => Float32x4]),
                per_instance(size_of::<u32>(), &wgpu::vertex_attr_array![1 => Uint32]),
            ],
        },
        primitive: wgpu::PrimitiveState::default(),
        depth_stencil: None,
        multisample: wgpu::MultisampleState::default(),
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: None,
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            targets: &[Some(format.into())],
        }),
        multiview_mask: None,
        cache: None,
    })
}
