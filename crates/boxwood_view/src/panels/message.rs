//! Messages over a picture.

use kurbo::Vec2;

use super::panel::{FONT_SIZE, Layout, MARGIN, PADDING, Panel};
use super::text::wrap;
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
        let color = match self.severity {
            Severity::Notice => "#56b4e9",
            Severity::Error => "#d55e00",
        };
        let bar = format!(r#"<rect width="{}" height="100%" fill="{color}"/>"#, px(BAR));
        let drawing = layout.drawing(px(BAR) + px(PADDING), lines.iter().map(String::as_str), &bar)?;
        let left = ((picture_width - drawing.size.width) / 2.0).floor().max(px(MARGIN));
        Ok(Panel { drawing, position: Vec2::new(left, px(MARGIN)) })
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
