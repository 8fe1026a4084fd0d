//! Draws a Vello scene with `boxwood_vello` in place of `vello::Renderer`, and writes a PNG file.
//! The clips are nested deeper than Vello's own clip stage supports.
//!
//!     cargo run -p boxwood_examples --bin vello_drop_in -- out.png

#![expect(clippy::print_stdout, reason = "an example shows what it found")]

use anyhow::Context as _;
use boxwood::native::Gpu;
use boxwood::wgpu;
use boxwood_vello::{BumpBuffer, OnOverflow, Renderer, RendererOptions};
use vello::kurbo::{Affine, Rect};
use vello::peniko::{Color, Fill};
use vello::{AaConfig, RenderParams, Scene};

mod picture;

fn main() -> anyhow::Result<()> {
    let png = std::env::args().nth(1).context("give the path of the PNG file to write")?;
    let Gpu { device, queue, .. } = Gpu::open(None)?;

    // With Vello, the options are `vello::RendererOptions::default()`, and the renderer is
    // `vello::Renderer::new(&device, options)?`.
    let options = RendererOptions {
        tighten_layers: true,
        on_overflow: OnOverflow::Grow,
        ..vello::RendererOptions::default().into()
    };
    let mut renderer = Renderer::new(&device, options)?;

    let texture = picture::texture(&device, wgpu::TextureUsages::STORAGE_BINDING);
    let params = RenderParams {
        base_color: Color::WHITE,
        width: picture::SIZE,
        height: picture::SIZE,
        antialiasing_method: AaConfig::Area,
    };
    let view = texture.create_view(&Default::default());
    renderer.render_to_texture(&device, &queue, &scene(), &view, &params)?;

    let usage = renderer.usage().context("the usage is read by default")?;
    for buffer in [BumpBuffer::Tiles, BumpBuffer::Binning, BumpBuffer::BlendSpill] {
        let fill = usage.of(buffer);
        println!("{}: {} of {} items", buffer.name(), fill.need, fill.size);
    }
    picture::save(&device, &queue, &texture, &png)
}

/// 300 clips in each other, and squares in the innermost one. The outermost clip is the smallest.
fn scene() -> Scene {
    let mut scene = Scene::new();
    scene.push_clip_layer(Fill::NonZero, Affine::IDENTITY, &Rect::new(48.0, 48.0, 208.0, 208.0));
    for _ in 1..300 {
        scene.push_clip_layer(Fill::NonZero, Affine::IDENTITY, &Rect::new(0.0, 0.0, 256.0, 256.0));
    }
    for i in 0..64_u32 {
        let at = Affine::translate((f64::from(i % 8) * 32.0, f64::from(i / 8) * 32.0));
        let square = Rect::new(0.0, 0.0, 30.0, 30.0);
        scene.push_clip_layer(Fill::NonZero, at, &square);
        scene.fill(Fill::NonZero, at, Color::from_rgb8(214, 92, 48), None, &square);
        scene.pop_layer();
    }
    for _ in 0..300 {
        scene.pop_layer();
    }
    scene
}
