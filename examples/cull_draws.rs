//! A renderer of rectangles that draws only the visible part of each: it binds Boxwood's clipped
//! boxes as vertices. It writes the picture to a PNG file.
//!
//!     cargo run -p boxwood_examples --bin cull_draws -- out.png

#![expect(clippy::print_stdout, reason = "the example prints its result")]

use anyhow::Context as _;
use boxwood::native::Gpu;
use boxwood::{Aabb, Context, Outputs, Scene, SceneBoxes, read_items, tag, wgpu};

mod picture;

const SHADER: &str = "
    struct Vertex { @builtin(position) position: vec4<f32>, @location(0) color: vec4<f32> }

    @vertex
    fn vertex(
        @builtin(vertex_index) index: u32,
        @builtin(instance_index) element: u32,
        @location(0) tag: u32,
        @location(1) box: vec4<f32>,
    ) -> Vertex {
        let shade = f32(element % 7u) / 7.0;
        let color = vec4(shade, 0.4, 1.0 - shade, 1.0);
        // Begins, ends, and empty boxes are culled: triangles without area are not rasterised.
        if tag != 0x44u || box.x >= box.z {
            return Vertex(vec4(0.0), color);
        }
        let corner = vec2(f32(index & 1u), f32(index >> 1u));
        let pixel = mix(box.xy, box.zw, corner);
        return Vertex(vec4(pixel / 128.0 - 1.0, 0.0, 1.0) * vec4(1.0, -1.0, 1.0, 1.0), color);
    }

    @fragment
    fn fragment(in: Vertex) -> @location(0) vec4<f32> { return in.color; }
";

fn main() -> anyhow::Result<()> {
    let png = std::env::args().nth(1).context("give the path of a PNG file to write")?;
    let gpu = Gpu::open(None)?;
    let Gpu { device, queue, .. } = &gpu;

    let scene = scrolled_list();
    let context = Context::new(device);
    let mut buffers = SceneBoxes::new(&context, Outputs::all());
    buffers.update(queue, &scene)?;

    let texture = picture::texture(device, wgpu::TextureUsages::RENDER_ATTACHMENT);
    let target = texture.create_view(&Default::default());
    let rectangles = rectangle_pipeline(device);

    // One submission computes the boxes and draws with them. Nothing is read back for the picture.
    gpu.run(|encoder| {
        buffers.record(encoder);
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &target,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::WHITE), ..Default::default() },
            })],
            ..Default::default()
        });
        pass.set_pipeline(&rectangles);
        pass.set_vertex_buffer(0, buffers.draw_tags().slice(..));
        pass.set_vertex_buffer(1, buffers.clipped_boxes().slice(..));
        pass.draw(0..4, 0..buffers.n_elements());
    })?;

    let boxes: Vec<Aabb> = read_items(device, queue, buffers.clipped_boxes(), scene.len())?;
    let rectangles = scene.tags().iter().zip(boxes).filter(|(tag, _)| **tag == tag::LEAF);
    let n_drawn = rectangles.clone().filter(|(_, clipped)| !clipped.is_empty()).count();
    println!("{n_drawn} of {} rectangles are drawn", rectangles.count());
    picture::save(device, queue, &texture, &png)
}

/// A list of 10,000 rows of 15 pixels, scrolled half way, in a clip of 160 × 240 pixels.
fn scrolled_list() -> Scene {
    let mut scene = Scene::new();
    scene.begin_clip([48.0, 8.0, 208.0, 248.0]);
    for row in 0..10_000_u16 {
        let y0 = 15.0 * (f32::from(row) - 5000.0) + 7.0;
        // Each row clips a rectangle of its own width and one that extends beyond it.
        scene.begin_clip([40.0, y0, 200.0, y0 + 14.0]);
        scene.leaf([40.0, y0, 200.0, y0 + 14.0]);
        scene.leaf([180.0, y0 + 4.0, 300.0, y0 + 40.0]);
        scene.end();
    }
    scene.end();
    scene
}

fn rectangle_pipeline(device: &wgpu::Device) -> wgpu::RenderPipeline {
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some("rectangles"),
        source: wgpu::ShaderSource::Wgsl(SHADER.into()),
    });
    let instance = |array_stride, attributes| wgpu::VertexBufferLayout {
        array_stride,
        step_mode: wgpu::VertexStepMode::Instance,
        attributes,
    };
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("rectangles"),
        layout: None,
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some("vertex"),
            compilation_options: Default::default(),
            buffers: &[
                Some(instance(4, &wgpu::vertex_attr_array![0 => Uint32])),
                Some(instance(16, &wgpu::vertex_attr_array![1 => Float32x4])),
            ],
        },
        primitive: wgpu::PrimitiveState {
            topology: wgpu::PrimitiveTopology::TriangleStrip,
            ..Default::default()
        },
        depth_stencil: None,
        multisample: Default::default(),
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: Some("fragment"),
            compilation_options: Default::default(),
            targets: &[Some(wgpu::TextureFormat::Rgba8Unorm.into())],
        }),
        multiview_mask: None,
        cache: None,
    })
}
