//! The panels, tested without a window by the labels that an assistive technology reads.

use std::sync::Arc;

use boxwood_svg::Source;
use egui::{Event, Key, Modifiers, OutputCommand, PointerButton, pos2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use super::{Facts, Panels, set_up};
use crate::data_views::{Analysis, DataPicture, Place, Subject};
use crate::model::tests::{index, model};
use crate::model::{Details, Model};
use crate::overlay::OverlayKinds;
use crate::performance::Performance;
use crate::state::tests::state;
use crate::state::{Busy, Request, State};

/// The panels of a window, which computes details at once.
pub(in crate::panels) struct App {
    pub(in crate::panels) panels: Panels,
    pub(super) state: State,
    pub(super) model: Model,
    /// The previous version of the file.
    pub(super) previous: Option<Model>,
    /// The text that was copied last.
    copied: Option<String>,
    pub(super) performance: Option<Performance>,
}

impl App {
    fn show(&mut self, ui: &mut egui::Ui) {
        let details = self.state.selected.map(|selected| Details::new(&self.model, selected));
        let data = self.state.data_view.map(|view| {
            let subject =
                Subject { model: &self.model, previous: self.previous.as_ref(), frame: None, gpu: None };
            let device_from_scene = self.state.view.device_from_scene();
            let translation = device_from_scene.translation;
            let place = Place {
                size: self.state.view.size(),
                scale: device_from_scene.scale,
                translation: [translation.x, translation.y],
            };
            DataPicture::new(Arc::new(Analysis::new(view, subject)), place)
        });
        self.panels.canvas.show_data(ui.ctx(), data.as_ref());
        let facts = Facts {
            model: Some(&self.model),
            details: details.as_ref(),
            data: data.as_ref(),
            performance: self.performance.as_ref(),
        };
        self.panels.show(ui, facts, &mut self.state);
        let copied = ui.output(|output| match output.commands.last() {
            Some(OutputCommand::CopyText(text)) => Some(text.clone()),
            _ => None,
        });
        self.copied = copied.or(self.copied.take());
    }

    pub(super) fn index(&self, name: &str) -> u32 {
        index(&self.model, name)
    }
}

/// A window of 1200 x 800 with a drawing of these contents.
pub(super) fn app(contents: &str) -> Harness<'static, App> {
    let (state, model) = (state(2), model(contents));
    let app =
        App { panels: Panels::default(), state, model, previous: None, performance: None, copied: None };
    let builder = Harness::builder().with_size(vec2(1200.0, 800.0)).with_context_setup(set_up);
    let mut harness = builder.build_ui_state(|ui, app: &mut App| app.show(ui), app);
    harness.run();
    harness
}

/// The position of a point of the scene on the screen.
pub(super) fn on_screen(harness: &Harness<'_, App>, x: f64, y: f64) -> egui::Pos2 {
    let device = harness.state().state.view.device_from_scene() * kurbo::Point::new(x, y);
    let area = harness.get_by_label("Drawing").rect();
    #[expect(clippy::cast_possible_truncation, reason = "egui computes in f32")]
    let offset = vec2(device.x as f32, device.y as f32);
    area.min + offset
}

/// Clicks at a point of the scene.
fn click(harness: &mut Harness<'_, App>, x: f64, y: f64, modifiers: Modifiers) {
    let at = on_screen(harness, x, y);
    harness.hover_at(at);
    for pressed in [true, false] {
        let event = Event::PointerButton { pos: at, button: PointerButton::Primary, pressed, modifiers };
        harness.event_modifiers(event, modifiers);
    }
    harness.run();
}

fn hovered(harness: &Harness<'_, App>) -> Option<String> {
    let app = harness.state();
    app.state.hover.source(&app.model).map(|source| app.model.source(source).name.clone())
}

const NESTED: &str = r##"<g id="outer"><rect id="a" width="50" height="50"/>
    <g id="inner"><rect id="b" x="20" y="20" width="50" height="50"/></g></g>"##;

#[test]
fn the_pointer_highlights_the_top_most_element_and_tab_goes_outward() {
    let mut harness = app(NESTED);
    let at = on_screen(&harness, 30.0, 30.0);
    harness.hover_at(at);
    harness.run();
    assert_eq!(hovered(&harness).as_deref(), Some("b"));
    for expected in ["inner", "outer", "/svg", "/svg"] {
        harness.key_press(Key::Tab);
        harness.run();
        assert_eq!(hovered(&harness).as_deref(), Some(expected));
    }
    harness.key_press_modifiers(Modifiers::SHIFT, Key::Tab);
    harness.run();
    assert_eq!(hovered(&harness).as_deref(), Some("outer"));
    harness.hover_at(on_screen(&harness, 90.0, 90.0));
    harness.run();
    assert_eq!(hovered(&harness), None, "the root alone is not highlighted");
}

