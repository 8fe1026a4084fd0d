//! Scans over a tree, of the values of any monoid, down from the root and up from the leaves.
//!
//! The tree is a node stream, begins and ends of any depth; each begin has a value. The caller says in WGSL what a value is and how
//! two combine, and gets at each begin
//!
//! - [`down`](TreeScanBuffers::down): the product of the values of its ancestors, from the root on, and its own (the world
//!   transform of a bone, the accumulated style of an element);
//! - [`up`](TreeScanBuffers::up): the product of its value and those of all begins inside it, in order (the size of a subtree, its
//!   text).
//!
//! The order of the factors is kept and none counts twice, so the monoid need be neither commutative nor idempotent. Specification:
//! `boxwood_cpu::scan_down` and `boxwood_cpu::scan_up`. Where the monoid is exact, as on integers, the results have the same bits;
//! where it rounds, as on floating-point numbers, the factors are put together in another association and differ by that much.
//!
//! The algorithm is that of the box pipeline for node streams of any length: intersection along a path becomes `down`, union over
//! a subtree becomes `up`. Source: Levien, *Fast GPU bounding boxes on tree-structured scenes*, 2022, sections 6, 9 and 13.
//!
//! ```no_run
//! use boxwood::tree_scan::{Monoid, TreeScan, TreeScanBuffers};
//! use boxwood::{Gpu, Node};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let gpu = Gpu::open(None)?;
//! // How deep each node is, and how many there are in it.
//! let count = "
//!     alias Value = u32;
//!     fn identity() -> Value { return 0u; }
//!     fn combine(a: Value, b: Value) -> Value { return a + b; }
//! ";
//! let scan = TreeScan::new(&gpu.device, &Monoid { wgsl: count, stride: 4 })?; // once
//! let nodes = [Node::begin(0), Node::begin(1), Node::end(2), Node::end(3)];
//! let mut buffers = TreeScanBuffers::new(&gpu.device, &scan, nodes.len())?; // once a size
//! buffers.upload(&gpu.queue, &nodes, &[1_u32; 4])?;
//!
//! let mut encoder = gpu.device.create_command_encoder(&Default::default());
//! scan.record(&mut encoder.begin_compute_pass(&Default::default()), &buffers);
//! gpu.queue.submit([encoder.finish()]);
//! let depths: Vec<u32> = boxwood::read_items(&gpu.device, &gpu.queue, buffers.down(), nodes.len())?;
//! assert_eq!(depths, [1, 2, 1, 0]);
//! # Ok(()) }
//! ```

mod buffers;
mod error;
mod monoid;
mod stages;

use boxwood_shaders::Shader;

pub use self::buffers::TreeScanBuffers;
pub use self::error::TreeScanError;
pub use self::monoid::{MAX_STRIDE, Monoid};
pub use self::stages::STAGES;

use crate::kernels::Kernels;
use crate::stage::Stage;

/// The compiled scan of a monoid. Make it once a device and monoid.
#[derive(Debug)]
pub struct TreeScan {
    kernels: Kernels,
    /// The text of the monoid.
    monoid: String,
    stride: usize,
}

impl TreeScan {
    /// Compiles the scan for `device`, which needs no feature and no more than WebGPU's default limits.
    ///
    /// # Errors
    ///
    /// A monoid whose text is not valid WGSL or does not declare what it must, with the line; or one with another stride.
    pub fn new(device: &wgpu::Device, monoid: &Monoid<'_>) -> Result<Self, TreeScanError> {
        // What the caller's text does is not known, so wgpu checks it.
        let source = |shader: &Shader| shader.around_monoid().map(|_| monoid.put_into(shader.source));
        Self::compile(device, monoid, source)
    }

    /// Compiles the scan from the source that `source` gives for its shaders, which must bind the same resources and have the
    /// markers between which the monoid is put. This is for those who experiment with a stage, and for tests that break one.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn with_sources(
        device: &wgpu::Device,
        monoid: &Monoid<'_>,
        source: impl Fn(&Shader) -> String,
    ) -> Result<Self, TreeScanError> {
        Self::compile(device, monoid, |shader| Some(monoid.put_into(&source(shader))))
    }

    /// The same scan of the same monoid from the source that `source` gives now. A shader that
    /// [`with_sources`](Self::with_sources) has made of just that is not compiled again.
    #[must_use]
    pub fn with_changes(&self, source: impl Fn(&Shader) -> String) -> Self {
        let monoid = Monoid { wgsl: &self.monoid, stride: self.stride };
        let kernels = self.kernels.with_changes(|shader| monoid.put_into(&source(shader)));
        Self { kernels, monoid: self.monoid.clone(), stride: self.stride }
    }

    fn compile(
        device: &wgpu::Device,
        monoid: &Monoid<'_>,
        source: impl Fn(&Shader) -> Option<String>,
    ) -> Result<Self, TreeScanError> {
        monoid.check()?;
        let shaders = || STAGES.into_iter().flat_map(Stage::shaders);
        for shader in shaders().filter(|shader| shader.around_monoid().is_some()) {
            monoid.check_in(shader)?;
        }
        let kernels = Kernels::new(device, shaders(), source).compile(shaders());
        Ok(Self { kernels, monoid: monoid.wgsl.to_owned(), stride: monoid.stride })
    }

    /// Records the scan of what is in `buffers` into a compute pass. Nothing is submitted or waited for.
    pub fn record(&self, pass: &mut wgpu::ComputePass<'_>, buffers: &TreeScanBuffers) {
        buffers.program.record(pass, &self.kernels);
    }
}
