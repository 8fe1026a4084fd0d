//! The tree of a JSON text: the GPU finds the kind, the place, and the parent of every value.
//!
//!     cargo run --release -p boxwood_examples --bin json_tree -- [--lines] file.json
//!
//! With `--lines`, each line of the file is a value. Without a file, the example generates a text.
//! It compares the parents with those that `serde_json` reads.

#![expect(clippy::print_stdout, reason = "an example prints its result")]

use std::fmt;
use std::time::Instant;

use anyhow::{Context as _, ensure};
use boxwood::native::Gpu;
use boxwood::tree::{Json, JsonKind, JsonRoots, TextCapacity, TextReport};
use boxwood::wgpu::{self, util::DeviceExt as _};
use boxwood::{Context, EntryLink, read_items};
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

fn main() -> anyhow::Result<()> {
    let mut arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let n_arguments = arguments.len();
    arguments.retain(|argument| argument != "--lines");
    let roots = if arguments.len() < n_arguments { JsonRoots::Lines } else { JsonRoots::One };
    let is_option = |argument: &std::ffi::OsString| argument.to_string_lossy().starts_with("--");
    ensure!(arguments.len() <= 1 && !arguments.iter().any(is_option), "the usage is [--lines] [FILE]");
    let text = match arguments.first() {
        Some(path) => std::fs::read(path).with_context(|| path.display().to_string())?,
        None => nested_text(200).into_bytes(),
    };
    let begin = Instant::now();
    let tree = tree_on_gpu(&text, roots)?;
    let seconds = begin.elapsed();
    println!("{} bytes, {} rows, in {seconds:?} with upload and read-back", text.len(), tree.kinds.len());

    let (parents, expected) = (tree.parents(), parents_by_serde_json(&text, roots)?);
    ensure!(
        parents.len() == expected.len(),
        "{} values, but serde_json reads {}",
        parents.len(),
        expected.len()
    );
    if let Some(value) = (0..parents.len()).find(|&v| parents[v] != expected[v]) {
        let [own, other] = [parents[value], expected[value]];
        anyhow::bail!("the parent of value {value} is {own:?}, but serde_json reads {other:?}");
    }
    println!("the parents of all {} values equal those of serde_json", parents.len());
    Ok(())
}

/// The results of the GPU: an item per row.
struct Tree {
    kinds: Vec<u32>,
    links: Vec<EntryLink>,
}

/// Parses a text on the GPU.
fn tree_on_gpu(text: &[u8], roots: JsonRoots) -> anyhow::Result<Tree> {
    let gpu = Gpu::open(None)?;
    let Gpu { device, queue, .. } = &gpu;
    let context = Context::new(device);
    let mut padded = text.to_vec();
    padded.resize(text.len().next_multiple_of(16).max(16), 0);
    let buffer = device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
        label: Some("text"),
        contents: &padded,
        usage: wgpu::BufferUsages::STORAGE,
    });
    let n_bytes = u32::try_from(text.len())?;
    // A first guess. The report has the number of rows that the text has.
    let mut n_rows = n_bytes / 8 + 1;
    loop {
        let mut json = Json::new(&context, &buffer, TextCapacity { n_bytes, n_rows }, roots)?;
        json.set_length(queue, n_bytes)?;
        gpu.run(|encoder| json.record(&mut encoder.begin_compute_pass(&Default::default())))?;
        let report: TextReport = read_items(device, queue, json.report(), 1)?[0];
        if report.n_rows > n_rows {
            n_rows = report.n_rows;
            continue;
        }
        let n = report.n_json_rows()? as usize;
        let kinds = read_items(device, queue, json.kinds(), n)?;
        return Ok(Tree { kinds, links: read_items(device, queue, json.links(), n)? });
    }
}

impl Tree {
    /// The parent of each value, in numbers of values: keys and the ends of objects and arrays are
    /// rows, but not values.
    fn parents(&self) -> Vec<Option<usize>> {
        let is_value = |kind: &u32| {
            let kind = JsonKind::ALL[*kind as usize];
            kind != JsonKind::Key && !kind.is_end()
        };
        // The number of values before each row.
        let mut values_before = Vec::with_capacity(self.kinds.len());
        let mut n_values = 0;
        for kind in &self.kinds {
            values_before.push(n_values);
            n_values += usize::from(is_value(kind));
        }
        let values = self.kinds.iter().zip(&self.links).filter(|(kind, _)| is_value(kind));
        values.map(|(_, link)| Some(values_before[usize::try_from(link.parent).ok()?])).collect()
    }
}

/// The parent of each value, as `serde_json` reads them. `serde_json::Value` is not suitable: it
/// sorts the members of an object and keeps only the last of those with the same key.
fn parents_by_serde_json(text: &[u8], roots: JsonRoots) -> anyhow::Result<Vec<Option<usize>>> {
    let text = std::str::from_utf8(text)?;
    let lines = match roots {
        JsonRoots::One => vec![text],
        JsonRoots::Lines => text.lines().filter(|line| !line.trim().is_empty()).collect(),
    };
    let mut parents = Vec::new();
    for line in lines {
        push_parents(serde_json::from_str(line)?, None, &mut parents)?;
    }
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
