//! Files that are not drawings, and drawings that exceed limits.

use std::error::Error as _;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

use boxwood_cpu::Aabb;
use boxwood_svg::{CancelToken, Error, Options, Quantity, Role, WarningKind, Work, load, load_file};

use crate::loaded::{Loaded, assert_exceeds, assert_near, error, options, path_boxes, svg};

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).expect("writing to memory succeeds");
    encoder.finish().expect("writing to memory succeeds")
}

#[test]
fn empty_input_is_refused() {
    for empty in [&b""[..], b" \n\t"] {
        assert_eq!(error(empty).to_string(), "the input is empty");
    }
}

#[test]
fn other_formats_are_named() {
    assert_eq!(error(b"\x89PNG\r\n\x1a\n").to_string(), "this is a PNG image, not an SVG drawing");
    assert_eq!(error(b"<html/>").to_string(), "the root element is <html>, not <svg>");
    assert!(matches!(error(b"\xff\xfe<\0s\0"), Error::Xml { .. }));
    assert!(matches!(error(b"<svg>\xff</svg>"), Error::NotUtf8 { offset: 5 }));
    assert!(matches!(error(b"once upon a time"), Error::Xml { .. }));
}

#[test]
fn errors_in_xml_name_a_position() {
    let message = error(b"<svg xmlns='http://www.w3.org/2000/svg'>\n  <g></svg>").to_string();
    assert!(message.contains("2:") && message.contains("XML"), "{message}");
    for truncated in ["<g>", "<g", "<path d='M0 0", "<!-- é", "<text>é", "</svg"] {
        let text = format!("<svg xmlns='http://www.w3.org/2000/svg'>\n  {truncated}");
        let end = format!(" at 2:{}", 3 + truncated.chars().count());
        let message = error(text.as_bytes()).to_string();
        assert!(message.contains(&end), "{truncated}: {message}");
    }
    let message = error(b"<?xml version='1.0'?>\n").to_string();
    assert!(message.ends_with(" at 2:1, where the text ends"), "{message}");
}

