//! The formats of `query` for the window.

use std::io;

use boxwood_cpu::Boxes;
use boxwood_svg::Drawing;
use boxwood_view::{BoxFormat, Exporter};

use super::args::{Format, SpaceArg};
use super::format::{FileBoxes, Naming, OVERLAY_ID, Printer, Style};
use super::rows::{BoxKind, Content, ink_rows, unlisted_rows};
use crate::json::RowFormat;

/// Formats boxes as `query` prints them.
#[derive(Debug)]
pub(crate) struct BoxExporter;

impl Exporter for BoxExporter {
    fn boxes(&self, format: BoxFormat, name: &str, drawing: &Drawing, boxes: &Boxes) -> io::Result<Vec<u8>> {
        let format = match format {
            BoxFormat::Svg => Format::Svg,
            BoxFormat::Json => Format::Rows(RowFormat::Json),
            BoxFormat::Csv => Format::Rows(RowFormat::Csv),
        };
        let naming = Naming::new(false, SpaceArg::Scene);
        let style = Style { format, precision: None, naming, has_clips: false };
        let (unlisted, unpainted) = (drawing.unlisted(), drawing.unpainted());
        let text_leaves = drawing.leaves_of_text_parts();
        let content = Content {
            sources: &drawing.sources,
            table: &drawing.table,
            text_leaves: &text_leaves,
            scene: &drawing.elements,
        };
        let mut rows = ink_rows(content, boxes, &BoxKind::INK, &unpainted);
        rows.extend(unlisted_rows(&unlisted, drawing.sources.len(), &[]));
        rows.retain(|row| row.is_listed);
        let file = FileBoxes { path: name.to_owned(), drawing, adapter: None, rows, clips: None };
        let mut out = Vec::new();
        let mut printer = Printer::new(&mut out, &style)?;
        printer.print(Ok(style.text(&file)?))?;
        printer.finish()?;
        Ok(out)
    }

    fn added_id(&self, format: BoxFormat) -> Option<&'static str> {
        (format == BoxFormat::Svg).then_some(OVERLAY_ID)
    }
}
