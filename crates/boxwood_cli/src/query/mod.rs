//! `boxwood query`: the boxes of drawings as rows.

mod args;
mod format;
mod numbers;
mod rows;
mod wanted;

use std::io::{self, BufWriter};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use boxwood_svg::{Options, Shown, Space};

pub(crate) use self::args::QueryArgs;
use self::args::{Format, SpaceArg};
use self::format::{FileBoxes, Naming, Printer, Style};
use self::numbers::in_device;
use self::rows::{ink_rows, object_rows, unlisted_rows};
use self::wanted::WantedElements;
use crate::device::Backend;
use crate::input::{Input, expand};
use crate::output::Stdout;
use crate::report::Report;

/// Prints the boxes of every file, and again after each change if that is requested.
pub(crate) fn query(args: &QueryArgs, report: &mut Report) -> Result<()> {
    args.check()?;
    let inputs = args.files.inputs()?;
    let worker = Arc::new(Worker::new(args)?);
    args.watch.run(&inputs, report, |report| print(&inputs, &worker, report))
}

/// Prints the boxes of every file.
fn print(inputs: &[Input], worker: &Arc<Worker>, report: &mut Report) -> Result<()> {
    let files = expand(inputs, report);
    if worker.style.format == Format::Svg && files.len() > 1 {
        bail!("--format svg writes one drawing, and there are {} files: name one of them", files.len());
    }
    let mut wanted = worker.wanted.clone();
    let mut printer = Printer::new(BufWriter::new(Stdout::lock()), &worker.style)?;
    let work = {
        let worker = Arc::clone(worker);
        move |input: Input, report: &mut Report| worker.answer(&input, report)
    };
    let summary = worker.args.files.jobs.run(files, report, work, |answer, _| {
        wanted.append(&answer.wanted);
        answer.text.map_or(Ok(()), |text| printer.print(&text?))?;
        Ok(answer.n_elements)
    })?;
    printer.finish()?;
    // A file with an error, which is reported, may have any of the elements.
    if !report.has_error() {
        wanted.report_missing(report);
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

/// The boxes of a file.
struct Answer {
    /// The boxes as text. `None` if there is an error, which was reported.
    text: Option<io::Result<Vec<u8>>>,
    n_elements: usize,
    wanted: WantedElements,
}

impl Worker {
    fn new(args: &QueryArgs) -> Result<Self> {
        let naming = Naming::new(!args.parts().is_empty(), args.space);
        Ok(Self {
            args: args.clone(),
            options: Options { clip_to_viewport: !args.no_viewport_clip, ..args.load.options()? },
            backend: Backend::new(&args.backend)?,
            wanted: WantedElements::new(&args.id, &args.select),
            style: Style { format: args.format(), precision: args.precision.map(usize::from), naming },
        })
    }

    /// Computes the boxes of a file and formats them.
    fn answer(&self, input: &Input, report: &mut Report) -> Answer {
        let mut answer = Answer { text: None, n_elements: 0, wanted: self.wanted.clone() };
        let (args, wanted) = (&self.args, &mut answer.wanted);
        let sets = args.parts();
        let Some(drawing) = report.ok(input.load(&self.options)) else { return answer };
        answer.n_elements = drawing.elements.len();
        report.warnings(input, &drawing.warnings, Shown::BOXES);
        let (unlisted, unpainted) = (drawing.unlisted(), drawing.unpainted());
        wanted.search(&drawing, &unlisted);
        let boxes = self.backend.boxes(&drawing.elements, input, report);
        let Some((boxes, adapter)) =
            report.ok(boxes.with_context(|| format!("cannot compute the boxes of {input}")))
        else {
            return answer;
        };
        let mut rows = if sets.is_empty() {
            let (sources, table, kinds) = (&drawing.sources, &drawing.table, args.kinds());
            ink_rows(sources, table, &drawing.elements, &boxes, &kinds, &unpainted)
        } else {
            let space = if args.space == SpaceArg::Local { Space::Local } else { Space::Scene };
            object_rows(&drawing, &sets, space)
        };
        rows.extend(unlisted_rows(&unlisted, drawing.sources.len(), &sets));
        if args.space == SpaceArg::Device {
            rows.iter_mut().for_each(|row| row.bounds = in_device(row.bounds, args.zoom.unwrap_or(1.0)));
        }
        rows.retain(|row| wanted.wants(row));
        let path = input.to_string();
        answer.text = Some(self.style.text(&FileBoxes { path, drawing: &drawing, adapter, rows }));
        answer
    }
}