#[test]
fn a_button_with_the_focus_leaves_the_keys_of_commands_and_esc_leaves_the_button() {
    let mut harness = app(NESTED);
    harness.key_press(Key::Tab);
    harness.run();
    assert!(harness.ctx.memory(|memory| memory.focused().is_some()));
    let had_labels = harness.state().state.readability.has_labels;
    harness.key_press(Key::N);
    harness.run();
    assert_ne!(harness.state().state.readability.has_labels, had_labels);
    harness.key_press(Key::Tab);
    harness.run();
    harness.key_press(Key::Escape);
    harness.run();
    assert!(harness.ctx.memory(|memory| memory.focused().is_none()));
    assert!(harness.state_mut().state.take_requests().is_empty(), "the window stays open");
}

#[test]
fn a_click_selects_and_keys_or_clicks_go_through_what_lies_below() {
    let mut harness = app(NESTED);
    click(&mut harness, 30.0, 30.0, Modifiers::NONE);
    let selected = |harness: &Harness<'_, App>| harness.state().state.selected;
    assert_eq!(selected(&harness), Some(harness.state().index("b")));
    // The groups have no effects, so they have no boxes in the scene that could be hit.
    for (modifiers, expected) in [(Modifiers::ALT, "a"), (Modifiers::ALT, "b"), (Modifiers::COMMAND, "a")] {
        click(&mut harness, 30.0, 30.0, modifiers);
        assert_eq!(selected(&harness), Some(harness.state().index(expected)));
    }
    for (modifiers, expected) in
        [(Modifiers::NONE, "b"), (Modifiers::NONE, "a"), (Modifiers::SHIFT, "b"), (Modifiers::SHIFT, "a")]
    {
        harness.key_press_modifiers(modifiers, Key::G);
        harness.run();
        assert_eq!(selected(&harness), Some(harness.state().index(expected)));
    }
    click(&mut harness, 90.0, 90.0, Modifiers::NONE);
    assert_eq!(selected(&harness), None);
    harness.key_press(Key::G);
    harness.run();
    harness.get_by_label("no element is under the pointer");
}

#[test]
fn dragging_pans_and_the_wheel_zooms_around_the_pointer() {
    let mut harness = app(NESTED);
    let from = on_screen(&harness, 30.0, 30.0);
    let before = harness.state().state.view.device_from_scene();
    harness.drag_at(from);
    harness.run();
    harness.hover_at(from + vec2(40.0, -10.0));
    harness.run();
    harness.drop_at(from + vec2(40.0, -10.0));
    harness.run();
    let after = harness.state().state.view.device_from_scene();
    assert_eq!(
        (after.translation - before.translation, after.scale),
        (kurbo::Vec2::new(40.0, -10.0), before.scale)
    );
    harness.hover_at(from + vec2(40.0, -10.0));
    harness.event(Event::MouseWheel {
        unit: egui::MouseWheelUnit::Line,
        delta: vec2(0.0, 1.0),
        phase: egui::TouchPhase::Move,
        modifiers: Modifiers::NONE,
        source: egui::MouseWheelSource::Unknown,
    });
    harness.run();
    let zoomed = harness.state().state.view.device_from_scene();
    assert_eq!(zoomed.scale, before.scale * 1.2);
    assert!(on_screen(&harness, 30.0, 30.0).distance(from + vec2(40.0, -10.0)) < 0.01);
}

#[test]
fn the_legend_shows_and_hides_kinds_and_keeps_those_that_are_hidden() {
    let mut harness = app(NESTED);
    for name in ["leaf boxes", "clipped leaf boxes", "clip boxes", "group boxes"] {
        harness.get_by_label(name);
    }
    harness.get_by_label("clip boxes").click();
    harness.run();
    assert_eq!(harness.state().state.overlay, OverlayKinds::CLIP);
    harness.key_press(Key::Num3);
    harness.run();
    assert_eq!(harness.state().state.overlay, OverlayKinds::NONE);
}

