//! Scrolls through a page of 10,000 cards, drawn by `vello_cpu`. A recorder leaves out the cards
//! that are not in view, and the picture stays the same, which the program checks at each step.
//!
//!     cargo run --release -p boxwood_examples --bin cull -- [out.png]

#![expect(clippy::print_stdout, reason = "the example prints its result")]

use std::time::{Duration, Instant};

use anyhow::ensure;
use anyrender::{ImageRenderer as _, PaintScene};
use anyrender_vello_cpu::VelloCpuImageRenderer;
use boxwood_anyrender::{Cull, Recorder};
use image::RgbaImage;
use kurbo::{Affine, Rect, RoundedRect, Stroke};
use peniko::{Color, Fill};

const SIZE: [u32; 2] = [1000, 600];
const N_CARDS: u32 = 10_000;
const N_COLUMNS: u32 = 4;
const ROW_HEIGHT: f64 = 60.0;

/// Paints all cards. Nothing here knows what is in view.
fn paint_page(scene: &mut impl PaintScene, scroll: f64) {
    for card in 0..N_CARDS {
        let (column, row) = (card % N_COLUMNS, card / N_COLUMNS);
        let at = Affine::translate((250.0 * f64::from(column), ROW_HEIGHT * f64::from(row) - scroll));
        let shape = RoundedRect::new(5.0, 5.0, 245.0, 55.0, 8.0);
        let [r, g, b, _] = (card.wrapping_mul(0x9e37_79b9)).to_le_bytes();
        scene.draw_box_shadow(at, shape.rect(), Color::from_rgba8(0, 0, 0, 60), 8.0, 3.0);
        scene.fill(Fill::NonZero, at, Color::WHITE, None, &shape);
        scene.stroke(&Stroke::new(1.0), at, Color::from_rgba8(0x80, 0x80, 0x80, 0xff), None, &shape);
        scene.push_clip_layer(Fill::NonZero, at, &Rect::new(15.0, 15.0, 45.0, 45.0));
        scene.fill(
            Fill::NonZero,
            at,
            Color::from_rgba8(r, g, b, 0xff),
            None,
            &Rect::new(0.0, 0.0, 80.0, 80.0),
        );
        scene.pop_layer();
    }
}

fn main() -> anyhow::Result<()> {
    let [width, height] = SIZE;
    let [mut whole, mut culled] = [(); 2].map(|()| VelloCpuImageRenderer::new(width, height));
    let (mut expected, mut found) = (Vec::new(), Vec::new());
    let mut recorder = Recorder::new(SIZE);
    let mut times = [Duration::ZERO; 2];
    let page_height = ROW_HEIGHT * f64::from(N_CARDS / N_COLUMNS);
    let n_steps = 10;
    for step in 0..n_steps {
        let scroll = (page_height - f64::from(height)) * f64::from(step) / f64::from(n_steps - 1);

        let start = Instant::now();
        whole.reset();
        whole.render_to_vec(|target| paint_page(target, scroll), &mut expected);
        times[0] += start.elapsed();

        let start = Instant::now();
        culled.reset();
        paint_page(&mut recorder, scroll);
        let mut frame = recorder.finish()?;
        culled.render_to_vec(|target| frame.draw_into(target, Cull::ALL), &mut found);
        times[1] += start.elapsed();

        ensure!(found == expected, "the pictures at {scroll} differ");
        println!("scrolled by {scroll:.0}: {}", frame.report(Cull::ALL));
        recorder.recycle(frame);
    }
    let [whole, culled] = times.map(|time| time.as_secs_f64() * 1e3 / f64::from(n_steps));
    println!("a frame takes {culled:.1} ms instead of {whole:.1} ms, and looks the same");
    if let Some(path) = std::env::args_os().nth(1) {
        let picture = RgbaImage::from_raw(width, height, found);
        picture.expect("the picture has four bytes per pixel").save(path)?;
    }
    Ok(())
}
