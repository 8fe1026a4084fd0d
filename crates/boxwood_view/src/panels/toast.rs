//! The messages over the picture.

use std::time::Duration;

use egui::{Align2, Area, Frame, Id, Order, RichText, Stroke, Ui, vec2};

use super::style::{ERROR, HOVER};
use crate::state::{Severity, Sheet, State, Topic};

/// The distance from the top of the window, or from the legend at the bottom.
const MARGIN: f32 = 12.0;

/// The height of the legend at the bottom, which a message must not cover.
const LEGEND_HEIGHT: f32 = 32.0;

/// A message with more characters is cut.
const MAX_LENGTH: usize = 1200;

/// The time in seconds that a notice is shown for at least.
const MIN_TIME: f64 = 4.0;

/// The number of characters that people read in a second, at least.
const CHARACTERS_PER_SECOND: f64 = 20.0;

/// Shows the messages. They move to the bottom while a sheet is open. The sheet of keys fills the
/// window, so messages wait until it is closed.
pub(super) fn show(ui: &Ui, state: &mut State) {
    if state.sheet == Some(Sheet::Help) {
        return;
    }
    end_notices(ui, state);
    let texts: Vec<_> =
        state.messages.iter().map(|message| (message.topic, shortened(&message.text))).collect();
    if texts.is_empty() {
        return;
    }
    let (anchor, offset) = match state.sheet {
        Some(_) => (Align2::CENTER_BOTTOM, -MARGIN - LEGEND_HEIGHT),
        None => (Align2::CENTER_TOP, MARGIN),
    };
    // An area is placed by its last size, so each text has an area of its own. Brief notices have
    // nothing to click.
    let area = Area::new(Id::unique(("message", &texts)))
        .order(Order::Foreground)
        .anchor(anchor, vec2(0.0, offset))
        .interactable(texts.iter().any(|(topic, _)| !topic.is_brief()));
    let shown = area.show(ui.ctx(), |ui| {
        let framed = texts.into_iter().map(|(topic, text)| framed(ui, topic, text));
        framed.collect::<Vec<_>>()
    });
    let mut is_dismissed = shown.inner.into_iter();
    state.messages.retain(|_| is_dismissed.next() != Some(true));
}

/// Hides each brief notice once there was time to read it.
fn end_notices(ui: &Ui, state: &mut State) {
    let now = ui.input(|input| input.time);
    state.messages.retain_mut(|message| {
        let shown_at = *message.shown_at.get_or_insert(now);
        let n_characters = message.text.chars().take(MAX_LENGTH).count() as f64;
        let left = shown_at + MIN_TIME + n_characters / CHARACTERS_PER_SECOND - now;
        if message.topic.is_brief() && left > 0.0 {
            ui.ctx().request_repaint_after(Duration::from_secs_f64(left));
        }
        !message.topic.is_brief() || left > 0.0
    });
}

