//! The sheet with the keys.

use egui::{Align2, Grid, ScrollArea, Ui, Window, vec2};

use crate::commands::{POINTER, Section};
use crate::state::State;

/// Shows the keys of all commands.
pub(super) fn show(ui: &Ui, state: &mut State) {
    let mut is_open = true;
    let window = Window::new("Keys").open(&mut is_open).collapsible(false).resizable(false);
    let room = ui.ctx().content_rect().height() - 80.0;
    window.anchor(Align2::CENTER_CENTER, vec2(0.0, 0.0)).show(ui.ctx(), |ui| {
        ScrollArea::vertical().max_height(room.max(80.0)).min_scrolled_height(room.max(80.0)).show(
            ui,
            |ui| {
                for section in Section::ALL {
                    ui.strong(section.title());
                    let rows = section.commands().iter().filter(|info| !info.keys.is_empty());
                    table(ui, section.title(), rows.map(|info| (info.keys_text(), info.help)));
                }
                ui.strong("Pointer");
                table(ui, "Pointer", POINTER.iter().map(|(action, help)| ((*action).to_owned(), *help)));
            },
        );
    });
    if !is_open {
        state.sheet = None;
    }
}

fn table(ui: &mut Ui, title: &str, rows: impl Iterator<Item = (String, &'static str)>) {
    Grid::new(title).num_columns(2).min_col_width(110.0).show(ui, |ui| {
        for (keys, help) in rows {
            ui.label(keys);
            ui.label(help);
            ui.end_row();
        }
    });
    ui.add_space(6.0);
}
