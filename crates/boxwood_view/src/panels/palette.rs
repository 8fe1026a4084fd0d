//! The palette: commands by their names, or by questions.

use egui::text::{LayoutJob, TextFormat};
use egui::{
    Align2, Button, Key, Modifiers, Response, Role, ScrollArea, TextEdit, TextStyle, Ui, WidgetInfo, Window,
    vec2,
};

use crate::commands::{CommandInfo, find};
use crate::state::State;

/// The height of the list of commands, in logical pixels.
const LIST_HEIGHT: f32 = 400.0;

/// The palette.
#[derive(Debug, Default)]
pub(crate) struct Palette {
    text: String,
    /// The position of the chosen command among those that match.
    chosen: usize,
    is_open: bool,
}

impl Palette {
    /// Shows the commands that the text finds, and runs the chosen one.
    pub(crate) fn show(&mut self, ui: &Ui, state: &mut State) {
        let take = |key| ui.ctx().input_mut(|input| input.consume_key(Modifiers::NONE, key));
        let [is_down, is_up] = [Key::ArrowDown, Key::ArrowUp].map(take);
        if is_down {
            self.chosen += 1;
        }
        if is_up {
            self.chosen = self.chosen.saturating_sub(1);
        }
        let is_moved = is_down || is_up;
        let is_entered = take(Key::Enter);
        let mut run = None;
        let window = Window::new("Commands").collapsible(false).resizable(false).title_bar(false);
        window.anchor(Align2::CENTER_TOP, vec2(0.0, 40.0)).show(ui.ctx(), |ui| {
            let field = TextEdit::singleline(&mut self.text)
                .hint_text("A command, or a question: why slow")
                .desired_width(420.0);
            let field = ui.add(field);
            if !std::mem::replace(&mut self.is_open, true) {
                field.request_focus();
            }
            if field.changed() {
                self.chosen = 0;
            }
            // One pass may have the last letters and Enter.
            let found = find(&self.text);
            self.chosen = self.chosen.min(found.commands.len().saturating_sub(1));
            if is_entered {
                run = found.commands.get(self.chosen).map(|(info, _)| info.command);
            }
            if found.commands.is_empty() {
                ui.weak("No command has any of these words in its name or description.");
            } else if !found.is_complete {
                ui.weak("No command has all of these words. These have the most of them:");
            }
            ScrollArea::vertical().max_height(LIST_HEIGHT).show(ui, |ui| {
                for (index, (info, phrase)) in found.commands.iter().enumerate() {
                    let row = row(ui, index == self.chosen, info, *phrase);
                    if is_moved && index == self.chosen {
                        row.scroll_to_me(None);
                    }
                    if row.clicked() {
                        run = Some(info.command);
                    }
                }
            });
        });
        if let Some(command) = run {
            state.sheet = None;
            state.run_by_name(command);
        }
    }

    /// Forgets the text, so that the palette starts anew.
    pub(crate) fn close(&mut self) {
        *self = Self::default();
    }
}

/// A row with the name and the keys of a command, and below them what it does, or the phrase by
/// which it was found.
fn row(ui: &mut Ui, is_chosen: bool, info: &CommandInfo, phrase: Option<&str>) -> Response {
    let keys = info.keys.first().map_or_else(String::new, |keys| format!("  ({keys})"));
    let mut text = LayoutJob::default();
    let [body, small] = [TextStyle::Body, TextStyle::Small].map(|style| style.resolve(ui.style()));
    let [strong, weak] = [ui.visuals().text_color(), ui.visuals().weak_text_color()];
    text.append(&format!("{}{keys}\n", info.name), 0.0, TextFormat::simple(body, strong));
    text.append(phrase.unwrap_or(info.help), 0.0, TextFormat::simple(small, weak));
    let row = ui.add(Button::selectable(is_chosen, text).min_size(vec2(ui.available_width(), 0.0)));
    let label = format!("{}{keys}", info.name);
    row.widget_info(|| WidgetInfo::selected(Role::Button, true, is_chosen, &label));
    row.on_hover_text(info.help)
}

#[cfg(test)]
mod tests {
    use egui::{Event, Key, Modifiers};
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable as _;

    use crate::panels::tests::{App, NESTED, app};

    /// Opens the palette, and types a text.
    fn ask(harness: &mut Harness<'_, App>, text: &str) {
        harness.key_press_modifiers(Modifiers::COMMAND, Key::K);
        harness.run();
        harness.event(Event::Text(text.to_owned()));
        harness.run();
    }

    #[test]
    fn a_question_shows_the_panel_that_answers_it() {
        let mut harness = app("");
        ask(&mut harness, "what takes long");
        harness.key_press(Key::Enter);
        harness.run();
        assert!(harness.state().state.layout.has_performance);
        ask(&mut harness, "why is the box large");
        harness.get_by_label("Step through the draw order  (O)");
    }

    #[test]
    fn a_panel_that_is_shown_stays() {
        let mut harness = app("");
        ask(&mut harness, "show inspector");
        harness.key_press(Key::Enter);
        harness.run();
        assert!(harness.state().state.layout.has_inspector);
        harness.get_by_label("This is on already. Press I to turn it off.");
        harness.key_press(Key::H);
        harness.run();
        ask(&mut harness, "show inspector");
        harness.key_press(Key::Enter);
        harness.run();
        let layout = harness.state().state.layout;
        assert!(layout.has_inspector && !layout.is_hidden);
    }

    #[test]
    fn words_that_no_command_has_are_reported() {
        let mut harness = app("");
        ask(&mut harness, "xylophones");
        harness.get_by_label("No command has any of these words in its name or description.");
        harness.event(Event::Text(" performance panel".to_owned()));
        harness.run();
        harness.get_by_label("No command has all of these words. These have the most of them:");
        harness.get_by_label("Show the performance panel  (S)");
    }

    #[test]
    fn the_sheet_has_the_keys_and_the_palette_runs_commands() {
        let mut harness = app(NESTED);
        harness.key_press_modifiers(Modifiers::SHIFT, Key::Questionmark);
        harness.run();
        harness.get_by_label("Show the drawing as large as fits.");
        harness.key_press(Key::Escape);
        harness.run();
        assert!(harness.query_by_label("Show the drawing as large as fits.").is_none());
        harness.key_press_modifiers(Modifiers::COMMAND, Key::K);
        harness.run();
        harness.event(Event::Text("next file".to_owned()));
        harness.run();
        harness.key_press(Key::Enter);
        harness.run();
        assert_eq!(harness.state().state.files.current(), 1);
        assert_eq!(harness.state().state.sheet, None);
    }

    #[test]
    fn letters_and_enter_in_one_pass_run_the_command_with_these_letters() {
        let mut harness = app(NESTED);
        harness.key_press_modifiers(Modifiers::COMMAND, Key::K);
        harness.run();
        let enter = Event::Key {
            key: Key::Enter,
            physical_key: None,
            pressed: true,
            repeat: false,
            modifiers: Modifiers::NONE,
        };
        harness.input_mut().events.extend([Event::Text("next file".to_owned()), enter]);
        harness.run();
        assert_eq!(harness.state().state.files.current(), 1);
    }
}
