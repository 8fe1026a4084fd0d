//! The tree of the sources, with a filter.

mod row;
mod rows;
#[cfg(test)]
mod tests;

use egui::{ComboBox, RichText, ScrollArea, TextEdit, Ui, vec2};

use super::style;
use crate::model::{Filter, KindFilter, Model};
use crate::state::State;
use rows::Rows;

/// The tree.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    filter: Filter,
    rows: Rows,
    /// The selected source that the tree was last scrolled to.
    revealed: Option<u32>,
}

impl Tree {
    pub(crate) fn show(&mut self, ui: &mut Ui, model: Option<&Model>, state: &mut State) {
        ui.heading("Tree");
        let Some(model) = model else {
            ui.weak("There is no drawing yet.");
            return;
        };
        self.filter(ui);
        self.rows.update(model, state.model_version(), &self.filter);
        if let Some(error) = &self.rows.error {
            ui.label(RichText::new(error).color(style::ERROR));
        }
        if !self.filter.is_empty() {
            ui.weak(format!("{} of {}", self.rows.n_matches, model.sources().len()));
        }
        self.scroll(ui, model, state);
    }

    /// The source `steps` rows below a source. Without a source, the first or the last row.
    pub(crate) fn neighbour(&self, of: Option<u32>, steps: isize) -> Option<u32> {
        let list = &self.rows.list;
        let position = of.and_then(|source| list.binary_search(&source).ok());
        match position {
            Some(position) => list.get(position.checked_add_signed(steps)?).copied(),
            None if steps > 0 => list.first().copied(),
            None => list.last().copied(),
        }
    }

    fn filter(&mut self, ui: &mut Ui) {
        let Filter { text, is_selector, kind } = &mut self.filter;
        let hint = if *is_selector { "CSS selector, such as g > rect" } else { "tag, id, or class" };
        let field = TextEdit::singleline(text).hint_text(hint).desired_width(f32::INFINITY);
        ui.add(field).widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Filter"));
        ui.horizontal(|ui| {
            ui.checkbox(is_selector, "selector");
            let combo = ComboBox::from_id_salt("kind").selected_text(kind.title()).width(96.0);
            let response = combo.show_ui(ui, |ui| {
                for choice in KindFilter::ALL {
                    ui.selectable_value(kind, choice, choice.title());
                }
            });
            response
                .response
                .widget_info(|| egui::WidgetInfo::labeled(egui::Role::ComboBox, true, "Kind of element"));
        });
    }

    /// Shows the visible rows.
    #[expect(clippy::cast_precision_loss, reason = "egui computes in f32")]
    fn scroll(&mut self, ui: &mut Ui, model: &Model, state: &mut State) {
        let height = row::height(ui);
        ui.spacing_mut().item_spacing = vec2(0.0, 0.0);
        let mut area = ScrollArea::vertical().auto_shrink(false);
        if self.revealed != state.selected {
            self.revealed = state.selected;
            if let Some(position) = state.selected.and_then(|selected| self.rows.reveal(selected, model)) {
                // The row is in the middle, so that what is around it can be seen.
                let top = position as f32 * height - ui.available_height() / 2.0;
                if !self.is_in_view(position, height) {
                    area = area.vertical_scroll_offset(top.max(0.0));
                }
            }
        }
        let mut action = None;
        let output = area.show_rows(ui, height, self.rows.list.len(), |ui, range| {
            for &source in &self.rows.list[range] {
                let look = row::Look {
                    is_expanded: self.rows.is_expanded(source),
                    is_match: self.rows.is_match(source),
                };
                action = row::show(ui, model, source, &look, state).or(action.take());
            }
        });
        let top = output.state.clamped_offset().y;
        self.rows.in_view = top..top + output.inner_rect.height();
        match action {
            Some(row::Action::Toggle(source)) => self.rows.toggle(source),
            Some(row::Action::Select(source)) => {
                state.selected = Some(source);
                self.revealed = Some(source);
            }
            Some(row::Action::Hide(source)) => state.readability.hidden.toggle(source),
            None => {}
        }
    }

    /// Whether a row was in view in the last pass.
    #[expect(clippy::cast_precision_loss, reason = "egui computes in f32")]
    fn is_in_view(&self, position: usize, height: f32) -> bool {
        let top = position as f32 * height;
        self.rows.in_view.start <= top && top + height <= self.rows.in_view.end
    }
}
