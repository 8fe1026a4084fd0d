//! Two drawings in the same place.

use std::sync::Arc;
use std::time::Duration;

use egui::{Align2, Color32, Context, FontId, Galley, Painter, Rect, Stroke, Ui, Vec2, pos2, vec2};
use kurbo::TranslateScale;

use super::{CanvasView, Picture};
use crate::comparison::Comparison;
use crate::panels::pixels;
use crate::panels::style::SELECTION;
use crate::state::Compare;

/// How long each drawing is shown while both blink. Faster changes disturb people.
const BLINK: Duration = Duration::from_millis(700);

/// The space around the caption.
const MARGIN: Vec2 = vec2(6.0, 3.0);

/// The pictures of a comparison.
pub(crate) struct ComparedPictures {
    /// The names of the drawings: the one before, or the chosen one, and the current one.
    names: [String; 2],
    before: Picture,
    after: Picture,
    difference: Picture,
    n_different: usize,
}

impl ComparedPictures {
    /// Uploads the pictures of a comparison in a view.
    pub(crate) fn new(
        ctx: &Context,
        comparison: &Comparison,
        device_from_scene: TranslateScale,
        names: [String; 2],
    ) -> Self {
        let picture = |image| Picture::new(ctx, pixels(image), device_from_scene);
        Self {
            names,
            before: picture(&comparison.before),
            after: picture(&comparison.after),
            difference: picture(&comparison.difference),
            n_different: comparison.n_different,
        }
    }

    pub(super) fn paint(&self, ui: &Ui, painter: &Painter, place: CanvasView, mode: Compare) {
        let [before, after] = &self.names;
        let text = match mode {
            Compare::Blink => {
                let turn = ui.input(|input| input.time) / BLINK.as_secs_f64();
                let is_before = turn.rem_euclid(2.0) < 1.0;
                if is_before { &self.before } else { &self.after }.paint(painter, place);
                ui.ctx().request_repaint_after(BLINK / 4);
                if is_before { before.clone() } else { after.clone() }
            }
            Compare::Wipe => {
                let pointer =
                    ui.input(|input| input.pointer.hover_pos()).filter(|at| place.area.contains(*at));
                let x = pointer.map_or(place.area.center().x, |at| at.x);
                self.before.paint(painter, place);
                let right = Rect::from_min_max(pos2(x, place.area.top()), place.area.max);
                self.after.paint(&painter.with_clip_rect(right), place);
                painter.vline(x, place.area.y_range(), Stroke::new(1.0, SELECTION));
                format!("Left: {before}. Right: {after}.")
            }
            Compare::Difference => {
                self.difference.paint(painter, place);
                format!("Difference of {before} and {after}")
            }
        };
        let text = format!("{text}  ({} pixels of this view differ)", self.n_different);
        let (frame, caption) = caption(painter, text, place.area);
        painter.rect_filled(frame, 3.0, Color32::from_black_alpha(0xd0));
        painter.galley(frame.min + MARGIN, caption, Color32::WHITE);
    }
}

/// The frame and the text of the caption at the top of an area. A text that is too wide is wrapped.
fn caption(painter: &Painter, text: String, area: Rect) -> (Rect, Arc<Galley>) {
    let width = area.width() - 4.0 * MARGIN.x;
    let text = painter.layout(text, FontId::proportional(13.0), Color32::WHITE, width);
    let at = area.center_top() + vec2(0.0, 8.0);
    (Align2::CENTER_TOP.anchor_size(at, text.size() + 2.0 * MARGIN), text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_caption_is_wrapped_in_a_narrow_area() {
        let builder = egui_kittest::Harness::builder().with_context_setup(crate::panels::set_up);
        let harness = builder.build_ui(|ui| {
            let frame = |length, width| {
                let area = Rect::from_min_size(pos2(50.0, 0.0), vec2(width, 400.0));
                let text = format!("Left: {}.svg. Right: b.svg.", "a".repeat(length));
                let (frame, text) = caption(ui.painter(), text, area);
                assert!(area.contains_rect(frame), "{frame}");
                text.rows.len()
            };
            assert_eq!(frame(9, 500.0), 1);
            assert_eq!(frame(9, 150.0), 2);
            assert!(frame(90, 150.0) > 3, "a name without spaces is broken");
        });
        drop(harness);
    }
}
