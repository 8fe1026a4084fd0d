//! Stage *brackets* against its specification.

mod faults;
mod layout;

use boxwood::tree::{Brackets, Json, JsonSpan, TextCapacity, TextReport, TextReportError};
use boxwood::{Context, EntryLink};
use boxwood_cpu::specification::tree::{
    BracketError, BracketReason, BracketRow, BracketSyntax, JsonKind, JsonRoots, brackets,
};
use boxwood_tests::{
    BracketFamily, Random, bracket_families, context, gpu, is_tried, json_families, random_brackets,
    random_syntax,
};

use crate::spatial::{buffer, read, record};

/// The bytes of a word, of a partition, and of a group of partitions.
const WORD: usize = 32;
const PARTITION: usize = 255 * WORD;
const GROUP: usize = 1024 * PARTITION;

/// The maximum length of random texts of up to 100,000 bytes and what they need to be balanced.
const LONG: usize = 1 << 19;

/// A stage with a buffer for its texts. It is used again and again, so that results of earlier
/// texts remain in its buffers.
struct Stage {
    text: wgpu::Buffer,
    capacity: TextCapacity,
    stage: Brackets,
    syntax: BracketSyntax,
}

/// A row as it is in the buffers: the number of its role, its position, and its link.
type Row = (u32, u32, EntryLink);

impl Stage {
    fn new(context: &Context, n_bytes: usize, syntax: &BracketSyntax) -> Self {
        let n_bytes = u32::try_from(n_bytes.next_multiple_of(16)).expect("the text is short");
        Self::with_rows(context, TextCapacity { n_bytes, n_rows: n_bytes.min(1 << 20) }, syntax)
    }

    fn with_rows(context: &Context, capacity: TextCapacity, syntax: &BracketSyntax) -> Self {
        let text = buffer(&vec![0x5b_u8; capacity.n_bytes.next_multiple_of(16) as usize]);
        let stage = Brackets::new(context, &text, capacity, syntax).expect("the text is short");
        Self { text, capacity, stage, syntax: syntax.clone() }
    }

    /// Runs the stage over a text. What follows the text in the buffer opens brackets.
    fn report(&mut self, text: &[u8]) -> TextReport {
        let mut padded = text.to_vec();
        padded.resize(text.len().next_multiple_of(16), b'(');
        let queue = &gpu().queue;
        queue.write_buffer(&self.text, 0, &padded);
        let n_bytes = u32::try_from(text.len()).expect("the text is short");
        self.stage.set_length(queue, n_bytes).expect("the text is within the capacity");
        record(|pass| self.stage.record(pass));
        read(self.stage.report(), 1)[0]
    }

    /// The rows of a text, or its error, which is `None` if the report makes no sense.
    fn run(&mut self, text: &[u8]) -> Result<Vec<Row>, Option<BracketError>> {
        let report = self.report(text);
        if report.reason != 0 || report.n_rows > self.capacity.n_rows {
            let error = |reason| BracketError { offset: report.offset, reason };
            return Err(BracketReason::of_number(report.reason).map(error));
        }
        let n = report.n_rows as usize;
        let roles: Vec<u32> = read(self.stage.roles(), n);
        let positions: Vec<u32> = read(self.stage.positions(), n);
        let links: Vec<EntryLink> = read(self.stage.links(), n);
        Ok((0..n).map(|i| (roles[i], positions[i], links[i])).collect())
    }

    #[track_caller]
    fn check(&mut self, text: &[u8]) {
        let (expected, found) = (specified(text, &self.syntax), self.run(text));
        let start = String::from_utf8_lossy(&text[..text.len().min(300)]).into_owned();
        let n = text.len();
        match (&expected, &found) {
            (Ok(expected), Ok(found)) => {
                let i = (0..expected.len().max(found.len())).find(|i| expected.get(*i) != found.get(*i));
                assert_eq!(i.map(|i| (i, expected.get(i), found.get(i))), None, "{n} bytes\n{start}");
            }
            _ => assert_eq!(
                expected.map(|rows| rows.len()),
                found.map(|rows| rows.len()),
                "{n} bytes\n{start}"
            ),
        }
    }
}

