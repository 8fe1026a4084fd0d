//! What the stages that read a text have in common: its size, and the matching of its brackets.

#[cfg(feature = "brackets")]
use boxwood_cpu::specification::tree::{BracketError, BracketReason};
#[cfg(feature = "json")]
use boxwood_cpu::specification::tree::{JsonError, JsonReason};
use bytemuck::{Pod, Zeroable};

use super::matcher::{Matcher, MatcherPlan};
use crate::core::WORKGROUP_SIZE;
use crate::core::plan::{NoRoom, Plan, Slot, Workgroups};
use crate::core::program::Program;

/// The bytes of a group of 1024 partitions, as in `text_groups.wgsl`.
const GROUP_BYTES: u32 = 4 * WORKGROUP_SIZE * PARTITION_BYTES;

/// The bytes of a partition, as in `text_config.wgsl`: 32 per invocation of a workgroup, except for
/// its last invocation.
const PARTITION_BYTES: u32 = 32 * (WORKGROUP_SIZE - 1);

/// The maximum number of workgroups of a dispatch whose number of items is known on the GPU alone.
/// An NVIDIA H200 runs about 1,000 at a time.
const MAX_STRIDING_WORKGROUPS: u32 = 4096;

/// The maximum number of rows: 30 bits hold a row or `NO_ROW`, as in `json_context.wgsl`, and
/// `match_config.wgsl` doubles the leaves of a tree often enough for 2^30 entries.
const MAX_ROWS: u32 = (1 << 30) - 1;

/// The maximum number of bytes. The last workgroup computes offsets up to the end of its partition
/// and of one more word. They have to fit in 32 bits.
const MAX_BYTES: u32 = u32::MAX - (PARTITION_BYTES + 32);

/// The value of [`TextReport::reason`] if the buffers have no room for the rows, as in the shaders.
const TOO_MANY_ROWS: u32 = 31;

/// The largest text that a stage takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextCapacity {
    /// The number of bytes.
    pub n_bytes: u32,
    /// The number of rows. A text has at most one row per byte. A typical JSON text has one row per
    /// 5 to 20 bytes, and typical source code has one bracket per 15 to 30 bytes.
    ///
    /// If the text has more rows, the report has their number. Create the stage again with it.
    pub n_rows: u32,
}

/// The error for buffers that cannot be made, or for a text that is too long for them. Nothing has
/// been allocated or changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TextBuffersError {
    /// A buffer has no room for the text or its rows, or the device cannot bind as much at once.
    #[error(
        "{need} items exceed {limit}, the maximum of the buffer `{buffer}` and the device (max_buffer_size \
         and max_storage_buffer_binding_size): use a larger buffer or a smaller capacity, or split the text"
    )]
    TooLarge {
        /// The buffer without room.
        buffer: &'static str,
        /// The number of items.
        need: u64,
        /// The maximum.
        limit: u64,
    },
    /// The text is longer than the stages can count, or has more rows.
    #[error("{need} {items} exceed {limit}, the maximum of the stage: split the text")]
    AboveMaximum {
        /// "bytes" or "rows".
        items: &'static str,
        /// The number of bytes or rows.
        need: u32,
        /// The maximum.
        limit: u32,
    },
    /// The text is longer than the capacity.
    #[error("{n_bytes} bytes exceed {capacity}, the capacity of the stage: create it with a larger capacity")]
    AboveCapacity {
        /// The number of bytes.
        n_bytes: u32,
        /// The capacity.
        capacity: u32,
    },
}

impl From<NoRoom> for TextBuffersError {
    fn from(NoRoom { buffer, need, limit }: NoRoom) -> Self {
        Self::TooLarge { buffer, need, limit }
    }
}

/// The number of rows of a text, and its first error.
///
/// # Layout
///
/// Three `u32` at offsets 0, 4, 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct TextReport {
    /// The number of rows that the text has, also if there is no room for them.
    pub n_rows: u32,
    /// 0 for a valid text, 31 if there is no room for the rows, otherwise the number of a
    /// `JsonReason` or a `BracketReason`. A text without room may have errors too.
    pub reason: u32,
    /// The offset of the error in the text.
    pub offset: u32,
}

