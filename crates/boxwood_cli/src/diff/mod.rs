//! `boxwood diff`: what differs between two drawings.

mod args;
mod damage;
mod format;
mod pairs;
mod picture;

use std::io::BufWriter;

use anyhow::{Context, Result, bail};
use boxwood_svg::{Drawing, Drawn, Options, Shown, compare, ignored_differences};

pub(crate) use self::args::DiffArgs;
use self::damage::{canvas, damage};
use self::format::FilePair;
use self::pairs::{Pair, are_folders, pairs};
use crate::device::Backend;
use crate::input::Input;
use crate::json::{FileError, Printer, RowFormat};
use crate::output::{OutputFile, Stdout};
use crate::report::Report;

/// Prints what differs between two drawings, and again after each change if that is requested.
pub(crate) fn diff(args: &DiffArgs, report: &mut Report) -> Result<()> {
    let inputs = [args.old.clone(), args.new.clone()];
    if inputs == [Input::Stdin, Input::Stdin] {
        bail!("standard input can be only one of the two drawings");
    }
    let are_folders = are_folders(&inputs)?;
    if are_folders && args.output.is_some() {
        bail!("-o draws one picture: compare two files instead of two folders");
    }
    if are_folders && args.format == RowFormat::Csv {
        bail!("--format csv has no columns for files: use --format jsonl to compare folders");
    }
    let output = args.output.as_ref().map(|path| OutputFile::new(path, "png", &inputs)).transpose()?;
    let options = Options { comparable: true, ..args.load.options()? };
    let backend = Backend::new(&args.backend)?;
    let worker = Worker { args, options, backend, output, are_folders };
    args.watch.run(&inputs, report, |report| worker.print(&inputs, report))
}

struct Worker<'a> {
    args: &'a DiffArgs,
    options: Options,
    backend: Backend,
    output: Option<OutputFile>,
    /// Whether the inputs are folders.
    are_folders: bool,
}

impl Worker<'_> {
    /// Compares the drawings and prints the result.
    fn print(&self, inputs: &[Input; 2], report: &mut Report) -> Result<()> {
        let format = self.args.format;
        let mut printer = Printer::new(BufWriter::new(Stdout::lock()), format.into())?;
        let (mut n_compared, mut n_different, mut n_only) = (0, 0, 0);
        for pair in pairs(inputs, report) {
            let pair = match pair {
                Pair::Both(pair) => pair,
                Pair::Only(only) => {
                    n_only += 1;
                    report.answered_no();
                    printer.print(Ok(only.text(format.into())?))?;
                    continue;
                }
            };
            n_compared += 1;
            match [0, 1].map(|i| self.load(&pair[i], report)) {
                [Ok(old), Ok(new)] => {
                    let compared = self.compare(&pair, [&old, &new], report);
                    let compared = compared.map_err(|error| FileError::report(&pair[1], error, report));
                    n_different += usize::from(compared.as_ref().is_ok_and(|compared| compared.differs));
                    // The drawings of a folder that are the same would hide the others.
                    let is_shown = |compared: &Compared| {
                        compared.differs || !self.are_folders || format != RowFormat::Table
                    };
                    printer.print(
                        compared.map(|compared| if is_shown(&compared) { compared.text } else { Vec::new() }),
                    )?;
                }
                loaded => {
                    let errors = loaded.into_iter().filter_map(Result::err);
                    errors.map(Err).try_for_each(|error| printer.print(error))?;
                }
            }
        }
        printer.finish()?;
        if self.are_folders {
            report.note(format_args!(
                "{n_compared} files compared, {n_different} differ, {n_only} in one folder only"
            ));
        }
        Ok(())
    }

    fn load(&self, input: &Input, report: &mut Report) -> Result<Drawing, FileError> {
        let loaded = input.load(&self.options).and_then(|drawing| {
            let shown = Shown { boxes: true, picture: self.output.as_ref().map(|_| Drawn::Tree) };
            report.warnings(input, &drawing.warnings, shown);
            let prepared = self.backend.prepare_boxes(&drawing, input, report);
            prepared.with_context(|| format!("cannot compute the boxes of {input}"))?;
            Ok(drawing)
        });
        loaded.map_err(|error| FileError::report(input, error, report))
    }

    /// The text about two drawings. Draws the picture too, if it is requested.
    fn compare(&self, inputs: &[Input; 2], drawings: [&Drawing; 2], report: &mut Report) -> Result<Compared> {
        let comparison = compare(drawings);
        let grid = self.args.grid(canvas(drawings)?);
        let damaged = damage(&self.backend, &comparison, grid, self.args.max_rectangles, report)?;
        let changes = comparison.changes(&damaged.changed, &damaged.vanished);
        if let Some(output) = &self.output {
            drawings.iter().try_for_each(|drawing| output.check_is_none_of(&drawing.image_files))?;
            let picture = self.args.picture(drawings, &changes, &damaged.rectangles);
            output.write(&picture.with_context(|| format!("cannot draw {}", inputs[1]))?)?;
        }
        let ignored = ignored_differences(drawings);
        if !ignored.is_empty() {
            let [old, new] = inputs;
            report.note(format_args!(
                "{old} and {new} also differ in text that is ignored, so its effect is not compared: {}",
                ignored.join(", ")
            ));
        }
        let differs = !changes.is_empty() || drawings[0].size != drawings[1].size;
        if differs {
            report.answered_no();
        }
        let pair = FilePair { inputs, drawings, changes: &changes, grid, rectangles: &damaged.rectangles };
        Ok(Compared { differs, text: pair.text(self.args.format)? })
    }
}

/// The result of a comparison.
struct Compared {
    differs: bool,
    text: Vec<u8>,
}
