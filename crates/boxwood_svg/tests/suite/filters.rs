//! Boxes of filters, compared with what resvg paints.

use boxwood_cpu::Aabb;
use boxwood_svg::{Drawing, WarningKind};
use resvg::tiny_skia::{Pixmap, Transform};

use crate::loaded::{Loaded, assert_near, assert_within};

/// The box of the painted pixels of a picture: x0, y0, x1, y1.
fn ink(drawing: &Drawing) -> [u32; 4] {
    let mut pixmap = Pixmap::new(300, 300).expect("it has pixels");
    resvg::render(&drawing.tree, Transform::identity(), &mut pixmap.as_mut());
    let inked = (0..300).flat_map(|y| (0..300).map(move |x| (x, y)));
    let inked = inked.filter(|(x, y)| pixmap.pixel(*x, *y).is_some_and(|pixel| pixel.alpha() > 0));
    inked.fold([300, 300, 0, 0], |[x0, y0, x1, y1], (x, y)| {
        [x0.min(x), y0.min(y), x1.max(x + 1), y1.max(y + 1)]
    })
}

#[track_caller]
fn assert_holds(outer: Aabb, inner: [u32; 4]) {
    let [x0, y0, x1, y1] = inner.map(f64::from);
    let inner = Aabb::new(x0, y0, x1, y1).expect("numbers");
    assert!(outer.contains(inner), "{outer:?} does not contain {inner:?}");
}

/// A square of 30 at 70, displaced by a map of one colour.
fn displaced(map: &str, scale: &str, units: &str) -> String {
    format!(
        r#"<filter id="f" filterUnits="userSpaceOnUse" x="0" y="0" width="300" height="300" primitiveUnits="{units}"
            color-interpolation-filters="sRGB"><feFlood flood-color="{map}" result="m"/>
            <feDisplacementMap in="SourceGraphic" in2="m" xChannelSelector="R" yChannelSelector="G" scale="{scale}"/></filter>
        <rect x="70" y="70" width="30" height="30" filter="url(#f)"/>"#
    )
}

#[test]
fn a_displacement_is_half_the_scale() {
    for (map, scale, expected) in [
        ("#fff", "8", [66, 66, 96, 96]),
        ("#f00", "20", [60, 80, 90, 110]),
        ("#0f0", "100", [120, 20, 150, 50]),
        ("#000", "2", [71, 71, 101, 101]),
    ] {
        let d = Loaded::of(&displaced(map, scale, "userSpaceOnUse"));
        assert_eq!(ink(&d.drawing), expected, "{map} {scale}");
        assert_holds(d.ink(), expected);
        let extent = 0.5 * scale.parse::<f64>().expect("a number");
        assert_near(d.ink(), [70.0 - extent, 70.0 - extent, 100.0 + extent, 100.0 + extent]);
        assert!(d.drawing.warnings.is_empty());
    }
}

