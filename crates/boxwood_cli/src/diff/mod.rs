//! `boxwood diff`: what differs between two drawings.

mod args;
mod damage;
mod format;
mod picture;

use std::io::BufWriter;

use anyhow::{Context, Result, bail};
use boxwood_cpu::Boxes;
use boxwood_svg::{Drawing, Drawn, Options, Shown, Side, compare, pixel_boxes};

pub(crate) use self::args::DiffArgs;
use self::damage::{canvas, damage};
use self::format::FilePair;
use crate::device::Backend;
use crate::input::Input;
use crate::json::{FileError, Printer};
use crate::output::{OutputFile, Stdout};
use crate::report::Report;

/// Prints what differs between two drawings, and again after each change if that is requested.
pub(crate) fn diff(args: &DiffArgs, report: &mut Report) -> Result<()> {
    let inputs = [args.old.clone(), args.new.clone()];
    if inputs == [Input::Stdin, Input::Stdin] {
        bail!("standard input can be only one of the two drawings");
    }
    let output = args.output.as_ref().map(|path| OutputFile::new(path, "png", &inputs)).transpose()?;
    let options = Options { comparable: true, ..args.load.options()? };
    let backend = Backend::new(&args.backend)?;
    let worker = Worker { args, options, backend, output };
    args.watch.run(&inputs, report, |report| worker.print(&inputs, report))
}

struct Worker<'a> {
    args: &'a DiffArgs,
    options: Options,
    backend: Backend,
    output: Option<OutputFile>,
}

impl Worker<'_> {
    /// Compares the drawings and prints the result.
    fn print(&self, inputs: &[Input; 2], report: &mut Report) -> Result<()> {
        let format = self.args.format;
        let mut printer = Printer::new(BufWriter::new(Stdout::lock()), format.into())?;
        let loaded = [0, 1].map(|i| self.load(&inputs[i], report));
        match loaded {
            [Ok(old), Ok(new)] => {
                let text = self.compare(inputs, [&old, &new], report);
                let text = text.map_err(|error| FileError::report(&inputs[1], error, report));
                printer.print(text)?;
            }
            loaded => {
                let errors = loaded.into_iter().filter_map(Result::err);
                errors.map(Err).try_for_each(|error| printer.print(error))?;
            }
        }
        Ok(printer.finish()?)
    }

    fn load(&self, input: &Input, report: &mut Report) -> Result<Loaded, FileError> {
        let loaded = input.load(&self.options).and_then(|drawing| {
            let shown = Shown { boxes: true, picture: self.output.as_ref().map(|_| Drawn::Tree) };
            report.warnings(input, &drawing.warnings, shown);
            let boxes = self.backend.boxes(&drawing.elements, input, report);
            let (boxes, _) = boxes.with_context(|| format!("cannot compute the boxes of {input}"))?;
            let pixel_boxes = pixel_boxes(&drawing);
            Ok(Loaded { drawing, boxes, pixel_boxes })
        });
        loaded.map_err(|error| FileError::report(input, error, report))
    }

    /// The text about two drawings. Draws the picture too, if it is requested.
    fn compare(&self, inputs: &[Input; 2], loaded: [&Loaded; 2], report: &mut Report) -> Result<Vec<u8>> {
        let drawings = loaded.map(|loaded| &loaded.drawing);
        let comparison = compare(loaded.map(Loaded::side));
        let grid = self.args.grid(canvas(drawings)?);
        let damaged = damage(&self.backend, &comparison, grid, self.args.max_rectangles, report)?;
        let changes = comparison.changes(&damaged.changed, &damaged.vanished);
        if let Some(output) = &self.output {
            drawings.iter().try_for_each(|drawing| output.check_is_none_of(&drawing.image_files))?;
            let picture = self.args.picture(drawings, &changes, &damaged.rectangles);
            output.write(&picture.with_context(|| format!("cannot draw {}", inputs[1]))?)?;
        }
        if !changes.is_empty() || drawings[0].size != drawings[1].size {
            report.answered_no();
        }
        let pair = FilePair { inputs, drawings, changes: &changes, grid, rectangles: &damaged.rectangles };
        Ok(pair.text(self.args.format)?)
    }
}

/// A drawing with its boxes.
struct Loaded {
    drawing: Drawing,
    boxes: Boxes,
    pixel_boxes: Boxes,
}

impl Loaded {
    fn side(&self) -> Side<'_> {
        let Self { drawing, boxes, pixel_boxes } = self;
        Side { drawing, boxes, pixel_boxes }
    }
}
