//! The list of files, with thumbnails.

use std::collections::HashMap;
use std::path::MAIN_SEPARATOR;

use egui::text::LayoutJob;
use egui::{
    Color32, ColorImage, Context, Painter, Response, Role, ScrollArea, Sense, TextEdit, TextureHandle,
    TextureOptions, Ui, WidgetInfo, pos2, vec2,
};

use super::style::SELECTION;
use crate::state::{FileName, Request, State};

/// The maximum width and height of a thumbnail, in pixels.
pub(crate) const THUMBNAIL_SIDE: u32 = 96;

/// The width and height of the place for a thumbnail, in logical pixels: half a thumbnail, which
/// is sharp with two pixels per logical pixel.
const PLACE: f32 = THUMBNAIL_SIDE as f32 / 2.0;

/// At most this many thumbnails are kept: 18 MiB of them.
const MAX_THUMBNAILS: usize = 512;

/// The list of files.
#[derive(Default)]
pub(crate) struct Files {
    text: String,
    /// The thumbnails by the paths of their files. `None` for a file that cannot be drawn.
    thumbnails: HashMap<String, Option<TextureHandle>>,
    /// The rows whose thumbnails were last asked for.
    asked: Vec<usize>,
    /// The file that was last seen to be the current one.
    shown: Option<usize>,
}

impl Files {
    /// Keeps the thumbnail of a file.
    pub(crate) fn add_thumbnail(&mut self, ctx: &Context, path: String, image: Option<ColorImage>) {
        if self.thumbnails.len() >= MAX_THUMBNAILS {
            self.thumbnails.clear();
            self.asked.clear();
        }
        let texture = image.map(|image| ctx.load_texture("thumbnail", image, TextureOptions::LINEAR));
        self.thumbnails.insert(path, texture);
    }

    /// Forgets the thumbnails of files that have changed.
    pub(crate) fn forget(&mut self, has_changed: impl Fn(&str) -> bool) {
        self.thumbnails.retain(|path, _| !has_changed(path));
        self.asked.clear();
    }

    pub(crate) fn show(&mut self, ui: &mut Ui, state: &mut State) {
        ui.heading("Files");
        let field = TextEdit::singleline(&mut self.text).hint_text("Search").desired_width(f32::INFINITY);
        ui.add(field).widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Search files"));
        let found = state.files.matching(&self.text);
        let n_files = state.files.names().len();
        ui.weak(if found.len() == n_files {
            count(n_files)
        } else {
            format!("{} of {n_files}", found.len())
        });
        let height = PLACE + 4.0;
        let mut area = ScrollArea::vertical().auto_shrink(false);
        let current = found.iter().position(|index| *index == state.files.current());
        if self.shown != Some(state.files.current()) {
            self.shown = Some(state.files.current());
            let row_height = height + ui.spacing().item_spacing.y;
            let middle = (ui.available_height() - row_height) / 2.0;
            #[expect(clippy::cast_precision_loss, reason = "egui computes in f32")]
            let offset = current.map(|row| (row as f32 * row_height - middle).max(0.0));
            area = offset.into_iter().fold(area, ScrollArea::vertical_scroll_offset);
        }
        area.show_rows(ui, height, found.len(), |ui, rows| {
            let seen = &found[rows];
            self.ask(seen, state);
            for index in seen {
                self.row(ui, height, *index, state);
            }
        });
    }

    /// Asks for the thumbnails of rows that are seen, unless they are there.
    fn ask(&mut self, seen: &[usize], state: &mut State) {
        if self.asked != seen {
            self.asked = seen.to_vec();
            let names = state.files.names();
            let is_missing = |index: &usize| !self.thumbnails.contains_key(&names[*index].path);
            let missing: Vec<_> = seen.iter().copied().filter(is_missing).collect();
            state.request(Request::Thumbnails(missing));
        }
    }

    /// Shows a row, which shows its file or compares with it.
    fn row(&self, ui: &mut Ui, height: f32, index: usize, state: &mut State) {
        let response = self.paint_row(ui, height, index, state);
        // Enter and the space bar click a row that has the focus.
        let mut is_compared = response.clicked() && ui.input(|input| input.modifiers.shift);
        if response.clicked() && !is_compared {
            state.go_to(index);
        }
        response.context_menu(|ui| is_compared |= ui.button("Compare with this file").clicked());
        if is_compared {
            state.request(Request::CompareWithListed(index));
        }
    }

