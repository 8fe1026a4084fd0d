//! Stage *json* against its specification.

mod faults;
mod layout;
#[path = "../../../../../crates/boxwood_cpu/tests/json/test_suite.rs"]
mod test_suite;

use boxwood::tree::{Json, JsonSpan, TextBuffersError, TextCapacity, TextReport, TextReportError};
use boxwood::{Context, EntryLink};
use boxwood_cpu::specification::tree::{JsonError, JsonReason, JsonRoots, JsonRow, json};
use boxwood_tests::{Random, context, gpu, is_tried, json_families, mutated, random_json};

use crate::spatial::{buffer, read, record};

/// The bytes of a word, of a partition, and of a group of partitions.
const WORD: usize = 32;
const PARTITION: usize = 255 * WORD;
pub(super) const GROUP: usize = 1024 * PARTITION;

/// A stage with a buffer for its texts. It is used again and again, so that results of earlier
/// texts remain in its buffers.
struct Stage {
    text: wgpu::Buffer,
    capacity: TextCapacity,
    stage: Json,
    roots: JsonRoots,
}

impl Stage {
    fn new(context: &Context, n_bytes: usize, roots: JsonRoots) -> Self {
        let n_bytes = u32::try_from(n_bytes.next_multiple_of(16)).expect("the text is short");
        // Long texts of the families have fewer rows than bytes.
        let n_rows = n_bytes.min(15 << 20);
        Self::with_rows(context, TextCapacity { n_bytes, n_rows }, roots)
    }

    fn with_rows(context: &Context, capacity: TextCapacity, roots: JsonRoots) -> Self {
        let text = buffer(&vec![0x5b_u8; capacity.n_bytes.next_multiple_of(16) as usize]);
        let stage = Json::new(context, &text, capacity, roots).expect("the text is short");
        Self { text, capacity, stage, roots }
    }

    /// Runs the stage over a text. What follows the text in the buffer is not JSON.
    fn report(&mut self, text: &[u8]) -> TextReport {
        let mut padded = text.to_vec();
        padded.resize(text.len().next_multiple_of(16), b'"');
        let queue = &gpu().queue;
        queue.write_buffer(&self.text, 0, &padded);
        let n_bytes = u32::try_from(text.len()).expect("the text is short");
        self.stage.set_length(queue, n_bytes).expect("the text is within the capacity");
        record(|pass| self.stage.record(pass));
        read(self.stage.report(), 1)[0]
    }

    /// The rows of a text, or its error, which is `None` if the report makes no sense.
    fn run(&mut self, text: &[u8]) -> Result<Vec<Row>, Option<JsonError>> {
        let report = self.report(text);
        if report.reason != 0 || report.n_rows > self.capacity.n_rows {
            let error = |reason| JsonError { offset: report.offset, reason };
            return Err(JsonReason::of_number(report.reason).map(error));
        }
        let n = report.n_rows as usize;
        let kinds: Vec<u32> = read(self.stage.kinds(), n);
        let spans: Vec<JsonSpan> = read(self.stage.spans(), n);
        let links: Vec<EntryLink> = read(self.stage.links(), n);
        Ok((0..n).map(|i| (kinds[i], spans[i], links[i])).collect())
    }

    /// How the result of a text differs from that of the specification.
    fn difference(&mut self, text: &[u8]) -> Option<String> {
        let (expected, found) = (specified(text, self.roots), self.run(text));
        if expected == found {
            return None;
        }
        let what = match (&expected, &found) {
            (Ok(expected), Ok(found)) => {
                let differs = |i: &usize| expected.get(*i) != found.get(*i);
                let i = (0..expected.len().max(found.len())).find(differs).expect("the rows differ");
                format!("row {i}: {:?} expected, {:?} found", expected.get(i), found.get(i))
            }
            _ => {
                let [expected, found] = [&expected, &found].map(|rows| rows.as_ref().map(Vec::len));
                format!("{expected:?} rows expected, {found:?} found")
            }
        };
        let start = String::from_utf8_lossy(&text[..text.len().min(300)]).into_owned();
        Some(format!("{} bytes, {:?}: {what}\n{start}", text.len(), self.roots))
    }

