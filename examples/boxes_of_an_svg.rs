//! Prints the clipped box of every leaf of an SVG file.
//!
//!     cargo run -p boxwood_examples --bin boxes_of_an_svg -- assets/svg/poster.svg

#![expect(clippy::print_stdout, reason = "the example prints its result")]

use anyhow::Context as _;
use boxwood::native::Gpu;
use boxwood::{Buffers, ElementKind, Pipelines};

fn main() -> anyhow::Result<()> {
    let path = std::env::args().nth(1).context("give the path of an SVG file")?;
    let drawing = boxwood_svg::load_file(path.as_ref(), &boxwood_svg::Options::default())?;

    let gpu = Gpu::open(None)?;
    let pipelines = Pipelines::new(&gpu.device);
    let buffers = Buffers::of(&gpu.device, &gpu.queue, &pipelines, &drawing.elements)?;
    gpu.run(|encoder| buffers.record(encoder))?;
    let boxes = boxwood::read_back(&gpu.device, &gpu.queue, &buffers)?;

    for (element, info) in drawing.table.iter().enumerate() {
        if drawing.elements.kind(element) == ElementKind::Leaf {
            let name = &drawing.sources[info.source as usize].name;
            println!("{name} {:?}: {}", info.role, boxes.clipped_boxes[element]);
        }
    }
    Ok(())
}