/// Why a text has no rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TextReportError<E: std::error::Error + 'static> {
    /// The text has an error.
    #[error("the text is not valid")]
    Invalid(#[from] E),
    /// The buffers have no room for the rows.
    #[error("the text has {0} rows, but the buffers have no room for them: create them with this capacity")]
    TooManyRows(u32),
    /// The report is not of this stage.
    #[error("the report has the reason {0}, which this stage does not have: use the method of the stage")]
    UnknownReason(u32),
}

impl TextReport {
    /// The number of rows of a valid JSON text.
    ///
    /// # Errors
    ///
    /// [`TextReportError`] if the text is not JSON, or has more rows than there is room for.
    #[cfg(feature = "json")]
    pub fn n_json_rows(&self) -> Result<u32, TextReportError<JsonError>> {
        let reason = JsonReason::of_number(self.reason);
        self.rows_or(reason.map(|reason| JsonError { offset: self.offset, reason }))
    }

    /// The number of brackets of a valid text.
    ///
    /// # Errors
    ///
    /// [`TextReportError`] if the text has an error, or more brackets than there is room for.
    #[cfg(feature = "brackets")]
    pub fn n_brackets(&self) -> Result<u32, TextReportError<BracketError>> {
        let reason = BracketReason::of_number(self.reason);
        self.rows_or(reason.map(|reason| BracketError { offset: self.offset, reason }))
    }

    /// The number of rows, or the error of the text.
    fn rows_or<E: std::error::Error>(&self, error: Option<E>) -> Result<u32, TextReportError<E>> {
        // The numbers of errors differ between stages, so the caller has looked up the error.
        match (self.reason, error) {
            (0, _) => Ok(self.n_rows),
            (_, Some(error)) => Err(error.into()),
            (TOO_MANY_ROWS, None) => Err(TextReportError::TooManyRows(self.n_rows)),
            (reason, None) => Err(TextReportError::UnknownReason(reason)),
        }
    }
}

/// The size of a text. `text_config.wgsl` has the same layout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct TextConfig {
    /// The number of bytes.
    pub n_bytes: u32,
    /// The number of rows that the buffers have room for.
    pub capacity: u32,
    /// 1 if each line is a root, otherwise 0. Only stage *json* reads it.
    pub has_lines: u32,
    /// The size of a uniform is a multiple of 16 bytes.
    pub padding: u32,
}

/// The items that the workgroups of a dispatch share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextGrid {
    /// The partitions of the text, one per workgroup.
    Partitions,
    /// The groups of 1024 partitions, one per workgroup, and at least one.
    Groups,
    /// A number that depends on the capacity alone.
    Fixed(u32),
}

impl TextGrid {
    /// Enough workgroups for `n` items, one per invocation, or fewer with several items each.
    pub(super) fn striding(n: u32) -> Self {
        Self::Fixed(n.div_ceil(WORKGROUP_SIZE).min(MAX_STRIDING_WORKGROUPS))
    }
}

impl Workgroups for TextGrid {
    type Size = TextConfig;

    fn workgroups(&self, size: &TextConfig) -> u32 {
        match *self {
            Self::Partitions => n_partitions(size.n_bytes),
            Self::Groups => n_groups(size.n_bytes),
            // The shader returns early, or strides, by a size that it reads on the GPU.
            Self::Fixed(n) => n,
        }
    }

    fn is_within(size: &TextConfig, capacity: &TextConfig) -> bool {
        size.n_bytes <= capacity.n_bytes && size.capacity == capacity.capacity
    }
}

/// The number of partitions of a text.
pub(super) fn n_partitions(n_bytes: u32) -> u32 {
    n_bytes.div_ceil(PARTITION_BYTES)
}

/// The number of groups of partitions of a text, at least one.
pub(super) fn n_groups(n_bytes: u32) -> u32 {
    n_bytes.div_ceil(GROUP_BYTES).max(1)
}

