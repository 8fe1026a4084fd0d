//! The ink boxes of leaves with gradients that are partly transparent, compared with resvg's paint.

use boxwood_cpu::Aabb;
use boxwood_svg::{NoBox, explain};

use crate::loaded::Loaded;

/// A drawing of a gradient on an element.
fn drawn(kind: &str, attributes: &str, stops: &str, element: &str) -> Loaded {
    let drawing = Loaded::of(&format!(
        "<{kind}Gradient id='paint' gradientUnits='userSpaceOnUse' {attributes}>{stops}</{kind}Gradient>
        <g id='e'>{element}</g>"
    ));
    assert_eq!(drawing.drawing.warnings, []);
    drawing
}

const RECT: &str = "<rect x='50' y='60' width='200' height='100' fill='url(#paint)'/>";
const STROKE: &str = "<path d='M60 60L240 160' stroke='url(#paint)' stroke-width='30'/>";

const FADE: &str =
    "<stop offset='.3' stop-opacity='0'/><stop offset='.5'/><stop offset='.8' stop-opacity='0'/>";
const STEPS: &str = "<stop offset='.25' stop-opacity='0'/><stop offset='.25'/><stop offset='.75'/>
    <stop offset='.75' stop-opacity='0'/>";

const GRADIENTS: [(&str, &str); 7] = [
    ("linear", "x1='50' x2='250'"),
    ("linear", "x1='250' x2='50'"),
    ("linear", "x1='100' y1='80' x2='200' y2='130'"),
    ("linear", "x1='0' x2='1' gradientTransform='translate(60 50) scale(150 90) skewX(30)'"),
    ("radial", "cx='150' cy='100' r='60'"),
    ("radial", "cx='150' cy='100' r='50' fx='130' fy='110'"),
    ("radial", "cx='0' cy='0' r='1' gradientTransform='translate(120 90) rotate(30) scale(80 20)'"),
];

#[test]
fn leaf_boxes_contain_the_paint_of_partly_transparent_gradients() {
    for (kind, attributes) in GRADIENTS {
        for stops in [FADE, STEPS] {
            for element in [RECT, STROKE] {
                let drawing = drawn(kind, attributes, stops, element);
                let found = drawing.leaf("/svg/g[1]").union(drawing.ink());
                let found = [found.x0, found.y0, found.x1, found.y1].map(f64::from);
                let painted = drawing.opaquer_than_at_4(0);
                // Anti-aliasing covers up to a pixel more, at four pixels per px.
                let [x0, y0, x1, y1] = [0, 1, 2, 3].map(|side| painted[side] - found[side]);
                let is_inside = x0 >= -0.25 && y0 >= -0.25 && x1 <= 0.25 && y1 <= 0.25;
                assert!(is_inside, "{kind} {attributes} {stops} {element}: {found:?} {painted:?}");
            }
        }
    }
}

#[test]
fn leaf_boxes_end_where_a_padded_gradient_becomes_transparent() {
    for (kind, attributes, stops, expected) in [
        ("linear", "x1='50' x2='250'", STEPS, [100.0, 60.0, 200.0, 160.0]),
        ("linear", "x1='50' x2='250'", FADE, [110.0, 60.0, 210.0, 160.0]),
        ("radial", "cx='150' cy='100' r='40'", STEPS, [120.0, 70.0, 180.0, 130.0]),
        ("radial", "cx='150' cy='100' r='40' fx='140'", FADE, [116.0, 68.0, 180.0, 132.0]),
        ("linear", "x1='50' x2='250' spreadMethod='repeat'", STEPS, [50.0, 60.0, 250.0, 160.0]),
        (
            "linear",
            "x1='50' x2='250'",
            "<stop stop-opacity='.1'/><stop offset='1'/>",
            [50.0, 60.0, 250.0, 160.0],
        ),
    ] {
        let found = drawn(kind, attributes, stops, RECT).ink();
        let found = [found.x0, found.y0, found.x1, found.y1].map(f64::from);
        let is_near = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 0.25);
        assert!(is_near, "{kind} {attributes}: {found:?} is not {expected:?}");
    }
}

/// Stops without a visible one, and elements that lie beyond the visible stops of a gradient.
#[test]
fn a_shape_without_a_visible_part_of_its_gradient_has_no_paint() {
    let nothing = "<stop stop-opacity='0'/><stop offset='.5' stop-color='transparent'/>";
    for (kind, attributes, stops) in [
        ("linear", "x1='50' x2='250'", nothing),
        ("linear", "x1='50' x2='250' spreadMethod='reflect'", nothing),
        ("radial", "cx='150' cy='100' r='40'", nothing),
        ("radial", "cx='150' cy='100' r='40' fx='140' spreadMethod='repeat'", nothing),
        ("linear", "x1='0' x2='40'", STEPS),
        ("radial", "cx='10' cy='10' r='40'", FADE),
    ] {
        for paint in ["fill='url(#paint)'", "fill='none' stroke='url(#paint)' stroke-width='9'"] {
            let shape = format!("<path id='r' d='M60 60H240V160z' {paint}/>");
            let d = drawn(kind, attributes, stops, &shape);
            let [r] = d.named("r")[..] else { panic!("it is one source") };
            assert_eq!((d.roles("r"), d.ink()), (vec![], Aabb::EMPTY), "{kind} {attributes}");
            assert_eq!(d.drawing.unpainted()[r as usize], Some(NoBox::NoPaint), "{kind} {attributes}");
            assert_eq!(explain(&d.drawing, &[r])[0].parts, [], "{kind} {attributes}");
        }
    }
}

/// The ink is that of Chromium 156.
#[test]
fn a_paint_server_without_area_paints_nothing() {
    for (server, shape) in [
        ("gradientTransform='scale(0)'", "<rect id='a' width='50' height='50' fill='url(#g)'/>"),
        ("gradientTransform='scale(1 0)'", "<rect id='a' width='50' height='50' fill='url(#g)'/>"),
        ("gradientTransform='scale(0)'", "<text id='a' x='9' y='40' fill='url(#g)'>A</text>"),
        ("", "<path id='a' d='M20 20H90' stroke='url(#g)' stroke-width='9'/>"),
    ] {
        let stops = "<stop stop-color='red'/><stop offset='1'/>";
        let d = Loaded::of(&format!("<linearGradient id='g' {server}>{stops}</linearGradient>{shape}"));
        assert_eq!(d.ink(), Aabb::EMPTY, "{server} {shape}");
        let unlisted = d.drawing.unlisted();
        let reason = unlisted.iter().find(|element| element.id == "a").map(|element| element.reason.word());
        assert!(reason.is_none_or(|word| word == "no-paint"), "{server} {shape}: {reason:?}");
    }
}
