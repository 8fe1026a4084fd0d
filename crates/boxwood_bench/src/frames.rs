//! Whole frames of 1920 x 1080 by `vello::Renderer` and by Boxwood's renderer, which has its clip stage inside.
//!
//! A frame is from the call to the time at which the device is idle, by the clock of the CPU.

use std::time::Instant;

use boxwood::{Gpu, read_items};
use boxwood_vello::{ClipStage, OnOverflow, Renderer, RendererOptions};
use kurbo::{Affine, Rect};
use peniko::{Color, Fill, Mix};
use vello::{AaConfig, AaSupport, RenderParams, Scene};

use crate::error::BenchError;
use crate::row::Seconds;
use crate::session::{Measured, Session};

const SIZE: [u32; 2] = [1920, 1080];

/// Clip operations, begins and ends, of scenes whose every cell is in a clip of its own. Vello's stage is right up to 65,792; its
/// buffers hold no more than 262,144 fills and clips together.
const CLIP_OPERATIONS: [usize; 10] = [0, 16, 128, 512, 2_048, 8_192, 32_768, 65_536, 131_072, 200_000];
const VELLO_MAX: usize = 65_792;

/// Layers that cover the picture, one after the other or one in the other, with a little in each.
const LAYERS: [(&str, usize, bool); 2] = [("layers in a row", 64, false), ("layers in each other", 4, true)];

pub(crate) fn measure(session: &mut Session<'_>) -> Result<(), BenchError> {
    let mut painters = Painters::new(session.gpu)?;
    let quick = session.options.quick;
    for n in CLIP_OPERATIONS.into_iter().filter(|&n| !quick || n == 16) {
        painters.measure(session, "a clip a cell", n, &cells_in_clips(n / 2), false)?;
    }
    for (family, n, is_nested) in LAYERS.into_iter().filter(|_| !quick) {
        painters.measure(session, family, 2 * n, &layers(n, is_nested), true)?;
    }
    Ok(())
}

struct Painters<'a> {
    gpu: &'a Gpu,
    target: wgpu::Texture,
    vello: vello::Renderer,
    /// By Vello's clip stage, by Boxwood's, and with tightened layers.
    boxwood: [(&'static str, Renderer); 3],
}

impl<'a> Painters<'a> {
    fn new(gpu: &'a Gpu) -> Result<Self, BenchError> {
        let failed = |error: &dyn std::fmt::Display| BenchError::Frame(error.to_string());
        let antialiasing_support = AaSupport::area_only();
        let vello_options = vello::RendererOptions { antialiasing_support, ..Default::default() };
        let renderer = |clip_stage, tighten_layers| {
            let options = RendererOptions {
                antialiasing_support,
                clip_stage,
                tighten_layers,
                on_overflow: OnOverflow::Grow,
                ..Default::default()
            };
            Renderer::new(&gpu.device, options).map_err(|e| failed(&e))
        };
        Ok(Self {
            gpu,
            target: gpu.device.create_texture(&wgpu::TextureDescriptor {
                label: Some("boxwood.bench.frame"),
                size: wgpu::Extent3d { width: SIZE[0], height: SIZE[1], depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format: wgpu::TextureFormat::Rgba8Unorm,
                usage: wgpu::TextureUsages::STORAGE_BINDING | wgpu::TextureUsages::COPY_SRC,
                view_formats: &[],
            }),
            vello: vello::Renderer::new(&gpu.device, vello_options).map_err(|e| failed(&e))?,
            boxwood: [
                ("boxwood_vello, Vello's clip stage", renderer(ClipStage::Vello, false)?),
                ("boxwood_vello, Boxwood's clip stage", renderer(ClipStage::Boxwood, false)?),
                ("boxwood_vello, Boxwood's, tightened", renderer(ClipStage::Boxwood, true)?),
            ],
        })
    }

    /// Measures a scene of `n` clip operations by each renderer that is right for it.
    fn measure(
        &mut self,
        session: &mut Session<'_>,
        family: &'static str,
        n: usize,
        scene: &Scene,
        with_tightened: bool,
    ) -> Result<(), BenchError> {
        let Self { gpu, target, vello, boxwood } = self;
        let view = target.create_view(&wgpu::TextureViewDescriptor::default());
        let params = RenderParams {
            base_color: Color::WHITE,
            width: SIZE[0],
            height: SIZE[1],
            antialiasing_method: AaConfig::Area,
        };
        let (device, queue) = (&gpu.device, &gpu.queue);
        let (by_vello, n_runs) = (n <= VELLO_MAX, session.options.n_runs());
        let mut expected = None;
        let mut add = |variant, seconds, picture: Vec<u8>| {
            // Where a layer is empty its backdrop is not rounded once more.
            let most = expected.get_or_insert_with(|| picture.clone()).iter().zip(&picture);
            let is_right = most.map(|(a, b)| a.abs_diff(*b)).max() <= Some(u8::from(with_tightened));
            session.add(&Measured {
                what: "frame",
                n,
                family,
                variant,
                seconds,
                bytes_each: None,
                is_right: is_right && picture.iter().any(|&value| value != u8::MAX),
            });
        };
        if by_vello {
            let seconds = time(gpu, n_runs, || {
                vello
                    .render_to_texture(device, queue, scene, &view, &params)
                    .map_err(|e| BenchError::Frame(e.to_string()))
            })?;
            add("vello", seconds, pixels(gpu, target)?);
        }
        for (index, (variant, renderer)) in boxwood.iter_mut().enumerate() {
            if (index == 0 && !by_vello) || (index == 2 && !with_tightened) {
                continue;
            }
            let seconds = time(gpu, n_runs, || {
                renderer
                    .render_to_texture(device, queue, scene, &view, &params)
                    .map_err(|e| BenchError::Frame(e.to_string()))
            })?;
            add(variant, seconds, pixels(gpu, target)?);
        }
        Ok(())
    }
}

/// The time of a frame, after some that are not timed.
fn time(
    gpu: &Gpu,
    n_runs: usize,
    mut draw: impl FnMut() -> Result<(), BenchError>,
) -> Result<Option<Seconds>, BenchError> {
    let mut frame = || {
        let start = Instant::now();
        draw()?;
        gpu.device.poll(wgpu::PollType::wait_indefinitely()).map_err(boxwood::ReadBackError::from)?;
        Ok::<_, BenchError>(start.elapsed().as_secs_f64())
    };
    for _ in 0..n_runs.min(10) {
        frame()?;
    }
    let times: Result<Vec<f64>, BenchError> = (0..n_runs).map(|_| frame()).collect();
    Ok(Seconds::of(times?))
}

/// What was drawn, four bytes a pixel.
fn pixels(gpu: &Gpu, target: &wgpu::Texture) -> Result<Vec<u8>, BenchError> {
    let n_bytes = 4 * SIZE[0] * SIZE[1];
    let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("boxwood.bench.pixels"),
        size: n_bytes.into(),
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC,
        mapped_at_creation: false,
    });
    let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    // A row is a multiple of 256 bytes.
    let layout =
        wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(4 * SIZE[0]), rows_per_image: None };
    encoder.copy_texture_to_buffer(
        target.as_image_copy(),
        wgpu::TexelCopyBufferInfo { buffer: &buffer, layout },
        target.size(),
    );
    gpu.queue.submit([encoder.finish()]);
    Ok(read_items(&gpu.device, &gpu.queue, &buffer, n_bytes as usize)?)
}

