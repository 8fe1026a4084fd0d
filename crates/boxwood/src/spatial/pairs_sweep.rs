//! The dispatches of stage *pairs* that prepare a sweep.

use boxwood_cpu::specification::spatial::Axis;
use boxwood_shaders::{Shader, spatial as shaders};

use super::SpatialError;
use super::count::CountBuffer;
use super::expand::OUTPUTS_PER_PARTITION;
use super::pairs::PairsConfig;
use super::result::{no_buffer, result_buffer};
use super::scan::Scan;
use super::sort::Sort;
use crate::core::context::Context;
use crate::core::kernel::BoundKernel;
use crate::core::limits::{WORKGROUP_SIZE, max_binding_size};
use crate::core::program::{one_binding, uniform};

/// The number of boxes of a workgroup of `pairs_keys.wgsl`.
pub(super) const KEYS_PER_WORKGROUP: u32 = 1024;

/// The maximum number of chunks of candidates: enough workgroups for a large GPU.
const MAX_CHUNKS: u64 = 4096;

/// The number of chunks of the candidates of up to `n` boxes.
pub(super) fn n_chunks(n: u32) -> u32 {
    let n_candidates = u64::from(n) * u64::from(n.saturating_sub(1)) / 2;
    let n_chunks = n_candidates.div_ceil(OUTPUTS_PER_PARTITION.into()).clamp(1, MAX_CHUNKS);
    u32::try_from(n_chunks).expect("it is clamped")
}

/// The sweeps along both axes, and what remains of the better one.
#[derive(Debug)]
pub(super) struct Sweep {
    keys: (BoundKernel, u32),
    axes: [AxisSweep; 2],
    choose: (BoundKernel, u32),
    /// The candidates before those of each box, and their total.
    pub(super) sums: wgpu::Buffer,
    /// The boxes in the order of the sweep, as in `pairs_choose.wgsl`.
    pub(super) swept: wgpu::Buffer,
}

/// The sweep along an axis.
#[derive(Debug)]
struct AxisSweep {
    sort: Sort,
    candidates: (BoundKernel, u32),
    scan: Scan,
}

impl Sweep {
    pub(super) fn new(
        context: &Context,
        boxes: &wgpu::Buffer,
        count: &CountBuffer,
    ) -> Result<Self, SpatialError> {
        let device = context.device();
        let capacity = count.capacity();
        let binding = max_binding_size(&device.limits());
        let config = PairsConfig { capacity, count_word: count.word, ..PairsConfig::default() };
        let config = uniform(device, "boxwood.spatial.pairs_config", &config);
        let create = |name: &'static str, words: u64| result_buffer::<u32>(device, name, words);
        let words = u64::from(capacity);
        let keys = [create("x_keys", words)?, create("y_keys", words)?];
        let axis_sweep = |axis: Axis| {
            let keys = &keys[axis as usize];
            let sort = Sort::new(context, count.items(keys), None, u32::BITS)?;
            let n_candidates = create("n_candidates", words)?;
            let scan = Scan::new(context, count.items(&n_candidates))?;
            let buffer = |variable: &str| match variable {
                "config" => &config,
                "item_counts" => &count.buffer,
                "boxes" => boxes,
                "keys" => sort.sorted_keys(),
                "order" => sort.sorted_values(),
                "n_candidates" => &n_candidates,
                other => no_buffer(other),
            };
            let kernel = context.kernel(candidates_along(axis));
            let kernel = kernel.bind_parts(device, |name| one_binding(buffer(name), binding));
            Ok(AxisSweep { sort, candidates: (kernel, capacity.div_ceil(WORKGROUP_SIZE)), scan })
        };
        let axes = [axis_sweep(Axis::X)?, axis_sweep(Axis::Y)?];

        let (sums, swept) = (create("sums", words + 1)?, create("swept", 4 * words)?);
        let bind = |shader: &'static Shader| {
            let buffer = |variable: &str| match variable {
                "config" => &config,
                "item_counts" => &count.buffer,
                "boxes" => boxes,
                "x_keys" => &keys[0],
                "y_keys" => &keys[1],
                "x_order" => axes[0].sort.sorted_values(),
                "y_order" => axes[1].sort.sorted_values(),
                "x_sums" => axes[0].scan.sums(),
                "y_sums" => axes[1].scan.sums(),
                "sums" => &sums,
                "swept" => &swept,
                other => no_buffer(other),
            };
            context.kernel(shader).bind_parts(device, |name| one_binding(buffer(name), binding))
        };
        let keys_kernel = (bind(&shaders::PAIRS_KEYS), capacity.div_ceil(KEYS_PER_WORKGROUP));
        // There is one more sum than boxes.
        let choose = (bind(&shaders::PAIRS_CHOOSE), (capacity + 1).div_ceil(WORKGROUP_SIZE));
        Ok(Self { keys: keys_kernel, axes, choose, sums, swept })
    }

    pub(super) fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        let (keys, n_workgroups) = &self.keys;
        keys.record(pass, *n_workgroups);
        for AxisSweep { sort, candidates: (candidates, n_workgroups), scan } in &self.axes {
            sort.record(pass);
            candidates.record(pass, *n_workgroups);
            scan.record(pass);
        }
        let (choose, n_workgroups) = &self.choose;
        choose.record(pass, *n_workgroups);
    }
}

fn candidates_along(axis: Axis) -> &'static Shader {
    match axis {
        Axis::X => &shaders::PAIRS_CANDIDATES,
        Axis::Y => &shaders::PAIRS_CANDIDATES_ALONG_Y,
    }
}