/// Shows a message. Returns whether the user dismisses it.
fn framed(ui: &mut Ui, topic: Topic, text: String) -> bool {
    let (word, color) = match topic.severity() {
        Severity::Notice => ("Notice", HOVER),
        Severity::Error => ("Error", ERROR),
    };
    let frame = Frame::popup(ui.style()).stroke(Stroke::new(2.0, color));
    let shown = frame.show(ui, |ui| {
        ui.set_max_width((ui.ctx().content_rect().width() - 8.0 * MARGIN).clamp(100.0, 800.0));
        ui.label(RichText::new(word).strong().color(color));
        ui.label(text);
        !topic.is_brief() && ui.button("Dismiss").clicked()
    });
    shown.inner
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
    use egui::{Key, Modifiers};
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable as _;

    use crate::commands::Command;
    use crate::panels::tests::{App, app};
    use crate::state::Topic;

    #[test]
    fn each_message_is_in_the_middle() {
        let mut harness = app("");
        for text in
            ["a long notice about something that has happened", "a shorter one", "and another long notice"]
        {
            harness.state_mut().state.messages.clear();
            harness.state_mut().state.notify(text.to_owned());
            harness.run();
            let middle = harness.get_by_label(text).rect().center().x;
            assert!((middle - 600.0).abs() < 2.0, "{text}: {middle}");
        }
    }

    #[test]
    fn an_error_and_a_message_are_shown_together_and_leave_a_sheet_free() {
        let mut harness = app("");
        harness.state_mut().state.put_message(Topic::File, "the file is gone".to_owned());
        harness.state_mut().state.run(Command::OpenFiles);
        harness.state_mut().state.fail_command("there is no such folder".to_owned());
        harness.run();
        assert_eq!(harness.query_all_by_label("Error").count(), 2);
        let sheet = harness.get_by_label("Browse …").rect();
        for text in ["the file is gone", "there is no such folder"] {
            assert!(harness.get_by_label(text).rect().top() > sheet.bottom(), "{text}");
        }
    }

    #[test]
    fn a_notice_goes_after_the_time_to_read_it() {
        let mut harness = app("");
        let text = "forty characters, which take two seconds";
        let start = harness.ctx.input(|input| input.time);
        harness.state_mut().state.notify(text.to_owned());
        // egui measures a new area before it shows it.
        harness.run_steps(2);
        let at = |harness: &mut Harness<'_, App>, seconds: f64| {
            harness.input_mut().time = Some(start + seconds);
            harness.step();
            harness.query_by_label(text).is_some()
        };
        assert!(at(&mut harness, 5.5));
        harness.state_mut().state.notify(text.to_owned());
        assert!(at(&mut harness, 6.5), "the same notice again has a time of its own");
        assert!(!at(&mut harness, 13.0));
        harness.state_mut().state.put_message(Topic::File, "an error".to_owned());
        at(&mut harness, 100.0);
        at(&mut harness, 200.0);
        harness.get_by_label("an error");
        harness.get_by_label("Dismiss").click();
        harness.run();
        assert_eq!(harness.state().state.messages, []);
    }

    #[test]
    fn messages_under_the_sheet_of_keys_are_seen_after_it_is_closed() {
        let mut harness = app("");
        harness.key_press(Key::F1);
        harness.run();
        harness.state_mut().state.notify("exported a.png".to_owned());
        harness.state_mut().state.fail_command("cannot write b.png".to_owned());
        harness.run();
        harness.key_press(Key::Escape);
        harness.run();
        harness.get_by_label("exported a.png");
        harness.get_by_label("cannot write b.png");
    }

    #[test]
    fn an_error_stays_until_it_is_dismissed_and_a_notice_until_the_next_command() {
        let mut harness = app("");
        harness.state_mut().state.fail_command("cannot write a.png".to_owned());
        harness.state_mut().state.notify("exported b.png".to_owned());
        harness.run();
        harness.key_press(Key::F);
        harness.run();
        let place = harness.get_by_label("Drawing").rect();
        harness.drag_at(place.center());
        harness.hover_at(place.center() + egui::vec2(20.0, 20.0));
        harness.drop_at(place.center() + egui::vec2(20.0, 20.0));
        harness.run();
        harness.get_by_label("cannot write a.png");
        assert!(harness.query_by_label("exported b.png").is_none());
        harness.key_press(Key::Escape);
        harness.run();
        assert!(harness.query_by_label("cannot write a.png").is_none());
        assert_eq!(harness.state_mut().state.take_requests(), [], "the window stays open");
    }

    #[test]
    fn a_notice_about_work_that_is_cancelled_stays_until_it_is_dismissed() {
        let mut harness = app("");
        let text = "The load was cancelled.";
        harness.state_mut().state.put_message(Topic::Cancelled, text.to_owned());
        harness.run();
        harness.input_mut().time = Some(1000.0);
        harness.step();
        harness.get_by_label(text);
        harness.get_by_label("Dismiss").click();
        harness.run();
        assert!(harness.query_by_label(text).is_none());
    }

    #[test]
    fn no_message_covers_a_sheet() {
        let mut harness = app("");
        harness.state_mut().state.put_message(Topic::File, "an error".to_owned());
        harness.key_press(Key::F1);
        harness.run();
        assert!(harness.query_by_label("an error").is_none());
        harness.key_press(Key::Escape);
        harness.key_press_modifiers(Modifiers::COMMAND, Key::O);
        harness.run();
        assert!(harness.get_by_label("an error").rect().top() > 600.0);
    }
}