/// The result of the specification.
fn specified(text: &[u8], syntax: &BracketSyntax) -> Result<Vec<Row>, Option<BracketError>> {
    let row = |row: BracketRow| (u32::from(row.role.number()), row.position, row.link);
    brackets(text, syntax).map(|rows| rows.into_iter().map(row).collect()).map_err(Some)
}

/// Texts of about `n_bytes` in a syntax, without and with an error.
fn texts(random: &mut Random, (_, syntax, bytes): &BracketFamily, n_bytes: usize) -> [Vec<u8>; 3] {
    let text = random_brackets(random, syntax, bytes, n_bytes);
    let mut changed = text.clone();
    if !changed.is_empty() {
        let at = random.below(changed.len());
        changed[at] = bytes[random.below(bytes.len())];
    }
    let start = text[..random.below(text.len() + 1)].to_vec();
    [text, changed, start]
}

#[test]
fn random_texts_of_languages() {
    for family in bracket_families() {
        let mut stage = Stage::new(context(), LONG, &family.1);
        for seed in (0..200).filter(|seed| is_tried(*seed)) {
            let mut random = Random::new(seed as u64);
            let n_bytes = [3, 40, 300, 9_000, 60_000][seed % 5];
            for text in texts(&mut random, &family, n_bytes) {
                stage.check(&text);
            }
        }
    }
}

#[test]
fn random_texts_in_random_syntaxes() {
    for seed in (0..40).filter(|seed| is_tried(*seed)) {
        let mut random = Random::new(seed as u64);
        let bytes: Vec<u8> = (0..=u8::MAX).collect();
        let syntax = random_syntax(&mut random);
        let mut stage = Stage::new(context(), LONG, &syntax);
        for n_bytes in [10, 500, 20_000] {
            let text = random_brackets(&mut random, &syntax, &bytes, n_bytes);
            stage.check(&text);
            let arbitrary: Vec<u8> = (0..n_bytes).map(|_| bytes[random.below(256)]).collect();
            stage.check(&arbitrary);
            stage.check(&text[..text.len() - 1]);
        }
    }
}

/// Texts of exactly `n` bytes, most of which are balanced if `n` is even.
fn texts_of_length(n: usize) -> [Vec<u8>; 4] {
    let half = n / 2;
    let nest = ["(".repeat(half), ")".repeat(n - half)].concat();
    let row = "[]".repeat(half + 1)[..n].to_owned();
    let comment = format!("{:<n$}", format!("/*{}*/{{}}", "(".repeat(n.saturating_sub(6))));
    let string = format!("{:>n$}", "\"(\\\"\"{}");
    [nest, row, comment, string].map(|text| text.into_bytes()[..n].to_vec())
}

#[test]
fn sizes_around_every_border() {
    let borders = [1, WORD, 2 * WORD, PARTITION, 2 * PARTITION, 4 * PARTITION, 5 * PARTITION + WORD];
    let mut stage = Stage::new(context(), 6 * PARTITION, &BracketSyntax::c());
    for n in borders.into_iter().flat_map(|border| [border - 1, border, border + 1]) {
        for text in texts_of_length(n) {
            stage.check(&text);
        }
    }
}

/// Texts of several groups of partitions, and then one of a single group.
#[test]
fn long_texts() {
    let mut stage = Stage::new(context(), LONGEST, &BracketSyntax::c());
    for text in long_inputs() {
        stage.check(&text);
    }
}

/// The maximum length of the texts of several groups of partitions.
const LONGEST: usize = 2 * GROUP + 9 * PARTITION;

/// Texts of three groups of partitions and of one.
fn long_inputs() -> [Vec<u8>; 3] {
    let family = &bracket_families()[0];
    let part = random_brackets(&mut Random::new(1), &family.1, family.2, 30_000);
    let mut sparse: Vec<u8> = part.iter().copied().chain(std::iter::repeat_n(b' ', 9 * PARTITION)).collect();
    sparse = sparse.repeat((2 * GROUP + 8 * PARTITION) / sparse.len());
    // A bracket and a comment begin in the first group, and end in the third one. None is in the
    // first four partitions of a group, which one invocation scans.
    let mut far = vec![b' '; LONGEST];
    for (at, bytes) in [
        (6 * PARTITION + 9, &b"(/*"[..]),
        (GROUP + 5 * PARTITION, b"]]]"),
        (2 * GROUP + 6 * PARTITION, b"*/)"),
    ] {
        far[at..at + bytes.len()].copy_from_slice(bytes);
    }
    let one_group = sparse[..GROUP - 1].to_vec();
    [sparse, far, one_group]
}