/// A page of 1,024 cells without clips, and of `n` more, each with a clip of its own.
fn cells_in_clips(n: usize) -> Scene {
    let mut scene = Scene::new();
    for index in 0..1024 {
        fill(&mut scene, index, cell(index, 1024, 2.0));
    }
    for index in 0..n {
        let clip = cell(index, n, 0.5);
        scene.push_clip_layer(Fill::NonZero, Affine::IDENTITY, &clip);
        fill(&mut scene, index, clip + kurbo::Vec2::new(0.3 * clip.width(), 0.3 * clip.height()));
        scene.pop_layer();
    }
    scene
}

/// `n` layers of the size of the picture, half transparent, with a rectangle in each.
fn layers(n: usize, is_nested: bool) -> Scene {
    let mut scene = Scene::new();
    fill(&mut scene, 3, Rect::new(100.0, 100.0, 1800.0, 900.0));
    let page = Rect::new(0.0, 0.0, SIZE[0].into(), SIZE[1].into());
    for index in 0..n {
        scene.push_layer(Fill::NonZero, Mix::Normal, 0.5, Affine::IDENTITY, &page);
        fill(&mut scene, index, cell(index, 64, 10.0));
        if !is_nested {
            scene.pop_layer();
        }
    }
    if is_nested {
        (0..n).for_each(|_| scene.pop_layer());
    }
    scene
}

/// The cell `index` of `n` that fill the picture row by row, less a border of this width.
fn cell(index: usize, n: usize, border: f64) -> Rect {
    let [width, height] = SIZE.map(f64::from);
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
    let (index, n) = (index as f64, n as f64);
    let n_columns = (n * width / height).sqrt().ceil();
    let (cell_width, cell_height) = (width / n_columns, height / (n / n_columns).ceil());
    let corner = ((index % n_columns) * cell_width, (index / n_columns).floor() * cell_height);
    Rect::from_origin_size(corner, (cell_width, cell_height)).inset(-border.min(0.2 * cell_width))
}

fn fill(scene: &mut Scene, index: usize, rect: Rect) {
    let shade = |step: usize| u8::try_from(30 + index * step % 200).unwrap_or_default();
    let color = Color::from_rgb8(shade(37), shade(59), shade(83));
    scene.fill(Fill::NonZero, Affine::IDENTITY, color, None, &rect);
}
