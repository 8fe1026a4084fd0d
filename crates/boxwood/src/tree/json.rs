//! Stage *json*: from a JSON text to its tree.
//!
//! Specification: [`boxwood_cpu::specification::tree::json`].

use boxwood_cpu::EntryLink;
use boxwood_cpu::specification::tree::{JsonError, JsonReason, JsonRoots};
use boxwood_shaders::tree::{
    JsonBrackets, JsonCount, JsonCountGroups, JsonLex, JsonLinks, JsonReduce, JsonReport as ReportShader,
    JsonRows, JsonStart, JsonStartGroups,
};
use bytemuck::{Pod, Zeroable};

use super::matcher::{Matcher, MatcherPlan};
use crate::core::WORKGROUP_SIZE;
use crate::core::context::Context;
use crate::core::limits::max_binding_size;
use crate::core::plan::{NoRoom, Plan, Slot, Workgroups};
use crate::core::program::Program;

/// The bytes of a group of 1024 partitions, as in `json_groups.wgsl`.
const GROUP_BYTES: u32 = 4 * WORKGROUP_SIZE * PARTITION_BYTES;

/// The bytes of a partition, as in `json_config.wgsl`: 32 per invocation, except for the last one.
const PARTITION_BYTES: u32 = 32 * (WORKGROUP_SIZE - 1);

/// The words of a partition, and of the header before the partitions, as in `json_partitions.wgsl`.
const WORDS_PER_PARTITION: u64 = 4;

/// The maximum number of workgroups that link brackets: enough for a large GPU.
const MAX_LINK_WORKGROUPS: u32 = 4096;

/// The maximum number of rows: 30 bits hold a row or `NO_ROW`, as in `json_context.wgsl`.
const MAX_ROWS: u32 = (1 << 30) - 1;

/// From a JSON text in a buffer to its tree in buffers, all on the GPU.
///
/// A *row* is a value, the key of a member, or the end of an object or array. Rows are in the order
/// of their first bytes, so that the rows of a value and of everything inside of it are contiguous:
/// those of an object or array are `row..=partner`. The value of a member is the row after its key.
///
/// | buffer | item | content |
/// |---|---|---|
/// | [`kinds`](Self::kinds) | `u32` | the number of the [`JsonKind`](super::JsonKind) |
/// | [`spans`](Self::spans) | [`JsonSpan`] | the offsets of the first and the last byte |
/// | [`links`](Self::links) | [`EntryLink`] | the parent and the partner |
/// | [`report`](Self::report) | [`JsonReport`] | the number of rows, and the first error |
///
/// The *parent* is the row of the object or array that contains the row, or −1 at a root. The
/// *partner* of an object or array is the row of its end, and the partner of an end is its begin.
/// Other rows have the partner −1.
///
/// What RFC 8259 refuses is refused, with the offset and the reason, and then the rows have no
/// meaning. Texts may be of any depth and of any size that a buffer holds. Numbers are not
/// converted, escape sequences are not decoded, and equal keys are not found.
///
/// ```no_run
/// use boxwood::Context;
/// use boxwood::tree::{Json, JsonCapacity, JsonReport, JsonRoots};
/// # use boxwood::wgpu;
///
/// # fn example(device: &wgpu::Device, queue: &wgpu::Queue, text: &wgpu::Buffer) -> Result<(), Box<dyn std::error::Error>> {
/// # let n_bytes = 1000;
/// let context = Context::new(device); // once per device
/// let capacity = JsonCapacity { n_bytes, n_rows: n_bytes / 4 };
/// let mut json = Json::new(&context, text, capacity, JsonRoots::Lines)?; // once per size
/// json.set_length(queue, n_bytes)?;
///
/// let mut encoder = device.create_command_encoder(&Default::default());
/// json.record(&mut encoder.begin_compute_pass(&Default::default()));
/// queue.submit([encoder.finish()]);
/// let links: &wgpu::Buffer = json.links(); // for your own passes
/// let report = boxwood::read_items::<JsonReport>(device, queue, json.report(), 1)?;
/// let n_rows = report[0].n_rows()?;
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct Json {
    program: Program<JsonGrid>,
    slots: Slots,
}

/// The largest text that a [`Json`] takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JsonCapacity {
    /// The number of bytes.
    pub n_bytes: u32,
    /// The number of rows. A text has at most one row per byte. Typical texts have one per 8 to 20
    /// bytes.
    pub n_rows: u32,
}

/// The first and the last byte of a row.
///
/// # Layout
///
/// Two `u32` at offsets 0 and 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct JsonSpan {
    /// The offset of the first byte in the text.
    pub first: u32,
    /// The offset of the last byte.
    pub last: u32,
}

/// The number of rows, and the first error.
///
/// # Layout
///
/// Three `u32` at offsets 0, 4, 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct JsonReport {
    /// The number of rows that the text has, also if there is no room for them.
    pub n_rows: u32,
    /// 0 for a valid text, 31 if there is no room for the rows, otherwise the number of a
    /// [`JsonReason`].
    pub reason: u32,
    /// The offset of the error in the text.
    pub offset: u32,
}

