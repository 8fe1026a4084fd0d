//! The draw order: a slider over the elements of the scene, and the stack of clips and groups.

use boxwood_cpu::{Aabb, ElementKind};
use boxwood_svg::Role;
use egui::{ScrollArea, Slider, Ui};

use super::canvas::length;
use super::run_on_click;
use crate::commands::Command;
use crate::model::{Model, rect};
use crate::state::State;

/// The height of the list of the stack, in logical pixels.
const MAX_HEIGHT: f32 = 120.0;

/// The room beside the slider, in logical pixels: the values `999999 of 999999`, the button
/// *Close*, and the spaces between them.
const ROOM_BESIDE_SLIDER: f32 = 220.0;

/// Shows the slider and the stack at an element.
pub(super) fn show(ui: &mut Ui, model: &Model, element: usize, state: &mut State) {
    let last = model.drawing.table.len().saturating_sub(1);
    let mut chosen = element;
    ui.horizontal(|ui| {
        ui.strong("Draw order");
        run_on_click(ui, state, "Previous", Command::StepBackward);
        run_on_click(ui, state, "Next", Command::StepForward);
        ui.spacing_mut().slider_width = (ui.available_width() - ROOM_BESIDE_SLIDER).max(60.0);
        ui.add(Slider::new(&mut chosen, 0..=last).text(format!("of {last}")));
        run_on_click(ui, state, "Close", Command::ToggleOrder);
    });
    if chosen != element {
        state.draw_order.element = Some(chosen);
        state.selected = Some(model.drawing.table[chosen].source);
    }
    ui.label(description(model, element));
    let stack = model.stack(element);
    if stack.is_empty() {
        ui.weak("No clip or group is open.");
    }
    ScrollArea::vertical().max_height(MAX_HEIGHT).auto_shrink([false, true]).show(ui, |ui| {
        for begin in stack {
            let source = model.drawing.table[begin].source;
            let mask = model.end_of_mask(begin).filter(|end| *end > element);
            let mask = mask.map_or(String::new(), |end| format!(", mask applied at step {end}"));
            let text = format!("in the {}{mask}", description(model, begin));
            let row = ui.selectable_label(state.selected == Some(source), text);
            if row.hovered() {
                state.pointed_at = Some(source);
            }
            if row.clicked() {
                state.selected = Some(source);
            }
        }
    });
}

/// What an element is, with its box.
fn description(model: &Model, element: usize) -> String {
    let info = model.drawing.table[element];
    let source = model.source(info.source);
    let of = if source.has_id { format!("{} #{}", source.tag, source.name) } else { source.path.clone() };
    let role = match info.role {
        Role::Fill => "fill",
        Role::Stroke => "stroke",
        Role::Image => "image",
        Role::Filter => "result of the filter",
        Role::Clip => "clip",
        Role::Blend => "group",
        Role::ClipBlend => "clip and group",
        Role::Mask => "mask",
    };
    let kind = model.drawing.elements.kind(element);
    let own = match kind {
        ElementKind::Begin => model.boxes().clip_boxes[model.boxes().ranks[element] as usize],
        ElementKind::End => return format!("end of the {role} of {of}"),
        _ => model.boxes().clipped_boxes[element],
    };
    format!("{role} of {of}: {}", numbers(own))
}

fn numbers(own: Aabb) -> String {
    match rect(own) {
        _ if own == Aabb::PLANE => "not clipped".to_owned(),
        None => "nothing".to_owned(),
        Some(rect) => {
            let [x, y, width, height] = [rect.x0, rect.y0, rect.width(), rect.height()].map(length);
            format!("{width} × {height} px at {x}, {y}")
        }
    }
}

#[cfg(test)]
mod tests {
    use egui::{ColorImage, Key, Shape};
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable as _;
    use kurbo::TranslateScale;

    use crate::panels::Picture;
    use crate::panels::tests::{App, app};

    #[test]
    fn a_masked_group_names_the_step_that_applies_its_mask() {
        let mut harness = app(
            r##"<mask id="m"><rect width="9" height="9"/></mask><g id="g" mask="url(#m)"><rect id="a" width="9" height="9"/></g>"##,
        );
        harness.state_mut().state.selected = Some(harness.state().index("a"));
        harness.key_press(Key::O);
        harness.run();
        harness.get_by_label_contains(", mask applied at step 5");
        harness.state_mut().state.draw_order.element = Some(5);
        harness.run();
        assert!(harness.query_by_label_contains("mask applied").is_none());
    }

    #[test]
    fn nothing_that_is_not_painted_yet_is_shown_in_place_of_the_picture() {
        let mut harness = app(r#"<rect id="a" width="50" height="50"/>"#);
        let has_mesh = |harness: &Harness<'_, App>| {
            harness.output().shapes.iter().any(|shape| matches!(shape.shape, Shape::Mesh(_)))
        };
        assert!(has_mesh(&harness), "the box alone");
        harness.key_press(Key::O);
        harness.run();
        assert!(!has_mesh(&harness));
        let image = ColorImage::filled([1, 1], egui::Color32::WHITE);
        let preview = Picture::new(&harness.ctx, image, TranslateScale::default());
        harness.state_mut().panels.canvas.preview = Some(preview);
        harness.run();
        assert!(!has_mesh(&harness), "the preview has all elements");
        harness.key_press(Key::O);
        harness.run();
        assert!(has_mesh(&harness));
    }

    #[test]
    fn stepping_shows_what_is_painted_up_to_an_element_and_its_stack() {
        let mut harness = app(r##"<clipPath id="k"><rect width="30" height="30"/></clipPath>
            <g id="g" clip-path="url(#k)"><rect id="r" x="10" y="10" width="40" height="15"/></g><rect id="last" width="9" height="9"/>"##);
        let shown = |harness: &Harness<'_, App>| {
            let shown = harness.state().state.frame().emphasis.shown;
            shown.map(|shown| shown.iter().filter(|is_shown| **is_shown).count())
        };
        // The viewport begins, g begins, r, g ends, the last rectangle, the viewport ends.
        harness.state_mut().state.selected = Some(harness.state().index("r"));
        harness.key_press(Key::O);
        harness.run();
        harness.get_by_label("fill of rect #r: 20 × 15 px at 10, 10");
        harness.get_by_label("in the clip of g #g: 30 × 30 px at 0, 0");
        assert_eq!(shown(&harness), Some(3));
        harness.key_press(Key::Period);
        harness.run();
        harness.get_by_label("end of the clip of g #g");
        assert_eq!(
            (shown(&harness), harness.state().state.selected),
            (Some(4), Some(harness.state().index("g")))
        );
        harness.key_press(Key::Comma);
        harness.key_press(Key::Comma);
        harness.run();
        assert_eq!(shown(&harness), Some(2));
        harness.key_press(Key::Escape);
        harness.run();
        assert_eq!(shown(&harness), None);
    }
}
