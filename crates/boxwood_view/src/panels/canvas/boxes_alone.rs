//! The boxes of a drawing, painted before there is any picture of it.

use egui::{Color32, Mesh, Painter, Rect, Shape};

use super::CanvasView;
use crate::model::{Model, rect};

/// At most about this many boxes are painted. Triangles for 20,000 of them take a few milliseconds.
const MAX_BOXES: usize = 20_000;

/// The areas of the boxes that are painted add up to at most this many picture areas. lavapipe
/// takes about 5 ms for each on two cores, in a window of 1024 x 768.
const MAX_AREAS: f32 = 2.0;

/// Paints the document in a light colour, and the clipped box of each leaf in a translucent one.
pub(super) fn paint(painter: &Painter, place: CanvasView, model: &Model) {
    let area = painter.clip_rect();
    let page = place.screen(place.device_from_scene * model.drawing.size.to_rect()).intersect(area);
    painter.rect_filled(page, 0.0, Color32::from_gray(0xf4));
    let mut mesh = Mesh::default();
    // All boxes have the same colour, so their order does not matter.
    for visible in smallest(boxes(place, model, page), MAX_AREAS * area.area()) {
        mesh.add_colored_rect(visible, Color32::from_black_alpha(0x28));
    }
    painter.add(Shape::mesh(mesh));
}

/// The visible parts of the clipped boxes of leaves.
fn boxes(place: CanvasView, model: &Model, page: Rect) -> Vec<Rect> {
    let leaves: Vec<_> = model.leaves().collect();
    // A regular sample of the boxes shows a drawing better than the first boxes.
    let step = leaves.len().div_ceil(MAX_BOXES).max(1);
    let visible = |leaf| {
        let scene_box = rect(model.boxes().clipped_boxes[leaf])?;
        Some(place.screen(place.device_from_scene * scene_box).intersect(page)).filter(Rect::is_positive)
    };
    leaves.into_iter().step_by(step).filter_map(visible).collect()
}

/// The smallest boxes, whose areas add up to at most `max_area`. Small boxes show more of a
/// drawing.
fn smallest(mut boxes: Vec<Rect>, max_area: f32) -> Vec<Rect> {
    boxes.sort_by(|a, b| a.area().total_cmp(&b.area()));
    let mut sum = 0.0;
    boxes.retain(|visible| {
        sum += visible.area();
        sum <= max_area
    });
    boxes
}

#[cfg(test)]
mod tests {
    use egui::vec2;

    use super::*;

    fn square(side: f32) -> Rect {
        Rect::from_min_size(egui::Pos2::ZERO, vec2(side, side))
    }

    #[test]
    fn the_largest_boxes_are_left_out() {
        let boxes = [10.0, 1.0, 2.0, 10.0].map(square).to_vec();
        let sides = |max_area| -> Vec<f32> {
            smallest(boxes.clone(), max_area).into_iter().map(|visible| visible.width()).collect()
        };
        assert_eq!(sides(205.0), [1.0, 2.0, 10.0, 10.0]);
        assert_eq!(sides(204.0), [1.0, 2.0, 10.0]);
        assert_eq!(sides(4.0), [1.0]);
    }
}
