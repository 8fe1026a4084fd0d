//! Draws an SVG file with its boxes into a PNG file, without a window.
//!
//!     cargo run -p boxwood_examples --bin headless_png -- assets/svg/poster.svg out.png

use anyhow::Context as _;
use boxwood::native::Gpu;
use boxwood_render::{OverlayKinds, RenderOptions};

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let (svg, png) = (arguments.next(), arguments.next());
    let (svg, png) = svg.zip(png).context("usage: headless_png IN.svg OUT.png")?;

    let drawing = boxwood_svg::load_file(svg.as_ref(), &boxwood_svg::Options::default())?;
    let options =
        RenderOptions { overlay: OverlayKinds::CLIPPED.union(OverlayKinds::GROUP), ..Default::default() };
    boxwood_render::render(&Gpu::open(None)?, &drawing, &options)?.save(&png)?;
    Ok(())
}
