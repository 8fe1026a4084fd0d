//! SVG images: their boxes and resvg's pictures of them end at their viewports.

use boxwood_svg::{Include, Role, Space};
use kurbo::{Point, Rect};

use crate::loaded::{Loaded, assert_near, assert_within};

/// An SVG image with these attributes that shows these elements in a square drawing.
fn image(attributes: &str, side: u32, body: &str) -> String {
    image_of(attributes, [side; 2], body)
}

fn image_of(attributes: &str, [width, height]: [u32; 2], body: &str) -> String {
    let drawing =
        format!("<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{height}'>{body}</svg>");
    let data = drawing.replace('%', "%25").replace('"', "'").replace('\'', "%27").replace('#', "%23");
    let data = data.replace('<', "%3C").replace('>', "%3E");
    format!(r#"<image {attributes} href="data:image/svg+xml,{data}"/>"#)
}

/// A path whose fill and stroke extend beyond every viewport.
const LARGE: &str = "<path d='M-90 -90H500V500H-90z' stroke='red' stroke-width='30'/>";

#[test]
fn an_svg_image_is_drawn_up_to_its_viewport() {
    let plain = image(r#"id="i" x="60" y="70" width="50" height="50""#, 25, LARGE);
    let within = image("x='5' width='20' height='30' preserveAspectRatio='none'", 7, LARGE);
    let small = "<rect x='3' y='4' width='5' height='6'/>";
    for (name, body, ink) in [
        ("plain", plain.clone(), [60.0, 70.0, 110.0, 120.0]),
        (
            "not beyond it",
            image(r#"id="i" x="60" y="70" width="50" height="50""#, 25, small),
            [66.0, 78.0, 76.0, 90.0],
        ),
        ("fitted", image(r#"id="i" y="20" width="80" height="50""#, 25, LARGE), [15.0, 20.0, 65.0, 70.0]),
        (
            "covering",
            image(r#"id="i" y="20" width="80" height="50" preserveAspectRatio="xMidYMid slice""#, 25, LARGE),
            [0.0, 20.0, 80.0, 70.0],
        ),
        (
            "in another",
            image(r#"id="i" x="10" y="10" width="100" height="100""#, 50, &within),
            [20.0, 10.0, 60.0, 70.0],
        ),
        (
            "of a pattern",
            format!(
                r##"<pattern id="p" width="100" height="100" patternUnits="userSpaceOnUse">{plain}</pattern>
               <rect id="i" width="100" height="100" fill="url(#p)"/>"##
            )
            .replacen(r#"id="i""#, "", 1),
            [60.0, 70.0, 100.0, 100.0],
        ),
        (
            "filtered",
            format!(
                r##"<filter id="f" filterUnits="userSpaceOnUse" width="300" height="300"><feOffset dx="100"/></filter>
               <g filter="url(#f)">{plain}</g>"##
            ),
            [160.0, 70.0, 210.0, 120.0],
        ),
        (
            "masking",
            format!(
                r##"<mask id="m" mask-type="alpha" maskUnits="userSpaceOnUse" width="300" height="300">{plain}</mask>
               <rect width="300" height="300" mask="url(#m)"/>"##
            ),
            [60.0, 70.0, 110.0, 120.0],
        ),
    ] {
        let d = Loaded::of(&body);
        assert_eq!(d.drawing.warnings, [], "{name}");
        assert_eq!(d.ink_at_4(), ink, "{name}");
    }
}

#[test]
fn the_clip_for_resvg_is_not_an_element() {
    let of = |body: &str| Loaded::of(&image(r#"id="i" width="50" height="50""#, 25, body));
    let small = "<path d='M5 5H9V9z' stroke='red'/>";
    let expected = [Role::Clip, Role::Fill, Role::Stroke];
    assert_eq!(of(small).roles("i"), expected);
    assert_eq!(of(LARGE).roles("i"), expected);
    // An image that only clips another one of its size has one viewport with it.
    let same_size = "width='25' height='25' preserveAspectRatio='none slice'";
    assert_eq!(of(&image(same_size, 25, LARGE)).roles("i"), expected);
}

#[test]
fn an_svg_image_that_does_more_than_clip_another_is_kept() {
    let defs = "<clipPath id='v'><rect width='25' height='25'/></clipPath>
        <clipPath id='c'><path d='M5 5H20V20H5z'/></clipPath>
        <clipPath id='n' clip-path='url(#c)'><rect width='25' height='25'/></clipPath>
        <clipPath id='t' transform='scale(.6)'><rect width='25' height='25'/></clipPath>
        <mask id='m' mask-type='alpha' maskUnits='userSpaceOnUse' x='0' y='0' width='10' height='25'><path d='M0 0H25V25H0z'/></mask>
        <filter id='f' filterUnits='userSpaceOnUse' x='0' y='0' width='25' height='25'><feOffset dx='5'/></filter>";
    for (effects, ink) in [
        ("clip-path='url(#v)' transform='translate(5)'", [10.0, 0.0, 50.0, 50.0]),
        ("clip-path='url(#c)'", [10.0, 10.0, 40.0, 40.0]),
        ("clip-path='url(#n)'", [10.0, 10.0, 40.0, 40.0]),
        ("clip-path='url(#t)'", [0.0, 0.0, 30.0, 30.0]),
        ("clip-path='url(#v)' mask='url(#m)'", [0.0, 0.0, 20.0, 50.0]),
        ("clip-path='url(#v)' filter='url(#f)'", [10.0, 0.0, 50.0, 50.0]),
        ("clip-path='url(#v)' opacity='0.6'", [0.0, 0.0, 50.0, 50.0]),
        ("clip-path='url(#v)' style='mix-blend-mode:multiply'", [0.0, 0.0, 50.0, 50.0]),
    ] {
        let drawing = image("width='25' height='25'", 25, LARGE);
        let d = Loaded::of(&image(
            r#"id="i" width="50" height="50""#,
            25,
            &format!("{defs}<g {effects}>{drawing}</g>"),
        ));
        assert_eq!(d.ink_at_4(), ink, "{effects}");
        assert_within(d.ink(), ink, 1e-4);
        let roles = d.roles("i");
        assert!(roles.len() > 3, "{effects}: {roles:?}");
    }
    let moved = image("x='5' width='25' height='25'", 25, LARGE);
    let moved = format!("{defs}<g clip-path='url(#v)'>{moved}</g>");
    let d = Loaded::of(&image(r#"id="i" width="50" height="50""#, 25, &moved));
    assert_eq!(d.ink_at_4(), [10.0, 0.0, 50.0, 50.0]);
    assert_within(d.ink(), [10.0, 0.0, 50.0, 50.0], 1e-4);
    // An image that is larger than the drawing around it, or hidden in it.
    let larger = image_of("width='25' height='25' preserveAspectRatio='xMinYMin slice'", [25, 50], LARGE);
    let d = Loaded::of(&image(r#"id="i" width="50" height="50""#, 25, &larger));
    assert_eq!(d.ink_at_4(), [0.0, 0.0, 50.0, 50.0]);
    assert_within(d.ink(), [0.0, 0.0, 50.0, 50.0], 1e-4);
    let place = "width='25' height='25' preserveAspectRatio='none slice'";
    let hidden = image(&format!("{place} visibility='hidden'"), 25, LARGE);
    let nothing_left = format!(
        "<clipPath id='h'><rect width='25' height='25' visibility='hidden'/></clipPath><g clip-path='url(#h)'>{}</g>",
        image("width='25' height='25'", 25, LARGE)
    );
    for body in [hidden, nothing_left] {
        assert!(Loaded::of(&image(r#"width="50" height="50""#, 25, &body)).ink().is_empty(), "{body}");
    }
}

#[test]
fn the_view_box_of_the_root_is_in_scene_space() {
    let view_box = |attributes: &str| {
        let svg =
            format!(r#"<svg xmlns="http://www.w3.org/2000/svg" {attributes}><path d="M0 0h9v9"/></svg>"#);
        let drawing = boxwood_svg::load(svg.as_bytes(), &boxwood_svg::Options::default());
        let view_box = drawing.expect("it is correct").view_box();
        view_box.map(|Rect { x0, y0, x1, y1 }| [x0, y0, x1, y1].map(|edge| edge.round()))
    };
    let size = r#"width="100" height="50""#;
    assert_eq!(view_box(size), None);
    let rect = |x0, y0, x1, y1| Some([x0, y0, x1, y1]);
    let meet = view_box(&format!(r#"{size} viewBox="-5 3 20 20""#));
    assert_eq!(meet, rect(25.0, 0.0, 75.0, 50.0));
    let slice = view_box(&format!(r#"{size} viewBox="-5 3 20 20" preserveAspectRatio="xMinYMin slice""#));
    assert_eq!(slice, rect(0.0, 0.0, 100.0, 100.0));
    assert_eq!(view_box(r#"viewBox="4 4 30 40""#), rect(0.0, 0.0, 30.0, 40.0));
}

/// The boxes are exact. Those of Chromium 156 are up to 4.5 px away, because it has `f32` as well.
#[test]
fn coordinates_of_maps_keep_their_pixels() {
    let d = Loaded::whole(
        b"<svg xmlns='http://www.w3.org/2000/svg' width='200' height='150' viewBox='4567800 5678900 20 15'>
            <rect id='r' x='4567802.25' y='5678902.25' width='4.5' height='3.5'/>
            <path id='p' d='M4567810.125 5678905.125h2.25v2.25h-2.25z'/>
            <g id='g' transform='translate(2 1)'><circle id='c' cx='4567804' cy='5678910' r='1'/></g></svg>",
    );
    assert_near(d.leaf("r"), [22.5, 22.5, 67.5, 57.5]);
    assert_near(d.leaf("p"), [101.25, 51.25, 123.75, 73.75]);
    assert_near(d.leaf("c"), [50.0, 100.0, 70.0, 120.0]);
    assert_eq!(d.drawing.user_from_scene() * Point::new(22.5, 22.5), Point::new(4_567_802.25, 5_678_902.25));
    let view_box = d.drawing.view_box().expect("it has one");
    assert!((view_box.x1 - 200.0).abs().max(view_box.y0.abs()) < 1e-6, "{view_box:?}");
    let include = Include { fill: true, stroke: false, markers: false, clipped: false };
    let boxes = d.drawing.object_boxes(include, Space::Local);
    let of = |id: &str| boxes[d.named(id)[0] as usize].expect("it has a box");
    assert_eq!(of("r"), Rect::new(4_567_802.25, 5_678_902.25, 4_567_806.75, 5_678_905.75));
    assert_eq!(of("g"), Rect::new(4_567_803.0, 5_678_909.0, 4_567_805.0, 5_678_911.0));
}
