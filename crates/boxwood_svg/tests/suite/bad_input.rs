//! Files that are no drawing, and drawings that are hard to take.

use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use boxwood_layout::{Aabb, PathStreams};
use boxwood_svg::{Error, Options, Role, Scene, WarningKind, load, load_file};

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
    let body = format!("<text y='9'>{}</text>", "abc ".repeat(50_000));
    let start = Instant::now();
    let limited = Options { time_limit: Some(Duration::from_millis(100)), ..options() };
    let error = load(&svg(&body), &limited).expect_err("it takes seconds");
    assert!(matches!(error, Error::TimeLimit { .. }), "{error}");
    assert!(error.to_string().contains("more than 0.1 s"), "{error}");
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

/// Elements of which each of twelve refers to the next ten times: 10^12 elements.
fn bomb(element: impl Fn(usize, &str) -> String, reference: impl Fn(usize) -> String) -> String {
    (0..12).map(|i| element(i, &reference(i + 1).repeat(10))).collect()
}

#[test]
fn references_that_grow_without_bound_are_refused_with_their_number_and_the_limit() {
    let rect = |attribute: String| format!("<rect width='50' height='50' {attribute}/>");
    let tile = "patternUnits='userSpaceOnUse' width='9' height='9'";
    let bombs = [
        bomb(
            |i, c| format!("<clipPath id='r{i}'>{c}</clipPath>"),
            |i| rect(format!("clip-path='url(#r{i})'")),
        ) + "<clipPath id='r12'><rect width='9' height='9'/></clipPath><rect width='9' height='9' clip-path='url(#r0)'/>",
        bomb(|i, c| format!("<mask id='r{i}'>{c}</mask>"), |i| rect(format!("mask='url(#r{i})'")))
            + "<mask id='r12'><rect width='9' height='9'/></mask><rect width='9' height='9' mask='url(#r0)'/>",
        bomb(
            |i, c| format!("<pattern id='r{i}' {tile}>{c}</pattern>"),
            |i| rect(format!("style='fill: url(#r{i})'")),
        ) + "<pattern id='r12'><rect width='9' height='9'/></pattern><rect width='9' height='9' fill='url(#r0)'/>",
        bomb(
            |i, _| {
                format!(
                    "<marker id='r{i}'><path d='M0 0L1 1L2 0L3 1L4 0L5 1L6 0L7 1L8 0L9 1L0 9' class='m{}'/></marker>",
                    i + 1
                )
            },
            |_| String::new(),
        ) + "<path d='M0 0L9 9L0 9' class='m0'/><marker id='r12'><rect width='9' height='9'/></marker>"
            + &format!(
                "<style>{}</style>",
                (0..13).map(|i| format!(".m{i} {{ marker-mid: url(#r{i}) }}")).collect::<String>()
            ),
    ];
    for bomb in bombs {
        let start = Instant::now();
        let error = error(&svg(&bomb));
        assert!(matches!(error, Error::TooMany { count } if count > 1_000_000_000), "{error}: {bomb}");
        assert!(error.to_string().contains("limit is 1000000"), "{error}");
        assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    }
}

#[test]
fn references_that_nest_too_deep_are_refused_for_that() {
    let n = 20_000;
    let chain =
        |element: &dyn Fn(usize, usize) -> String| (0..n).map(|i| element(i, i + 1)).collect::<String>();
    let clips = chain(&|i, next| {
        format!("<clipPath id='r{i}' clip-path='url(#r{next})'><rect width='9' height='9'/></clipPath>")
    });
    let masks =
        chain(&|i, next| format!("<mask id='r{i}'><path d='M0 0h9v9z' mask='url(#r{next})'/></mask>"));
    let markers = chain(&|i, next| {
        format!("<marker id='r{i}'><path d='M0 0h9v9z' marker-end='url(#r{next})'/></marker>")
    });
    for (chain, attribute) in [(clips, "clip-path"), (masks, "mask"), (markers, "marker-end")] {
        let error = error(&svg(&format!("{chain}<path d='M0 0h9v9z' {attribute}='url(#r0)'/>")));
        assert!(matches!(error, Error::TooDeep { depth: 1025.. }), "{attribute}: {error}");
        assert!(error.to_string().contains("limit is 1024"), "{error}");
    }
}

