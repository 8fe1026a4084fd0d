//! From JSON texts to their trees.

#[cfg(feature = "anchors")]
mod anchors;

use boxwood::native::Gpu;
use boxwood::testing::Part;
use boxwood::tree::{Brackets, Json, JsonSpan, MatchBuffers, Matcher, TextCapacity, TextReport};
use boxwood::{Context, EntryLink, read_items};
use boxwood_cpu::specification::tree::{
    BracketSyntax, JsonKind, JsonRoots, JsonRow, brackets, json, match_parentheses,
};

use super::session::{Measured, Session};
use crate::error::BenchError;
use crate::measure::{buffer, time_on_cpu};
use crate::record::{COPY_BYTES, SPECIFICATION, float};
use boxwood_inputs::{JsonFamily, bits, json_family};

/// The bytes of a row: its kind, first and last byte, parent, and partner.
const ROW_BYTES: f64 = 20.0;

/// The bytes of a bracket: its role, position, parent, and partner.
const BRACKET_BYTES: f64 = 16.0;

/// The multiple to which stage *json* reads a text, in bytes.
const TEXT_ALIGNMENT: usize = 16;

/// The seed of the texts.
const SEED: u64 = 1;

/// A text of about `n_bytes` of a family, the same that the task `json` parses.
///
/// # Errors
///
/// [`BenchError::NoSuchFamily`] with the names of all families of texts.
pub fn json_text(family: &str, n_bytes: usize) -> Result<Vec<u8>, BenchError> {
    Ok(json_family(family)?.generate(n_bytes, SEED))
}

/// Parses texts of up to 2^k bytes of each family, finds their brackets by a table, and matches
/// them.
pub(super) fn measure(session: &mut Session<'_>) -> Result<(), BenchError> {
    let context = Context::new(&session.gpu.device);
    let families = session.families.texts.clone();
    for k in session.options.sizes(session.options.max) {
        for &family in &families {
            measure_family(session, &context, family, 1 << k)?;
        }
    }
    Ok(())
}

fn measure_family(
    session: &mut Session<'_>,
    context: &Context,
    family: JsonFamily,
    n_bytes: usize,
) -> Result<(), BenchError> {
    let input = Input::new(family, n_bytes);
    let (seconds, rows) = time_on_cpu(session.options.n_runs(), || json(&input.text, input.roots()));
    let rows = rows.expect("the texts of the families are valid");
    session.add(Measured { variant: SPECIFICATION, seconds, is_right: true, ..input.measured() })?;
    measure_stage(session, context, &input, &rows)?;
    measure_brackets(session, context, &input)?;
    measure_matcher(session, context, &input, &rows)?;
    #[cfg(feature = "anchors")]
    anchors::measure(session, &input, &rows, n_bytes)?;
    Ok(())
}

/// A text of a family.
struct Input {
    family: JsonFamily,
    text: Vec<u8>,
}

impl Input {
    fn new(family: JsonFamily, n_bytes: usize) -> Self {
        Self { family, text: family.generate(n_bytes, SEED) }
    }

    fn roots(&self) -> JsonRoots {
        if self.family.has_lines() { JsonRoots::Lines } else { JsonRoots::One }
    }

    /// The text and zeros, up to a multiple of [`TEXT_ALIGNMENT`].
    fn padded(&self) -> Vec<u8> {
        let mut padded = self.text.clone();
        padded.resize(self.text.len().next_multiple_of(TEXT_ALIGNMENT), 0);
        padded
    }

    /// A measurement of the whole text, without a variant and times.
    fn measured(&self) -> Measured<'static> {
        Measured { what: "json", n: self.text.len(), family: self.family.name, ..Measured::default() }
    }
}