    #[track_caller]
    fn check(&mut self, text: &[u8]) {
        if let Some(difference) = self.difference(text) {
            panic!("{difference}");
        }
    }
}

/// A row as it is in the buffers: the number of its kind, its span, and its link.
type Row = (u32, JsonSpan, EntryLink);

/// The result of the specification.
fn specified(text: &[u8], roots: JsonRoots) -> Result<Vec<Row>, Option<JsonError>> {
    let row = |row: JsonRow| {
        let JsonRow { kind, first, last, parent, partner } = row;
        (kind as u32, JsonSpan { first, last }, EntryLink { parent, partner })
    };
    json(text, roots).map(|rows| rows.into_iter().map(row).collect()).map_err(Some)
}

fn both(n_bytes: usize) -> [Stage; 2] {
    [JsonRoots::One, JsonRoots::Lines].map(|roots| Stage::new(context(), n_bytes, roots))
}

#[test]
fn the_cases_of_json_test_suite_have_the_verdicts_of_the_specification() {
    for mut stage in both(300_000) {
        for case in test_suite::cases() {
            let difference = stage.difference(&case.text);
            assert!(difference.is_none(), "{}: {}", case.name, difference.unwrap_or_default());
        }
    }
}

/// Short texts with and without errors.
const SMALL_TEXTS: &[&str] = &[
    "",
    " ",
    "1",
    "-",
    "01",
    "-01",
    "[]",
    "{}",
    "[1,2]",
    "{\"a\":1}",
    "{\"a\":{\"b\":[1,\"x\"]},\"c\":null}",
    "[1 2]",
    "[1,]",
    "[,1]",
    "{\"a\" 1}",
    "{\"a\"}",
    "{1:2}",
    "{\"a\":}",
    "{\"a\":1,}",
    "]",
    "[}",
    "{]",
    "[[[",
    "\"abc",
    "[\"a\\",
    "1 2",
    "1,2",
    "1\n2",
    "[1\n,2]",
    "truefalse",
    "tru",
    "\"\\u00e9\"",
    "\"\\u00g9\"",
    "\u{feff}1",
    "[1.5e+3,-0,0.0]",
    "[1.e3]",
    "[.5]",
    "[1e]",
    "[1e+]",
    "[1.2.3]",
    "[1e5.2]",
    "[1e5e2]",
    "[--1]",
    "[+1]",
    "{\"a\":\"b\":1}",
    "[\"a\":1]",
    "{\"a\",\"b\"}",
    "{\"a\"\"b\":1}",
    "\\\"a\\\"",
    "[\\\"]",
];

#[test]
fn small_texts() {
    for mut stage in both(1000) {
        for text in SMALL_TEXTS {
            stage.check(text.as_bytes());
        }
    }
}

/// A number of brackets that are three groups of partitions of the matcher, with their ends.
const N_DEEP_BRACKETS: usize = 2_200_000;

/// A stage with room for eight groups of partitions of the matcher.
fn stage_for_many_brackets(context: &Context) -> Stage {
    let capacity = TextCapacity { n_bytes: 1 << 23, n_rows: 15 << 20 };
    Stage::with_rows(context, capacity, JsonRoots::One)
}

#[test]
fn few_brackets_in_large_buffers() {
    let mut stage = stage_for_many_brackets(context());
    for n in [100, 20_000, N_DEEP_BRACKETS] {
        let text = ["[".repeat(n), "]".repeat(n)].concat();
        stage.check(text.as_bytes());
    }
}

