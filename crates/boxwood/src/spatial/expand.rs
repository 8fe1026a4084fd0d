//! Stage *expand*: one output for each unit of a count.
//!
//! Specification: `boxwood_cpu::specification::spatial::expand`.

use boxwood_shaders::spatial::Expand as ExpandSlots;
use bytemuck::{Pod, Zeroable};

use super::check::{MAX_ITEMS, check_items};
use super::count::{Count, Items};
use super::error::SpatialError;
use super::scan::{Scan, Sums};
use super::stage::{Stage, stage_methods};
use crate::core::context::Context;
use crate::core::plan::{Plan, Slot};

/// The number of outputs of a partition, as in `owners.wgsl`. The outputs of a stage are those of
/// its items, such as the entries of a box, or the queries of a run.
pub(crate) const OUTPUTS_PER_PARTITION: u32 = 2048;

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
    stage: Stage,
    sums: Sums,
    owners: Slot,
    ranks: Slot,
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
        check_items(output_capacity, MAX_ITEMS)?;
        let mut plan = Plan::new("boxwood.spatial", ());
        let counts = counts.add_to::<u32>(context, &mut plan, "counts")?;
        let (capacity, count_word) = (counts.count.capacity, counts.count.word);
        let config = ExpandConfig { capacity, count_word, output_capacity, padding: 0 };
        let config = plan.uniform("expand_config", &config);
        let owners = plan.buffer::<u32>("owners", output_capacity);
        let ranks = plan.buffer::<u32>("ranks", output_capacity);
        plan.begin("boxwood.expand");
        let sums = Scan::plan(&mut plan, counts);
        let expand = ExpandSlots {
            config,
            item_counts: counts.count.buffer,
            sums: sums.sums,
            output_owners: owners,
            output_ranks: ranks,
        };
        plan.dispatch(expand, output_capacity.div_ceil(OUTPUTS_PER_PARTITION));
        plan.end();
        Ok(Self { stage: Stage::new(context, plan, counts.count)?, sums, owners, ranks })
    }

    stage_methods!("items");

    /// Out: the item that each output belongs to, in ascending order, `array<u32>`.
    pub fn owners(&self) -> &wgpu::Buffer {
        &self.stage[self.owners]
    }

    /// Out: the number of earlier outputs of the same item, for each output, `array<u32>`.
    pub fn ranks(&self) -> &wgpu::Buffer {
        &self.stage[self.ranks]
    }

    /// Out: the number of outputs before those of each item, and then [`needed`](Self::needed),
    /// `array<u32>`.
    pub fn starts(&self) -> &wgpu::Buffer {
        &self.stage[self.sums.sums]
    }

    /// Out: the number of outputs of all items, one `u32`. It is `u32::MAX` if it is this or more.
    /// If it exceeds the capacity, the outputs beyond the capacity are missing.
    pub fn needed(&self) -> &wgpu::Buffer {
        &self.stage[self.sums.total]
    }

    /// Out: the number of outputs, for the stage after this one. Its capacity must be that of the
    /// outputs or less.
    pub fn n_outputs(&self) -> Count<'_> {
        Count::Gpu { buffer: self.needed(), word: 0 }
    }
}
