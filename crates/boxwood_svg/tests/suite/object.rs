//! Object bounding boxes, compared with SVG 2's algorithm computed by hand.

use boxwood_svg::{Include, Space};

use crate::loaded::Loaded;

const FILL: Include = Include { fill: true, stroke: false, markers: false, clipped: false };

/// The object bounding box of an element.
#[track_caller]
fn object(d: &Loaded, name: &str, include: Include, space: Space) -> Option<[f64; 4]> {
    let source = d.drawing.sources.iter().position(|source| source.name == name).expect("it is a source");
    let found = d.drawing.object_boxes(include, space)[source];
    found.map(|r| [r.x0, r.y0, r.x1, r.y1].map(|v| (v * 1e3).round() / 1e3))
}

/// A scaled square with a stroke, a marker at its end, and a clip path.
const MARKED: &str = r#"<marker id="m" markerWidth="20" markerHeight="20" refX="10" refY="10" markerUnits="userSpaceOnUse"
         overflow="visible"><rect width="60" height="60" fill="blue" stroke="red" stroke-width="2"/></marker>
       <clipPath id="c"><rect x="60" y="60" width="500" height="10"/></clipPath>
       <g id="g" transform="translate(0 100)">
         <path id="p" transform="scale(2)" d="M50 50h40v40h-40z" stroke="red" stroke-width="4"
            stroke-dasharray="1 1000" marker-end="url(#m)" opacity="0" clip-path="url(#c)"/></g>"#;

#[test]
fn each_option_includes_its_part() {
    let d = Loaded::of(MARKED);
    let local = |include| object(&d, "g", include, Space::Local);
    let stroke = Include { stroke: true, ..FILL };
    let markers = Include { markers: true, ..FILL };
    // The scale is that of the path, so it counts in the space of the group.
    assert_eq!(local(FILL), Some([100.0, 100.0, 180.0, 180.0]), "an invisible shape counts");
    assert_eq!(local(stroke), Some([96.0, 96.0, 184.0, 184.0]), "dashes do not count");
    assert_eq!(
        local(markers),
        Some([78.0, 78.0, 202.0, 202.0]),
        "the stroke of the marker as well as its fill"
    );
    let all = Include { markers: true, ..stroke };
    assert_eq!(local(all), Some([78.0, 78.0, 202.0, 202.0]));
    assert_eq!(local(Include { clipped: true, ..all }), Some([120.0, 120.0, 202.0, 140.0]));
    let only_stroke = Include { fill: false, ..stroke };
    assert_eq!(local(only_stroke), Some([96.0, 96.0, 184.0, 184.0]));
    assert_eq!(object(&d, "g", FILL, Space::Scene), Some([100.0, 200.0, 180.0, 280.0]));
}

#[test]
fn a_path_has_its_markers_whatever_the_paint_order() {
    let markers = Include { fill: false, markers: true, ..FILL };
    let clipped = Include { clipped: true, ..markers };
    for order in ["normal", "markers", "fill markers", "stroke markers"] {
        let d = Loaded::of(&format!(
            r#"<marker id="m" markerWidth="9" markerHeight="9" refX="3" refY="3" markerUnits="userSpaceOnUse">
                 <rect width="6" height="6"/></marker><clipPath id="c"><rect width="52" height="99"/></clipPath>
               <path id="before" d="M10 10H20V20Z"/>
               <path id="p" d="M50 50H90V90" stroke="red" marker-end="url(#m)" style="paint-order:{order}"/>
               <path id="after" d="M110 10H120V20Z"/>
               <g transform="translate(100 0)"><path id="q" d="M50 50H90V90" stroke="red" transform="scale(2)"
                 clip-path="url(#c)" marker-start="url(#m)" style="paint-order:{order}"/></g>"#
        ));
        let both = Include { markers: true, ..FILL };
        assert_eq!(object(&d, "before", both, Space::Scene), Some([10.0, 10.0, 20.0, 20.0]), "{order}");
        assert_eq!(object(&d, "after", both, Space::Scene), Some([110.0, 10.0, 120.0, 20.0]), "{order}");
        assert_eq!(object(&d, "after", markers, Space::Scene), None, "{order}");
        assert_eq!(object(&d, "p", markers, Space::Scene), Some([87.0, 87.0, 93.0, 93.0]), "{order}");
        assert_eq!(object(&d, "p", both, Space::Local), Some([50.0, 50.0, 93.0, 93.0]), "{order}");
        assert_eq!(object(&d, "p", FILL, Space::Local), Some([50.0, 50.0, 90.0, 90.0]), "{order}");
        assert_eq!(object(&d, "q", markers, Space::Scene), Some([194.0, 94.0, 206.0, 106.0]), "{order}");
        assert_eq!(object(&d, "q", clipped, Space::Local), Some([47.0, 47.0, 52.0, 53.0]), "{order}");
    }
}

