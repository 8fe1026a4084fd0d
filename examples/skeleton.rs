//! World transforms of the bones of a rig: each the product of the local transforms on the way from the root.
//!
//!     cargo run --release -p boxwood_examples --bin skeleton -- 100000
//!
//! Matrices do not commute, so the order of the factors counts. Floating-point products round, so two ways to put the same factors
//! together differ; both are compared here with the product in f64, and with a bound on what rounding can do.

#![expect(clippy::print_stdout, reason = "an example shows what it found")]
#![expect(clippy::cast_possible_truncation, reason = "the rig is made in f64 and kept in f32")]

use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use boxwood::native::Gpu;
use boxwood::tree::{Monoid, TreeScan, TreeScanBuffers};
use boxwood::{Node, wgpu};

/// A rotation and a translation, the three upper rows of a matrix of 4 x 4.
type Transform<T> = [[T; 4]; 3];

/// The same in WGSL. `combine(a, b)` applies b, then a: the parent's transform stands on the left.
const TRANSFORM: &str = "
struct Value {
    x: vec4<f32>,
    y: vec4<f32>,
    z: vec4<f32>,
}

fn identity() -> Value {
    return Value(vec4(1.0, 0.0, 0.0, 0.0), vec4(0.0, 1.0, 0.0, 0.0), vec4(0.0, 0.0, 1.0, 0.0));
}

fn transform_row(a: vec4<f32>, b: Value) -> vec4<f32> {
    return a.x * b.x + a.y * b.y + a.z * b.z + vec4(0.0, 0.0, 0.0, a.w);
}

fn combine(a: Value, b: Value) -> Value {
    return Value(transform_row(a.x, b), transform_row(a.y, b), transform_row(a.z, b));
}
";

macro_rules! combine {
    ($a:expr, $b:expr) => {{
        let (a, b) = ($a, $b);
        a.map(|row| {
            let mut combined = [0.0, 0.0, 0.0, row[3]];
            for (factor, other) in row.iter().zip(&b) {
                for (sum, value) in combined.iter_mut().zip(other) {
                    *sum += factor * value;
                }
            }
            combined
        })
    }};
}

/// A tree of bones, as a node stream, with the local transform of each at its begin.
struct Rig {
    nodes: Vec<Node>,
    locals: Vec<Transform<f32>>,
}

fn main() -> anyhow::Result<()> {
    let n_bones =
        std::env::args().nth(1).map_or(Ok(100_000), |text| text.parse()).context("how many bones?")?;
    let rig = rig(n_bones);

    let gpu = Gpu::open(None)?;
    let scan = TreeScan::new(&gpu.device, &Monoid { wgsl: TRANSFORM, stride: size_of::<Transform<f32>>() })?;
    let mut buffers = TreeScanBuffers::new(&gpu.device, &scan, rig.nodes.len())?;
    buffers.upload(&gpu.queue, &rig.nodes, &rig.locals)?;
    let on_gpu = median((0..5).map(|_| time_scan(&gpu, &buffers)).collect::<Result<_, _>>()?);
    let worlds: Vec<Transform<f32>> =
        boxwood::read_items(&gpu.device, &gpu.queue, buffers.down(), rig.nodes.len())?;

    let mut sequential = Vec::new();
    let mut on_cpu = Vec::new();
    for _ in 0..5 {
        let begin = Instant::now();
        sequential = worlds_in_f32(&rig);
        on_cpu.push(begin.elapsed());
    }

    let exact = exact_worlds(&rig);
    let depth = exact.iter().map(|bone| bone.depth).max().unwrap_or(0);
    println!("{n_bones} bones, up to {depth} deep, on {}", gpu.adapter.get_info().name);
    println!("tree scan, down and up: {on_gpu:?}; sequential product, down alone: {:?}", median(on_cpu));
    for (name, worlds) in [("tree scan", &worlds), ("sequential product", &sequential)] {
        let errors = Errors::of(&exact, worlds);
        println!(
            "{name}: the largest error against f64 is {:.1e} of the length of the path, {:.4} of its bound",
            errors.largest, errors.of_bound
        );
        ensure!(errors.of_bound <= 1.0, "the {name} is beyond the bound");
    }
    println!("both are within the bound");
    Ok(())
}

/// Runs of bones, each the child of the one before, that end and branch off at random.
fn rig(n_bones: usize) -> Rig {
    let mut random = Random(1);
    let mut rig = Rig { nodes: Vec::new(), locals: Vec::new() };
    let (mut n, mut depth) = (0, 0);
    while n < n_bones {
        let length = 1 + random.below(40).min(n_bones - n - 1);
        for _ in 0..length {
            rig.nodes.push(Node::begin(rig.nodes.len()));
            rig.locals.push(random.transform());
        }
        (n, depth) = (n + length, depth + length);
        let n_ends = if n == n_bones { depth } else { random.below(40).min(depth - 1) };
        for _ in 0..n_ends {
            rig.nodes.push(Node::end(rig.nodes.len()));
            rig.locals.push(IDENTITY);
        }
        depth -= n_ends;
    }
    rig
}