    fn paint_row(&self, ui: &mut Ui, height: f32, index: usize, state: &State) -> Response {
        let file = &state.files.names()[index];
        let is_current = index == state.files.current();
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click());
        response.widget_info(|| WidgetInfo::selected(Role::Button, true, is_current, file.in_list()));
        let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
        let visuals = ui.visuals();
        if is_current {
            painter.rect_filled(rect, 3.0, visuals.selection.bg_fill);
            let mark = egui::Rect::from_min_max(rect.min, pos2(rect.left() + 3.0, rect.bottom()));
            painter.rect_filled(mark, 0.0, SELECTION);
        } else if response.hovered() || response.has_focus() {
            painter.rect_filled(rect, 3.0, visuals.widgets.hovered.bg_fill);
        }
        let place = egui::Rect::from_min_size(rect.min + vec2(6.0, 2.0), vec2(PLACE, PLACE));
        match self.thumbnails.get(&file.path) {
            Some(Some(texture)) => {
                let size = texture.size_vec2() * (PLACE / texture.size_vec2().max_elem());
                let whole = egui::Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
                let at = egui::Rect::from_center_size(place.center(), size);
                painter.image(texture.id(), at, whole, Color32::WHITE);
            }
            Some(None) => {
                let stroke = egui::Stroke::new(1.0, visuals.weak_text_color());
                painter.line_segment([place.left_top(), place.right_bottom()], stroke);
                painter.rect_stroke(place, 0.0, stroke, egui::StrokeKind::Inside);
            }
            None => _ = painter.rect_filled(place, 2.0, visuals.extreme_bg_color),
        }
        let left = place.right() + 8.0;
        paint_name(ui, &painter, file, egui::Rect::from_min_max(pos2(left, rect.top()), rect.max));
        response.on_hover_text(format!("{}\nShift+click compares with this file.", file.path))
    }
}

/// Paints the name of a file, and below it the end of its folder.
fn paint_name(ui: &Ui, painter: &Painter, file: &FileName, area: egui::Rect) {
    let font = |style: egui::TextStyle| style.resolve(ui.style());
    let (color, weak) = (ui.visuals().text_color(), ui.visuals().weak_text_color());
    let width = area.width() - 4.0;
    let mut name = LayoutJob::simple(file.name.clone(), font(egui::TextStyle::Body), color, width);
    let small = |text: &str| painter.layout_no_wrap(text.to_owned(), font(egui::TextStyle::Small), weak);
    let folder = (!file.folder.is_empty())
        .then(|| small(&end_that_fits(&file.folder, width, |text| small(text).size().x)));
    name.wrap.max_rows = if folder.is_some() { 1 } else { usize::MAX };
    let name = painter.layout_job(name);
    let total = name.size().y + folder.as_ref().map_or(0.0, |folder| folder.size().y);
    let at = pos2(area.left(), area.center().y - total.min(area.height()) / 2.0);
    let below = at + vec2(0.0, name.size().y);
    painter.galley(at, name, color);
    folder.into_iter().for_each(|folder| painter.galley(below, folder, weak));
}

/// The end of a path that fits into a width: whole folders if possible.
fn end_that_fits(path: &str, width: f32, width_of: impl Fn(&str) -> f32) -> String {
    if width_of(path) <= width {
        return path.to_owned();
    }
    let folders = path.match_indices(MAIN_SEPARATOR).map(|(at, _)| &path[at..]);
    let characters = path.char_indices().map(|(at, _)| &path[at..]);
    let ends = folders.chain(characters).map(|end| format!("…{end}"));
    ends.into_iter().find(|end| width_of(end) <= width).unwrap_or_else(|| "…".to_owned())
}

fn count(n_files: usize) -> String {
    if n_files == 1 { "1 file".to_owned() } else { format!("{n_files} files") }
}

#[cfg(test)]
mod tests {
    use egui_kittest::kittest::Queryable as _;

    use super::*;
    use crate::commands::Command;
    use crate::panels::tests::app;
    use crate::state::{FileList, Step};

    fn file(folder: &str, name: &str) -> FileName {
        FileName { name: name.to_owned(), folder: folder.to_owned(), path: format!("{folder}/{name}") }
    }

