//! What stands out of a picture: dimming, the opacity of lines, the boxes of some elements, and an
//! overlay in a texture of its own.

use super::*;
use crate::gpu::PictureTextures;

/// A group with a clip around the first of two rectangles.
const TWO: &str = r##"<clipPath id="c"><rect width="20" height="20"/></clipPath>
    <g clip-path="url(#c)"><rect x="4" y="4" width="10" height="10" fill="#fff"/></g>
    <rect x="24" y="4" width="10" height="10" fill="#fff"/>"##;

fn picture(painter: &mut Painter, boxes: OverlaySource, emphasis: Emphasis) -> RgbaImage {
    let overlay = OverlayKinds::CLIPPED | OverlayKinds::CLIP;
    let surround = Some([0; 3]);
    let frame = Frame { overlay, boxes, emphasis, surround, ..plain_frame([40, 24]) };
    let picture = painter.paint(&frame).expect("the picture is small");
    painter.read(&picture).expect("the device answers")
}

#[test]
fn only_the_boxes_of_shown_elements_are_in_the_overlay() {
    let drawing = drawing(40, 24, TWO);
    let mut painter = painter();
    painter.set_drawing(&drawing).expect("the scene is small");
    // The viewport, the clip, the first rectangle, the end of the clip, the second rectangle.
    assert_eq!(drawing.elements.len(), 6);
    let shown: Arc<[bool]> = [false, false, true, false, true, false].into();
    let shows = |picture: &RgbaImage, x, y| picture.get_pixel(x, y).0 != [255; 4];
    for boxes in [OverlaySource::Scene, OverlaySource::Frame] {
        let all = picture(&mut painter, boxes, Emphasis::default());
        let some = Emphasis { shown: Some(Arc::clone(&shown)), ..Emphasis::default() };
        let some = picture(&mut painter, boxes, some);
        let places = [(0, 12), (19, 12), (4, 12), (24, 12)];
        assert_eq!(places.map(|(x, y)| shows(&all, x, y)), [true; 4], "{boxes:?}");
        assert_eq!(places.map(|(x, y)| shows(&some, x, y)), [false, false, true, true], "{boxes:?}");
        let one = Emphasis { shown: Some([false; 5].into()), ..Emphasis::default() };
        let none = picture(&mut painter, boxes, one);
        assert_eq!(places.map(|(x, y)| shows(&none, x, y)), [false; 4], "{boxes:?}");
    }
}

#[test]
fn the_drawing_is_dimmed_below_lines_whose_opacity_is_their_own() {
    let mut painter = painter();
    painter.set_drawing(&drawing(40, 24, TWO)).expect("the scene is small");
    let plain = picture(&mut painter, OverlaySource::Scene, Emphasis::default());
    let line = plain.get_pixel(30, 4).0;
    let dim = Emphasis { dimming: 0.75, ..Emphasis::default() };
    let dim = picture(&mut painter, OverlaySource::Scene, dim);
    assert_eq!(dim.get_pixel(30, 4).0, line);
    let inside = dim.get_pixel(30, 8).0;
    assert!(inside[..3].iter().all(|channel| channel.abs_diff(64) <= 1), "{inside:?}");
    let faint = Emphasis { line_opacity: 0.5, ..Emphasis::default() };
    let faint = picture(&mut painter, OverlaySource::Scene, faint).get_pixel(30, 4).0;
    for (channel, full) in faint.iter().zip(line) {
        assert!(channel.abs_diff(full.midpoint(255)) <= 1, "{faint:?}");
    }
    assert_eq!(faint[3], 255);
}

#[test]
fn an_overlay_in_a_texture_of_its_own_gives_the_same_picture() {
    let mut painter = painter();
    for (boxes, part_side) in [
        (OverlaySource::Scene, u32::MAX),
        (OverlaySource::Frame, u32::MAX),
        (OverlaySource::Scene, 32),
        (OverlaySource::Frame, 32),
    ] {
        painter.set_drawing(&rich_drawing()).expect("the scene is small");
        painter.part_side = part_side;
        let frame = Frame { boxes, surround: Some([9; 3]), ..plain_frame([120, 90]) };
        let picture = painter.paint(&frame).expect("the picture is small");
        let together = painter.read(&picture).expect("the device answers");
        let apart = painter.paint_apart(&frame).expect("the picture is small");
        let overlay = painter.read(&apart.overlay.expect("kinds are shown")).expect("the device answers");
        let below = painter.read(&apart.picture).expect("the device answers");
        assert_overlaid(&together, &below, &overlay);
        assert!(overlay.pixels().all(|pixel| matches!(pixel.0, [0, 0, 0, 0] | [_, _, _, 255])));
        let none = Frame { overlay: OverlayKinds::NONE, ..frame };
        let none = painter.paint_apart(&none).expect("the picture is small");
        assert!(none.overlay.is_none());
        assert_eq!(painter.read(&none.picture).expect("the device answers"), below);
    }
}

#[test]
fn another_overlay_does_not_draw_the_drawing_again() {
    let mut painter = painter();
    let drawing = rich_drawing();
    for boxes in [OverlaySource::Scene, OverlaySource::Frame] {
        painter.set_drawing(&drawing).expect("the scene is small");
        let frame = Frame { boxes, surround: Some([9; 3]), ..plain_frame([120, 90]) };
        // The picture and its overlay, and the number of parts that were drawn for them.
        let paint = |painter: &mut Painter, frame: &Frame| {
            let PictureTextures { picture, overlay } = painter.paint_apart(frame).expect("it is small");
            let images = [Some(picture), overlay]
                .map(|texture| texture.map(|texture| painter.read(&texture).expect("the device answers")));
            (images, painter.take_costs().n_parts)
        };
        let alone = |painter: &mut Painter, frame: &Frame| {
            painter.set_drawing(&drawing).expect("the scene is small");
            paint(painter, frame).0
        };
        let clips = Frame { overlay: OverlayKinds::CLIP, ..frame.clone() };
        let shown = Some([true, false, true].into());
        let some = Frame { emphasis: Emphasis { shown, ..Emphasis::default() }, ..frame.clone() };
        let none = Frame { overlay: OverlayKinds::NONE, ..frame.clone() };
        let moved = Frame { view: TranslateScale::translate((5.0, 3.0)), ..frame.clone() };
        let cut = Frame { n_painted: Some(4), ..moved.clone() };
        let expected =
            [&frame, &clips, &some, &none, &frame, &moved, &cut].map(|frame| alone(&mut painter, frame));
        painter.set_drawing(&drawing).expect("the scene is small");
        let found =
            [&frame, &clips, &some, &none, &frame, &moved, &cut].map(|frame| paint(&mut painter, frame));
        assert_eq!(found.each_ref().map(|(_, n_parts)| *n_parts), [1, 0, 0, 0, 0, 1, 1], "{boxes:?}");
        for (index, ((found, _), expected)) in found.iter().zip(&expected).enumerate() {
            assert_eq!(found, expected, "picture {index} with the boxes of the {boxes:?}");
        }
        // What is drawn for a file replaces the boxes of the frame.
        painter.paint(&frame).expect("the picture is small");
        assert_eq!(paint(&mut painter, &cut).1, 1);
        // Without an overlay, the renderer does not compute boxes.
        painter.set_drawing(&drawing).expect("the scene is small");
        let n_parts = [&none, &frame].map(|frame| paint(&mut painter, frame).1);
        assert_eq!(n_parts, [1, usize::from(boxes == OverlaySource::Frame)]);
    }
}
