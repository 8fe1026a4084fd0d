//! The output formats of rows.

mod csv;
mod json;
mod number;
mod query_all;
mod table;

use std::io::{self, Write};

use boxwood_svg::Drawing;
use serde::Serialize;

use super::args::{Format, PartArg, SpaceArg, name};
use super::rows::Row;

/// The names of the boxes, of their space, and of their unit, which every output contains.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Naming {
    /// `ink` or `object`.
    vocabulary: &'static str,
    /// The space.
    space: SpaceArg,
    /// The unit of all numbers: CSS pixels, or pixels in device space.
    unit: &'static str,
}

impl Naming {
    /// The names of object boxes, or of ink boxes.
    pub(super) fn new(are_objects: bool, space: SpaceArg) -> Self {
        Self { vocabulary: if are_objects { "object" } else { "ink" }, space, unit: "px" }
    }
}

/// The parts of an object box in one word, such as `fill+stroke`, which needs no quotes in CSV.
fn parts_name(parts: &[PartArg]) -> String {
    parts.iter().map(name).collect::<Vec<_>>().join("+")
}

/// The boxes of one file.
#[derive(Clone, Debug)]
pub(super) struct FileBoxes<'a> {
    /// The path, as it was given.
    pub(super) path: String,
    /// The drawing.
    pub(super) drawing: &'a Drawing,
    /// The name of the adapter that computed the boxes. `None` for the CPU.
    pub(super) adapter: Option<&'a str>,
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
    /// Prints the header of the format. `precision` is not used for JSON.
    pub(super) fn new(mut out: W, format: Format, precision: Option<u8>, naming: Naming) -> io::Result<Self> {
        match format {
            Format::Csv => csv::print_header(&mut out)?,
            Format::Json => json::print_header(&mut out, &naming)?,
            Format::Table | Format::Jsonl | Format::QueryAll => {}
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
            Format::QueryAll => query_all::print(out, file, *precision),
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
    use boxwood_svg::{Options, Warning, WarningKind};

    use super::*;
    use crate::query::rows::BoxKind;

    /// Prints two files: one with every kind of box and unusual names, and one without boxes.
    pub(super) fn printed(format: Format, precision: Option<u8>) -> String {
        let row = |name, kind, order, bounds| Row {
            name,
            has_id: !name.starts_with('/'),
            element: "path",
            kind,
            include: &[],
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
        let svg = br#"<svg xmlns="http://www.w3.org/2000/svg" width="100.5" height="20"/>"#;
        let mut drawing = boxwood_svg::load(svg, &Options::default()).expect("it is a drawing");
        drawing.warnings = vec![
            Warning { kind: WarningKind::ManyDashes, count: 2, first: "m".into() },
            Warning { kind: WarningKind::Mask, count: 1, first: "c".into() },
        ];
        let (path, adapter) = ("dir/a b.svg".to_owned(), Some("llvmpipe \"x\""));
        let full = FileBoxes { path, drawing: &drawing, adapter, rows };
        let without_warnings = boxwood_svg::load(svg, &Options::default()).expect("it is a drawing");
        let empty = FileBoxes { path: "-".into(), drawing: &without_warnings, adapter: None, rows: vec![] };
        let naming = Naming::new(false, SpaceArg::Scene);
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
