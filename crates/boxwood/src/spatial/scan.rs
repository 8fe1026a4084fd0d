//! Stage *scan*: the sums of the counts before each item.
//!
//! Specification: `boxwood_cpu::specification::spatial::scan`.

use boxwood_shaders::spatial::{self as shaders, ScanApply, ScanReduce, ScanSpine};
use bytemuck::{Pod, Zeroable};

use super::count::{Count, CountSlot, Counted, Items};
use super::error::SpatialError;
use super::stage::{Stage, stage_methods};
use crate::core::context::Context;
use crate::core::plan::{Plan, Slot};

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
    stage: Stage,
    sums: Sums,
}

/// The results in a plan.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sums {
    /// The sum of the counts before each item, and then the total.
    pub(crate) sums: Slot,
    /// The sum of all counts.
    pub(crate) total: Slot,
}

impl Sums {
    /// The total as a number of up to `capacity` items.
    pub(crate) fn n_total(self, capacity: u32) -> CountSlot {
        CountSlot::written(self.total, 0, capacity)
    }
}

impl Scan {
    /// Allocates and binds the buffers. `counts` is an `array<u32>`.
    ///
    /// # Errors
    ///
    /// [`SpatialError::TooLarge`] if `counts` has no room for its capacity, or the sums are larger
    /// than a storage binding of the device.
    pub fn new(context: &Context, counts: Items<'_>) -> Result<Self, SpatialError> {
        let mut plan = Plan::new("boxwood.spatial", ());
        let counted = counts.add_to::<u32>(context, &mut plan, "counts")?;
        let sums = Self::plan(&mut plan, counted);
        Ok(Self { stage: Stage::new(context, plan, counted.count)?, sums })
    }

    /// Adds the stage to a plan.
    pub(crate) fn plan(plan: &mut Plan<u32>, counts: Counted) -> Sums {
        let Counted { items: counted, count } = counts;
        let (capacity, item_counts) = (count.capacity, count.buffer);
        let config = ScanConfig { capacity, count_word: count.word, padding: [0; 2] };
        let config = plan.uniform("scan_config", &config);
        let n_whole = capacity / PARTITION_LENGTH;
        let n_partitions = n_whole + 1;
        // A shader reads four sums at a time.
        let partition_sums = plan.buffer::<u32>("partition_sums", n_partitions.next_multiple_of(4));
        // There is one more sum than counts.
        let sums = plan.buffer::<u32>("sums", capacity + 1);
        let total = plan.buffer::<u32>("total", 1_u32);
        plan.begin("boxwood.scan");
        plan.dispatch(ScanReduce { config, item_counts, counted, partition_sums }, n_whole);
        let apply = ScanApply { config, item_counts, counted, partition_sums, sums, total };
        if n_partitions <= FEW_PARTITIONS {
            plan.dispatch_with(&shaders::SCAN_APPLY_FEW, apply, n_partitions);
        } else {
            plan.dispatch(ScanSpine { config, item_counts, partition_sums }, 1);
            plan.dispatch_with(&shaders::SCAN_APPLY, apply, n_partitions);
        }
        plan.end();
        Sums { sums, total }
    }

    stage_methods!("items");

    /// Out: the sum of the counts before each item, and then the sum of all, `array<u32>`. A sum
    /// beyond the range of a `u32` is `u32::MAX`.
    pub fn sums(&self) -> &wgpu::Buffer {
        &self.stage[self.sums.sums]
    }

    /// Out: the sum of all counts, one `u32`. It is `u32::MAX` if it is this or more.
    pub fn total(&self) -> &wgpu::Buffer {
        &self.stage[self.sums.total]
    }

    /// Out: the same, as the number of items of a later stage.
    pub fn n_total(&self) -> Count<'_> {
        Count::Gpu { buffer: self.total(), word: 0 }
    }
}
