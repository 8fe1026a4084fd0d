//! The meshes of egui on the GPU.
//!
//! egui-wgpu has a renderer too. Its shader can also filter textures itself, in a branch that a
//! software adapter executes for every pixel even if it is not taken. That takes four times as long
//! as the rest of a pass.

use std::collections::HashMap;
use std::ops::Range;

use boxwood_render::RenderError;
use boxwood_vello::checked;
use egui::epaint::{ImageDelta, Mesh, Primitive, Vertex, WHITE_UV};
use egui::{
    ClippedPrimitive, ImageData, TextureFilter, TextureId, TextureOptions, TextureWrapMode, TexturesDelta,
};
use wgpu::util::DeviceExt as _;

/// The label of everything that draws meshes.
const LABEL: Option<&str> = Some("boxwood.meshes");

/// The target of a pass of egui.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target<'a> {
    pub(crate) view: &'a wgpu::TextureView,
    /// The size in device pixels.
    pub(crate) size: [u32; 2],
    pub(crate) pixels_per_point: f32,
    /// The colour below the meshes.
    pub(crate) background: [u8; 3],
}

/// Draws the meshes of egui.
#[derive(Debug)]
pub(crate) struct MeshRenderer {
    device: wgpu::Device,
    queue: wgpu::Queue,
    format: wgpu::TextureFormat,
    /// The layout of the bind groups, which does not depend on the shader.
    layout: wgpu::BindGroupLayout,
    /// The pipelines of plain and of textured triangles.
    pipelines: [wgpu::RenderPipeline; 2],
    /// The size of the screen in points.
    screen_size: wgpu::Buffer,
    samplers: HashMap<TextureOptions, wgpu::Sampler>,
    textures: HashMap<TextureId, (wgpu::Texture, wgpu::BindGroup)>,
}

impl MeshRenderer {
    /// Compiles the pipelines for targets of a format without a conversion to sRGB.
    pub(crate) fn new(device: &wgpu::Device, queue: &wgpu::Queue, format: wgpu::TextureFormat) -> Self {
        let layout = bind_group_layout(device);
        Self {
            pipelines: pipelines(device, &layout, format, boxwood_shaders::view::MESHES.source),
            layout,
            format,
            screen_size: device.create_buffer(&wgpu::BufferDescriptor {
                label: LABEL,
                size: size_of::<[f32; 2]>() as u64,
                usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }),
            samplers: HashMap::new(),
            textures: HashMap::new(),
            device: device.clone(),
            queue: queue.clone(),
        }
    }

