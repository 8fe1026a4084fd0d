//! Whole frames of 1920 x 1080 by `vello::Renderer` and by Boxwood's renderer, which has its clip stage inside.
//!
//! A frame is from the call to the time at which the device is idle, by the clock of the CPU. The renderers take turns, so that what
//! else the machine does is shared out among them.

use std::ops::Range;
use std::time::Instant;

use boxwood::native::Gpu;
use boxwood::read_items;
use boxwood_vello::{ClipStage, OnOverflow, Renderer, RendererOptions};
use kurbo::{Affine, Rect};
use peniko::{Color, Fill, Mix};
use vello::{AaConfig, AaSupport, RenderParams, Scene};

use crate::error::BenchError;
use crate::row::Seconds;
use crate::session::{Measured, Session};

const SIZE: [u32; 2] = [1920, 1080];

/// The corner of it that a quick sweep draws.
const QUICK_SIZE: [u32; 2] = [256, 144];

/// Clip operations, begins and ends, of scenes whose every cell is in a clip of its own. Vello's stage is right up to 65,792.
const CLIP_OPERATIONS: [usize; 12] =
    [0, 16, 128, 512, 2_048, 8_192, 32_768, 65_536, 131_072, 262_144, 524_288, 1_000_000];
const VELLO_MAX: usize = boxwood_vello::VELLO_MAX_CLIPS as usize;

/// How long all frames of a scene by one renderer may take, in seconds.
const MEASUREMENT_TIME: f64 = 4.0;

/// Layers that cover the picture, one after the other or one in the other, with a little in each.
const LAYERS: [(&str, usize, bool); 2] = [("layers in a row", 64, false), ("layers in each other", 4, true)];

pub(crate) fn measure(session: &mut Session<'_>) -> Result<(), BenchError> {
    let quick = session.options.quick;
    let mut painters = Painters::new(session.gpu, if quick { QUICK_SIZE } else { SIZE })?;
    for n in CLIP_OPERATIONS.into_iter().filter(|&n| !quick || n == 16) {
        let reference = (n > VELLO_MAX).then(|| last_cells(n / 2));
        painters.measure(
            session,
            "a clip a cell",
            n,
            &cells_in_clips(0..n / 2, n / 2),
            false,
            reference.as_ref(),
        )?;
    }
    for (family, n, is_nested) in LAYERS.into_iter().filter(|_| !quick) {
        painters.measure(session, family, 2 * n, &layers(n, is_nested), true, None)?;
    }
    Ok(())
}

/// What Vello is right for of a scene that it is wrong for: a scene that has the same pixels in all rows from this one on.
struct Reference {
    scene: Scene,
    first_row: usize,
}

