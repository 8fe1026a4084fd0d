//! Vello's debug layers, drawn over a picture from the buffers of its frame.

use std::collections::BTreeMap;

use boxwood::Staging;
use boxwood_shaders::vello::VELLO_DEBUG_LAYERS;
use vello::low_level::DebugLayers;
use vello_encoding::LineSoup;
use wgpu::PrimitiveTopology::{LineStrip, TriangleStrip};
use wgpu::util::DeviceExt as _;

use super::draw::Frame;
use crate::engine::Engine;
use crate::error::Error;

/// The pipelines of the layers, and the buffers of the last frame.
pub(super) struct DebugRenderer {
    tint: wgpu::RenderPipeline,
    boxes: wgpu::RenderPipeline,
    segments: wgpu::RenderPipeline,
    points: wgpu::RenderPipeline,
    captured: Option<Captured>,
}

struct Captured {
    path_bboxes: wgpu::Buffer,
    n_paths: u32,
    lines: wgpu::Buffer,
}

/// The size in pixels and the colour of line ends: CSS's `darkcyan`.
const POINTS: [f32; 5] = [10.0, 0.0, 139.0 / 255.0, 139.0 / 255.0, 1.0];

/// The same for line ends that are not the end of another line of the same path.
const UNPAIRED_POINTS: [f32; 5] = [80.0, 1.0, 0.0, 0.0, 1.0];

/// The bindings of `path_bboxes` and `lines` in the shader.
const PATH_BBOXES: u32 = 1;
const LINES: u32 = 2;

impl DebugRenderer {
    pub(super) fn new(device: &wgpu::Device) -> Self {
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("boxwood.vello.debug_layers"),
            source: wgpu::ShaderSource::Wgsl(VELLO_DEBUG_LAYERS.source.into()),
        });
        let pipeline = |entry_point, topology| {
            device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: Some(entry_point),
                layout: None,
                vertex: wgpu::VertexState {
                    module: &module,
                    entry_point: Some(entry_point),
                    compilation_options: wgpu::PipelineCompilationOptions::default(),
                    buffers: &[],
                },
                primitive: wgpu::PrimitiveState { topology, ..Default::default() },
                depth_stencil: None,
                multisample: wgpu::MultisampleState::default(),
                fragment: Some(wgpu::FragmentState {
                    module: &module,
                    entry_point: Some("fragment"),
                    compilation_options: wgpu::PipelineCompilationOptions::default(),
                    targets: &[Some(wgpu::ColorTargetState {
                        format: wgpu::TextureFormat::Rgba8Unorm,
                        blend: Some(wgpu::BlendState::ALPHA_BLENDING),
                        write_mask: wgpu::ColorWrites::ALL,
                    })],
                }),
                multiview_mask: None,
                cache: None,
            })
        };
        Self {
            tint: pipeline("tint", TriangleStrip),
            boxes: pipeline("box_outline", LineStrip),
            segments: pipeline("segment", TriangleStrip),
            points: pipeline("disc", TriangleStrip),
            captured: None,
        }
    }

    /// Keeps the buffers of the frame that the engine has run. The next frame overwrites them.
    pub(super) fn capture(&mut self, engine: &Engine, n_paths: u32) {
        let named = |name| engine.resources.named(name);
        let buffers = named("vello.path_bbox_buf").zip(named("vello.lines_buf"));
        self.captured = buffers.map(|(path_bboxes, lines)| Captured { path_bboxes, n_paths, lines });
    }

    /// Draws layers over the frame, which has `n_lines` line segments.
    pub(super) async fn draw(
        &self,
        frame: &Frame<'_>,
        n_lines: u32,
        layers: DebugLayers,
    ) -> Result<(), Error> {
        let Some(Captured { path_bboxes, n_paths, lines }) = &self.captured else { return Ok(()) };
        // After an overflow the counter exceeds the buffer.
        let capacity = lines.size() / size_of::<LineSoup>() as u64;
        let n_lines = n_lines.min(u32::try_from(capacity).unwrap_or(u32::MAX));
        let unpaired = if layers.contains(DebugLayers::VALIDATION) && n_lines > 0 {
            unpaired_points(&read_lines(frame, lines, n_lines as usize).await?)
        } else {
            Vec::new()
        };
        let n_unpaired = u32::try_from(unpaired.len()).unwrap_or(u32::MAX);
        let unpaired = frame.device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
            label: Some("boxwood.vello.unpaired_points"),
            contents: bytemuck::cast_slice(&unpaired),
            usage: wgpu::BufferUsages::STORAGE,
        });

        let mut encoder = frame.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("boxwood.vello.debug_layers"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: frame.texture,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load: wgpu::LoadOp::Load, store: wgpu::StoreOp::Store },
            })],
            ..Default::default()
        });
        pass.set_pipeline(&self.tint);
        pass.draw(0..4, 0..1);
        let shapes = [
            (DebugLayers::BOUNDING_BOXES, &self.boxes, 5, (PATH_BBOXES, path_bboxes, *n_paths), POINTS),
            (DebugLayers::LINESOUP_SEGMENTS, &self.segments, 4, (LINES, lines, n_lines), POINTS),
            (DebugLayers::LINESOUP_POINTS, &self.points, 4, (LINES, lines, n_lines), POINTS),
            (DebugLayers::VALIDATION, &self.points, 4, (LINES, &unpaired, n_unpaired), UNPAIRED_POINTS),
        ];
        for (layer, pipeline, n_vertices, (binding, buffer, count), style) in shapes {
            if layers.contains(layer) && count > 0 {
                pass.set_pipeline(pipeline);
                pass.set_bind_group(0, &bind(frame, pipeline, (binding, buffer), style), &[]);
                pass.draw(0..n_vertices, 0..count);
            }
        }
        drop(pass);
        frame.queue.submit([encoder.finish()]);
        Ok(())
    }
}

