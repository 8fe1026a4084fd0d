//! The names of sources at their boxes, where there is room.

use std::sync::Arc;

use boxwood_render::OverlayKinds;
use egui::{Color32, FontId, Galley, Painter, Rect, vec2};

use super::CanvasView;
use crate::model::{Model, rect};
use crate::state::State;

/// The height of a label in points.
const HEIGHT: f32 = 14.0;
const FONT_SIZE: f32 = 11.0;
/// A label without its text.
const PADDING: f32 = 6.0;
/// No character of the font is narrower than this part of its size, except for a few marks. A box
/// that is too narrow for so many characters is skipped without a layout of its text.
const MIN_CHARACTER_WIDTH: f32 = 0.25;
/// The largest number of labels. More would hide the drawing, and egui would draw them slowly.
const MAX_LABELS: usize = 300;

/// Paints a label inside of each visible box that is large enough, from the outermost source to the
/// innermost. Labels do not overlap.
pub(super) fn paint(painter: &Painter, place: CanvasView, model: &Model, state: &State) {
    for Label { frame, galley } in labels(painter, place, model, state) {
        painter.rect_filled(frame, 2.0, Color32::from_black_alpha(0xb8));
        let text_at = frame.min + vec2(PADDING / 2.0, (HEIGHT - galley.size().y) / 2.0);
        painter.galley(text_at, galley, Color32::WHITE);
    }
}

/// The name of a source in a frame.
struct Label {
    frame: Rect,
    galley: Arc<Galley>,
}

fn labels(painter: &Painter, place: CanvasView, model: &Model, state: &State) -> Vec<Label> {
    let mut labels: Vec<Label> = Vec::new();
    for (source, within) in candidates(painter.clip_rect(), place, model, state) {
        let named = model.source(source);
        let text = if named.has_id { &named.name } else { &named.tag };
        let n_characters = text.chars().count() as f32;
        if n_characters * MIN_CHARACTER_WIDTH * FONT_SIZE + PADDING > within.width() {
            continue;
        }
        let galley = painter.layout_no_wrap(text.clone(), FontId::proportional(FONT_SIZE), Color32::WHITE);
        let size = vec2(galley.size().x + PADDING, HEIGHT);
        let frame = Rect::from_min_size(within.min + vec2(1.0, 1.0), size);
        if within.contains_rect(frame) && !labels.iter().any(|other| other.frame.intersects(frame)) {
            labels.push(Label { frame, galley });
        }
        if labels.len() == MAX_LABELS {
            break;
        }
    }
    labels
}

/// The sources whose boxes are shown and high enough for a label, with the visible parts of these
/// boxes.
fn candidates(screen: Rect, place: CanvasView, model: &Model, state: &State) -> Vec<(u32, Rect)> {
    let kinds = state.overlay;
    let of_leaves = kinds.intersects(OverlayKinds::LEAF | OverlayKinds::CLIPPED);
    let of_entries = kinds.intersects(OverlayKinds::OF_ENTRIES);
    let candidate = |source: u32| {
        let facts = model.facts(source);
        let is_leaf = facts.end == source + 1;
        let has_kind = kinds.is_empty() || if is_leaf { of_leaves } else { of_entries };
        if facts.elements.is_empty() || !has_kind || !state.readability.shows(model, source, state.selected) {
            return None;
        }
        let visible = place.screen_pixels(rect(facts.clipped_box)?).intersect(screen);
        (visible.height() >= HEIGHT + 1.0 && visible.is_positive()).then_some((source, visible))
    };
    // The root is the page.
    let mut found: Vec<_> =
        (0..).zip(model.sources()).skip(1).filter_map(|(source, _)| candidate(source)).collect();
    found.sort_by_key(|(source, _)| model.facts(*source).depth);
    found
}

#[cfg(test)]
mod tests {
    use kurbo::TranslateScale;

    use super::*;
    use crate::model::tests::model;
    use crate::state::tests::state;

    /// The texts of the labels at a scale, for boxes of these kinds.
    fn labelled(contents: &str, scale: f64, kinds: OverlayKinds) -> Vec<String> {
        let model = model(contents);
        let mut state = state(1);
        state.overlay = kinds;
        let area = Rect::from_min_max(egui::pos2(0.0, 0.0), egui::pos2(400.0, 400.0));
        let place = CanvasView {
            area,
            pixels_per_point: 1.0,
            device_from_scene: TranslateScale::new(kurbo::Vec2::ZERO, scale),
        };
        let mut names = Vec::new();
        let context = egui::Context::default();
        crate::panels::set_up(&context);
        let input = egui::RawInput { screen_rect: Some(area), ..egui::RawInput::default() };
        // Fonts are there in the second pass.
        for _ in 0..2 {
            let mut output = context.run_ui(input.clone(), |ui| {
                let labels = labels(&ui.painter_at(area), place, &model, &state);
                names = labels.iter().map(|label| label.galley.text().to_owned()).collect();
                let overlap = |a: &Label, b: &Label| !std::ptr::eq(a, b) && a.frame.intersects(b.frame);
                assert!(!labels.iter().any(|a| labels.iter().any(|b| overlap(a, b))), "{names:?}");
            });
            output.textures_delta.clear();
        }
        names
    }

    const BOXES: &str = r##"<g id="group" opacity="0.5"><rect id="wide" x="20" y="30" width="60" height="20"/>
        <rect id="narrow" x="2" y="2" width="6" height="88"/>
        <rect id="copy" x="20" y="30" width="60" height="20"/><rect id="off" x="900" width="50" height="50"/></g>"##;

    #[test]
    fn boxes_have_labels_where_there_is_room() {
        assert_eq!(labelled(BOXES, 1.0, OverlayKinds::NONE), ["group", "wide"]);
        assert_eq!(labelled(BOXES, 1.0, OverlayKinds::CLIPPED), ["wide"]);
        assert_eq!(labelled(BOXES, 1.0, OverlayKinds::GROUP), ["group"]);
        assert_eq!(labelled(BOXES, 0.1, OverlayKinds::NONE), [""; 0]);
        assert_eq!(labelled(BOXES, 8.0, OverlayKinds::CLIPPED), ["wide", "narrow"]);
    }
}