#[test]
fn the_inspector_shows_the_boxes_and_the_clips_of_the_selected_element() {
    let mut harness = app(r##"<clipPath id="k"><rect width="30" height="30"/></clipPath>
        <g id="g" clip-path="url(#k)"><rect id="r" x="10" y="10" width="40" height="15"/></g>"##);
    harness.get_by_label("Click an element to select it.");
    let source = harness.state().index("r");
    harness.state_mut().state.selected = Some(source);
    harness.run();
    harness.get_by_label("<rect> #r");
    let column = harness.state().model.source(source).column;
    harness.get_by_label(&format!("line 2, column {column}"));
    harness.get_by_label("clip path #k of");
    harness.get_by_label("cuts 50.0 %");
    harness.get_by_label("50.0 % of the box are left.");
    // The group is a link in the clips and as the parent.
    harness.get_all_by_label("<g> #g").next().expect("the parent is a link").click();
    harness.run();
    assert_eq!(harness.state().state.selected, Some(harness.state().index("g")));
}

#[test]
fn the_sheet_has_the_keys_and_the_palette_runs_commands() {
    let mut harness = app(NESTED);
    harness.key_press_modifiers(Modifiers::SHIFT, Key::Questionmark);
    harness.run();
    harness.get_by_label("Show the drawing as large as fits.");
    harness.key_press(Key::Escape);
    harness.run();
    assert!(harness.query_by_label("Show the drawing as large as fits.").is_none());
    harness.key_press_modifiers(Modifiers::COMMAND, Key::K);
    harness.run();
    harness.event(Event::Text("next file".to_owned()));
    harness.run();
    harness.key_press(Key::Enter);
    harness.run();
    assert_eq!(harness.state().state.files.current(), 1);
    assert_eq!(harness.state().state.sheet, None);
}

#[test]
fn a_window_that_is_narrow_at_first_has_only_the_picture_and_the_legend() {
    let (state, model) = (state(1), model(NESTED));
    let app =
        App { panels: Panels::default(), state, model, previous: None, performance: None, copied: None };
    let builder = Harness::builder().with_size(vec2(700.0, 500.0)).with_context_setup(set_up);
    let mut harness = builder.build_ui_state(|ui, app: &mut App| app.show(ui), app);
    harness.run();
    assert!(harness.get_by_label("Drawing").rect().contains(pos2(690.0, 10.0)));
    harness.key_press(Key::I);
    harness.run();
    assert!(!harness.get_by_label("Drawing").rect().contains(pos2(690.0, 10.0)));
    harness.key_press(Key::H);
    harness.run();
    // The harness has a margin.
    assert_eq!(harness.get_by_label("Drawing").rect().size(), vec2(684.0, 484.0));
}

#[test]
fn the_tree_and_the_picture_have_the_same_selection() {
    let mut harness = app(NESTED);
    harness.get_by_label("rect #b").click();
    harness.run();
    assert_eq!(harness.state().state.selected, Some(harness.state().index("b")));
    harness.get_by_label("<rect> #b");
    harness.get_by_label("rect #a").hover();
    harness.run();
    assert_eq!(hovered(&harness).as_deref(), Some("a"), "a row highlights its box");
    for (key, expected) in [(Key::ArrowUp, "inner"), (Key::Backspace, "outer"), (Key::ArrowDown, "a")] {
        harness.key_press(key);
        harness.run();
        assert_eq!(harness.state().state.selected, Some(harness.state().index(expected)));
    }
    harness.get_by_label("Collapse g #inner").click();
    harness.run();
    assert!(harness.query_by_label("rect #b").is_none());
    click(&mut harness, 60.0, 60.0, Modifiers::NONE);
    harness.get_by_label("rect #b");
}

#[test]
fn the_tree_is_filtered_by_text_kind_and_selector() {
    let mut harness = app(NESTED);
    harness.get_by_label("Filter").focus();
    harness.run();
    harness.get_by_label("Filter").type_text("#b");
    harness.run();
    harness.get_by_label("0 of 5");
    harness.get_by_label("selector").click();
    harness.run();
    harness.get_by_label("1 of 5");
    harness.get_by_label("rect #b");
    assert!(harness.query_by_label("rect #a").is_none());
    // Keys without Ctrl go to the field.
    assert_eq!(harness.state().state.overlay, OverlayKinds::NONE);
    harness.get_by_label("Filter").focus();
    harness.run();
    harness.get_by_label("Filter").type_text(" >");
    harness.run();
    harness.get_by_label_contains("is not supported: a selector consists of");
}

#[test]
fn an_eye_hides_the_boxes_of_an_element_in_the_overlay() {
    let shown =
        |harness: &Harness<'_, App>| harness.state().state.frame().emphasis.shown.map(|shown| shown.to_vec());
    let mut harness = app(NESTED);
    harness.get_by_label("Hide the boxes of rect #a").click();
    harness.run();
    // The viewport begins, two leaves, the viewport ends.
    assert_eq!(shown(&harness), Some(vec![true, false, true, true]));
    harness.get_by_label("Show the boxes of rect #a").click();
    harness.run();
    assert_eq!(shown(&harness), None);
    harness.state_mut().state.selected = Some(harness.state().index("outer"));
    harness.key_press(Key::Delete);
    harness.run();
    assert_eq!(shown(&harness), Some(vec![true, false, false, true]));
}

#[test]
fn a_row_says_why_its_element_is_not_visible() {
    let harness = app(
        r##"<clipPath id="k"><rect width="5" height="5"/></clipPath><rect id="bare" width="9" height="9" fill="none"/>
        <rect id="off" x="500" width="9" height="9"/><rect id="cut" x="50" width="9" height="9" clip-path="url(#k)"/>"##,
    );
    for label in ["rect #bare empty", "rect #off off canvas", "rect #cut clipped away"] {
        harness.get_by_label(label);
    }
}

#[test]
fn work_is_shown_until_it_is_done_and_esc_cancels_it() {
    let mut harness = app(NESTED);
    harness.state_mut().state.busy = Some(Busy::Loading);
    // egui measures a new area before it shows it.
    harness.run_steps(2);
    harness.get_by_label_contains("Loading 0.svg");
    harness.key_press(Key::Escape);
    harness.step();
    assert_eq!(harness.state_mut().state.take_requests(), [Request::CancelWork]);
    harness.state_mut().state.busy = None;
    harness.run();
    assert!(harness.query_by_label_contains("Esc cancels").is_none());
}

#[test]
fn the_boxes_alone_are_shown_before_there_is_a_picture() {
    let mut harness = app(NESTED);
    let shapes = |harness: &Harness<'_, App>| {
        let mesh = |shape: &egui::epaint::ClippedShape| match &shape.shape {
            egui::Shape::Mesh(mesh) => mesh.vertices.len(),
            _ => 0,
        };
        harness.output().shapes.iter().map(mesh).sum::<usize>()
    };
    assert_eq!(shapes(&harness), 2 * 4, "a rectangle for each leaf");
    let image = egui::ColorImage::filled([1, 1], egui::Color32::WHITE);
    let preview = super::Picture::new(&harness.ctx, image, kurbo::TranslateScale::default());
    harness.state_mut().panels.canvas.preview = Some(preview);
    harness.run();
    assert_eq!(shapes(&harness), 4, "the preview alone");
}

