//! The panels of the window, and the picture between them.
//!
//! A panel is a plain struct with a method `show`, which draws it into an [`egui::Ui`], reads the
//! [`Model`], and changes the [`State`]. Panels have no globals, no threads, and no files.

mod canvas;
mod display;
mod element_commands;
mod export;
mod files;
mod help;
mod inspector;
mod open;
mod order;
mod palette;
mod performance;
mod progress;
mod status;
mod style;
#[cfg(test)]
mod tests;
mod toast;
mod tree;

use egui::{Context, FocusDirection, Key, Modifiers, Panel, Ui, UiBuilder};

use crate::commands::{Command, Focus, pressed};
use crate::data_views::DataPicture;
use crate::model::{Details, Model};
use crate::performance::Performance;
use crate::state::{Sheet, State};
pub(crate) use canvas::{ComparedPictures, LinedPicture, Picture, pixels};
pub(crate) use files::THUMBNAIL_SIDE;
pub(crate) use style::set_up;

/// The facts that the panels show. Nothing of them changes during a pass.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Facts<'a> {
    /// The drawing. `None` while there is none.
    pub(crate) model: Option<&'a Model>,
    /// The details of a source, which may no longer be the selected one.
    pub(crate) details: Option<&'a Details>,
    /// The picture of the current view of the data, or of an earlier one.
    pub(crate) data: Option<&'a DataPicture>,
    pub(crate) performance: Option<&'a Performance>,
}

/// All panels.
#[derive(Default)]
pub(crate) struct Panels {
    pub(crate) canvas: canvas::Canvas,
    display: display::Display,
    export: export::ExportAs,
    pub(crate) files: files::Files,
    inspector: inspector::Inspector,
    open: open::Open,
    performance: performance::PerformancePanel,
    status: status::Status,
    palette: palette::Palette,
    tree: tree::Tree,
    progress: progress::Progress,
    /// Whether a widget had the keyboard focus at the end of the last pass.
    had_focus: bool,
    /// Whether the panels have been shown before.
    is_laid_out: bool,
}

/// In a window that is narrower at first, the panels at the sides are hidden, because they would
/// leave too little room for the picture. In logical pixels.
const MIN_WIDTH_FOR_SIDES: f32 = 900.0;

impl Panels {
    /// Runs the commands whose keys are pressed, and shows everything.
    pub(crate) fn show(&mut self, ui: &mut Ui, facts: Facts<'_>, state: &mut State) {
        let is_narrow = ui.available_width() < MIN_WIDTH_FOR_SIDES;
        if !std::mem::replace(&mut self.is_laid_out, true) {
            if is_narrow {
                state.layout.has_tree = false;
                state.layout.has_inspector = false;
            }
            // egui knows the height of the status bar only after its first pass. That pass is
            // discarded, so that it does not place the view.
            ui.ctx().request_discard("the status bar has no height yet");
        }
        // egui takes the focus from a widget before this. Esc does no more then, because it could
        // close the window unexpectedly.
        if self.had_focus && state.sheet.is_none() {
            ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape));
        }
        take_keys(ui.ctx(), facts.model, state);
        if let Some(model) = facts.model {
            element_commands::run(ui.ctx(), model, &self.tree, state);
        }
        let layout = state.layout;
        if layout.has_legend && !layout.is_hidden {
            Panel::bottom("status").show(ui, |ui| self.status.show(ui, state));
        }
        if layout.has_files && !layout.is_hidden {
            let panel = Panel::left("files").default_size(200.0).size_range(140.0..=600.0);
            show_fixed(panel, ui, |ui| self.files.show(ui, state));
        }
        if let (Some(model), Some(element)) = (facts.model, state.draw_order.element) {
            Panel::bottom("order").show(ui, |ui| order::show(ui, model, element, state));
        }
        if layout.has_tree && !layout.is_hidden {
            let panel = Panel::left("tree").default_size(230.0).size_range(140.0..=600.0);
            show_fixed(panel, ui, |ui| self.tree.show(ui, facts.model, state));
        }
        if layout.has_performance && !layout.is_hidden {
            let panel =
                Panel::bottom("performance").default_size(260.0).size_range(100.0..=600.0).resizable(true);
            show_fixed(panel, ui, |ui| self.performance.show(ui, facts, state));
        }
        if layout.has_inspector && !layout.is_hidden {
            let panel = Panel::right("inspector").default_size(300.0).size_range(200.0..=600.0);
            show_fixed(panel, ui, |ui| self.inspector.show(ui, facts, state));
        }
        if layout.has_display && !layout.is_hidden {
            let panel = Panel::right("display").default_size(280.0).size_range(200.0..=500.0);
            show_fixed(panel, ui, |ui| self.display.show(ui, facts, state));
        }
        if let Some(model) = facts.model {
            state.readability.update(model, state.selected, state.draw_order.element);
        }
        let area = self.canvas.show(ui, facts, state);
        toast::show(ui, state);
        self.progress.show(ui, area, state);
        open::take_dropped(ui, state);
        let sheet = state.sheet;
        if sheet != Some(Sheet::Palette) {
            self.palette.close();
        }
        if !matches!(sheet, Some(Sheet::Open | Sheet::Compare)) {
            self.open.close();
        }
        if sheet != Some(Sheet::Export) {
            self.export.close();
        }
        match sheet {
            Some(Sheet::Help) => help::show(ui, state),
            Some(Sheet::Palette) => self.palette.show(ui, state),
            Some(sheet @ (Sheet::Open | Sheet::Compare)) => self.open.show(ui, sheet, state),
            Some(Sheet::Export) => self.export.show(ui, state),
            None => {}
        }
        self.had_focus = Focus::of(ui.ctx()) != Focus::Nothing;
    }
}

/// Shows a panel whose size depends only on the user, who can drag its edge. Contents that are
/// larger are cut: egui would extend the panel, which would resize the picture area.
fn show_fixed(panel: Panel, ui: &mut Ui, contents: impl FnOnce(&mut Ui)) {
    panel.show(ui, |ui| {
        let room = ui.max_rect();
        contents(&mut ui.new_child(UiBuilder::new().max_rect(room)));
        ui.expand_to_include_rect(room);
    });
}

/// A button that runs a command. Its tip is the help of the command, with its keys.
fn run_on_click(ui: &mut Ui, state: &mut State, label: &str, command: Command) {
    if ui.button(label).on_hover_text(command.tip()).clicked() {
        state.run(command);
    }
}

/// Runs the commands whose keys are pressed.
fn take_keys(ctx: &Context, model: Option<&Model>, state: &mut State) {
    let focus = Focus::of(ctx);
    let has_focus = focus != Focus::Nothing;
    for command in ctx.input_mut(|input| pressed(&mut input.events, focus)) {
        state.run(command);
        // A widget with the focus would otherwise act on the next keys.
        ctx.memory_mut(|memory| memory.stop_text_input());
    }
    // Tab goes through the sources under the pointer, if there are any and no widget has the focus.
    let Some(model) = model.filter(|model| !has_focus && state.hover.source(model).is_some()) else {
        return;
    };
    let take = |modifiers| ctx.input_mut(|input| input.consume_key(modifiers, Key::Tab));
    if take(Modifiers::SHIFT) {
        state.hover.go_inward();
    } else if take(Modifiers::NONE) {
        state.hover.go_outward(model);
    } else {
        return;
    }
    ctx.memory_mut(|memory| memory.move_focus(FocusDirection::None));
}
