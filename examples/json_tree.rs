//! The tree of a JSON text: the GPU matches its brackets, which yields the parent of every value.
//!
//!     cargo run --release -p boxwood_examples --bin json_tree -- file.json
//!
//! Without a file, the example generates a text. It compares the parents with those that
//! `serde_json` reads.

#![expect(clippy::print_stdout, reason = "an example prints its result")]

use boxwood::Context;
use std::fmt;
use std::time::Instant;

use anyhow::{Context as _, ensure};
use boxwood::native::Gpu;
use boxwood::tree::{MatchBuffers, Matcher};
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

fn main() -> anyhow::Result<()> {
    let text = match std::env::args_os().nth(1) {
        Some(path) => std::fs::read_to_string(&path).with_context(|| path.display().to_string())?,
        None => nested_text(200),
    };
    // This also checks that the text is valid JSON, which the rest relies on.
    let expected = parents_by_serde_json(&text)?;

    let begin = Instant::now();
    let tokens = Tokens::of(&text);
    let tokenised = begin.elapsed();
    let matches = matches_on_gpu(&tokens.brackets)?;
    let parents = tokens.parents(&matches);

    ensure!(
        parents.len() == expected.len(),
        "the brackets enclose {} values, but serde_json reads {}",
        parents.len(),
        expected.len()
    );
    if let Some(value) = (0..parents.len()).find(|&v| parents[v] != expected[v]) {
        anyhow::bail!(
            "the parent of value {value} is {:?}, but serde_json reads {:?}",
            parents[value],
            expected[value]
        );
    }
    println!("{} bytes, {} brackets, tokenised in {tokenised:?}", text.len(), tokens.brackets.len());
    println!("the parents of all {} values equal those of serde_json", parents.len());
    Ok(())
}

/// The parts of a JSON text that determine its tree.
#[derive(Default)]
struct Tokens {
    /// For each bracket outside of strings: the index of the value that it opens, `None` for a
    /// closing bracket.
    brackets: Vec<Option<usize>>,
    /// For each value, the number of brackets before it. Keys of objects are not values.
    brackets_before: Vec<usize>,
}

impl Tokens {
    /// The tokens of a valid JSON text.
    fn of(text: &str) -> Self {
        let mut tokens = Self::default();
        let bytes = text.as_bytes();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            at += 1;
            match byte {
                b'{' | b'[' => {
                    let value = tokens.push_value();
                    tokens.brackets.push(Some(value));
                }
                b'}' | b']' => tokens.brackets.push(None),
                b'"' => {
                    at = end_of_string(bytes, at);
                    let mut after = bytes[at..].iter().skip_while(|b| b.is_ascii_whitespace());
                    if after.next() != Some(&b':') {
                        tokens.push_value();
                    }
                }
                b',' | b':' => {}
                _ if byte.is_ascii_whitespace() => {}
                _ => {
                    // A number or a literal.
                    tokens.push_value();
                    while bytes.get(at).is_some_and(|b| b.is_ascii_alphanumeric() || b"+-.".contains(b)) {
                        at += 1;
                    }
                }
            }
        }
        tokens
    }

    fn push_value(&mut self) -> usize {
        self.brackets_before.push(self.brackets.len());
        self.brackets_before.len() - 1
    }

    /// The parent of each value, from the matches of the brackets.
    ///
    /// The match of a bracket is the innermost bracket that is open before it. That bracket also
    /// encloses the values since the previous bracket, because nothing opens or closes in between.
    fn parents(&self, matches: &[i32]) -> Vec<Option<usize>> {
        let open_before = |bracket: usize| usize::try_from(*matches.get(bracket)?).ok();
        let parent = |&bracket: &usize| self.brackets[open_before(bracket)?];
        self.brackets_before.iter().map(parent).collect()
    }
}

/// The end of a string, after its closing quotation mark. `at` is its first byte after the opening
/// one.
fn end_of_string(bytes: &[u8], at: usize) -> usize {
    let mut is_escaped = false;
    let is_end = |byte: &u8| {
        let is_end = *byte == b'"' && !is_escaped;
        is_escaped = *byte == b'\\' && !is_escaped;
        is_end
    };
    bytes[at..].iter().position(is_end).map_or(bytes.len(), |length| at + length + 1)
}

fn matches_on_gpu(brackets: &[Option<usize>]) -> anyhow::Result<Vec<i32>> {
    let bit = |(i, bracket): (usize, &Option<usize>)| u32::from(bracket.is_some()) << i;
    let begin_bits: Vec<u32> =
        brackets.chunks(32).map(|chunk| chunk.iter().enumerate().map(bit).sum()).collect();

    let gpu = Gpu::open(None)?;
    let Gpu { device, queue, .. } = &gpu;
    let matchers = Context::new(device);
    let mut buffers = MatchBuffers::new(&matchers, Matcher::Hierarchical, brackets.len())?;
    buffers.upload(queue, &begin_bits, brackets.len())?;
    gpu.run(|encoder| buffers.record(&mut encoder.begin_compute_pass(&Default::default())))?;
    Ok(boxwood::read_items(device, queue, buffers.matches(), brackets.len())?)
}

/// The parent of each value, as `serde_json` reads them. `serde_json::Value` is not suitable: it
/// sorts the members of an object and keeps only the last of those with the same key.
fn parents_by_serde_json(text: &str) -> serde_json::Result<Vec<Option<usize>>> {
    let mut parents = Vec::new();
    push_parents(serde_json::from_str(text)?, None, &mut parents)?;
    Ok(parents)
}

/// Appends the parents of a value and of all values inside it.
fn push_parents(
    value: &RawValue,
    parent: Option<usize>,
    parents: &mut Vec<Option<usize>>,
) -> serde_json::Result<()> {
    let index = Some(parents.len());
    parents.push(parent);
    let children: Vec<&RawValue> = match value.get().as_bytes() {
        [b'[', ..] => serde_json::from_str(value.get())?,
        [b'{', ..] => serde_json::Deserializer::from_str(value.get()).deserialize_map(Members)?,
        _ => Vec::new(),
    };
    children.into_iter().try_for_each(|child| push_parents(child, index, parents))
}

/// Reads the values of all members of an object.
struct Members;

impl<'de> Visitor<'de> for Members {
    type Value = Vec<&'de RawValue>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self::Value, A::Error> {
        let members = std::iter::from_fn(|| members.next_entry::<IgnoredAny, _>().transpose());
        members.map(|member| Ok(member?.1)).collect()
    }
}

/// A text with this many records. They have nested and adjacent containers, and brackets and
/// escapes in strings and keys.
fn nested_text(n_records: usize) -> String {
    // serde_json refuses more than 128 levels.
    let deep = [r#"{"}\"": ["#.repeat(60), r#""\u005b \" }""#.to_owned(), "]}".repeat(60)].concat();
    let record = format!(r#"{{"]": [[], {{}}, "[{{\\"], "flat": [-1.5e3, true, null], "deep": {deep}}},"#);
    format!("[{}0]", (record + "\n").repeat(n_records))
}