#[test]
fn a_displacement_in_an_image_is_half_the_scale() {
    let image = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='300' height='300'>{}</svg>",
        displaced("#fff", "20", "userSpaceOnUse").replace('"', "'")
    );
    let href = image.replace('#', "%23").replace('<', "%3C");
    let d = Loaded::of(&format!(r#"<image width="300" height="300" href="data:image/svg+xml,{href}"/>"#));
    assert_eq!(ink(&d.drawing), [60, 60, 90, 90]);
    assert_holds(d.ink(), [60, 60, 90, 90]);
}

#[test]
fn a_wrong_displacement_has_a_warning_and_a_box_for_both() {
    let warnings = |drawing: &Drawing| -> Vec<_> {
        drawing.warnings.iter().map(|warning| (warning.kind, warning.first.clone())).collect()
    };
    let backward = Loaded::of(&displaced("#fff", "-8", "userSpaceOnUse"));
    assert_eq!(ink(&backward.drawing), [66, 66, 96, 96]);
    assert_holds(backward.ink(), [66, 66, 104, 104]);
    assert_eq!(warnings(&backward.drawing), [(WarningKind::Displacement, "f".to_owned())]);
    for (scale, extent) in [(".2", 18), ("-.2", 18), (".02", 0)] {
        let d = Loaded::of(&displaced("#fff", scale, "objectBoundingBox"));
        // The map is as large as the square. Outside of it, pixels move in the opposite direction.
        let drawn = ink(&d.drawing);
        assert_eq!(drawn, [70, 70, 100 + extent, 100 + extent], "{scale}");
        assert_holds(d.ink(), drawn);
        assert_eq!(warnings(&d.drawing), [(WarningKind::Displacement, "f".to_owned())]);
    }
}

/// A convolution of a square of 30 at 50 with a kernel of ones.
fn convolved(order: [usize; 2], more: &str) -> String {
    let ones = vec!["1"; order[0] * order[1]].join(" ");
    format!(
        r#"<filter id="f" filterUnits="userSpaceOnUse" x="40" y="20" width="200" height="200">
            <feConvolveMatrix order="{} {}" kernelMatrix="{ones}" {more}/></filter>
        <g filter="url(#f)"><rect x="50" y="50" width="30" height="30"/></g>"#,
        order[0], order[1]
    )
}

#[test]
fn a_small_convolution_extends_by_its_kernel() {
    for (order, more, expected) in [
        ([3, 3], "", [49, 49, 81, 81]),
        ([3, 3], r#"edgeMode="none""#, [49, 49, 81, 81]),
        ([3, 1], r#"targetX="0""#, [48, 50, 80, 80]),
        ([1, 3], r#"targetY="2""#, [50, 50, 80, 82]),
        ([5, 3], r#"divisor="15" bias="-.01""#, [48, 49, 82, 81]),
        ([3, 3], r#"preserveAlpha="true" bias=".5""#, [50, 50, 80, 80]),
    ] {
        let d = Loaded::of(&convolved(order, more));
        assert_eq!(ink(&d.drawing), expected, "{order:?} {more}");
        assert_near(d.ink(), expected.map(f64::from));
    }
    let whole = [40.0, 20.0, 240.0, 220.0];
    for (order, more) in
        [([3, 3], r#"edgeMode="wrap""#), ([3, 3], r#"bias=".1""#), ([7, 1], ""), ([3, 4], r#"targetY="0""#)]
    {
        let d = Loaded::of(&convolved(order, more));
        assert_holds(d.ink(), ink(&d.drawing));
        assert_near(d.ink(), whole);
    }
}

#[test]
fn a_convolution_at_the_edge_of_its_region_is_bounded() {
    for edge_mode in ["duplicate", "none", "wrap"] {
        let at = convolved([3, 3], &format!(r#"edgeMode="{edge_mode}""#)).replace(r#"x="50""#, r#"x="30""#);
        let d = Loaded::of(&at);
        let drawn = ink(&d.drawing);
        assert_holds(d.ink(), drawn);
        assert_eq!(drawn[2] == 240, edge_mode == "wrap", "{drawn:?}");
        if edge_mode != "wrap" {
            assert_near(d.ink(), [40.0, 49.0, 61.0, 81.0]);
        }
    }
}

#[test]
fn filtered_contents_may_have_tiny_units() {
    let d = Loaded::of(
        r#"<filter id="f" filterUnits="userSpaceOnUse" x="0" y="0" width="3e-9" height="3e-9"><feOffset/></filter>
        <g transform="scale(1e11)"><path filter="url(#f)" d="M5e-10 6e-10c0 4e-10 4e-10 4e-10 4e-10 0" fill="none" stroke="red"
            stroke-width="8e-11"/></g>"#,
    );
    let whole =
        Loaded::of(r#"<path d="M50 60c0 40 40 40 40 0" fill="none" stroke="red" stroke-width="8"/>"#).ink();
    let sides = [whole.x0, whole.y0, whole.x1, whole.y1].map(f64::from);
    assert_within(d.ink(), sides, 0.02);
}

#[test]
fn a_convolution_is_in_pixels_along_both_axes() {
    let d = Loaded::of(&format!(r#"<g transform="scale(2 .5)">{}</g>"#, convolved([3, 3], "")));
    assert_eq!(ink(&d.drawing), [99, 24, 161, 41]);
    assert_near(d.ink(), [99.0, 24.0, 161.0, 41.0]);
    let turned =
        Loaded::of(&format!(r#"<g transform="rotate(30) scale(.5 2)">{}</g>"#, convolved([3, 3], "")));
    assert_holds(turned.ink(), ink(&turned.drawing));
    // A filter around it does not change that.
    let around = r#"<filter id="o" filterUnits="userSpaceOnUse" x="0" y="0" width="3000" height="3000"><feOffset/></filter>"#;
    let inner = convolved([3, 3], "").replace("<g ", r#"<g transform="scale(10)" "#);
    let nested =
        Loaded::of(&format!(r#"{around}<g transform="scale(.05)"><g filter="url(#o)">{inner}</g></g>"#));
    assert_eq!(ink(&nested.drawing), [24, 24, 41, 41]);
    assert_near(nested.ink(), [24.0, 24.0, 41.0, 41.0]);
}

/// A filter whose result is an `feImage`.
fn shown(href: &str, corner: &str) -> String {
    format!(
        r##"<filter id="f" filterUnits="userSpaceOnUse" x="0" y="0" width="300" height="300">
            <feImage href="{href}" {corner}/></filter>
        <g filter="url(#f)"><rect x="50" y="60" width="40" height="30"/></g>
        <defs><rect id="q" x="20" y="20" width="30" height="10" fill="red" stroke="blue" stroke-width="2"/></defs>"##
    )
}

#[test]
fn an_image_of_an_element_is_no_larger_than_the_element() {
    for (corner, drawn, expected) in [
        ("", [19, 19, 51, 31], [18.0, 18.0, 51.0, 31.0]),
        (r#"x="100" y="50""#, [119, 69, 151, 81], [118.0, 68.0, 151.0, 81.0]),
        (r#"x="10" y="5" width="35" height="200""#, [29, 24, 45, 36], [19.0, 19.0, 45.0, 36.0]),
    ] {
        let d = Loaded::of(&shown("#q", corner));
        assert_eq!(ink(&d.drawing), drawn, "{corner}");
        assert_holds(d.ink(), drawn);
        assert_near(d.ink(), expected);
    }
}

/// Asserts that a box contains the ink of Chromium 156 at four pixels per px, and little more.
#[track_caller]
fn assert_fits(found: Aabb, [x0, y0, x1, y1]: [f64; 4], what: &str) {
    let [inner, outer] = [0.25, 1.3];
    let at = |margin: f64| Aabb::new(x0 - margin, y0 - margin, x1 + margin, y1 + margin).expect("numbers");
    assert!(found.contains(at(-inner)), "{what}: {found:?} is too small");
    assert!(at(outer).contains(found), "{what}: {found:?} is too large");
}

#[test]
fn a_blur_extends_as_far_as_it_is_visible() {
    for (std_dev, extent) in
        [(0.5, 1.25), (1.0, 2.5), (2.0, 4.75), (5.0, 12.25), (10.0, 23.75), (20.0, 47.75)]
    {
        let expected = [100.0 - extent, 100.0 - extent, 200.0 + extent, 200.0 + extent];
        let rect = |filter: &str| {
            Loaded::of(&format!("<rect x='100' y='100' width='100' height='100' style='filter:{filter}'/>"))
        };
        let blur = rect(&format!("blur({std_dev}px)"));
        assert_fits(blur.ink(), expected, &format!("{std_dev}"));
        let shadow = rect(&format!("drop-shadow(0 0 {std_dev}px #000)"));
        assert_fits(shadow.ink(), expected, &format!("{std_dev}"));
        assert_eq!([blur, shadow].map(|d| d.drawing.warnings.len()), [0, 0]);
    }
    let faint = "<rect x='20' y='20' width='40' height='30'
        style='filter:drop-shadow(0 20px 5px rgba(0, 0, 0, .42))'/>";
    assert_fits(Loaded::of(faint).ink(), [8.75, 20.0, 71.25, 81.25], "a faint shadow");
    let uneven =
        "<filter id='f' x='-1' y='-1' width='3' height='3'><feGaussianBlur stdDeviation='10 5'/></filter>
        <rect x='100' y='100' width='100' height='100' filter='url(#f)'/>";
    assert_fits(Loaded::of(uneven).ink(), [76.25, 87.75, 223.75, 212.25], "two deviations");
}

/// The boxes are those of the ink in Chromium 156.
#[test]
fn filter_functions_have_no_region() {
    for (element, expected) in [
        (
            "<path d='M100 100H200' stroke='red' stroke-width='4' style='filter:grayscale(1)'/>",
            [100.0, 98.0, 200.0, 102.0],
        ),
        (
            "<rect x='100' y='100' width='100' height='100' stroke-width='60' stroke='red' style='filter:sepia(1)'/>",
            [70.0, 70.0, 230.0, 230.0],
        ),
        (
            "<g transform='rotate(30 150 150)' style='filter:drop-shadow(60px 0 0 red)'>
                <rect x='100' y='100' width='50' height='50'/></g>",
            [106.7, 81.6, 227.0, 180.0],
        ),
        (
            "<g style='filter:blur(5px)'>
                <rect x='100' y='100' width='50' height='50' style='filter:drop-shadow(90px 0 0 red)'/></g>",
            [87.75, 87.75, 252.25, 162.25],
        ),
        (
            "<filter id='f' filterUnits='userSpaceOnUse' width='300' height='300'><feOffset dx='50'/></filter>
            <rect x='100' y='100' width='50' height='50' style='filter:url(#f) drop-shadow(90px 0 0 red)'/>",
            [150.0, 100.0, 290.0, 150.0],
        ),
        (
            "<symbol id='s' viewBox='0 0 10 10' overflow='visible'><rect width='10' height='10'/></symbol>
            <use href='#s' x='100' y='100' width='50' height='50' style='filter:drop-shadow(90px 0 0 red)'/>",
            [100.0, 100.0, 240.0, 150.0],
        ),
        (
            "<rect x='100' y='100' width='50' height='50' style='font-size:10px;filter:drop-shadow(9em 0 0 red)'/>",
            [100.0, 100.0, 240.0, 150.0],
        ),
        (
            "<mask id='m'><rect width='20' height='20' fill='#fff' style='filter:drop-shadow(90px 0 0 #fff)'/></mask>
            <rect width='300' height='300' mask='url(#m)'/>",
            [0.0, 0.0, 110.0, 20.0],
        ),
    ] {
        let d = Loaded::of(element);
        assert_fits(d.ink(), expected, element);
        if !element.contains("blur") {
            assert_fits(d.ink(), d.ink_at_4(), &format!("the picture of {element}"));
        }
    }
}

/// The colours are those of Chromium 156.
#[test]
fn filter_functions_have_srgb_colors() {
    for (filter, expected) in [
        ("drop-shadow(90px 0 0 #de3e3e)", [0xde, 0x3e, 0x3e, 255]),
        ("drop-shadow(90px 0 0 #00000080)", [0, 0, 0, 128]),
        ("drop-shadow(90px 0)", [0, 0, 255, 255]),
        ("drop-shadow(90px 0 0 currentcolor) invert(1)", [255, 255, 0, 255]),
        ("drop-shadow(90px 0 0 #00b4ff) grayscale(1)", [147, 147, 147, 255]),
        ("drop-shadow(90px 0 0 #00b4ff) sepia(1)", [187, 166, 130, 255]),
        ("drop-shadow(90px 0 0 #00b4ff) sepia(.5)", [93, 173, 192, 255]),
        ("drop-shadow(90px 0 0 #00b4ff) contrast(.5)", [64, 154, 191, 255]),
        ("drop-shadow(90px 0 0 #00b4ff) brightness(.5)", [0, 90, 128, 255]),
        ("drop-shadow(90px 0 0 #00b4ff) hue-rotate(90deg)", [255, 100, 255, 255]),
        ("drop-shadow(90px 0 0 #00b4ff) saturate(.5)", [74, 164, 201, 255]),
        ("drop-shadow(90px 0 0 red) opacity(.5)", [255, 0, 0, 128]),
    ] {
        let d = Loaded::of(&format!("<rect width='50' height='50' color='blue' style='filter:{filter}'/>"));
        let mut pixmap = Pixmap::new(300, 300).expect("it has pixels");
        resvg::render(&d.drawing.tree, Transform::identity(), &mut pixmap.as_mut());
        let pixel = pixmap.pixel(115, 25).expect("it is inside").demultiply();
        let found = [pixel.red(), pixel.green(), pixel.blue(), pixel.alpha()];
        let is_near = found.iter().zip(expected).all(|(a, b)| a.abs_diff(b) <= 1);
        assert!(is_near, "{filter}: {found:?}");
    }
}
