//! The message over the picture.

use egui::{Align2, Area, Frame, Id, RichText, Stroke, Ui, vec2};

use super::style::{ERROR, HOVER};
use crate::state::{Severity, State};

/// The distance from the top of the window.
const MARGIN: f32 = 12.0;

/// A message with more characters is cut.
const MAX_LENGTH: usize = 1200;

/// Shows the message.
pub(super) fn show(ui: &Ui, state: &State) {
    let message = state.message.as_ref().map(|message| (message.severity, message.text.clone()));
    let Some((severity, mut text)) = message else { return };
    if let Some((end, _)) = text.char_indices().nth(MAX_LENGTH) {
        text.truncate(end);
        text.push('…');
    }
    let (word, color) = match severity {
        Severity::Notice => ("Note", HOVER),
        Severity::Error => ("Error", ERROR),
    };
    // An area is placed by its last size, so each text has an area of its own.
    let area = Area::new(Id::unique(("message", &text)))
        .anchor(Align2::CENTER_TOP, vec2(0.0, MARGIN))
        .interactable(false);
    area.show(ui.ctx(), |ui| {
        let frame = Frame::popup(ui.style()).stroke(Stroke::new(2.0, color));
        frame.show(ui, |ui| {
            ui.set_max_width((ui.ctx().content_rect().width() - 8.0 * MARGIN).clamp(100.0, 800.0));
            ui.label(RichText::new(word).strong().color(color));
            ui.label(text);
        });
    });
}

#[cfg(test)]
mod tests {
    use egui_kittest::kittest::Queryable as _;

    use crate::panels::tests::app;

    #[test]
    fn each_message_is_in_the_middle() {
        let mut harness = app("");
        for text in
            ["a long notice about something that has happened", "a shorter one", "and another long notice"]
        {
            harness.state_mut().state.notify(text.to_owned());
            harness.run();
            let middle = harness.get_by_label(text).rect().center().x;
            assert!((middle - 600.0).abs() < 2.0, "{text}: {middle}");
        }
    }
}