#[test]
fn groups_next_to_a_path_are_not_markers() {
    let d = Loaded::of(
        r##"<marker id="m"><rect width="1" height="1"/></marker>
           <g id="g"><path d="M0 0H10V10Z"/><g><g transform="translate(50 0)"><rect width="9" height="9"/></g></g></g>"##,
    );
    assert_eq!(object(&d, "g", FILL, Space::Scene), Some([0.0, 0.0, 59.0, 10.0]));
}

#[test]
fn lines_have_boxes_without_area() {
    let d = Loaded::of(r#"<path id="h" d="M50 50H150" stroke="red" stroke-width="10"/>"#);
    assert_eq!(object(&d, "h", FILL, Space::Local), Some([50.0, 50.0, 150.0, 50.0]));
}

#[test]
fn masks_and_filters_do_not_count() {
    let d = Loaded::of(
        r#"<filter id="f"><feOffset dx="100"/></filter><mask id="m"><rect width="1" height="1" fill="white"/></mask>
           <rect id="r" transform="rotate(90)" filter="url(#f)" mask="url(#m)" x="10" y="20" width="30" height="40"/>"#,
    );
    assert_eq!(object(&d, "r", FILL, Space::Local), Some([10.0, 20.0, 40.0, 60.0]));
    assert_eq!(object(&d, "r", FILL, Space::Scene), Some([-60.0, 10.0, -20.0, 40.0]));
}

#[test]
fn an_image_has_its_rectangle_and_a_text_its_cells() {
    let gif = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
    let d = Loaded::of(&format!(
        r#"<image id="i" x="10" y="20" width="30" height="30" href="data:image/gif;base64,{gif}"/>
           <text id="t" x="10" y="100" font-family="Noto Sans" font-size="20">l</text>"#
    ));
    assert_eq!(object(&d, "i", FILL, Space::Local), Some([10.0, 20.0, 40.0, 50.0]));
    let [x0, y0, _, y1] = object(&d, "t", FILL, Space::Local).expect("it has cells");
    let ink = d.leaf("t");
    assert!(x0 == 10.0 && y0 < f64::from(ink.y0) - 1.0 && y1 > f64::from(ink.y1) + 1.0, "{y0} {y1} {ink:?}");
}

#[test]
fn an_image_that_is_fitted_has_its_own_rectangle() {
    // The pixels are twice as wide as high.
    let gif = "R0lGODlhAgABAIAAAAAAAP///yH5BAEAAAAALAAAAAACAAEAAAIChAoAOw==";
    let image = |attributes: &str| format!(r#"<image {attributes} href="data:image/gif;base64,{gif}"/>"#);
    let d = Loaded::of(&[
        image(r#"id="meet" x="50" y="50" width="100" height="100""#),
        image(r#"id="slice" x="50" y="50" width="100" height="100" preserveAspectRatio="xMinYMin slice""#),
        image(r#"id="turned" x="5mm" y="10" width="1in" height="20" transform="translate(9 9)" clip-path="url(#c)""#),
        image(r#"id="auto" x="10" y="20" width="60""#),
        image(r#"id="relative" width="50%" height="50%""#),
        format!(r#"<g id="g">{}</g><clipPath id="c"><rect width="300" height="15"/></clipPath>"#, image(r#"id="in" width="8" height="8""#)),
        format!(r#"<g id="nameless">{}</g>"#, image(r#"width="8" height="8""#)),
    ].concat());
    let mm = (5.0 * 96_000.0 / 25.4_f64).round() / 1e3;
    for (name, local) in [
        ("meet", [50.0, 50.0, 150.0, 150.0]),
        ("slice", [50.0, 50.0, 150.0, 150.0]),
        ("turned", [mm, 10.0, mm + 96.0, 30.0]),
        ("auto", [10.0, 20.0, 70.0, 50.0]),
        // The rectangle is that of the pixels.
        ("relative", [0.0, 37.5, 150.0, 112.5]),
        ("g", [0.0, 0.0, 8.0, 8.0]),
        ("nameless", [0.0, 0.0, 8.0, 8.0]),
    ] {
        let found = object(&d, name, FILL, Space::Local).map(|b| b.map(|v| (v * 1e2).round() / 1e2));
        assert_eq!(found, Some(local.map(|v| (v * 1e2).round() / 1e2)), "{name}");
    }
    assert_eq!(
        object(&d, "slice", Include { clipped: true, ..FILL }, Space::Scene),
        Some([50.0, 50.0, 150.0, 150.0])
    );
    assert_eq!(object(&d, "meet", Include { fill: false, stroke: true, ..FILL }, Space::Scene), None);
    let cut = object(&d, "turned", Include { clipped: true, ..FILL }, Space::Local).expect("some is left");
    assert_eq!(cut[3], 15.0);
}

#[test]
fn a_clip_path_elsewhere_leaves_nothing() {
    let d = Loaded::of(
        r#"<clipPath id="c"><rect x="200" y="200" width="9" height="9"/></clipPath>
           <g id="g" clip-path="url(#c)"><rect width="9" height="9"/></g>"#,
    );
    assert_eq!(object(&d, "g", Include { clipped: true, ..FILL }, Space::Scene), None);
    assert_eq!(object(&d, "g", FILL, Space::Scene), Some([0.0, 0.0, 9.0, 9.0]));
}

#[test]
fn invisible_elements_with_an_id_have_a_box() {
    let d = Loaded::of(
        r##"<filter id="f"><feOffset dx="9"/></filter><g id="hidden" visibility="hidden"><rect id="in-hidden" width="4" height="5"/></g>
           <g opacity="0"><rect id="transparent" x="1" width="4" height="5"/><text id="text" y="50">a</text></g>
           <rect id="clear" opacity="0" x="2" width="4" height="5" transform="scale(2)" filter="url(#f)"/>
           <path id="bare" fill="none" d="M3 0H9V9"/><rect id="faint" fill-opacity="0" x="4" width="4" height="5"/>"##,
    );
    for (name, local) in [
        ("in-hidden", [0.0, 0.0, 4.0, 5.0]),
        ("transparent", [1.0, 0.0, 5.0, 5.0]),
        ("clear", [2.0, 0.0, 6.0, 5.0]),
        ("bare", [3.0, 0.0, 9.0, 9.0]),
        ("faint", [4.0, 0.0, 8.0, 5.0]),
    ] {
        assert_eq!(object(&d, name, FILL, Space::Local), Some(local), "{name}");
    }
    assert!(object(&d, "text", FILL, Space::Local).is_some());
    assert_eq!(object(&d, "hidden", FILL, Space::Scene), Some([0.0, 0.0, 4.0, 5.0]));
    assert_eq!(d.ink(), boxwood_cpu::Aabb::EMPTY);
}

#[test]
fn x_and_y_of_a_use_count_in_its_user_space() {
    let d = Loaded::of(
        r##"<rect id="r" x="10" y="20" width="20" height="30"/>
           <symbol id="s" overflow="visible"><rect x="1" y="2" width="3" height="4"/></symbol>
           <symbol id="cut" viewBox="0 0 10 10"><rect x="1" y="2" width="3" height="4"/></symbol>
           <use id="plain" href="#r" x="30" y="1in"/>
           <use id="turned" href="#r" x="10%" y="40" transform="scale(2) rotate(90)" opacity=".5"/>
           <use id="symbol" href="#s" x="30" y="40" transform="scale(2)"/>
           <use id="scaled" href="#cut" x="30" y="40" width="50" height="50" transform="scale(2)"/>
           <use id="of_use" href="#plain" x="100" y="4"/><use id="styled" href="#r" x="30" style="transform:scale(2)"/>"##,
    );
    for (name, local) in [
        ("plain", [40.0, 116.0, 60.0, 146.0]),
        ("turned", [40.0, 60.0, 60.0, 90.0]),
        ("symbol", [31.0, 42.0, 34.0, 46.0]),
        ("scaled", [35.0, 50.0, 50.0, 70.0]),
        ("of_use", [140.0, 120.0, 160.0, 150.0]),
        ("styled", [40.0, 20.0, 60.0, 50.0]),
    ] {
        assert_eq!(object(&d, name, FILL, Space::Local), Some(local), "{name}");
    }
    assert_eq!(object(&d, "turned", FILL, Space::Scene), Some([-180.0, 80.0, -120.0, 120.0]));
    assert_eq!(object(&d, "symbol", FILL, Space::Scene), Some([62.0, 84.0, 68.0, 92.0]));
    assert_eq!(object(&d, "styled", FILL, Space::Scene), Some([80.0, 40.0, 120.0, 100.0]));
}

#[test]
fn an_svg_element_has_the_space_of_its_contents() {
    let local = |d: &Loaded, name: &str, include| object(d, name, include, Space::Local);
    let of_contents = Some([1.0, 4.0, 4.0, 6.0]);
    let clipped = Include { clipped: true, ..FILL };
    for (view, shown) in [
        ("", of_contents),
        (r#"viewBox="0 0 30 40""#, of_contents),
        (r#"viewBox="-5 3 20 10""#, of_contents),
        (r#"viewBox="-5 3 20 10" preserveAspectRatio="none""#, of_contents),
        (r#"viewBox="-5 3 20 10" preserveAspectRatio="xMinYMax meet""#, of_contents),
        (r#"viewBox="-5 3 20 10" preserveAspectRatio="xMaxYMin slice""#, None),
        (r#"viewBox="-5 3 20 10" preserveAspectRatio="xMidYMid slice""#, Some([1.25, 4.0, 4.0, 6.0])),
        (r#"viewBox="-5 3 20 10" transform="translate(3 4) rotate(20)""#, of_contents),
        (r#"transform="scale(2)""#, of_contents),
    ] {
        let contents = r#"<g transform="scale(.5)"><rect x="2" y="8" width="6" height="4"/></g>"#;
        let d = Loaded::whole(
            format!(
                r#"<svg xmlns="http://www.w3.org/2000/svg" width="30" height="40" {view}>{contents}</svg>"#
            )
            .as_bytes(),
        );
        assert_eq!(local(&d, "/svg", FILL), of_contents, "{view}");
        for place in ["", r#"x="7" y="9""#] {
            let d = Loaded::of(&format!(
                r#"<g transform="scale(3)"><svg id="n" width="30" height="40" {place} {view}>{contents}</svg></g>"#
            ));
            assert_eq!(local(&d, "n", FILL), of_contents, "{view} {place}");
            assert_eq!(local(&d, "n", clipped), shown, "{view} {place}");
        }
    }
}

#[test]
fn a_box_without_parts_is_empty() {
    let d = Loaded::of(
        r#"<marker id="m" overflow="visible"><rect id="in" width="9" height="9"/></marker>
           <clipPath id="c"><rect width="25" height="25"/></clipPath>
           <path id="p" d="M100 50H150" stroke="red" marker-end="url(#m)"/>
           <rect id="away" x="100" width="9" height="9" clip-path="url(#c)"/>"#,
    );
    let boxes = |include| {
        let named = d.drawing.sources.iter().map(|source| source.name.as_str());
        named.zip(d.drawing.object_boxes(include, Space::Scene)).collect::<Vec<_>>()
    };
    let is_empty = |include, name: &str| boxes(include).contains(&(name, None));
    let clipped = Include { clipped: true, ..FILL };
    let markers = Include { fill: false, markers: true, ..FILL };
    assert!(!is_empty(FILL, "away") && is_empty(clipped, "away"));
    assert!(!is_empty(markers, "p") && is_empty(markers, "away"));
}

#[test]
fn the_space_after_the_last_letter_counts() {
    let width = |attributes: &str| {
        let d = Loaded::of(&format!(r#"<text id="t" x="5" y="50" font-size="20" {attributes}>AB</text>"#));
        let [x0, _, x1, _] = object(&d, "t", FILL, Space::Local).expect("it has glyphs");
        x1 - x0
    };
    let spaces = width(r#"letter-spacing="8""#) - width("");
    assert!((spaces - 16.0).abs() < 1e-4, "{spaces}");
}

#[test]
fn a_text_is_as_wide_as_its_text_length() {
    let width = |attributes: &str, letters: &str| {
        let d = Loaded::of(&format!(
            r#"<text id="t" x="50" y="50" font-size="20" {attributes}>{letters}</text>"#
        ));
        let [x0, _, x1, _] = object(&d, "t", FILL, Space::Scene).expect("it has glyphs");
        x1 - x0
    };
    for length in ["20", "40", "100"] {
        let expected: f64 = length.parse().expect("a number");
        for more in [
            "",
            r#"text-anchor="end""#,
            r#"lengthAdjust="spacingAndGlyphs""#,
            r#"text-decoration="underline""#,
        ] {
            let found = width(&format!(r#"textLength="{length}" {more}"#), "AB");
            assert!((found - expected).abs() < 1e-2, "{length} {more}: {found}");
        }
    }
    // One glyph has no space around it, and letters beyond ASCII may share a glyph.
    assert_eq!(width(r#"textLength="100""#, "A"), width("", "A"));
    assert!(width(r#"textLength="100""#, "&#xc4;B") > 100.0);
}
