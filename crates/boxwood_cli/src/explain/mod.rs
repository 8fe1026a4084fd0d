//! `boxwood explain`: why an element is visible, or not.

mod table;

use std::io::{self, BufWriter, Write};
use std::sync::Arc;

use anyhow::Result;
use boxwood_query::{Explained, NotFound, SCHEMA, Wanted};
use boxwood_svg::{Options, Selector, Shown};
use clap::{ArgGroup, Args};
use serde::Serialize;

use crate::input::{FilesArgs, Input, LoadArgs, expand};
use crate::json::{FileError, Format, Printer, list, text};
use crate::output::Stdout;
use crate::report::Report;
use crate::wanted::Missing;
use crate::watch::WatchArg;

const EXAMPLES: &str = "\
Examples:
  # Find out why an element is not visible, or not as a whole
  boxwood explain drawing.svg --id logo

  # Explain everything that is drawn of one element, with each <use> of it
  boxwood explain drawing.svg --id star

  # Explain an element by its path
  boxwood explain drawing.svg --id '/svg/g[2]/rect[1]'

  # List the elements of a class of which a part is hidden
  boxwood explain drawing.svg --select .icon --format jsonl |
    jq -r 'select(any(.parts[]; .hidden)) | .name'";

/// Explain what is left of an element inside of its clips
///
/// Prints a table for each part of the element: its fill, stroke or image, or the contents of a
/// group. The first row is the part's own box. Each further row is an effect around it, from the
/// inside out, with the box that is left inside of it, and the area that it cuts. All boxes are ink
/// boxes at 100 %.
///
/// The last line says how much is left, and what else hides the part: the canvas, or an opaque
/// rectangle that is painted later. An element that paints nothing has the reason instead. An id
/// also names everything that a <use> draws of its element.
#[derive(Clone, Debug, Args)]
#[command(
    group = ArgGroup::new("drawings").args(["inputs", "files_from"]).required(true).multiple(true),
    group = ArgGroup::new("elements").args(["id", "select"]).required(true).multiple(true),
    after_long_help = EXAMPLES,
    override_usage = "boxwood explain [OPTIONS] <FILE>... --id <ID>"
)]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    files: FilesArgs,
    #[command(flatten)]
    watch: WatchArg,
    /// Explain the element with this id or path (may be repeated)
    ///
    /// If no element has it, the exit code is 1.
    #[arg(long, value_name = "ID")]
    id: Vec<String>,
    /// Explain what this CSS selector matches (may be repeated)
    ///
    /// For example, 'rect.logo, g#a > path'. If no element matches, the exit code is 1.
    #[arg(long, value_name = "SELECTOR")]
    select: Vec<Selector>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    load: LoadArgs,
}

/// Explains the elements of every file, and again after each change if that is requested.
pub(crate) fn explain(args: &ExplainArgs, report: &mut Report) -> Result<()> {
    let inputs = args.files.inputs()?;
    let options = Arc::new(args.load.options()?);
    args.watch.run(&inputs, report, |report| print(&inputs, args, &options, report))
}

/// Explains the elements of every file.
fn print(inputs: &[Input], args: &ExplainArgs, options: &Arc<Options>, report: &mut Report) -> Result<()> {
    let files = expand(inputs);
    let wanted = Wanted { ids: args.id.clone(), selectors: args.select.clone() };
    let (mut missing, format) = (Missing::new(&wanted), args.format);
    let mut printer = Printer::new(BufWriter::new(Stdout::lock()), format)?;
    let work = {
        let options = Arc::clone(options);
        move |input: Input, report: &mut Report| {
            let answer = answer(&input, &wanted, format, &options, report);
            answer.map_err(|error| FileError::report(&input, error, report))
        }
    };
    let summary = args.files.jobs.run(files, report, work, |answer, _| {
        if let Ok(answer) = &answer {
            missing.retain(&answer.missing);
        }
        let n_elements = answer.as_ref().map_or(0, |answer| answer.n_elements);
        printer.print(answer.map(|answer| answer.text))?;
        Ok(n_elements)
    })?;
    printer.finish()?;
    // A file with an error, which is reported, may have any of the elements.
    if !report.has_error() {
        missing.report(report);
    }
    summary.report(report);
    Ok(())
}

/// The explained elements of a file.
struct FileAnswer {
    text: Vec<u8>,
    missing: Vec<NotFound>,
    /// The number of elements of its scene.
    n_elements: usize,
}

/// Explains the elements of a file.
fn answer(
    input: &Input,
    wanted: &Wanted,
    format: Format,
    options: &Options,
    report: &mut Report,
) -> Result<FileAnswer> {
    let drawing = input.load(options)?;
    report.warnings(input, &drawing.warnings, Shown::BOXES);
    let explanations = boxwood_query::explain(&drawing, wanted);
    let (path, elements, mut text) = (input.to_string(), explanations.elements, Vec::new());
    match format {
        Format::Table => table::print(&mut text, &path, &elements),
        Format::Json => print_file(&mut text, &path, &elements),
        Format::Jsonl => print_lines(&mut text, &path, &elements),
    }?;
    Ok(FileAnswer { text, missing: explanations.missing, n_elements: drawing.elements.len() })
}

/// Prints a file as a JSON object, with one line per element.
fn print_file(out: &mut impl Write, path: &str, elements: &[Explained<'_>]) -> io::Result<()> {
    let (path, elements) = (text(&path)?, list(elements, 6)?);
    write!(out, "\n    {{\n      \"file\": {path},\n      \"elements\": {elements}\n    }}")
}

/// Prints every element as a JSON object that is complete by itself.
fn print_lines(out: &mut impl Write, path: &str, elements: &[Explained<'_>]) -> io::Result<()> {
    elements
        .iter()
        .try_for_each(|element| writeln!(out, "{}", text(&JsonLine { schema: SCHEMA, file: path, element })?))
}

#[derive(Serialize)]
struct JsonLine<'a> {
    schema: u32,
    file: &'a str,
    #[serde(flatten)]
    element: &'a Explained<'a>,
}
