//! The overlay on the GPU: outlines as instanced lines, drawn straight from the stage's buffers.

use std::ops::Range;

use boxwood::SceneBoxes;
use boxwood_cpu::Aabb;
use wgpu::util::DeviceExt as _;

use super::kinds::OverlayKinds;
use super::shown::ShownBoxes;
use super::uniforms::{LineStyle, OverlayView};

/// The boxes that the stage computed, and the parts of them that are drawn.
pub(crate) struct OverlayBoxes<'a> {
    pub(crate) boxes: &'a SceneBoxes,
    /// The elements whose boxes are drawn.
    pub(crate) elements: Range<u32>,
    /// The entries of the node stream whose boxes are drawn.
    pub(crate) entries: Range<u32>,
    /// The boxes of some elements only.
    pub(crate) shown: Option<ShownBoxes>,
    /// The opacity of the lines, from 0 to 1.
    pub(crate) opacity: f32,
}

/// The label of everything that draws the overlay.
const LABEL: Option<&str> = Some("boxwood.overlay");

/// The vertices of an outline: four edges of two triangles.
const VERTICES_PER_BOX: u32 = 24;

/// The pipeline that draws outlines.
#[derive(Debug)]
pub(crate) struct OverlayPipeline {
    /// The layout of the bind groups, which does not depend on the shader.
    layout: wgpu::BindGroupLayout,
    pipeline: wgpu::RenderPipeline,
}

impl OverlayPipeline {
    /// Compiles the pipeline for pictures of a format. Each instance has a box, and a draw tag or
    /// an entry.
    pub(crate) fn new(device: &wgpu::Device, format: wgpu::TextureFormat) -> Self {
        Self::of_shader(device, format, boxwood_shaders::view::OVERLAY.source)
    }

    /// The same, with another shader.
    pub(crate) fn of_shader(device: &wgpu::Device, format: wgpu::TextureFormat, source: &str) -> Self {
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: LABEL,
            source: wgpu::ShaderSource::Wgsl(source.into()),
        });
        let per_instance = |size: usize, attributes| {
            let (array_stride, step_mode) = (size as u64, wgpu::VertexStepMode::Instance);
            Some(wgpu::VertexBufferLayout { array_stride, step_mode, attributes })
        };
        let layout = bind_group_layout(device);
        let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: LABEL,
            bind_group_layouts: &[Some(&layout)],
            immediate_size: 0,
        });
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: LABEL,
            layout: Some(&pipeline_layout),
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
                targets: &[Some(wgpu::ColorTargetState {
                    format,
                    blend: Some(wgpu::BlendState::ALPHA_BLENDING),
                    write_mask: wgpu::ColorWrites::ALL,
                })],
            }),
            multiview_mask: None,
            cache: None,
        });
        Self { layout, pipeline }
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
        let uniform = |contents: &[u8]| {
            let usage = wgpu::BufferUsages::UNIFORM;
            device.create_buffer_init(&wgpu::util::BufferInitDescriptor { label: LABEL, contents, usage })
        };
        let view = uniform(bytemuck::bytes_of(view));
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: LABEL });
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: LABEL,
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: picture,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load: wgpu::LoadOp::Load, store: wgpu::StoreOp::Store },
            })],
            ..Default::default()
        });
        pass.set_pipeline(&self.pipeline);
        let OverlayBoxes { boxes: results, elements, entries, shown: some, opacity } = boxes;
        let draw_tags = some.as_ref().map_or(results.draw_tags(), |some| &some.draw_tags);
        let entry_words = some.as_ref().map_or(results.entries(), |some| &some.entries);
        for style in shown.styles_in_paint_order() {
            pass.push_debug_group(style.title);
            let (boxes, words, instances) = match style.kind {
                OverlayKinds::LEAF => (results.element_boxes(), draw_tags, elements),
                OverlayKinds::CLIPPED => (results.clipped_boxes(), draw_tags, elements),
                OverlayKinds::CLIP => (results.clip_boxes(), entry_words, entries),
                _ => (results.group_boxes(), entry_words, entries),
            };
            let line = uniform(bytemuck::bytes_of(&LineStyle::from(style).with_opacity(*opacity)));
            let uniforms = device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: LABEL,
                layout: &self.layout,
                entries: &[
                    wgpu::BindGroupEntry { binding: 0, resource: view.as_entire_binding() },
                    wgpu::BindGroupEntry { binding: 1, resource: line.as_entire_binding() },
                ],
            });
            pass.set_bind_group(0, &uniforms, &[]);
            pass.set_vertex_buffer(0, boxes.slice(..));
            pass.set_vertex_buffer(1, words.slice(..));
            pass.draw(0..VERTICES_PER_BOX, instances.clone());
            pass.pop_debug_group();
        }
        drop(pass);
        queue.submit([encoder.finish()]);
    }
}

/// The layout of the view and the style. A shader whose uniforms are larger gets no pipeline.
fn bind_group_layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    let uniform = |binding, size: usize| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
        ty: wgpu::BindingType::Buffer {
            ty: wgpu::BufferBindingType::Uniform,
            has_dynamic_offset: false,
            min_binding_size: wgpu::BufferSize::new(size as u64),
        },
        count: None,
    };
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: LABEL,
        entries: &[uniform(0, size_of::<OverlayView>()), uniform(1, size_of::<LineStyle>())],
    })
}
