//! The formats of `query` for the window.

use std::io;

use boxwood_query::BoxesQuery;
use boxwood_svg::Drawing;

use super::args::Format;
use super::format::{FileBoxes, OVERLAY_ID, Printer, Style};
use crate::json::RowFormat;

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
        let answer = BoxesQuery::default().answer(drawing).map_err(io::Error::other)?;
        let naming = answer.naming;
        let style = Style { format, precision: None, naming, has_clips: false, columns: Vec::new() };
        let file = FileBoxes { path: name.to_owned(), adapter: None, answer };
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
