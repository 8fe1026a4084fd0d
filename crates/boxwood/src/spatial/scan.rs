//! Stage *scan*: the sums of the counts before each item.
//!
//! Specification: `boxwood_cpu::specification::spatial::scan`.

use boxwood_shaders::{Shader, spatial as shaders};
use bytemuck::{Pod, Zeroable};

use super::SpatialError;
use super::check::{MAX_ITEMS, check_items, check_result};
use super::count::{Count, CountBuffer, Items};
use super::result::{no_buffer, result_buffer};
use crate::core::context::Context;
use crate::core::kernel::BoundKernel;
use crate::core::limits::max_binding_size;
use crate::core::program::{one_binding, uniform};

/// The number of counts of a partition, as in `scan_config.wgsl`.
const PARTITION_LENGTH: u32 = 2048;

/// The number of partitions up to which a workgroup of the last dispatch adds up the sums of the
/// partitions before its own, one per invocation.
const FEW_PARTITIONS: u32 = 256;

/// The parameters of the stage. `scan_config.wgsl` has the same layout.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct ScanConfig {
    /// The number of items that the buffers have room for.
    pub capacity: u32,
    /// The word of the buffer of the count.
    pub count_word: u32,
    /// The size of a uniform is a multiple of 16 bytes.
    pub padding: [u32; 2],
}

/// The stage with its buffers. Create it once per size. It takes 4 bytes per item.
#[derive(Debug)]
pub struct Scan {
    pub(super) count: CountBuffer,
    sums: wgpu::Buffer,
    total: wgpu::Buffer,
    dispatches: Vec<(BoundKernel, u32)>,
}

impl Scan {
    /// Allocates and binds the buffers. `counts` is an `array<u32>`.
    ///
    /// # Errors
    ///
    /// [`SpatialError::TooLarge`] if `counts` has no room for its capacity, or the sums are larger
    /// than a storage binding of the device.
    pub fn new(context: &Context, counts: Items<'_>) -> Result<Self, SpatialError> {
        let device = context.device();
        let capacity = counts.capacity;
        let binding = max_binding_size(&device.limits());
        counts.check::<u32>("counts", binding)?;
        // There is one more sum than counts.
        check_result::<u32>("sums", u64::from(capacity) + 1, binding)?;
        check_items(capacity, MAX_ITEMS)?;
        let count = counts.count_buffer(device)?;

        let config = ScanConfig { capacity, count_word: count.word, padding: [0; 2] };
        let config = uniform(device, "boxwood.spatial.scan_config", &config);
        let n_whole = capacity / PARTITION_LENGTH;
        let n_partitions = n_whole + 1;
        let create = |name: &'static str, words: u32| result_buffer::<u32>(device, name, words);
        // A shader reads four sums at a time.
        let partition_sums = create("partition_sums", n_partitions.next_multiple_of(4))?;
        let sums = create("sums", capacity + 1)?;
        let total = create("total", 1)?;
        let bind = |shader: &'static Shader| {
            let buffer = |variable: &str| match variable {
                "config" => &config,
                "item_counts" => &count.buffer,
                "counted" => counts.buffer,
                "partition_sums" => &partition_sums,
                "sums" => &sums,
                "total" => &total,
                other => no_buffer(other),
            };
            context.kernel(shader).bind_parts(device, |name| one_binding(buffer(name), binding))
        };
        let mut dispatches = vec![(bind(&shaders::SCAN_REDUCE), n_whole)];
        if n_partitions <= FEW_PARTITIONS {
            dispatches.push((bind(&shaders::SCAN_APPLY_FEW), n_partitions));
        } else {
            dispatches.push((bind(&shaders::SCAN_SPINE), 1));
            dispatches.push((bind(&shaders::SCAN_APPLY), n_partitions));
        }
        Ok(Self { count, sums, total, dispatches })
    }

    /// Sets the number of items.
    ///
    /// # Errors
    ///
    /// - [`SpatialError::AboveCapacity`] if it exceeds the capacity.
    /// - [`SpatialError::CountOfCaller`] if it is in a buffer of the caller.
    pub fn set_count(&self, queue: &wgpu::Queue, n: u32) -> Result<(), SpatialError> {
        self.count.set(queue, n)
    }

    /// Records the stage into a compute pass. This does not submit or wait.
    pub fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.push_debug_group("boxwood.scan");
        self.dispatches.iter().for_each(|(kernel, n_workgroups)| kernel.record(pass, *n_workgroups));
        pass.pop_debug_group();
    }

    /// Out: the sum of the counts before each item, and then the sum of all, `array<u32>`. A sum
    /// beyond the range of a `u32` is `u32::MAX`.
    pub fn sums(&self) -> &wgpu::Buffer {
        &self.sums
    }

    /// Out: the sum of all counts, one `u32`. It is `u32::MAX` if it is this or more.
    pub fn total(&self) -> &wgpu::Buffer {
        &self.total
    }

    /// Out: the same, as the number of items of a later stage.
    pub fn n_total(&self) -> Count<'_> {
        Count::Gpu { buffer: &self.total, word: 0 }
    }
}