    /// Draws and submits a pass of egui. Textures are updated before the pass, and freed after it.
    pub(crate) fn draw(
        &mut self,
        primitives: &[ClippedPrimitive],
        textures: &TexturesDelta,
        target: Target<'_>,
    ) {
        for (id, deltas) in &textures.set {
            deltas.iter().for_each(|delta| self.set_texture(*id, delta));
        }
        let size_in_points = target.size.map(|side| side as f32 / target.pixels_per_point);
        self.queue.write_buffer(&self.screen_size, 0, bytemuck::bytes_of(&size_in_points));
        let mut encoder =
            self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: LABEL });
        let [red, green, blue] = target.background.map(|channel| f64::from(channel) / 255.0);
        let load = wgpu::LoadOp::Clear(wgpu::Color { r: red, g: green, b: blue, a: 1.0 });
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: LABEL,
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: target.view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load, store: wgpu::StoreOp::Store },
            })],
            ..Default::default()
        });
        self.draw_meshes(&mut pass, primitives, target);
        drop(pass);
        self.queue.submit([encoder.finish()]);
        for id in &textures.free {
            self.textures.remove(id);
        }
    }

    fn draw_meshes(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        primitives: &[ClippedPrimitive],
        target: Target<'_>,
    ) {
        let (mut vertices, mut indices, mut draws) = (Vec::<Vertex>::new(), Vec::<u32>::new(), Vec::new());
        for ClippedPrimitive { clip_rect, primitive } in primitives {
            // The panels have no callbacks.
            let Primitive::Mesh(mesh) = primitive else { continue };
            let Some((_, bind_group)) = self.textures.get(&mesh.texture_id) else { continue };
            let Some(scissors) = scissors(*clip_rect, target) else { continue };
            let first_vertex = number(vertices.len());
            vertices.extend_from_slice(&mesh.vertices);
            for (is_plain, run) in runs(mesh) {
                let first_index = number(indices.len());
                indices.extend_from_slice(run);
                let indices = first_index..number(indices.len());
                draws.push(Draw { scissors, is_plain, bind_group, first_vertex, indices });
            }
        }
        if indices.is_empty() {
            return;
        }
        let buffer = |contents: &[u8], usage| {
            self.device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
                label: LABEL,
                contents,
                usage,
            })
        };
        let vertices = buffer(bytemuck::cast_slice(&vertices), wgpu::BufferUsages::VERTEX);
        let indices = buffer(bytemuck::cast_slice(&indices), wgpu::BufferUsages::INDEX);
        pass.set_vertex_buffer(0, vertices.slice(..));
        pass.set_index_buffer(indices.slice(..), wgpu::IndexFormat::Uint32);
        for Draw { scissors: [x, y, width, height], is_plain, bind_group, first_vertex, indices } in draws {
            let [plain, textured] = &self.pipelines;
            pass.set_pipeline(if is_plain { plain } else { textured });
            pass.set_scissor_rect(x, y, width, height);
            pass.set_bind_group(0, bind_group, &[]);
            pass.draw_indexed(indices, first_vertex.cast_signed(), 0..1);
        }
    }

    /// Replaces the shader.
    ///
    /// # Errors
    ///
    /// [`RenderError::Device`] if it does not give both pipelines. The renderer then keeps its
    /// shader.
    pub(crate) fn set_shader(&mut self, source: &str) -> Result<(), RenderError> {
        let pipelines = || Ok(pipelines(&self.device, &self.layout, self.format, source));
        self.pipelines = checked(&self.device, RenderError::Device, pipelines)?;
        Ok(())
    }

    #[cfg(test)]
    pub(crate) fn n_textures(&self) -> usize {
        self.textures.len()
    }

    /// Replaces a texture, or a part of it.
    fn set_texture(&mut self, id: TextureId, delta: &ImageDelta) {
        let ImageData::Color(image) = &delta.image;
        let [width, height] = image.size.map(number);
        let size = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
        if delta.pos.is_none() {
            let texture = self.device.create_texture(&wgpu::TextureDescriptor {
                label: LABEL,
                size,
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format: wgpu::TextureFormat::Rgba8Unorm,
                usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
                view_formats: &[],
            });
            let bind_group = self.bind_group(&texture, delta.options);
            self.textures.insert(id, (texture, bind_group));
        }
        let Some((texture, _)) = self.textures.get(&id) else { return };
        let mut place = texture.as_image_copy();
        let [x, y] = delta.pos.unwrap_or_default().map(number);
        place.origin = wgpu::Origin3d { x, y, z: 0 };
        let layout = wgpu::TexelCopyBufferLayout {
            bytes_per_row: Some(4 * width),
            ..wgpu::TexelCopyBufferLayout::default()
        };
        self.queue.write_texture(place, bytemuck::cast_slice(&image.pixels), layout, size);
    }

    fn bind_group(&mut self, texture: &wgpu::Texture, options: TextureOptions) -> wgpu::BindGroup {
        let device = &self.device;
        let sampler = self.samplers.entry(options).or_insert_with(|| sampler(device, options));
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: LABEL,
            layout: &self.layout,
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: self.screen_size.as_entire_binding() },
                wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::TextureView(&view) },
                wgpu::BindGroupEntry { binding: 2, resource: wgpu::BindingResource::Sampler(sampler) },
            ],
        })
    }
}

/// Triangles that one call draws.
struct Draw<'a> {
    scissors: [u32; 4],
    is_plain: bool,
    bind_group: &'a wgpu::BindGroup,
    first_vertex: u32,
    indices: Range<u32>,
}

/// Whether all vertices of a triangle are at the white texel of the font texture, so that its
/// colours need no sample.
fn is_plain(mesh: &Mesh, triangle: &[u32; 3]) -> bool {
    let is_white = |index: &u32| mesh.vertices[*index as usize].uv == WHITE_UV;
    mesh.texture_id == TextureId::default() && triangle.iter().all(is_white)
}

