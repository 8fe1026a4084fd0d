//! JSON parsers of other projects, on the CPU and on the same texts. The cargo feature `anchors`
//! adds them.

use std::ops::Range;
use std::{iter, mem};

use boxwood_cpu::specification::tree::{JsonRow, json};
use rayon::prelude::*;
use serde::de::IgnoredAny;
use serde_json::Value;
use simd_json::{Buffers, INPUT_PADDING, Tape, fill_tape_padded};

use super::Input;
use crate::error::BenchError;
use crate::measure::{time_on_cpu, time_on_cpu_after};
use crate::sweep::session::{Measured, Session};
use boxwood_inputs::JsonFamily;

/// Parses a text of this size by each parser. `rows` are those of the specification.
pub(super) fn measure(
    session: &mut Session<'_>,
    input: &Input,
    rows: &[JsonRow],
    n_bytes: usize,
) -> Result<(), BenchError> {
    measure_simd_json(session, input, rows)?;
    measure_simd_json_on_all_cores(session, input.family, n_bytes)?;
    measure_serde_json(session, input, rows)
}

fn measure_simd_json(session: &mut Session<'_>, input: &Input, rows: &[JsonRow]) -> Result<(), BenchError> {
    let values = values(input);
    let mut parser = SimdJson::new(input.text.len());
    // The untimed run allocates.
    parser.parse(&mut padded(&input.text), &values);
    let (seconds, n_nodes) = time_on_cpu_after(
        session.options.n_runs(),
        || padded(&input.text),
        |text| parser.parse(text, &values),
    );
    let is_right = n_nodes == Some(count_nodes(rows));
    session.add(Measured { variant: "simd-json", seconds, is_right, ..input.measured() })
}

/// Each thread parses a copy of one text, whose size is `n_bytes` divided by the number of threads.
fn measure_simd_json_on_all_cores(
    session: &mut Session<'_>,
    family: JsonFamily,
    n_bytes: usize,
) -> Result<(), BenchError> {
    let n_threads = rayon::current_num_threads();
    let part = Input::new(family, n_bytes / n_threads);
    let rows = json(&part.text, part.roots()).expect("the texts of the families are valid");
    let values = values(&part);
    let mut parsers: Vec<SimdJson> = (0..n_threads).map(|_| SimdJson::new(part.text.len())).collect();
    // Each text is in memory that its own thread has written first.
    let texts = || (0..n_threads).into_par_iter().with_max_len(1).map(|_| padded(&part.text)).collect();
    let mut parse = |texts: &mut Vec<Vec<u8>>| -> Option<Vec<usize>> {
        let each = parsers.par_iter_mut().zip(texts).with_max_len(1);
        each.map(|(parser, text)| parser.parse(text, &values)).collect()
    };
    // The untimed run allocates.
    parse(&mut texts());
    let (seconds, n_nodes) = time_on_cpu_after(session.options.n_runs(), texts, parse);
    let is_right = n_nodes == Some(vec![count_nodes(&rows); n_threads]);
    let measured = Measured { n: n_threads * part.text.len(), ..part.measured() };
    session.add(Measured { variant: "simd-json, all cores", seconds, is_right, ..measured })
}

fn measure_serde_json(session: &mut Session<'_>, input: &Input, rows: &[JsonRow]) -> Result<(), BenchError> {
    let (n_runs, values) = (session.options.n_runs(), values(input));
    let texts = || values.iter().map(|range| &input.text[range.clone()]);
    let (seconds, parsed) =
        time_on_cpu(n_runs, || texts().map(serde_json::from_slice).collect::<Result<Vec<Value>, _>>());
    // A value has at most 127 levels, so there is no row for the deep nest.
    if let Ok(parsed) = parsed {
        let is_right = parsed.iter().map(count_nodes_of).sum::<usize>() == count_nodes(rows);
        session.add(Measured { variant: "serde_json, value", seconds, is_right, ..input.measured() })?;
    }
    // An ignored value is only checked, and may have any number of levels.
    let (seconds, result) = time_on_cpu(n_runs, || {
        texts().try_for_each(|text| serde_json::from_slice::<IgnoredAny>(text).map(drop))
    });
    let is_right = result.is_ok();
    session.add(Measured { variant: "serde_json, ignored", seconds, is_right, ..input.measured() })
}

/// The parser simd-json. It keeps its memory from text to text.
struct SimdJson {
    buffers: Buffers,
    tape: Tape<'static>,
}

impl SimdJson {
    fn new(n_bytes: usize) -> Self {
        Self { buffers: Buffers::with_max_depth(n_bytes, usize::MAX), tape: Tape::null() }
    }

    /// Parses a padded text in place: the values at these ranges of bytes. Returns the number of
    /// values and keys, or `None` if the parser refuses the text.
    fn parse(&mut self, padded: &mut [u8], values: &[Range<usize>]) -> Option<usize> {
        let of_value = |range: &Range<usize>| self.parse_value(&mut padded[range.start..], range.len());
        values.iter().map(of_value).sum()
    }

    /// Parses the value that the first `n` bytes are.
    fn parse_value(&mut self, padded: &mut [u8], n: usize) -> Option<usize> {
        let mut tape = mem::replace(&mut self.tape, Tape(Vec::new())).reset();
        let result = fill_tape_padded(padded, n, &mut self.buffers, &mut tape);
        let n_nodes = tape.0.len();
        self.tape = tape.reset();
        result.is_ok().then_some(n_nodes)
    }
}

/// The text with the bytes after it that simd-json needs.
fn padded(text: &[u8]) -> Vec<u8> {
    let mut padded = Vec::with_capacity(text.len() + INPUT_PADDING);
    padded.extend_from_slice(text);
    padded.resize(text.len() + INPUT_PADDING, 0);
    padded
}

/// The ranges of bytes to parse: the whole text, or its lines that are not blank.
fn values(input: &Input) -> Vec<Range<usize>> {
    if !input.family.has_lines() {
        return iter::once(0..input.text.len()).collect();
    }
    let mut end = 0;
    let lines = input.text.split_inclusive(|&byte| byte == b'\n').map(|line| {
        end += line.len();
        end - line.len()..end
    });
    lines.filter(|range| !input.text[range.clone()].trim_ascii().is_empty()).collect()
}

/// The number of values and keys among the rows.
fn count_nodes(rows: &[JsonRow]) -> usize {
    rows.iter().filter(|row| !row.kind.is_end()).count()
}

/// The number of values and keys of a value.
fn count_nodes_of(value: &Value) -> usize {
    1 + match value {
        Value::Array(values) => values.iter().map(count_nodes_of).sum(),
        Value::Object(members) => members.values().map(|value| 1 + count_nodes_of(value)).sum(),
        _ => 0,
    }
}
