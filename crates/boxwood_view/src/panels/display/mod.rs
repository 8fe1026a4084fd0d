//! The panel with the settings that make dense drawings readable, and with the views of the data.

mod data;
mod lines;
#[cfg(test)]
mod tests;

use egui::{Panel, ScrollArea, Ui};

use super::Facts;
use crate::state::State;

/// The panel.
#[derive(Debug, Default)]
pub(crate) struct Display;

impl Display {
    pub(crate) fn show(&mut self, ui: &mut Ui, facts: Facts<'_>, state: &mut State) {
        // At the bottom, so that the list stays in place when the pointer moves from the drawing to
        // it.
        if let (Some(model), Some(data)) = (facts.model, data::shown(facts, state)) {
            Panel::bottom("under_pointer").show(ui, |ui| data::under_pointer(ui, model, data, state));
        }
        ScrollArea::both().auto_shrink(false).show(ui, |ui| {
            ui.heading("Lines");
            lines::show(ui, facts.model, state);
            ui.separator();
            ui.heading("Views of the data");
            data::show(ui, facts, state);
        });
    }
}
