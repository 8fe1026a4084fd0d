//! The inspector, by its labels.

use boxwood_svg::Source;
use egui::{Event, Key, Modifiers};
use egui_kittest::kittest::Queryable as _;

use crate::panels::tests::{NESTED, app};
use crate::state::Request;

#[test]
fn the_inspector_shows_the_paint_of_the_selected_element() {
    let mut harness = app(
        r##"<linearGradient id="l"><stop/><stop offset="1" stop-color="red"/></linearGradient>
        <rect id="r" width="40" height="15" fill="#ff8000" fill-rule="evenodd" fill-opacity="0.5" stroke="url(#l)"
            stroke-width="2" stroke-dasharray="4 1.5" stroke-linejoin="round" opacity="0.25"/>
        <text id="t" y="50" font-family="Noto Sans" font-style="italic" font-size="12">text</text>
        <text id="default" y="90" font-size="9">text</text><g id="g"><path d="M0 0h9v9z"/></g>
        <text id="generic" y="90" font-size="9" font-family="Missing, sans-serif, Unused">text</text>"##,
    );
    let mut select = |name| {
        harness.state_mut().state.selected = Some(harness.state().index(name));
        harness.run();
        let labels = [
            "#ff8000, opacity 50 %, even-odd",
            "linear gradient #l, 2 px wide, dashes 4 1.5, butt caps, round joins",
            "opacity 25 %",
            "Noto Sans, 12 px, weight 400, italic",
        ];
        labels.map(|label| harness.query_by_label(label).is_some())
    };
    assert_eq!(select("r"), [true, true, true, false]);
    assert_eq!(select("t"), [false, false, false, true]);
    assert_eq!(select("g"), [false; 4]);
    assert!(harness.query_by_label("Paint").is_none(), "a group without effects has no paint");
    harness.state_mut().state.selected = Some(harness.state().index("default"));
    harness.run();
    harness.get_by_label("Noto Sans instead of \"Times New Roman\", 9 px, weight 400");
    harness.state_mut().state.selected = Some(harness.state().index("generic"));
    harness.run();
    harness.get_by_label("Noto Sans (sans-serif) instead of \"Missing\", 9 px, weight 400");
}

#[test]
fn the_inspector_links_to_what_sets_each_edge_of_a_box() {
    let mut harness = app(
        r##"<clipPath id="k"><rect width="30" height="90"/></clipPath><g id="g"><rect id="a" x="10" y="10" width="9" height="70"/>
            <g id="cut" clip-path="url(#k)"><path id="b" d="M5 20h80v10h-80z"/></g></g>
            <rect id="long" y="99" width="500" height="1"/>"##,
    );
    harness.state_mut().state.selected = Some(harness.state().index("g"));
    harness.run();
    for label in ["left 5: set by the fill of", "top 10: set by the fill of", "right 30: set by the fill of"]
    {
        harness.get_by_label(label);
    }
    harness.get_by_label("cut by the clip path #k of");
    harness.get_by_label("Edges before clipping").click();
    // The header opens in steps.
    harness.run_steps(20);
    harness.get_by_label("right 85: set by the fill of");
    harness.get_all_by_label("<path> #b").next().expect("it is a link").click();
    harness.run();
    assert_eq!(harness.state().state.selected, Some(harness.state().index("b")));
    harness.get_by_label("right 30: its fill");
    harness.get_by_label("cut by the clip path #k of");
    harness.state_mut().state.selected = Some(harness.state().index("long"));
    harness.run();
    harness.get_by_label("cut by the page");
    harness.state_mut().state.selected = Some(harness.state().index("a"));
    harness.run();
    assert!(harness.query_by_label_contains("Edges").is_none(), "it sets its edges alone");
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
    harness.get_by_label("cuts 50.0 % of the box");
    harness.get_by_label("50.0 % of the box is left.");
    // The group is a link in the clips and as the parent.
    harness.get_all_by_label("<g> #g").next().expect("the parent is a link").click();
    harness.run();
    assert_eq!(harness.state().state.selected, Some(harness.state().index("g")));
}

#[test]
fn texts_leave_room_for_the_scroll_bar() {
    let mut right = 0.0_f32;
    for length in (1..20).step_by(3) {
        let name = "i".repeat(length);
        let mut harness = app(&format!(
            r##"<clipPath id="k"><circle r="9"/></clipPath>
            <g id="{name}" clip-path="url(#k)"><rect id="r" width="9" height="9"/></g>"##
        ));
        harness.state_mut().state.selected = Some(harness.state().index("r"));
        harness.run();
        let cut = harness.get_all_by_label_contains(" % of the box");
        right = cut.map(|label| label.rect().right()).fold(right, f32::max);
    }
    // The harness and the panel have margins of 8.
    let room = 1200.0 - 16.0 - right;
    assert!((12.0..40.0).contains(&room), "{room}");
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
