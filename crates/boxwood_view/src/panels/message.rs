//! Messages over a picture.

use std::fmt::Write as _;

use super::panel::{BASELINE, FONT_SIZE, Layout, MARGIN, PADDING, Panel, ROW};
use super::text::{escape, wrap};
use crate::error::RenderError;

/// The severity of a message. The panel shows it as the colour of a bar at its side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Severity {
    /// Something is worth knowing.
    Notice,
    /// Something failed.
    Error,
}

/// A text over the picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The severity, which is marked by a colour.
    pub severity: Severity,
    /// The text. Long lines are wrapped, and long texts are cut.
    pub text: String,
}

/// The width of the bar that shows the severity, in logical pixels.
const BAR: f64 = 4.0;

/// The assumed mean width of a character, in multiples of the font size, for wrapping lines.
const CHARACTER_WIDTH: f64 = 0.55;

impl Message {
    /// The panel of the message, in the middle of the top edge of a picture of this size.
    pub(crate) fn panel(&self, size: [u32; 2], scale_factor: f64) -> Result<Panel, RenderError> {
        let layout = Layout(scale_factor);
        let px = |length| layout.px(length);
        let picture_width = f64::from(size[0]);
        let room = picture_width / scale_factor - 2.0 * (MARGIN + PADDING) - BAR;
        let lines = wrap(&self.text, room / (FONT_SIZE * CHARACTER_WIDTH));
        let text_left = px(BAR) + px(PADDING);
        let width = text_left + layout.text_width(lines.iter().map(String::as_str))? + px(PADDING);
        let mut height = px(PADDING);
        let mut contents = String::new();
        for line in &lines {
            let (baseline, line) = (height + px(BASELINE), escape(line));
            _ = write!(contents, r#"<text x="{text_left}" y="{baseline}">{line}</text>"#);
            height += px(ROW);
        }
        height += px(PADDING);
        let color = match self.severity {
            Severity::Notice => "#56b4e9",
            Severity::Error => "#d55e00",
        };
        _ = write!(contents, r#"<rect width="{}" height="{height}" fill="{color}"/>"#, px(BAR));
        let drawing = layout.drawing(width, height, &contents)?;
        let left = ((picture_width - drawing.size.width) / 2.0).floor();
        Ok(Panel::at(drawing, left.max(px(MARGIN)), px(MARGIN)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_may_contain_any_character_and_stays_within_the_picture() {
        let text = "cannot read <svg> & \"more\" \u{1}\u{ffff} ".repeat(30);
        for scale_factor in [1.0, 1.5, 3.0] {
            let message = Message { severity: Severity::Error, text: text.clone() };
            let panel = message.panel([900, 600], scale_factor).expect("any text can be shown");
            let [x0, y0, x1, _] = panel.rect();
            assert!(x0 >= 0 && y0 >= 0 && x1 <= 900, "{:?}", panel.rect());
        }
    }
}
