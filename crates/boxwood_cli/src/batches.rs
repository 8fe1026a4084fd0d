//! `boxwood batches`: which draws of a drawing can be made at once.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};
use std::sync::Arc;

use anyhow::Result;
use boxwood_cpu::{Batch, Batches, Layers};
use boxwood_query::SCHEMA;
use boxwood_svg::{Drawing, ItemKind, Options, Shown, Source, items};
use clap::{ArgGroup, Args};
use serde::{Serialize, Serializer};

use crate::cells::{aligned, printable, shortened};
use crate::input::{FilesArgs, Input, LoadArgs, expand};
use crate::json::{FileError, Format, Printer, list, text};
use crate::output::Stdout;
use crate::report::Report;
use crate::watch::WatchArg;

const EXAMPLES: &str = "\
Examples:
  # Print the layers and the longest batches of a drawing
  boxwood batches drawing.svg

  # Print every batch
  boxwood batches drawing.svg --longest 1000000

  # List the drawings in a folder, those with the most layers first
  boxwood batches icons/ --format jsonl | jq -rs 'sort_by(-.layers) | .[].file'";

/// The maximum width of a name in a table.
const MAX_NAME: usize = 40;

/// Print how many draws of SVG drawings can be batched
///
/// The items of a drawing are its leaves, such as a fill, a stroke or an image, and its groups with
/// an opacity, blend mode, mask or filter. Such a group is one item with everything inside of it.
/// Items without a clipped box are left out.
///
/// The layer of an item is 1 more than the largest layer of an earlier item whose clipped box, or
/// group box, overlaps its own. The boxes of the items of one layer do not overlap, but may touch.
/// A batch is the items of a layer with the same kind, which a renderer can draw at once. Paints
/// and clips are not compared.
///
/// The picture stays the same if it is drawn layer by layer, and the items of a layer in any order,
/// with one exception: if one box ends and another begins inside of the same pixel, anti-aliasing
/// paints both items into that pixel, and their order changes its colour.
///
/// Bounding boxes of illustrations overlap a lot: expect few batches for user interfaces, and many
/// for drawings.
#[derive(Clone, Debug, Args)]
#[command(
    group = ArgGroup::new("drawings").args(["inputs", "files_from"]).required(true).multiple(true),
    after_long_help = EXAMPLES,
    override_usage = "boxwood batches [OPTIONS] <FILE>..."
)]
pub(crate) struct BatchesArgs {
    #[command(flatten)]
    files: FilesArgs,
    #[command(flatten)]
    watch: WatchArg,
    /// Number of batches to list, the longest ones
    #[arg(long, value_name = "N", default_value_t = 5)]
    longest: usize,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    load: LoadArgs,
}

/// Prints the batches of every file, and again after each change if that is requested.
pub(crate) fn batches(args: &BatchesArgs, report: &mut Report) -> Result<()> {
    let inputs = args.files.inputs()?;
    let options = Arc::new(args.load.options()?);
    args.watch.run(&inputs, report, |report| print(&inputs, args, &options, report))
}

fn print(inputs: &[Input], args: &BatchesArgs, options: &Arc<Options>, report: &mut Report) -> Result<()> {
    let files = expand(inputs);
    let mut printer = Printer::new(BufWriter::new(Stdout::lock()), args.format)?;
    let work = {
        let (options, format, longest) = (Arc::clone(options), args.format, args.longest);
        move |input: Input, report: &mut Report| {
            let answer = answer(&input, &options, format, longest, report);
            answer.map_err(|error| FileError::report(&input, error, report))
        }
    };
    let summary = args.files.jobs.run(files, report, work, |answer, _| {
        let n_elements = answer.as_ref().map_or(0, |(_, n_elements)| *n_elements);
        printer.print(answer.map(|(text, _)| text))?;
        Ok(n_elements)
    })?;
    printer.finish()?;
    summary.report(report);
    Ok(())
}

/// The text for a file, and the number of elements of its scene.
fn answer(
    input: &Input,
    options: &Options,
    format: Format,
    longest: usize,
    report: &mut Report,
) -> Result<(Vec<u8>, usize)> {
    let drawing = input.load(options)?;
    report.warnings(input, &drawing.warnings, Shown::BOXES);
    let file = FileBatches::new(input.to_string(), &drawing, longest);
    let text = match format {
        Format::Table => file.table(),
        Format::Json => file.json()?,
        Format::Jsonl => text(&JsonLine { schema: SCHEMA, file: &file })? + "\n",
    };
    Ok((text.into_bytes(), drawing.elements.len()))
}