/// Measures the upload of a text, stage *json*, and its dispatches.
fn measure_stage(
    session: &mut Session<'_>,
    context: &Context,
    input: &Input,
    rows: &[JsonRow],
) -> Result<(), BenchError> {
    let Gpu { device, queue, .. } = session.gpu;
    let (n, measured) = (input.text.len(), input.measured());
    let padded = input.padded();
    // A size is skipped if the device cannot hold it.
    if padded.len() as u64 > boxwood::max_binding_size(&device.limits()) {
        return Ok(());
    }
    let text = buffer(device, padded.len());
    let [n_bytes, n_rows] =
        [n, rows.len()].map(|n| u32::try_from(n).expect("the text has at most 2^30 bytes"));
    let Ok(mut stage) = Json::new(context, &text, TextCapacity { n_bytes, n_rows }, input.roots()) else {
        return Ok(());
    };
    stage.set_length(queue, n_bytes).expect("the text is within the capacity");

    let seconds = session.timer.time_upload(&text, &padded)?;
    let words: Vec<u32> = read_items(device, queue, &text, padded.len() / size_of::<u32>())?;
    let is_right = bytemuck::cast_slice::<u32, u8>(&words) == padded;
    session.add(Measured { variant: "gpu, upload", seconds, is_right, ..measured })?;

    let seconds = session.timer.time(|pass| stage.record(pass))?;
    let is_right = are_rows(session.gpu, &stage, rows)?;
    let results = [
        (stage.report(), size_of::<TextReport>() / size_of::<u32>()),
        (stage.kinds(), rows.len()),
        (stage.spans(), 2 * rows.len()),
        (stage.links(), 2 * rows.len()),
    ];
    let with_read_back = session.timer.time_with_read_back(|pass| stage.record(pass), &results)?;
    let bytes_each = Some(1.0 + ROW_BYTES * float(rows.len()) / float(n));
    let measured = Measured { variant: "gpu", is_right, ..measured };
    session.add(Measured { seconds, with_read_back, bytes_each, ..measured })?;

    let dispatches = stage.dispatches();
    time_dispatches(session, &dispatches, measured)
}

fn record_alone(dispatch: &Part<'_>, pass: &mut wgpu::ComputePass<'_>) {
    #[expect(unsafe_code, reason = "a dispatch alone is timed")]
    // SAFETY: The whole stage has run over the same text before, and its results have been read.
    // Before each timed dispatch, `time_dispatches` records those before it.
    unsafe {
        dispatch.record(pass);
    }
}

/// Whether the rows on the device are those of the specification.
fn are_rows(gpu: &Gpu, stage: &Json, expected: &[JsonRow]) -> Result<bool, BenchError> {
    let Gpu { device, queue, .. } = gpu;
    let n = expected.len();
    let report: Vec<TextReport> = read_items(device, queue, stage.report(), 1)?;
    if report[0].n_json_rows().map(|n_rows| n_rows as usize) != Ok(n) {
        return Ok(false);
    }
    let kinds: Vec<u32> = read_items(device, queue, stage.kinds(), n)?;
    let spans: Vec<JsonSpan> = read_items(device, queue, stage.spans(), n)?;
    let links: Vec<EntryLink> = read_items(device, queue, stage.links(), n)?;
    Ok(expected.iter().zip(kinds).zip(spans.iter().zip(links)).all(|((row, kind), (span, link))| {
        (row.kind as u32, row.first, row.last, row.parent, row.partner)
            == (kind, span.first, span.last, link.parent, link.partner)
    }))
}

