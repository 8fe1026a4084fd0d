//! Prints the clipped box of every leaf of an SVG file.
//!
//!     cargo run -p boxwood_examples --bin boxes_of_an_svg -- assets/svg/poster.svg

#![expect(clippy::print_stdout, reason = "the example prints its result")]

use anyhow::Context as _;
use boxwood::native::Gpu;
use boxwood::{Context, ElementKind, Outputs, SceneBoxes};

fn main() -> anyhow::Result<()> {
    let path = std::env::args().nth(1).context("give the path of an SVG file")?;
    let drawing = boxwood_svg::load_file(path.as_ref(), &boxwood_svg::Options::default())?;

    let gpu = Gpu::open(None)?;
    let context = Context::new(&gpu.device);
    let mut buffers = SceneBoxes::new(&context, Outputs::all());
    buffers.update(&gpu.queue, &drawing.elements)?;
    gpu.run(|encoder| buffers.record(encoder))?;
    let boxes = buffers.read_back(&gpu.queue)?;

    for (element, info) in drawing.table.iter().enumerate() {
        if drawing.elements.kind(element) == ElementKind::Leaf {
            let name = &drawing.sources[info.source as usize].name;
            println!("{name} {:?}: {}", info.role, boxes.clipped_boxes[element]);
        }
    }
    Ok(())
}