/// The elements of a circle of `n`, of which each refers to the next.
fn circle(n: usize, element: impl Fn(usize, usize) -> String) -> String {
    (0..n).map(|i| element(i, (i + 1) % n)).collect()
}

#[test]
fn circles_of_references_are_refused() {
    let tile = "patternUnits='userSpaceOnUse' width='9' height='9'";
    let circles = [
        circle(3, |i, to| format!("<clipPath id='r{i}' clip-path='url(#r{to})'><rect width='9' height='9'/></clipPath>"))
            + "<rect clip-path='url(#r0)' width='9' height='9'/>",
        circle(3, |i, to| format!("<clipPath id='r{i}'><rect width='9' height='9' clip-path='url(#r{to})'/></clipPath>"))
            + "<rect clip-path='url(#r0)' width='9' height='9'/>",
        circle(4, |i, to| format!("<mask id='r{i}' mask='url(#r{to})'><rect width='9' height='9'/></mask>"))
            + "<g mask='url(#r1)'><rect width='9' height='9'/></g>",
        circle(3, |i, to| format!("<pattern id='r{i}' {tile}><rect width='9' height='9' style='stroke:url( \"#r{to}\" )'/></pattern>"))
            + "<rect fill='url(#r0)' width='9' height='9'/>",
        circle(3, |i, to| format!("<pattern id='r{i}' {tile}><rect width='9' height='9' class='c{to}'/></pattern>"))
            + "<style>.c0 { fill: url(#r0) } .c1 { fill: url('#r1') } rect.c2 { fill: url(#r2) red }</style>"
            + "<rect class='c1' width='9' height='9'/>",
        // By what is inherited, by what is used, by a pattern that has the contents of another.
        format!("<g fill='url(#p)'><pattern id='p' {tile}><rect width='9' height='9'/></pattern><path d='M0 0h9v9z'/></g>"),
        circle(3, |i, to| format!("<clipPath id='r{i}'><use href='#u{i}'/></clipPath><rect id='u{i}' width='9' height='9' clip-path='url(#r{to})'/>")),
        circle(3, |i, to| {
            format!("<pattern id='r{i}' href='#p{i}' {tile}/><pattern id='p{i}'><rect width='9' height='9' fill='url(#r{to})'/></pattern>")
        }) + "<rect fill='url(#r0)' width='9' height='9'/>",
        // Of several kinds.
        "<mask id='m'><rect width='9' height='9' fill='url(#p)'/></mask>
         <pattern id='p' width='1' height='1'><rect width='9' height='9' mask='url(#m)'/></pattern>
         <rect mask='url(#m)' width='9' height='9'/>"
            .to_owned(),
        "<filter id='f'><feImage href='#g'/></filter><g id='g'><rect width='9' height='9' filter='url(#f)'/></g>".to_owned(),
        circle(2, |i, to| {
            format!("<filter id='f{i}'><feImage href='#g{to}'/></filter><g id='g{i}' filter='url(#f{i})'><path d='M0 0h9v9z'/></g>")
        }),
    ];
    for circle in circles {
        let error = error(&svg(&circle));
        assert!(matches!(error, Error::Circle { .. }), "{error}: {circle}");
        assert!(error.to_string().contains("lead back to it"), "{error}");
    }
}

