//! Vello's debug layers, drawn over a picture from the buffers of its frame.

use std::collections::BTreeMap;

use boxwood::Staging;
use boxwood_shaders::vello::VELLO_DEBUG_LAYERS;
use vello::low_level::DebugLayers;
use vello_encoding::LineSoup;
use wgpu::PrimitiveTopology::{LineStrip, TriangleStrip};
use wgpu::util::DeviceExt as _;

use crate::compile::checked;
use crate::engine::{Engine, Frame, Run};
use crate::error::Error;

/// The label of everything that draws layers.
const LABEL: Option<&str> = Some("boxwood.vello.debug_layers");

/// The pipelines of the layers, and the buffers of the last frame.
pub(super) struct DebugRenderer {
    tint: wgpu::RenderPipeline,
    /// Each layer with its pipeline and the number of vertices of an instance.
    layers: [(DebugLayers, wgpu::RenderPipeline, u32); 4],
    captured: Option<Captured>,
}

struct Captured {
    path_bboxes: wgpu::Buffer,
    n_paths: u32,
    lines: wgpu::Buffer,
}

/// The bindings of `path_bboxes` and `lines` in the shader.
const PATH_BBOXES: u32 = 1;
const LINES: u32 = 2;

impl DebugRenderer {
    pub(super) fn new(device: &wgpu::Device) -> Self {
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: LABEL,
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
            layers: [
                (DebugLayers::BOUNDING_BOXES, pipeline("box_outline", LineStrip), 5),
                (DebugLayers::LINESOUP_SEGMENTS, pipeline("segment", TriangleStrip), 4),
                (DebugLayers::LINESOUP_POINTS, pipeline("point", TriangleStrip), 4),
                (DebugLayers::VALIDATION, pipeline("unpaired_point", TriangleStrip), 4),
            ],
            captured: None,
        }
    }

    /// Keeps the buffers of the frame that the engine has run. The next frame overwrites them.
    pub(super) fn capture(&mut self, engine: &mut Engine, run: &Run<'_>) -> Result<(), Error> {
        let path_bboxes = engine.buffer(run, "vello.path_bbox_buf")?;
        let lines = engine.buffer(run, "vello.lines_buf")?;
        self.captured = Some(Captured { path_bboxes, n_paths: run.config.layout.n_paths, lines });
        Ok(())
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
        let create_buffer = |contents, usage| {
            let label = LABEL;
            frame.device.create_buffer_init(&wgpu::util::BufferInitDescriptor { label, contents, usage })
        };
        let unpaired = create_buffer(bytemuck::cast_slice(&unpaired), wgpu::BufferUsages::STORAGE);
        #[expect(clippy::cast_precision_loss, reason = "sides of textures are far below 2^24")]
        let size = [frame.params.width, frame.params.height].map(|side| side as f32);
        let size = create_buffer(bytemuck::bytes_of(&size), wgpu::BufferUsages::UNIFORM);

        checked(frame.device, Error::Gpu, || {
            let descriptor = wgpu::CommandEncoderDescriptor { label: LABEL };
            let mut encoder = frame.device.create_command_encoder(&descriptor);
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: LABEL,
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
            let lines = (LINES, lines, n_lines);
            let instances =
                [(PATH_BBOXES, path_bboxes, *n_paths), lines, lines, (LINES, &unpaired, n_unpaired)];
            for ((layer, pipeline, n_vertices), (binding, buffer, count)) in self.layers.iter().zip(instances)
            {
                if !layers.contains(*layer) || count == 0 {
                    continue;
                }
                let group = frame.device.create_bind_group(&wgpu::BindGroupDescriptor {
                    label: LABEL,
                    layout: &pipeline.get_bind_group_layout(0),
                    entries: &[(0, &size), (binding, buffer)].map(|(binding, buffer)| wgpu::BindGroupEntry {
                        binding,
                        resource: buffer.as_entire_binding(),
                    }),
                });
                pass.set_pipeline(pipeline);
                pass.set_bind_group(0, &group, &[]);
                pass.draw(0..*n_vertices, 0..count);
            }
            drop(pass);
            frame.queue.submit([encoder.finish()]);
            Ok(())
        })
    }
}

async fn read_lines(frame: &Frame<'_>, lines: &wgpu::Buffer, count: usize) -> Result<Vec<LineSoup>, Error> {
    let staging = Staging::new(frame.device, count * size_of::<LineSoup>());
    let descriptor = wgpu::CommandEncoderDescriptor { label: LABEL };
    let mut encoder = frame.device.create_command_encoder(&descriptor);
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
