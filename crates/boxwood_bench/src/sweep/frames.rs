//! Whole frames of 1920 x 1080, by `vello::Renderer` and by Boxwood's renderer with either clip
//! stage.
//!
//! The time of a frame starts with the call and ends when the device is idle, on the clock of the
//! CPU. The renderers draw alternately, so that other load on the machine affects all of them. Each
//! draws two frames, and the second one counts: the caches then have what a renderer that draws
//! frame after frame finds in them, and not the buffers of another renderer.

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

/// The numbers of opaque cards of the whole picture on top of each other.
const CARDS: [usize; 5] = [1, 4, 16, 64, 256];

/// The maximum number of cards that Vello draws right. The buffers of `vello::Renderer` have a
/// fixed size, and overflow with the next number of cards.
const VELLO_MAX_CARDS: usize = 64;

/// The numbers of cards in a quick sweep.
const QUICK_CARDS: [usize; 2] = [1, 4];

/// The number of windows that overlap each other, and of the rectangles in each.
const WINDOWS: [usize; 2] = [30, 200];

/// The cells without clips of each page.
const N_PLAIN_CELLS: usize = 1024;

/// The maximum time of all frames of a scene by one renderer, unless there are only three.
const MEASUREMENT_TIME: Duration = Duration::from_secs(4);

/// The maximum number of untimed frames.
const MAX_WARM_UP_FRAMES: usize = 8;

pub(super) fn measure(session: &mut Session<'_>) -> Result<(), BenchError> {
    let quick = session.options.quick;
    let [width, height] = if quick { QUICK_SIZE } else { SIZE };
    let target = session.gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("boxwood.bench.frame"),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: wgpu::TextureUsages::STORAGE_BINDING | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    });
    let view = target.create_view(&wgpu::TextureViewDescriptor::default());
    let antialiasing_method = AaConfig::Area;
    let params = RenderParams { base_color: Color::WHITE, width, height, antialiasing_method };
    let mut painters = painters(session.gpu, &view, &params)?;

    let is_selected = |n: &usize| !quick || *n == QUICK_CLIP_OPERATIONS;
    let with_clips = CLIP_OPERATIONS.into_iter().filter(is_selected).map(|n| Page {
        family: "a clip a cell",
        n,
        scene: cells_in_clips(0..n / 2, n / 2),
        painters: if n > VELLO_MAX { vec![2] } else { vec![0, 1, 2] },
        reference: (n > VELLO_MAX).then(|| last_cells(n / 2)),
    });
    let with_layers = LAYERS.into_iter().filter(|_| !quick).map(|(family, n, is_nested)| {
        let scene = layers(n, is_nested);
        Page { family, n: 2 * n, scene, painters: vec![0, 1, 2, 3], reference: None }
    });
    let n_cards = CARDS.into_iter().filter(|n| !quick || QUICK_CARDS.contains(n));
    let kinds_of_cards = [("opaque cards", 0), ("opaque cards with cells", 16)];
    let n_kinds = if quick { 1 } else { kinds_of_cards.len() };
    let with_cards = kinds_of_cards.into_iter().take(n_kinds).flat_map(|(family, n_cells)| {
        n_cards.clone().map(move |n| Page {
            family,
            n,
            scene: cards(0..n, n_cells),
            painters: if n > VELLO_MAX_CARDS { vec![1, 4] } else { vec![0, 1, 4] },
            // Only the last card is visible.
            reference: Some((cards(n - 1..n, n_cells), 0)),
        })
    });
    let with_windows = (!quick).then(|| Page {
        family: "windows",
        n: WINDOWS[0],
        scene: windows(WINDOWS),
        painters: vec![0, 1, 4],
        reference: None,
    });
    for page in with_clips.chain(with_layers).chain(with_cards).chain(with_windows) {
        measure_page(session, &target, &mut painters, &page)?;
    }
    Ok(())
}

/// A scene to draw.
struct Page {
    family: &'static str,
    /// The number of clip operations, cards, or windows.
    n: usize,
    scene: Scene,
    /// The [`painters`] that are measured: those that draw the scene right, the one that tightens
    /// layers only if there are layers, and the one that hides what is occluded only if there are
    /// cards.
    painters: Vec<usize>,
    /// Another scene, if Vello cannot draw this one, or if it is simpler. Vello draws it right, and
    /// its rows of pixels starting at this row equal those of this one.
    reference: Option<(Scene, usize)>,
}

/// A renderer.
struct Painter<'a> {
    variant: &'static str,
    draw: Box<Draw<'a>>,
}

type Draw<'a> = dyn FnMut(&Scene) -> Result<(), BenchError> + 'a;

