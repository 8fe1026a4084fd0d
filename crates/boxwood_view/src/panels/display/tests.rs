//! The panel, tested by its labels.

use boxwood_render::OverlayKinds;
use egui::epaint::ClippedShape;
use egui::{Color32, ColorImage, Key, Shape, TextureId};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use crate::panels::LinedPicture;
use crate::panels::tests::{App, app};

const NESTED: &str = r##"<g id="outer"><rect id="a" width="50" height="50"/></g>"##;

#[test]
fn switches_change_what_stands_out_and_show_its_state() {
    let mut harness = app(NESTED);
    assert!(harness.query_by_label("Dim the drawing").is_none());
    harness.key_press(Key::D);
    harness.run();
    let frame = harness.state().state.frame();
    harness.get_by_label("Dim the drawing").click();
    harness.run();
    assert_eq!(harness.state().state.readability.drawing_opacity(), 0.25);
    harness.key_press(Key::U);
    harness.run();
    assert_eq!(harness.state().state.readability.drawing_opacity(), 1.0);
    assert_eq!(harness.state().state.frame(), frame, "no picture is drawn for this");
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
fn dimming_and_the_opacity_of_lines_act_in_the_same_pass() {
    let mut harness = app(NESTED);
    let [drawing, lines] =
        [Color32::WHITE, Color32::TRANSPARENT].map(|color| ColorImage::filled([1, 1], color));
    let picture = LinedPicture::new(&harness.ctx, drawing, Some(lines), kurbo::TranslateScale::default());
    harness.state_mut().panels.canvas.picture = Some(picture);
    // The tints of the layers: the drawing, and the lines.
    let tints = |harness: &Harness<'_, App>| -> Vec<Color32> {
        let tint = |shape: &ClippedShape| match &shape.shape {
            Shape::Mesh(mesh) if mesh.texture_id != TextureId::default() => Some(mesh.vertices[0].color),
            _ => None,
        };
        harness.output().shapes.iter().filter_map(tint).collect()
    };
    harness.state_mut().state.overlay = OverlayKinds::CLIP;
    harness.run();
    assert_eq!(tints(&harness), [Color32::WHITE], "one layer as long as both are opaque");
    harness.state_mut().state.readability.line_opacity = 0.5;
    harness.state_mut().state.readability.is_dimmed = true;
    harness.step();
    assert_eq!(tints(&harness), [0.25, 0.5].map(|opacity| Color32::WHITE.gamma_multiply(opacity)));
    harness.state_mut().state.overlay = OverlayKinds::NONE;
    harness.step();
    assert_eq!(tints(&harness).len(), 1, "lines disappear at once");
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

/// The labels of a view in the panel.
fn labels(harness: &mut Harness<'_, App>, key: Key, labels: &[&str]) {
    harness.key_press(key);
    harness.run();
    for label in labels {
        harness.get_by_label(label);
    }
}

#[test]
fn each_view_of_the_data_has_a_legend_with_numbers() {
    let mut harness = app(r##"<rect id="a" width="50" height="100"/><rect id="b" width="50" height="100"/>
        <rect id="c" x="60" width="10" height="10"/><rect id="off" x="200" width="9" height="9"/>"##);
    labels(
        &mut harness,
        Key::Num5,
        &[
            "3 clipped boxes of leaves have 1.01 times the area of the page.",
            "1 box: 2.0 % of the pixels with boxes",
            "2 boxes: 98.0 % of the pixels with boxes",
            "In the window, a pixel has 1.98 boxes on average, 2 at most.",
        ],
    );
    labels(
        &mut harness,
        Key::Num6,
        &["3 items in 2 layers and 2 batches.", "layer 1: 2 items in 1 batch", "layer 2: 1 item in 1 batch"],
    );
    labels(&mut harness, Key::Num7, &["off-canvas: 1, boxes of 81 px²", "covered: 1, boxes of 5000 px²"]);
    labels(
        &mut harness,
        Key::Num8,
        &["Save another version of the file: this view then shows what differs."],
    );
    labels(&mut harness, Key::K, &["There is no adapter to compare with."]);
    assert_eq!(harness.state().state.data_view, Some(crate::data_views::DataView::Check));
    harness.get_by_label("None").click();
    harness.run();
    assert_eq!(harness.state().state.data_view, None);
    harness.get_by_label("Tiles").click();
    harness.run();
    assert_eq!(harness.state().state.data_view, Some(crate::data_views::DataView::Tiles));
}

#[test]
fn the_panel_has_room_for_its_contents() {
    let mut harness =
        app(r##"<rect id="a" width="50" height="100"/><rect id="b" width="50" height="100"/>"##);
    // The panel is then at the edge of the window.
    harness.key_press(Key::I);
    for key in [Key::Num5, Key::Num6, Key::Num7, Key::Num8, Key::Num9, Key::K] {
        harness.key_press(key);
        harness.run();
        let right = harness.ctx.content_rect().right();
        for text in harness.get_all_by(|node| node.label().is_some() || node.value().is_some()) {
            assert!(text.rect().right() <= right, "{key:?}: {text:?}");
        }
    }
}

#[test]
fn the_legend_names_what_is_under_the_pointer_and_selects_it() {
    let mut harness =
        app(r##"<rect id="a" width="50" height="50"/><rect id="b" x="50" width="50" height="50"/>"##);
    harness.key_press(Key::Num6);
    harness.run();
    harness.get_by_label("Point at the drawing for its numbers.");
    harness.hover_at(crate::panels::tests::on_screen(&harness, 70.0, 20.0));
    harness.run();
    harness.get_by_label("Under the pointer: layer 1: 2 items in 1 batch");
    let _link = harness.get_by_label("<rect> #b");
    harness.get_by_label("<rect> #a").click();
    harness.run();
    assert_eq!(harness.state().state.selected, Some(harness.state().index("a")));
}
