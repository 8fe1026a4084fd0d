//! The picture area: what the pointer does there, and the place of the drawing.

use egui::{Event, Key, Modifiers, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use kurbo::Vec2;

use super::Picture;
use crate::panels::tests::{App, NESTED, app, click, hovered, on_screen};
use crate::state::View;

/// Elements whose facts take much room.
const WIDE: &str = r##"<rect id="plain" width="50" height="50"/>
    <g id="outer"><text id="an-id-that-is-as-long-as-those-that-a-drawing-program-makes-for-its-objects-0123456789"
        class="a-class-with-a-name-without-any-space-that-a-style-sheet-could-have-for-some-reason" x="0" y="60"
        font-family="Noto Sans, SomeFamilyWithoutSpaces-0123456789-0123456789-0123456789">x</text></g>
    <rect id="far" x="-1234567.25" width="98765432.125" height="9876543.25"/>"##;

#[test]
fn neither_a_panel_nor_a_selection_moves_the_drawing() {
    let mut harness = app(WIDE);
    let place = |harness: &Harness<'_, App>| {
        (harness.state().state.view.device_from_scene().scale, on_screen(harness, 10.0, 20.0))
    };
    let views: [fn(&mut View); 3] = [|_| {}, View::fit, |view| view.pan(Vec2::new(7.0, 5.0))];
    for view in views {
        view(&mut harness.state_mut().state.view);
        harness.run();
        let start = place(&harness);
        for key in [Key::E, Key::T, Key::I, Key::D, Key::S, Key::L, Key::H, Key::Num5, Key::O] {
            for _ in 0..2 {
                harness.key_press(key);
                harness.run();
                assert_eq!(place(&harness), start, "{key:?}");
            }
        }
        let n_sources = u32::try_from(harness.state().model.sources().len()).expect("the drawing is small");
        for source in 0..n_sources {
            harness.state_mut().state.selected = Some(source);
            harness.run();
            assert_eq!(place(&harness), start, "{source}");
        }
        harness.state_mut().state.selected = None;
        harness.run();
    }
}

#[test]
fn the_drawing_starts_where_a_reset_puts_it() {
    let mut harness = app(NESTED);
    let start = on_screen(&harness, 0.0, 0.0);
    harness.state_mut().state.view.reset();
    assert_eq!(on_screen(&harness, 0.0, 0.0), start);
}

#[test]
fn a_selection_leaves_the_picture_area_as_it_is() {
    let mut harness = app(WIDE);
    harness.key_press(Key::D);
    harness.run();
    let area = harness.get_by_label("Drawing").rect();
    for source in 0..harness.state().model.sources().len() {
        harness.state_mut().state.selected = u32::try_from(source).ok();
        harness.run();
        assert_eq!(harness.get_by_label("Drawing").rect(), area, "{source}");
    }
}

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
fn the_pointer_hits_what_is_painted_and_a_key_switches_to_boxes() {
    let mut harness = app(r#"<rect id="sea" width="100" height="100"/>
        <path id="line" d="M10 90Q50 -50 90 90" fill="none" stroke="red"/>"#);
    let pointed_at = |harness: &mut Harness<'_, App>, y: f64| {
        harness.hover_at(on_screen(harness, 50.0, y));
        harness.run();
        hovered(harness)
    };
    assert_eq!(pointed_at(&mut harness, 60.0).as_deref(), Some("sea"), "below the curve");
    assert_eq!(pointed_at(&mut harness, 20.0).as_deref(), Some("line"), "on the curve");
    click(&mut harness, 50.0, 60.0, Modifiers::NONE);
    assert_eq!(harness.state().state.selected, Some(harness.state().index("sea")));
    harness.key_press(Key::W);
    harness.run();
    harness.get_by_label("the pointer hits boxes");
    assert_eq!(pointed_at(&mut harness, 60.0).as_deref(), Some("line"), "in the box of the curve");
    click(&mut harness, 50.0, 60.0, Modifiers::NONE);
    assert_eq!(harness.state().state.selected, Some(harness.state().index("line")));
    harness.key_press(Key::W);
    harness.run();
    harness.get_by_label("the pointer hits what is painted");
    assert_eq!(pointed_at(&mut harness, 60.0).as_deref(), Some("sea"));
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
    assert_eq!((after.translation - before.translation, after.scale), (Vec2::new(40.0, -10.0), before.scale));
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
    let preview = Picture::new(&harness.ctx, image, kurbo::TranslateScale::default());
    harness.state_mut().panels.canvas.preview = Some(preview);
    harness.run();
    assert_eq!(shapes(&harness), 4, "the preview alone");
}
