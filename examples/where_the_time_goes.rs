//! From SVG files to their clipped boxes: where the time goes.
//!
//!     cargo run --release -p boxwood_examples --bin where_the_time_goes -- FILE...
//!
//! A row a file, of each step the least time of 15 runs, in milliseconds. What is compiled and allocated once a device or size is not
//! in it. On the GPU each step waits for the one before, so that each has its own time; recorded into one encoder they take less.
//!
//! Leaf boxes come from the loader, which has them from *flatten*, or from *path bounds*, out of the packed streams. So there are two
//! ways from a file to its boxes, and of each the share that the stages have: of the first that of *boxes*, of the second that of
//! *path bounds* and *boxes*.

#![expect(clippy::print_stdout, reason = "an example shows what it found")]

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use boxwood::native::Gpu;
use boxwood::paths::PathStreams;
use boxwood::paths::{PathBuffers, PathBuffersDescriptor, PathPipelines};
use boxwood::{Buffers, Pipelines, read_back, wgpu};
use boxwood_svg::{Options, load_file};
use vello_encoding::Resolver;

/// How often each file is gone through.
const RUNS: usize = 15;

/// The steps, in order. The last is the same as *boxes*, beside the others.
const STEPS: [&str; 8] =
    ["parse", "flatten", "pack", "upload", "path bounds", "boxes", "read-back", "boxes on one CPU core"];

fn main() -> anyhow::Result<()> {
    let gpu = Gpu::open(None)?;
    let stages = Stages {
        boxes: Pipelines::new(&gpu.device),
        path_bounds: PathPipelines::new(&gpu.device),
        adapter: gpu.adapter.get_info().name,
        gpu,
    };
    println!("Milliseconds on {}:\n", stages.adapter);
    println!("| file | elements | {} | boxes, of the first way | stages, of the second |", STEPS.join(" | "));
    println!("|---|---|{}---|---|", "---|".repeat(STEPS.len()));
    for path in std::env::args().skip(1) {
        let path = Path::new(&path);
        let name = path.file_name().context("give the paths of SVG files")?.to_string_lossy();
        let mut runs = Vec::new();
        let mut n_elements = 0;
        for _ in 0..RUNS {
            let (n, times) = stages.run(path)?;
            n_elements = n;
            runs.push(times);
        }
        let least: [f64; STEPS.len()] = std::array::from_fn(|step| {
            let times = runs.iter().map(|run: &[Duration; STEPS.len()]| run[step].as_secs_f64() * 1e3);
            times.fold(f64::INFINITY, f64::min)
        });
        let [parse, flatten, pack, upload, path_bounds, boxes, read_back, _] = least;
        let first_way = parse + flatten + upload + boxes + read_back;
        let shares = [boxes / first_way, (path_bounds + boxes) / (first_way + pack + path_bounds)];
        let cells = least.map(|time| format!("{time:.2}")).join(" | ");
        let shares = shares.map(|share| format!("{:.1} %", 100.0 * share)).join(" | ");
        println!("| {name} | {n_elements} | {cells} | {shares} |");
    }
    Ok(())
}

/// A device with all that is compiled for it.
struct Stages {
    gpu: Gpu,
    adapter: String,
    path_bounds: PathPipelines,
    boxes: Pipelines,
}

impl Stages {
    /// How many elements a file has, and the time that each step takes.
    fn run(&self, path: &Path) -> anyhow::Result<(usize, [Duration; STEPS.len()])> {
        let Gpu { device, queue, .. } = &self.gpu;
        let drawing = load_file(path, &Options::default())?;

        let start = Instant::now();
        let mut bytes = Vec::new();
        let mut resolver = Resolver::new();
        let (layout, ..) = resolver.resolve(&drawing.encoding, &mut bytes);
        let words: Vec<u32> = bytes.chunks_exact(4).map(bytemuck::pod_read_unaligned).collect();
        let streams = PathStreams::new(&words, bytemuck::cast(layout))?;
        let pack = start.elapsed();

        let (n_elements, n_nodes) = (drawing.elements.len(), drawing.elements.n_nodes());
        let mut buffers = Buffers::with_capacity(device, &self.boxes, n_elements, n_nodes)?;
        let size = PathBuffersDescriptor {
            boxes: Some(buffers.element_boxes()),
            ..PathBuffersDescriptor::of(&streams)
        };
        let mut paths = PathBuffers::new(device, &self.path_bounds, &size)?;
        // Buffers are cleared when they are first used.
        for _ in 0..2 {
            self.submit(|encoder| {
                paths.record(encoder);
                buffers.record(encoder);
            })?;
        }

        let start = Instant::now();
        buffers.upload_tags(queue, streams.draw_tags())?;
        paths.upload(queue, &streams)?;
        self.submit(|_| {})?;
        let upload = start.elapsed();

        let path_bounds = self.submit(|encoder| paths.record(encoder))?;
        let boxes = self.submit(|encoder| buffers.record(encoder))?;

        let start = Instant::now();
        let found = read_back(device, queue, &buffers)?;
        let read_back = start.elapsed();

        let start = Instant::now();
        let expected = boxwood_cpu::boxes(&drawing.elements);
        let on_the_cpu = start.elapsed();
        anyhow::ensure!(found.links == expected.links, "the GPU differs from the specification");
        let times = [
            drawing.times.parse,
            drawing.times.flatten,
            pack,
            upload,
            path_bounds,
            boxes,
            read_back,
            on_the_cpu,
        ];
        Ok((n_elements, times))
    }

    /// Submits what is recorded, and gives the time until it is done.
    fn submit(&self, record: impl FnOnce(&mut wgpu::CommandEncoder)) -> anyhow::Result<Duration> {
        let start = Instant::now();
        let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        record(&mut encoder);
        self.gpu.queue.submit([encoder.finish()]);
        self.gpu.device.poll(wgpu::PollType::wait_indefinitely())?;
        Ok(start.elapsed())
    }
}
