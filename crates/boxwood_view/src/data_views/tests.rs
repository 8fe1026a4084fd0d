//! The facts of each view of the data.

use std::sync::Arc;

use boxwood::native::Gpu;
use boxwood_cpu::Aabb;
use boxwood_render::FrameBoxes;
use boxwood_svg::{Fonts, Options, load};
use kurbo::{Point, TranslateScale};

use super::{Analysis, DataPicture, DataView, DrawingPosition, Subject, check};
use crate::model::Model;
use crate::model::tests::{index, model};

/// The model of a drawing of 100 x 100 that can be compared with another one.
fn comparable(contents: &str) -> Model {
    let svg = format!(r#"<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100">{contents}</svg>"#);
    let options = Options { fonts: Fonts::Bundled, comparable: true, ..Options::default() };
    Model::new(load(svg.as_bytes(), &options).expect("the drawing is correct"))
}

fn analysis(view: DataView, model: &Model) -> Analysis {
    Analysis::new(view, Subject { model, previous: None, frame: None, gpu: None })
}

/// The picture at 100 %.
fn picture(analysis: Analysis) -> DataPicture {
    let place = DrawingPosition { size: [100, 100], scale: 1.0, translation: [0.0, 0.0] };
    DataPicture::new(Arc::new(analysis), place)
}

/// The names of the sources with a text in the list.
fn entries(analysis: &Analysis, model: &Model) -> Vec<(String, String)> {
    let name = |source: u32| model.source(source).name.clone();
    analysis.entries.iter().map(|entry| (name(entry.source), entry.text.clone())).collect()
}

const THREE: &str = r##"<rect id="a" width="40" height="40"/><rect id="b" x="20" width="40" height="40"/>
    <rect id="c" x="80" width="10" height="40"/>"##;

#[test]
fn overdraw_is_the_number_of_clipped_boxes_at_each_pixel() {
    let picture = picture(analysis(DataView::Overdraw, &model(THREE)));
    let at = |x| picture.at(Point::new(x, 20.5)).map(|(text, _)| text);
    assert_eq!(at(10.5).as_deref(), Some("1 box"));
    assert_eq!(at(30.5).as_deref(), Some("2 boxes"));
    assert_eq!(at(70.5).as_deref(), Some("0 boxes"));
    assert_eq!(at(101.0), None, "outside of the window");
    let image = picture.image();
    assert_eq!(image.size, [100, 100]);
    let pixel = |x: usize| image.pixels[20 * 100 + x];
    assert_ne!(pixel(10), pixel(30));
    assert_eq!(pixel(70), egui::Color32::TRANSPARENT);
}

#[test]
fn tiles_of_16_pixels_have_the_numbers_of_boxes_that_touch_them() {
    let picture = picture(analysis(DataView::Tiles, &model(THREE)));
    assert_eq!(picture.image().size, [7, 7]);
    let at = |x| picture.at(Point::new(x, 20.0)).map(|(text, _)| text);
    // Tile 1 has pixels 16 to 31, and tile 5 pixels 80 to 95.
    assert_eq!(
        [15.0, 16.0, 79.0, 80.0].map(at).map(Option::unwrap_or_default),
        ["1 box", "2 boxes", "0 boxes", "1 box"]
    );
    assert!(picture.summary[1].starts_with("7 × 7 tiles of 16 px; "), "{:?}", picture.summary);
}

#[test]
fn boxes_of_the_frame_are_counted_in_their_pixels_and_move_with_the_drawing() {
    let model = model(THREE);
    let mut clipped_boxes = model.boxes().clipped_boxes.clone();
    // The frame was drawn at 200 %, ten pixels to the right. Its boxes end one pixel later.
    for Aabb { x0, y0, x1, y1 } in &mut clipped_boxes {
        [*x0, *y0, *x1, *y1] = [2.0 * *x0 + 10.0, 2.0 * *y0, 2.0 * *x1 + 11.0, 2.0 * *y1];
    }
    let view = TranslateScale::new((10.0, 0.0).into(), 2.0);
    let frame = FrameBoxes { clipped_boxes, view };
    let subject = Subject { model: &model, previous: None, frame: Some(&frame), gpu: None };
    let analysis = Arc::new(Analysis::new(DataView::Overdraw, subject));
    assert!(
        analysis.summary[0].starts_with("3 clipped boxes of leaves in the frame "),
        "{:?}",
        analysis.summary
    );
    for offset in [10.0, -30.0] {
        let place = DrawingPosition { size: [200, 100], scale: 2.0, translation: [offset, 0.0] };
        let picture = DataPicture::new(Arc::clone(&analysis), place);
        let at = |x: f64| picture.at(Point::new(x, 20.0)).map(|(text, _)| text);
        // The first box ends at 40 in the scene, and at 40.5 in the frame.
        assert_eq!([39.8, 40.2, 40.7].map(at), ["2 boxes", "2 boxes", "1 box"].map(|n| Some(n.to_owned())));
    }
}

#[test]
fn items_that_overlap_are_in_layers_and_batches() {
    let model = model(THREE);
    let analysis = analysis(DataView::Layers, &model);
    assert_eq!(analysis.summary, ["3 items in 2 layers and 2 batches."]);
    let expected =
        [("a", "starts a batch of 2 items: fill, layer 1"), ("b", "starts a batch of 1 item: fill, layer 2")];
    assert_eq!(entries(&analysis, &model), expected.map(|(name, text)| (name.to_owned(), text.to_owned())));
    let picture = picture(analysis);
    let at = |x| picture.at(Point::new(x, 20.0)).and_then(|(_, source)| source);
    assert_eq!([10.0, 30.0, 85.0].map(at), ["a", "b", "c"].map(|name| Some(index(&model, name))));
    assert_eq!(picture.at(Point::new(70.0, 20.0)), None);
}

#[test]
fn findings_of_the_audit_are_marked() {
    let model = model(
        r##"<rect id="under" x="5" y="5" width="20" height="20"/><rect id="cover" width="50" height="50" fill="#123"/>"##,
    );
    let analysis = analysis(DataView::Occluded, &model);
    let found = entries(&analysis, &model);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].0 == "under" && found[0].1.starts_with("covered: "), "{found:?}");
    let picture = picture(analysis);
    assert_eq!(
        picture.at(Point::new(10.0, 10.0)).and_then(|(_, source)| source),
        Some(index(&model, "under"))
    );
    assert_eq!(picture.at(Point::new(40.0, 40.0)), None);
}

