//! The tree, tested by its labels.

use boxwood_render::OverlayKinds;
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use crate::panels::tests::{App, NESTED, app, click, hovered};

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
    harness.get_by_label_contains("is not supported. A selector consists of");
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
