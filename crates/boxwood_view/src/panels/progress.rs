//! The work that the user waits for.

use std::time::Duration;

use egui::{Align2, Area, Frame, Id, Label, Order, Rect, Sense, Ui, pos2, vec2};

use super::style::HOVER;
use crate::state::{Busy, State};

/// The time between two steps of the bar. More steps would take time from the work.
const STEP: Duration = Duration::from_millis(100);

/// The distance from the bottom of the picture area.
const MARGIN: f32 = 16.0;

/// The indicator of progress.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    /// The current work, and the time of the window when it was first seen.
    work: Option<(Busy, f64)>,
}

impl Progress {
    /// Shows the work over the bottom of the picture area.
    pub(crate) fn show(&mut self, ui: &Ui, area: Rect, state: &State) {
        let Some(busy) = state.busy else {
            self.work = None;
            return;
        };
        // Passes of the same step look the same, and are not presented again.
        let now = step_of(ui.input(|input| input.time));
        let since = self.work.filter(|(last, _)| *last == busy).map_or(now, |(_, since)| since);
        self.work = Some((busy, since));
        let what = match busy {
            Busy::Loading => format!("Loading {}", state.file_name()),
            Busy::Drawing => "Drawing".to_owned(),
            Busy::Stopping => "Stopping: the GPU must finish its current part".to_owned(),
            Busy::LoadingOther => "Loading the drawing to compare with".to_owned(),
        };
        let at = pos2(area.center().x, area.bottom() - MARGIN);
        let place = Area::new(Id::unique("progress")).order(Order::Foreground).interactable(false);
        place.pivot(Align2::CENTER_BOTTOM).fixed_pos(at).show(ui.ctx(), |ui| {
            Frame::popup(ui.style()).show(ui, |ui| {
                let remedy = if busy == Busy::Stopping { "" } else { " Esc cancels." };
                let text = format!("{what} … {:.1} s.{remedy}", now - since);
                ui.add(Label::new(text).extend());
                bar(ui, now);
            });
        });
        ui.ctx().request_repaint_after(STEP);
    }
}

/// The time of the window, rounded down to a step.
fn step_of(time: f64) -> f64 {
    let step = STEP.as_secs_f64();
    (time / step).floor() * step
}

/// A bar whose lit part goes from one end to the other.
fn bar(ui: &mut Ui, now: f64) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.min_rect().width().max(120.0), 3.0), Sense::hover());
    ui.painter().rect_filled(rect, 1.5, ui.visuals().widgets.inactive.bg_fill);
    let length = rect.width() / 4.0;
    #[expect(clippy::cast_possible_truncation, reason = "from 0 to 1")]
    let phase = now.fract() as f32;
    let start = rect.left() + phase * (rect.width() - length);
    let lit = Rect::from_min_max(pos2(start, rect.top()), pos2(start + length, rect.bottom()));
    ui.painter().rect_filled(lit, 1.5, HOVER);
}

#[cfg(test)]
mod tests {
    use egui::Key;
    use egui_kittest::kittest::Queryable as _;

    use super::step_of;
    use crate::panels::tests::{NESTED, app};
    use crate::state::{Busy, Request};

    #[test]
    fn work_is_shown_until_it_is_done_and_esc_cancels_it() {
        let mut harness = app(NESTED);
        harness.state_mut().state.busy = Some(Busy::Loading);
        // egui measures a new area before it shows it.
        harness.run_steps(2);
        harness.get_by_label_contains("Loading 0.svg");
        harness.key_press(Key::Escape);
        harness.step();
        assert_eq!(harness.state_mut().state.take_requests(), [Request::CancelWork]);
        harness.get_by_label_contains("Esc cancels");
        harness.state_mut().state.busy = Some(Busy::Stopping);
        harness.run_steps(2);
        harness.get_by_label_contains("Stopping: the GPU must finish its current part … ");
        assert!(harness.query_by_label_contains("Esc cancels").is_none());
        harness.state_mut().state.busy = None;
        harness.run();
        assert!(harness.query_by_label_contains("Stopping").is_none());
    }

    #[test]
    fn the_indicator_changes_ten_times_per_second() {
        assert_eq!(step_of(7.31), step_of(7.39));
        assert!(step_of(7.31) < step_of(7.41));
        assert!((step_of(7.31) - 7.3).abs() < 1e-9);
    }
}