#[test]
fn damage_is_what_differs_from_the_previous_version() {
    let old =
        comparable(r##"<rect id="a" width="10" height="10"/><rect id="b" x="50" width="10" height="10"/>"##);
    let new = comparable(
        r##"<rect id="a" width="10" height="10"/><rect id="b" x="50" y="20" width="10" height="10"/>"##,
    );
    let analysis = Analysis::new(
        DataView::Damage,
        Subject { model: &new, previous: Some(&old), frame: None, gpu: None },
    );
    assert!(
        analysis.summary[0].starts_with("1 change since the previous version; "),
        "{:?}",
        analysis.summary
    );
    assert_eq!(entries(&analysis, &new), [("b".to_owned(), "moved".to_owned())]);
    let picture = picture(analysis);
    let is_marked = |x, y| picture.at(Point::new(x, y)).is_some();
    assert!(is_marked(55.0, 5.0) && is_marked(55.0, 25.0) && !is_marked(5.0, 5.0));
    let same = Analysis::new(
        DataView::Damage,
        Subject { model: &new, previous: Some(&new), frame: None, gpu: None },
    );
    assert!(same.summary[0].starts_with("0 changes") && same.marks.is_empty(), "{:?}", same.summary);
    let first =
        Analysis::new(DataView::Damage, Subject { model: &new, previous: None, frame: None, gpu: None });
    let picture = self::picture(first);
    assert!(picture.rows.is_empty() && picture.summary.is_empty(), "{:?}", picture.summary);
}

#[test]
fn the_adapter_equals_the_specification_and_a_fault_is_found() {
    let model = model(
        r##"<g id="g" opacity="0.5"><rect id="a" width="10" height="10"/><rect id="b" width="20" height="20"/></g>"##,
    );
    let gpu = Gpu::open(None).expect("tests need an adapter");
    let analysis = Analysis::new(
        DataView::Check,
        Subject { model: &model, previous: None, frame: None, gpu: Some(&gpu) },
    );
    assert!(analysis.summary[0].starts_with("Equal, bit for bit: 6 elements on "), "{:?}", analysis.summary);
    assert!(analysis.marks.is_empty() && analysis.entries.is_empty());
    let leaf = model.facts(index(&model, "b")).elements.start;
    let mut faulty = model.boxes().clone();
    faulty.clipped_boxes[leaf] = Aabb::EMPTY;
    let rank = faulty.group_boxes.len() - 1;
    faulty.group_boxes.truncate(rank);
    let found = check::compared(&faulty, &model, "an adapter");
    assert_eq!(found.summary, ["DIFFERENT: 2 values of 6 elements on an adapter."]);
    let fields: Vec<_> = entries(&found, &model).into_iter().map(|(name, _)| name).collect();
    assert_eq!(fields, ["b", "/svg"]);
    assert_eq!(found.classes[4], "clipped_boxes: 1 value differs");
}
