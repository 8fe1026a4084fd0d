//! `boxwood query`: the boxes of drawings as rows.

mod args;
mod export;
mod format;
mod place;

use std::io::BufWriter;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use boxwood_query::{BoxesQuery, NotFound};
use boxwood_svg::{Options, Shown};

use self::args::Format;
pub(crate) use self::args::QueryArgs;
pub use self::export::BoxFormat;
use self::format::{FileBoxes, OVERLAY_ID, Printer, Style};
use crate::device::Backend;
use crate::input::{Input, expand};
use crate::json::FileError;
use crate::output::Stdout;
use crate::report::Report;
use crate::wanted::Missing;

/// Prints the boxes of every file, and again after each change if that is requested.
pub(crate) fn query(args: &QueryArgs, report: &mut Report) -> Result<()> {
    args.check()?;
    let inputs = args.files.inputs()?;
    let worker = Arc::new(Worker::new(args)?);
    args.watch.run(&inputs, report, |report| print(&inputs, &worker, report))
}

/// Prints the boxes of every file.
fn print(inputs: &[Input], worker: &Arc<Worker>, report: &mut Report) -> Result<()> {
    let files = expand(inputs);
    if worker.style.format == Format::Svg && files.len() > 1 {
        bail!("--format svg writes one drawing, and there are {} files: name one of them", files.len());
    }
    let (mut missing, mut n_rows) = (Missing::new(&worker.query.wanted), 0);
    let mut printer = Printer::new(BufWriter::new(Stdout::lock()), &worker.style)?;
    let work = {
        let worker = Arc::clone(worker);
        move |input: Input, report: &mut Report| {
            let mut n_elements = 0;
            let answer = worker.answer(&input, &mut n_elements, report);
            (answer.map_err(|error| FileError::report(&input, error, report)), n_elements)
        }
    };
    let summary = worker.args.files.jobs.run(files, report, work, |(answer, n_elements), _| {
        if let Ok(answer) = &answer {
            missing.retain(&answer.missing);
            n_rows += answer.n_rows;
        }
        printer.print(answer.map(|answer| answer.text))?;
        Ok(n_elements)
    })?;
    printer.finish()?;
    // A file with an error, which is reported, may have any of the elements.
    if !report.has_error() {
        missing.report(report);
        if worker.args.place.place().is_some() && n_rows == 0 {
            report.negative(worker.args.place.nothing());
        }
    }
    summary.report(report);
    Ok(())
}

/// Everything that a thread needs to compute the boxes of a file.
struct Worker {
    args: QueryArgs,
    query: BoxesQuery,
    options: Options,
    backend: Backend,
    style: Style,
}

/// The boxes of a file.
struct FileAnswer {
    text: Vec<u8>,
    n_rows: usize,
    missing: Vec<NotFound>,
}

impl Worker {
    fn new(args: &QueryArgs) -> Result<Self> {
        let mut options = Options { clip_to_viewport: !args.no_viewport_clip, ..args.load.options()? };
        if args.format() == Format::Svg {
            options.removed_id = Some(OVERLAY_ID.to_owned());
        }
        let query = args.boxes_query();
        Ok(Self {
            args: args.clone(),
            options,
            backend: Backend::new(&args.backend)?,
            style: Style {
                format: args.format(),
                precision: args.precision.map(usize::from),
                naming: query.naming(),
                has_clips: query.place.is_some(),
                columns: args.columns.clone(),
            },
            query,
        })
    }

    /// Computes the boxes of a file and formats them. Sets the number of elements of its scene once
    /// it is known.
    fn answer(&self, input: &Input, n_elements: &mut usize, report: &mut Report) -> Result<FileAnswer> {
        let drawing = input.load(&self.options)?;
        *n_elements = drawing.elements.len();
        report.warnings(input, &drawing.warnings, Shown::BOXES);
        let adapter = self.backend.prepare_boxes(&drawing, input, report);
        let adapter = adapter.with_context(|| format!("cannot compute the boxes of {input}"))?;
        let file = FileBoxes { path: input.to_string(), adapter, answer: self.query.answer(&drawing)? };
        let text = self.style.text(&file)?;
        Ok(FileAnswer { text, n_rows: file.answer.rows.len(), missing: file.answer.missing })
    }
}
