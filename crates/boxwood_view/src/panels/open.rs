//! The sheet for opening files or for comparing with one, and the place where files can be dropped.

use std::path::PathBuf;

use egui::{
    Align2, Color32, FontId, Key, Response, ScrollArea, Stroke, StrokeKind, TextEdit, Ui, Window, vec2,
};

use super::style::HOVER;
use crate::state::{Request, Sheet, State};

/// The sheet.
#[derive(Debug, Default)]
pub(crate) struct Open {
    text: String,
    is_open: bool,
}

impl Open {
    /// Shows a field for a path, the button of the desktop's dialog, and the recent files.
    pub(crate) fn show(&mut self, ui: &Ui, sheet: Sheet, state: &mut State) {
        let mut request = None;
        let is_comparing = sheet == Sheet::Compare;
        let chosen = |path: PathBuf| match sheet {
            Sheet::Compare => Request::CompareWith(path),
            _ => Request::Open(vec![path]),
        };
        let title = if is_comparing { "Compare with a file" } else { "Open" };
        let hint = if is_comparing { "Path of a drawing" } else { "Path of a drawing or a folder" };
        let mut is_shown = true;
        let window = Window::new(title).open(&mut is_shown).collapsible(false).resizable(false);
        window.anchor(Align2::CENTER_TOP, vec2(0.0, 40.0)).show(ui.ctx(), |ui| {
            let is_entered = ui.horizontal(|ui| {
                let field = ui.add(TextEdit::singleline(&mut self.text).hint_text(hint).desired_width(400.0));
                if !std::mem::replace(&mut self.is_open, true) {
                    field.request_focus();
                }
                let is_entered = confirms(&field);
                if ui.button("Browse …").on_hover_text("Choose files in a dialog of the desktop.").clicked()
                {
                    request = Some(Request::Browse(sheet));
                }
                is_entered
            });
            if is_entered.inner && !self.text.trim().is_empty() {
                request = Some(chosen(typed(self.text.trim())));
            }
            if !state.recent.is_empty() {
                ui.add_space(6.0);
                ui.strong("Recent files");
            }
            ScrollArea::vertical().max_height(320.0).show(ui, |ui| {
                for path in &state.recent {
                    if ui.selectable_label(false, path.display().to_string()).clicked() {
                        request = Some(chosen(path.clone()));
                    }
                }
            });
        });
        if let Some(request) = request {
            state.request(request);
            is_shown = false;
        }
        if !is_shown {
            state.sheet = None;
        }
    }

    /// Forgets the text, so that the sheet starts anew.
    pub(crate) fn close(&mut self) {
        *self = Self::default();
    }
}

/// Whether Enter confirms the text of a field: there, or where no other widget has the focus, which
/// Enter would click. The field keeps the focus.
pub(super) fn confirms(field: &Response) -> bool {
    let is_free = field.ctx.memory(|memory| memory.focused().is_none());
    // Enter has taken the focus from the field.
    let is_entered = is_free && field.ctx.input(|input| input.key_pressed(Key::Enter));
    if is_entered {
        field.request_focus();
    }
    is_entered
}

/// A path as the user typed it. `~/` is the home folder.
pub(super) fn typed(text: &str) -> PathBuf {
    let home = || text.strip_prefix("~/").zip(std::env::home_dir());
    home().map_or_else(|| text.into(), |(rest, home)| home.join(rest))
}

