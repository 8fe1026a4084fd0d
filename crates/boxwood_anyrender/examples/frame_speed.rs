//! Measures frames of `vello_cpu` on one core, with and without this crate in front of it.
//!
//!     cargo run --release -p boxwood_anyrender --example frame_speed
//!
//! Times are medians. Pictures are compared after the timing.

#![expect(clippy::print_stdout, reason = "it prints a table")]

use std::sync::Arc;
use std::time::Instant;

use anyrender::{Glyph, ImageRenderer as _, NullScenePainter, PaintScene};
use anyrender_vello_cpu::VelloCpuImageRenderer;
use boxwood_anyrender::{Cull, Frame, Recorder, Rectangle};
use kurbo::{Affine, Rect, RoundedRect, Stroke, Vec2};
use peniko::{Blob, Color, Fill, FontData};

const SIZE: [u32; 2] = [1280, 800];
const N_RUNS: usize = 51;

type Painter<'a> = <VelloCpuImageRenderer as anyrender::ImageRenderer>::ScenePainter<'a>;

/// A renderer with its picture.
struct Target {
    renderer: VelloCpuImageRenderer,
    pixels: Vec<u8>,
}

impl Target {
    fn new() -> Self {
        Self { renderer: VelloCpuImageRenderer::new(SIZE[0], SIZE[1]), pixels: Vec::new() }
    }

    fn draw(&mut self, draw: impl FnOnce(&mut Painter<'_>)) {
        self.renderer.reset();
        self.renderer.render_to_vec(draw, &mut self.pixels);
    }
}

/// The median times of functions in milliseconds. The functions run alternately, so that a machine
/// that slows down slows all of them.
fn times<const N: usize>(mut runs: [&mut dyn FnMut(); N]) -> [f64; N] {
    // The first run allocates, and fills the caches of glyphs and images.
    runs.iter_mut().for_each(|run| run());
    let mut times = [(); N].map(|()| Vec::new());
    for _ in 0..N_RUNS {
        for (run, times) in runs.iter_mut().zip(&mut times) {
            let start = Instant::now();
            run();
            times.push(start.elapsed().as_secs_f64() * 1e3);
        }
    }
    times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[N_RUNS / 2]
    })
}

/// A list of cards in rows of five, each of five commands, of which some are shown.
struct Cards {
    font: FontData,
    n: u32,
    shown: std::ops::Range<u32>,
    selected: u32,
}

impl Cards {
    fn new(n: u32) -> Self {
        let font = FontData::new(Blob::new(Arc::new(boxwood_assets::NOTO_SANS)), 0);
        Self { font, n, shown: 0..n, selected: 7 }
    }

    fn paint(&self, scene: &mut impl PaintScene) {
        let [width, height] = [250.0, 38.0];
        for card in self.shown.clone() {
            let (x, y) = (256.0 * f64::from(card % 5), 40.0 * f64::from(card / 5));
            let at = Affine::translate((x, y));
            let outline = RoundedRect::new(1.0, 1.0, width, height, 6.0);
            let shade = if card == self.selected { 0xa0 } else { 0xf0 };
            scene.fill(Fill::NonZero, at, Color::from_rgba8(shade, shade, 0xff, 0xff), None, &outline);
            scene.stroke(&Stroke::new(1.0), at, Color::from_rgba8(0x80, 0x80, 0x80, 0xff), None, &outline);
            let icon = Rect::new(8.0, 8.0, 48.0, 32.0);
            scene.fill(Fill::NonZero, at, Color::from_rgba8(0x30, 0x90, 0x60, 0xff), None, &icon);
            for line in 0..2_u8 {
                let y = 16.0 + 15.0 * f32::from(line);
                let glyphs =
                    (0..14_u8).map(|i| Glyph { id: 36 + u32::from(i), x: 72.0 + 9.0 * f32::from(i), y });
                scene.draw_glyphs(
                    &self.font,
                    12.0,
                    true,
                    &[],
                    Vec2::ZERO,
                    Fill::NonZero,
                    Color::BLACK,
                    1.0,
                    at,
                    None,
                    glyphs,
                );
            }
        }
    }
}

/// Records a frame.
fn record(recorder: &mut Recorder, paint: impl FnOnce(&mut Recorder)) -> Frame {
    paint(recorder);
    recorder.finish().expect("the scene is valid")
}

