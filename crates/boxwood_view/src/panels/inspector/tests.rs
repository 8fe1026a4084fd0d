//! The inspector, by its labels.

use egui_kittest::kittest::Queryable as _;

use crate::panels::tests::app;

#[test]
fn the_inspector_shows_the_paint_of_the_selected_element() {
    let mut harness = app(
        r##"<linearGradient id="l"><stop/><stop offset="1" stop-color="red"/></linearGradient>
        <rect id="r" width="40" height="15" fill="#ff8000" fill-rule="evenodd" fill-opacity="0.5" stroke="url(#l)"
            stroke-width="2" stroke-dasharray="4 1.5" stroke-linejoin="round" opacity="0.25"/>
        <text id="t" y="50" font-family="Noto Sans" font-style="italic" font-size="12">text</text><g id="g"><path d="M0 0h9v9z"/></g>"##,
    );
    let mut select = |name| {
        harness.state_mut().state.selected = Some(harness.state().index(name));
        harness.run();
        let labels = [
            "#ff8000, opacity 50 %, even-odd",
            "linear gradient #l, 2 px wide, dashes 4 1.5, butt caps, round joins",
            "opacity 25 %",
            "\"Noto Sans\", 12 px, weight 400, italic",
        ];
        labels.map(|label| harness.query_by_label(label).is_some())
    };
    assert_eq!(select("r"), [true, true, true, false]);
    assert_eq!(select("t"), [false, false, false, true]);
    assert_eq!(select("g"), [false; 4]);
    assert!(harness.query_by_label("Paint").is_none(), "a group without effects has no paint");
}
