//! The buffers of a tree scan.

use boxwood_cpu::{Entry, EntryLink};
use bytemuck::Pod;

use super::error::TreeScanError;
use super::stages::{ScanPlan, ScanSlots, config};
use super::tree_scan::TreeScan;
use crate::core::WORKGROUP_SIZE;
use crate::core::grid::Grid;
use crate::core::limits::{LimitsError, check_entries, count, max_binding_size};
use crate::core::program::Program;

/// The buffers of a tree, its values, and the results of a scan, up to a capacity.
///
/// The buffers with an accessor have the usages `STORAGE`, `COPY_SRC`, `COPY_DST`, and `VERTEX`.
/// They may be longer than the input: [`n`](Self::n) is the number of valid items. An entry takes
/// 16 bytes and six values, and there is a small cost per partition of 256 entries.
#[derive(Debug)]
pub struct TreeScanBuffers {
    program: Program<Grid>,
    slots: ScanSlots,
    stride: usize,
}

impl TreeScanBuffers {
    /// Buffers for up to `capacity` entries of the node stream. They contain the empty input.
    ///
    /// # Errors
    ///
    /// [`LimitsError`] if one value, or 8 bytes, per entry exceed the device's
    /// `max_storage_buffer_binding_size` or `max_buffer_size`. Nothing is allocated then.
    pub fn new(scan: &TreeScan, capacity: usize) -> Result<Self, LimitsError> {
        let binding = max_binding_size(&scan.context.device().limits());
        // The largest arrays have one value, or the links of an entry, per entry of whole
        // partitions.
        let stride = scan.stride.max(size_of::<EntryLink>()) as u64;
        let partition = u64::from(WORKGROUP_SIZE);
        let limit = (binding / stride / partition * partition).min(i32::MAX as u64);
        check_entries(capacity, limit)?;
        let ScanPlan { plan, slots } = ScanPlan::new(scan.stride, count(capacity));
        // For a short input, the trees over the partitions have more nodes than the input has
        // entries.
        if plan.check(binding).is_err() {
            return Err(LimitsError::Entries { need: capacity as u64, limit: 0 });
        }
        Ok(Self { program: Program::new(&scan.context, plan), slots, stride: scan.stride })
    }

    /// Replaces the input: a node stream, and one value per entry.
    ///
    /// The scan uses only the kind of each entry, not its element. It ignores the values at ends.
    ///
    /// # Errors
    ///
    /// [`TreeScanError`] if the input exceeds the capacity, or `values` does not have one value of
    /// the monoid's stride per entry. The buffers keep their input then.
    pub fn upload<T: Pod>(
        &mut self,
        queue: &wgpu::Queue,
        entries: &[Entry],
        values: &[T],
    ) -> Result<(), TreeScanError> {
        let (n_entries, n_bytes) = (entries.len(), size_of_val(values));
        check_entries(n_entries, self.program.capacity().n_entries.into())?;
        if n_entries * self.stride != n_bytes {
            return Err(TreeScanError::Values { n_entries, n_bytes, stride: self.stride });
        }
        self.program.set_size(queue, config(count(n_entries)));
        queue.write_buffer(self.entries(), 0, bytemuck::cast_slice(entries));
        queue.write_buffer(self.values(), 0, bytemuck::cast_slice(values));
        Ok(())
    }

    /// Records the scan into a compute pass. This does not submit or wait.
    pub fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.program.record(pass);
    }

    /// The length of the node stream.
    pub fn n(&self) -> u32 {
        self.program.size().n_entries
    }

    /// In: the node stream, `array<i32>` in the layout of [`Entry`].
    pub fn entries(&self) -> &wgpu::Buffer {
        &self.program[self.slots.entries]
    }

    /// In: one value per entry, `array<Value>`. A pass of the caller may write them.
    pub fn values(&self) -> &wgpu::Buffer {
        &self.program[self.slots.values]
    }

    /// Out: the links of each entry, `array<EntryLink>` in the layout of [`EntryLink`].
    pub fn links(&self) -> &wgpu::Buffer {
        &self.program[self.slots.links]
    }

    /// Out: one product per entry, `array<Value>`.
    ///
    /// At a begin: the product of the values of the begins that enclose it, outermost first, and
    /// its own value. At an end: the product of the begins that are still open after it.
    pub fn down(&self) -> &wgpu::Buffer {
        &self.program[self.slots.down]
    }

    /// Out: one product per entry, `array<Value>`.
    ///
    /// At a begin and at its end: the product of its value and the values of all begins inside its
    /// node, in order. A begin without an end contains everything that follows. The product at an
    /// end without a begin is the identity.
    pub fn up(&self) -> &wgpu::Buffer {
        &self.program[self.slots.up]
    }
}
