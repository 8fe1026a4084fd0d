//! Whole frames of 1920 x 1080, by `vello::Renderer` and by Boxwood's renderer with either clip
//! stage.
//!
//! The time of a frame starts with the call and ends when the device is idle, on the clock of the
//! CPU. The renderers draw alternately, so that other load on the machine affects all of them.

use std::ops::Range;
use std::time::{Duration, Instant};

use boxwood::native::Gpu;
use boxwood::{ReadBackError, read_texels};
use boxwood_vello::{ClipStage, OnOverflow, Renderer, RendererOptions, VELLO_MAX_CLIPS};
use kurbo::{Affine, Rect, Vec2};
use peniko::{Color, Fill, Mix};
use vello::{AaConfig, AaSupport, RenderParams, Scene};

use super::session::{Measured, Session};
use crate::error::BenchError;
use crate::measure::fitting_runs;
use crate::record::{Seconds, float};

const SIZE: [u32; 2] = [1920, 1080];

/// The corner of the frame that a quick sweep draws.
const QUICK_SIZE: [u32; 2] = [256, 144];

/// The numbers of clip operations, begins and ends, of the scenes in which every cell has a clip.
const CLIP_OPERATIONS: [usize; 12] =
    [0, 16, 128, 512, 2_048, 8_192, 32_768, 65_536, 131_072, 262_144, 524_288, 1_000_000];

/// The number of clip operations in a quick sweep.
const QUICK_CLIP_OPERATIONS: usize = 16;

/// The maximum number of clip operations for which Vello's stage is right.
const VELLO_MAX: usize = VELLO_MAX_CLIPS as usize;

/// Scenes of layers that cover the picture, with one cell in each: the family, the number of
/// layers, and whether they are nested.
const LAYERS: [(&str, usize, bool); 2] = [("layers in a row", 64, false), ("layers in each other", 4, true)];

/// The cells without clips of each page.
const N_PLAIN_CELLS: usize = 1024;

/// The maximum time of all frames of a scene by one renderer, unless there are only three.
const MEASUREMENT_TIME: Duration = Duration::from_secs(4);

/// The maximum number of untimed frames.
const MAX_WARM_UP_FRAMES: usize = 8;

pub(super) fn measure(session: &mut Session<'_>) -> Result<(), BenchError> {
    let quick = session.options.quick;
    let mut painters = Painters::new(session.gpu, if quick { QUICK_SIZE } else { SIZE })?;
    for n in CLIP_OPERATIONS.into_iter().filter(|&n| !quick || n == QUICK_CLIP_OPERATIONS) {
        let page = Page {
            family: "a clip a cell",
            n,
            scene: cells_in_clips(0..n / 2, n / 2),
            has_layers: false,
            reference: (n > VELLO_MAX).then(|| last_cells(n / 2)),
        };
        painters.measure(session, &page)?;
    }
    for (family, n, is_nested) in LAYERS.into_iter().filter(|_| !quick) {
        let scene = layers(n, is_nested);
        painters.measure(session, &Page { family, n: 2 * n, scene, has_layers: true, reference: None })?;
    }
    Ok(())
}

/// A scene to draw.
struct Page {
    family: &'static str,
    /// The number of clip operations.
    n: usize,
    scene: Scene,
    /// Whether the scene has layers that can be tightened.
    has_layers: bool,
    /// Another scene, if Vello cannot draw this one. Vello draws it right, and its rows of pixels
    /// starting at this row equal those of this one.
    reference: Option<(Scene, usize)>,
}

struct Painters {
    target: wgpu::Texture,
    vello: vello::Renderer,
    /// With Vello's clip stage, with Boxwood's, and with tightened layers.
    boxwood: [(&'static str, Renderer); 3],
}

impl Painters {
    fn new(gpu: &Gpu, [width, height]: [u32; 2]) -> Result<Self, BenchError> {
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
            Renderer::new(&gpu.device, options)
        };
        Ok(Self {
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
            vello: vello::Renderer::new(&gpu.device, vello_options)?,
            boxwood: [
                ("boxwood_vello, Vello's clip stage", renderer(ClipStage::Vello, false)?),
                ("boxwood_vello, Boxwood's clip stage", renderer(ClipStage::Boxwood, false)?),
                ("boxwood_vello, Boxwood's, tightened", renderer(ClipStage::Boxwood, true)?),
            ],
        })
    }

    /// Measures a page by each renderer that draws it right.
    fn measure(&mut self, session: &mut Session<'_>, page: &Page) -> Result<(), BenchError> {
        let Self { target, vello, boxwood } = self;
        let Gpu { device, queue, .. } = session.gpu;
        let view = &target.create_view(&wgpu::TextureViewDescriptor::default());
        let params = &RenderParams {
            base_color: Color::WHITE,
            width: target.width(),
            height: target.height(),
            antialiasing_method: AaConfig::Area,
        };
        let Page { family, n, scene, has_layers, reference } = page;
        let mut draw_by_vello =
            |scene: &Scene| Ok(vello.render_to_texture(device, queue, scene, view, params)?);
        let (vello_scene, first_row) = reference.as_ref().map_or((scene, 0), |(scene, row)| (scene, *row));
        draw_by_vello(vello_scene)?;
        let expected = read_texels(device, queue, target)?;

        let [with_vellos_stage, with_boxwoods, tightened] = boxwood.each_mut().map(|(variant, renderer)| {
            let draw = move || Ok(renderer.render_to_texture(device, queue, scene, view, params)?);
            Painter { variant, draw: Box::new(draw) }
        });
        let mut painters: Vec<Painter<'_>> = Vec::new();
        if reference.is_none() {
            painters.push(Painter { variant: "vello", draw: Box::new(|| draw_by_vello(scene)) });
            painters.push(with_vellos_stage);
        }
        painters.push(with_boxwoods);
        painters.extend(has_layers.then_some(tightened));

        let start = first_row * 4 * target.width() as usize;
        let times = time(session.gpu, session.options.n_runs(), &mut painters)?;
        for (painter, times) in painters.iter_mut().zip(times) {
            (painter.draw)()?;
            let picture = read_texels(device, queue, target)?;
            let apart = expected.iter().zip(&picture).skip(start).map(|(a, b)| a.abs_diff(*b));
            let is_blank = picture.iter().all(|&value| value == u8::MAX);
            session.add(Measured {
                what: "frame",
                n: *n,
                family,
                variant: painter.variant,
                seconds: Seconds::of(times),
                bytes_each: None,
                is_right: apart.max() <= Some(TOLERANCE) && !is_blank,
            });
        }
        Ok(())
    }
}

/// The greatest difference of a channel between equal pictures, in steps. Vello sums the areas of a
/// pixel in the order in which its invocations run, which can change a rounding. Tightening omits
/// the rounding of empty layers.
const TOLERANCE: u8 = 1;

/// A renderer with a scene.
struct Painter<'a> {
    variant: &'static str,
    draw: Box<dyn FnMut() -> Result<(), BenchError> + 'a>,
}

