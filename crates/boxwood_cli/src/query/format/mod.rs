//! The output formats of rows.

mod columns;
mod csv;
mod json;
mod query_all;
mod svg;
mod table;

use std::io::{self, Write};

use boxwood_query::{Answer, BoxRow, Include, Naming, ObjectPart};

pub(super) use self::columns::Column;
pub(super) use self::svg::OVERLAY_ID;
use super::args::Format;
use crate::json::{FileError, RowFormat, print_end};

/// The parts of an object box in one word, such as `fill+stroke`, which needs no quotes in CSV.
fn parts_name(include: Include) -> String {
    ObjectPart::of(include).map(ObjectPart::word).collect::<Vec<_>>().join("+")
}

/// The clips around the element of a row at a place, as people read them.
fn clips_text(row: &BoxRow<'_>) -> Option<String> {
    let clips = row.clips.as_ref()?;
    Some(clips.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
}

/// The boxes of one file.
#[derive(Clone, Debug)]
pub(super) struct FileBoxes<'a> {
    /// The path, as it was given.
    pub(super) path: String,
    /// The name of the adapter that computed the boxes. `None` for the CPU.
    pub(super) adapter: Option<&'a str>,
    /// The drawing and its boxes.
    pub(super) answer: Answer<'a>,
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
    use boxwood_query::{BoxKind, BoxesQuery, DocumentPosition};
    use boxwood_svg::{Drawing, NoBox, Options, Warning, WarningKind};

    use super::*;

    fn answer<'a>(drawing: &'a Drawing, rows: Vec<BoxRow<'a>>) -> Answer<'a> {
        Answer { naming: BoxesQuery::default().naming(), drawing, rows, missing: Vec::new() }
    }

    /// Prints two files: one with every kind of box and unusual names, and one without boxes.
    pub(super) fn printed(format: Format, precision: Option<usize>) -> String {
        let path = || "/svg/path[1]".into();
        let row = |name: &'static str, kind, order, bounds| BoxRow {
            name: name.into(),
            has_id: !name.starts_with('/'),
            element: "path".into(),
            position: DocumentPosition { path: path(), line: 2, column: 7, class: "a b".into() },
            kind: Some(kind),
            include: ObjectPart::set([]),
            order,
            parent: (order > 1).then_some("/path[1]"),
            is_listed: true,
            bounds,
            reason: (bounds == Aabb::EMPTY).then_some(NoBox::ClippedAway),
            clips: None,
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
        let full = FileBoxes { path, adapter, answer: answer(&drawing, rows) };
        let without_warnings = boxwood_svg::load(svg, &Options::default()).expect("it is a drawing");
        let empty =
            FileBoxes { path: "-".into(), adapter: None, answer: answer(&without_warnings, Vec::new()) };
        let naming = BoxesQuery::default().naming();
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
