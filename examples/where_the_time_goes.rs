//! Measures the steps from SVG files to their clipped boxes.
//!
//!     cargo run --release -p boxwood_examples --bin where_the_time_goes -- FILE...
//!
//! It prints one row per file, with the minimum time of 15 runs of each step, in milliseconds.
//! Compilation and allocation are not included. On the GPU, each step waits for the one before, so
//! that each step has its own time. Recorded into one encoder, they take less.
//!
//! Leaf boxes come either from the loader (*flatten*) or from the packed streams (*path boxes*).
//! The last two columns are the share of the GPU stages in the total: that of *boxes* in the first
//! case, that of *path boxes* and *boxes* in the second.

#![expect(clippy::print_stdout, reason = "the example prints its result")]

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use boxwood::native::Gpu;
use boxwood::paths::{PathBuffers, PathBuffersDescriptor, PathStreams};
use boxwood::{Context, Outputs, SceneBoxes, wgpu};
use boxwood_cpu::Engine;
use boxwood_svg::{LoadTimes, Options, load_file};
use vello_encoding::Resolver;

/// The number of runs per file.
const RUNS: usize = 15;

/// The steps, in order. The last one is an alternative to *boxes*.
const STEPS: [&str; 8] =
    ["parse", "flatten", "pack", "upload", "path boxes", "boxes", "read-back", "boxes on one CPU core"];

fn main() -> anyhow::Result<()> {
    let gpu = Gpu::open(None)?;
    let mut stages = Stages { context: Context::new(&gpu.device), gpu, engine: Engine::new() };
    println!("Milliseconds on {}:\n", stages.gpu.adapter.get_info().name);
    println!("| file | elements | {} | share of boxes | share of path boxes and boxes |", STEPS.join(" | "));
    println!("|---|---|{}---|---|", "---|".repeat(STEPS.len()));
    for path in std::env::args().skip(1) {
        let path = Path::new(&path);
        let name = path.file_name().context("give the paths of SVG files")?.to_string_lossy();
        let (n_elements, mut least) = stages.run(path)?;
        for _ in 1..RUNS {
            let (_, times) = stages.run(path)?;
            least = std::array::from_fn(|step| least[step].min(times[step]));
        }
        let least = least.map(|time| time.as_secs_f64() * 1e3);
        let [parse, flatten, pack, upload, path_boxes, boxes, read_back, _] = least;
        let with_loader = parse + flatten + upload + boxes + read_back;
        let shares = [boxes / with_loader, (path_boxes + boxes) / (with_loader + pack + path_boxes)];
        let cells = least.map(|time| format!("{time:.2}")).join(" | ");
        let shares = shares.map(|share| format!("{:.1} %", 100.0 * share)).join(" | ");
        println!("| {name} | {n_elements} | {cells} | {shares} |");
    }
    Ok(())
}

/// A device with its context, and the engine on the CPU, which keeps its memory from run to run.
struct Stages {
    gpu: Gpu,
    context: Context,
    engine: Engine,
}

impl Stages {
    /// The number of elements in a file, and the time of each step.
    fn run(&mut self, path: &Path) -> anyhow::Result<(usize, [Duration; STEPS.len()])> {
        let queue = &self.gpu.queue;
        let drawing = load_file(path, &Options::default())?;

        let start = Instant::now();
        let mut bytes = Vec::new();
        let mut resolver = Resolver::new();
        let (layout, ..) = resolver.resolve(&drawing.encoding, &mut bytes);
        let words: Vec<u32> = bytes.chunks_exact(4).map(bytemuck::pod_read_unaligned).collect();
        let streams = PathStreams::new(&words, bytemuck::cast(layout))?;
        let pack = start.elapsed();

        let (n_elements, n_entries) = (drawing.elements.len(), drawing.elements.n_entries());
        let mut buffers = SceneBoxes::with_capacity(&self.context, Outputs::all(), n_elements, n_entries)?;
        let size = PathBuffersDescriptor {
            boxes: Some(buffers.element_boxes()),
            ..PathBuffersDescriptor::of(&streams)
        };
        let mut paths = PathBuffers::new(&self.context, &size)?;
        // wgpu clears buffers when they are first used.
        for _ in 0..2 {
            self.gpu.run(|encoder| {
                paths.record(encoder);
                buffers.record(encoder);
            })?;
        }

        let start = Instant::now();
        buffers.update_tags(queue, streams.draw_tags())?;
        paths.upload(queue, &streams)?;
        self.gpu.run(|_| {})?;
        let upload = start.elapsed();

        let path_boxes = self.timed(|encoder| paths.record(encoder))?;
        let boxes = self.timed(|encoder| buffers.record(encoder))?;

        let start = Instant::now();
        let found = buffers.read_back(queue)?;
        let read_back = start.elapsed();

        let start = Instant::now();
        let expected = self.engine.boxes(&drawing.elements)?;
        let on_the_cpu = start.elapsed();
        // The leaf boxes come from different sources, so boxes can differ by a rounding.
        anyhow::ensure!(found.links == expected.links, "the GPU differs from the CPU");
        let LoadTimes { parse, lower: flatten } = drawing.times;
        let times = [parse, flatten, pack, upload, path_boxes, boxes, read_back, on_the_cpu];
        Ok((n_elements, times))
    }

    /// Runs a recording and returns its time.
    fn timed(&self, record: impl FnOnce(&mut wgpu::CommandEncoder)) -> anyhow::Result<Duration> {
        let start = Instant::now();
        self.gpu.run(record)?;
        Ok(start.elapsed())
    }
}
