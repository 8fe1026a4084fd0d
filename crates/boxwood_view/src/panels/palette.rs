//! The palette: commands by their names.

use egui::{Align2, Key, Modifiers, ScrollArea, TextEdit, Ui, Window, vec2};

use crate::commands::{CommandInfo, commands};
use crate::state::State;

/// The palette.
#[derive(Debug, Default)]
pub(crate) struct Palette {
    text: String,
    /// The position of the chosen command among those that match.
    chosen: usize,
    is_open: bool,
}

impl Palette {
    /// Shows the commands whose names match the text, and runs the chosen one.
    pub(crate) fn show(&mut self, ui: &Ui, state: &mut State) {
        let take = |key| ui.ctx().input_mut(|input| input.consume_key(Modifiers::NONE, key));
        if take(Key::ArrowDown) {
            self.chosen += 1;
        }
        if take(Key::ArrowUp) {
            self.chosen = self.chosen.saturating_sub(1);
        }
        let is_entered = take(Key::Enter);
        let mut run = None;
        let window = Window::new("Commands").collapsible(false).resizable(false).title_bar(false);
        window.anchor(Align2::CENTER_TOP, vec2(0.0, 40.0)).show(ui.ctx(), |ui| {
            let field = TextEdit::singleline(&mut self.text).hint_text("Find a command").desired_width(420.0);
            let field = ui.add(field);
            if !std::mem::replace(&mut self.is_open, true) {
                field.request_focus();
            }
            if field.changed() {
                self.chosen = 0;
            }
            // One pass may have the last letters and Enter.
            let found = self.found();
            self.chosen = self.chosen.min(found.len().saturating_sub(1));
            if is_entered {
                run = found.get(self.chosen).copied();
            }
            ScrollArea::vertical().max_height(320.0).show(ui, |ui| {
                for (index, info) in found.iter().enumerate() {
                    let keys = info.keys.first().map_or_else(String::new, |keys| format!("  ({keys})"));
                    let row = ui.selectable_label(index == self.chosen, format!("{}{keys}", info.name));
                    if row.on_hover_text(info.help).clicked() {
                        run = Some(info);
                    }
                }
                if found.is_empty() {
                    ui.weak("no command has all these words in its name");
                }
            });
        });
        if let Some(info) = run {
            state.sheet = None;
            state.run(info.command);
        }
    }

    /// Forgets the text, so that the palette starts anew.
    pub(crate) fn close(&mut self) {
        *self = Self::default();
    }

    /// The commands that have every word of the text in their name or help.
    fn found(&self) -> Vec<&'static CommandInfo> {
        let text = self.text.to_lowercase();
        let matches = |info: &&CommandInfo| {
            let searched = format!("{} {}", info.name, info.help).to_lowercase();
            text.split_whitespace().all(|word| searched.contains(word))
        };
        commands().filter(matches).collect()
    }
}