/// The batches of a drawing.
#[derive(Serialize)]
struct FileBatches {
    file: String,
    items: usize,
    layers: u32,
    batches: usize,
    /// The number of items of each kind that there is.
    #[serde(serialize_with = "words")]
    kinds: BTreeMap<ItemKind, usize>,
    longest: Vec<JsonBatch>,
}

/// The numbers of items by the words of their kinds.
struct Words<'a>(&'a BTreeMap<ItemKind, usize>);

impl Serialize for Words<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        words(self.0, serializer)
    }
}

fn words<S: Serializer>(kinds: &BTreeMap<ItemKind, usize>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(kinds.iter().map(|(kind, n)| (kind.word(), n)))
}

/// Items that can be drawn at once.
#[derive(Serialize)]
struct JsonBatch {
    layer: u32,
    kind: &'static str,
    items: u32,
    /// The name of the element of the first item, and its position.
    first: String,
    line: u32,
    column: u32,
}

#[derive(Serialize)]
struct JsonLine<'a> {
    schema: u32,
    #[serde(flatten)]
    file: &'a FileBatches,
}

impl FileBatches {
    fn new(file: String, drawing: &Drawing, longest: usize) -> Self {
        let items = items(drawing);
        let bounds: Vec<_> = items.iter().map(|item| item.bounds).collect();
        let mut layers = Layers::new();
        let layers = layers.of(&bounds);
        let keys: Vec<_> = items.iter().map(|item| item.kind as u32).collect();
        let mut batches = Batches::new();
        let (order, batches) = batches.of(layers, &keys);
        let n_batches = batches.len();
        let mut batches = batches.to_vec();
        batches.sort_by_key(|batch| Reverse(batch.n_items));
        batches.truncate(longest);
        let batch = |Batch { layer, key, first, n_items }: Batch| {
            let item = &items[order[first as usize] as usize];
            let Source { name, line, column, .. } = &drawing.sources[item.source as usize];
            let (kind, first) = (ItemKind::ALL[key as usize].word(), name.clone());
            JsonBatch { layer, kind, items: n_items, first, line: *line, column: *column }
        };
        let mut kinds = BTreeMap::new();
        items.iter().for_each(|item| *kinds.entry(item.kind).or_default() += 1);
        Self {
            file,
            items: items.len(),
            layers: layers.iter().copied().max().unwrap_or(0),
            batches: n_batches,
            kinds,
            longest: batches.into_iter().map(batch).collect(),
        }
    }

    fn table(&self) -> String {
        let plural = |n: usize, one: &str, many: &str| format!("{n} {}", if n == 1 { one } else { many });
        let kinds: Vec<_> = self.kinds.iter().map(|(kind, n)| format!("{n} {}", kind.word())).collect();
        let kinds = if kinds.is_empty() { String::new() } else { format!(" ({})", kinds.join(", ")) };
        let title = format!(
            "{}: {}{kinds} in {} and {}",
            printable(&self.file),
            plural(self.items, "item", "items"),
            plural(self.layers as usize, "layer", "layers"),
            plural(self.batches, "batch", "batches"),
        );
        let header = ["ITEMS", "LAYER", "KIND", "FIRST"].map(String::from);
        let row = |batch: &JsonBatch| {
            let JsonBatch { layer, kind, items, first, line, column } = batch;
            let first = format!("{} ({line}:{column})", shortened(&printable(first), MAX_NAME));
            [items.to_string(), layer.to_string(), (*kind).to_owned(), first]
        };
        let rows: Vec<_> = [header].into_iter().chain(self.longest.iter().map(row)).collect();
        let table =
            if rows.len() > 1 { aligned(&rows, |column| (0..2).contains(&column)) } else { Vec::new() };
        [title].into_iter().chain(table).map(|line| line + "\n").collect()
    }

    /// The file as an item of a document, with one line per batch.
    fn json(&self) -> io::Result<String> {
        let Self { file, items, layers, batches, kinds, longest } = self;
        let mut out = Vec::new();
        write!(
            out,
            r#"
    {{
      "file": {},
      "items": {items},
      "layers": {layers},
      "batches": {batches},
      "kinds": {},
      "longest": {}
    }}"#,
            text(file)?,
            text(&Words(kinds))?,
            list(longest, 6)?
        )?;
        String::from_utf8(out).map_err(io::Error::other)
    }
}
