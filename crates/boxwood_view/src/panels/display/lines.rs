//! The settings that make dense drawings readable.

use egui::{Slider, Ui};

use crate::commands::Command;
use crate::model::Model;
use crate::state::State;

/// The room for the value and the name beside a slider, in logical pixels: the widest name and
/// value in the standard font, and the spaces between them.
const SLIDER_TEXT: f32 = 180.0;

pub(super) fn show(ui: &mut Ui, model: Option<&Model>, state: &mut State) {
    let readability = &state.readability;
    let switches = [
        (readability.is_dimmed, "Dim the drawing", Command::DimDrawing),
        (readability.is_selection_only, "Selection only", Command::ShowSelectionOnly),
        (readability.has_labels, "Labels", Command::ShowLabels),
    ];
    for (is_on, label, command) in switches {
        let mut is_checked = is_on;
        if ui.checkbox(&mut is_checked, label).on_hover_text(command.tip()).changed() {
            state.run(command);
        }
    }
    if state.readability.is_selection_only && state.selected.is_none() {
        ui.weak("Nothing is selected, so no box is shown.");
    }
    ui.spacing_mut().slider_width = (ui.available_width() - SLIDER_TEXT).max(40.0);
    let readability = &mut state.readability;
    let percent = |value: f64, _: std::ops::RangeInclusive<usize>| format!("{:.0} %", 100.0 * value);
    let part = |value, label| Slider::new(value, 0.0..=1.0).text(label).custom_formatter(percent);
    if ui.add(part(&mut readability.dimming, "dimming")).changed() {
        readability.is_dimmed = true;
    }
    ui.add(part(&mut readability.line_opacity, "opacity of lines"));
    if let Some(model) = model {
        depths(ui, model, state);
    }
}

/// The range of depths of which boxes are shown.
fn depths(ui: &mut Ui, model: &Model, state: &mut State) {
    let deepest = model.deepest;
    let readability = &mut state.readability;
    let (mut first, mut last) = readability.depths.clone().map_or((0, deepest), |range| range.into_inner());
    let mut is_changed = ui.add(Slider::new(&mut first, 0..=deepest).text("smallest depth")).changed();
    last = last.max(first);
    is_changed |= ui.add(Slider::new(&mut last, 0..=deepest).text("largest depth")).changed();
    first = first.min(last);
    if is_changed {
        readability.depths = (first > 0 || last < deepest).then_some(first..=last);
    }
    let [shown, all] = model.n_in_depths(first..=last);
    ui.weak(format!("{shown} of {all} elements of the document are within these depths."));
}
