//! The boxes of a source.

use egui::{Grid, Ui};
use kurbo::Rect;

use crate::model::{Details, Model, OBJECT_BOXES, rect};
use crate::panels::canvas::length;
use crate::state::State;

/// Shows the boxes of a source, each with its space and its unit.
pub(super) fn show(ui: &mut Ui, model: &Model, index: u32, details: Option<&Details>, state: &State) {
    let facts = model.facts(index);
    ui.add_space(6.0);
    table(ui, "Boxes in scene space, px", |ui| {
        row(ui, "own", rect(facts.own_box));
        row(ui, "clipped", rect(facts.clipped_box));
        for (title, node_box) in [("clip", facts.clip_box), ("group", facts.group_box)] {
            if let Some(node_box) = node_box {
                row(ui, title, rect(node_box));
            }
        }
    });
    table(ui, "In the picture, device px", |ui| {
        let device = rect(facts.clipped_box).map(|clipped| state.view.device_from_scene() * clipped);
        row(ui, "clipped", device);
    });
    let Some(details) = details else { return };
    for (space, name) in
        ["Object boxes in user space, px", "Object boxes in scene space, px"].iter().enumerate()
    {
        table(ui, name, |ui| {
            for ((title, _), boxes) in OBJECT_BOXES.iter().zip(&details.object_boxes) {
                row(ui, title, boxes[space]);
            }
        });
    }
    if let Some(boxes) = details.usvg_boxes {
        table(ui, "usvg's boxes in scene space, px", |ui| {
            for (title, rect) in ["fill", "with stroke"].into_iter().zip(boxes) {
                row(ui, title, Some(rect));
            }
        });
    }
}

fn table(ui: &mut Ui, title: &str, rows: impl FnOnce(&mut Ui)) {
    ui.strong(title);
    Grid::new(title).num_columns(5).striped(true).min_col_width(20.0).spacing([6.0, 4.0]).show(ui, |ui| {
        for header in ["", "x", "y", "width", "height"] {
            ui.weak(header);
        }
        ui.end_row();
        rows(ui);
    });
    ui.add_space(6.0);
}

fn row(ui: &mut Ui, title: &str, rect: Option<Rect>) {
    ui.label(title);
    match rect {
        Some(rect) if [rect.x0, rect.y0, rect.x1, rect.y1].iter().all(|edge| edge.abs() < PLANE) => {
            for value in [rect.x0, rect.y0, rect.width(), rect.height()] {
                ui.label(length(value));
            }
        }
        Some(_) => _ = ui.label("plane"),
        None => _ = ui.label("none"),
    }
    ui.end_row();
}

/// A box that extends further is called the plane: its numbers mean nothing to people.
const PLANE: f64 = 1e30;
