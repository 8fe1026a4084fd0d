//! Overlays of the boxes that a frame was drawn with.

use super::*;

/// Vello's boxes are the boxes of the scene, rounded outwards to pixels. Vello flattens curves to
/// lines, so boxes of curves may differ by a pixel.
#[test]
fn boxes_of_the_frame_are_boxes_of_the_scene_rounded_to_pixels() {
    let drawing = rich_drawing();
    let expected = boxwood_cpu::specification::boxes(&drawing.elements);
    let mut painter = painter();
    painter.set_drawing(&drawing).expect("the scene is small");
    for zoom in [1.0_f32, 2.5] {
        let of_frame = RenderOptions {
            boxes: OverlaySource::Frame,
            legend: Legend::Inside,
            ..options(zoom.into(), OverlayKinds::ALL)
        };
        painter.render(&of_frame).expect("the picture is small");
        let buffers = painter.frame_boxes().expect("the overlay shows them");
        let found = buffers.read_back(&painter.queue);
        let found = found.expect("the device answers");
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
            let differences = sides(&expected).into_iter().zip(sides(found)).map(|(a, b)| (a - b).abs());
            differences.fold(0.0, f32::max) <= 1.0
        };
        // The background is one draw object before the elements, and those of the legend follow.
        let n_elements = drawing.elements.len();
        let n_entries = drawing.elements.n_entries();
        let pairs = [
            ("clipped", &expected.clipped_boxes[..], &found.clipped_boxes[1..=n_elements]),
            ("clip", &expected.clip_boxes, &found.clip_boxes[..n_entries]),
            ("group", &expected.group_boxes, &found.group_boxes[..n_entries]),
        ];
        for (kind, expected, found) in pairs {
            for (index, (expected, found)) in expected.iter().zip(found).enumerate() {
                assert!(is_near(expected, found), "{kind} {index} at {zoom}: {expected:?} and {found:?}");
            }
        }
    }
}

/// Rectangles on whole pixels have the same outlines from both sources, in one part and in several,
/// and around a legend.
#[test]
fn outlines_from_both_sources_are_the_same_on_whole_pixels() {
    let begins = r#"<g style="isolation:isolate">"#.repeat(12);
    let rects = r##"<rect x="40" y="60" width="300" height="200" fill="#39c"/><g clip-path="url(#c)"><rect x="20" y="90"
        width="460" height="31" fill="#c33"/></g>"##;
    let clip = r#"<clipPath id="c"><rect x="50" y="70" width="401" height="300"/></clipPath>"#;
    let mut painter = painter();
    // Vello clips a layer to the rectangle around its contents, which is not a clip of the scene.
    let all_but_clip = OverlayKinds::ALL.difference(OverlayKinds::CLIP);
    for (contents, all) in [
        (format!("{clip}{rects}"), OverlayKinds::ALL),
        (format!("{clip}{begins}{rects}{}", "</g>".repeat(12)), all_but_clip),
    ] {
        painter.set_drawing(&drawing(512, 400, &contents)).expect("the scene is small");
        for shown in all.styles().map(|style| style.kind).chain([all]) {
            let [of_scene, of_frame] = [OverlaySource::Scene, OverlaySource::Frame].map(|boxes| {
                let options = RenderOptions { boxes, legend: Legend::Inside, ..options(1.0, shown) };
                painter.render(&options).expect("it can be drawn in parts")
            });
            let different =
                of_scene.enumerate_pixels().filter(|(x, y, pixel)| *pixel != of_frame.get_pixel(*x, *y));
            let positions: Vec<_> = different.map(|(x, y, _)| (x, y)).take(20).collect();
            assert!(positions.is_empty(), "{shown}: {positions:?}");
        }
    }
}

/// The clipped boxes are read back with and without an overlay, from one part and from several.
#[test]
fn the_boxes_of_a_frame_are_read_back_in_pixels_of_the_picture() {
    let rects = r##"<rect x="40" y="60" width="300" height="200" fill="#39c"/><g clip-path="url(#c)"><rect x="20" y="90"
        width="460" height="31" fill="#c33"/></g><clipPath id="c"><rect x="50" y="70" width="401" height="300"/></clipPath>"##;
    let drawing = drawing(512, 400, rects);
    let expected = boxwood_cpu::specification::boxes(&drawing.elements).clipped_boxes;
    let is_leaf = |element: &usize| drawing.elements.kind(*element) == boxwood_cpu::ElementKind::Leaf;
    let leaves: Vec<usize> = (0..drawing.elements.len()).filter(is_leaf).collect();
    let mut painter = painter();
    painter.set_drawing(&drawing).expect("the scene is small");
    for (overlay, part_side) in [(OverlayKinds::NONE, u32::MAX), (OverlayKinds::ALL, 128)] {
        painter.part_side = part_side;
        let frame = Frame { overlay, boxes: OverlaySource::Frame, ..plain_frame([512, 400]) };
        let (_, boxes) = painter.paint_with_boxes(&frame).expect("the picture is small");
        let boxes = boxes.expect("there is a drawing");
        assert_eq!((boxes.view.scale, boxes.view.translation), (frame.view.scale, frame.view.translation));
        for leaf in &leaves {
            assert_eq!(boxes.clipped_boxes[*leaf], expected[*leaf], "{leaf} in parts of {part_side}");
        }
    }
    let frame = Frame { overlay: OverlayKinds::NONE, ..plain_frame([64, 64]) };
    painter.paint(&frame).expect("the picture is small");
    assert!(painter.frame_boxes().is_none(), "nothing needs them");
}

#[test]
fn the_buffer_for_boxes_is_kept_while_it_has_room() {
    let mut painter = painter();
    let frame = Frame { overlay: OverlayKinds::NONE, ..plain_frame([64, 64]) };
    let frame = Frame { boxes: OverlaySource::Frame, ..frame };
    let mut room_after = |n_rects: u16| {
        let rects: String =
            (0..n_rects).map(|x| format!(r#"<rect x="{x}" width="9" height="7"/>"#)).collect();
        painter.set_drawing(&drawing(64, 64, &rects)).expect("the scene is small");
        let (_, boxes) = painter.paint_with_boxes(&frame).expect("the picture is small");
        let boxes = boxes.expect("there is a drawing").clipped_boxes;
        let last = f32::from(n_rects) - 1.0;
        let last = Aabb { x0: last, y0: 0.0, x1: last + 9.0, y1: 7.0 };
        assert!(boxes.contains(&last), "{last:?} is not in {boxes:?}");
        painter.box_staging.as_ref().expect("it was used").n_boxes
    };
    let [few, many, few_again] = [2, 20, 3].map(&mut room_after);
    assert!(few < many, "{few} and {many}");
    assert_eq!(few_again, many);
}

#[test]
fn a_picture_drawn_on_the_cpu_has_no_boxes_of_a_frame() {
    let drawing = rich_drawing();
    let options = RenderOptions { boxes: OverlaySource::Frame, ..options(1.0, OverlayKinds::CLIP) };
    let result = render_on_cpu(&drawing, CpuRenderer::Resvg, &options);
    assert!(matches!(result, Err(RenderError::NoFrameBoxes)), "{:?}", result.err());
    let without = RenderOptions { overlay: OverlayKinds::NONE, ..options };
    render_on_cpu(&drawing, CpuRenderer::Resvg, &without).expect("a picture without overlay needs no boxes");
}
