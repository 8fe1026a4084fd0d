//! The output formats of rows.

mod columns;
mod csv;
mod json;
mod query_all;
mod svg;
mod table;

use std::io::{self, Write};

use boxwood_svg::Drawing;
use serde::Serialize;

pub(super) use self::columns::Column;
pub(super) use self::svg::OVERLAY_ID;
use super::args::{Format, PartArg, SpaceArg, name};
use super::place::ClipAround;
use super::rows::ElementRow;
use crate::json::{FileError, RowFormat, print_end};
use crate::units::Unit;

/// The names of the boxes, of their space, and of their unit, which every output contains.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Naming {
    /// `ink` or `object`.
    vocabulary: &'static str,
    /// The space.
    space: SpaceArg,
    /// The unit of all numbers. In device space, these are pixels of a picture.
    unit: Unit,
}

impl Naming {
    /// The names of object boxes, or of ink boxes.
    pub(super) fn new(are_objects: bool, space: SpaceArg, unit: Unit) -> Self {
        Self { vocabulary: if are_objects { "object" } else { "ink" }, space, unit }
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
    pub(super) rows: Vec<ElementRow<'a>>,
    /// With `--at` and `--within`, the clips around the element of each row.
    pub(super) clips: Option<Vec<Vec<ClipAround>>>,
}

impl FileBoxes<'_> {
    /// The clips around the element of each row, as people read them.
    fn clip_texts(&self) -> impl Iterator<Item = Option<String>> {
        let text =
            |clips: &Vec<ClipAround>| clips.iter().map(ClipAround::text).collect::<Vec<_>>().join(", ");
        (0..self.rows.len()).map(move |row| self.clips.as_ref().map(|clips| text(&clips[row])))
    }
}

/// How boxes are printed.
#[derive(Clone, Debug)]
pub(super) struct Style {
    /// The format.
    pub(super) format: Format,
    /// The number of decimals. Only tables and CSV use it.
    pub(super) precision: Option<usize>,
    /// The names of the boxes.
    pub(super) naming: Naming,
    /// Whether rows have the clips around their elements.
    pub(super) has_clips: bool,
    /// The columns of tables and CSV. Empty for those that a format has by itself.
    pub(super) columns: Vec<Column>,
}

impl Style {
    /// The text for the boxes of one file.
    pub(super) fn text(&self, file: &FileBoxes<'_>) -> io::Result<Vec<u8>> {
        let Self { format, precision, naming, columns, .. } = self;
        let mut out = Vec::new();
        match format {
            Format::Rows(RowFormat::Table) => table::print(&mut out, file, *precision, naming, columns)?,
            Format::Rows(RowFormat::Csv) => {
                csv::print(&mut out, file, *precision, naming, &self.columns_of_csv())?;
            }
            Format::Rows(RowFormat::Json) => json::print(&mut out, file)?,
            Format::Rows(RowFormat::Jsonl) => json::print_lines(&mut out, file, naming)?,
            Format::Svg => svg::print(&mut out, file)?,
            Format::QueryAll => query_all::print(&mut out, file, *precision)?,
        }
        Ok(out)
    }

    fn columns_of_csv(&self) -> Vec<Column> {
        if self.columns.is_empty() { Column::of_csv(self.has_clips) } else { self.columns.clone() }
    }
}

/// Prints the texts of files, one after the other.
pub(super) struct Printer<'a, W> {
    out: W,
    style: &'a Style,
    n_files: usize,
    errors: Vec<FileError>,
}

impl<'a, W: Write> Printer<'a, W> {
    /// Prints the header of the format.
    pub(super) fn new(mut out: W, style: &'a Style) -> io::Result<Self> {
        match style.format {
            Format::Rows(RowFormat::Csv) => csv::print_header(&mut out, &style.columns_of_csv())?,
            Format::Rows(RowFormat::Json) => json::print_header(&mut out, &style.naming)?,
            Format::Rows(RowFormat::Table | RowFormat::Jsonl) | Format::Svg | Format::QueryAll => {}
        }
        Ok(Self { out, style, n_files: 0, errors: Vec::new() })
    }

    /// Prints the text of a file. An error is only part of JSON.
    pub(super) fn print(&mut self, text: Result<Vec<u8>, FileError>) -> io::Result<()> {
        let text = match text {
            Ok(text) => text,
            Err(error) => {
                if self.style.format == Format::Rows(RowFormat::Jsonl) {
                    self.out.write_all(error.line()?.as_bytes())?;
                }
                self.errors.push(error);
                return Ok(());
            }
        };
        let separator = match self.style.format {
            _ if self.n_files == 0 => "",
            Format::Rows(RowFormat::Table) => "\n",
            Format::Rows(RowFormat::Json) => ",",
            Format::Rows(RowFormat::Csv | RowFormat::Jsonl) | Format::Svg | Format::QueryAll => "",
        };
        self.n_files += 1;
        self.out.write_all(separator.as_bytes())?;
        self.out.write_all(&text)
    }

    /// Prints the footer of the format.
    pub(super) fn finish(mut self) -> io::Result<()> {
        if matches!(self.style.format, Format::Rows(RowFormat::Json)) {
            print_end(&mut self.out, self.n_files == 0, &self.errors, "")?;
        }
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use boxwood_cpu::Aabb;
    use boxwood_svg::{NoBox, Options, Warning, WarningKind};

    use super::*;
    use crate::query::rows::{BoxKind, DocumentPosition};

    /// Prints two files: one with every kind of box and unusual names, and one without boxes.
    pub(super) fn printed(format: Format, precision: Option<usize>) -> String {
        let row = |name, kind, order, bounds| ElementRow {
            name,
            has_id: !name.starts_with('/'),
            element: "path",
            place: DocumentPosition { path: "/svg/path[1]", line: 2, column: 7, class: "a b" },
            kind: Some(kind),
            include: &[],
            order,
            parent: (order > 1).then_some("/path[1]"),
            is_listed: true,
            bounds,
            reason: (bounds == Aabb::EMPTY).then_some(&NoBox::ClippedAway),
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
        let full = FileBoxes { path, drawing: &drawing, adapter, rows, clips: None };
        let without_warnings = boxwood_svg::load(svg, &Options::default()).expect("it is a drawing");
        let empty = FileBoxes {
            path: "-".into(),
            drawing: &without_warnings,
            adapter: None,
            rows: vec![],
            clips: None,
        };
        let naming = Naming::new(false, SpaceArg::Scene, Unit::Px);
        let style = Style { format, precision, naming, has_clips: false, columns: Vec::new() };
        let mut out = Vec::new();
        let mut print = || {
            let mut printer = Printer::new(&mut out, &style)?;
            printer.print(Ok(style.text(&full)?))?;
            printer.print(Ok(style.text(&empty)?))?;
            printer.finish()
        };
        print().expect("a vector does not fail");
        String::from_utf8(out).expect("text is UTF-8")
    }
}
