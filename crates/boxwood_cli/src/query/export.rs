//! The formats of `query` for the window.

use std::io;

use boxwood_svg::Drawing;

use super::args::{Format, SpaceArg};
use super::format::{FileBoxes, Naming, OVERLAY_ID, Printer, Style};
use super::rows::{BoxKind, Content, ink_rows, unlisted_rows};
use crate::json::RowFormat;
use crate::units::Unit;

/// A format in which a window exports boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BoxFormat {
    /// The drawing with its boxes as a group.
    Svg,
    /// Rows in JSON.
    Json,
    /// Rows with commas.
    Csv,
}

impl BoxFormat {
    /// The ink boxes of a drawing with this name, as `query` prints them.
    ///
    /// # Errors
    ///
    /// The boxes cannot be formatted.
    pub fn format(self, name: &str, drawing: &Drawing) -> io::Result<Vec<u8>> {
        let format = match self {
            Self::Svg => Format::Svg,
            Self::Json => Format::Rows(RowFormat::Json),
            Self::Csv => Format::Rows(RowFormat::Csv),
        };
        let naming = Naming::new(false, SpaceArg::Scene, Unit::Px);
        let style = Style { format, precision: None, naming, has_clips: false, columns: Vec::new() };
        let (unlisted, unpainted) = (drawing.unlisted(), drawing.unpainted());
        let text_leaves = drawing.leaves_of_text_parts();
        let content = Content {
            sources: &drawing.sources,
            table: &drawing.table,
            text_leaves: &text_leaves,
            scene: &drawing.elements,
        };
        let mut rows = ink_rows(content, drawing.boxes(), &BoxKind::INK, &unpainted);
        rows.extend(unlisted_rows(&unlisted, drawing.sources.len(), &[]));
        rows.retain(|row| row.is_listed);
        let file = FileBoxes { path: name.to_owned(), drawing, adapter: None, rows, clips: None };
        let mut out = Vec::new();
        let mut printer = Printer::new(&mut out, &style)?;
        printer.print(Ok(style.text(&file)?))?;
        printer.finish()?;
        Ok(out)
    }

    /// The id of the group that the format adds to the root of the drawing. An earlier group with
    /// this id is replaced.
    pub fn added_id(self) -> Option<&'static str> {
        (self == Self::Svg).then_some(OVERLAY_ID)
    }
}