/// Opens files that are dropped on the window, and shows where they can be dropped.
pub(super) fn take_dropped(ui: &Ui, state: &mut State) {
    let (is_over, dropped) = ui.input(|input| {
        let paths = input.raw.dropped_files.iter().map(|file| file.path().to_owned());
        (!input.raw.hovered_files.is_empty(), paths.collect::<Vec<_>>())
    });
    let (dropped, unnamed): (Vec<_>, Vec<_>) =
        dropped.into_iter().partition(|path| !path.as_os_str().is_empty());
    if !dropped.is_empty() {
        state.request(Request::Open(dropped));
    } else if !unnamed.is_empty() {
        state.fail_command("What was dropped has no path: drop files or folders.".to_owned());
    }
    if is_over {
        let area = ui.ctx().content_rect();
        let painter = ui.ctx().debug_painter();
        painter.rect_filled(area, 0.0, Color32::from_black_alpha(0xa0));
        painter.rect_stroke(area.shrink(8.0), 6.0, Stroke::new(3.0, HOVER), StrokeKind::Inside);
        let text = "Drop drawings or folders to open them";
        painter.text(area.center(), Align2::CENTER_CENTER, text, FontId::proportional(22.0), Color32::WHITE);
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use egui::{Event, Modifiers};
    use egui_kittest::kittest::Queryable as _;

    use super::*;
    use crate::commands::Command;
    use crate::panels::tests::app;

    #[derive(Debug)]
    struct Dropped(PathBuf);

    impl egui::DroppedFile for Dropped {
        fn path(&self) -> &Path {
            &self.0
        }

        fn bytes(&self) -> Result<Vec<u8>, String> {
            Err("the window reads files itself".to_owned())
        }
    }

    #[test]
    fn a_path_is_typed_or_one_of_the_recent_files_is_clicked() {
        let mut harness = app("");
        harness.key_press_modifiers(Modifiers::COMMAND, Key::O);
        harness.run();
        harness.event(Event::Text(" /tmp/a b.svg ".to_owned()));
        harness.run();
        harness.key_press(Key::Enter);
        harness.run();
        let state = &mut harness.state_mut().state;
        assert_eq!(state.take_requests(), [Request::Open(vec!["/tmp/a b.svg".into()])]);
        assert_eq!(state.sheet, None);

        state.recent = vec!["/c.svg".into(), "/d.svg".into()];
        state.run(Command::OpenFiles);
        harness.run();
        harness.get_by_label("/d.svg").click();
        harness.run();
        assert_eq!(harness.state_mut().state.take_requests(), [Request::Open(vec!["/d.svg".into()])]);

        harness.state_mut().state.run(Command::OpenFiles);
        harness.run();
        harness.get_by_label("Browse …").click();
        harness.run();
        assert_eq!(harness.state_mut().state.take_requests(), [Request::Browse(Sheet::Open)]);
        harness.state_mut().state.run(Command::OpenFiles);
        harness.run();
        harness.key_press(Key::Escape);
        harness.run();
        assert_eq!(harness.state().state.sheet, None::<Sheet>);

        harness.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::D);
        harness.run();
        harness.get_by_label("/c.svg").click();
        harness.run();
        assert_eq!(harness.state_mut().state.take_requests(), [Request::CompareWith("/c.svg".into())]);
    }

    #[test]
    fn enter_clicks_the_widget_with_the_focus() {
        let mut harness = app("");
        harness.state_mut().state.recent = vec!["/c.svg".into()];
        for (label, request) in
            [("/c.svg", Request::Open(vec!["/c.svg".into()])), ("Browse …", Request::Browse(Sheet::Open))]
        {
            harness.state_mut().state.run(Command::OpenFiles);
            harness.run();
            harness.event(Event::Text("/typed.svg".to_owned()));
            harness.run();
            harness.get_by_label(label).focus();
            harness.run();
            harness.key_press(Key::Enter);
            harness.run();
            assert_eq!(harness.state_mut().state.take_requests(), [request]);
        }
    }

    #[test]
    fn dropped_files_are_opened_together() {
        let mut harness = app("");
        let files = ["/a.svg", "/folder"].map(PathBuf::from);
        for file in &files {
            harness.input_mut().dropped_files.push(Arc::new(Dropped(file.clone())));
        }
        harness.run();
        assert_eq!(harness.state_mut().state.take_requests(), [Request::Open(files.to_vec())]);
        harness.input_mut().dropped_files.push(Arc::new(Dropped(PathBuf::new())));
        harness.run();
        assert!(harness.state_mut().state.take_requests().is_empty());
        harness.get_by_label_contains("has no path");
    }

    #[test]
    fn the_home_folder_has_a_short_name() {
        assert_eq!(typed("/a/~/b"), PathBuf::from("/a/~/b"));
        if let Some(home) = std::env::home_dir() {
            assert_eq!(typed("~/b.svg"), home.join("b.svg"));
        }
    }
}
