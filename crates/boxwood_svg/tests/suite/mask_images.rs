//! Gradients of CSS in masks. The boxes are those of the ink in Chromium 156.

use boxwood_cpu::Aabb;
use boxwood_svg::audit;

use crate::loaded::{Loaded, assert_near};

/// The largest difference of a box and the ink, in px: a step of colours of a gradient.
const TOLERANCE: f64 = 0.3;

/// Asserts that a masked element has a box, and a picture with the same ink.
#[track_caller]
fn assert_masked(element: &str, expected: [f64; 4]) {
    let d = Loaded::of(element);
    assert_eq!(d.drawing.warnings, [], "{element}");
    let b = d.ink();
    for (what, found) in [("box", [b.x0, b.y0, b.x1, b.y1].map(f64::from)), ("ink", d.opaquer_than_at_4(8))] {
        let is_near = found.iter().zip(expected).all(|(a, b)| (a - b).abs() <= TOLERANCE);
        assert!(is_near, "{element}: the {what} is {found:?}");
    }
}

#[test]
fn a_gradient_is_a_mask() {
    for (value, expected) in [
        ("mask-image:linear-gradient(to right,#000 50%,transparent 50%)", [90.0, 10.0, 120.0, 70.0]),
        ("mask:linear-gradient(90deg,#000 50%,transparent 50%)", [90.0, 10.0, 120.0, 70.0]),
        ("-webkit-mask-image:linear-gradient(to right,#000 50%,#0000 50%)", [90.0, 10.0, 120.0, 70.0]),
        ("mask-image:linear-gradient(black 20px,transparent 20px)", [90.0, 10.0, 150.0, 30.0]),
        ("mask-image:linear-gradient(to right,#000 0 25%,transparent 0)", [90.0, 10.0, 105.0, 70.0]),
        ("mask-image:radial-gradient(circle 20px,#000 100%,transparent 0)", [100.0, 20.0, 140.0, 60.0]),
        (
            "mask-image:radial-gradient(ellipse 10px 20px at 20px 20px,#000 100%,transparent 100%)",
            [100.0, 10.0, 120.0, 50.0],
        ),
        ("mask-image:radial-gradient(closest-side,#000 50%,transparent 50%)", [105.0, 25.0, 135.0, 55.0]),
        (
            "mask-image:radial-gradient(circle closest-side at 20px 30px,#000,#000 100%,#0000 0)",
            [90.0, 20.0, 130.0, 60.0],
        ),
        (
            "mask-image:repeating-linear-gradient(to right,#000 0 10px,transparent 10px 20px);clip-path:inset(0 10px 0 0)",
            [90.0, 10.0, 140.0, 70.0],
        ),
        ("mask-image:linear-gradient(to bottom right,#000 20%,transparent 20%)", [90.0, 10.0, 114.0, 34.0]),
    ] {
        let rect = format!("<rect x='90' y='10' width='60' height='60' style='{value}'/>");
        if value.contains("repeating") || value.contains("bottom right") {
            let d = Loaded::of(&rect);
            let found = d.opaquer_than_at_4(8);
            assert!(
                found.iter().zip(expected).all(|(a, b)| (a - b).abs() <= TOLERANCE),
                "{value}: {found:?}"
            );
        } else {
            assert_masked(&rect, expected);
        }
    }
}

#[test]
fn the_image_is_repeated_over_the_stroke() {
    let mask = "style='mask-image:linear-gradient(to right,#000 50%,transparent 50%)'";
    let stroked = "x='90' y='10' width='60' height='60' stroke='red' stroke-width='20'";
    assert_masked(&format!("<rect {stroked} {mask}/>"), [90.0, 0.0, 160.0, 80.0]);
    assert_masked(
        &format!("<g {mask}><rect x='90' y='10' width='60' height='60'/><rect x='200' {stroked}/></g>")
            .replace("x='200' x='90'", "x='200'"),
        [90.0, 0.0, 270.0, 80.0],
    );
    let whole = "style='mask-image:linear-gradient(#000,#000)'";
    assert_masked(&format!("<rect {stroked} {whole}/>"), [80.0, 0.0, 160.0, 80.0]);
}

#[test]
fn a_mask_without_area_hides_the_element() {
    let d = Loaded::of(
        "<path d='M90 10H190' stroke='red' stroke-width='20' style='mask-image:linear-gradient(red,red)'/>",
    );
    assert_eq!(d.ink(), Aabb::EMPTY);
}

#[test]
fn other_masks_are_reported() {
    for value in [
        "mask-image:conic-gradient(#000 25%,transparent 25%)",
        "mask-image:linear-gradient(#000,20%,#0000)",
        "mask-image:linear-gradient(#000,#000),linear-gradient(#000,#000)",
        "mask:linear-gradient(#000,#000) 0 0/30px 20px no-repeat",
        "mask-image:linear-gradient(#000,#000);mask-size:30px 20px",
        "mask-image:radial-gradient(circle 0px,#000,#0000)",
    ] {
        let d = Loaded::of(&format!(
            "<rect id='under' width='9' height='9'/><rect id='a' width='60' height='60' style='{value}'/>"
        ));
        assert_near(d.ink(), [0.0, 0.0, 60.0, 60.0]);
        assert_eq!(d.drawing.warnings.len(), 1, "{value}: {:?}", d.drawing.warnings);
        assert!(audit(&d.drawing).is_empty(), "{value}: the rectangle may be visible");
    }
}
