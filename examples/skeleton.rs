//! World transforms of the bones of a rig. Each is the product of the local transforms on the path
//! from the root.
//!
//!     cargo run --release -p boxwood_examples --bin skeleton -- 100000
//!
//! Matrices do not commute, so the order of the factors matters. Floating-point products round, so
//! the tree scan and the sequential product differ. The example compares both with the product in
//! f64, and with a bound on the rounding error.

#![expect(clippy::print_stdout, reason = "an example prints its result")]
#![expect(clippy::cast_possible_truncation, reason = "the rig is generated in f64 and stored in f32")]

use std::array;
use std::ops::{Add, Mul};
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use boxwood::native::Gpu;
use boxwood::tree::{Monoid as WgslMonoid, TreeScan, TreeScanBuffers};
use boxwood::{Node, wgpu};
use boxwood_cpu::tree::{Monoid, scan_down};
use bytemuck::{Pod, Zeroable};

/// A rotation and a translation: the three upper rows of a 4 × 4 matrix.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(transparent)]
struct Transform<T>([[T; 4]; 3]);

impl<T: Copy + From<u8> + Add<Output = T> + Mul<Output = T>> Monoid for Transform<T> {
    fn identity() -> Self {
        Self(array::from_fn(|row| array::from_fn(|column| T::from(u8::from(row == column)))))
    }

    /// Applies `next`, then `self`, so `self` is the parent's transform.
    fn combine(self, Self([x, y, z]): Self) -> Self {
        Self(self.0.map(|row| {
            let offset = [T::from(0), T::from(0), T::from(0), row[3]];
            array::from_fn(|i| offset[i] + row[0] * x[i] + row[1] * y[i] + row[2] * z[i])
        }))
    }
}

/// The same monoid in WGSL.
const TRANSFORM: WgslMonoid<'_> = WgslMonoid {
    wgsl: "
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
",
    stride: size_of::<Transform<f32>>(),
};

/// A tree of bones: a node stream, and one local transform per entry. Those at ends are not used.
struct Rig {
    nodes: Vec<Node>,
    locals: Vec<Transform<f32>>,
}

fn main() -> anyhow::Result<()> {
    let n_bones = std::env::args()
        .nth(1)
        .map_or(Ok(100_000), |text| text.parse())
        .context("the argument is the number of bones")?;
    let rig = rig(n_bones);

    let gpu = Gpu::open(None)?;
    let scan = TreeScan::new(&gpu.device, &TRANSFORM)?;
    let mut buffers = TreeScanBuffers::new(&gpu.device, &scan, rig.nodes.len())?;
    buffers.upload(&gpu.queue, &rig.nodes, &rig.locals)?;
    let on_gpu = median((0..5).map(|_| time_scan(&gpu, &buffers)).collect::<Result<_, _>>()?);
    let worlds: Vec<Transform<f32>> =
        boxwood::read_items(&gpu.device, &gpu.queue, buffers.down(), rig.nodes.len())?;

    let mut sequential = Vec::new();
    let mut on_cpu = Vec::new();
    for _ in 0..5 {
        let begin = Instant::now();
        sequential = scan_down(&rig.nodes, &rig.locals);
        on_cpu.push(begin.elapsed());
    }

    let locals: Vec<Exact> = rig.locals.iter().map(Exact::new).collect();
    let exact = scan_down(&rig.nodes, &locals);
    let depth = exact.iter().map(|bone| bone.depth).max().unwrap_or(0);
    println!("{n_bones} bones, up to {depth} deep, on {}", gpu.adapter.get_info().name);
    println!("tree scan, down and up: {on_gpu:?}; sequential product, down alone: {:?}", median(on_cpu));
    for (name, worlds) in [("tree scan", &worlds), ("sequential product", &sequential)] {
        let errors = Errors::of(&exact, worlds);
        println!(
            "{name}: compared with f64, the largest error is {:.1e} of the length of the path, {:.4} of its bound",
            errors.largest, errors.of_bound
        );
        ensure!(errors.of_bound <= 1.0, "the error of the {name} exceeds the bound");
    }
    println!("both errors are within the bound");
    Ok(())
}

/// Chains of bones, each the child of the one before, which branch at random.
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
            rig.locals.push(Transform::identity());
        }
        depth -= n_ends;
    }
    rig
}

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

/// A world transform in f64, whose rounding error is negligible here.
#[derive(Clone, Copy)]
struct Exact {
    world: Transform<f64>,
    /// The number of its factors.
    depth: u32,
    /// The sum of the lengths of the translations of its factors.
    length: f64,
}

impl Exact {
    fn new(Transform(rows): &Transform<f32>) -> Self {
        let rows = rows.map(|row| row.map(f64::from));
        Self { world: Transform(rows), depth: 1, length: norm(rows.map(|row| row[3])) }
    }
}

impl Monoid for Exact {
    fn identity() -> Self {
        Self { world: Transform::identity(), depth: 0, length: 0.0 }
    }

    fn combine(self, next: Self) -> Self {
        let (depth, length) = (self.depth + next.depth, self.length + next.length);
        Self { world: self.world.combine(next.world), depth, length }
    }
}

/// The largest errors of the found transforms.
///
/// The bound: let u = 2⁻²⁴, the unit roundoff of f32.
///
/// - A product of two rotations adds an error of at most 9 u in the Frobenius norm, to first order,
///   because each entry is a sum of three products, and the norm of a rotation is √3. A rotation
///   does not increase errors. So a product of d rotations has an error of at most 9 u d, for any
///   order of evaluation.
/// - The translation of a product is a rotated translation plus a translation. It inherits 9 u d of
///   its length, and adds at most 4 √3 u of it.
/// - By induction over the order of evaluation, both errors are at most 16 u d times the length.
struct Errors {
    /// The largest error of a rotation, or of a translation divided by the length of its path.
    largest: f64,
    /// The largest error as a fraction of the bound for its depth.
    of_bound: f64,
}

impl Errors {
    fn of(exact: &[Exact], found: &[Transform<f32>]) -> Self {
        let mut errors = Self { largest: 0.0, of_bound: 0.0 };
        for (exact, found) in exact.iter().zip(found).filter(|(exact, _)| exact.depth > 0) {
            let off: [[f64; 4]; 3] =
                array::from_fn(|i| array::from_fn(|j| exact.world.0[i][j] - f64::from(found.0[i][j])));
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

/// The upper half of Knuth's linear congruential generator, so that the rig is the same on every
/// machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn below(&mut self, n: usize) -> usize {
        self.next() as usize % n
    }

    /// A number between −1 and 1.
    fn signed(&mut self) -> f64 {
        self.next() as f64 / 2_f64.powi(30) - 1.0
    }

    /// The transform of a bone: a rotation by a random unit quaternion near the identity, and a
    /// translation along the y axis.
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
        Transform(rows.map(|row| row.map(|value| value as f32)))
    }
}
