//! Pictures of Vello's scenes, drawn by Vello's own renderer and by Boxwood's.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use boxwood_vello::{ClipStage, Error, OnOverflow, Renderer, RendererOptions, Usage};
use image::RgbaImage;
use kurbo::Affine;
use vello::peniko::color::palette::css;
use vello::{AaConfig, AaSupport, RenderParams, Scene};

use crate::device::{Gpu, gpu, test_device};

/// The initial colour of targets, which no renderer writes.
const UNDRAWN: wgpu::Color = wgpu::Color { r: 1.0, g: 0.0, b: 1.0, a: 0.0 };

/// The side of Vello's tiles in pixels.
const TILE_SIDE: u32 = 16;

/// The renderers of one test, made on first use. Tests do not share them: the place of an image in
/// the atlas depends on the earlier frames of the renderer, and changes the last bit of a picture.
#[derive(Default)]
#[expect(missing_debug_implementations, reason = "Vello's renderer has none")]
pub struct Painters {
    vello: Option<vello::Renderer>,
    boxwood: HashMap<(ClipStage, OnOverflow), Renderer>,
}

impl Painters {
    /// A picture by `vello::Renderer`.
    ///
    /// # Panics
    ///
    /// If Vello or the device fails.
    pub fn by_vello(&mut self, scene: &Scene, size: [u32; 2], antialiasing: AaConfig) -> RgbaImage {
        let Gpu { device, queue, .. } = gpu();
        let renderer = self.vello.get_or_insert_with(|| {
            let options = vello::RendererOptions { num_init_threads: None, ..Default::default() };
            vello::Renderer::new(device, options).expect("the device runs Vello")
        });
        into_picture(gpu(), size, |view| {
            let params = params(size, antialiasing);
            renderer.render_to_texture(device, queue, scene, view, &params).expect("Vello draws");
        })
    }

    /// A picture by `vello::Renderer` of a scene that may overflow its buffers, whose sizes are
    /// fixed. Vello leaves a target unwritten then. So it draws the picture in parts of whole
    /// tiles, which become smaller until Vello draws them.
    ///
    /// # Panics
    ///
    /// If Vello or the device fails, or if Vello cannot draw a single tile.
    pub fn by_vello_in_parts(&mut self, scene: &Scene, size: [u32; 2], antialiasing: AaConfig) -> RgbaImage {
        let mut picture = RgbaImage::new(size[0], size[1]);
        let mut parts = vec![([0, 0], size)];
        while let Some(([x, y], size)) = parts.pop() {
            let mut moved = Scene::new();
            moved.append(scene, Some(Affine::translate((-f64::from(x), -f64::from(y)))));
            let part = self.by_vello(&moved, size, antialiasing);
            if part.pixels().any(|pixel| pixel[3] > 0) {
                image::imageops::replace(&mut picture, &part, x.into(), y.into());
                continue;
            }
            let longer = usize::from(size[1] > size[0]);
            assert!(size[longer] > TILE_SIDE, "Vello does not draw the tile at {x}, {y}");
            let (mut corner, mut halves) = ([x, y], [size; 2]);
            halves[0][longer] = (size[longer] / 2).next_multiple_of(TILE_SIDE);
            halves[1][longer] -= halves[0][longer];
            corner[longer] += halves[0][longer];
            parts.extend([([x, y], halves[0]), (corner, halves[1])]);
        }
        picture
    }

    /// A picture by Boxwood's renderer with this clip stage.
    ///
    /// # Errors
    ///
    /// The error of the renderer.
    pub fn by_boxwood(
        &mut self,
        scene: &Scene,
        size: [u32; 2],
        antialiasing: AaConfig,
        clip_stage: ClipStage,
        on_overflow: OnOverflow,
    ) -> Result<RgbaImage, Error> {
        let options = RendererOptions { clip_stage, on_overflow, ..Default::default() };
        let renderer = self.boxwood.entry((clip_stage, on_overflow)).or_insert_with(|| new_renderer(options));
        let (picture, result) = picture_by(renderer, scene, size, antialiasing);
        result.map(|()| picture)
    }
}

/// A renderer on this thread's device.
///
/// # Panics
///
/// If the device refuses it.
pub fn new_renderer(options: RendererOptions) -> Renderer {
    Renderer::new(&gpu().device, options).expect("the device runs it")
}

