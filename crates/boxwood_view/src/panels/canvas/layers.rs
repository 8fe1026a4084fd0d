//! The layers over the picture: plain functions, which paint what does not wait for the picture.

use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Stroke, StrokeKind, vec2};

use super::{CanvasView, labels};
use crate::model::{Model, decimal, rect};
use crate::panels::style::{HOVER, SELECTION, STACK};
use crate::state::State;

/// Paints every layer, from the bottom to the top.
pub(super) fn paint(painter: &Painter, place: CanvasView, model: &Model, state: &State) {
    page(painter, place, model);
    if state.readability.has_labels {
        labels::paint(painter, place, model, state);
    }
    stack(painter, place, model, state);
    selection(painter, place, model, state);
    hover(painter, place, model, state);
}

/// The outline of the document, around its pixels, and that of its `viewBox`, if it differs.
fn page(painter: &Painter, place: CanvasView, model: &Model) {
    let page = model.drawing.size.to_rect();
    let gray = Color32::from_gray(0x70);
    painter.rect_stroke(place.screen_pixels(page), 0.0, Stroke::new(1.0, gray), StrokeKind::Outside);
    let Some(view_box) = model.view_box else { return };
    // The edges of both may differ by the rounding of `f32`.
    let tolerance = 1e-5 * page.width().max(page.height());
    let edges = |rect: kurbo::Rect| [rect.x0, rect.y0, rect.x1, rect.y1];
    if edges(view_box).iter().zip(edges(page)).any(|(a, b)| (a - b).abs() > tolerance) {
        dashed(painter, place.screen_pixels(view_box), gray);
    }
}

/// The clip boxes that are open at the current element of the draw order.
fn stack(painter: &Painter, place: CanvasView, model: &Model, state: &State) {
    let Some(element) = state.draw_order.element else { return };
    for begin in model.stack(element) {
        let clip_box = model.boxes().clip_boxes[model.boxes().ranks[begin] as usize];
        if let Some(clip_box) = rect(clip_box) {
            dashed(painter, place.screen_pixels(clip_box), STACK);
        }
    }
}

/// The box of the selected source.
fn selection(painter: &Painter, place: CanvasView, model: &Model, state: &State) {
    let Some(facts) = state.selected.map(|source| model.facts(source)) else { return };
    // The part that clips cut is dashed.
    if let (Some(own), true) = (rect(facts.own_box), facts.own_box != facts.clipped_box) {
        dashed(painter, place.screen_pixels(own), SELECTION);
    }
    if let Some(clipped) = rect(facts.clipped_box) {
        outlined(painter, place.screen_pixels(clipped), SELECTION);
    }
}

/// The box of the hovered source, with its name and size.
fn hover(painter: &Painter, place: CanvasView, model: &Model, state: &State) {
    let Some(index) = state.hover.source(model) else { return };
    let (source, facts) = (model.source(index), model.facts(index));
    let scene_box = rect(facts.clipped_box).or_else(|| rect(facts.own_box));
    let Some(scene_box) = scene_box else { return };
    let screen_box = place.screen_pixels(scene_box);
    painter.rect_filled(screen_box, 0.0, HOVER.gamma_multiply(0.15));
    outlined(painter, screen_box, HOVER);
    let id = if source.has_id { format!("#{}", source.name) } else { String::new() };
    let text = format!("{}{id}  {} × {}", source.tag, length(scene_box.width()), length(scene_box.height()));
    label(painter, screen_box, &text);
}

/// A length in scene units with at most two decimals.
pub(crate) fn length(value: f64) -> String {
    decimal(value, 2)
}

/// A line that is visible on every colour, because it has a dark edge.
fn outlined(painter: &Painter, rect: Rect, color: Color32) {
    let dark = Stroke::new(1.0, Color32::from_black_alpha(0xa0));
    painter.rect_stroke(rect, 0.0, Stroke::new(2.0, color), StrokeKind::Outside);
    painter.rect_stroke(rect.expand(2.0), 0.0, dark, StrokeKind::Outside);
    painter.rect_stroke(rect, 0.0, dark, StrokeKind::Inside);
}

fn dashed(painter: &Painter, rect: Rect, color: Color32) {
    // Dashes outside of the screen would cost time without being seen.
    let rect = rect.intersect(painter.clip_rect().expand(8.0));
    if !rect.is_positive() {
        return;
    }
    let corners =
        [rect.left_top(), rect.right_top(), rect.right_bottom(), rect.left_bottom(), rect.left_top()];
    painter.extend(egui::Shape::dashed_line(&corners, Stroke::new(1.5, color), 6.0, 4.0));
}

/// Paints a label above a rectangle. Without room above, it is inside.
fn label(painter: &Painter, of: Rect, text: &str) {
    let galley = painter.layout_no_wrap(text.to_owned(), FontId::proportional(12.0), Color32::WHITE);
    let size = galley.size() + vec2(10.0, 4.0);
    let area = painter.clip_rect();
    let above = of.top() - size.y - 3.0;
    let top = if above >= area.top() { above } else { of.top().max(area.top()) + 3.0 };
    let left = of.left().max(area.left());
    let at = Pos2::new(left.min(area.right() - size.x).max(area.left()), top.min(area.bottom() - size.y));
    let frame = Align2::LEFT_TOP.anchor_size(at, size);
    painter.rect_filled(frame, 3.0, Color32::from_rgb(0x10, 0x30, 0x48));
    painter.rect_stroke(frame, 3.0, Stroke::new(1.0, HOVER), StrokeKind::Inside);
    painter.galley(frame.min + vec2(5.0, 2.0), galley, Color32::WHITE);
}