#[test]
fn circles_that_are_opened_are_no_reason_to_refuse() {
    let d = Drawing::of(
        r##"<linearGradient id="l"/><pattern id="p" width="9" height="9"><rect width="9" height="9" fill="url(#p)"/></pattern>
           <g id="a"><use href="#a"/><rect width="9" height="9" stroke="url(#l)"/></g>
           <marker id="m"><path d="M0 0h9v9z" marker-start="url(#m)" fill="url(#q)"/></marker>
           <pattern id="q" width="9" height="9"><path d="M0 0h9v9z" marker-start="url(#m)"/></pattern>
           <path id="r" d="M0 0h9v9z" fill="red"/><path d="M0 0h9v9z" marker-end="url(#m)" fill="none"/>"##,
    );
    assert_near(d.leaf("r"), [0.0, 0.0, 9.0, 9.0]);
}

#[test]
fn references_are_found_however_they_are_written() {
    let circle = |reference: &dyn Fn(usize) -> String| {
        let pattern = |i, to| format!("<pattern id='r{i}' width='9' height='9'>{}</pattern>", reference(to));
        circle(3, pattern) + "<rect width='9' height='9' fill='url(#r0)'/>"
    };
    for reference in [
        &|to| format!("<rect width='9' height='9' fill='&#117;rl(#r{to})'/>"),
        &|to| {
            format!("<rect width='9' height='9' fill='none' style='fill: url(\"#r{to}\") red !important'/>")
        },
        &|to| format!("<text y='9'><a fill='url(#r{to})'>t</a></text>"),
        &|to| format!("<rect width='9' height='9' fill='url(#r{to})'/><x:r xmlns:x='x' id='r{to}'/>"),
    ] as [&dyn Fn(usize) -> String; 4]
    {
        let circle = circle(reference);
        assert!(matches!(error(&svg(&circle)), Error::Circle { .. }), "{circle}");
    }
}

#[test]
fn a_circle_in_an_image_leaves_the_image_out() {
    let pattern = |i, to| {
        format!(
            "<pattern id='r{i}' width='1' height='1'><rect width='9' height='9' fill='url(%23r{to})'/></pattern>"
        )
    };
    let inner = circle(3, pattern) + "<rect width='9' height='9' fill='url(%23r0)'/>";
    let inner = format!("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>{inner}</svg>");
    let d = Drawing::of(&format!(
        r#"<image width="9" height="9" href="data:image/svg+xml,{}"/>"#,
        inner.replace('<', "%3C")
    ));
    assert_eq!((d.ink(), d.scene.warnings[0].kind), (Aabb::EMPTY, WarningKind::BadImage));
}

#[test]
fn references_that_end_are_followed_however_often() {
    let shapes =
        "<rect width='50' height='40' fill='url(#p)' clip-path='url(#c)' mask='url(#m)' filter='url(#f)'/>";
    let d = Drawing::of(&format!(
        r##"<g fill="url(#p)" marker-end="url(#k)"><pattern id="p" width="1" height="1"><rect fill="red" width="9" height="9"/></pattern></g>
           <clipPath id="c"><use href="#shape"/></clipPath><path id="shape" d="M0 0h90v90z" fill="none"/>
           <mask id="m"><rect width="99" height="99" fill="url(#p)"/></mask>
           <filter id="f"><feOffset/></filter><marker id="k"><path d="M0 0h1v1z" marker-end="url(#k)"/></marker>
           <g>{}</g><path d="M0 0L9 0L9 9" marker-end="url(#k)"/>"##,
        shapes.repeat(1_000)
    ));
    assert_near(d.ink(), [0.0, 0.0, 50.0, 40.0]);
}

#[test]
fn a_drawing_that_is_an_image_in_itself_is_drawn_once() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let path = folder.path().join("self.svg");
    let body = r#"<rect id="r" width="9" height="9"/><image width="30" height="30" href="self.svg"/>"#;
    std::fs::write(&path, svg(body)).expect("the file can be written");
    let scene = load_file(&path, &options()).expect("it loads");
    let kinds: Vec<_> = scene.warnings.iter().map(|warning| warning.kind).collect();
    assert_eq!(kinds, [WarningKind::NestedImage]);
    let n_fills = scene.table.iter().filter(|info| info.role == Role::Fill).count();
    assert_eq!(n_fills, 2, "the rectangle, and that of the image");
}

