//! Boxes of strokes, some compared with pixels.

use boxwood_svg::Role;

use crate::loaded::{Loaded, assert_near, assert_within};

#[test]
fn a_stroke_under_rotation_and_scale_has_the_box_of_the_transformed_outline() {
    let d = Loaded::of(
        r#"<g transform="translate(100 100) rotate(45) scale(10)">
            <path id="p" d="M0 0L10 0" stroke="red" stroke-width="2"/></g>"#,
    );
    let half = 10.0 * 0.5_f64.sqrt();
    let end = 100.0 + 100.0 * 0.5_f64.sqrt();
    assert_near(d.leaf("p"), [100.0 - half, 100.0 - half, end + half, end + half]);
}

#[test]
fn a_line_has_the_box_of_its_stroke_only() {
    let d = Loaded::of(r#"<path id="h" d="M50 50H150" stroke="red" stroke-width="10"/>"#);
    assert_eq!(d.roles("h"), [Role::Stroke]);
    assert_near(d.leaf("h"), [50.0, 45.0, 150.0, 55.0]);
}

#[test]
fn caps_reach_beyond_the_ends() {
    let d = Loaded::of(
        r#"<path id="round" d="M50 50H150" stroke="red" stroke-width="10" stroke-linecap="round"/>
           <path id="square" d="M50 90H150" stroke="red" stroke-width="10" stroke-linecap="square"/>"#,
    );
    assert_within(d.leaf("round"), [45.0, 45.0, 155.0, 55.0], 0.01);
    assert_near(d.leaf("square"), [45.0, 85.0, 155.0, 95.0]);
}

#[test]
fn points_are_drawn_by_their_caps() {
    let d = Loaded::of(
        r#"<g stroke="red" stroke-width="20">
            <path id="round" d="M50 50h0" stroke-linecap="round"/>
            <path id="square" d="M100 50z" stroke-linecap="square"/>
            <path id="butt" d="M150 50h0"/></g>"#,
    );
    assert_within(d.leaf("round"), [40.0, 40.0, 60.0, 60.0], 0.03);
    assert_within(d.leaf("square"), [90.0, 40.0, 110.0, 60.0], 0.03);
    assert_eq!(d.roles("butt"), []);
}

#[test]
fn miters_reach_to_their_tip_and_end_at_the_limit() {
    let spike = |limit: &str, join: &str| {
        let d = Loaded::of(&format!(
            r#"<path id="m" d="M50 150 L150 140 L50 130" fill="none" stroke="red" stroke-width="10"
                stroke-linejoin="{join}" stroke-miterlimit="{limit}"/>"#
        ));
        d.leaf("m")
    };
    // The tangent of half the angle at the tip is 1/10.
    let (sin, cos) = 0.1_f64.atan().sin_cos();
    let left = 50.0 - 5.0 * sin;
    let (top, bottom) = (130.0 - 5.0 * cos, 150.0 + 5.0 * cos);
    assert_near(spike("100", "miter"), [left, top, 150.0 + 5.0 / sin, bottom]);
    assert_near(spike("4", "miter"), [left, top, 150.0 + 5.0 * sin, bottom]);
    assert_near(spike("4", "bevel"), [left, top, 150.0 + 5.0 * sin, bottom]);
    // A clipped miter ends at the limit, and a miter within the limit ends at its tip.
    assert_near(spike("4", "miter-clip"), [left, top, 150.0 + 4.0 * 5.0, bottom]);
    assert_near(spike("100", "miter-clip"), [left, top, 150.0 + 5.0 / sin, bottom]);
}

#[test]
fn only_dashes_have_a_box() {
    let d = Loaded::of(
        r#"<path id="d" d="M50 50H250" stroke="red" stroke-width="10" stroke-dasharray="20 1000"/>
           <path id="offset" d="M50 90H250" stroke="red" stroke-width="10" stroke-dasharray="20 1000"
                stroke-dashoffset="-30"/>
           <path id="dots" d="M50 150H250" stroke="red" stroke-width="10" stroke-dasharray="0 60"
                stroke-linecap="round"/>"#,
    );
    assert_near(d.leaf("d"), [50.0, 45.0, 70.0, 55.0]);
    assert_near(d.leaf("offset"), [80.0, 85.0, 100.0, 95.0]);
    assert_within(d.leaf("dots"), [45.0, 145.0, 235.0, 155.0], 0.05);
}

#[test]
fn a_stroke_without_length_has_caps_far_from_the_origin_too() {
    // The error is a thousandth of the width, or the spacing of f32 at the point.
    for (x, zoom, near) in [(50.0, 1.0, 0.01), (5000.0, 10.0, 0.1), (500_000.0, 10.0, 0.4)] {
        let (size, y) = (400.0 / zoom, x + 10.0);
        let svg = format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400" viewBox="{x} {x} {size} {size}">
                 <path id="dot" d="M{y} {y}h0" stroke="blue" stroke-width="8" stroke-linecap="round"/></svg>"#
        );
        assert_within(
            Loaded::whole(svg.as_bytes()).leaf("dot"),
            [6.0, 6.0, 14.0, 14.0].map(|v| v * zoom),
            near,
        );
    }
}

#[test]
fn a_scaled_stroke_has_a_scaled_outline() {
    let d =
        Loaded::of(r#"<path id="p" transform="scale(3 1)" d="M20 50V90" stroke="red" stroke-width="4"/>"#);
    assert_near(d.leaf("p"), [54.0, 50.0, 66.0, 90.0]);
}

#[test]
fn clipped_miters_have_the_box_of_their_picture() {
    for (path, limit) in [
        ("M50 150 L150 50 L250 150", 4.0),
        ("M50 150 L150 50 L250 150", 1.0),
        ("M50 200 L150 190 L50 180", 4.0),
        ("M60 60 L200 80 L90 100 Z", 2.5),
        ("M60 60 C 90 200 100 200 150 60 Q 150 60 150 60 L150 60 L165 190", 3.0),
        ("M60 100 H200 H120", 3.0),
        ("M100 60 Q 180 60 100 70 Z M150 150 l20 40 l20 -40 Z l-5 30", 1.5),
    ] {
        for transform in ["", "translate(30 -20) rotate(20) skewX(15)"] {
            let d = Loaded::of(&format!(
                r#"<path id="m" d="{path}" transform="{transform}" fill="none" stroke="red" stroke-width="18"
                    stroke-linejoin="miter-clip" stroke-miterlimit="{limit}"/>"#
            ));
            // The box of mostly covered pixels is off by less than half a pixel.
            let [x0, y0, x1, y1] = d.ink_at_4();
            let slack = 0.25;
            assert_within(d.leaf("m"), [x0 + slack, y0 + slack, x1 - slack, y1 - slack], 2.0 * slack);
        }
    }
}
