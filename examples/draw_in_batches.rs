//! A renderer of translucent rectangles and frames that draws many items at once: layer by layer,
//! with one instanced draw per batch. The picture is, byte for byte, that of paint order, with one
//! draw per item. Items are those of a user interface, or the leaves of a drawing.
//!
//!     cargo run -p boxwood_examples --bin draw_in_batches -- [drawing.svg] [out.png]

#![expect(clippy::print_stdout, reason = "the example prints its result")]

use std::ops::Range;

use anyhow::{Context as _, bail, ensure};
use boxwood::native::Gpu;
use boxwood::spatial::{Count, Items, Layers};
use boxwood::wgpu::util::{BufferInitDescriptor, DeviceExt as _};
use boxwood::{Aabb, Context, read_items, read_texels, wgpu};
use boxwood_cpu::ElementKind;
use boxwood_svg::{Options, Role};

mod picture;

/// Boxes are in pixels. The items have translucent colours, so that the order of two items that
/// overlap changes the picture.
const SHADER: &str = "
    @group(0) @binding(0) var<storage> boxes: array<vec4<f32>>;

    struct Vertex {
        @builtin(position) position: vec4<f32>,
        @location(0) @interpolate(flat) item: u32,
    }

    @vertex
    fn vertex(@builtin(vertex_index) index: u32, @location(0) item: u32) -> Vertex {
        let is_end = vec2((index & 1u) != 0u, (index & 2u) != 0u);
        let pixel = select(boxes[item].xy, boxes[item].zw, is_end);
        return Vertex(vec4(pixel / 128.0 - 1.0, 0.0, 1.0) * vec4(1.0, -1.0, 1.0, 1.0), item);
    }

    fn color(item: u32) -> vec4<f32> {
        let alpha = 0.6;
        let opaque = vec3<f32>((item * vec3(37u, 59u, 83u)) & vec3(255u)) / 255.0;
        return vec4(alpha * opaque, alpha);
    }

    @fragment
    fn rectangle(in: Vertex) -> @location(0) vec4<f32> { return color(in.item); }

    @fragment
    fn frame(in: Vertex) -> @location(0) vec4<f32> {
        let bounds = boxes[in.item];
        let to_edge = min(in.position.xy - bounds.xy, bounds.zw - in.position.xy);
        if min(to_edge.x, to_edge.y) > 1.5 {
            discard;
        }
        return color(in.item);
    }
";

/// The context. The batch key of an item is the index of its own.
const PIPELINES: [&str; 2] = ["rectangle", "frame"];
const RECTANGLE: u32 = 0;
const FRAME: u32 = 1;
/// The number of bits of a batch key.
const KEY_BITS: u32 = 1;

/// What is drawn, in paint order.
#[derive(Default)]
struct DrawList {
    boxes: Vec<Aabb>,
    /// The pipeline of each item.
    keys: Vec<u32>,
}

impl DrawList {
    fn push(&mut self, key: u32, [x0, y0, x1, y1]: [f32; 4]) {
        self.boxes.push(Aabb { x0, y0, x1, y1 });
        self.keys.push(key);
    }
}

/// Items that one draw call draws: a range of the draw order, with the same pipeline.
struct Draw {
    key: u32,
    places: Range<u32>,
}

fn main() -> anyhow::Result<()> {
    let (svgs, others): (Vec<_>, Vec<_>) = std::env::args().skip(1).partition(|path| path.ends_with(".svg"));
    let items = match svgs.first() {
        Some(path) => leaves(path)?,
        None => windows(),
    };
    let n = u32::try_from(items.boxes.len())?;
    ensure!(n > 0, "there is nothing to draw");

    let gpu = Gpu::open(None)?;
    let renderer = Renderer::new(&gpu, &items);
    let keys = storage(&gpu.device, &items.keys);
    let boxes = Items::new(&renderer.boxes, n);
    let layers = Layers::with_batches(&Context::new(&gpu.device), boxes, None, &keys, KEY_BITS)?;
    gpu.run(|encoder| layers.record(&mut encoder.begin_compute_pass(&Default::default())))?;
    let (batches, n_layers) = read_batches(&gpu, &layers, n)?;
    let longest = batches.iter().map(|draw| draw.places.len()).max().unwrap_or(0);
    println!("items: {n}, layers: {n_layers}, batches: {}, longest batch: {longest}", batches.len());

    // The draw order is bound as the instances of the draws. It stays on the GPU.
    let order = layers.draw_order().context("there are batch keys")?;
    let texture = renderer.draw(order, &batches)?;
    if let Some(png) = others.first() {
        picture::save(&gpu.device, &gpu.queue, &texture, png)?;
    }
    let in_batches = read_texels(&gpu.device, &gpu.queue, &texture)?;
    let one_by_one: Vec<_> =
        (0..n).zip(&items.keys).map(|(i, key)| Draw { key: *key, places: i..i + 1 }).collect();
    let expected = renderer.pixels(&(0..n).collect::<Vec<_>>(), &one_by_one)?;
    ensure!(in_batches == expected, "the picture is not that of the paint order");
    println!("one draw per batch gives the picture of one draw per item");

    let (order, draws) = by_pipeline(&items, n);
    let sorted = renderer.pixels(&order, &draws)?;
    let n_wrong = sorted.chunks(4).zip(expected.chunks(4)).filter(|(a, b)| a != b).count();
    println!("one draw per pipeline would change {n_wrong} pixels");
    Ok(())
}

