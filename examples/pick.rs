//! Finds the top-most leaf of a scene at each of 100,000 points: on the GPU, by a tree over the
//! clipped boxes that are there already. Every answer is compared with that of `boxwood_cpu`, which
//! walks the scene from the top down for each point. The scene is a desk of windows, or a drawing.
//!
//!     cargo run --release -p boxwood_examples --bin pick -- [drawing.svg]

#![expect(clippy::print_stdout, reason = "the example prints its result")]

use std::collections::HashSet;
use std::time::Instant;

use anyhow::{Context as _, ensure};
use boxwood::native::Gpu;
use boxwood::spatial::{Condition, Index, Items, Order, Queries, Question, Source};
use boxwood::wgpu::util::{BufferInitDescriptor, DeviceExt as _};
use boxwood::{Aabb, Context, Outputs, Scene, SceneBoxes, read_items, wgpu};
use boxwood_cpu::{Picker, Place};
use boxwood_svg::Options;
use fastrand::Rng;

const N_POINTS: u32 = 100_000;

/// The answer for a point without a box.
const NOTHING: u32 = u32::MAX;

fn main() -> anyhow::Result<()> {
    let scene = match std::env::args().nth(1) {
        Some(path) => boxwood_svg::load_file(path.as_ref(), &Options::default())?.elements.into(),
        None => windows(),
    };
    let n = u32::try_from(scene.len())?;
    let boxes = boxwood_cpu::boxes(&scene)?;
    let points = points_in(boxes.group_boxes.first().copied().context("the scene has no group")?);

    let gpu = Gpu::open(None)?;
    let Gpu { device, queue, .. } = &gpu;
    let context = Context::new(device);
    let mut buffers = SceneBoxes::new(&context, Outputs::CLIPPED);
    buffers.update(queue, &scene)?;
    // The clipped boxes of elements that are not leaves are empty, so no query finds them.
    let index = Index::new(&context, Items::new(buffers.clipped_boxes(), n), Order::Hilbert)?;
    let point_buffer = device.create_buffer_init(&BufferInitDescriptor {
        label: Some("points"),
        contents: bytemuck::cast_slice(&points),
        usage: wgpu::BufferUsages::STORAGE,
    });
    let question = Question::TopMost(Condition::At);
    let items = Items::new(&point_buffer, N_POINTS);
    let queries = Queries::new(&context, Source::Index(&index), items, question)?;

    // The first run compiles the shaders. The second one is timed.
    let mut times = [0.0; 2];
    for _ in 0..2 {
        let start = Instant::now();
        gpu.run(|encoder| {
            buffers.record(encoder);
            index.record(&mut encoder.begin_compute_pass(&Default::default()));
        })?;
        let built = start.elapsed();
        gpu.run(|encoder| queries.record(&mut encoder.begin_compute_pass(&Default::default())))?;
        times = [built, start.elapsed() - built].map(|time| 1e3 * time.as_secs_f64());
    }
    let found: Vec<u32> = read_items(device, queue, queries.found(), points.len())?;

    let start = Instant::now();
    let at =
        |[x, y, ..]: &[f32; 4]| match Picker::top_most(&scene, &boxes, Place::Point([*x, *y]), |_, _| true) {
            Some(leaf) => u32::try_from(leaf),
            None => Ok(NOTHING),
        };
    let expected: Vec<u32> = points.iter().map(at).collect::<Result<_, _>>()?;
    let on_cpu = 1e3 * start.elapsed().as_secs_f64();

    let hits: Vec<u32> = found.iter().copied().filter(|item| *item != NOTHING).collect();
    let n_leaves = hits.iter().collect::<HashSet<_>>().len();
    println!(
        "elements: {n}, points: {N_POINTS}, points with a leaf: {}, top-most leaves: {n_leaves}",
        hits.len()
    );
    let [built, answered] = times;
    println!("boxes and tree: {built:.2} ms, answers: {answered:.2} ms, on {}", gpu.adapter.get_info().name);
    println!("answers by a walk of the scene for each point on one core: {on_cpu:.2} ms");
    ensure!(found == expected, "an answer is not that of boxwood_cpu");
    println!("all answers are those of boxwood_cpu");
    Ok(())
}

/// Points anywhere in a box. A query has four numbers, of which a point uses two.
fn points_in(bounds: Aabb) -> Vec<[f32; 4]> {
    let mut random = Rng::with_seed(1);
    let mut point = |_| {
        let x = bounds.x0 + bounds.width() * random.f32();
        let y = bounds.y0 + bounds.height() * random.f32();
        [x, y, 0.0, 0.0]
    };
    (0..N_POINTS).map(&mut point).collect()
}

/// A desk of 100 windows, each with a title and a list that is scrolled, so that its clip hides
/// most rows and cuts two of them.
fn windows() -> Scene {
    let mut random = Rng::with_seed(2);
    let mut scene = Scene::new();
    scene.begin_clip([0.0, 0.0, 1920.0, 1080.0]);
    for _ in 0..100 {
        let [x, y] = [1800.0, 1000.0].map(|size| (size * random.f64()).floor() - 60.0);
        let [right, bottom] = [x + 300.0, y + 200.0];
        scene.begin_clip([x, y, right, bottom]);
        scene.leaf([x, y, right, bottom]);
        scene.leaf([x + 4.0, y + 4.0, right - 4.0, y + 20.0]);
        scene.begin_clip([x + 4.0, y + 24.0, right - 4.0, bottom - 4.0]);
        let scrolled = 280.0 * random.f64();
        for row in 0..20 {
            let top = y + 24.0 + 24.0 * f64::from(row) - scrolled;
            scene.leaf([x + 4.0, top, right - 4.0, top + 22.0]);
            scene.leaf([x + 8.0, top + 4.0, x + 22.0, top + 18.0]);
        }
        scene.end();
        scene.end();
    }
    scene.end();
    scene
}
