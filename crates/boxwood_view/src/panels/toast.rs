//! The messages over the picture.

use egui::{Align2, Area, Frame, Id, Order, RichText, Stroke, Ui, vec2};

use super::style::{ERROR, HOVER};
use crate::state::{Severity, State};

/// The distance from the top of the window, or from the bottom.
const MARGIN: f32 = 12.0;

/// A message with more characters is cut.
const MAX_LENGTH: usize = 1200;

/// Shows the message about the last commands, and the error about the file. A sheet is at the top,
/// so they are then at the bottom.
pub(super) fn show(ui: &Ui, state: &State) {
    let message = state.message.iter().map(|message| (message.severity, message.text.as_str()));
    let error = state.error.iter().map(|error| (Severity::Error, error.as_str()));
    let texts: Vec<_> = message.chain(error).map(|(severity, text)| (severity, shortened(text))).collect();
    if texts.is_empty() {
        return;
    }
    let (anchor, margin) =
        if state.sheet.is_some() { (Align2::CENTER_BOTTOM, -MARGIN) } else { (Align2::CENTER_TOP, MARGIN) };
    // An area is placed by its last size, so each text has an area of its own.
    let area = Area::new(Id::unique(("message", &texts)))
        .order(Order::Foreground)
        .anchor(anchor, vec2(0.0, margin))
        .interactable(false);
    area.show(ui.ctx(), |ui| texts.into_iter().for_each(|(severity, text)| framed(ui, severity, text)));
}

fn framed(ui: &mut Ui, severity: Severity, text: String) {
    let (word, color) = match severity {
        Severity::Notice => ("Note", HOVER),
        Severity::Error => ("Error", ERROR),
    };
    let frame = Frame::popup(ui.style()).stroke(Stroke::new(2.0, color));
    frame.show(ui, |ui| {
        ui.set_max_width((ui.ctx().content_rect().width() - 8.0 * MARGIN).clamp(100.0, 800.0));
        ui.label(RichText::new(word).strong().color(color));
        ui.label(text);
    });
}

/// The beginning of a long text.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_LENGTH) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use egui_kittest::kittest::Queryable as _;

    use crate::commands::Command;
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

    #[test]
    fn an_error_and_a_message_are_shown_together_and_leave_a_sheet_free() {
        let mut harness = app("");
        harness.state_mut().state.fail("the file is gone".to_owned());
        harness.state_mut().state.run(Command::OpenFiles);
        harness.state_mut().state.fail_command("there is no such folder".to_owned());
        harness.run();
        assert_eq!(harness.query_all_by_label("Error").count(), 2);
        let sheet = harness.get_by_label("Browse …").rect();
        for text in ["the file is gone", "there is no such folder"] {
            assert!(harness.get_by_label(text).rect().top() > sheet.bottom(), "{text}");
        }
    }
}
