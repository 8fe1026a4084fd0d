//! The output formats of rows.

mod csv;
mod json;
mod number;
mod table;

use std::io::{self, Write};

use boxwood_svg::Warning;
use serde::Serialize;

use super::args::{Format, PartArg, SpaceArg};
use super::rows::Row;

/// The names of the boxes, of their space, and of their unit, which every output contains.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Naming {
    /// `ink` or `object`.
    vocabulary: &'static str,
    /// The parts of object boxes, in the order of SVG 2. Empty for ink boxes.
    include: Vec<PartArg>,
    /// The space.
    space: SpaceArg,
    /// The unit of all numbers: CSS pixels, or pixels in device space.
    unit: &'static str,
}

impl Naming {
    /// The names of these parts of object boxes, or of ink boxes if there are no parts.
    pub(super) fn new(include: &[PartArg], space: SpaceArg) -> Self {
        let mut include = include.to_vec();
        include.sort_unstable();
        include.dedup();
        let vocabulary = if include.is_empty() { "ink" } else { "object" };
        Self { vocabulary, include, space, unit: "px" }
    }
}

/// The boxes of one file.
#[derive(Clone, Debug)]
pub(super) struct FileBoxes<'a> {
    /// The path, as it was given.
    pub(super) path: String,
    /// The width of the drawing in CSS pixels.
    pub(super) width: f64,
    /// The height of the drawing in CSS pixels.
    pub(super) height: f64,
    /// The name of the adapter that computed the boxes. `None` for the CPU.
    pub(super) adapter: Option<&'a str>,
    /// Where the boxes differ from SVG.
    pub(super) warnings: &'a [Warning],
    /// The boxes.
    pub(super) rows: Vec<Row<'a>>,
}

/// Prints the boxes of files, one after the other.
pub(super) struct Printer<W> {
    out: W,
    format: Format,
    precision: Option<usize>,
    naming: Naming,
    n_files: usize,
}

impl<W: Write> Printer<W> {
    /// Prints the header of the format. `precision` is only used for tables and CSV.
    pub(super) fn new(mut out: W, format: Format, precision: Option<u8>, naming: Naming) -> io::Result<Self> {
        match format {
            Format::Csv => csv::print_header(&mut out)?,
            Format::Json => json::print_header(&mut out, &naming)?,
            Format::Table | Format::Jsonl => {}
        }
        Ok(Self { out, format, precision: precision.map(usize::from), naming, n_files: 0 })
    }

    /// Prints the boxes of a file.
    pub(super) fn print(&mut self, file: &FileBoxes<'_>) -> io::Result<()> {
        let Self { out, format, precision, naming, n_files } = self;
        let is_first = *n_files == 0;
        *n_files += 1;
        match format {
            Format::Table => table::print(out, file, *precision, naming, is_first),
            Format::Csv => csv::print(out, file, *precision, naming),
            Format::Json => json::print(out, file, is_first),
            Format::Jsonl => json::print_lines(out, file, naming),
        }
    }

    /// Prints the footer of the format.
    pub(super) fn finish(mut self) -> io::Result<()> {
        if matches!(self.format, Format::Json) {
            json::print_footer(&mut self.out, self.n_files == 0)?;
        }
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use boxwood_cpu::Aabb;
    use boxwood_svg::WarningKind;

    use super::*;
    use crate::query::rows::BoxKind;

    /// Prints two files: one with every kind of box and unusual names, and one without boxes.
    pub(super) fn printed(format: Format, precision: Option<u8>) -> String {
        let row = |name, kind, order, bounds| Row {
            name,
            has_id: !name.starts_with('/'),
            element: "path",
            kind,
            order,
            parent: (order > 1).then_some("/path[1]"),
            is_listed: true,
            bounds,
        };
        let aabb = |x0, y0, x1, y1| Aabb { x0, y0, x1, y1 };
        let rows = vec![
            row("/path[1]", BoxKind::Leaf, 1, aabb(0.1, -2.0, 1.0 / 3.0, 1e-7)),
            row("a,\"b\"", BoxKind::Clipped, 2, Aabb::EMPTY),
            row("größe\u{7}", BoxKind::Clip, 3, Aabb::PLANE),
            row("huge", BoxKind::Group, 4, aabb(-4e7, -f32::MAX, 16_777_216.0, 0.000_4)),
        ];
        let warnings = [
            Warning { kind: WarningKind::ManyDashes, count: 2, first: "m".into() },
            Warning { kind: WarningKind::Mask, count: 1, first: "c".into() },
        ];
        let (path, adapter) = ("dir/a b.svg".to_owned(), Some("llvmpipe \"x\""));
        let full = FileBoxes { path, width: 100.5, height: 20.0, adapter, warnings: &warnings, rows };
        let empty =
            FileBoxes { path: "-".into(), adapter: None, warnings: &[], rows: vec![], ..full.clone() };
        let naming = Naming::new(&[], SpaceArg::Scene);
        let mut out = Vec::new();
        let print = || {
            let mut printer = Printer::new(&mut out, format, precision, naming)?;
            printer.print(&full)?;
            printer.print(&empty)?;
            printer.finish()
        };
        print().expect("a vector does not fail");
        String::from_utf8(out).expect("text is UTF-8")
    }
}
