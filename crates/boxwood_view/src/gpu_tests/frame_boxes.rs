//! Overlays of the boxes that the frame was drawn with.

use super::*;

/// The boxes that Vello draws with are those of the scene, rounded outward to pixels; where paths are curves, up to a pixel, as Vello
/// draws lines in their place.
#[test]
fn boxes_of_the_frame_are_those_of_the_scene_in_pixels() {
    let drawing = rich_drawing();
    let expected = boxwood_cpu::boxes(&drawing.elements);
    let mut painter = painter();
    painter.set_drawing(&drawing).expect("the scene is small");
    for zoom in [1.0_f32, 2.5] {
        let of_frame = RenderOptions {
            boxes: OverlaySource::Frame,
            legend: true,
            ..options(zoom.into(), OverlayKinds::ALL)
        };
        painter.render(&of_frame).expect("the picture is small");
        let buffers = painter.frame_boxes().expect("they are shown");
        let found = boxwood::read_back(painter.device(), painter.queue(), buffers);
        let found = found.expect("the device answers");
        // The background is a draw object before them, and the legend's come after.
        let in_pixels = |b: &Aabb| {
            let [low, high] = [[b.x0, b.y0], [b.x1, b.y1]]
                .map(|corner| corner.map(|value| (value * zoom).clamp(f32::MIN, f32::MAX)));
            let [x0, y0] = low.map(f32::floor);
            let [x1, y1] = high.map(f32::ceil);
            Aabb { x0, y0, x1, y1 }
        };
        let is_near = |expected: &Aabb, found: &Aabb| {
            let expected = if expected.is_empty() { *expected } else { in_pixels(expected) };
            let sides = |b: &Aabb| [b.x0, b.y0, b.x1, b.y1];
            let apart = sides(&expected).into_iter().zip(sides(found)).map(|(a, b)| (a - b).abs());
            apart.fold(0.0, f32::max) <= 1.0
        };
        let n_elements = drawing.elements.len();
        let pairs = [
            ("clipped", &expected.clipped_boxes[..], &found.clipped_boxes[1..=n_elements]),
            ("clip", &expected.clip_boxes, &found.clip_boxes[..drawing.elements.n_nodes()]),
            ("group", &expected.group_boxes, &found.group_boxes[..drawing.elements.n_nodes()]),
        ];
        for (kind, expected, found) in pairs {
            for (index, (expected, found)) in expected.iter().zip(found).enumerate() {
                assert!(is_near(expected, found), "{kind} {index} at {zoom}: {expected:?} and {found:?}");
            }
        }
    }
}

/// Rectangles at whole pixels look alike, in one part and in many, and with a legend that the outlines spare.
#[test]
fn outlines_of_the_frame_are_those_of_the_scene_at_whole_pixels() {
    let begins = r#"<g style="isolation:isolate">"#.repeat(12);
    let rects = r##"<rect x="40" y="60" width="300" height="200" fill="#39c"/><g clip-path="url(#c)"><rect x="20" y="90"
        width="460" height="31" fill="#c33"/></g>"##;
    let clip = r#"<clipPath id="c"><rect x="50" y="70" width="401" height="300"/></clipPath>"#;
    let mut painter = painter();
    // A layer of the frame cuts what is in it to a rectangle around it, which is no clip of the scene.
    let all_but_clip = OverlayKinds::ALL.toggled(OverlayKinds::CLIP);
    for (contents, all) in [
        (format!("{clip}{rects}"), OverlayKinds::ALL),
        (format!("{clip}{begins}{rects}{}", "</g>".repeat(12)), all_but_clip),
    ] {
        painter.set_drawing(&drawing(512, 400, &contents)).expect("the scene is small");
        for shown in all.styles().map(|style| style.kind).chain([all]) {
            let [of_scene, of_frame] = [OverlaySource::Scene, OverlaySource::Frame].map(|boxes| {
                let options = RenderOptions { boxes, legend: true, ..options(1.0, shown) };
                painter.render(&options).expect("it is drawn, in parts if need be")
            });
            let apart =
                of_scene.enumerate_pixels().filter(|(x, y, pixel)| *pixel != of_frame.get_pixel(*x, *y));
            let places: Vec<_> = apart.map(|(x, y, _)| (x, y)).take(20).collect();
            assert!(places.is_empty(), "{shown}: {places:?}");
        }
    }
}

#[test]
fn a_picture_by_the_cpu_has_no_boxes_of_the_frame() {
    let drawing = rich_drawing();
    let boxes = boxwood_cpu::boxes(&drawing.elements);
    let options = RenderOptions { boxes: OverlaySource::Frame, ..options(1.0, OverlayKinds::CLIP) };
    let result = render_software(&drawing, &boxes, &options);
    assert!(matches!(result, Err(RenderError::NoFrameBoxes)), "{:?}", result.err());
    let without = RenderOptions { overlay: OverlayKinds::NONE, ..options };
    render_software(&drawing, &boxes, &without).expect("no overlay, no boxes");
}
