//! `boxwood query`: the boxes of drawings as rows.

mod args;
mod format;
mod rows;
mod wanted;

use std::io::BufWriter;

use anyhow::{Context, Result};
use boxwood_svg::{Options, Shown, Space};

pub(crate) use self::args::QueryArgs;
use self::args::SpaceArg;
use self::format::{FileBoxes, Naming, Printer};
use self::rows::{in_device, ink_rows, object_rows};
use self::wanted::WantedIds;
use crate::device::Backend;
use crate::input::expand;
use crate::output::Stdout;
use crate::report::Report;

/// Prints the boxes of every file.
pub(crate) fn query(args: &QueryArgs, report: &mut Report) -> Result<()> {
    args.check()?;
    let options = Options { clip_to_viewport: !args.no_viewport_clip, ..args.load.options()? };
    let backend = Backend::open(&args.backend, report)?;
    let (sets, kinds) = (args.parts(), args.kinds());
    let mut wanted = WantedIds::new(&args.id);
    let naming = Naming::new(!sets.is_empty(), args.space);
    let mut printer = Printer::new(BufWriter::new(Stdout::lock()), args.format(), args.precision, naming)?;
    for input in expand(&args.inputs, report) {
        let Some(drawing) = report.ok(input.load(&options)) else {
            wanted.answer_all();
            continue;
        };
        report.warnings(&input, &drawing.warnings, Shown::BOXES);
        wanted.search(&drawing, &input, sets.is_empty());
        let boxes = backend.boxes(&drawing.elements, &input, report);
        let Some((boxes, adapter)) =
            report.ok(boxes.with_context(|| format!("cannot compute the boxes of {input}")))
        else {
            wanted.answer(drawing.sources.iter().map(|source| source.name.as_str()));
            continue;
        };
        let mut rows = if sets.is_empty() {
            ink_rows(&drawing.sources, &drawing.table, &drawing.elements, &boxes, &kinds)
        } else {
            let space = if args.space == SpaceArg::Local { Space::Local } else { Space::Scene };
            let boxes: Vec<_> = sets.iter().map(|parts| drawing.object_boxes(parts.into(), space)).collect();
            object_rows(&drawing.sources, &sets, &boxes)
        };
        if args.space == SpaceArg::Device {
            rows.iter_mut().for_each(|row| row.bounds = in_device(row.bounds, args.zoom.unwrap_or(1.0)));
        }
        rows.retain(|row| wanted.wants(row));
        wanted.answer(rows.iter().map(|row| row.name));
        printer.print(&FileBoxes { path: input.to_string(), drawing: &drawing, adapter, rows })?;
    }
    printer.finish()?;
    wanted.report_missing(report);
    Ok(())
}
