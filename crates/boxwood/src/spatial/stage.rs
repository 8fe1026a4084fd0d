//! A stage with its buffers.

use std::ops::Index;

use super::count::{Count, CountSlot, check_set};
use super::error::SpatialError;
use crate::core::context::Context;
use crate::core::limits::max_binding_size;
use crate::core::plan::{Plan, Slot};
use crate::core::program::Program;

/// A stage with its buffers, and the number of its items.
#[derive(Debug)]
pub(crate) struct Stage {
    pub(crate) program: Program<u32>,
    pub(crate) count: CountSlot,
}

impl Stage {
    /// Checks the buffers of a plan, allocates them, and binds them.
    pub(crate) fn new(context: &Context, plan: Plan<u32>, count: CountSlot) -> Result<Self, SpatialError> {
        plan.check(max_binding_size(&context.device().limits()))?;
        Ok(Self { program: Program::new(context, plan), count })
    }

    /// The number of items, as that of another stage.
    pub(super) fn count(&self) -> Count<'_> {
        self.count_in(self.count)
    }

    /// A number that the stage writes, as that of another stage.
    pub(super) fn count_in(&self, CountSlot { buffer, word, .. }: CountSlot) -> Count<'_> {
        Count::Gpu { buffer: &self[buffer], word }
    }

    /// Sets one of the numbers of items.
    pub(crate) fn set(&self, queue: &wgpu::Queue, count: CountSlot, n: u32) -> Result<(), SpatialError> {
        check_set(count, n)?;
        queue.write_buffer(&self[count.buffer], 0, bytemuck::bytes_of(&n));
        Ok(())
    }
}

impl Index<Slot> for Stage {
    type Output = wgpu::Buffer;

    fn index(&self, slot: Slot) -> &wgpu::Buffer {
        &self.program[slot]
    }
}

/// The methods that stages have in common, with the items that they count.
macro_rules! stage_methods {
    ($items:literal) => {
        #[doc = concat!("Sets the number of ", $items, ".")]
        ///
        /// # Errors
        ///
        /// - [`SpatialError::AboveCapacity`] if it exceeds the capacity.
        /// - [`SpatialError::CountOfCaller`] if it is in a buffer of the caller or of another
        ///   stage.
        pub fn set_count(&self, queue: &wgpu::Queue, n: u32) -> Result<(), SpatialError> {
            self.stage.set(queue, self.stage.count, n)
        }

        /// Records the stage into a compute pass. This does not submit or wait.
        pub fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
            self.stage.program.record(pass);
        }

        /// The dispatches, in order, to record and time them one by one.
        #[cfg(feature = "testing")]
        pub fn dispatches(&self) -> Vec<crate::core::program::Part<'_>> {
            self.stage.program.dispatches()
        }
    };
}
pub(crate) use stage_methods;
