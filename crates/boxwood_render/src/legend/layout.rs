//! The layout of a legend, and its place in a picture.

use std::fmt::Write as _;

use boxwood_svg::{Drawing, Fonts, Options};
use kurbo::{Rect, Vec2};

use crate::error::RenderError;
use crate::overlay::{Hole, signed};

/// Lengths in logical pixels.
pub(crate) const MARGIN: f64 = 12.0;
pub(crate) const PADDING: f64 = 10.0;
pub(crate) const FONT_SIZE: f64 = 13.0;
pub(crate) const ROW: f64 = 22.0;
/// From the top of a row to the baseline of its text.
pub(crate) const BASELINE: f64 = 16.0;

/// A legend over a picture, at a position in device pixels.
pub(crate) struct PlacedLegend {
    /// The contents. One scene unit is one device pixel.
    pub(crate) drawing: Drawing,
    /// The top left corner, at whole pixels.
    pub(crate) position: Vec2,
}

impl PlacedLegend {
    /// The rectangle that the legend covers, in device pixels: `x0, y0, x1, y1`. Ends are
    /// exclusive.
    #[expect(clippy::cast_possible_truncation, reason = "legends have whole pixels, a few thousand at most")]
    pub(crate) fn rect(&self) -> [i32; 4] {
        let Rect { x0, y0, x1, y1 } = self.drawing.size.to_rect() + self.position;
        [x0, y0, x1, y1].map(|side| side as i32)
    }
}

/// The rectangle that a legend covers in the part of a picture whose top left pixel is `corner`.
/// Without a legend, it is empty.
pub(crate) fn hole(legend: Option<&PlacedLegend>, corner: [u32; 2]) -> Hole {
    let [left, top] = corner.map(signed);
    let [x0, y0, x1, y1] = legend.map_or([0; 4], PlacedLegend::rect);
    [x0 - left, y0 - top, x1 - left, y1 - top]
}

/// A layout with a scale factor: the number of device pixels per logical pixel.
#[derive(Clone, Copy)]
pub(crate) struct Layout(pub(crate) f64);

impl Layout {
    /// A length of logical pixels in whole device pixels.
    pub(crate) fn px(self, length: f64) -> f64 {
        (length * self.0).round()
    }

    /// The top of a row.
    pub(crate) fn row_top(self, row: usize) -> f64 {
        self.px(PADDING) + self.px(ROW) * row as f64
    }

    /// The drawing of a legend: `shapes`, and a row for each line, whose text starts at
    /// `text_left`.
    pub(crate) fn drawing<'a>(
        self,
        text_left: f64,
        lines: impl Iterator<Item = &'a str>,
        shapes: &str,
    ) -> Result<Drawing, RenderError> {
        let mut n_rows = 0;
        let mut texts = String::new();
        for line in lines {
            let baseline = self.row_top(n_rows) + self.px(BASELINE);
            _ = write!(texts, r#"<text x="{text_left}" y="{baseline}">{line}</text>"#);
            n_rows += 1;
        }
        // The titles of kinds need no escapes.
        let measured = self.load(1.0, 1.0, &format!(r#"<g id="texts">{texts}</g>"#))?;
        // A text without visible characters has no box.
        let right = measured.tree.node_by_id("texts").map_or(0.0, |group| group.abs_bounding_box().right());
        let width = f64::from(right).ceil().max(text_left) + self.px(PADDING);
        self.load(width, self.row_top(n_rows) + self.px(PADDING), &format!("{shapes}{texts}"))
    }

    /// Loads the contents of a legend with this size in device pixels. The text uses the bundled
    /// font, so it looks the same on every machine.
    fn load(self, width: f64, height: f64, contents: &str) -> Result<Drawing, RenderError> {
        let font_size = FONT_SIZE * self.0;
        let svg = format!(
            r##"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"
                font-family="Noto Sans" font-size="{font_size}" fill="#f4f4f4" xml:space="preserve">
            <rect width="{width}" height="{height}" fill="#2c2c33"/>
            {contents}</svg>"##
        );
        let options = Options { fonts: Fonts::Bundled, ..Options::default() };
        boxwood_svg::load(svg.as_bytes(), &options).map_err(RenderError::Legend)
    }
}
