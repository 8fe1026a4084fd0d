//! The compiled shaders of a scan with a monoid.

use boxwood_shaders::{Shader, around_monoid};

use super::error::TreeScanError;
use super::monoid::Monoid;
use super::stages::ScanPlan;
use crate::core::context::Context;
use crate::core::kernel::Kernels;

/// The compiled scan of a monoid over a tree. Make one per device and monoid.
///
/// The tree is a node stream: begins and ends of any depth, where each begin has a value. The
/// caller defines in WGSL what a value is and how two values combine. The scan computes for each
/// begin:
///
/// - [`down`](super::TreeScanBuffers::down): the product of the values of its ancestors, outermost
///   first, and its own value. Examples are the world transform of a bone, or the accumulated style
///   of an element.
/// - [`up`](super::TreeScanBuffers::up): the product of its value and the values of all begins
///   inside its node, in order. Examples are the size of a subtree, or its text.
///
/// The scan keeps the order of the factors and uses each exactly once, so the monoid need be
/// neither commutative nor idempotent. If the monoid is exact, as with integers, then the results
/// equal those of the specification bit for bit. If it rounds, as with floating-point numbers, then
/// they differ by the rounding, because the factors are associated differently.
///
/// Specification: [`boxwood_cpu::specification::tree::scan_down`] and
/// [`boxwood_cpu::specification::tree::scan_up`]. Source: Levien, *Fast GPU bounding boxes on
/// tree-structured scenes*, 2022, sections 6, 9, and 13.
///
/// ```no_run
/// use boxwood::{Context, Entry};
/// use boxwood::tree::{Monoid, TreeScan, TreeScanBuffers};
/// # use boxwood::wgpu;
///
/// # fn example(device: &wgpu::Device, queue: &wgpu::Queue) -> Result<(), Box<dyn std::error::Error>> {
/// // The depth of each node, and the number of nodes inside it.
/// let count = "
///     alias Value = u32;
///     fn identity() -> Value { return 0u; }
///     fn combine(a: Value, b: Value) -> Value { return a + b; }
/// ";
/// let scan = TreeScan::new(&Context::new(device), &Monoid { wgsl: count, stride: 4 })?; // once
/// let entries = [Entry::begin(0), Entry::begin(1), Entry::end(2), Entry::end(3)];
/// let mut buffers = TreeScanBuffers::new(&scan, entries.len())?; // once per length
/// buffers.upload(queue, &entries, &[1_u32; 4])?;
///
/// let mut encoder = device.create_command_encoder(&Default::default());
/// buffers.record(&mut encoder.begin_compute_pass(&Default::default()));
/// queue.submit([encoder.finish()]);
/// let depths: Vec<u32> = boxwood::read_items(device, queue, buffers.down(), entries.len())?;
/// assert_eq!(depths, [1, 2, 1, 0]);
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct TreeScan {
    /// The shaders of the scan, with the monoid in them.
    pub(super) context: Context,
    /// The text of the monoid.
    #[cfg(feature = "testing")]
    monoid: String,
    pub(super) stride: usize,
}

impl TreeScan {
    /// Compiles the scan for `device`, which needs no optional feature and only WebGPU's default
    /// limits.
    ///
    /// The shaders with the caller's text in them run with wgpu's runtime checks.
    ///
    /// # Errors
    ///
    /// [`TreeScanError`] with the line if the monoid is not valid WGSL or lacks a declaration, or
    /// if its stride is another one.
    pub fn new(context: &Context, monoid: &Monoid<'_>) -> Result<Self, TreeScanError> {
        monoid.check()?;
        for shader in ScanPlan::shaders().filter(|shader| around_monoid(shader.source).is_some()) {
            monoid.check_in(shader)?;
        }
        let source = |shader: &Shader| around_monoid(shader.source).map(|_| monoid.put_into(shader.source));
        let context = Context::of(Kernels::new(context.device(), ScanPlan::shaders(), source));
        // The caller's text is compiled now, so that its errors appear here.
        for shader in ScanPlan::shaders() {
            context.kernel(shader, false);
        }
        Ok(Self {
            context,
            #[cfg(feature = "testing")]
            monoid: monoid.wgsl.to_owned(),
            stride: monoid.stride,
        })
    }

    /// The same scan with other sources, compiled with wgpu's runtime checks. The sources must
    /// have the markers around the sample monoid. A shader that already has this source is not
    /// compiled again.
    #[cfg(feature = "testing")]
    #[must_use]
    pub fn with_changes(&self, source: impl Fn(&Shader) -> String) -> Self {
        let monoid = Monoid { wgsl: &self.monoid, stride: self.stride };
        let context = self.context.with_changes(|shader| monoid.put_into(&source(shader)));
        Self { context, monoid: self.monoid.clone(), stride: self.stride }
    }
}
