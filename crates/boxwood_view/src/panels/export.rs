//! The sheet for exporting into a file of any name.

use std::path::{Path, PathBuf};

use egui::{Align2, Role, TextEdit, Ui, WidgetInfo, Window, vec2};

use super::open::{confirms, typed};
use crate::commands::Command;
use crate::export::{Export, Target};
use crate::state::{Request, State};

/// The sheet.
#[derive(Debug, Default)]
pub(crate) struct ExportAs {
    /// What is exported.
    chosen: Option<Export>,
    /// The path of the file. A relative one starts in `folder`.
    text: String,
    /// The folder of the drawing.
    folder: PathBuf,
    is_open: bool,
}

impl ExportAs {
    /// Shows what can be exported, a field for the path, and the button of the desktop's dialog.
    /// The window closes the sheet once the file is written.
    pub(crate) fn show(&mut self, ui: &Ui, state: &mut State) {
        let mut is_shown = true;
        let mut request = None;
        let window = Window::new("Save as").open(&mut is_shown).collapsible(false).resizable(false);
        window.anchor(Align2::CENTER_TOP, vec2(0.0, 40.0)).show(ui.ctx(), |ui| {
            let mut chosen = self.chosen.unwrap_or(Export::ALL[0]);
            for export in Export::ALL {
                let info = Command::Export(export).info();
                let name = info.name.trim_start_matches("Export the ");
                ui.radio_value(&mut chosen, export, capitalized(name)).on_hover_text(info.help);
            }
            if self.chosen.replace(chosen) != Some(chosen) {
                request = Some(Request::SuggestPath(chosen));
            }
            if let Some((_, path)) = state.suggested_path.take_if(|(export, _)| *export == chosen) {
                self.text = path.display().to_string();
                self.folder = path.parent().map(Path::to_owned).unwrap_or_default();
            }
            ui.horizontal(|ui| {
                let field = ui.add(TextEdit::singleline(&mut self.text).desired_width(400.0));
                field.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Path"));
                if !std::mem::replace(&mut self.is_open, true) {
                    field.request_focus();
                }
                let is_entered = confirms(&field);
                let path = self.folder.join(typed(self.text.trim()));
                let is_saved = ui.button("Save").on_hover_text("Save into a new file.").clicked();
                if (is_saved || is_entered) && !self.text.trim().is_empty() {
                    request = Some(Request::Export(chosen, Target::New, Some(path.clone())));
                }
                let tip = "Choose the file in a dialog of the desktop, which can replace a file.";
                if ui.button("Browse …").on_hover_text(tip).clicked() {
                    request = Some(Request::BrowseToSave(chosen, path));
                }
            });
            let path = self.folder.join(typed(self.text.trim()));
            ui.weak(chosen.with_extension(&path).unwrap_or(path).display().to_string());
        });
        if let Some(request) = request {
            state.request(request);
        }
        if !is_shown {
            state.sheet = None;
        }
    }

    /// Forgets the path, so that the sheet starts anew.
    pub(crate) fn close(&mut self) {
        *self = Self::default();
    }
}

fn capitalized(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::slice;

    use egui::{Key, Modifiers};
    use egui_kittest::kittest::Queryable as _;

    use super::*;
    use crate::export::BoxFormat;
    use crate::panels::tests::app;
    use crate::state::Sheet;

    #[test]
    fn an_export_and_its_path_are_chosen() {
        let mut harness = app("");
        harness.key_press_modifiers(Modifiers::COMMAND, Key::E);
        harness.run();
        assert_eq!(harness.state().state.sheet, Some(Sheet::Export));
        harness.get_by_label("Boxes as SVG").click();
        harness.run();
        let svg = Export::Boxes(BoxFormat::Svg);
        let path = PathBuf::from("/f/0-boxes-2.svg");
        let state = &mut harness.state_mut().state;
        let first = Request::SuggestPath(Export::PictureWithBoxes);
        assert_eq!(state.take_requests(), [first, Request::SuggestPath(svg)]);
        state.suggested_path = Some((svg, path.clone()));
        harness.run();
        harness.get_by_label("Save").click();
        harness.run();
        let state = &mut harness.state_mut().state;
        assert_eq!(state.take_requests(), [Request::Export(svg, Target::New, Some(path.clone()))]);
        assert_eq!(state.sheet, Some(Sheet::Export), "the file may not be written");
        harness.get_by_label("Browse …").click();
        harness.run();
        let browse = Request::BrowseToSave(svg, path);
        assert_eq!(harness.state_mut().state.take_requests(), slice::from_ref(&browse));
        harness.get_by_label("Browse …").focus();
        harness.run();
        harness.key_press(Key::Enter);
        harness.run();
        assert_eq!(harness.state_mut().state.take_requests(), [browse], "Enter clicks the button");
        harness.get_by_label("View").click();
        harness.run();
        assert_eq!(harness.state_mut().state.take_requests(), [Request::SuggestPath(Export::View)]);
        harness.get_by_label("Path").focus();
        harness.run();
        harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
        harness.run();
        harness.event(egui::Event::Text("/tmp/my view.png".to_owned()));
        harness.run();
        harness.key_press(Key::Enter);
        harness.run();
        let typed = Some(PathBuf::from("/tmp/my view.png"));
        let request = Request::Export(Export::View, Target::New, typed);
        assert_eq!(harness.state_mut().state.take_requests(), slice::from_ref(&request));
        harness.key_press(Key::Enter);
        harness.run();
        assert_eq!(harness.state_mut().state.take_requests(), [request], "the field keeps the focus");
        harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
        harness.event(egui::Event::Text("pictures/a".to_owned()));
        harness.run();
        harness.get_by_label("/f/pictures/a.png");
        harness.key_press(Key::Enter);
        harness.run();
        let path = Some(PathBuf::from("/f/pictures/a"));
        let request = Request::Export(Export::View, Target::New, path);
        assert_eq!(
            harness.state_mut().state.take_requests(),
            [request],
            "it is in the folder of the drawing"
        );
    }
}
