//! Stage *brackets*: from a text to the tree of its brackets, by a table of its syntax.
//!
//! Specification: [`boxwood_cpu::specification::tree::brackets`].

use boxwood_cpu::EntryLink;
use boxwood_cpu::specification::tree::BracketSyntax;
use boxwood_shaders::tree::{
    BracketBits, BracketCount, BracketLinks, BracketOffsetGroups, BracketOffsets, BracketReduce,
    BracketReport, BracketRows, BracketStart, BracketStartGroups,
};

use super::text::{
    TextBuffersError, TextCapacity, TextGrid, TextMatcher, TextReport, n_groups, n_partitions, text_plan,
    text_stage_methods,
};
use crate::core::context::Context;
use crate::core::limits::max_binding_size;
use crate::core::plan::{Plan, Slot};
use crate::core::program::Program;

/// The words of `BracketSummary` in `bracket_summary.wgsl`.
const SUMMARY_WORDS: u32 = 5;

/// The brackets of one entry of `bits`: a word of 32.
const BITS: u32 = 32;

/// From a text in a buffer to the tree of its brackets in buffers, all on the GPU.
///
/// A [`BracketSyntax`] says which bytes are brackets: a table of the states of a lexer. The rows
/// are the brackets, in the order of their positions.
///
/// | buffer | item | content |
/// |---|---|---|
/// | [`roles`](Self::roles) | `u32` | the number of the [`BracketRole`](super::BracketRole): whether it opens or closes, and its kind |
/// | [`positions`](Self::positions) | `u32` | the offset of its byte |
/// | [`links`](Self::links) | [`EntryLink`] | the parent and the partner |
/// | [`report`](Self::report) | [`TextReport`] | the number of brackets, and the first error |
///
/// The *parent* of both brackets of a pair is the row that opens the innermost pair around them, or
/// −1. The *partner* of a bracket is the row of the other one of its pair.
///
/// These are errors, with the offset: a bracket that closes nothing or another kind, a bracket that
/// is not closed, and a byte that the syntax does not allow. The rows then have no meaning. Texts
/// may be of any depth. The size of a storage binding limits their length and the number of
/// brackets.
///
/// ```no_run
/// use boxwood::Context;
/// use boxwood::tree::{BracketSyntax, Brackets, TextCapacity, TextReport};
/// # use boxwood::wgpu;
///
/// # fn example(device: &wgpu::Device, queue: &wgpu::Queue, text: &wgpu::Buffer) -> Result<(), Box<dyn std::error::Error>> {
/// # let n_bytes = 1000;
/// let context = Context::new(device); // once per device
/// let capacity = TextCapacity { n_bytes, n_rows: n_bytes / 4 };
/// let mut brackets = Brackets::new(&context, text, capacity, &BracketSyntax::c())?; // once per size
/// brackets.set_length(queue, n_bytes)?;
///
/// let mut encoder = device.create_command_encoder(&Default::default());
/// brackets.record(&mut encoder.begin_compute_pass(&Default::default()));
/// queue.submit([encoder.finish()]);
/// let links: &wgpu::Buffer = brackets.links(); // for your own passes
/// let report = boxwood::read_items::<TextReport>(device, queue, brackets.report(), 1)?;
/// let n_rows = report[0].n_brackets()?;
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct Brackets {
    program: Program<TextGrid>,
    slots: Slots,
}

/// The results in the plan.
#[derive(Clone, Copy, Debug)]
struct Slots {
    roles: Slot,
    positions: Slot,
    links: Slot,
    report: Slot,
}

