//! `boxwood audit`: what is wasted in drawings, or sticks out of them.

mod format;

use std::io::{BufWriter, Write};
use std::sync::Arc;

use anyhow::Result;
use boxwood_query::{FindingKind, FindingsQuery};
use boxwood_svg::{Options, Shown, may_change};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgGroup, Args};

use self::format::{FileFindings, Sums, print_end, print_error, print_file, print_start};
use crate::input::{FilesArgs, Input, LoadArgs, expand};
use crate::json::{FileError, Format};
use crate::output::Stdout;
use crate::report::Report;
use crate::watch::WatchArg;

const EXAMPLES: &str = "\
Examples:
  # List what is wasted in a drawing
  boxwood audit drawing.svg

  # Fail if a drawing in a folder has elements that nobody can see
  boxwood audit icons/ --kind off-canvas,clipped-away,covered

  # Print the files with the largest covered areas
  boxwood audit icons/ --kind covered --format jsonl |
    jq -rs 'sort_by(-.area) | .[] | .file'

  # Fail if a drawing has elements that its canvas cuts off
  boxwood audit icons/ --kind sticks-out

  # Print the sum of each kind as JSON
  boxwood audit drawing.svg --format json | jq .sums";

/// Find what is wasted in SVG drawings, or sticks out of them
///
/// Prints one line per finding, with its position in the file, its reason and its cost: the number
/// of elements of the scene that it wastes, and the area of their boxes. The sum per kind follows.
/// The exit code is 1 if anything is found.
///
/// --kind sticks-out is not about waste: it reports shapes, images and texts that the canvas cuts
/// off, and how far they are beyond each edge.
///
/// The elements of the scene are not those of the document. A fill, a stroke, an image and a run of
/// glyphs are one leaf each. A clip, mask, opacity or blend mode is two: one that begins it and one
/// that ends it. A <rect> with a clip path thus counts as 3 elements.
///
/// A finding is a fact about the drawing at 100 %. An element is reported as not visible only if it
/// does not touch a pixel that others leave visible; a cover counts only if it is an opaque
/// rectangle. A group stands for everything inside of it. Elements that something refers to, such
/// as a <use>, are not reported, because they may be visible there. Neither are elements with an
/// animation, with a paint that is not supported, with a stroke that does not scale, or with a
/// reference to another file, and elements whose bounding box an effect around them depends on. If
/// anything else may change the drawing after it is loaded, such as a script, a warning says so.
#[derive(Clone, Debug, Args)]
#[command(
    group = ArgGroup::new("drawings").args(["inputs", "files_from"]).required(true).multiple(true),
    after_long_help = EXAMPLES,
    override_usage = "boxwood audit [OPTIONS] <FILE>..."
)]
pub(crate) struct AuditArgs {
    #[command(flatten)]
    files: FilesArgs,
    #[command(flatten)]
    watch: WatchArg,
    /// Kinds of finding to report, separated by commas
    ///
    /// all: every kind except sticks-out;
    /// empty: paints nothing, because it has no size, paint or contents;
    /// off-canvas: is outside of the canvas;
    /// clipped-away: is outside of its clips and masks;
    /// covered: is below a later opaque rectangle;
    /// mostly-outside: has 90 % or more of the area of its box outside of its clips;
    /// needless-clip: is a group with a rectangular clip path that cuts nothing;
    /// needless-group: has an opacity, blend mode or isolation that looks the same without a group;
    /// sticks-out: has ink beyond an edge of the canvas, by more than 2/10000 of its larger side.
    #[arg(
        long,
        value_name = "KIND",
        value_delimiter = ',',
        value_parser = kind_parser(),
        hide_possible_values = true,
        default_value = ALL_KINDS
    )]
    kind: Vec<Kinds>,
    /// With --kind sticks-out, compare with the viewBox of the root instead of the canvas
    ///
    /// They differ if preserveAspectRatio leaves room around the viewBox, or cuts it. A drawing
    /// without a viewBox is compared with its canvas.
    #[arg(long, hide_short_help = true)]
    viewbox: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    load: LoadArgs,
}

/// The word for all kinds of waste.
const ALL_KINDS: &str = "all";

/// One kind, or all kinds of waste if there is none.
type Kinds = Option<FindingKind>;

/// Parses the word of a kind, or of all.
fn kind_parser() -> impl TypedValueParser<Value = Kinds> {
    let words = [ALL_KINDS].into_iter().chain(FindingKind::all().map(FindingKind::word));
    PossibleValuesParser::new(words).map(|word| word.parse().ok())
}

/// Prints the findings of every file, and again after each change if that is requested.
pub(crate) fn audit(args: &AuditArgs, report: &mut Report) -> Result<()> {
    let query = Arc::new(args.findings_query());
    query.check()?;
    let inputs = args.files.inputs()?;
    let options = Arc::new(args.load.options()?);
    args.watch.run(&inputs, report, |report| print(&inputs, args, &query, &options, report))
}

/// Prints the findings of every file.
fn print(
    inputs: &[Input],
    args: &AuditArgs,
    query: &Arc<FindingsQuery>,
    options: &Arc<Options>,
    report: &mut Report,
) -> Result<()> {
    let files = expand(inputs);
    let mut out = BufWriter::new(Stdout::lock());
    let (mut sums, mut errors, mut n_printed) = (Sums::default(), Vec::new(), 0);
    print_start(&mut out, args.format)?;
    let work = {
        let (query, options) = (Arc::clone(query), Arc::clone(options));
        move |input: Input, report: &mut Report| {
            let found = find(&query, &input, &options, report);
            found.map_err(|error| FileError::report(&input, error, report))
        }
    };
    let summary = args.files.jobs.run(files, report, work, |found, report| {
        let found = match found {
            Ok(found) => found,
            Err(error) => {
                print_error(&mut out, args.format, &error)?;
                errors.push(error);
                return Ok(0);
            }
        };
        if !found.findings.is_empty() {
            report.answered_no();
        }
        found.findings.iter().for_each(|finding| sums.add(finding));
        print_file(&mut out, args.format, &found, n_printed == 0)?;
        n_printed += 1;
        Ok(found.n_elements)
    })?;
    print_end(&mut out, args.format, &sums, &errors, n_printed)?;
    out.flush()?;
    summary.report(report);
    Ok(())
}

impl AuditArgs {
    /// The question about each drawing.
    fn findings_query(&self) -> FindingsQuery {
        let kinds = self.kind.iter().flat_map(|kind| match kind {
            Some(kind) => vec![*kind],
            None => FindingKind::WASTE.to_vec(),
        });
        FindingsQuery { kinds: kinds.collect(), of_view_box: self.viewbox }
    }
}

/// The findings in a file.
fn find(
    query: &FindingsQuery,
    input: &Input,
    options: &Options,
    report: &mut Report,
) -> Result<FileFindings> {
    let drawing = input.load(options)?;
    report.warnings(input, &drawing.warnings, Shown::BOXES);
    let findings = query.answer(&drawing)?;
    let changes = if findings.is_empty() { Vec::new() } else { may_change(&drawing) };
    if !changes.is_empty() {
        let changes = changes.join(", ");
        report.warning(format_args!(
            "{input}: has {changes}: the findings hold for the drawing as it is loaded"
        ));
    }
    Ok(FileFindings {
        file: input.to_string(),
        size: drawing.size,
        n_elements: drawing.elements.len(),
        findings,
    })
}