/// Reads the batches that the stage has found. Also returns the number of layers.
fn read_batches(gpu: &Gpu, layers: &Layers, n: u32) -> anyhow::Result<(Vec<Draw>, u32)> {
    let Gpu { device, queue, .. } = gpu;
    let (Some(Count::Gpu { buffer, word }), Some(starts), Some(keys)) =
        (layers.n_batches(), layers.batch_starts(), layers.draw_keys())
    else {
        bail!("there are no batches without batch keys");
    };
    let word = word as usize;
    let n_batches = read_items::<u32>(device, queue, buffer, word + 1)?[word] as usize;
    let starts: Vec<u32> = read_items(device, queue, starts, n_batches)?;
    let keys: Vec<u32> = read_items(device, queue, keys, n as usize)?;
    let ends = starts.iter().skip(1).copied().chain([n]);
    let key = |first: u32| keys[first as usize] & ((1 << KEY_BITS) - 1);
    let batches = starts.iter().zip(ends).map(|(first, end)| Draw { key: key(*first), places: *first..end });
    let n_layers = keys.last().map_or(0, |last| (last >> KEY_BITS) + 1);
    Ok((batches.collect(), n_layers))
}

/// The order that is wrong, but has the fewest draws: all items of a pipeline, then those of the
/// next one.
fn by_pipeline(items: &DrawList, n: u32) -> (Vec<u32>, Vec<Draw>) {
    let key = |item: &u32| items.keys[*item as usize];
    let mut order: Vec<u32> = (0..n).collect();
    order.sort_by_key(key);
    let first_frame = (0..n).zip(&order).find(|(_, item)| key(item) == FRAME);
    let n_rectangles = first_frame.map_or(n, |(place, _)| place);
    let draws = [(RECTANGLE, 0..n_rectangles), (FRAME, n_rectangles..n)];
    (order, draws.map(|(key, places)| Draw { key, places }).into())
}

/// Windows that overlap. Each has a title bar with buttons, and a list whose rows have a frame, an
/// icon, and a label.
fn windows() -> DrawList {
    let mut items = DrawList::default();
    for window in 0..12_u16 {
        let [x, y] = [7 * window % 48, 11 * window % 64].map(|at| 3.0 * f32::from(at));
        items.push(RECTANGLE, [x, y, x + 96.0, y + 80.0]);
        items.push(FRAME, [x, y, x + 96.0, y + 80.0]);
        items.push(RECTANGLE, [x + 2.0, y + 2.0, x + 94.0, y + 12.0]);
        for button in 0..3_u16 {
            let left = x + 62.0 + 10.0 * f32::from(button);
            items.push(FRAME, [left, y + 3.0, left + 8.0, y + 11.0]);
        }
        for row in 0..8_u16 {
            let top = y + 15.0 + 8.0 * f32::from(row);
            items.push(FRAME, [x + 4.0, top, x + 92.0, top + 7.0]);
            items.push(RECTANGLE, [x + 6.0, top + 2.0, x + 10.0, top + 5.0]);
            items.push(RECTANGLE, [x + 14.0, top + 2.0, x + 40.0 + 5.0 * f32::from(row), top + 5.0]);
        }
    }
    items
}