#[test]
fn svgz_is_loaded_and_truncated_svgz_is_refused() {
    let whole = gzip(&svg(r#"<rect id="r" width="9" height="9"/>"#));
    assert_near(Loaded::whole(&whole).leaf("r"), [0.0, 0.0, 9.0, 9.0]);
    for length in [3, 12, whole.len() / 2, whole.len() - 1] {
        assert!(matches!(error(&whole[..length]), Error::Gzip { .. }), "{length} bytes were accepted");
    }
    assert!(matches!(error(&gzip(b"")), Error::Empty));
}

#[test]
fn a_font_folder_that_cannot_be_listed_is_named() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let [drawing, missing] = ["a.svg", "missing"].map(|name| folder.path().join(name));
    std::fs::write(&drawing, svg("<text y='9'>a</text>")).expect("a file can be written");
    for dir in [&missing, &drawing] {
        let options = Options { font_dirs: vec![folder.path().to_owned(), dir.clone()], ..options() };
        let error = load_file(&drawing, &options).expect_err("it is not a folder");
        assert_eq!(error.to_string(), format!("cannot list the font folder {}", dir.display()));
        assert!(error.source().is_some());
    }
}

#[test]
fn drawings_without_area_are_refused() {
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
    for (n, depth) in [(1_024, 1_025.0), (1_100, 1_101.0), (1_000_000, 1_000_001.0)] {
        assert_exceeds(&error(&nested(n)), Quantity::Depth, depth..=depth);
    }
    assert_eq!(Loaded::whole(&nested(1_023)).drawing.elements.len(), 3);
}

#[test]
fn many_elements_are_refused_with_their_number_and_the_limit() {
    // Each group uses the one before twice: 2^24 rectangles and the groups around them, 24 uses
    // deep.
    let doubled = |n: usize| {
        let group = |i| format!("<g id='g{i}'><use href='#g{}'/><use href='#g{}'/></g>", i - 1, i - 1);
        let groups: String = (1..=n).map(group).collect();
        error(&svg(&format!("<g id='g0'><rect width='1' height='1'/></g>{groups}")))
    };
    let many = doubled(24);
    assert_exceeds(&many, Quantity::Elements, f64::from(1 << 24)..);
    assert!(many.to_string().starts_with("the drawing has at least 167772081 elements"), "{many}");
    // 2^80 rectangles are more than can be counted.
    let most = doubled(80);
    assert!(most.to_string().starts_with("the drawing has more than 9e15 elements"), "{most}");
}

#[test]
fn uses_that_nest_too_deep_are_refused() {
    let nested: String = (1..600).map(|i| format!("<g id='g{i}'><use href='#g{}'/></g>", i - 1)).collect();
    let error = error(&svg(&format!("<g id='g0'><rect width='1' height='1'/></g>{nested}")));
    assert_exceeds(&error, Quantity::Depth, 1_025.0..);
}

#[test]
fn a_thousand_nested_clips_are_loaded() {
    let n = 1_000;
    let open = "<g clip-path='url(#c)'>".repeat(n);
    let body = format!(
        "<clipPath id='c'><rect width='50' height='50'/></clipPath>{open}<rect width='90' height='90'/>{}",
        "</g>".repeat(n)
    );
    let d = Loaded::whole(&svg(&body));
    assert_eq!(d.drawing.elements.len(), 2 * n + 3);
    assert_near(d.ink(), [0.0, 0.0, 50.0, 50.0]);
}

#[test]
fn numbers_out_of_range_do_not_reach_the_encoding() {
    for bad in ["NaN", "inf", "1e999", "-1e999"] {
        let body = format!(
            r#"<rect id="r" x="{bad}" width="9" height="9"/>
               <path d="M0 0L{bad} 9V9Z" stroke="red"/>
               <g transform="scale({bad})"><rect width="9" height="9" stroke="red"/></g>
               <circle r="{bad}"/>
               <path d="M0 0H9" stroke="red" stroke-width="{bad}" stroke-dasharray="1 {bad}"/>
               <text x="{bad}" font-size="{bad}">t</text>"#
        );
        let d = Loaded::of(&body);
        let finite = d.drawing.encoding.path_data.iter().all(|word| f32::from_bits(*word).is_finite());
        assert!(finite, "{bad} reached the encoding");
    }
}

#[test]
fn transforms_beyond_f32_leave_their_contents_out() {
    let d = Loaded::of(
        r#"<g transform="scale(1e30)"><g transform="scale(1e30)"><rect width="9" height="9"/></g></g>"#,
    );
    assert_eq!(d.ink(), Aabb::EMPTY);
    assert_eq!(d.drawing.warnings.len(), 1);
}

#[test]
fn huge_coordinates_are_bounded_and_drawn_near_the_viewport() {
    let d = Loaded::of(
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
    let farthest = 2e6_f32;
    let path_data = &d.drawing.encoding.path_data;
    let drawn = path_data.iter().map(|word| f32::from_bits(*word).abs());
    assert!(drawn.fold(0.0, f32::max) < farthest, "the encoding has moderate numbers only");
    assert!(path_data.len() < 1_000, "{} words are encoded", path_data.len());
}

#[test]
fn arcs_that_become_too_many_curves_are_refused() {
    let body = |shape: &str| svg(&format!("<defs><g>{shape}</g></defs><rect width='9' height='9'/>"));
    for shape in [
        "<path d='M5 5A1 1e30 3 0 1 1e30 5Z'/>",
        "<path d='M5 5L1 1ZM9 9a1 1e30 3 0 1 1e30 5Z'/>",
        "<path d='M5 5A1e300 1e300 0 0 1 8 5'/><path d='M5 5A1 1 0 0 1 1e60 5'/>",
        &"<circle r='1e30'/>".repeat(3),
        &"<ellipse rx='9e37mm' ry='1'/>".repeat(3),
        &"<svg viewBox='0 0 1e30 1e30'><ellipse rx='50%' ry='1'/></svg>".repeat(3),
        &"<rect width='1e31' height='1e31' rx='1e30'/>".repeat(3),
    ] {
        let error = error(&body(shape));
        let of_one = if shape.starts_with("<path") { Quantity::CurvesOfArc } else { Quantity::CurvesOfArcs };
        assert_exceeds(&error, of_one, 1e5..);
    }
    // Many arcs are accepted, and a few huge ones.
    let round = "<rect width='9' height='9' rx='1e30'/><circle r='50%'/><path d='M1 1a4 4 0 1 1 9 9z'/>"
        .repeat(5_000);
    for shape in [
        &round,
        "<circle r='1e30'/><circle r='1e39'/><circle r='4e37cm'/>",
        "<path d='M0 0A1e99 1e99 0 0 1 3 3A1e300 1 0 0 1 3e9 3'/>",
    ] {
        assert!(load(&body(shape), &options()).is_ok(), "{shape}");
    }
}

/// A drawing that takes seconds to load.
fn slow() -> Vec<u8> {
    svg(&format!("<text y='9'>{}</text>", "abc ".repeat(50_000)))
}

#[test]
fn the_time_limit_holds() {
    let limited = Options { time_limit: Some(Duration::from_millis(100)), ..options() };
    let error = load(&slow(), &limited).expect_err("it takes seconds");
    assert!(matches!(error, Error::TimeLimit { .. }), "{error}");
    assert!(error.to_string().contains("more than 0.1 s"), "{error}");
}

#[test]
fn a_load_is_cancelled_by_another_thread() {
    let cancel = CancelToken::default();
    let options = Options { cancel: Some(cancel.clone()), ..options() };
    let load = std::thread::spawn(move || load(&slow(), &options).map(drop));
    std::thread::sleep(Duration::from_millis(100));
    cancel.set(true);
    let error = load.join().expect("it does not panic").expect_err("it takes seconds");
    assert!(matches!(error, Error::Cancelled(Work::Loading)), "{error}");
}

#[test]
fn a_drawing_inside_of_itself_is_drawn_once() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("self.svg");
    let body = r#"<rect id="r" width="9" height="9"/><image width="30" height="30" href="self.svg"/>"#;
    std::fs::write(&path, svg(body)).expect("the file can be written");
    let drawing = load_file(&path, &options()).expect("it loads");
    let kinds: Vec<_> = drawing.warnings.iter().map(|warning| warning.kind).collect();
    assert_eq!(kinds, [WarningKind::NestedImage]);
    let n_fills = drawing.table.iter().filter(|info| info.role == Role::Fill).count();
    assert_eq!(n_fills, 2, "the rectangle and its copy in the image");
}

#[test]
fn too_many_nested_drawings_are_refused() {
    let in_image = |inner: &str, n: usize| {
        let address = inner.replace('%', "%25").replace('<', "%3C").replace('#', "%23").replace('"', "%22");
        let image = format!(r##"<image id="i" width="9" height="9" href="data:image/svg+xml,{address}"/>"##);
        let whole = svg(&format!("<defs>{image}</defs>{}", r##"<use href="#i"/>"##.repeat(n)));
        String::from_utf8(whole).expect("it is text")
    };
    let rectangles =
        |n: usize| String::from_utf8(svg(&"<path d='M0 0h9v9z'/>".repeat(n))).expect("it is text");
    // 10^8 drawings.
    let many = (0..4).fold(rectangles(1), |inner, _| in_image(&inner, 100));
    let error = error(many.as_bytes());
    assert_exceeds(&error, Quantity::SvgImages, 20_001.0..=20_001.0);
    let few = in_image(&in_image(&rectangles(5), 10), 10);
    let n_fills =
        Loaded::whole(few.as_bytes()).drawing.table.iter().filter(|info| info.role == Role::Fill).count();
    assert_eq!(n_fills, 500);
}

#[test]
fn too_many_default_values_of_attributes_are_refused() {
    let text = |n_attributes: usize| {
        let list: String = (0..n_attributes).map(|index| format!(" a{index} CDATA '1'")).collect();
        let rectangles = "<rect width='9' height='9'/>".repeat(4_000);
        [format!("<!DOCTYPE svg [<!ATTLIST rect{list}>]>").as_bytes(), &svg(&rectangles)].concat()
    };
    assert_exceeds(&error(&text(1_001)), Quantity::Defaults, 4_004_000.0..=4_004_000.0);
    assert!(load(&text(10), &options()).is_ok());
}

#[test]
fn elements_with_a_singular_transform_draw_nothing() {
    for transform in ["matrix(0 0 0 0 5 5)", "matrix(1 2 2 4 0 0)", "scale(0)", "scale(1 0)", "scale(0 1e30)"]
    {
        let d = Loaded::of(&format!(
            r##"<g transform="{transform}"><rect width="9" height="9" stroke="red"/><circle r="9"/><text y="9">t</text></g>
               <clipPath id="c" transform="{transform}"><rect width="9" height="9"/></clipPath>
               <rect width="9" height="9" clip-path="url(#c)"/>
               <pattern id="p" width="1" height="1" patternTransform="{transform}"><rect width="9" height="9"/></pattern>
               <linearGradient id="l" gradientTransform="{transform}"><stop/><stop offset="1"/></linearGradient>
               <path id="painted" d="M1 1H9V9Z" fill="url(#p)" stroke="url(#l)" stroke-width="0"/>"##
        ));
        let corner = Aabb::new(0.0, 0.0, 9.0, 9.0).expect("numbers");
        assert!(corner.contains(d.ink()), "{transform}: {:?}", d.ink());
        let numbers = d.drawing.encoding.path_data.iter().map(|word| f32::from_bits(*word));
        assert!(numbers.into_iter().all(f32::is_finite), "{transform}");
    }
}

#[test]
fn a_panic_of_usvg_is_an_error() {
    // usvg multiplies the sides of the filter's region, which is a tenth larger than the group on
    // each side.
    let body =
        "<filter id='f'><feOffset/></filter><g filter='url(#f)'><path d='M0 0L3.4e38 9' stroke='red'/></g>";
    match load(&svg(body), &options()) {
        Ok(drawing) => assert!(drawing.elements.boxes().iter().all(|b| b.canonical() == *b)),
        Err(error) => assert!(matches!(error, Error::Panicked { .. }), "{error}"),
    }
}

#[test]
fn empty_and_flat_paths_fill_nothing() {
    for d in [
        "",
        "M",
        "M5 5",
        "M5 5Z",
        "M5 5H9",
        "M1 1L9 9Z",
        "M1 1L9 9L5 5Z",
        "M1 1C3 3 5 5 9 9Z",
        "none",
        "L9 9V0Z",
    ] {
        let drawing = Loaded::of(&format!(r#"<path d="{d}"/>"#));
        assert_eq!(drawing.ink(), Aabb::EMPTY, "{d:?}");
    }
    for shape in [
        "<rect width='0' height='9'/>",
        "<circle r='-1'/>",
        "<ellipse rx='9' ry='0'/>",
        "<polygon points='1'/>",
    ] {
        assert_eq!(Loaded::of(shape).ink(), Aabb::EMPTY, "{shape}");
    }
    // A stroke has a width where the path has none.
    let stroked = Loaded::of(r#"<path id="p" d="M5 5H9" fill="none" stroke="red" stroke-width="2"/>"#);
    assert_near(stroked.leaf("p"), [5.0, 4.0, 9.0, 6.0]);
}

#[test]
fn the_encoding_stays_near_the_viewport() {
    let image = "data:image/gif;base64,R0lGODdhAQABAIAAAAAAAP///ywAAAAAAQABAAACAkQBADs=";
    let body = format!(
        r##"<g opacity="0.5"><rect x="-1e30" y="-1e30" width="2e30" height="2e30"/></g>
           <clipPath id="c"><rect x="-1e30" y="-5" width="2e30" height="1e30"/></clipPath>
           <g clip-path="url(#c)"><path d="M0 0H9V9z"/></g>
           <mask id="m" maskUnits="userSpaceOnUse" x="-1e30" y="-1e30" width="2e30" height="2e30"><rect width="9" height="9" fill="white"/></mask>
           <g mask="url(#m)"><path d="M0 0H9V9z"/></g>
           <image id="i" x="-1e20" y="-1e20" width="2e20" height="2e20" preserveAspectRatio="none" href="{image}"/>"##
    );
    for clip_to_viewport in [true, false] {
        let drawing = load(&svg(&body), &Options { clip_to_viewport, ..options() }).expect("it loads");
        let near = Aabb::new(-4e6, -4e6, 4e6, 4e6).expect("numbers");
        for (element, path_box) in path_boxes(&drawing).into_iter().enumerate() {
            assert!(near.contains(path_box), "element {element} is encoded as {path_box:?}");
        }
        let far = drawing.elements.boxes().iter().filter(|b| b.x1 >= 9e19 && **b != Aabb::PLANE).count();
        assert!(far >= 3, "only {far} boxes are those of the whole shape");
    }
}

#[test]
fn errors_name_the_file() {
    let error = load_file(Path::new("no/such/file.svg"), &options()).expect_err("it does not exist");
    assert!(matches!(error, Error::Read { .. }), "{error:?}");
    assert_eq!(error.to_string(), "cannot read no/such/file.svg");
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let error = load_file(&manifest, &options()).expect_err("it is not SVG");
    assert_eq!(error.to_string(), format!("cannot load {}", manifest.display()));
}

#[test]
fn a_message_does_not_repeat_that_of_its_source() {
    let truncated = &gzip(&svg("<g/>"))[..20];
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("bad.svgz");
    std::fs::write(&path, truncated).expect("a file can be written");
    let error = load_file(&path, &options()).expect_err("it is truncated");
    let (mut messages, mut source) = (vec![error.to_string()], error.source());
    while let Some(error) = source {
        messages.push(error.to_string());
        source = error.source();
    }
    assert_eq!(messages.len(), 3, "{messages:?}");
    assert_eq!(messages[1], "the SVGZ data is truncated or damaged");
    for (i, message) in messages.iter().enumerate() {
        let is_repeated = messages[..i].iter().any(|before| before.contains(message.as_str()));
        assert!(!is_repeated, "{messages:?}");
    }
}

#[test]
fn the_depth_is_checked_before_it_takes_time() {
    // Each of these elements may be a part of a text, which the elements around it decide.
    let deep = format!("{}{}", "<a>".repeat(100_000), "</a>".repeat(100_000));
    let start = std::time::Instant::now();
    assert_exceeds(&error(&svg(&deep)), Quantity::Depth, 100_000.0..=100_000.0);
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}