/// Each byte as a token, in a string, after a backslash, and in a number. Sequences of bytes at all
/// borders of the ranges of UTF-8, in the middle of a word and across its end.
fn texts_with_every_byte() -> Vec<Vec<u8>> {
    let mut texts = Vec::new();
    for byte in 0..=u8::MAX {
        for (before, after) in
            [("[", "]"), ("[\"", "\"]"), ("[\"\\", "\"]"), ("[1", "]"), ("[1e", "5]"), ("[t", "]")]
        {
            texts.push([before.as_bytes(), &[byte], after.as_bytes()].concat());
        }
    }
    for lead in *b"\xbf\xc0\xc1\xc2\xdf\xe0\xe1\xec\xed\xee\xef\xf0\xf1\xf3\xf4\xf5\xf8\xff" {
        for second in *b"\x7f\x80\x8f\x90\x9f\xa0\xbf\xc0" {
            for rest in [&b""[..], b"\x80", b"\xbf\x80", b"a\x80", b"\x80a", b"\x80\x80\x80"] {
                for shift in [0, WORD - 6 + texts.len() % 6] {
                    texts.push([&vec![b' '; shift][..], b"[\"", &[lead, second], rest, b"\"]"].concat());
                }
            }
        }
    }
    texts
}

#[test]
fn every_byte_in_every_role() {
    let mut stages = both(1000);
    for (number, text) in
        texts_with_every_byte().into_iter().enumerate().filter(|(number, _)| is_tried(*number))
    {
        stages[number % 2].check(&text);
    }
}

#[test]
fn random_texts_and_their_mutations() {
    let mut stages = both(1 << 16);
    for seed in (0..1000).filter(|seed| is_tried(*seed)) {
        let mut random = Random::new(seed as u64);
        let n_values = [1, 5, 30, 300, 1500][random.below(5)];
        let text = random_json(&mut random, n_values);
        let text = &text[..text.len().min(1 << 16)];
        for stage in &mut stages {
            stage.check(text);
            let mut changed = text.to_vec();
            for _ in 0..3 {
                changed = mutated(&changed, &mut random);
                changed.truncate(1 << 16);
                stage.check(&changed);
            }
        }
    }
}

#[test]
fn families_of_sizes_around_every_border() {
    let borders = [1, WORD, PARTITION, 2 * PARTITION, 5 * PARTITION + WORD, 1 << 18];
    let sizes = borders.into_iter().flat_map(|border| [border - 1, border, border + 1]);
    let mut stages = both(1 << 19);
    let mut number = 0;
    for n_bytes in sizes {
        for family in json_families() {
            number += 1;
            if is_tried(number) {
                let text = family.generate(n_bytes, n_bytes as u64);
                stages[usize::from(family.has_lines())].check(&text);
                // A text of exactly this size is cut off, which is an error at its end.
                stages[number % 2].check(&text[..text.len().min(n_bytes)]);
            }
        }
    }
}

/// Texts of several groups of partitions.
#[test]
fn long_texts() {
    let mut stages = both(2 * GROUP + 9 * PARTITION);
    for (number, family) in json_families().into_iter().enumerate().filter(|(number, _)| is_tried(*number)) {
        let text = family.generate(2 * GROUP + 8 * PARTITION, 1);
        let stage = &mut stages[usize::from(family.has_lines())];
        stage.check(&text);
        // An error in the last group, and a text of one group after it.
        let mut changed = text.clone();
        let at = changed.len() - 100 - number;
        changed[at] = 0;
        stage.check(&changed);
        stage.check(&text[..GROUP - 1]);
    }
}

/// Runs of backslashes of any length, with what they hide, at every place in a word.
#[test]
fn runs_of_backslashes() {
    let mut stages = both(1 << 14);
    for length in (1..200).chain([255, 256, 257, 1023, 4999, 5000]) {
        for (shift, after) in
            (0..WORD).flat_map(|shift| ["\"", "n\"", "\\\"", "u00e9\""].map(|after| (shift, after)))
        {
            if is_tried(length + shift) {
                let run = "\\".repeat(length);
                let text = format!("{}[\"{run}{after},\"{after}]", " ".repeat(shift));
                stages[length % 2].check(text.as_bytes());
            }
        }
    }
}