struct Painters<'a> {
    gpu: &'a Gpu,
    target: wgpu::Texture,
    vello: vello::Renderer,
    /// By Vello's clip stage, by Boxwood's, and with tightened layers.
    boxwood: [(&'static str, Renderer); 3],
}

impl<'a> Painters<'a> {
    fn new(gpu: &'a Gpu, [width, height]: [u32; 2]) -> Result<Self, BenchError> {
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
                size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
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

    /// Measures a scene of `n` clip operations by each renderer that is right for it. Without a reference Vello is.
    fn measure(
        &mut self,
        session: &mut Session<'_>,
        family: &'static str,
        n: usize,
        scene: &Scene,
        with_tightened: bool,
        reference: Option<&Reference>,
    ) -> Result<(), BenchError> {
        let Self { gpu, target, vello, boxwood } = self;
        let gpu: &Gpu = gpu;
        let view = &target.create_view(&wgpu::TextureViewDescriptor::default());
        let params = &RenderParams {
            base_color: Color::WHITE,
            width: target.width(),
            height: target.height(),
            antialiasing_method: AaConfig::Area,
        };
        let (device, queue) = (&gpu.device, &gpu.queue);
        let failed = |error: &dyn std::fmt::Display| BenchError::Frame(error.to_string());
        let mut by_vello = |scene: &Scene| {
            vello.render_to_texture(device, queue, scene, view, params).map_err(|e| failed(&e))
        };
        let first_row = reference.map_or(0, |reference| reference.first_row);
        by_vello(reference.map_or(scene, |reference| &reference.scene))?;
        let expected = pixels(gpu, target)?;

        let [by_vellos_stage, by_boxwoods, tightened] = boxwood.each_mut().map(|(variant, renderer)| {
            let draw = move || {
                renderer.render_to_texture(device, queue, scene, view, params).map_err(|e| failed(&e))
            };
            Painter { variant, draw: Box::new(draw) }
        });
        let mut painters: Vec<Painter<'_>> = Vec::new();
        if reference.is_none() {
            painters.push(Painter { variant: "vello", draw: Box::new(|| by_vello(scene)) });
            painters.push(by_vellos_stage);
        }
        painters.push(by_boxwoods);
        painters.extend(with_tightened.then_some(tightened));

        let mut times = time(gpu, session.options.n_runs(), &mut painters)?;
        for (painter, times) in painters.iter_mut().zip(&mut times) {
            (painter.draw)()?;
            let picture = pixels(gpu, target)?;
            // Where a layer is empty its backdrop is not rounded once more. And Vello sums the segments of a tile in the order in which
            // they arrive, so that a pixel among many may be rounded otherwise in another scene.
            let is_rounded_otherwise = with_tightened || reference.is_some();
            let start = first_row * 4 * target.width() as usize;
            let apart = expected.iter().zip(&picture).skip(start).map(|(a, b)| a.abs_diff(*b));
            let is_right = apart.max() <= Some(u8::from(is_rounded_otherwise));
            session.add(&Measured {
                what: "frame",
                n,
                family,
                variant: painter.variant,
                seconds: Seconds::of(std::mem::take(times)),
                bytes_each: None,
                is_right: is_right && picture.iter().any(|&value| value != u8::MAX),
            });
        }
        Ok(())
    }
}

/// A renderer that draws a scene.
struct Painter<'a> {
    variant: &'static str,
    draw: Box<dyn FnMut() -> Result<(), BenchError> + 'a>,
}

/// The times of frames by each painter, after some that are not timed.
fn time(gpu: &Gpu, n_runs: usize, painters: &mut [Painter<'_>]) -> Result<Vec<Vec<f64>>, BenchError> {
    let frame = |painter: &mut Painter<'_>| {
        let start = Instant::now();
        (painter.draw)()?;
        gpu.device.poll(wgpu::PollType::wait_indefinitely()).map_err(boxwood::ReadBackError::from)?;
        Ok::<_, BenchError>(start.elapsed().as_secs_f64())
    };
    // The first frame makes the buffers, and may have them grow.
    let mut longest: f64 = 0.0;
    for _ in 0..2 {
        longest = 0.0;
        for painter in painters.iter_mut() {
            longest = longest.max(frame(painter)?);
        }
    }
    let n_fitting = (1..=n_runs).take_while(|&n| n <= 3 || longest * n_f64(n) < MEASUREMENT_TIME).count();
    let mut times = vec![Vec::new(); painters.len()];
    for run in 0..n_fitting + n_fitting.min(8) {
        for (painter, times) in painters.iter_mut().zip(&mut times) {
            let time = frame(painter)?;
            if run >= n_fitting.min(8) {
                times.push(time);
            }
        }
    }
    Ok(times)
}

#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
fn n_f64(n: usize) -> f64 {
    n as f64
}

/// What was drawn, four bytes a pixel.
fn pixels(gpu: &Gpu, target: &wgpu::Texture) -> Result<Vec<u8>, BenchError> {
    let n_bytes = 4 * target.width() * target.height();
    let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("boxwood.bench.pixels"),
        size: n_bytes.into(),
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC,
        mapped_at_creation: false,
    });
    let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    // A row is a multiple of 256 bytes.
    let layout = wgpu::TexelCopyBufferLayout {
        offset: 0,
        bytes_per_row: Some(4 * target.width()),
        rows_per_image: None,
    };
    encoder.copy_texture_to_buffer(
        target.as_image_copy(),
        wgpu::TexelCopyBufferInfo { buffer: &buffer, layout },
        target.size(),
    );
    gpu.queue.submit([encoder.finish()]);
    Ok(read_items(&gpu.device, &gpu.queue, &buffer, n_bytes as usize)?)
}

/// A page of 1,024 cells without clips, and of these of `n` more, each with a clip of its own.
fn cells_in_clips(range: Range<usize>, n: usize) -> Scene {
    let mut scene = Scene::new();
    for index in 0..1024 {
        fill(&mut scene, index, cell(index, 1024, 2.0));
    }
    for index in range {
        let clip = cell(index, n, 0.5);
        scene.push_clip_layer(Fill::NonZero, Affine::IDENTITY, &clip);
        fill(&mut scene, index, clip + kurbo::Vec2::new(0.3 * clip.width(), 0.3 * clip.height()));
        scene.pop_layer();
    }
    scene
}

/// Of a page of `n` cells with clips as many of the last as Vello's stage is right for: the first of them may begin in the middle of a row.
fn last_cells(n: usize) -> Reference {
    let first = n - VELLO_MAX / 2;
    let next_row = (first..n).map(|index| cell(index, n, 0.0).y0).find(|&y| y > cell(first, n, 0.0).y0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is in the picture")]
    let first_row = next_row.unwrap_or(0.0).ceil() as usize;
    Reference { scene: cells_in_clips(first..n, n), first_row }
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
    let (index, n) = (n_f64(index), n_f64(n));
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