/// The frames of a page of which a part is in view, or all of it.
fn scrolled(what: &str, cards: &Cards, in_view: u32) {
    let [mut direct, mut only_in_view, mut culled] = [(); 3].map(|()| Target::new());
    let visible = Cards { shown: 0..in_view, ..Cards::new(cards.n) };
    let mut recorder = Recorder::new(SIZE);
    let mut other_recorder = Recorder::new(SIZE);
    let [whole, part, with, recording] = times([
        &mut || direct.draw(|target| cards.paint(target)),
        &mut || only_in_view.draw(|target| visible.paint(target)),
        &mut || {
            let mut frame = record(&mut recorder, |recorder| cards.paint(recorder));
            culled.draw(|target| frame.draw_into(target, Cull::ALL));
            recorder.recycle(frame);
        },
        &mut || {
            let mut frame = record(&mut other_recorder, |recorder| cards.paint(recorder));
            frame.draw_into(&mut NullScenePainter::new(), Cull::ALL);
            other_recorder.recycle(frame);
        },
    ]);
    assert!(direct.pixels == culled.pixels && direct.pixels == only_in_view.pixels, "the pictures differ");
    println!(
        "{what}: whole {whole:.2} ms, only what is in view {part:.2}, culled {with:.2} ({:.2} times), \
         recording and choice {recording:.2} ({:.1} % of the whole)",
        with / part,
        100.0 * recording / whole
    );
}

/// One card changes.
fn repainted(cards: &mut Cards) {
    let [mut target, mut parts] = [(); 2].map(|()| Target::new());
    let mut recorder = Recorder::new(SIZE);
    let same_cards = Cards::new(cards.n);
    target.draw(|target| cards.paint(target));
    let mut previous = Some(record(&mut recorder, |recorder| cards.paint(recorder)));
    let mut picture = target.pixels.clone();
    let mut repaint = || {
        // Another card of those in view, so that each run has something to repaint.
        cards.selected = 5 + (cards.selected + 1) % 30;
        let mut frame = record(&mut recorder, |recorder| cards.paint(recorder));
        let old = previous.take().expect("there is a frame before");
        let damage = frame.damage_since(&old, 16).to_vec();
        parts.draw(|target| frame.draw_parts_into(target, &damage, Cull::ALL));
        damage.iter().for_each(|part| copy(&parts.pixels, &mut picture, *part));
        recorder.recycle(old);
        previous = Some(frame);
    };
    let mut whole = Target::new();
    let [whole, repaint] = times([&mut || whole.draw(|target| same_cards.paint(target)), &mut repaint]);
    target.draw(|target| cards.paint(target));
    assert!(target.pixels == picture, "the pictures differ");
    println!(
        "{} cards, one changed: whole {whole:.2} ms, repainted {repaint:.2} ({:.3} times)",
        cards.n,
        repaint / whole
    );
}

fn copy(from: &[u8], to: &mut [u8], Rectangle { x0, y0, x1, y1 }: Rectangle) {
    for y in y0..y1.min(SIZE[1]) {
        let pixels = |x: u32| 4 * (y * SIZE[0] + x.min(SIZE[0])) as usize;
        to[pixels(x0)..pixels(x1)].copy_from_slice(&from[pixels(x0)..pixels(x1)]);
    }
}

/// Opaque rectangles on top of each other.
fn stacked() {
    let paint =
        |scene: &mut dyn FnMut(Color), n: u8| (0..n).for_each(|i| scene(Color::from_rgba8(i, i, i, 255)));
    let rect = Rect::new(100.0, 100.0, 1100.0, 700.0);
    let [mut all, mut one, mut culled] = [(); 3].map(|()| Target::new());
    let mut recorder = Recorder::new(SIZE);
    let draw =
        |target: &mut Painter<'_>, color| target.fill(Fill::NonZero, Affine::IDENTITY, color, None, &rect);
    let [whole, single, hidden] = times([
        &mut || all.draw(|target| paint(&mut |color| draw(target, color), 255)),
        &mut || one.draw(|target| draw(target, Color::from_rgba8(254, 254, 254, 255))),
        &mut || {
            paint(&mut |color| recorder.fill(Fill::NonZero, Affine::IDENTITY, color, None, &rect), 255);
            let mut frame = recorder.finish().expect("the scene is valid");
            culled.draw(|target| frame.draw_into(target, Cull::ALL));
            recorder.recycle(frame);
        },
    ]);
    assert!(all.pixels == culled.pixels && all.pixels == one.pixels, "the pictures differ");
    println!(
        "255 stacked opaque rectangles: whole {whole:.2} ms, one {single:.2}, culled {hidden:.2} ({:.2} times one)",
        hidden / single
    );
}

fn main() {
    scrolled("100 cards of five commands, all in view", &Cards::new(100), 100);
    scrolled("2,000 cards of five commands, 5 % in view", &Cards::new(2_000), 100);
    repainted(&mut Cards::new(100));
    repainted(&mut Cards::new(5_000));
    stacked();
    let mut recorder = Recorder::new(SIZE);
    let mut frame = record(&mut recorder, |recorder| Cards::new(800).paint(recorder));
    let [layers] = times([&mut || _ = frame.layers()]);
    println!("the layers of {} commands of cards: {layers:.3} ms", frame.len());
}
