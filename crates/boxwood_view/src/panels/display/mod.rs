//! The panel with the settings that make dense drawings readable, and with the views of the data.

mod lines;
#[cfg(test)]
mod tests;

use egui::{ScrollArea, Ui};

use super::Facts;
use crate::state::State;

/// The panel.
#[derive(Debug, Default)]
pub(crate) struct Display;

impl Display {
    pub(crate) fn show(&mut self, ui: &mut Ui, facts: Facts<'_>, state: &mut State) {
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            ui.heading("Lines");
            lines::show(ui, facts.model, state);
        });
    }
}