    #[test]
    fn a_row_has_the_folder_of_its_file_whose_end_is_shown() {
        let mut harness = app("");
        let deep = "a long path/of many folders/that do not fit/icons";
        harness.state_mut().state.files =
            FileList::new(vec![file("", "a.svg"), file(deep, "a.svg"), file("b", "a.svg")], 0);
        harness.state_mut().state.run(Command::ToggleFiles);
        harness.run();
        harness.get_by_label(&format!("{deep}/a.svg"));
        harness.get_by_label("Search files").focus();
        harness.run();
        harness.event(egui::Event::Text("icons".to_owned()));
        harness.run_steps(12);
        harness.get_by_label("1 of 3");
        let width = |text: &str| text.chars().count() as f32;
        assert_eq!(end_that_fits("icons", 5.0, width), "icons");
        assert_eq!(end_that_fits(deep, 24.0, width), "…/that do not fit/icons");
        assert_eq!(end_that_fits(deep, 4.0, width), "…ons");
        assert_eq!(end_that_fits(deep, 0.0, width), "…");
    }

    #[test]
    fn the_list_is_searched_and_a_click_shows_a_file() {
        let mut harness = app("");
        let name = |i| file("", &format!("file {i}.svg"));
        harness.state_mut().state.files = FileList::new((0..2000).map(name).collect(), 0);
        harness.state_mut().state.run(Command::ToggleFiles);
        harness.run();
        let seen = harness.query_all_by_label_contains("file ").count();
        assert!((5..40).contains(&seen), "{seen} of 2000 rows are laid out");
        let requests = harness.state_mut().state.take_requests();
        assert!(matches!(&requests[..], [Request::Thumbnails(files)] if files.len() == seen), "{requests:?}");

        harness.get_by_label("Search files").focus();
        harness.run();
        harness.event(egui::Event::Text("199".to_owned()));
        // The bar of the scroll area fades.
        harness.run_steps(12);
        harness.get_by_label("12 of 2000");
        harness.get_by_label("file 1994.svg").click();
        harness.run_steps(12);
        let state = &mut harness.state_mut().state;
        assert_eq!(state.file_name(), "file 1994.svg");
        assert!(state.take_requests().contains(&Request::Load));
    }

    #[test]
    fn a_file_of_the_list_is_compared_by_the_keyboard_or_by_a_menu() {
        let mut harness = app("");
        harness.state_mut().state.run(Command::ToggleFiles);
        harness.run();
        _ = harness.state_mut().state.take_requests();
        harness.get_by_label("1.svg").focus();
        harness.run();
        harness.key_press_modifiers(egui::Modifiers::SHIFT, egui::Key::Enter);
        harness.run();
        let state = &mut harness.state_mut().state;
        assert_eq!(state.take_requests(), [Request::CompareWithListed(1)]);
        assert_eq!(state.files.current(), 0);
        harness.get_by_label("1.svg").click_secondary();
        harness.run();
        harness.get_by_label("Compare with this file").click();
        harness.run();
        assert_eq!(harness.state_mut().state.take_requests(), [Request::CompareWithListed(1)]);
    }

    #[test]
    fn the_list_scrolls_to_the_current_file_and_keeps_thumbnails() {
        let mut harness = app("");
        let name = |i| file("", &format!("file {i}.svg"));
        harness.state_mut().state.files = FileList::new((0..100).map(name).collect(), 0);
        harness.state_mut().state.run(Command::ToggleFiles);
        harness.run();
        assert!(harness.query_by_label("file 99.svg").is_none());
        harness.state_mut().state.run(Command::Go(Step::Last));
        // The bar of the scroll area fades.
        harness.run_steps(12);
        harness.get_by_label("file 99.svg");
        _ = harness.state_mut().state.take_requests();

        let context = harness.ctx.clone();
        let image = ColorImage::filled([96, 10], Color32::RED);
        let app = harness.state_mut();
        app.panels.files.add_thumbnail(&context, "/file 99.svg".to_owned(), Some(image));
        app.panels.files.add_thumbnail(&context, "/file 98.svg".to_owned(), None);
        app.panels.files.forget(|path| path == "/file 97.svg");
        harness.run();
        let requests = harness.state_mut().state.take_requests();
        let [Request::Thumbnails(files)] = &requests[..] else { panic!("{requests:?}") };
        assert!(files.contains(&97) && !files.contains(&98) && !files.contains(&99), "{files:?}");
    }
}
