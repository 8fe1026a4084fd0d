//! Faults of Vello that the pictures of drawings do not have.

use super::*;

/// The pictures of a drawing on the GPU and on the CPU.
fn pictures(contents: &str, zoom: f64) -> [RgbaImage; 2] {
    let drawing = drawing(200, 100, contents);
    assert_eq!(drawing.warnings, []);
    let mut painter = painter();
    painter.set_drawing(&drawing).expect("the scene is small");
    let options = options(zoom, OverlayKinds::NONE);
    let gpu = painter.render(&options).expect("the picture is small");
    let software = render_on_cpu(&drawing, CpuRenderer::Resvg, &options);
    [gpu, software.expect("the picture is small")]
}

/// The number of pixels with a channel that differs by more than 8.
fn n_visibly_different(contents: &str, zoom: f64) -> usize {
    let [gpu, software] = pictures(contents, zoom);
    let is_different = |(a, b): (&Rgba<u8>, &Rgba<u8>)| a.0.iter().zip(b.0).any(|(a, b)| a.abs_diff(b) > 8);
    gpu.pixels().zip(software.pixels()).filter(|&pixels| is_different(pixels)).count()
}

/// Gradients on a rectangle whose edges are between pixels.
fn gradient(kind: &str, attributes: &str, stops: &str, shape: &str) -> String {
    format!(
        "<{kind}Gradient id='g' gradientUnits='userSpaceOnUse' {attributes}>{stops}</{kind}Gradient>
        <g fill='none'><rect {shape} fill='url(#g)'/></g>"
    )
}

const BLACK_TO_WHITE: &str = "<stop/><stop offset='1' stop-color='#fff'/>";

const WIDE: &str = "width='200' height='100'";

#[test]
fn gradients_are_sampled_at_the_centres_of_pixels() {
    let small = "x='8' y='8' width='8' height='8'";
    for (kind, attributes, shape) in [
        ("linear", "x1='8' x2='16'", small),
        ("linear", "x1='8' x2='16' y1='8' y2='16'", small),
        ("linear", "x1='0' x2='16' spreadMethod='reflect'", WIDE),
        ("linear", "x1='8' x2='16' gradientTransform='skewX(30) scale(2)'", WIDE),
        ("radial", "cx='12' cy='12' r='6'", small),
        ("radial", "cx='100' cy='50' r='20' spreadMethod='reflect'", WIDE),
        ("radial", "cx='100' cy='50' r='40' fx='80' fy='60'", WIDE),
        ("radial", "cx='100' cy='50' r='40' fr='10' gradientTransform='rotate(20) scale(1 .5)'", WIDE),
    ] {
        let contents = gradient(kind, attributes, BLACK_TO_WHITE, shape);
        for zoom in [1.0, 2.0] {
            assert_eq!(n_visibly_different(&contents, zoom), 0, "{kind} {attributes} at {zoom}");
        }
    }
}

#[test]
fn close_stops_are_not_lost() {
    let line = "<stop offset='.5'/><stop offset='.501' stop-color='#fff'/><stop offset='.503'/>";
    let steps =
        "<stop offset='.3'/><stop offset='.3' stop-color='#fff'/><stop offset='.7' stop-color='#fff'/>
        <stop offset='.7' stop-color='#06c' stop-opacity='.5'/>";
    for (kind, attributes, stops) in [
        ("linear", "x1='-4900' x2='5100'", line),
        ("linear", "x1='-490' x2='510'", line),
        ("linear", "x1='-210' x2='490' y2='100'", steps),
        ("linear", "x1='0' x2='170' spreadMethod='repeat'", steps),
        ("radial", "cx='-4900' cy='50' r='10000'", line),
        ("radial", "cx='100' cy='50' r='90' fx='70'", steps),
        ("radial", "cx='100' cy='50' r='70' spreadMethod='reflect'", steps),
    ] {
        let contents = gradient(kind, attributes, stops, WIDE);
        for zoom in [1.0, 4.0] {
            assert_eq!(n_visibly_different(&contents, zoom), 0, "{kind} {attributes} at {zoom}");
        }
    }
}

#[test]
fn wide_strokes_of_small_circles_have_no_patches() {
    for radius in [10, 11, 13, 17] {
        let circle = format!(
            "<circle transform='translate(100,50)' r='{radius}' fill='none' stroke='red' stroke-width='60'/>"
        );
        let [gpu, software] = pictures(&circle, 4.0);
        let n = n_different(&gpu, &software);
        // A patch has thousands of pixels. Up to a few hundred at the edges differ, because both
        // flatten arcs within a quarter of a pixel.
        assert!(n < 400, "{n} pixels with a radius of {radius}");
    }
}
