//! Pictures of Vello's scenes, by Vello's own renderer and by Boxwood's.

use std::sync::{Mutex, OnceLock, PoisonError};

use boxwood::Gpu;
use boxwood_vello::{ClipStage, Error, OnOverflow, Renderer, RendererOptions, Usage};
use image::RgbaImage;
use vello::peniko::color::palette::css;
use vello::{AaConfig, AaSupport, RenderParams, Scene};

use crate::gpu;

/// What the target holds before anything is drawn: no renderer writes a colour like this.
const UNDRAWN: wgpu::Color = wgpu::Color { r: 1.0, g: 0.0, b: 1.0, a: 0.0 };

/// A picture by `vello::Renderer`.
///
/// Where images lie in its atlas, and so how they are rounded, hangs on what it has drawn before.
///
/// # Panics
///
/// If Vello or the device fails.
pub fn picture_by_vello(scene: &Scene, size: [u32; 2], antialiasing: AaConfig) -> RgbaImage {
    static RENDERER: OnceLock<Mutex<vello::Renderer>> = OnceLock::new();
    let renderer = RENDERER.get_or_init(|| Mutex::new(new_vello_renderer()));
    let mut renderer = renderer.lock().unwrap_or_else(PoisonError::into_inner);
    stock_picture(&mut renderer, scene, size, antialiasing)
}

/// The pictures by `vello::Renderer`, and by Boxwood's renderer with Vello's clip stage and with Boxwood's, which all have drawn the
/// same scenes before.
///
/// # Panics
///
/// If one of them does not draw.
pub fn pictures_by_all(scene: &Scene, size: [u32; 2], antialiasing: AaConfig) -> [RgbaImage; 3] {
    static RENDERERS: OnceLock<Mutex<(vello::Renderer, [Renderer; 2])>> = OnceLock::new();
    let renderers = RENDERERS.get_or_init(|| {
        let with = |clip_stage| new_renderer(RendererOptions { clip_stage, ..Default::default() });
        Mutex::new((new_vello_renderer(), [ClipStage::Vello, ClipStage::Boxwood].map(with)))
    });
    let (stock, [with_vello, with_boxwood]) = &mut *renderers.lock().unwrap_or_else(PoisonError::into_inner);
    let own = |renderer: &mut Renderer| {
        let (picture, result) = picture_by(renderer, scene, size, antialiasing);
        result.unwrap_or_else(|e| panic!("{renderer:?}: {e}"));
        picture
    };
    [stock_picture(stock, scene, size, antialiasing), own(with_vello), own(with_boxwood)]
}

fn new_vello_renderer() -> vello::Renderer {
    vello::Renderer::new(&gpu().device, vello::RendererOptions::default()).expect("the device runs Vello")
}

fn stock_picture(
    renderer: &mut vello::Renderer,
    scene: &Scene,
    size: [u32; 2],
    antialiasing: AaConfig,
) -> RgbaImage {
    let Gpu { device, queue, .. } = gpu();
    into_picture(size, |view| {
        let params = params(size, antialiasing);
        renderer.render_to_texture(device, queue, scene, view, &params).expect("Vello draws");
    })
}

/// A renderer of a test's own.
///
/// # Panics
///
/// If the device does not run it.
pub fn new_renderer(options: RendererOptions) -> Renderer {
    Renderer::new(&gpu().device, options).expect("the device runs it")
}

/// A picture by this renderer and what it says.
pub fn picture_by(
    renderer: &mut Renderer,
    scene: &Scene,
    size: [u32; 2],
    antialiasing: AaConfig,
) -> (RgbaImage, Result<(), Error>) {
    let Gpu { device, queue, .. } = gpu();
    let mut result = Ok(());
    let picture = into_picture(size, |view| {
        result = renderer.render_to_texture(device, queue, scene, view, &params(size, antialiasing));
    });
    (picture, result)
}

/// A picture with or without tightened layers, as large as it has to be, and what it took.
///
/// # Panics
///
/// If it is not drawn.
pub fn picture_tightened(scene: &Scene, size: [u32; 2], tighten_layers: bool) -> (RgbaImage, Usage) {
    static RENDERERS: OnceLock<[Mutex<Renderer>; 2]> = OnceLock::new();
    let renderers = RENDERERS.get_or_init(|| {
        [false, true].map(|tighten_layers| {
            Mutex::new(new_renderer(RendererOptions {
                tighten_layers,
                antialiasing_support: AaSupport::area_only(),
                clip_stage: ClipStage::Boxwood,
                on_overflow: OnOverflow::Grow,
                ..Default::default()
            }))
        })
    });
    let mut renderer = renderers[usize::from(tighten_layers)].lock().unwrap_or_else(PoisonError::into_inner);
    let (picture, result) = picture_by(&mut renderer, scene, size, AaConfig::Area);
    result.unwrap_or_else(|e| panic!("tightened {tighten_layers}: {e}"));
    (picture, renderer.usage().expect("it looked"))
}

/// How a picture of this size is drawn.
pub fn params([width, height]: [u32; 2], antialiasing_method: AaConfig) -> RenderParams {
    RenderParams { base_color: css::LINEN, width, height, antialiasing_method }
}

/// A target of this size.
pub fn picture_view(size: [u32; 2]) -> wgpu::TextureView {
    picture_texture(size).create_view(&wgpu::TextureViewDescriptor::default())
}

fn picture_texture([width, height]: [u32; 2]) -> wgpu::Texture {
    gpu().device.create_texture(&wgpu::TextureDescriptor {
        label: Some("boxwood_tests.picture"),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: wgpu::TextureUsages::STORAGE_BINDING
            | wgpu::TextureUsages::RENDER_ATTACHMENT
            | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    })
}

fn into_picture([width, height]: [u32; 2], draw: impl FnOnce(&wgpu::TextureView)) -> RgbaImage {
    let Gpu { device, queue, .. } = gpu();
    let texture = picture_texture([width, height]);
    let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view: &view,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations { load: wgpu::LoadOp::Clear(UNDRAWN), store: wgpu::StoreOp::Store },
        })],
        ..Default::default()
    });
    queue.submit([encoder.finish()]);

    draw(&view);

    let bytes_per_row = (4 * width).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    let size = u64::from(bytes_per_row) * u64::from(height);
    let buffer = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("boxwood_tests.picture"),
        size,
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC,
        mapped_at_creation: false,
    });
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    let layout =
        wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(bytes_per_row), rows_per_image: None };
    encoder.copy_texture_to_buffer(
        texture.as_image_copy(),
        wgpu::TexelCopyBufferInfo { buffer: &buffer, layout },
        texture.size(),
    );
    queue.submit([encoder.finish()]);
    let bytes: Vec<u8> = boxwood::read_items(device, queue, &buffer, (bytes_per_row * height) as usize)
        .expect("the device answers");
    let rows = bytes.chunks_exact(bytes_per_row as usize).flat_map(|row| &row[..4 * width as usize]);
    RgbaImage::from_raw(width, height, rows.copied().collect()).expect("it has all pixels")
}

/// How many pixels of two pictures differ, and by how much a channel of them at most.
pub fn pixels_apart(a: &RgbaImage, b: &RgbaImage) -> (usize, u8) {
    let apart = a.pixels().zip(b.pixels()).filter(|(p, q)| p != q);
    apart.fold((0, 0), |(n, most), (p, q)| {
        let channels = p.0.iter().zip(q.0).map(|(p, q)| p.abs_diff(q));
        (n + 1, most.max(channels.max().unwrap_or(0)))
    })
}
