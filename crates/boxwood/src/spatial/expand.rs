//! Stage *expand*: one output for each unit of a count.
//!
//! Specification: `boxwood_cpu::specification::spatial::expand`.

use boxwood_shaders::spatial as shaders;
use bytemuck::{Pod, Zeroable};

use super::SpatialError;
use super::check::{MAX_ITEMS, check_items, check_result};
use super::count::{Count, Items};
use super::result::{no_buffer, result_buffer};
use super::scan::Scan;
use crate::core::context::Context;
use crate::core::kernel::BoundKernel;
use crate::core::limits::max_binding_size;
use crate::core::program::{one_binding, uniform};

/// The number of outputs of a partition, as in `owners.wgsl`. The outputs of a stage are those of
/// its items, such as the entries of a box, or the queries of a run.
pub(super) const OUTPUTS_PER_PARTITION: u32 = 2048;

/// The parameters of the stage. `expand_config.wgsl` has the same layout.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct ExpandConfig {
    /// The number of items that the buffers have room for.
    pub capacity: u32,
    /// The word of the buffer of the count.
    pub count_word: u32,
    /// The number of outputs that the buffers have room for.
    pub output_capacity: u32,
    /// The size of a uniform is a multiple of 16 bytes.
    pub padding: u32,
}

/// The stage with its buffers. Create it once per size. It takes 4 bytes per item, and 8 per
/// output.
#[derive(Debug)]
pub struct Expand {
    scan: Scan,
    owners: wgpu::Buffer,
    ranks: wgpu::Buffer,
    dispatch: (BoundKernel, u32),
}

impl Expand {
    /// Allocates and binds the buffers. `counts` has the number of outputs of each item,
    /// `array<u32>`. There is room for `output_capacity` outputs.
    ///
    /// # Errors
    ///
    /// [`SpatialError::TooLarge`] if `counts` has no room for its capacity, or a result is larger
    /// than a storage binding of the device.
    pub fn new(context: &Context, counts: Items<'_>, output_capacity: u32) -> Result<Self, SpatialError> {
        let device = context.device();
        let capacity = counts.capacity;
        let binding = max_binding_size(&device.limits());
        check_result::<u32>("owners", output_capacity, binding)?;
        check_items(output_capacity, MAX_ITEMS)?;
        let scan = Scan::new(context, counts)?;

        let config = ExpandConfig { capacity, count_word: scan.count.word, output_capacity, padding: 0 };
        let config = uniform(device, "boxwood.spatial.expand_config", &config);
        let create = |name: &'static str| result_buffer::<u32>(device, name, output_capacity);
        let [owners, ranks] = [create("owners")?, create("ranks")?];
        let buffer = |variable: &str| match variable {
            "config" => &config,
            "item_counts" => &scan.count.buffer,
            "sums" => scan.sums(),
            "output_owners" => &owners,
            "output_ranks" => &ranks,
            other => no_buffer(other),
        };
        let kernel = context.kernel(&shaders::EXPAND);
        let kernel = kernel.bind_parts(device, |name| one_binding(buffer(name), binding));
        let dispatch = (kernel, output_capacity.div_ceil(OUTPUTS_PER_PARTITION));
        Ok(Self { scan, owners, ranks, dispatch })
    }

    /// Sets the number of items.
    ///
    /// # Errors
    ///
    /// - [`SpatialError::AboveCapacity`] if it exceeds the capacity.
    /// - [`SpatialError::CountOfCaller`] if it is in a buffer of the caller.
    pub fn set_count(&self, queue: &wgpu::Queue, n: u32) -> Result<(), SpatialError> {
        self.scan.set_count(queue, n)
    }

    /// Records the stage into a compute pass. This does not submit or wait.
    pub fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.push_debug_group("boxwood.expand");
        self.scan.record(pass);
        let (kernel, n_workgroups) = &self.dispatch;
        kernel.record(pass, *n_workgroups);
        pass.pop_debug_group();
    }

    /// Out: the item that each output belongs to, in ascending order, `array<u32>`.
    pub fn owners(&self) -> &wgpu::Buffer {
        &self.owners
    }

    /// Out: the number of earlier outputs of the same item, for each output, `array<u32>`.
    pub fn ranks(&self) -> &wgpu::Buffer {
        &self.ranks
    }

    /// Out: the number of outputs before those of each item, and then [`needed`](Self::needed),
    /// `array<u32>`.
    pub fn starts(&self) -> &wgpu::Buffer {
        self.scan.sums()
    }

    /// Out: the number of outputs of all items, one `u32`. It is `u32::MAX` if it is this or more.
    /// If it exceeds the capacity, the outputs beyond the capacity are missing.
    pub fn needed(&self) -> &wgpu::Buffer {
        self.scan.total()
    }

    /// Out: the number of outputs, for the stage after this one. Its capacity must be that of the
    /// outputs or less.
    pub fn n_outputs(&self) -> Count<'_> {
        self.scan.n_total()
    }
}
