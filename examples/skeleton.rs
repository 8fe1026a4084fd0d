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

use boxwood::Context;
use std::array;
use std::ops::{Add, Mul};
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use boxwood::Entry;
use boxwood::native::Gpu;
use boxwood::tree::{Monoid as WgslMonoid, TreeScan, TreeScanBuffers};
use boxwood_cpu::specification::tree::{Monoid, scan_down};
use bytemuck::{Pod, Zeroable};
use fastrand::Rng;

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
    entries: Vec<Entry>,
    locals: Vec<Transform<f32>>,
}

fn main() -> anyhow::Result<()> {
    let n_bones = std::env::args()
        .nth(1)
        .map_or(Ok(100_000), |text| text.parse())
        .context("the argument is the number of bones")?;
    let rig = rig(n_bones);

    let gpu = Gpu::open(None)?;
    let scan = TreeScan::new(&Context::new(&gpu.device), &TRANSFORM)?;
    let mut buffers = TreeScanBuffers::new(&scan, rig.entries.len())?;
    buffers.upload(&gpu.queue, &rig.entries, &rig.locals)?;
    let on_gpu = median((0..5).map(|_| time_scan(&gpu, &buffers)).collect::<Result<_, _>>()?);
    let worlds: Vec<Transform<f32>> =
        boxwood::read_items(&gpu.device, &gpu.queue, buffers.down(), rig.entries.len())?;

    let mut sequential = Vec::new();
    let mut on_cpu = Vec::new();
    for _ in 0..5 {
        let begin = Instant::now();
        sequential = scan_down(&rig.entries, &rig.locals);
        on_cpu.push(begin.elapsed());
    }

    let locals: Vec<Exact> = rig.locals.iter().map(Exact::new).collect();
    let exact = scan_down(&rig.entries, &locals);
    let depth = exact.iter().map(|bone| bone.depth).max().unwrap_or(0);
    println!("{n_bones} bones, up to {depth} deep, on {}", gpu.adapter.get_info().name);
    println!("tree scan, down and up: {on_gpu:?}; sequential product, down alone: {:?}", median(on_cpu));
    for (name, worlds) in [("tree scan", &worlds), ("sequential product", &sequential)] {
        // The ends of roots have no factors.
        let products = exact.iter().zip(worlds).filter(|(exact, _)| exact.depth > 0);
        let errors: Vec<_> = products.map(|(exact, found)| (exact.error_of(found), exact.bound())).collect();
        let (largest, of_bound) =
            errors.iter().fold((0.0_f64, 0.0_f64), |(largest, of_bound), (error, bound)| {
                (largest.max(*error), of_bound.max(error / bound))
            });
        println!(
            "{name}: compared with f64, the largest error is {largest:.1e} of the length of the path, {of_bound:.4} of its bound",
        );
        ensure!(
            errors.iter().all(|(error, bound)| error <= bound),
            "the error of the {name} exceeds the bound"
        );
    }
    println!("both errors are within the bound");
    Ok(())
}

/// Chains of bones, each the child of the one before, which branch at random.
fn rig(n_bones: usize) -> Rig {
    let mut random = Rng::with_seed(1);
    let mut rig = Rig { entries: Vec::new(), locals: Vec::new() };
    let (mut n, mut depth) = (0, 0);
    while n < n_bones {
        let length = 1 + random.usize(..40).min(n_bones - n - 1);
        for _ in 0..length {
            rig.entries.push(Entry::begin(rig.entries.len()));
            rig.locals.push(bone(&mut random));
        }
        (n, depth) = (n + length, depth + length);
        let n_ends = if n == n_bones { depth } else { random.usize(..40).min(depth - 1) };
        for _ in 0..n_ends {
            rig.entries.push(Entry::end(rig.entries.len()));
            rig.locals.push(Transform::identity());
        }
        depth -= n_ends;
    }
    rig
}

fn time_scan(gpu: &Gpu, buffers: &TreeScanBuffers) -> anyhow::Result<Duration> {
    let begin = Instant::now();
    gpu.run(|encoder| buffers.record(&mut encoder.begin_compute_pass(&Default::default())))?;
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

    /// The larger of two errors of a transform: of its rotation, and of its translation divided by
    /// the length of the path.
    fn error_of(&self, found: &Transform<f32>) -> f64 {
        let off: [[f64; 4]; 3] =
            array::from_fn(|i| array::from_fn(|j| self.world.0[i][j] - f64::from(found.0[i][j])));
        let rotation = norm(off.map(|row| norm([row[0], row[1], row[2]])));
        rotation.max(norm(off.map(|row| row[3])) / self.length)
    }

    /// A bound of that error. Let u = 2⁻²⁴, the unit roundoff of f32.
    ///
    /// - A product of two rotations adds an error of at most 9 u in the Frobenius norm, to first
    ///   order, because each entry is a sum of three products, and the norm of a rotation is √3. A
    ///   rotation does not increase errors. So a product of d rotations has an error of at most 9 u
    ///   d, for any order of evaluation.
    /// - The translation of a product is a rotated translation plus a translation. It inherits 9 u
    ///   d of its length, and adds at most 4 √3 u of it.
    /// - By induction over the order of evaluation, both errors are at most 16 u d times the
    ///   length.
    fn bound(&self) -> f64 {
        16.0 * 2_f64.powi(-24) * f64::from(self.depth)
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

fn norm(v: [f64; 3]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// The transform of a bone: a rotation about the x-axis, one about the z-axis, and a translation
/// along the y-axis.
fn bone(random: &mut Rng) -> Transform<f32> {
    // The tangent of half an angle gives its cosine and sine as quotients, which are the same on
    // every machine.
    let [(cos_x, sin_x), (cos_z, sin_z)] = [(); 2].map(|()| {
        let tan = 0.6 * random.f64() - 0.3;
        let square = 1.0 + tan * tan;
        ((2.0 - square) / square, 2.0 * tan / square)
    });
    let rows = [
        [cos_z, -sin_z * cos_x, sin_z * sin_x, 0.0],
        [sin_z, cos_z * cos_x, -cos_z * sin_x, 0.5 + random.f64()],
        [0.0, sin_x, cos_x, 0.0],
    ];
    Transform(rows.map(|row| row.map(|value| value as f32)))
}