/// Measures stage *brackets* with the syntax of JSON.
fn measure_brackets(session: &mut Session<'_>, context: &Context, input: &Input) -> Result<(), BenchError> {
    let Gpu { device, queue, .. } = session.gpu;
    let syntax = BracketSyntax::json();
    let n = input.text.len();
    let measured = Measured { what: "brackets", ..input.measured() };
    let (seconds, rows) = time_on_cpu(session.options.n_runs(), || brackets(&input.text, &syntax));
    let rows = rows.expect("the texts of the families are valid");
    session.add(Measured { variant: SPECIFICATION, seconds, is_right: true, ..measured })?;
    let padded = input.padded();
    // A size is skipped if the device cannot hold it.
    if padded.len() as u64 > boxwood::max_binding_size(&device.limits()) {
        return Ok(());
    }
    let text = buffer(device, padded.len());
    queue.write_buffer(&text, 0, &padded);
    let [n_bytes, n_rows] =
        [n, rows.len()].map(|n| u32::try_from(n).expect("the text has at most 2^30 bytes"));
    let Ok(mut stage) = Brackets::new(context, &text, TextCapacity { n_bytes, n_rows }, &syntax) else {
        return Ok(());
    };
    stage.set_length(queue, n_bytes).expect("the text is within the capacity");
    let seconds = session.timer.time(|pass| stage.record(pass))?;
    let report: Vec<TextReport> = read_items(device, queue, stage.report(), 1)?;
    let roles: Vec<u32> = read_items(device, queue, stage.roles(), rows.len())?;
    let positions: Vec<u32> = read_items(device, queue, stage.positions(), rows.len())?;
    let links: Vec<EntryLink> = read_items(device, queue, stage.links(), rows.len())?;
    let is_right = report[0].n_brackets() == Ok(n_rows)
        && rows.iter().zip(roles).zip(positions.iter().zip(links)).all(|((row, role), (position, link))| {
            (u32::from(row.role.number()), row.position, row.link) == (role, *position, link)
        });
    let bytes_each = Some(1.0 + BRACKET_BYTES * float(rows.len()) / float(n));
    session.add(Measured { variant: "gpu", seconds, bytes_each, is_right, ..measured })?;
    let dispatches = stage.dispatches();
    time_dispatches(session, &dispatches, Measured { variant: "gpu", is_right, ..measured })
}

/// Times each dispatch alone, after those before it, whose results it needs.
fn time_dispatches(
    session: &mut Session<'_>,
    dispatches: &[Part<'_>],
    measured: Measured<'_>,
) -> Result<(), BenchError> {
    for (index, dispatch) in dispatches.iter().enumerate() {
        let before = |pass: &mut wgpu::ComputePass<'_>| {
            dispatches[..index].iter().for_each(|dispatch| record_alone(dispatch, pass));
        };
        let seconds = session.timer.time_after(before, |pass| record_alone(dispatch, pass))?;
        session.add(Measured { what: dispatch.name(), seconds, ..measured })?;
    }
    Ok(())
}

/// Measures the matching of the brackets of a text alone, the task of `anchors/json.cu`.
fn measure_matcher(
    session: &mut Session<'_>,
    context: &Context,
    input: &Input,
    rows: &[JsonRow],
) -> Result<(), BenchError> {
    let Gpu { device, queue, .. } = session.gpu;
    let is_begin = |row: &JsonRow| match row.kind {
        JsonKind::Object | JsonKind::Array => Some(true),
        JsonKind::ObjectEnd | JsonKind::ArrayEnd => Some(false),
        _ => None,
    };
    let brackets: Vec<bool> = rows.iter().filter_map(is_begin).collect();
    let n = brackets.len();
    let measured = Measured { what: "json_match", n, ..input.measured() };
    let (seconds, expected) = time_on_cpu(session.options.n_runs(), || match_parentheses(&brackets));
    session.add(Measured { variant: SPECIFICATION, seconds, is_right: true, ..measured })?;
    // A size is skipped if the device cannot hold it.
    let Ok(mut buffers) = MatchBuffers::new(context, Matcher::Hierarchical, n) else {
        return Ok(());
    };
    buffers.upload(queue, &bits(&brackets), n)?;
    let seconds = session.timer.time(|pass| buffers.record(pass))?;
    let found: Vec<i32> = read_items(device, queue, buffers.matches(), n)?;
    let (bytes_each, is_right) = (Some(COPY_BYTES), found == expected);
    session.add(Measured { variant: "gpu", seconds, bytes_each, is_right, ..measured })
}
