//! Pictures of the first elements of a drawing.

use super::*;

/// The contents in the order of painting: groups with a clip, an opacity, and a blend mode around
/// leaves, one of which resvg draws.
const PARTS: [&str; 8] = [
    r##"<rect width="60" height="40" fill="#fd8"/>"##,
    r##"<g clip-path="url(#c)" opacity="0.6">"##,
    r##"<rect x="4" y="4" width="30" height="20" fill="#06c"/>"##,
    r##"<g clip-path="url(#c)" style="mix-blend-mode:multiply">"##,
    r##"<circle cx="30" cy="20" r="12" fill="url(#g)" transform="rotate(5)"/>"##,
    r##"<rect x="10" y="20" width="40" height="15" fill="url(#p)"/>"##,
    "</g></g>",
    r##"<path d="M5 35L55 5" stroke="#c04" stroke-width="3"/>"##,
];

/// The number of elements after each part. The first element is the viewport.
const COUNTS: [usize; 8] = [2, 3, 4, 5, 6, 7, 9, 10];

/// The drawing of the first parts.
fn first(n_parts: usize) -> Drawing {
    let mut contents = PARTS[..n_parts].concat();
    let n_open = contents.matches("<g").count() - contents.matches("</g").count();
    contents += &"</g>".repeat(n_open);
    drawing(
        60,
        40,
        &format!(
            r##"<linearGradient id="g"><stop stop-color="#fff"/><stop offset="1" stop-color="#070"/></linearGradient>
            <pattern id="p" patternUnits="userSpaceOnUse" width="9" height="7"><rect width="5" height="4" fill="#808"/></pattern>
            <clipPath id="c"><circle cx="28" cy="20" r="18"/></clipPath>{contents}"##
        ),
    )
}

#[test]
fn a_cut_picture_is_that_of_the_drawing_without_the_later_elements() {
    let mut painter = painter();
    let whole = first(PARTS.len());
    assert_eq!(whole.elements.len(), COUNTS[7] + 1);
    let mut previous: Option<RgbaImage> = None;
    for (n_parts, n_painted) in (1..).zip(COUNTS) {
        for boxes in [OverlaySource::Scene, OverlaySource::Frame] {
            let overlay =
                if boxes == OverlaySource::Frame { OverlayKinds::CLIPPED } else { OverlayKinds::NONE };
            let frame = Frame { boxes, overlay, view: TranslateScale::scale(2.0), ..plain_frame([120, 80]) };
            let mut picture = |drawing: &Drawing, n_painted| {
                painter.set_drawing(drawing).expect("the scene is small");
                let picture = painter.paint(&Frame { n_painted, ..frame.clone() });
                painter.read(&picture.expect("the picture is small")).expect("the device answers")
            };
            let cut = picture(&whole, Some(n_painted));
            let alone = picture(&first(n_parts), None);
            assert_eq!(cut, alone, "{n_parts} parts, boxes of the {boxes:?}");
            let paints_nothing =
                PARTS[n_parts - 1].starts_with("<g") || PARTS[n_parts - 1].starts_with("</g");
            if boxes == OverlaySource::Scene {
                let is_same = previous.as_ref() == Some(&cut);
                assert_eq!(is_same, paints_nothing, "{n_parts} parts");
                previous = Some(cut);
            }
        }
    }
}

#[test]
fn the_boxes_of_the_scene_are_those_of_the_painted_elements() {
    let mut painter = painter();
    painter.set_drawing(&first(PARTS.len())).expect("the scene is small");
    let overlay = OverlayKinds::CLIPPED | OverlayKinds::CLIP;
    let mut picture = |n_painted, overlay| {
        let frame = Frame { n_painted, overlay, ..plain_frame([60, 40]) };
        let picture = painter.paint(&frame).expect("the picture is small");
        painter.read(&picture).expect("the device answers")
    };
    let mut n_lines = |n_painted| {
        let [with, without] = [overlay, OverlayKinds::NONE].map(|overlay| picture(Some(n_painted), overlay));
        with.pixels().zip(without.pixels()).filter(|(with, without)| with != without).count()
    };
    let counts: Vec<_> = COUNTS.map(&mut n_lines).to_vec();
    assert_eq!(n_lines(0), 0);
    assert!(counts.is_sorted() && counts[0] < counts[7], "{counts:?}");
}
