//! Files that are no drawing, and drawings that are hard to take.

use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use boxwood_layout::Aabb;
use boxwood_svg::{Error, Options, load, load_file};

use crate::drawing::{Drawing, assert_near, options};

#[track_caller]
fn error(bytes: &[u8]) -> Error {
    load(bytes, &options()).expect_err("this is not a drawing")
}

fn svg(body: &str) -> Vec<u8> {
    format!(r#"<svg xmlns="http://www.w3.org/2000/svg" width="300" height="300">{body}</svg>"#).into_bytes()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).expect("memory takes everything");
    encoder.finish().expect("memory takes everything")
}

#[test]
fn nothing() {
    for empty in [&b""[..], b" \n\t"] {
        assert_eq!(error(empty).to_string(), "the file is empty");
    }
}

#[test]
fn other_formats() {
    assert_eq!(error(b"\x89PNG\r\n\x1a\n").to_string(), "this is a PNG image, not an SVG drawing");
    assert_eq!(error(b"<html/>").to_string(), "the root element is <html>, not <svg>");
    assert!(matches!(error(b"\xff\xfe<\0s\0"), Error::NotUtf8 { offset: 0 }));
    assert!(matches!(error(b"once upon a time"), Error::Xml { .. }));
}

#[test]
fn broken_xml_has_a_position() {
    let message = error(b"<svg xmlns='http://www.w3.org/2000/svg'>\n  <g></svg>").to_string();
    assert!(message.contains("2:") && message.contains("XML"), "{message}");
}

#[test]
fn svgz_and_its_pieces() {
    let whole = gzip(&svg(r#"<rect id="r" width="9" height="9"/>"#));
    assert_near(Drawing::whole(&whole).leaf("r"), [0.0, 0.0, 9.0, 9.0]);
    for length in [3, 12, whole.len() / 2, whole.len() - 1] {
        assert!(matches!(error(&whole[..length]), Error::Gzip { .. }), "{length} bytes were taken");
    }
    assert!(matches!(error(&gzip(b"")), Error::Empty));
}

#[test]
fn drawings_without_area() {
    for attributes in ["width='0' height='9'", "viewBox='0 0 0 9'", "width='9' height='9' viewBox='0 0 9 -1'"]
    {
        let svg = format!("<svg xmlns='http://www.w3.org/2000/svg' {attributes}/>");
        let error = error(svg.as_bytes());
        assert!(matches!(error, Error::InvalidSize { .. }), "{attributes}: {error}");
    }
}

#[test]
fn deep_nesting_is_refused_with_its_depth_and_the_limit() {
    let nested =
        |n: usize| svg(&format!("{}<rect width='9' height='9'/>{}", "<g>".repeat(n), "</g>".repeat(n)));
    for (n, depth) in [(1_024, 1_025), (1_100, 1_101), (1_000_000, 1_000_001)] {
        let error = error(&nested(n));
        assert!(matches!(error, Error::TooDeep { depth: d } if d == depth), "{n}: {error}");
        let message = error.to_string();
        assert!(message.contains(&depth.to_string()) && message.contains("limit is 1024"), "{message}");
    }
    assert_eq!(Drawing::whole(&nested(1_023)).scene.elements.len(), 3);
}

#[test]
fn many_elements_are_refused_with_their_number_and_the_limit() {
    // Each group uses the one before twice: 2^24 rectangles and what is around them, 24 uses deep.
    let doubled: String = (1..=24)
        .map(|i| format!("<g id='g{i}'><use href='#g{}'/><use href='#g{}'/></g>", i - 1, i - 1))
        .collect();
    let error = error(&svg(&format!("<g id='g0'><rect width='1' height='1'/></g>{doubled}")));
    assert!(matches!(error, Error::TooMany { count } if count > 1 << 24), "{error}");
    assert!(error.to_string().contains("limit is 1000000"), "{error}");
}

#[test]
fn uses_that_nest_too_deep_are_refused_for_that() {
    let nested: String = (1..600).map(|i| format!("<g id='g{i}'><use href='#g{}'/></g>", i - 1)).collect();
    let error = error(&svg(&format!("<g id='g0'><rect width='1' height='1'/></g>{nested}")));
    assert!(matches!(error, Error::TooDeep { depth } if depth > 1_024), "{error}");
}

#[test]
fn a_thousand_nested_clips() {
    let n = 1_000;
    let open = "<g clip-path='url(#c)'>".repeat(n);
    let body = format!(
        "<clipPath id='c'><rect width='50' height='50'/></clipPath>{open}<rect width='90' height='90'/>{}",
        "</g>".repeat(n)
    );
    let d = Drawing::whole(&svg(&body));
    assert_eq!(d.scene.elements.len(), 2 * n + 3);
    assert_near(d.ink(), [0.0, 0.0, 50.0, 50.0]);
}

#[test]
fn numbers_that_are_none() {
    for bad in ["NaN", "inf", "1e999", "-1e999"] {
        let body = format!(
            r#"<rect id="r" x="{bad}" width="9" height="9"/>
               <path d="M0 0L{bad} 9V9Z" stroke="red"/>
               <g transform="scale({bad})"><rect width="9" height="9" stroke="red"/></g>
               <circle r="{bad}"/>
               <path d="M0 0H9" stroke="red" stroke-width="{bad}" stroke-dasharray="1 {bad}"/>
               <text x="{bad}" font-size="{bad}">t</text>"#
        );
        let d = Drawing::of(&body);
        let finite = d.scene.encoding.path_data.iter().all(|word| f32::from_bits(*word).is_finite());
        assert!(finite, "{bad} reached the encoding");
    }
}

#[test]
fn transforms_beyond_f32_leave_their_contents_out() {
    let d = Drawing::of(
        r#"<g transform="scale(1e30)"><g transform="scale(1e30)"><rect width="9" height="9"/></g></g>"#,
    );
    assert_eq!(d.ink(), Aabb::EMPTY);
    assert_eq!(d.scene.warnings.len(), 1);
}

#[test]
fn huge_coordinates_are_bounded_and_drawn_near_the_viewport() {
    let start = Instant::now();
    let d = Drawing::of(
        r#"<path id="line" d="M-4e7 50L4e7 150" stroke="red" stroke-width="10"/>
           <path id="curve" d="M-4e7 0C-4e7 4e7 4e7 4e7 4e7 0Z"/>
           <circle id="circle" cx="4e7" cy="4e7" r="4e7" fill="none" stroke="red" stroke-width="3"/>
           <path id="far" d="M1e30 0L1e30 1e30L3e38 9Z"/>
           <path id="far-line" d="M0 0L1e30 1e30" stroke="red"/>"#,
    );
    let line = d.leaf("line");
    assert!(line.x0 <= -4e7 && line.x1 >= 4e7 && (line.y0, line.y1) == (45.0, 155.0), "{line:?}");
    assert_eq!(d.clipped("curve").x1, 300.0);
    assert!(d.leaf("far").x1 >= 3e38 && d.leaf("far-line").x1 >= 1e30);
    let reach = 2e6_f32;
    let drawn = d.scene.encoding.path_data.iter().map(|word| f32::from_bits(*word).abs());
    assert!(drawn.fold(0.0, f32::max) < reach, "a renderer gets moderate numbers only");
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

#[test]
fn clip_paths_in_a_circle_are_cut_open() {
    let d = Drawing::of(
        r#"<clipPath id="a" clip-path="url(#b)"><rect width="9" height="9"/></clipPath>
           <clipPath id="b" clip-path="url(#a)"><rect width="9" height="9"/></clipPath>
           <clipPath id="self"><rect width="9" height="9" clip-path="url(#self)"/></clipPath>
           <rect clip-path="url(#a)" width="50" height="50"/><rect clip-path="url(#self)" width="50" height="50"/>"#,
    );
    assert!(Aabb::new(0.0, 0.0, 50.0, 50.0).expect("numbers").contains(d.ink()));
}

#[test]
fn the_time_limit_holds() {
    // Each clip path uses the next ten times, each time elsewhere: 10^12 paths.
    let mut body = String::new();
    for i in 0..12 {
        let uses = (0..10).map(|k| {
            format!(
                "<rect width='{}' height='50' transform='translate({k} 0)' clip-path='url(#c{})'/>",
                k + 5,
                i + 1
            )
        });
        body += &format!("<clipPath id='c{i}'>{}</clipPath>", uses.collect::<String>());
    }
    body += "<clipPath id='c12'><rect width='9' height='9'/></clipPath>";
    body += "<rect width='99' height='99' clip-path='url(#c0)'/>";
    let start = Instant::now();
    let limited = Options { time_limit: Some(Duration::from_millis(300)), ..options() };
    let error = load(&svg(&body), &limited).expect_err("it takes for ever");
    assert!(matches!(error, Error::TimeLimit { .. }), "{error}");
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

#[test]
fn masks_in_masks_take_bounded_time_and_memory() {
    // Each mask's contents use the next ten times: 10^12 masks, of which the boxes are known after the first.
    let mut body = String::new();
    for i in 0..12 {
        let uses = format!("<rect width='50' height='50' fill='white' mask='url(#m{})'/>", i + 1);
        body += &format!("<mask id='m{i}'>{}</mask>", uses.repeat(10));
    }
    body += "<mask id='m12'><rect width='9' height='9' fill='white'/></mask>";
    body += "<rect width='99' height='99' mask='url(#m0)'/>";
    let limited = Options { time_limit: Some(Duration::from_secs(3)), ..options() };
    match load(&svg(&body), &limited) {
        Ok(scene) => assert!(scene.elements.len() < 2_000_000, "{} elements", scene.elements.len()),
        Err(error) => assert!(matches!(error, Error::TimeLimit { .. }), "{error}"),
    }
}

#[test]
fn masks_and_filters_in_a_circle_are_cut_open() {
    let d = Drawing::of(
        r##"<mask id="a" mask="url(#b)"><rect width="9" height="9" fill="white"/></mask>
           <mask id="b" mask="url(#a)"><rect width="9" height="9" fill="white" mask="url(#a)"/></mask>
           <filter id="f"><feImage href="#i"/></filter><g id="i" filter="url(#f)"><rect width="9" height="9"/></g>
           <rect width="20" height="20" mask="url(#a)"/>"##,
    );
    assert!(Aabb::new(-2.0, -2.0, 20.0, 20.0).expect("numbers").contains(d.ink()), "{:?}", d.ink());
}

#[test]
fn files_are_named_last() {
    let error = load_file(Path::new("no/such/file.svg"), &options()).expect_err("it is not there");
    assert!(
        matches!(error, Error::Read { .. }) && error.to_string().ends_with(": no/such/file.svg"),
        "{error}"
    );
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let error = load_file(&manifest, &options()).expect_err("it is not SVG");
    assert!(error.to_string().ends_with(&manifest.display().to_string()), "{error}");
}
