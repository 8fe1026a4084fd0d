//! The place of the drawing on the screen.

use egui::Key;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use kurbo::Vec2;

use crate::panels::tests::{App, app, on_screen};

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
    let views: [fn(&mut crate::state::View); 3] =
        [|_| {}, crate::state::View::fit, |view| view.pan(Vec2::new(7.0, 5.0))];
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