/// Why a text has no rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JsonReportError {
    /// The text is not JSON.
    #[error("the text is not JSON")]
    Invalid(#[from] JsonError),
    /// The buffers have no room for the rows.
    #[error("the text has {0} rows, but the buffers have no room for them: create them with this capacity")]
    TooManyRows(u32),
}

impl JsonReport {
    /// The number of rows of a valid text.
    ///
    /// # Errors
    ///
    /// [`JsonReportError`] if the text is not JSON, or has more rows than there is room for.
    pub fn n_rows(&self) -> Result<u32, JsonReportError> {
        match (self.reason, JsonReason::of_number(self.reason)) {
            (0, _) => Ok(self.n_rows),
            (_, Some(reason)) => Err(JsonError { offset: self.offset, reason }.into()),
            (_, None) => Err(JsonReportError::TooManyRows(self.n_rows)),
        }
    }
}

/// The error for buffers that cannot be made, or for a text that is too long for them. Nothing has
/// been allocated or changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JsonBuffersError {
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
    /// The text is longer than the capacity.
    #[error("{n_bytes} bytes exceed {capacity}, the capacity of the stage: create it with a larger capacity")]
    AboveCapacity {
        /// The number of bytes.
        n_bytes: u32,
        /// The capacity.
        capacity: u32,
    },
}

impl From<NoRoom> for JsonBuffersError {
    fn from(NoRoom { buffer, need, limit }: NoRoom) -> Self {
        Self::TooLarge { buffer, need, limit }
    }
}

/// The size of a text. `json_config.wgsl` has the same layout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct JsonConfig {
    /// The number of bytes.
    pub n_bytes: u32,
    /// The number of rows that the buffers have room for.
    pub capacity: u32,
    /// 1 if each line is a root, otherwise 0.
    pub has_lines: u32,
    /// The size of a uniform is a multiple of 16 bytes.
    pub padding: u32,
}

/// The items that the workgroups of a dispatch share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JsonGrid {
    /// The partitions of the text, one per workgroup.
    Partitions,
    /// The groups of 1024 partitions, one per workgroup, and at least one.
    Groups,
    /// A number that depends on the capacity alone.
    Fixed(u32),
}

impl Workgroups for JsonGrid {
    type Size = JsonConfig;

    fn workgroups(&self, size: &JsonConfig) -> u32 {
        match *self {
            Self::Partitions => size.n_bytes.div_ceil(PARTITION_BYTES),
            Self::Groups => size.n_bytes.div_ceil(GROUP_BYTES).max(1),
            Self::Fixed(n) => n,
        }
    }

    fn is_within(size: &JsonConfig, capacity: &JsonConfig) -> bool {
        size.n_bytes <= capacity.n_bytes && size.capacity == capacity.capacity
    }
}

/// The results in the plan.
#[derive(Clone, Copy, Debug)]
struct Slots {
    kinds: Slot,
    spans: Slot,
    links: Slot,
    report: Slot,
}

impl Json {
    /// Allocates and binds the buffers, for texts in `text` of up to a capacity. The text is empty
    /// until [`set_length`](Self::set_length).
    ///
    /// `text` has the bytes of the text, the first one at offset 0. It needs the usage `STORAGE`
    /// and a size of at least the capacity, rounded up to a multiple of 16 bytes. Bytes after the
    /// text are not used.
    ///
    /// The buffers take about 45 bytes per row and 1/2 byte per byte of text.
    ///
    /// # Errors
    ///
    /// [`JsonBuffersError::TooLarge`] if `text` has no room for the capacity, or a buffer is larger
    /// than a storage binding of the device.
    pub fn new(
        context: &Context,
        text: &wgpu::Buffer,
        capacity: JsonCapacity,
        roots: JsonRoots,
    ) -> Result<Self, JsonBuffersError> {
        let n_rows = capacity.n_rows;
        if n_rows > MAX_ROWS {
            let (need, limit) = (n_rows.into(), MAX_ROWS.into());
            return Err(JsonBuffersError::TooLarge { buffer: "kinds", need, limit });
        }
        let (plan, slots) = plan(text, capacity, roots);
        plan.check(max_binding_size(&context.device().limits()))?;
        Ok(Self { program: Program::new(context, plan), slots })
    }