/// The times of the frames by each painter, after a few untimed frames.
fn time(gpu: &Gpu, n_runs: usize, painters: &mut [Painter<'_>]) -> Result<Vec<Vec<f64>>, BenchError> {
    let frame = |painter: &mut Painter<'_>| {
        let start = Instant::now();
        (painter.draw)()?;
        gpu.device.poll(wgpu::PollType::wait_indefinitely()).map_err(ReadBackError::from)?;
        Ok::<_, BenchError>(start.elapsed())
    };
    // The first frame allocates the buffers, and may grow them.
    painters.iter_mut().try_for_each(|painter| frame(painter).map(drop))?;
    let second: Vec<Duration> = painters.iter_mut().map(frame).collect::<Result<_, _>>()?;
    let longest = second.into_iter().max().unwrap_or_default();
    let n_fitting = fitting_runs(n_runs, longest, MEASUREMENT_TIME);
    let n_warm_up = n_fitting.min(MAX_WARM_UP_FRAMES);
    let mut times = vec![Vec::new(); painters.len()];
    for _ in 0..n_warm_up + n_fitting {
        for (painter, times) in painters.iter_mut().zip(&mut times) {
            times.push(frame(painter)?.as_secs_f64());
        }
    }
    Ok(times.into_iter().map(|times| times[n_warm_up..].to_vec()).collect())
}

/// A page of cells without clips, and of the cells `range` of `n` others, each with its own clip.
fn cells_in_clips(range: Range<usize>, n: usize) -> Scene {
    let mut scene = Scene::new();
    for index in 0..N_PLAIN_CELLS {
        fill(&mut scene, index, cell(index, N_PLAIN_CELLS, 2.0));
    }
    for index in range {
        let clip = cell(index, n, 0.5);
        scene.push_clip_layer(Fill::NonZero, Affine::IDENTITY, &clip);
        fill(&mut scene, index, clip + Vec2::new(0.3 * clip.width(), 0.3 * clip.height()));
        scene.pop_layer();
    }
    scene
}

/// A page with as many of the last of `n` cells as Vello's stage can clip. The rows of pixels are
/// equal starting at the first row of cells that is complete.
fn last_cells(n: usize) -> (Scene, usize) {
    let first = n - VELLO_MAX / 2;
    let next_row = (first..n).map(|index| cell(index, n, 0.0).y0).find(|&y| y > cell(first, n, 0.0).y0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is in the picture")]
    let first_row = next_row.unwrap_or(0.0).ceil() as usize;
    (cells_in_clips(first..n, n), first_row)
}

/// A page of `n` layers of the size of the picture, half transparent, with a cell in each.
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

/// Cell `index` of `n` cells that fill the picture in rows, inset by a border.
fn cell(index: usize, n: usize, border: f64) -> Rect {
    let [width, height] = SIZE.map(f64::from);
    let (index, n) = (float(index), float(n));
    let n_columns = (n * width / height).sqrt().ceil();
    let (cell_width, cell_height) = (width / n_columns, height / (n / n_columns).ceil());
    let corner = ((index % n_columns) * cell_width, (index / n_columns).floor() * cell_height);
    Rect::from_origin_size(corner, (cell_width, cell_height)).inset(-border.min(0.2 * cell_width))
}

/// Fills a rectangle with a colour that depends on the index.
fn fill(scene: &mut Scene, index: usize, rect: Rect) {
    let shade = |step: usize| u8::try_from(30 + index * step % 200).unwrap_or_default();
    let color = Color::from_rgb8(shade(37), shade(59), shade(83));
    scene.fill(Fill::NonZero, Affine::IDENTITY, color, None, &rect);
}
