//! Moves the pointer over a page of 5,000 cards, drawn by `vello_cpu`. Each time, only the cards
//! near a change are drawn, and their pixels are copied into the picture that is there. The program
//! checks that it equals a whole picture.
//!
//!     cargo run --release -p boxwood_examples --bin repaint -- [out.png]

#![expect(clippy::print_stdout, reason = "the example prints its result")]

use std::time::{Duration, Instant};

use anyhow::ensure;
use anyrender::{ImageRenderer as _, PaintScene};
use anyrender_vello_cpu::VelloCpuImageRenderer;
use boxwood_anyrender::{Cull, Frame, RecordError, Recorder, Rectangle};
use image::RgbaImage;
use kurbo::{Affine, Point, RoundedRect};
use peniko::{Color, Fill};

const SIZE: [u32; 2] = [1000, 800];
const N_CARDS: usize = 5_000;
const N_COLUMNS: usize = 100;

/// The maximum number of rectangles to draw again.
const MAX_RECTANGLES: usize = 16;

/// Paints all cards, one of them under the pointer.
fn paint_page(scene: &mut impl PaintScene, pointed: Option<usize>) {
    for card in 0..N_CARDS {
        let (column, row) = (card % N_COLUMNS, card / N_COLUMNS);
        let at = Affine::translate((10.0 * column as f64, 16.0 * row as f64));
        let color = if pointed == Some(card) {
            Color::from_rgba8(0xff, 0xa0, 0x20, 0xff)
        } else {
            Color::from_rgba8(0x40, 0x70, 0xa0, 0xff)
        };
        scene.fill(Fill::NonZero, at, color, None, &RoundedRect::new(1.0, 1.0, 9.0, 15.0, 2.0));
    }
}

fn record(recorder: &mut Recorder, pointed: Option<usize>) -> Result<Frame, RecordError> {
    paint_page(recorder, pointed);
    recorder.finish()
}

/// Copies the pixels of a rectangle.
fn copy(from: &[u8], to: &mut [u8], Rectangle { x0, y0, x1, y1 }: Rectangle) {
    for y in y0..y1 {
        let pixels = |x: u32| 4 * (y * SIZE[0] + x) as usize;
        to[pixels(x0)..pixels(x1)].copy_from_slice(&from[pixels(x0)..pixels(x1)]);
    }
}

fn main() -> anyhow::Result<()> {
    let [width, height] = SIZE;
    let [mut whole, mut parts] = [(); 2].map(|()| VelloCpuImageRenderer::new(width, height));
    let (mut picture, mut expected, mut drawn) = (Vec::new(), Vec::new(), Vec::new());
    let mut recorder = Recorder::new(SIZE);
    let mut previous = record(&mut recorder, None)?;
    whole.render_to_vec(|target| paint_page(target, None), &mut picture);

    let mut times = [Duration::ZERO; 2];
    let n_steps: u32 = 20;
    for step in 0..n_steps {
        let pointer = Point::new(45.0 * f64::from(step) + 5.0, 38.0 * f64::from(step) + 5.0);
        let start = Instant::now();
        // The index of a command is that of its card.
        let pointed = previous.pick(pointer).first().copied();
        let mut frame = record(&mut recorder, pointed)?;
        let damage = frame.damage_since(&previous, MAX_RECTANGLES).to_vec();
        parts.reset();
        parts.render_to_vec(|target| frame.draw_parts_into(target, &damage, Cull::ALL), &mut drawn);
        damage.iter().for_each(|part| copy(&drawn, &mut picture, *part));
        times[1] += start.elapsed();

        let start = Instant::now();
        whole.reset();
        whole.render_to_vec(|target| paint_page(target, pointed), &mut expected);
        times[0] += start.elapsed();

        ensure!(picture == expected, "the pictures at step {step} differ");
        let n_pixels: u32 = damage.iter().map(|part| (part.x1 - part.x0) * (part.y1 - part.y0)).sum();
        println!("{pointer}: card {pointed:?}, {} rectangles of {n_pixels} pixels", damage.len());
        recorder.recycle(std::mem::replace(&mut previous, frame));
    }
    let [whole, repainted] = times.map(|time| time.as_secs_f64() * 1e3 / f64::from(n_steps));
    println!("a repaint takes {repainted:.2} ms instead of {whole:.2} ms, and looks the same");
    if let Some(path) = std::env::args_os().nth(1) {
        let image = RgbaImage::from_raw(width, height, picture);
        image.expect("the picture has four bytes per pixel").save(path)?;
    }
    Ok(())
}
