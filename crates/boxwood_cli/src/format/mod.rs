//! The forms in which rows are printed.

mod csv;
mod json;
mod table;

use std::io::{self, Write};

use boxwood_svg::Warning;

use crate::choices::Format;
use crate::rows::Row;

/// What the boxes are called, and where they are: named in every output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Naming {
    /// What counts for object boxes; nothing for ink boxes.
    pub(crate) include: Vec<&'static str>,
    /// `local`, `scene` or `device`.
    pub(crate) space: &'static str,
}

impl Naming {
    /// `ink`, or `object` as SVG 2 defines it.
    pub(crate) fn vocabulary(&self) -> &'static str {
        if self.include.is_empty() { "ink" } else { "object" }
    }
}

/// The answer for one file.
#[derive(Clone, Debug)]
pub(crate) struct Answer<'a> {
    /// The file, as it was given.
    pub(crate) path: String,
    /// The size of the drawing in CSS px.
    pub(crate) width: f64,
    /// The size of the drawing in CSS px.
    pub(crate) height: f64,
    /// Where the boxes were computed: `gpu` or `cpu`.
    pub(crate) backend: &'static str,
    /// The name of the adapter, if one was used.
    pub(crate) adapter: Option<&'a str>,
    /// What is bounded other than SVG prescribes.
    pub(crate) warnings: &'a [Warning],
    /// The boxes.
    pub(crate) rows: Vec<Row<'a>>,
}

/// Prints answers as they come.
pub(crate) trait Printer {
    /// Prints one answer.
    fn answer(&mut self, answer: &Answer<'_>) -> io::Result<()>;

    /// Prints what comes after the last answer.
    fn finish(&mut self) -> io::Result<()>;
}

/// The printer of a format, its first lines already printed. `precision` is for tables and CSV.
pub(crate) fn printer<'a, W: Write + 'a>(
    format: Format,
    precision: Option<usize>,
    naming: Naming,
    out: W,
) -> io::Result<Box<dyn Printer + 'a>> {
    Ok(match format {
        Format::Table => Box::new(table::Table::new(out, precision, naming)),
        Format::Csv => Box::new(csv::Csv::new(out, precision, naming)?),
        Format::Json => Box::new(json::Json::new(out, &naming)?),
        Format::Jsonl => Box::new(json::JsonLines::new(out, naming)),
    })
}

#[cfg(test)]
pub(crate) mod tests {
    use boxwood_cpu::Aabb;
    use boxwood_svg::WarningKind;

    use super::*;
    use crate::choices::BoxKind;

    /// What a printer prints for an answer with every kind of box and awkward names.
    pub(super) fn printed(format: Format, precision: Option<usize>) -> String {
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
        let answer = Answer {
            path: "dir/a b.svg".into(),
            width: 100.5,
            height: 20.0,
            backend: "gpu",
            adapter: Some("llvmpipe \"x\""),
            warnings: &warnings,
            rows,
        };
        let other = Answer {
            path: "-".into(),
            backend: "cpu",
            adapter: None,
            warnings: &[],
            rows: vec![],
            ..answer.clone()
        };
        let naming = Naming { include: vec![], space: "scene" };
        let mut out = Vec::new();
        let mut printer = printer(format, precision, naming, &mut out).expect("a vector takes everything");
        printer.answer(&answer).expect("a vector takes everything");
        printer.answer(&other).expect("a vector takes everything");
        printer.finish().expect("a vector takes everything");
        drop(printer);
        String::from_utf8(out).expect("text is UTF-8")
    }
}