/// A picture by this renderer, and the renderer's result.
pub fn picture_by(
    renderer: &mut Renderer,
    scene: &Scene,
    size: [u32; 2],
    antialiasing: AaConfig,
) -> (RgbaImage, Result<(), Error>) {
    picture_on(gpu(), renderer, scene, size, antialiasing)
}

/// The same on the device of the renderer, if that is not this thread's.
pub fn picture_on(
    gpu: &Gpu,
    renderer: &mut Renderer,
    scene: &Scene,
    size: [u32; 2],
    antialiasing: AaConfig,
) -> (RgbaImage, Result<(), Error>) {
    let mut result = Ok(());
    let picture = into_picture(gpu, size, |view| {
        let params = params(size, antialiasing);
        result = renderer.render_to_texture(&gpu.device, &gpu.queue, scene, view, &params);
    });
    (picture, result)
}

/// A picture with or without tightened layers, in buffers that grow, and the usage of the buffers.
///
/// # Panics
///
/// If the renderer fails.
pub fn picture_tightened(scene: &Scene, size: [u32; 2], tighten_layers: bool) -> (RgbaImage, Usage) {
    let renderers = test_device().renderers.get_or_init(|| {
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
    (picture, renderer.usage().expect("the renderer reads the counters"))
}

/// The parameters of a picture of this size.
pub fn params([width, height]: [u32; 2], antialiasing_method: AaConfig) -> RenderParams {
    RenderParams { base_color: css::LINEN, width, height, antialiasing_method }
}

/// A target of this size.
pub fn picture_view(size: [u32; 2]) -> wgpu::TextureView {
    picture_texture(gpu(), size).create_view(&wgpu::TextureViewDescriptor::default())
}

fn picture_texture(gpu: &Gpu, [width, height]: [u32; 2]) -> wgpu::Texture {
    gpu.device.create_texture(&wgpu::TextureDescriptor {
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

fn into_picture(gpu: &Gpu, [width, height]: [u32; 2], draw: impl FnOnce(&wgpu::TextureView)) -> RgbaImage {
    let Gpu { device, queue, .. } = gpu;
    let texture = picture_texture(gpu, [width, height]);
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

    let pixels = boxwood::read_texels(device, queue, &texture).expect("the device answers");
    RgbaImage::from_raw(width, height, pixels).expect("it has all pixels")
}

/// How often to draw two pictures until they are equal. Vello sums the areas of a pixel in the
/// order in which its invocations run. On a GPU, the order varies from run to run, and with it,
/// rarely, the last bit of a pixel.
pub const MAX_RUNS: usize = 5;

/// The number of pixels that differ between two pictures, and the greatest difference of a channel.
pub fn pixels_apart(a: &RgbaImage, b: &RgbaImage) -> (usize, u8) {
    let apart = a.pixels().zip(b.pixels()).filter(|(p, q)| p != q);
    apart.fold((0, 0), |(n, most), (p, q)| {
        let channels = p.0.iter().zip(q.0).map(|(p, q)| p.abs_diff(q));
        (n + 1, most.max(channels.max().unwrap_or(0)))
    })
}

/// The greatest difference of a premultiplied channel between two pictures, in steps of 255, and
/// the pixel where it is.
///
/// Pictures have straight alpha. A renderer divides by the alpha to get that, so that a difference
/// in the colour of a nearly transparent pixel means little.
pub fn premultiplied_apart(a: &RgbaImage, b: &RgbaImage) -> (f64, [u32; 2]) {
    let premultiplied = |pixel: &image::Rgba<u8>| {
        let [r, g, b, a] = pixel.0.map(f64::from);
        [r * a / 255.0, g * a / 255.0, b * a / 255.0, a]
    };
    a.enumerate_pixels().zip(b.pixels()).fold((0.0, [0, 0]), |greatest, ((x, y, p), q)| {
        let (p, q) = (premultiplied(p), premultiplied(q));
        let apart = p.iter().zip(q).map(|(p, q)| (p - q).abs()).fold(0.0, f64::max);
        if apart > greatest.0 { (apart, [x, y]) } else { greatest }
    })
}
