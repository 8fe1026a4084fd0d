//! The overlay on the GPU: boxes as instanced lines, straight from the buffers of the stage.

use std::ops::Range;

use boxwood::Buffers;
use boxwood_cpu::Aabb;
use bytemuck::{Pod, Zeroable};
use wgpu::util::DeviceExt as _;

use crate::canvas::PICTURE_FORMAT;
use crate::kinds::{OverlayKinds, OverlayStyle};
use crate::lines::LineView;

/// What the shader needs to know of a kind of box. Layout: `Style` of `overlay.wgsl`.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
struct Style {
    color: [f32; 4],
    dash_bits: u32,
    dash_period: u32,
    padding: [u32; 2],
}

/// What is shown of the boxes that the stage has left.
pub(crate) struct OverlayBoxes<'a> {
    pub(crate) buffers: &'a Buffers,
    /// Which elements are.
    pub(crate) elements: Range<u32>,
    /// Which entries of the node stream are.
    pub(crate) nodes: Range<u32>,
}

impl<'a> OverlayBoxes<'a> {
    /// All of them.
    pub(crate) fn all(buffers: &'a Buffers) -> Self {
        Self { buffers, elements: 0..buffers.n_elements(), nodes: 0..buffers.n_nodes() }
    }
}

/// Four edges of two triangles.
const VERTICES_PER_BOX: u32 = 24;

/// The pipelines that draw outlines of boxes, and the uniforms they read.
#[derive(Debug)]
pub(crate) struct Overlay {
    leaf_pipeline: wgpu::RenderPipeline,
    node_pipeline: wgpu::RenderPipeline,
    view: wgpu::Buffer,
    kinds: Vec<(OverlayKinds, wgpu::BindGroup)>,
}

impl Overlay {
    pub(crate) fn new(device: &wgpu::Device) -> Self {
        let shader = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("boxwood.overlay"),
            source: wgpu::ShaderSource::Wgsl(boxwood_shaders::view::OVERLAY.source.into()),
        });
        let uniform = |binding, visibility| wgpu::BindGroupLayoutEntry {
            binding,
            visibility,
            ty: wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Uniform,
                has_dynamic_offset: false,
                min_binding_size: None,
            },
            count: None,
        };
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("boxwood.overlay"),
            entries: &[
                uniform(0, wgpu::ShaderStages::VERTEX_FRAGMENT),
                uniform(1, wgpu::ShaderStages::FRAGMENT),
            ],
        });
        let view = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("boxwood.overlay.view"),
            size: size_of::<LineView>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let kinds = OverlayKinds::ALL
            .styles_in_paint_order()
            .map(|style| (style.kind, bind_group(device, &layout, &view, style)))
            .collect();
        Self {
            leaf_pipeline: pipeline(device, &layout, &shader, "leaf_outline", wgpu::VertexFormat::Uint32),
            node_pipeline: pipeline(device, &layout, &shader, "node_outline", wgpu::VertexFormat::Sint32),
            view,
            kinds,
        }
    }

    /// Records the drawing of the outlines over `picture`. `view` is written before the next submission.
    pub(crate) fn record(
        &self,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        picture: &wgpu::TextureView,
        boxes: &OverlayBoxes<'_>,
        view: &LineView,
        shown: OverlayKinds,
    ) {
        let OverlayBoxes { buffers, elements, nodes } = boxes;
        queue.write_buffer(&self.view, 0, bytemuck::bytes_of(view));
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("boxwood.overlay"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: picture,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load: wgpu::LoadOp::Load, store: wgpu::StoreOp::Store },
            })],
            ..Default::default()
        });
        for (kind, bind_group) in self.kinds.iter().filter(|(kind, _)| shown.contains(*kind)) {
            let (pipeline, boxes, marks, shown) = match *kind {
                OverlayKinds::LEAF => {
                    (&self.leaf_pipeline, buffers.element_boxes(), buffers.draw_tags(), elements)
                }
                OverlayKinds::CLIPPED => {
                    (&self.leaf_pipeline, buffers.clipped_boxes(), buffers.draw_tags(), elements)
                }
                OverlayKinds::CLIP => (&self.node_pipeline, buffers.clip_boxes(), buffers.nodes(), nodes),
                _ => (&self.node_pipeline, buffers.group_boxes(), buffers.nodes(), nodes),
            };
            if !shown.is_empty() {
                pass.set_pipeline(pipeline);
                pass.set_bind_group(0, bind_group, &[]);
                pass.set_vertex_buffer(0, boxes.slice(..));
                pass.set_vertex_buffer(1, marks.slice(..));
                pass.draw(0..VERTICES_PER_BOX, shown.clone());
            }
        }
    }
}

