//! The boxes of a drawing, painted before there is any picture of it.

use egui::{Color32, Mesh, Painter, Rect, Shape};

use super::Place;
use crate::model::{Model, rect};

/// At most about this many boxes are painted. Triangles for 20,000 of them take a few milliseconds.
const MAX_BOXES: usize = 20_000;

/// Paints the document in a light colour, and the clipped box of each leaf in a translucent one.
pub(super) fn paint(painter: &Painter, place: Place, model: &Model) {
    let area = painter.clip_rect();
    let page = place.screen(place.device_from_scene * model.drawing.size.to_rect());
    painter.rect_filled(page.intersect(area), 0.0, Color32::from_gray(0xf4));
    let leaves: Vec<_> = model.leaves().collect();
    // Every so many boxes show a drawing better than its first boxes.
    let step = leaves.len().div_ceil(MAX_BOXES).max(1);
    let mut mesh = Mesh::default();
    for leaf in leaves.into_iter().step_by(step) {
        let Some(scene_box) = rect(model.boxes.clipped_boxes[leaf]) else { continue };
        let visible: Rect = place.screen(place.device_from_scene * scene_box).intersect(page).intersect(area);
        if visible.is_positive() {
            mesh.add_colored_rect(visible, Color32::from_black_alpha(0x28));
        }
    }
    painter.add(Shape::mesh(mesh));
}
