//! The panel, tested by its labels.

use egui::Key;
use egui_kittest::kittest::Queryable as _;

use crate::panels::tests::app;

const NESTED: &str = r##"<g id="outer"><rect id="a" width="50" height="50"/></g>"##;

#[test]
fn switches_change_what_stands_out_and_show_its_state() {
    let mut harness = app(NESTED);
    assert!(harness.query_by_label("Dim the drawing").is_none());
    harness.key_press(Key::D);
    harness.run();
    harness.get_by_label("Dim the drawing").click();
    harness.run();
    assert_eq!(harness.state().state.frame().emphasis.dimming, 0.75);
    harness.key_press(Key::U);
    harness.run();
    assert_eq!(harness.state().state.frame().emphasis.dimming, 0.0);
    harness.get_by_label("Selection only").click();
    harness.run();
    harness.get_by_label("Nothing is selected, so no box is shown.");
    let selected = harness.state().index("a");
    harness.state_mut().state.selected = Some(selected);
    harness.run();
    assert!(harness.query_by_label("Nothing is selected, so no box is shown.").is_none());
    let shown = harness.state().state.frame().emphasis.shown.expect("some elements are shown");
    assert_eq!(*shown, [true, true, true], "the viewport and the rectangle");
    harness.get_by_label("Labels").click();
    harness.run();
    assert!(harness.state().state.readability.has_labels);
}

#[test]
fn the_range_of_depths_names_the_elements_within_it() {
    let mut harness = app(NESTED);
    harness.key_press(Key::D);
    harness.run();
    harness.get_by_label("3 of 3 elements of the document are within these depths.");
    harness.state_mut().state.readability.depths = Some(1..=2);
    harness.run();
    harness.get_by_label("2 of 3 elements of the document are within these depths.");
    let shown = harness.state().state.frame().emphasis.shown.expect("some elements are shown");
    assert_eq!(*shown, [false, true, false]);
}
