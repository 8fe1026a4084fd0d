//! Stage *json*: from a JSON text to its tree.
//!
//! Specification: [`boxwood_cpu::specification::tree::json`].

use boxwood_cpu::EntryLink;
use boxwood_cpu::specification::tree::JsonRoots;
use boxwood_shaders::tree::{
    JsonBrackets, JsonCount, JsonCountGroups, JsonLex, JsonLinks, JsonReduce, JsonReport, JsonRows,
    JsonStart, JsonStartGroups,
};
use bytemuck::{Pod, Zeroable};

use super::text::{
    TextBuffersError, TextCapacity, TextGrid, TextMatcher, TextReport, n_groups, n_partitions, text_plan,
    text_stage_methods,
};
use crate::core::context::Context;
use crate::core::limits::max_binding_size;
use crate::core::plan::{Plan, Slot};
use crate::core::program::Program;

/// The words of a partition, and of the header before the partitions, as in `json_partitions.wgsl`.
const WORDS_PER_PARTITION: u32 = 4;

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
/// | [`report`](Self::report) | [`TextReport`] | the number of rows, and the first error |
///
/// The *parent* is the row of the object or array that contains the row, or −1 at a root. The
/// *partner* of an object or array is the row of its end, and the partner of an end is its begin.
/// Other rows have the partner −1.
///
/// A text that RFC 8259 does not allow is an error, with the offset and the reason. A byte order
/// mark is an error too. The rows then have no meaning, also those of other lines of JSON Lines.
/// Texts may be of any depth. The size of a storage binding limits their length and the number of
/// rows.
///
/// Numbers are not converted. Escape sequences are not decoded, so a single surrogate such as
/// `\ud800` is allowed. Duplicate keys are not detected.
///
/// Use it for texts that are already on the GPU. To upload a text and read back its rows takes
/// longer than to parse it on all cores of a CPU.
///
/// ```no_run
/// use boxwood::Context;
/// use boxwood::tree::{Json, JsonRoots, TextCapacity, TextReport};
/// # use boxwood::wgpu;
///
/// # fn example(device: &wgpu::Device, queue: &wgpu::Queue, text: &wgpu::Buffer) -> Result<(), Box<dyn std::error::Error>> {
/// # let n_bytes = 1000;
/// let context = Context::new(device); // once per device
/// let capacity = TextCapacity { n_bytes, n_rows: n_bytes / 4 };
/// let mut json = Json::new(&context, text, capacity, JsonRoots::Lines)?; // once per size
/// json.set_length(queue, n_bytes)?;
///
/// let mut encoder = device.create_command_encoder(&Default::default());
/// json.record(&mut encoder.begin_compute_pass(&Default::default()));
/// queue.submit([encoder.finish()]);
/// let links: &wgpu::Buffer = json.links(); // for your own passes
/// let report = boxwood::read_items::<TextReport>(device, queue, json.report(), 1)?;
/// let n_rows = report[0].n_json_rows()?;
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct Json {
    program: Program<TextGrid>,
    slots: Slots,
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
    /// `text` has the bytes of the text, the first one at offset 0. Its size is at least the
    /// capacity, rounded up to a multiple of 16 bytes, and at least 16 bytes. Bytes after the text
    /// are not used.
    ///
    /// The buffers take about 45 bytes per row and 1/2 byte per byte of text.
    ///
    /// # Errors
    ///
    /// [`TextBuffersError::TooLarge`] if `text` has no room for the capacity, or a buffer is larger
    /// than a storage binding of the device: 8 bytes per row, and one byte per byte of text.
    /// [`TextBuffersError::AboveMaximum`] for more than 2^30 − 1 rows, or more than about 2^32
    /// bytes.
    ///
    /// # Panics
    ///
    /// Panics as wgpu does if `text` does not have the usage `STORAGE`.
    pub fn new(
        context: &Context,
        text: &wgpu::Buffer,
        capacity: TextCapacity,
        roots: JsonRoots,
    ) -> Result<Self, TextBuffersError> {
        let (plan, slots) = plan(text, capacity, roots)?;
        // A size beyond the limits of the device is an error here. wgpu would panic.
        plan.check(max_binding_size(&context.device().limits()))?;
        Ok(Self { program: Program::new(context, plan), slots })
    }

    text_stage_methods!();

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
}