fn bind_group(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    view: &wgpu::Buffer,
    style: &OverlayStyle,
) -> wgpu::BindGroup {
    let [red, green, blue] = style.color.map(|channel| f32::from(channel) / 255.0);
    let dash = style.dash_bits();
    let style = Style {
        color: [red, green, blue, 1.0],
        dash_bits: dash.bits,
        dash_period: dash.period,
        padding: [0; 2],
    };
    let style = device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
        label: Some("boxwood.overlay.style"),
        contents: bytemuck::bytes_of(&style),
        usage: wgpu::BufferUsages::UNIFORM,
    });
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("boxwood.overlay"),
        layout,
        entries: &[
            wgpu::BindGroupEntry { binding: 0, resource: view.as_entire_binding() },
            wgpu::BindGroupEntry { binding: 1, resource: style.as_entire_binding() },
        ],
    })
}

fn pipeline(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    shader: &wgpu::ShaderModule,
    vertex: &str,
    mark: wgpu::VertexFormat,
) -> wgpu::RenderPipeline {
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some("boxwood.overlay"),
        bind_group_layouts: &[Some(layout)],
        immediate_size: 0,
    });
    let per_instance = |stride, attribute| {
        Some(wgpu::VertexBufferLayout {
            array_stride: stride,
            step_mode: wgpu::VertexStepMode::Instance,
            attributes: attribute,
        })
    };
    let box_attribute =
        [wgpu::VertexAttribute { format: wgpu::VertexFormat::Float32x4, offset: 0, shader_location: 0 }];
    let mark_attribute = [wgpu::VertexAttribute { format: mark, offset: 0, shader_location: 1 }];
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("boxwood.overlay"),
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module: shader,
            entry_point: Some(vertex),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            buffers: &[
                per_instance(size_of::<Aabb>() as u64, &box_attribute),
                per_instance(mark.size(), &mark_attribute),
            ],
        },
        primitive: wgpu::PrimitiveState::default(),
        depth_stencil: None,
        multisample: wgpu::MultisampleState::default(),
        fragment: Some(wgpu::FragmentState {
            module: shader,
            entry_point: Some("fragment"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            targets: &[Some(PICTURE_FORMAT.into())],
        }),
        multiview_mask: None,
        cache: None,
    })
}

#[cfg(test)]
mod tests {
    use std::mem::offset_of;

    use super::*;

    /// The offsets of the members of a struct of `overlay.wgsl`, and its size.
    fn wgsl_layout(name: &str) -> (Vec<(String, usize)>, usize) {
        let module = wgpu::naga::front::wgsl::parse_str(boxwood_shaders::view::OVERLAY.source)
            .expect("it was validated");
        let (_, found) =
            module.types.iter().find(|(_, t)| t.name.as_deref() == Some(name)).expect("the struct exists");
        let wgpu::naga::TypeInner::Struct { members, span } = &found.inner else {
            panic!("{name} is no struct");
        };
        let offsets =
            members.iter().map(|m| (m.name.clone().expect("a member has a name"), m.offset as usize));
        (offsets.collect(), *span as usize)
    }

    #[test]
    fn the_uniforms_have_the_layout_of_the_shader() {
        let (members, size) = wgsl_layout("Style");
        let expected = [
            ("color".to_owned(), offset_of!(Style, color)),
            ("dash_bits".to_owned(), offset_of!(Style, dash_bits)),
            ("dash_period".to_owned(), offset_of!(Style, dash_period)),
        ];
        assert_eq!((members, size), (expected.to_vec(), size_of::<Style>()));
        let (members, size) = wgsl_layout("View");
        let expected: Vec<_> = LineView::OFFSETS.map(|(name, offset)| (name.to_owned(), offset)).to_vec();
        assert_eq!((members, size), (expected, size_of::<LineView>()));
    }
}