/// Texts with tokens and white space of `n` bytes, after `shift` spaces.
fn texts_with_long_tokens(n: usize, shift: usize) -> Vec<Vec<u8>> {
    let [digits, letters, white] = ["7", "x", " "].map(|part| part.repeat(n));
    let texts = [
        format!("[{digits},-{digits}]"),
        format!("[1.{digits}.5]"),
        format!("[-{digits}.5.5]"),
        format!("[1e{digits}e5]"),
        format!("[{digits}.]"),
        format!("{{\"a\":\"{letters}\":1}}"),
        format!("{{\"{letters}\":1,\"{letters}\",2}}"),
        format!("{{\"a\"{white}:{white}1{white},{white}\"b\"{white}}}"),
        format!("[\"{letters}\\q\"]"),
        letters.clone(),
        format!("\"{letters}"),
    ];
    texts.map(|text| [" ".repeat(shift), text].concat().into_bytes()).into()
}

/// Tokens that are longer than a word and a partition, and begin anywhere in a word.
#[test]
fn long_tokens() {
    let mut stages = both(12 * PARTITION);
    for n in [WORD - 1, WORD, 3 * WORD, PARTITION - 1, PARTITION, PARTITION + 1, 2 * PARTITION + 9] {
        for shift in (0..WORD).filter(|shift| is_tried(*shift)) {
            for text in texts_with_long_tokens(n, shift) {
                stages.iter_mut().for_each(|stage| stage.check(&text));
            }
        }
    }
}

/// The results of a text that several workgroups process do not depend on their order.
#[test]
fn repeated_runs_have_the_same_results() {
    let mut stage = Stage::new(context(), 1 << 17, JsonRoots::One);
    for name in ["messages", "deep nest"] {
        let family = json_families().into_iter().find(|family| family.name == name).expect("it exists");
        let text = family.generate(5 * PARTITION + 77, 3);
        let expected = specified(&text, JsonRoots::One);
        for run in 0..1000 {
            assert!(stage.run(&text) == expected, "{name}, run {run}");
        }
    }
}

#[test]
fn rows_beyond_the_capacity_are_counted() {
    let text = b"{\"a\": [1, 2, 3], \"b\": null}";
    let n_rows = u32::try_from(json(text, JsonRoots::One).expect("it is valid").len()).expect("it is short");
    for n in 0..=n_rows {
        let mut stage = Stage::with_rows(context(), TextCapacity { n_bytes: 64, n_rows: n }, JsonRoots::One);
        let report = stage.report(text);
        assert_eq!(report.n_rows, n_rows);
        let expected = if n < n_rows { Err(TextReportError::TooManyRows(n_rows)) } else { Ok(n_rows) };
        assert_eq!(report.n_json_rows(), expected);
    }
}

#[test]
fn capacities_that_are_too_large_are_refused() {
    let text = buffer(&[0_u8; 32]);
    let new = |n_bytes, n_rows| Json::new(context(), &text, TextCapacity { n_bytes, n_rows }, JsonRoots::One);
    let refused = |n_bytes, n_rows| new(n_bytes, n_rows).expect_err("it is too large").to_string();
    assert!(refused(33, 1).contains("`text`"), "{}", refused(33, 1));
    assert!(refused(32, 1 << 30).contains("1073741824 rows exceed 1073741823"), "{}", refused(32, 1 << 30));
    assert!(
        refused(u32::MAX - 8191, 1).contains("bytes exceed 4294959103"),
        "{}",
        refused(u32::MAX - 8191, 1)
    );
    let mut stage = new(32, 10).expect("it is small");
    let queue = &gpu().queue;
    let error = TextBuffersError::AboveCapacity { n_bytes: 33, capacity: 32 };
    assert_eq!(stage.set_length(queue, 33), Err(error));
    assert_eq!(stage.set_length(queue, 32), Ok(()));
}