const IDENTITY: Transform<f32> = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];

fn time_scan(gpu: &Gpu, buffers: &TreeScanBuffers) -> anyhow::Result<Duration> {
    let begin = Instant::now();
    let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    buffers.record(&mut encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default()));
    gpu.queue.submit([encoder.finish()]);
    gpu.device.poll(wgpu::PollType::wait_indefinitely())?;
    Ok(begin.elapsed())
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

/// The sequential product, with a stack of the open bones. Ends have the transform that holds after them.
fn worlds_in_f32(rig: &Rig) -> Vec<Transform<f32>> {
    let mut open = vec![IDENTITY];
    let entries = rig.nodes.iter().zip(&rig.locals);
    entries
        .map(|(node, local)| {
            if node.is_begin() {
                open.push(combine!(open[open.len() - 1], *local));
            } else {
                open.pop();
            }
            open[open.len() - 1]
        })
        .collect()
}

/// A world transform in f64, whose rounding is too small to show here.
struct Exact {
    world: Transform<f64>,
    /// How many transforms it is the product of.
    depth: u32,
    /// The sum of the lengths of their translations.
    length: f64,
}

fn exact_worlds(rig: &Rig) -> Vec<Exact> {
    let identity = || Exact { world: IDENTITY.map(|row| row.map(f64::from)), depth: 0, length: 0.0 };
    let mut open = vec![identity()];
    let mut worlds = Vec::with_capacity(rig.nodes.len());
    for (node, local) in rig.nodes.iter().zip(&rig.locals) {
        if node.is_begin() {
            let (local, outside) = (local.map(|row| row.map(f64::from)), &open[open.len() - 1]);
            let length = outside.length + norm(local.map(|row| row[3]));
            let world = combine!(outside.world, local);
            open.push(Exact { world, depth: outside.depth + 1, length });
        } else {
            open.pop();
        }
        let top = &open[open.len() - 1];
        worlds.push(Exact { world: top.world, depth: top.depth, length: top.length });
    }
    worlds
}

/// How far transforms are from the exact ones.
///
/// The bound: let u = 2⁻²⁴, the rounding of f32. A product of two rotations adds an error of at most 9 u in the Frobenius norm, to
/// first order, since each entry is a sum of three products and a rotation has the norm √3; and rotations do not make errors
/// larger. So d factors, in any association, err by 9 u d. A translation is the other's, rotated, plus one's own: it inherits
/// 9 u d of its length and adds at most 4 √3 u. By induction over the association, both stay within 16 u d times the length.
struct Errors {
    /// The largest, of a rotation or of a translation over the length of its path.
    largest: f64,
    /// The largest as a fraction of the bound for its depth.
    of_bound: f64,
}

impl Errors {
    fn of(exact: &[Exact], found: &[Transform<f32>]) -> Self {
        let mut errors = Self { largest: 0.0, of_bound: 0.0 };
        for (exact, found) in exact.iter().zip(found).filter(|(exact, _)| exact.depth > 0) {
            let mut off = exact.world;
            for (row, found) in off.iter_mut().flatten().zip(found.iter().flatten()) {
                *row -= f64::from(*found);
            }
            let rotation = norm(off.map(|row| norm([row[0], row[1], row[2]])));
            let translation = norm(off.map(|row| row[3])) / exact.length;
            let error = rotation.max(translation);
            let bound = 16.0 * 2_f64.powi(-24) * f64::from(exact.depth);
            errors.largest = errors.largest.max(error);
            errors.of_bound = errors.of_bound.max(error / bound);
        }
        errors
    }
}

fn norm(v: [f64; 3]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Numbers that are the same on every machine: Knuth's linear congruential generator, its upper half.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn below(&mut self, n: usize) -> usize {
        self.next() as usize % n
    }

    /// Between −1 and 1.
    fn signed(&mut self) -> f64 {
        self.next() as f64 / 2_f64.powi(30) - 1.0
    }

    /// A bone: a rotation, from a random unit quaternion near that of no rotation, and a length along it.
    fn transform(&mut self) -> Transform<f32> {
        let q = [1.0, 0.3 * self.signed(), 0.3 * self.signed(), 0.3 * self.signed()];
        let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
        let [w, x, y, z] = q.map(|c| c / length);
        let rows = [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y), 0.0],
            [
                2.0 * (x * y + w * z),
                1.0 - 2.0 * (x * x + z * z),
                2.0 * (y * z - w * x),
                1.0 + 0.5 * self.signed(),
            ],
            [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y), 0.0],
        ];
        rows.map(|row| row.map(|value| value as f32))
    }
}
