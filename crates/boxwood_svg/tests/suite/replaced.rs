//! Elements that are changed before usvg reads them. The boxes are those of the ink in Chromium
//! 156.

use boxwood_cpu::Aabb;
use boxwood_svg::{Include, Space, WarningKind, audit};

use crate::loaded::{Loaded, assert_near, assert_within};

#[test]
fn a_viewport_without_a_size_hides_its_contents() {
    const RECT: &str = "<rect id='a' width='20' height='20'/>";
    for hidden in [
        format!("<svg width='0' height='50'>{RECT}</svg>"),
        format!("<svg width='50' height='0'>{RECT}</svg>"),
        format!("<svg width='50' height='50' viewBox='0 0 0 10'>{RECT}</svg>"),
        format!("<symbol id='y' viewBox='0 0 0 0'>{RECT}</symbol><use href='#y' width='40' height='40'/>"),
        format!("<symbol id='y'>{RECT}</symbol><use href='#y' width='0' height='40'/>"),
        format!(
            "<pattern id='p' width='9' height='9' viewBox='0 0 9 0'>{RECT}</pattern>
            <rect width='9' height='9' fill='url(#p)'/>"
        ),
    ] {
        assert_eq!(Loaded::of(&hidden).ink(), Aabb::EMPTY, "{hidden}");
    }
    let marker = "<marker id='m' viewBox='0 0 5 0' overflow='visible'><rect width='9' height='9'/></marker>
        <path d='M20 20h40' stroke='red' marker-start='url(#m)'/>";
    assert_near(Loaded::of(marker).ink(), [20.0, 19.5, 60.0, 20.5]);
}

#[test]
fn dashes_are_relative_to_the_length_by_the_author() {
    for (shape, expected) in [
        ("path d='M20 20H180' pathLength='100' stroke-dasharray='50 100'", [20.0, 16.0, 100.0, 24.0]),
        (
            "circle cx='60' cy='80' r='30' pathLength='1' stroke-dasharray='.25 1'",
            [60.006, 80.0, 94.0, 114.0],
        ),
        (
            "path d='M120 100H180' pathLength='10' stroke-dasharray='5 100' stroke-dashoffset='-5'",
            [150.0, 96.0, 180.0, 104.0],
        ),
    ] {
        let d = Loaded::of(&format!("<{shape} fill='none' stroke='red' stroke-width='8'/>"));
        // usvg makes four curves of a circle, which are a little shorter: a quarter ends at 60.006.
        assert_within(d.ink(), expected, 0.01);
    }
    let none = "<path d='M120 60H180' stroke='red' stroke-width='8' pathLength='1' stroke-dasharray='1' stroke-dashoffset='1'/>";
    assert!(Loaded::of(none).ink().x1 <= 121.0);
}

#[test]
fn a_stroke_that_does_not_scale_keeps_its_width() {
    let root = |view_box: &str, body: &str| {
        let svg = format!(
            "<svg xmlns='http://www.w3.org/2000/svg' width='200' height='200' viewBox='{view_box}' preserveAspectRatio='none'>{body}</svg>"
        );
        Loaded::whole(svg.as_bytes())
    };
    let line =
        "<path id='l' d='M5 25H45' stroke='#00f' stroke-width='8' vector-effect='non-scaling-stroke'/>";
    let d = root("0 0 50 50", line);
    assert_near(d.ink(), [20.0, 96.0, 180.0, 104.0]);
    assert_eq!(d.drawing.warnings, []);
    for unchanged in ["<g vector-effect='non-scaling-stroke'/>", &format!("<defs>{line}</defs>")] {
        assert_eq!(root("0 0 50 100", unchanged).drawing.warnings, [], "{unchanged}");
    }
    let d = root("0 0 50 100", line);
    let [warning] = &d.drawing.warnings[..] else { panic!("{:?}", d.drawing.warnings) };
    assert!(warning.first.contains("non-scaling-stroke"), "{warning:?}");
    assert!(audit(&d.drawing).is_empty());
}

#[test]
fn a_foreign_object_has_a_box_and_a_warning() {
    let d = Loaded::of(
        "<g id='label' transform='translate(30 28)'><foreignObject id='fo' width='80' height='24'>
        <div xmlns='http://www.w3.org/1999/xhtml'>A</div></foreignObject></g>",
    );
    let fill = Include { fill: true, stroke: false, markers: false, clipped: false };
    let boxes = d.drawing.object_boxes(fill, Space::Local);
    for id in ["fo", "label"] {
        let index = d.drawing.sources.iter().position(|source| source.name == id).expect("it is listed");
        assert_eq!(boxes[index].map(|r| [r.x0, r.y0, r.x1, r.y1]), Some([0.0, 0.0, 80.0, 24.0]), "{id}");
    }
    let [warning] = &d.drawing.warnings[..] else { panic!("{:?}", d.drawing.warnings) };
    assert_eq!((warning.kind, &*warning.first), (WarningKind::ForeignObject, "fo (<div>)"));
    assert!(audit(&d.drawing).is_empty());
}

#[test]
fn a_reference_to_an_id_means_the_first_element_with_it() {
    let d = Loaded::of(
        "<mask id='d'><rect width='9' height='9'/></mask>
        <rect id='r' clip-path='url(#d)' x='10' y='20' width='30' height='40'/>
        <clipPath id='d'><rect width='15' height='25'/></clipPath>",
    );
    assert_near(d.clipped("r"), [10.0, 20.0, 40.0, 60.0]);
}

#[test]
fn default_values_declare_namespaces() {
    let svg = "<!DOCTYPE svg [<!ATTLIST g xmlns:k CDATA #FIXED 'http://example.com/k'>]>
        <svg xmlns='http://www.w3.org/2000/svg' width='90' height='90'><g k:kind='x'><rect width='9' height='9'/></g></svg>";
    assert_near(Loaded::whole(svg.as_bytes()).ink(), [0.0, 0.0, 9.0, 9.0]);
}