/// Splits the indices of a mesh into runs of plain and of textured triangles. The flag is true for
/// plain ones.
fn runs(mesh: &Mesh) -> impl Iterator<Item = (bool, &[u32])> {
    let (triangles, _) = mesh.indices.as_chunks();
    let runs = triangles.chunk_by(|a, b| is_plain(mesh, a) == is_plain(mesh, b));
    runs.map(|run| (is_plain(mesh, &run[0]), run.as_flattened()))
}

/// A number of vertices, indices, or pixels.
fn number(n: usize) -> u32 {
    u32::try_from(n).expect("a buffer or a texture of the device has fewer")
}

/// The device pixels in a clip rectangle: x, y, width, and height. `None` if there are none.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates, and NaN is 0")]
fn scissors(clip: egui::Rect, target: Target<'_>) -> Option<[u32; 4]> {
    let pixel = |point: f32, side: u32| ((point * target.pixels_per_point).round() as u32).min(side);
    let [width, height] = target.size;
    let [x0, x1] = [clip.min.x, clip.max.x].map(|x| pixel(x, width));
    let [y0, y1] = [clip.min.y, clip.max.y].map(|y| pixel(y, height));
    (x0 < x1 && y0 < y1).then(|| [x0, y0, x1 - x0, y1 - y0])
}

fn sampler(device: &wgpu::Device, options: TextureOptions) -> wgpu::Sampler {
    let filter = |filter| match filter {
        TextureFilter::Nearest => wgpu::FilterMode::Nearest,
        TextureFilter::Linear => wgpu::FilterMode::Linear,
    };
    let address_mode = match options.wrap_mode {
        TextureWrapMode::ClampToEdge => wgpu::AddressMode::ClampToEdge,
        TextureWrapMode::Repeat => wgpu::AddressMode::Repeat,
        TextureWrapMode::MirroredRepeat => wgpu::AddressMode::MirrorRepeat,
    };
    device.create_sampler(&wgpu::SamplerDescriptor {
        label: LABEL,
        address_mode_u: address_mode,
        address_mode_v: address_mode,
        mag_filter: filter(options.magnification),
        min_filter: filter(options.minification),
        ..Default::default()
    })
}

fn bind_group_layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    let entry = |binding, visibility, ty| wgpu::BindGroupLayoutEntry { binding, visibility, ty, count: None };
    let size = wgpu::BindingType::Buffer {
        ty: wgpu::BufferBindingType::Uniform,
        has_dynamic_offset: false,
        min_binding_size: None,
    };
    let texture = wgpu::BindingType::Texture {
        sample_type: wgpu::TextureSampleType::Float { filterable: true },
        view_dimension: wgpu::TextureViewDimension::D2,
        multisampled: false,
    };
    let sampler = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering);
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: LABEL,
        entries: &[
            entry(0, wgpu::ShaderStages::VERTEX, size),
            entry(1, wgpu::ShaderStages::FRAGMENT, texture),
            entry(2, wgpu::ShaderStages::FRAGMENT, sampler),
        ],
    })
}

fn pipelines(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    format: wgpu::TextureFormat,
    source: &str,
) -> [wgpu::RenderPipeline; 2] {
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: LABEL,
        source: wgpu::ShaderSource::Wgsl(source.into()),
    });
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: LABEL,
        bind_group_layouts: &[Some(layout)],
        immediate_size: 0,
    });
    ["plain", "textured"].map(|fragment| {
        device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: LABEL,
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: None,
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                buffers: &[Some(wgpu::VertexBufferLayout {
                    array_stride: size_of::<Vertex>() as u64,
                    step_mode: wgpu::VertexStepMode::Vertex,
                    attributes: &wgpu::vertex_attr_array![0 => Float32x2, 1 => Float32x2, 2 => Unorm8x4],
                })],
            },
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil: None,
            multisample: wgpu::MultisampleState::default(),
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some(fragment),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                targets: &[Some(wgpu::ColorTargetState {
                    format,
                    blend: Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
                    write_mask: wgpu::ColorWrites::ALL,
                })],
            }),
            multiview_mask: None,
            cache: None,
        })
    })
}

#[cfg(test)]
mod tests;
