//! The inspector: the facts about the selected source.

mod boxes;
mod clips;
mod edges;
mod paint;
#[cfg(test)]
mod tests;

use egui::{RichText, ScrollArea, Ui};

use super::{Facts, run_on_click};
use crate::commands::Command;
use crate::model::{CopyFormat, Model, Visibility};
use crate::state::State;

/// The room for the scroll bar at the right, which is this wide while the pointer is over it.
const SCROLL_BAR_WIDTH: f32 = 12.0;

/// The inspector.
#[derive(Debug, Default)]
pub(crate) struct Inspector;

impl Inspector {
    pub(crate) fn show(&mut self, ui: &mut Ui, facts: Facts<'_>, state: &mut State) {
        ui.heading("Inspector");
        let (Some(model), Some(selected)) = (facts.model, state.selected) else {
            ui.weak("Click an element to select it.");
            return;
        };
        let details = facts.details.filter(|details| details.source == selected);
        ScrollArea::both().auto_shrink(false).show(ui, |ui| {
            ui.set_max_width(ui.available_width() - SCROLL_BAR_WIDTH);
            source(ui, model, selected, state);
            actions(ui, state);
            if let Some(details) = details {
                paint::show(ui, &details.style);
                edges::show(ui, model, selected, &details.edges, state);
            }
            boxes::show(ui, model, selected, details, state);
            match details {
                Some(details) => clips::show(ui, model, details, state),
                None => _ = ui.weak("computing more …"),
            }
        });
    }
}

/// The name, the place, and the visibility of a source.
fn source(ui: &mut Ui, model: &Model, index: u32, state: &mut State) {
    let (source, facts) = (model.source(index), model.facts(index));
    ui.label(RichText::new(title(model, index)).strong().size(15.0));
    if !source.class.is_empty() {
        ui.label(format!("class {}", source.class));
    }
    ui.label(format!("line {}, column {}", source.line, source.column));
    ui.weak(&source.path);
    if let Some(parent) = source.parent {
        ui.horizontal_wrapped(|ui| {
            ui.label(format!("depth {}, in", facts.depth));
            link(ui, model, parent, state);
        });
    }
    ui.label(match &facts.visibility {
        Visibility::Visible => "It may be visible.".to_owned(),
        Visibility::Unpainted(Some(reason)) => format!("Paints nothing: it {reason}."),
        Visibility::Unpainted(None) => "Paints nothing.".to_owned(),
        Visibility::OffCanvas => "Not visible: it is off the canvas.".to_owned(),
        Visibility::ClippedAway => "Not visible: clips leave nothing of it.".to_owned(),
    });
    if facts.is_filtered {
        ui.label("Its leaves are the input of a filter, and have the box of the filter's result.");
    }
}

/// Buttons for what can be done with the selected source.
fn actions(ui: &mut Ui, state: &mut State) {
    ui.horizontal_wrapped(|ui| {
        for (label, format) in [
            ("Copy JSON", CopyFormat::Json),
            ("Copy box", CopyFormat::Numbers),
            ("Copy SVG", CopyFormat::SvgRect),
            ("Copy selector", CopyFormat::Selector),
        ] {
            run_on_click(ui, state, label, Command::Copy(format));
        }
        run_on_click(ui, state, "Zoom to it", Command::ZoomToSelected);
        run_on_click(ui, state, "Edit", Command::OpenInEditor);
    });
}

/// The tag and the id of a source, or the last part of its path without an id.
fn title(model: &Model, index: u32) -> String {
    let source = model.source(index);
    if source.has_id { format!("<{}> #{}", source.tag, source.name) } else { format!("<{}>", source.tag) }
}

/// A link that selects a source.
pub(super) fn link(ui: &mut Ui, model: &Model, index: u32, state: &mut State) {
    let response = ui.link(title(model, index)).on_hover_text(&model.source(index).path);
    if response.hovered() {
        state.pointed_at = Some(index);
    }
    if response.clicked() {
        state.selected = Some(index);
    }
}