impl Brackets {
    /// Allocates and binds the buffers, for texts in `text` of up to a capacity. The text is empty
    /// until [`set_length`](Self::set_length).
    ///
    /// `text` has the bytes of the text, the first one at offset 0. Its size is at least the
    /// capacity, rounded up to a multiple of 16 bytes, and at least 16 bytes. Bytes after the text
    /// are not used.
    ///
    /// The buffers take about 25 bytes per row and 1/4 byte per byte of text.
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
        syntax: &BracketSyntax,
    ) -> Result<Self, TextBuffersError> {
        let (plan, slots) = plan(text, capacity, syntax)?;
        // A size beyond the limits of the device is an error here. wgpu would panic.
        plan.check(max_binding_size(&context.device().limits()))?;
        Ok(Self { program: Program::new(context, plan), slots })
    }

    text_stage_methods!();

    /// Out: the role of each bracket, `array<u32>`.
    pub fn roles(&self) -> &wgpu::Buffer {
        &self.program[self.slots.roles]
    }

    /// Out: the offset of each bracket in the text, `array<u32>`.
    pub fn positions(&self) -> &wgpu::Buffer {
        &self.program[self.slots.positions]
    }

    /// Out: the parent and the partner of each bracket, [`EntryLink`].
    pub fn links(&self) -> &wgpu::Buffer {
        &self.program[self.slots.links]
    }
}

/// The dispatches.
fn plan(
    text: &wgpu::Buffer,
    capacity: TextCapacity,
    syntax: &BracketSyntax,
) -> Result<(Plan<TextGrid>, Slots), TextBuffersError> {
    let TextCapacity { n_bytes, n_rows } = capacity;
    let mut plan = text_plan(capacity, false)?;
    let config = plan.size_uniform("text_config");
    let text = plan.given::<[u32; 4]>("text", text, n_bytes.div_ceil(16));
    let syntax = plan.filled("bracket_syntax", &syntax.to_words());
    let words = plan.buffer::<[u32; 2]>("bracket_words", n_bytes.div_ceil(32));
    let effects = plan.buffer::<[u32; 2]>("bracket_effects", n_partitions(n_bytes));
    let states = plan.buffer::<u32>("bracket_states", n_partitions(n_bytes));
    let counts = plan.buffer::<u32>("bracket_counts", n_partitions(n_bytes));
    let summary = plan.buffer::<u32>("bracket_summary", SUMMARY_WORDS);
    // Some shaders read four roles at once.
    let roles = plan.buffer::<u32>("roles", n_rows.next_multiple_of(4));
    let positions = plan.buffer::<u32>("positions", n_rows);
    let links = plan.buffer::<EntryLink>("links", n_rows);
    let report = plan.buffer::<TextReport>("report", 1_u32);
    let matcher = TextMatcher::new(&mut plan, n_rows);
    let TextMatcher { config: match_config, begin_bits, matches, .. } = matcher;
    let n_groups = n_groups(n_bytes);
    let group_states = plan.buffer::<[u32; 2]>("bracket_group_states", n_groups);
    let group_counts = plan.buffer::<u32>("bracket_group_counts", n_groups);

    plan.begin("boxwood.brackets");
    plan.dispatch(BracketReduce { config, text, syntax, words, effects }, TextGrid::Partitions);
    // A workgroup scans a group of partitions by itself. The results of groups are needed only if
    // there are several.
    if n_groups > 1 {
        plan.dispatch(BracketStartGroups { config, effects, group_effects: group_states }, TextGrid::Groups);
    }
    let start = BracketStart { config, effects, group_effects: group_states, states, summary };
    plan.dispatch(start, TextGrid::Groups);
    let count = BracketCount { config, text, syntax, words, states, counts, summary };
    plan.dispatch(count, TextGrid::Partitions);
    if n_groups > 1 {
        plan.dispatch(BracketOffsetGroups { config, counts, group_effects: group_counts }, TextGrid::Groups);
    }
    let offsets = BracketOffsets { config, counts, group_effects: group_counts, match_config, summary };
    plan.dispatch(offsets, TextGrid::Groups);
    let rows = BracketRows { config, text, syntax, words, counts, roles, positions };
    plan.dispatch(rows, TextGrid::Partitions);
    let bits = BracketBits { config: match_config, roles, begin_bits };
    plan.dispatch(bits, TextGrid::striding((n_rows + 1).div_ceil(BITS)));
    matcher.add_steps(&mut plan);
    let bracket_links = BracketLinks { config: match_config, matches, roles, positions, links, summary };
    plan.dispatch(bracket_links, TextGrid::striding(n_rows));
    let reported = BracketReport { config, syntax, matches, positions, report, summary };
    plan.dispatch(reported, TextGrid::Fixed(1));
    plan.end();
    Ok((plan, Slots { roles, positions, links, report }))
}
