//! The panels, tested without a window by the labels that an assistive technology reads.

use std::sync::Arc;

use egui::{Event, Key, Modifiers, OutputCommand, PointerButton, pos2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use super::{Facts, Panels, set_up};
use crate::data_views::{Analysis, DataPicture, DrawingPosition, Subject};
use crate::model::tests::{index, model};
use crate::model::{Details, Model};
use crate::performance::Performance;
use crate::state::State;
use crate::state::tests::state;

/// The panels of a window, which computes details at once.
pub(in crate::panels) struct App {
    pub(in crate::panels) panels: Panels,
    pub(super) state: State,
    pub(super) model: Model,
    /// The previous version of the file.
    pub(super) previous: Option<Model>,
    /// The text that was copied last.
    pub(in crate::panels) copied: Option<String>,
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
            let place = DrawingPosition {
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
pub(super) fn click(harness: &mut Harness<'_, App>, x: f64, y: f64, modifiers: Modifiers) {
    let at = on_screen(harness, x, y);
    harness.hover_at(at);
    for pressed in [true, false] {
        let event = Event::PointerButton { pos: at, button: PointerButton::Primary, pressed, modifiers };
        harness.event_modifiers(event, modifiers);
    }
    harness.run();
}

/// The name of the highlighted source.
pub(super) fn hovered(harness: &Harness<'_, App>) -> Option<String> {
    let app = harness.state();
    app.state.hover.source(&app.model).map(|source| app.model.source(source).name.clone())
}

/// Two rectangles that overlap, in groups without effects.
pub(super) const NESTED: &str = r##"<g id="outer"><rect id="a" width="50" height="50"/>
    <g id="inner"><rect id="b" x="20" y="20" width="50" height="50"/></g></g>"##;

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