#[test]
fn the_selected_element_is_copied_and_opened_in_the_editor() {
    let mut harness = app(NESTED);
    harness.key_press(Key::C);
    harness.run();
    assert_eq!(harness.state().copied, None);
    harness.get_by_label("no element is selected: click one first");
    let source = harness.state().index("b");
    harness.state_mut().state.selected = Some(source);
    for (modifiers, key, expected) in [
        (Modifiers::SHIFT, Key::C, "<rect x=\"20\" y=\"20\" width=\"50\" height=\"50\""),
        (Modifiers::NONE, Key::C, "\"name\": \"b\""),
        (Modifiers::NONE, Key::Y, "#b"),
    ] {
        harness.key_press_modifiers(modifiers, key);
        harness.run();
        let copied = harness.state().copied.as_ref();
        assert!(copied.is_some_and(|text| text.contains(expected)), "{copied:?} has no {expected}");
    }
    harness.event(Event::Copy);
    harness.run();
    assert_eq!(harness.state().copied.as_deref(), Some("20 20 50 50"));
    harness.get_by_label("copied x, y, width, and height");
    harness.get_by_label("Edit").click();
    harness.run();
    let Source { line, column, .. } = *harness.state().model.source(source);
    assert_eq!(harness.state_mut().state.take_requests(), [Request::OpenInEditor([line, column])]);
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

#[test]
fn letters_and_enter_in_one_pass_run_the_command_with_these_letters() {
    let mut harness = app(NESTED);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::K);
    harness.run();
    let enter = Event::Key {
        key: Key::Enter,
        physical_key: None,
        pressed: true,
        repeat: false,
        modifiers: Modifiers::NONE,
    };
    harness.input_mut().events.extend([Event::Text("next file".to_owned()), enter]);
    harness.run();
    assert_eq!(harness.state().state.files.current(), 1);
}
