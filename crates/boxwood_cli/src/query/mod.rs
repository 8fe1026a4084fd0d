//! `boxwood query`: the boxes of drawings as rows.

mod args;
mod export;
mod format;
mod numbers;
mod place;
mod rows;

use std::io::BufWriter;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use boxwood_svg::{Options, Shown, Space};

pub(crate) use self::args::QueryArgs;
use self::args::{Format, SpaceArg};
pub use self::export::BoxFormat;
use self::format::{FileBoxes, Naming, OVERLAY_ID, Printer, Style};
use self::numbers::{in_device, transformed};
use self::place::retain_at;
use self::rows::{Content, ink_rows, object_rows, unlisted_rows};
use crate::device::Backend;
use crate::input::{Input, expand};
use crate::json::FileError;
use crate::output::Stdout;
use crate::report::Report;
use crate::units::Unit;
use crate::wanted::WantedElements;

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
    let (mut wanted, mut n_rows) = (worker.wanted.clone(), 0);
    let mut printer = Printer::new(BufWriter::new(Stdout::lock()), &worker.style)?;
    let work = {
        let worker = Arc::clone(worker);
        move |input: Input, report: &mut Report| {
            let mut found = Found { n_elements: 0, n_rows: 0, wanted: worker.wanted.clone() };
            let text = worker.text(&input, &mut found, report);
            (text.map_err(|error| FileError::report(&input, error, report)), found)
        }
    };
    let summary = worker.args.files.jobs.run(files, report, work, |(text, found), _| {
        wanted.append(&found.wanted);
        n_rows += found.n_rows;
        printer.print(text)?;
        Ok(found.n_elements)
    })?;
    printer.finish()?;
    // A file with an error, which is reported, may have any of the elements.
    if !report.has_error() {
        wanted.report_missing(report);
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
    options: Options,
    backend: Backend,
    /// The elements that `--id` and `--select` name, of which nothing is found yet.
    wanted: WantedElements,
    style: Style,
}

/// What is found in a file.
struct Found {
    n_elements: usize,
    n_rows: usize,
    wanted: WantedElements,
}

impl Worker {
    fn new(args: &QueryArgs) -> Result<Self> {
        let naming = Naming::new(!args.parts().is_empty(), args.space, args.unit);
        let mut options = Options { clip_to_viewport: !args.no_viewport_clip, ..args.load.options()? };
        if args.format() == Format::Svg {
            options.removed_id = Some(OVERLAY_ID.to_owned());
        }
        Ok(Self {
            args: args.clone(),
            options,
            backend: Backend::new(&args.backend)?,
            wanted: WantedElements::new(&args.id, &args.select),
            style: Style {
                format: args.format(),
                precision: args.precision.map(usize::from),
                naming,
                has_clips: args.place.place().is_some(),
                columns: args.columns.clone(),
            },
        })
    }

    /// Computes the boxes of a file and formats them. Adds what is found there.
    fn text(&self, input: &Input, found: &mut Found, report: &mut Report) -> Result<Vec<u8>> {
        let args = &self.args;
        let sets = args.parts();
        let drawing = input.load(&self.options)?;
        found.n_elements = drawing.elements.len();
        report.warnings(input, &drawing.warnings, Shown::BOXES);
        let (unlisted, unpainted) = (drawing.unlisted(), drawing.unpainted());
        let text_leaves = drawing.leaves_of_text_parts();
        let is_wanted = found.wanted.search(&drawing);
        let adapter = self.backend.prepare_boxes(&drawing, input, report);
        let adapter = adapter.with_context(|| format!("cannot compute the boxes of {input}"))?;
        let mut rows = if sets.is_empty() {
            let content = Content {
                sources: &drawing.sources,
                table: &drawing.table,
                text_leaves: &text_leaves,
                scene: &drawing.elements,
            };
            ink_rows(content, drawing.boxes(), &args.kinds(), &unpainted)
        } else {
            let space = if args.space == SpaceArg::Local { Space::Local } else { Space::Scene };
            object_rows(&drawing, &sets, space)
        };
        rows.extend(unlisted_rows(&unlisted, drawing.sources.len(), &sets));
        rows.retain(|row| if found.wanted.is_empty() { row.is_listed } else { is_wanted[row.order] });
        let unit_from_scene = args.unit.unit_from_scene(drawing.user_from_scene());
        let finder = args.place.finder(unit_from_scene.inverse());
        let clips = finder.map(|finder| retain_at(&mut rows, finder, &drawing, &text_leaves));
        found.n_rows = rows.len();
        if args.unit != Unit::Px {
            rows.iter_mut().for_each(|row| row.bounds = transformed(row.bounds, unit_from_scene));
        }
        if args.space == SpaceArg::Device {
            rows.iter_mut().for_each(|row| row.bounds = in_device(row.bounds, args.zoom.unwrap_or(1.0)));
        }
        let path = input.to_string();
        Ok(self.style.text(&FileBoxes { path, drawing: &drawing, adapter, rows, clips })?)
    }
}