/// A nest that is deeper than a group of partitions of the matcher.
#[test]
fn deep_nests() {
    let capacity = TextCapacity { n_bytes: 1 << 23, n_rows: 5 << 20 };
    let mut stage = Stage::with_rows(context(), capacity, &BracketSyntax::c());
    for n in [1, 20_000, 2_200_000] {
        stage.check(["{".repeat(n), "}".repeat(n)].concat().as_bytes());
    }
}

/// The brackets of a JSON text are the objects and arrays of stage *json*.
#[test]
fn the_brackets_of_json_are_those_of_stage_json() {
    let mut stage = Stage::new(context(), 1 << 17, &BracketSyntax::json());
    let text = buffer(&vec![0_u8; 1 << 17]);
    let capacity = TextCapacity { n_bytes: 1 << 17, n_rows: 1 << 17 };
    let mut json = Json::new(context(), &text, capacity, JsonRoots::One).expect("the text is short");
    for family in json_families().into_iter().filter(|family| !family.has_lines()) {
        let mut bytes = family.generate(100_000, 1);
        let rows = stage.run(&bytes).expect("it is balanced");
        let n_bytes = u32::try_from(bytes.len()).expect("the text is short");
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        gpu().queue.write_buffer(&text, 0, &bytes);
        json.set_length(&gpu().queue, n_bytes).expect("the text is short");
        record(|pass| json.record(pass));
        let report: TextReport = read(json.report(), 1)[0];
        let n = report.n_json_rows().expect("it is JSON") as usize;
        let (kinds, links): (Vec<u32>, Vec<EntryLink>) = (read(json.kinds(), n), read(json.links(), n));
        let spans: Vec<JsonSpan> = read(json.spans(), n);
        let is_bracket = |row: &usize| kinds[*row] <= JsonKind::ArrayEnd as u32;
        let of_json: Vec<usize> = (0..n).filter(is_bracket).collect();
        assert_eq!(rows.len(), of_json.len(), "{family:?}");
        let row_of = |bracket: i32| {
            let row = usize::try_from(bracket).ok().map(|bracket| of_json[bracket]);
            row.map_or(-1, |row| i32::try_from(row).expect("there are few rows"))
        };
        for ((role, position, link), row) in rows.into_iter().zip(&of_json) {
            let found = EntryLink { parent: row_of(link.parent), partner: row_of(link.partner) };
            let kind = [1, 2, 8, 9][kinds[*row] as usize];
            let expected = (kind, spans[*row].first, links[*row]);
            assert_eq!((role, position, found), expected, "{family:?}, row {row}");
        }
    }
}

/// The results of a text that several workgroups process do not depend on their order.
#[test]
fn repeated_runs_have_the_same_results() {
    let (_, syntax, bytes) = &bracket_families()[0];
    let mut stage = Stage::new(context(), LONG, syntax);
    let text = random_brackets(&mut Random::new(5), syntax, bytes, 5 * PARTITION + 77);
    let unopened = "]".repeat(3 * PARTITION).into_bytes();
    for text in [text, unopened] {
        let expected = specified(&text, syntax);
        for run in 0..500 {
            assert!(stage.run(&text) == expected, "run {run}");
        }
    }
}

#[test]
fn brackets_beyond_the_capacity_are_counted() {
    for n in 0..=6 {
        let capacity = TextCapacity { n_bytes: 64, n_rows: n };
        let report = Stage::with_rows(context(), capacity, &BracketSyntax::c()).report(b"a(b[c]{d})");
        assert_eq!(report.n_rows, 6);
        assert_eq!(report.n_brackets(), if n < 6 { Err(TextReportError::TooManyRows(6)) } else { Ok(6) });
    }
}

/// Whether a byte that is not allowed counts as a row.
fn invalid_bytes_are_rows(context: &Context) -> bool {
    let capacity = TextCapacity { n_bytes: 64, n_rows: 0 };
    Stage::with_rows(context, capacity, &BracketSyntax::c()).report(b"'\n'").n_rows > 0
}

#[test]
fn bytes_that_are_not_allowed_are_not_rows() {
    assert!(!invalid_bytes_are_rows(context()));
}