/// The visible boxes of the leaves of a drawing, scaled to the picture: frames for strokes, and
/// rectangles for the others.
fn leaves(path: &str) -> anyhow::Result<DrawList> {
    let drawing = boxwood_svg::load_file(path.as_ref(), &Options::default())?;
    let boxes = boxwood_cpu::specification::boxes(&drawing.elements);
    #[expect(clippy::cast_possible_truncation, reason = "boxes have f32")]
    let scale = (f64::from(picture::SIZE) / drawing.size.width.max(drawing.size.height)) as f32;
    let mut items = DrawList::default();
    for (element, (bounds, info)) in boxes.clipped_boxes.iter().zip(&drawing.table).enumerate() {
        if drawing.elements.kind(element) == ElementKind::Leaf && !bounds.is_empty() {
            let key = if info.role == Role::Stroke { FRAME } else { RECTANGLE };
            items.push(key, [bounds.x0, bounds.y0, bounds.x1, bounds.y1].map(|edge| edge * scale));
        }
    }
    Ok(items)
}

fn storage<T: bytemuck::Pod>(device: &wgpu::Device, items: &[T]) -> wgpu::Buffer {
    device.create_buffer_init(&BufferInitDescriptor {
        label: None,
        contents: bytemuck::cast_slice(items),
        usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::VERTEX,
    })
}

/// Draws items in any order.
struct Renderer<'a> {
    gpu: &'a Gpu,
    boxes: wgpu::Buffer,
    bind_group: wgpu::BindGroup,
    context: [wgpu::RenderPipeline; PIPELINES.len()],
}

impl<'a> Renderer<'a> {
    fn new(gpu: &'a Gpu, items: &DrawList) -> Self {
        let device = &gpu.device;
        let boxes = storage(device, &items.boxes);
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("items"),
            source: wgpu::ShaderSource::Wgsl(SHADER.into()),
        });
        let bind_group_layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("items"),
            entries: &[wgpu::BindGroupLayoutEntry {
                binding: 0,
                visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
                ty: wgpu::BindingType::Buffer {
                    ty: wgpu::BufferBindingType::Storage { read_only: true },
                    has_dynamic_offset: false,
                    min_binding_size: None,
                },
                count: None,
            }],
        });
        let bind_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("items"),
            layout: &bind_group_layout,
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: boxes.as_entire_binding() }],
        });
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            bind_group_layouts: &[Some(&bind_group_layout)],
            ..Default::default()
        });
        let context = PIPELINES.map(|fragment| pipeline(device, &module, &layout, fragment));
        Self { gpu, boxes, bind_group, context }
    }

    /// Records and runs some draws. `order` has the item of each place.
    fn draw(&self, order: &wgpu::Buffer, draws: &[Draw]) -> anyhow::Result<wgpu::Texture> {
        let texture = picture::texture(&self.gpu.device, wgpu::TextureUsages::RENDER_ATTACHMENT);
        let target = texture.create_view(&Default::default());
        self.gpu.run(|encoder| {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: &target,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations {
                        load: wgpu::LoadOp::Clear(wgpu::Color::WHITE),
                        ..Default::default()
                    },
                })],
                ..Default::default()
            });
            pass.set_bind_group(0, &self.bind_group, &[]);
            pass.set_vertex_buffer(0, order.slice(..));
            for Draw { key, places } in draws {
                pass.set_pipeline(&self.context[*key as usize]);
                pass.draw(0..4, places.clone());
            }
        })?;
        Ok(texture)
    }

    /// The pixels after some draws.
    fn pixels(&self, order: &[u32], draws: &[Draw]) -> anyhow::Result<Vec<u8>> {
        let Gpu { device, queue, .. } = self.gpu;
        Ok(read_texels(device, queue, &self.draw(&storage(device, order), draws)?)?)
    }
}

fn pipeline(
    device: &wgpu::Device,
    module: &wgpu::ShaderModule,
    layout: &wgpu::PipelineLayout,
    fragment: &str,
) -> wgpu::RenderPipeline {
    let target = wgpu::ColorTargetState {
        blend: Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
        ..wgpu::TextureFormat::Rgba8Unorm.into()
    };
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(fragment),
        layout: Some(layout),
        vertex: wgpu::VertexState {
            module,
            entry_point: Some("vertex"),
            compilation_options: Default::default(),
            buffers: &[Some(wgpu::VertexBufferLayout {
                array_stride: 4,
                step_mode: wgpu::VertexStepMode::Instance,
                attributes: &wgpu::vertex_attr_array![0 => Uint32],
            })],
        },
        primitive: wgpu::PrimitiveState {
            topology: wgpu::PrimitiveTopology::TriangleStrip,
            ..Default::default()
        },
        depth_stencil: None,
        multisample: Default::default(),
        fragment: Some(wgpu::FragmentState {
            module,
            entry_point: Some(fragment),
            compilation_options: Default::default(),
            targets: &[Some(target)],
        }),
        multiview_mask: None,
        cache: None,
    })
}
