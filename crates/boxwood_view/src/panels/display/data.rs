//! The views of the data, and the legend of the one that is shown.

use egui::{Sense, Ui, vec2};

use crate::commands::Command;
use crate::data_views::{DataPicture, DataView, swatch};
use crate::model::Model;
use crate::panels::Facts;
use crate::panels::inspector::link;
use crate::state::State;

/// The legend and the list have at most this many rows. The numbers in the summary include the
/// others.
const MAX_ROWS: usize = 60;

pub(super) fn show(ui: &mut Ui, facts: Facts<'_>, state: &mut State) {
    if ui.radio(state.data_view.is_none(), "None").clicked() {
        state.data_view = None;
    }
    for view in DataView::ALL {
        let command = Command::ShowData(view);
        let response = ui.radio(state.data_view == Some(view), view.title());
        if response.on_hover_text(command.tip()).clicked() && state.data_view != Some(view) {
            state.run(command);
        }
    }
    if state.data_view.is_none() {
        return;
    }
    ui.add_space(6.0);
    match (facts.model, shown(facts, state)) {
        (Some(model), Some(data)) => legend(ui, model, data, state),
        _ => _ = ui.weak("computing …"),
    }
}

/// The picture of the view that is shown.
pub(super) fn shown<'a>(facts: Facts<'a>, state: &State) -> Option<&'a DataPicture> {
    facts.data.filter(|data| Some(data.analysis.view) == state.data_view)
}

/// What a view shows under the pointer.
pub(super) fn under_pointer(ui: &mut Ui, model: &Model, data: &DataPicture, state: &mut State) {
    let under_pointer = state.pointer.and_then(|point| data.at(point));
    ui.horizontal_wrapped(|ui| match under_pointer {
        Some((text, source)) => {
            ui.label(format!("Under the pointer: {text}"));
            if let Some(source) = source {
                link(ui, model, source, state);
            }
        }
        None => _ = ui.weak("Point at the drawing for its numbers."),
    });
}

/// The numbers, the colours, and the sources of a view.
fn legend(ui: &mut Ui, model: &Model, data: &DataPicture, state: &mut State) {
    for sentence in data.analysis.summary.iter().chain(&data.summary) {
        ui.label(sentence);
    }
    let is_counted = data.analysis.is_counted();
    for row in data.rows.iter().take(MAX_ROWS) {
        ui.horizontal_wrapped(|ui| {
            let (rect, _) = ui.allocate_exact_size(vec2(16.0, 12.0), Sense::hover());
            ui.painter().rect_filled(rect, 2.0, swatch(is_counted, row.class));
            ui.label(&row.text);
        });
    }
    more(ui, data.rows.len());
    let entries = &data.analysis.entries;
    if entries.is_empty() {
        return;
    }
    ui.separator();
    for entry in entries.iter().take(MAX_ROWS) {
        ui.horizontal_wrapped(|ui| {
            link(ui, model, entry.source, state);
            ui.label(&entry.text);
        });
    }
    more(ui, entries.len());
}

/// Says how many rows are left out.
fn more(ui: &mut Ui, n_rows: usize) {
    if n_rows > MAX_ROWS {
        ui.weak(format!("and {} more", n_rows - MAX_ROWS));
    }
}