    /// Sets the number of bytes of the text. The text itself may change at any time between
    /// recordings that have been executed.
    ///
    /// # Errors
    ///
    /// [`JsonBuffersError::AboveCapacity`] if the text is longer than the capacity. The length is
    /// unchanged then.
    pub fn set_length(&mut self, queue: &wgpu::Queue, n_bytes: u32) -> Result<(), JsonBuffersError> {
        let capacity = self.program.capacity().n_bytes;
        if n_bytes > capacity {
            return Err(JsonBuffersError::AboveCapacity { n_bytes, capacity });
        }
        let size = JsonConfig { n_bytes, ..*self.program.size() };
        self.program.set_size(queue, size);
        Ok(())
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

    /// Out: the kind of each row, `array<u32>`.
    pub fn kinds(&self) -> &wgpu::Buffer {
        &self.program[self.slots.kinds]
    }

    /// Out: the first and the last byte of each row, `array<JsonSpan>`. The first byte of a string
    /// is its quotation mark. The last byte of an object or array is its closing bracket.
    pub fn spans(&self) -> &wgpu::Buffer {
        &self.program[self.slots.spans]
    }

    /// Out: the parent and the partner of each row, [`EntryLink`]. An end has the parent of its
    /// begin.
    pub fn links(&self) -> &wgpu::Buffer {
        &self.program[self.slots.links]
    }

    /// Out: one [`JsonReport`].
    pub fn report(&self) -> &wgpu::Buffer {
        &self.program[self.slots.report]
    }
}

/// The dispatches.
fn plan(text: &wgpu::Buffer, capacity: JsonCapacity, roots: JsonRoots) -> (Plan<JsonGrid>, Slots) {
    let JsonCapacity { n_bytes, n_rows } = capacity;
    let has_lines = u32::from(roots == JsonRoots::Lines);
    let config = JsonConfig { n_bytes, capacity: n_rows, has_lines, padding: 0 };
    let mut plan = Plan::new("boxwood.tree", config);
    plan.size = JsonConfig { n_bytes: 0, ..config };
    let config = plan.size_uniform("json_config");
    let text = plan.given::<[u32; 4]>("text", text, n_bytes.div_ceil(16));
    let n_partitions = u64::from(n_bytes.div_ceil(PARTITION_BYTES));

    let states = plan.buffer::<[u32; 4]>("json_states", n_partitions.div_ceil(4));
    let partitions = plan.buffer::<u32>("json_partitions", WORDS_PER_PARTITION * (n_partitions + 1));
    let words = plan.buffer::<u32>("json_words", 4 * u64::from(n_bytes.div_ceil(32)));
    let brackets = plan.buffer::<[u32; 2]>("json_brackets", n_rows);
    // The matcher has one more entry than there are brackets.
    let contexts = plan.buffer::<[u32; 2]>("json_contexts", n_rows + 1);
    let kinds = plan.buffer::<u32>("kinds", n_rows);
    let spans = plan.buffer::<JsonSpan>("spans", n_rows);
    let links = plan.buffer::<EntryLink>("links", n_rows);
    let report = plan.buffer::<JsonReport>("report", 1_u32);

    let MatcherPlan { plan: matcher, bits } = Matcher::Hierarchical.stages(n_rows + 1);
    let n_before = plan.add_buffers_of(&matcher);
    // A dispatch writes this uniform, since the number of brackets is known on the GPU alone.
    let match_config = plan.buffer_for::<[u32; 4]>("json_match_config", 1, wgpu::BufferUsages::UNIFORM);
    let slot_of = |slot: Slot| if slot == bits.config { match_config } else { slot.shifted(n_before) };
    // The shaders write the input of the matcher and its size, so they bind the matcher's buffers.
    let [begin_bits, matches] = [bits.begin_bits, bits.matches].map(slot_of);

    let n_groups = n_bytes.div_ceil(GROUP_BYTES).max(1);
    let group_states = plan.buffer::<u32>("json_group_states", n_groups);
    let group_counts = plan.buffer::<[u32; 4]>("json_group_counts", n_groups);

    plan.begin("boxwood.json");
    // A workgroup scans a group of partitions by itself. The results of groups are needed only if
    // there are several.
    plan.dispatch(JsonReduce { config, text, states }, JsonGrid::Partitions);
    if n_groups > 1 {
        plan.dispatch(JsonStartGroups { config, states, group_states }, JsonGrid::Groups);
    }
    plan.dispatch(JsonStart { config, states, partitions, group_states }, JsonGrid::Groups);
    plan.dispatch(JsonLex { config, text, states, partitions, words }, JsonGrid::Partitions);
    if n_groups > 1 {
        plan.dispatch(JsonCountGroups { config, partitions, group_counts }, JsonGrid::Groups);
    }
    let count = JsonCount { config, partitions, group_counts, begin_bits, match_config };
    plan.dispatch(count, JsonGrid::Groups);
    let listed = JsonBrackets { config, text, words, partitions, begin_bits, brackets };
    plan.dispatch(listed, JsonGrid::Partitions);
    // The matcher runs with the workgroups for the capacity. Those without brackets return at once.
    plan.add_steps_of(&matcher, slot_of, JsonGrid::Fixed);
    let bracket_links = JsonLinks { config: match_config, matches, brackets, contexts };
    let n_workgroups = (n_rows + 1).div_ceil(WORKGROUP_SIZE).min(MAX_LINK_WORKGROUPS);
    plan.dispatch(bracket_links, JsonGrid::Fixed(n_workgroups));
    let rows = JsonRows { config, text, words, partitions, contexts, kinds, spans, links, brackets };
    plan.dispatch(rows, JsonGrid::Partitions);
    plan.dispatch(ReportShader { config, contexts, partitions, spans, report }, JsonGrid::Fixed(1));
    plan.end();
    (plan, Slots { kinds, spans, links, report })
}