/// Vello's renderer; and Boxwood's with Vello's clip stage, with its own, with tightened layers,
/// and without what is occluded.
fn painters<'a>(
    gpu: &'a Gpu,
    view: &'a wgpu::TextureView,
    params: &'a RenderParams,
) -> Result<[Painter<'a>; 5], BenchError> {
    let Gpu { device, queue, .. } = gpu;
    let antialiasing_support = AaSupport::area_only();
    let options = vello::RendererOptions { antialiasing_support, ..Default::default() };
    let mut vello = vello::Renderer::new(device, options)?;
    let draw = move |scene: &Scene| Ok(vello.render_to_texture(device, queue, scene, view, params)?);
    let by_vello = Painter { variant: "vello", draw: Box::new(draw) };
    let by_boxwood = |variant, options| {
        let options = RendererOptions { antialiasing_support, on_overflow: OnOverflow::Grow, ..options };
        let mut renderer = Renderer::new(device, options)?;
        let draw = move |scene: &Scene| Ok(renderer.render_to_texture(device, queue, scene, view, params)?);
        Ok::<_, BenchError>(Painter { variant, draw: Box::new(draw) })
    };
    let by_vellos = RendererOptions { clip_stage: ClipStage::Vello, ..Default::default() };
    let by_its_own = RendererOptions { clip_stage: ClipStage::Boxwood, ..Default::default() };
    let tightened = RendererOptions { tighten_layers: true, ..by_its_own.clone() };
    let hidden = RendererOptions { hide_occluded: true, ..by_vellos.clone() };
    Ok([
        by_vello,
        by_boxwood("boxwood_vello, Vello's clip stage", by_vellos)?,
        by_boxwood("boxwood_vello, Boxwood's clip stage", by_its_own)?,
        by_boxwood("boxwood_vello, Boxwood's, tightened", tightened)?,
        by_boxwood("boxwood_vello, Vello's, hiding the occluded", hidden)?,
    ])
}

/// Measures a page by each of its painters.
fn measure_page(
    session: &mut Session<'_>,
    target: &wgpu::Texture,
    painters: &mut [Painter<'_>; 5],
    page: &Page,
) -> Result<(), BenchError> {
    let Gpu { device, queue, .. } = session.gpu;
    let (scene, vello) = (&page.scene, &mut painters[0]);
    let (vello_scene, first_row) = page.reference.as_ref().map_or((scene, 0), |(scene, row)| (scene, *row));
    (vello.draw)(vello_scene)?;
    let expected = read_texels(device, queue, target)?;

    let start = first_row * 4 * target.width() as usize;
    let measured = painters.iter_mut().enumerate().filter(|(index, _)| page.painters.contains(index));
    let mut painters: Vec<_> = measured.map(|(_, painter)| painter).collect();
    let times = time(session.gpu, session.options.n_runs(), &mut painters, scene)?;
    for (painter, times) in painters.into_iter().zip(times) {
        (painter.draw)(scene)?;
        let picture = read_texels(device, queue, target)?;
        let apart = expected.iter().zip(&picture).skip(start).map(|(a, b)| a.abs_diff(*b));
        let is_blank = picture.iter().all(|&value| value == u8::MAX);
        session.add(Measured {
            what: "frame",
            n: page.n,
            family: page.family,
            variant: painter.variant,
            seconds: Seconds::of(times),
            is_right: apart.max() <= Some(TOLERANCE) && !is_blank,
            ..Measured::default()
        })?;
    }
    Ok(())
}

/// The greatest difference of a channel between equal pictures, in steps. Vello sums the areas of a
/// pixel in the order in which its invocations run, which can change a rounding. Tightening omits
/// the rounding of empty layers.
const TOLERANCE: u8 = 1;

/// The times of the frames by each painter, after a few untimed frames.
fn time(
    gpu: &Gpu,
    n_runs: usize,
    painters: &mut [&mut Painter<'_>],
    scene: &Scene,
) -> Result<Vec<Vec<f64>>, BenchError> {
    let mut round = || -> Result<Vec<Duration>, BenchError> {
        let frame = |painter: &mut Painter<'_>| {
            let start = Instant::now();
            (painter.draw)(scene)?;
            gpu.device.poll(wgpu::PollType::wait_indefinitely()).map_err(ReadBackError::from)?;
            Ok::<_, BenchError>(start.elapsed())
        };
        painters.iter_mut().map(|painter| frame(painter).and_then(|_| frame(painter))).collect()
    };
    // The first frame allocates the buffers, and may grow them.
    round()?;
    let longest = round()?.into_iter().max().unwrap_or_default();
    let n_fitting = fitting_runs(n_runs, longest, MEASUREMENT_TIME);
    for _ in 0..n_fitting.min(MAX_WARM_UP_FRAMES) {
        round()?;
    }
    let rounds: Vec<_> = (0..n_fitting).map(|_| round()).collect::<Result<_, _>>()?;
    let of_painter = |index: usize| rounds.iter().map(|times| times[index].as_secs_f64()).collect();
    Ok((0..painters.len()).map(of_painter).collect())
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

/// Opaque cards of the whole picture on top of each other, with cells on each: those of `range`.
fn cards(range: Range<usize>, n_cells: usize) -> Scene {
    let mut scene = Scene::new();
    for index in range {
        fill(&mut scene, index, Rect::new(0.0, 0.0, SIZE[0].into(), SIZE[1].into()));
        (0..n_cells).for_each(|place| fill(&mut scene, index + place, cell(place, n_cells, 20.0)));
    }
    scene
}

/// Windows in steps to the right and down, the last on top.
fn windows([n_windows, n_cells]: [usize; 2]) -> Scene {
    let mut scene = Scene::new();
    let page = Affine::scale(0.6);
    for index in 0..n_windows {
        let step = Vec2::new(24.0, 13.0) * float(index);
        fill(
            &mut scene,
            index,
            page.transform_rect_bbox(Rect::new(0.0, 0.0, SIZE[0].into(), SIZE[1].into())) + step,
        );
        for place in 0..n_cells {
            fill(&mut scene, index + place, page.transform_rect_bbox(cell(place, n_cells, 5.0)) + step);
        }
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
