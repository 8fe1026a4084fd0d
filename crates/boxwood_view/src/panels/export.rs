//! The sheet for exporting into a file of any name.

use std::ffi::OsStr;
use std::path::{Path, PathBuf, is_separator};

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
    /// The path of the file. A relative one starts in the folder of `suggested`.
    text: String,
    /// The path next to the drawing.
    suggested: PathBuf,
    /// What this path was requested for: the export, and the version of the model.
    requested: Option<(Export, u64)>,
    /// The file that this path is for.
    file: String,
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
            if let Some(before) = self.chosen.replace(chosen) {
                self.change_extension(before, chosen);
            }
            let wanted = (chosen, state.model_version());
            if self.requested.replace(wanted) != Some(wanted) {
                request = Some(Request::SuggestPath(chosen));
            }
            if let Some((_, path)) = state.suggested_path.take_if(|(export, _)| *export == chosen) {
                self.suggest(path, &state.files.names()[state.files.current()].path);
            }
            ui.horizontal(|ui| {
                let field = ui.add(TextEdit::singleline(&mut self.text).desired_width(400.0));
                field.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Path"));
                if !std::mem::replace(&mut self.is_open, true) {
                    field.request_focus();
                }
                let is_entered = confirms(&field);
                let path = self.path();
                let is_saved = ui.button("Save").on_hover_text("Save into a new file.").clicked();
                if is_saved || is_entered {
                    request = Some(Request::Export(chosen, Target::New, Some(path.clone())));
                }
                let tip = "Choose the file in a dialog of the desktop, which can replace a file.";
                if ui.button("Browse …").on_hover_text(tip).clicked() {
                    request = Some(Request::BrowseToSave(chosen, path));
                }
            });
            let path = self.path();
            ui.weak(chosen.with_extension(&path).unwrap_or(path).display().to_string());
        });
        if let Some(request) = request {
            state.request(request);
        }
        if !is_shown {
            state.sheet = None;
        }
    }

    /// The whole path of the file. An empty text, and that of a folder, stand for the suggested
    /// name there.
    fn path(&self) -> PathBuf {
        let text = self.text.trim();
        let path = self.suggested.parent().unwrap_or(Path::new("")).join(typed(text));
        match self.suggested.file_name() {
            Some(name) if text.is_empty() || text.ends_with(is_separator) => path.join(name),
            _ => path,
        }
    }

    /// Whether the user has changed the suggested path.
    fn is_edited(&self) -> bool {
        self.text != self.suggested.display().to_string()
    }

    /// Takes a suggestion for a file. A path that the user has changed stays unless it was for
    /// another file.
    fn suggest(&mut self, path: PathBuf, file: &str) {
        let is_replaced = self.file != file || !self.is_edited();
        self.suggested = path;
        if is_replaced {
            self.text = self.suggested.display().to_string();
            file.clone_into(&mut self.file);
        }
    }

    /// Gives a path that the user has changed the extension of another format.
    fn change_extension(&mut self, before: Export, now: Export) {
        let ([_, before], [_, now]) = (before.format(), now.format());
        let is_before = |own: &OsStr| own.eq_ignore_ascii_case(before);
        if self.is_edited() && Path::new(&self.text).extension().is_some_and(is_before) {
            self.text = Path::new(&self.text).with_extension(now).display().to_string();
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
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable as _;

    use super::*;
    use crate::panels::tests::{App, app};
    use crate::state::Sheet;
    use boxwood_cli::BoxFormat;

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
    /// The sheet with a suggestion, and a text that the user has typed.
    fn sheet_with(text: &str) -> ExportAs {
        let mut sheet = ExportAs::default();
        sheet.suggest("/f/0-boxes.png".into(), "/f/0.svg");
        text.clone_into(&mut sheet.text);
        sheet
    }

    #[test]
    fn a_text_without_a_name_stands_for_the_suggested_one() {
        for (text, path) in [
            ("", "/f/0-boxes.png"),
            (" sub/ ", "/f/sub/0-boxes.png"),
            ("/tmp/", "/tmp/0-boxes.png"),
            ("sub/a", "/f/sub/a"),
        ] {
            assert_eq!(sheet_with(text).path(), Path::new(path), "{text}");
        }
    }

    #[test]
    fn another_format_changes_only_the_extension_of_a_path_that_was_typed() {
        let svg = Export::Boxes(BoxFormat::Svg);
        for (text, changed) in [("sub/a.png", "sub/a.svg"), ("a.v2", "a.v2"), ("a", "a"), ("", "")] {
            let mut sheet = sheet_with(text);
            sheet.change_extension(Export::Picture, svg);
            sheet.suggest("/f/0-boxes.svg".into(), "/f/0.svg");
            assert_eq!(sheet.text, changed);
        }
        let mut sheet = sheet_with("/f/0-boxes.png");
        sheet.suggest("/f/0-boxes.svg".into(), "/f/0.svg");
        assert_eq!(sheet.text, "/f/0-boxes.svg", "it was not typed");
    }

    #[test]
    fn another_file_gets_a_path_of_its_own_and_another_version_keeps_the_typed_one() {
        let mut harness = app("");
        harness.key_press_modifiers(Modifiers::COMMAND, Key::E);
        harness.run();
        let suggest = |harness: &mut Harness<'_, App>, path: &str| {
            let state = &mut harness.state_mut().state;
            assert_eq!(state.take_requests(), [Request::SuggestPath(Export::PictureWithBoxes)]);
            state.suggested_path = Some((Export::PictureWithBoxes, path.into()));
            harness.run();
        };
        suggest(&mut harness, "/f/0-boxes.png");
        "typed".clone_into(&mut harness.state_mut().panels.export.text);
        let show = |harness: &mut Harness<'_, App>| {
            let app = harness.state_mut();
            app.state.replace_model(None, &app.model);
            app.state.show(app.model.drawing.size, None);
            harness.run();
        };
        show(&mut harness);
        suggest(&mut harness, "/f/0-boxes-2.png");
        harness.get_by_label("/f/typed.png");
        harness.state_mut().state.go_to(1);
        harness.state_mut().state.take_requests();
        show(&mut harness);
        suggest(&mut harness, "/g/1-boxes.png");
        assert_eq!(harness.state().panels.export.text, "/g/1-boxes.png");
    }
}