/// A plan for texts of up to a capacity, whose first text is empty.
pub(super) fn text_plan(capacity: TextCapacity, has_lines: bool) -> Result<Plan<TextGrid>, TextBuffersError> {
    let TextCapacity { n_bytes, n_rows } = capacity;
    for (items, need, limit) in [("bytes", n_bytes, MAX_BYTES), ("rows", n_rows, MAX_ROWS)] {
        if need > limit {
            return Err(TextBuffersError::AboveMaximum { items, need, limit });
        }
    }
    let config = TextConfig { n_bytes, capacity: n_rows, has_lines: u32::from(has_lines), padding: 0 };
    // Buffers are allocated for the whole capacity. The buffer of the text has no text yet.
    let mut plan = Plan::new("boxwood.tree", config);
    plan.size = TextConfig { n_bytes: 0, ..config };
    Ok(plan)
}

/// Sets the number of bytes of the text of a program.
pub(super) fn set_text_length(
    program: &mut Program<TextGrid>,
    queue: &wgpu::Queue,
    n_bytes: u32,
) -> Result<(), TextBuffersError> {
    let capacity = program.capacity().n_bytes;
    if n_bytes > capacity {
        return Err(TextBuffersError::AboveCapacity { n_bytes, capacity });
    }
    // The room for rows stays: it is that of the buffers.
    let size = TextConfig { n_bytes, ..*program.size() };
    program.set_size(queue, size);
    Ok(())
}

/// The methods of every stage that reads a text. The stage has the fields `program` and `slots`.
macro_rules! text_stage_methods {
    () => {
        /// Sets the number of bytes of the text for the next submissions.
        ///
        /// Record the stage afterwards. A recording depends on the length, and gives meaningless
        /// results for another one, also in the report. So all texts of a submission have the same
        /// length. The bytes of the text may change without a new recording.
        ///
        /// # Errors
        ///
        /// [`TextBuffersError::AboveCapacity`] if the text is longer than the capacity. The length
        /// is unchanged then.
        pub fn set_length(&mut self, queue: &wgpu::Queue, n_bytes: u32) -> Result<(), TextBuffersError> {
            crate::tree::text::set_text_length(&mut self.program, queue, n_bytes)
        }

        /// Records the stage into a compute pass. This does not submit or wait.
        pub fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
            self.program.record(pass);
        }

        /// The dispatches, in order, to record and time them one by one.
        #[cfg(feature = "testing")]
        pub fn dispatches(&self) -> Vec<crate::core::program::Part<'_>> {
            self.program.dispatches()
        }

        /// Out: one [`TextReport`].
        pub fn report(&self) -> &wgpu::Buffer {
            &self.program[self.slots.report]
        }
    };
}
pub(super) use text_stage_methods;

/// The matching of the brackets of a text, in the plan of its stage.
///
/// The shaders of the stage write the input of the matcher and its size, so they bind its buffers.
pub(super) struct TextMatcher {
    plan: MatcherPlan,
    /// The number of buffers of the stage before those of the matcher.
    n_before: usize,
    /// The size of the input. A dispatch writes this uniform, since the number of brackets is known
    /// on the GPU alone.
    pub(super) config: Slot,
    pub(super) begin_bits: Slot,
    pub(super) matches: Slot,
}

impl TextMatcher {
    /// Adds the buffers of the matcher, for up to `n_brackets` brackets and one more entry.
    pub(super) fn new(plan: &mut Plan<TextGrid>, n_brackets: u32) -> Self {
        // The matcher gives every entry the top of the stack before it. One more end after the
        // brackets finds the innermost bracket that is not closed.
        let matcher = Matcher::Hierarchical.stages(n_brackets + 1);
        let n_before = plan.add_buffers_of(&matcher.plan);
        let config = plan.buffer_for::<[u32; 4]>("match_config", 1, wgpu::BufferUsages::UNIFORM);
        let [begin_bits, matches] =
            [matcher.bits.begin_bits, matcher.bits.matches].map(|slot| slot.shifted(n_before));
        Self { plan: matcher, n_before, config, begin_bits, matches }
    }

    /// Adds the dispatches of the matcher. They have the workgroups for the capacity. Those without
    /// brackets return at once.
    pub(super) fn add_steps(&self, plan: &mut Plan<TextGrid>) {
        // The plan of the matcher has a uniform that the host writes. Here, a shader writes the
        // size.
        let slot_of = |slot: Slot| {
            if slot == self.plan.bits.config { self.config } else { slot.shifted(self.n_before) }
        };
        plan.add_steps_of(&self.plan.plan, slot_of, TextGrid::Fixed);
    }
}