/// The bind group of a layer: `DebugStyle` of the shader, and the buffer of its instances. Segments
/// and boxes ignore the size and the colour of points.
fn bind(
    frame: &Frame<'_>,
    pipeline: &wgpu::RenderPipeline,
    (binding, instances): (u32, &wgpu::Buffer),
    [point_size, r, g, b, a]: [f32; 5],
) -> wgpu::BindGroup {
    #[expect(clippy::cast_precision_loss, reason = "sides of textures are far below 2^24")]
    let [width, height] = [frame.params.width, frame.params.height].map(|side| side as f32);
    let style = frame.device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
        label: Some("boxwood.vello.debug_style"),
        contents: bytemuck::bytes_of(&[width, height, point_size, 0.0, r, g, b, a]),
        usage: wgpu::BufferUsages::UNIFORM,
    });
    frame.device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("boxwood.vello.debug_layers"),
        layout: &pipeline.get_bind_group_layout(0),
        entries: &[(0, &style), (binding, instances)]
            .map(|(binding, buffer)| wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() }),
    })
}

async fn read_lines(frame: &Frame<'_>, lines: &wgpu::Buffer, count: usize) -> Result<Vec<LineSoup>, Error> {
    let staging = Staging::new(frame.device, count * size_of::<LineSoup>());
    let mut encoder = frame.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    staging.record_copy::<LineSoup>(&mut encoder, lines, 0..count);
    frame.queue.submit([encoder.finish()]);
    Ok(staging.start_read(count).await?)
}

/// The line ends that are not the end of another line of the same path, as lines of no length. The
/// lines of a path have no gaps, so the bits of the coordinates are compared.
fn unpaired_points(lines: &[LineSoup]) -> Vec<LineSoup> {
    let mut unpaired = BTreeMap::new();
    for (line, point) in lines.iter().flat_map(|line| [(line, line.p0), (line, line.p1)]) {
        let key = (line.path_ix, point.map(f32::to_bits));
        if unpaired.remove(&key).is_none() {
            unpaired.insert(key, LineSoup { p0: point, p1: point, ..*line });
        }
    }
    for ((path, _), LineSoup { p0, .. }) in &unpaired {
        log::warn!("path {path}: the line end {p0:?} is not paired");
    }
    unpaired.into_values().collect()
}