#[test]
fn transforms_that_are_not_invertible_leave_nothing() {
    for transform in ["matrix(0 0 0 0 5 5)", "matrix(1 2 2 4 0 0)", "scale(0)", "scale(1 0)", "scale(0 1e30)"]
    {
        let d = Drawing::of(&format!(
            r##"<g transform="{transform}"><rect width="9" height="9" stroke="red"/><circle r="9"/><text y="9">t</text></g>
               <clipPath id="c" transform="{transform}"><rect width="9" height="9"/></clipPath>
               <rect width="9" height="9" clip-path="url(#c)"/>
               <pattern id="p" width="1" height="1" patternTransform="{transform}"><rect width="9" height="9"/></pattern>
               <linearGradient id="l" gradientTransform="{transform}"><stop/><stop offset="1"/></linearGradient>
               <path id="painted" d="M1 1H9V9Z" fill="url(#p)" stroke="url(#l)" stroke-width="0"/>"##
        ));
        let corner = Aabb::new(0.0, 0.0, 9.0, 9.0).expect("numbers");
        assert!(corner.contains(d.ink()), "{transform}: {:?}", d.ink());
        let numbers = d.scene.encoding.path_data.iter().map(|word| f32::from_bits(*word));
        assert!(numbers.into_iter().all(f32::is_finite), "{transform}");
    }
}

#[test]
fn where_the_parser_gives_up_there_is_an_error() {
    // usvg multiplies the size of the filter's region, which is that of the group and a tenth around it.
    let body =
        "<filter id='f'><feOffset/></filter><g filter='url(#f)'><path d='M0 0L3.4e38 9' stroke='red'/></g>";
    match load(&svg(body), &options()) {
        Ok(scene) => assert!(scene.elements.boxes().iter().all(|b| b.canonical() == *b)),
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
        let drawing = Drawing::of(&format!(r#"<path d="{d}"/>"#));
        assert_eq!(drawing.ink(), Aabb::EMPTY, "{d:?}");
    }
    for shape in [
        "<rect width='0' height='9'/>",
        "<circle r='-1'/>",
        "<ellipse rx='9' ry='0'/>",
        "<polygon points='1'/>",
    ] {
        assert_eq!(Drawing::of(shape).ink(), Aabb::EMPTY, "{shape}");
    }
    // A stroke has a width where the path has none.
    let stroked = Drawing::of(r#"<path id="p" d="M5 5H9" fill="none" stroke="red" stroke-width="2"/>"#);
    assert_near(stroked.leaf("p"), [5.0, 4.0, 9.0, 6.0]);
}

/// The boxes of what a renderer draws, by the streams that it is given.
fn drawn(scene: &Scene) -> Vec<Aabb> {
    let mut bytes = Vec::new();
    let mut resolver = vello_encoding::Resolver::new();
    let (layout, ..) = resolver.resolve(&scene.encoding, &mut bytes);
    let words: Vec<u32> = bytes.chunks_exact(4).map(bytemuck::pod_read_unaligned).collect();
    let streams = PathStreams::new(&words, bytemuck::cast(layout)).expect("the resolver's own layout");
    boxwood_cpu::path_bounds(&streams)
}

#[test]
fn what_a_renderer_is_given_is_near_the_viewport() {
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
        let scene = load(&svg(&body), &Options { clip_to_viewport, ..options() }).expect("it loads");
        let near = Aabb::new(-4e6, -4e6, 4e6, 4e6).expect("numbers");
        for (element, path_box) in drawn(&scene).into_iter().enumerate() {
            assert!(near.contains(path_box), "element {element} is given as {path_box:?}");
        }
        let far = scene.elements.boxes().iter().filter(|b| b.x1 >= 9e19 && **b != Aabb::PLANE).count();
        assert!(far >= 3, "the boxes themselves are not cut: {far} are as large as they are");
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