/// The dispatches.
fn plan(
    text: &wgpu::Buffer,
    capacity: TextCapacity,
    roots: JsonRoots,
) -> Result<(Plan<TextGrid>, Slots), TextBuffersError> {
    let TextCapacity { n_bytes, n_rows } = capacity;
    let mut plan = text_plan(capacity, roots == JsonRoots::Lines)?;
    let config = plan.size_uniform("text_config");
    let text = plan.given::<[u32; 4]>("text", text, n_bytes.div_ceil(16));
    let states = plan.buffer::<u32>("json_states", n_partitions(n_bytes));
    // The header has the size of a partition. The shaders bind at least one partition.
    let n_partition_words = u64::from(WORDS_PER_PARTITION) * (u64::from(n_partitions(n_bytes).max(1)) + 1);
    let partitions = plan.buffer::<u32>("json_partitions", n_partition_words);
    let words = plan.buffer::<u32>("json_words", 4 * u64::from(n_bytes.div_ceil(32)));
    let brackets = plan.buffer::<[u32; 2]>("json_brackets", n_rows);
    // The matcher has one more entry than there are brackets.
    let contexts = plan.buffer::<[u32; 2]>("json_contexts", n_rows + 1);
    let kinds = plan.buffer::<u32>("kinds", n_rows);
    let spans = plan.buffer::<JsonSpan>("spans", n_rows);
    let links = plan.buffer::<EntryLink>("links", n_rows);
    let report = plan.buffer::<TextReport>("report", 1_u32);
    let matcher = TextMatcher::new(&mut plan, n_rows);
    let TextMatcher { config: match_config, begin_bits, matches, .. } = matcher;
    let n_groups = n_groups(n_bytes);
    let group_states = plan.buffer::<u32>("json_group_states", n_groups);
    let group_counts = plan.buffer::<[u32; 4]>("json_group_counts", n_groups);

    plan.begin("boxwood.json");
    // A workgroup scans a group of partitions by itself. The results of groups are needed only if
    // there are several.
    plan.dispatch(JsonReduce { config, text, states }, TextGrid::Partitions);
    if n_groups > 1 {
        plan.dispatch(JsonStartGroups { config, states, group_effects: group_states }, TextGrid::Groups);
    }
    plan.dispatch(JsonStart { config, states, partitions, group_effects: group_states }, TextGrid::Groups);
    // The lexer needs the state before each partition, which `JsonStart` has written.
    plan.dispatch(JsonLex { config, text, states, partitions, words }, TextGrid::Partitions);
    if n_groups > 1 {
        plan.dispatch(JsonCountGroups { config, partitions, group_effects: group_counts }, TextGrid::Groups);
    }
    let count = JsonCount { config, partitions, group_effects: group_counts, begin_bits, match_config };
    plan.dispatch(count, TextGrid::Groups);
    let listed = JsonBrackets { config, text, words, partitions, begin_bits, brackets };
    plan.dispatch(listed, TextGrid::Partitions);
    matcher.add_steps(&mut plan);
    let bracket_links = JsonLinks { config: match_config, matches, brackets, contexts };
    plan.dispatch(bracket_links, TextGrid::striding(n_rows + 1));
    let rows = JsonRows { config, text, words, partitions, contexts, kinds, spans, links, brackets };
    plan.dispatch(rows, TextGrid::Partitions);
    plan.dispatch(JsonReport { config, contexts, partitions, spans, report }, TextGrid::Fixed(1));
    plan.end();
    Ok((plan, Slots { kinds, spans, links, report }))
}
