//! `boxwood explain`: why an element is visible, or not.

mod json;
mod table;

use std::io::BufWriter;
use std::sync::Arc;

use anyhow::Result;
use boxwood_svg::{
    Drawing, Explanation, NoBox, Options, Selector, Shown, Source, Unlisted, explain as explained,
};
use clap::{ArgGroup, Args};

pub(crate) use self::json::effect_of;

use crate::input::{FilesArgs, Input, LoadArgs, expand};
use crate::json::{FileError, Format, Printer};
use crate::output::Stdout;
use crate::report::Report;
use crate::wanted::WantedElements;
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

/// The explained elements of a file.
struct FileElements<'d> {
    path: String,
    drawing: &'d Drawing,
    elements: Vec<Element<'d>>,
}

/// An explained element.
enum Element<'d> {
    /// An element that is drawn, or could be. Without parts, it may have a reason.
    Source(&'d Source, Explanation, Option<NoBox>),
    /// An element that is not drawn.
    Unlisted(Unlisted),
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
    let mut wanted = WantedElements::new(&args.id, &args.select);
    let format = args.format;
    let mut printer = Printer::new(BufWriter::new(Stdout::lock()), format)?;
    let work = {
        let (nothing, options) = (wanted.clone(), Arc::clone(options));
        move |input: Input, report: &mut Report| {
            let mut wanted = nothing.clone();
            let answer = answer(&input, &mut wanted, format, &options, report);
            (wanted, answer.map_err(|error| FileError::report(&input, error, report)))
        }
    };
    let summary = args.files.jobs.run(files, report, work, |(more, answer), _| {
        wanted.append(&more);
        let n_elements = answer.as_ref().map_or(0, |(_, n_elements)| *n_elements);
        printer.print(answer.map(|(text, _)| text))?;
        Ok(n_elements)
    })?;
    printer.finish()?;
    // A file with an error, which is reported, may have any of the elements.
    if !report.has_error() {
        wanted.report_missing(report);
    }
    summary.report(report);
    Ok(())
}

/// The text for a file, and the number of elements of its scene. Adds what is found there.
fn answer(
    input: &Input,
    wanted: &mut WantedElements,
    format: Format,
    options: &Options,
    report: &mut Report,
) -> Result<(Vec<u8>, usize)> {
    let drawing = input.load(options)?;
    report.warnings(input, &drawing.warnings, Shown::BOXES);
    let is_wanted = wanted.search(&drawing);
    let (of_sources, of_unlisted) = is_wanted.split_at(drawing.sources.len());
    let sources: Vec<_> =
        (0..).zip(of_sources).filter_map(|(index, is_wanted)| is_wanted.then_some(index)).collect();
    let reasons = drawing.unpainted();
    let of_source = |explanation: Explanation| {
        let index = explanation.source as usize;
        Element::Source(&drawing.sources[index], explanation, reasons[index].clone())
    };
    let elements = explained(&drawing, &sources).into_iter().map(of_source);
    let unlisted = drawing.unlisted().into_iter().zip(of_unlisted);
    let unlisted =
        unlisted.filter_map(|(element, is_wanted)| is_wanted.then_some(Element::Unlisted(element)));
    let elements = elements.chain(unlisted).collect();
    let file = FileElements { path: input.to_string(), drawing: &drawing, elements };
    let mut text = Vec::new();
    match format {
        Format::Table => table::print(&mut text, &file),
        Format::Json => json::print_file(&mut text, &file),
        Format::Jsonl => json::print_lines(&mut text, &file),
    }?;
    Ok((text, drawing.elements.len()))
}

/// The area of a box in px², without overflow.
fn area(b: boxwood_cpu::Aabb) -> f64 {
    let length = |start: f32, end: f32| f64::from(end) - f64::from(start);
    if b.is_empty() { 0.0 } else { length(b.x0, b.x1) * length(b.y0, b.y1) }
}
