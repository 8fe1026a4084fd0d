//! Warnings, one per kind.

use std::time::Duration;

use boxwood_svg::{Deadline, Drawing, Drawn, Options, Shown, WarningKind, load, load_file};
use kurbo::Affine;

use crate::loaded::{Loaded, assert_near, options, svg};

/// The kind of each warning, its count, and the first element.
fn warnings_of(drawing: &Drawing) -> Vec<(WarningKind, usize, &str)> {
    drawing.warnings.iter().map(|w| (w.kind, w.count, w.first.as_str())).collect()
}

#[track_caller]
fn assert_warns(body: &str, expected: &[(WarningKind, usize, &str)]) {
    assert_eq!(warnings_of(&Loaded::of(body).drawing), expected);
}

#[test]
fn each_part_of_css_that_is_ignored_has_its_own() {
    let body = r#"<style>@import "x"; rect { cursor: pointer; clip-path: shape(from 0 0) }
.x { clip-path: shape(from 0 1px) }</style><rect width="9" height="9" clip-path="shape(from 1px 0)"/>"#;
    let drawing = Loaded::of(body).drawing;
    let found: Vec<_> = warnings_of(&drawing)
        .into_iter()
        .map(|(kind, count, first)| (kind, count, first.split_once(' ').expect("it has a position").1))
        .collect();
    let kind = WarningKind::IgnoredCss;
    assert_eq!(found, [(kind, 1, "(@import)"), (kind, 2, "(`shape()` in `clip-path`)")]);
    let message = drawing.warnings[0].message(Shown::BOXES);
    assert_eq!(message.as_deref(), Some("CSS that Boxwood ignores may change boxes"));
}

#[test]
fn what_browsers_do_with_css_and_is_not_done_here_is_said() {
    for (style, expected) in [
        ("mask: none, url(#m)", "(several layers in `mask`)"),
        ("display: contents", "(`contents` in `display`)"),
        ("writing-mode: sideways-rl", "(`sideways-rl` in `writing-mode`)"),
        ("outline: 3px solid red", "(property `outline`)"),
        ("width: 5cqw", "(`cqw` in `width`)"),
        ("x: calc(1px * infinity)", "(`infinity` or `NaN` in `x`)"),
        ("animation: a 1s", "(property `animation`)"),
        ("scale: 2; stroke: red; transform-box: stroke-box", "(the stroke in `transform-box: stroke-box`)"),
    ] {
        let drawing = Loaded::of(&format!(r#"<rect width="9" height="9" style="{style}"/>"#)).drawing;
        let [(WarningKind::IgnoredCss, 1, first)] = warnings_of(&drawing)[..] else { panic!("{style}") };
        assert!(first.ends_with(expected), "{style}: {first}");
    }
    for style in
        ["mask: none", "outline: none", "outline: 0 solid", "position: static", "zoom: 1", "display: flex"]
    {
        assert_warns(&format!(r#"<rect width="9" height="9" style="{style}"/>"#), &[]);
    }
}

#[test]
fn an_animation_is_not_played() {
    assert_warns(
        r#"<rect id="r" width="9" height="9"><animate attributeName="x" to="9" dur="1s"/></rect>"#,
        &[(WarningKind::Animation, 1, "r")],
    );
}

#[test]
fn a_plain_drawing_has_none() {
    assert_warns(r#"<rect width="9" height="9"/><text y="9">t</text>"#, &[]);
    assert_warns(
        r#"<filter id="f"><feGaussianBlur stdDeviation="2"/></filter>
           <mask id="m"><rect width="99" height="99" fill="white"/></mask>
           <pattern id="p" patternUnits="userSpaceOnUse" width="5" height="5"><rect width="2" height="2"/></pattern>
           <g filter="url(#f)" mask="url(#m)"><rect width="9" height="9" fill="url(#p)"/></g>"#,
        &[],
    );
}

#[test]
fn each_kind_is_counted_and_names_the_first() {
    assert_warns(
        r#"<path id="one" d="M0 50H4e7" stroke="red" stroke-dasharray="1"/>
           <path id="two" d="M0 50H4e7" stroke="red" stroke-dasharray="1"/>
           <g transform="scale(1e30)"><g id="three" transform="scale(1e30)"><rect width="9" height="9"/></g></g>"#,
        &[(WarningKind::ManyDashes, 2, "one"), (WarningKind::HugeTransform, 1, "three")],
    );
}

#[test]
fn missing_images_are_named() {
    let body = r#"<image width="9" height="9" href="no/such.png"/>
        <image width="9" height="9" href="http://example.com/a.png"/>"#;
    assert_warns(body, &[(WarningKind::MissingImage, 2, "no/such.png")]);
    assert_eq!(Loaded::of(body).drawing.elements.len(), 2);
}

#[test]
fn a_file_beyond_the_limit_is_not_read() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = std::fs::File::create(folder.path().join("large.png")).expect("a file can be made");
    // The file has no contents on disk.
    file.set_len((256 << 20) + 1).expect("the file can be extended");
    let options = Options { resources_dir: Some(folder.path().to_owned()), ..options() };
    let body = r#"<image width="9" height="9" href="large.png"/>"#;
    let drawing = load(&svg(body), &options).expect("the image is left out");
    assert_eq!(warnings_of(&drawing), [(WarningKind::LargeImageFile, 1, "large.png")]);
    let message = drawing.warnings[0].message(Shown::BOXES);
    assert_eq!(
        message.as_deref(),
        Some("an image in a file of more than 268435456 bytes counts only in object boxes")
    );
}

#[test]
#[cfg(unix)]
fn pipes_and_devices_are_not_read() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let pipe = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo exists");
    assert!(made.success());
    // A pipe that nobody writes to, an endless device, a folder.
    for name in ["pipe", "/dev/zero", "."] {
        let body = format!(r#"<image width="9" height="9" href="{name}"/>"#);
        let time_limit = Some(Duration::from_secs(20));
        let options = Options { resources_dir: Some(folder.path().to_owned()), time_limit, ..options() };
        let drawing = load(&svg(&body), &options).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(warnings_of(&drawing), [(WarningKind::MissingImage, 1, name)]);
    }
}

#[test]
fn an_image_with_broken_pixels_is_left_out() {
    // A PNG header of 1 x 1 pixels, and nothing after it.
    assert_warns(
        r#"<image id="i" width="9" height="9"
            href="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"/>"#,
        &[(WarningKind::BadImage, 1, "i")],
    );
}

#[test]
fn invalid_images_are_left_out_with_a_warning() {
    for (href, first) in [
        // A truncated PNG header, a type other than an image, a wrong type, invalid base64, an
        // invalid drawing, invalid SVGZ.
        ("data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAE", "data:image/png"),
        ("data:application/pdf;base64,JVBERg==", "data:application/pdf"),
        ("data:image/png;base64,/9j/4AAQ", "data:image/png"),
        ("data:image/png;base64,!!!", "i"),
        ("data:image/svg+xml,nothing", "data:image/svg+xml"),
        ("data:image/svg+xml;base64,H4sIAAAA", "data:image/svg+xml"),
    ] {
        let body = format!(r#"<image id="i" width="9" height="9" href="{href}"/>"#);
        let d = Loaded::of(&body);
        assert_eq!(warnings_of(&d.drawing), [(WarningKind::BadImage, 1, first)], "{href}");
        assert_eq!(d.drawing.elements.len(), 2, "{href}");
    }
}

#[test]
fn the_signature_of_an_image_decides_its_format() {
    let gif = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
    for mime in ["image/gif", "image/png", "text/plain"] {
        let body = format!(r#"<image id="i" width="9" height="9" href="data:{mime};base64,{gif}"/>"#);
        let d = Loaded::of(&body);
        assert_eq!(warnings_of(&d.drawing), [], "{mime}");
        assert_eq!(d.leaf("i").x1, 9.0, "{mime}");
    }
}

#[test]
fn cycles_of_images_end_with_a_warning() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let with_image = |image: &str| {
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="5" height="5"/>
               <image width="9" height="9" href="{image}"/></svg>"#
        )
    };
    for (name, image) in [("self.svg", "self.svg"), ("one.svg", "two.svg"), ("two.svg", "one.svg")] {
        std::fs::write(folder.path().join(name), with_image(image)).expect("a file can be written");
    }
    for (name, first) in [("self.svg", "self.svg"), ("one.svg", "one.svg")] {
        let drawing = load_file(&folder.path().join(name), &options()).expect("it is a drawing");
        assert_eq!(warnings_of(&drawing), [(WarningKind::NestedImage, 1, first)]);
        assert_eq!(
            drawing.elements.len(),
            6,
            "the rectangle, and once its copy in the image, inside of its viewport"
        );
    }
    std::fs::write(folder.path().join("text.svg"), "no drawing").expect("a file can be written");
    let options = Options { resources_dir: Some(folder.path().to_owned()), ..options() };
    let drawing = load(with_image("text.svg").as_bytes(), &options).expect("it is a drawing");
    assert_eq!(warnings_of(&drawing), [(WarningKind::BadImage, 1, "text.svg")]);
}

#[test]
fn nested_svg_images_are_bounded() {
    // Each image contains the one before twice, as data: 2^6 rectangles, six levels deep.
    let mut nested = "%3Crect width='9' height='9'/%3E".to_owned();
    for _ in 0..6 {
        let svg =
            format!("%3Csvg xmlns='http://www.w3.org/2000/svg' width='9' height='9'%3E{nested}%3C/svg%3E");
        let href = format!("data:image/svg+xml,{}", svg.replace('%', "%25").replace('\'', "%27"));
        let image = format!("%3Cimage width='9' height='9' href='{href}'/%3E");
        nested = image.repeat(2);
    }
    let body = nested.replace("%3C", "<").replace("%3E", ">");
    let d = Loaded::of(&body);
    assert!(d.drawing.elements.len() < 1_000, "{} elements", d.drawing.elements.len());
}

#[test]
fn strokes_with_too_many_dashes_together_are_solid() {
    let stroke =
        |id: &str, n: u32| format!(r#"<path id="{id}" d="M.5 50h{n}" stroke="red" stroke-dasharray="1 1"/>"#);
    // Dashes and gaps count. The stroke in the mask counts for each use of the mask.
    let body = |n_strokes: usize, n_masked: usize| {
        let strokes: String = (0..n_strokes).map(|i| stroke(&format!("s{i}"), 90_000)).collect();
        let masked = "<path d='M0 0h90v90z' mask='url(#m)'/>".repeat(n_masked);
        let mask = format!(
            r#"<mask id="m" maskUnits="userSpaceOnUse" width="99" height="99">{}</mask>"#,
            stroke("masking", 50_000)
        );
        format!("{mask}{strokes}{masked}{}", stroke("last", 40_000))
    };
    assert_warns(&body(10, 1), &[]);
    assert_warns(&body(10, 2), &[(WarningKind::ManyDashes, 1, "last")]);
    let beyond = body(12, 0);
    assert_warns(&beyond, &[(WarningKind::ManyDashes, 2, "s11")]);
    let d = Loaded::of(&beyond);
    let right = |name: &str| d.leaf(name).x1;
    // A dashed stroke ends with a gap.
    assert_eq!([right("s10"), right("s11"), right("last")], [89_999.5, 90_000.5, 40_000.5]);
}

#[test]
fn strokes_that_are_not_expanded_leave_the_dashes_to_others() {
    // Each of them would have as many dashes as one stroke may have.
    let beyond = r#"<path d="M0 0H2e9" stroke="red" stroke-dasharray="2e4"/>"#.repeat(10);
    let body = format!(r#"{beyond}<path id="last" d="M0 50H10" stroke="red" stroke-dasharray="6"/>"#);
    assert_warns(&body, &[(WarningKind::HugeStroke, 10, "/svg/path[1]")]);
    assert_eq!(Loaded::of(&body).leaf("last").x1, 6.0);
}

#[test]
fn a_stroke_of_too_many_dashes_is_solid() {
    let body = r#"<path id="p" d="M0 50H4e7" stroke="red" stroke-width="2" stroke-dasharray="1"/>"#;
    assert_warns(body, &[(WarningKind::ManyDashes, 1, "p")]);
    let d = Loaded::of(body);
    assert_eq!(d.leaf("p").x1, 4e7);
    let on_the_cpu = Shown { boxes: false, picture: Some(Drawn::Tree) };
    let message = d.drawing.warnings[0].message(on_the_cpu).expect("resvg does not draw it");
    assert!(message.contains("missing in the picture"), "{message}");
    let mut picture = vec![0; 4 * 100 * 100];
    let drawn = d.drawing.draw_tree(&mut picture, [100; 2], Affine::IDENTITY, &Deadline::default());
    drawn.expect("it is quick to draw");
    assert!(picture.iter().all(|byte| *byte == 0), "resvg draws it, so the warning is wrong");
}

#[test]
fn clipped_miters_have_a_warning() {
    let stroke = r#"fill="none" stroke="red" stroke-width="10" stroke-linejoin="miter-clip" d="M50 150 L150 140 L50 130""#;
    let body = format!(r#"<path id="cut" {stroke}/><path id="whole" stroke-miterlimit="40" {stroke}/>"#);
    assert_warns(&body, &[(WarningKind::ClippedMiters, 1, "cut")]);
}

#[test]
fn elements_from_an_entity_are_like_others() {
    let d = |element: &str| {
        Loaded::whole(
            format!(
                "<!DOCTYPE svg [<!ENTITY e \"{element}\">]><svg xmlns='http://www.w3.org/2000/svg' width='99'
                height='99'><style>.wide {{ width: 50px }} .moved + .moved {{ translate: 9px }}</style>&e;&e;</svg>"
            )
            .as_bytes(),
        )
    };
    for (element, expected) in [
        ("<rect class='wide' height='9'/>", [[0.0, 0.0, 50.0, 9.0]; 2]),
        ("<rect class='moved' width='9' height='9'/>", [[0.0, 0.0, 9.0, 9.0], [9.0, 0.0, 18.0, 9.0]]),
        ("<rect height='9' width='1in' style='width:9px'/>", [[0.0, 0.0, 9.0, 9.0]; 2]),
    ] {
        let d = d(element);
        assert_eq!(warnings_of(&d.drawing), [], "{element}");
        let boxes: Vec<_> =
            d.drawing.elements.boxes()[1..3].iter().map(|b| [b.x0, b.y0, b.x1, b.y1]).collect();
        assert_eq!(boxes, expected, "{element}");
    }
}

#[test]
fn copies_of_effects_for_elements_with_markers_have_a_maximum_size() {
    let marked = |n: usize| {
        let (text, path) = ("-a".repeat(500_000), "<path d='M9 9H99V99' mask='url(#m)'/>");
        Loaded::of(&format!(
            "<marker id='k' markerWidth='3' markerHeight='3'><rect width='3' height='3'/></marker>
            <mask id='m'><desc>{text}</desc><rect width='99' height='99' fill='white'/></mask>
            <g marker-end='url(#k)' id='g'>{}</g>",
            path.repeat(n)
        ))
    };
    assert_eq!(warnings_of(&marked(16).drawing), []);
    let warnings = marked(19).drawing.warnings;
    let [warning] = &warnings[..] else { panic!("{warnings:?}") };
    assert_eq!((warning.kind, warning.count), (WarningKind::CopiedEffect, 3));
}

#[test]
fn paths_of_motions_that_are_not_data_have_a_warning() {
    for path in ["circle(50px at 10px 10px)", "url(#b)", "ray(45deg)", "border-box"] {
        let d = Loaded::of(&format!(
            "<path id='b' d='M1 1H9'/><rect id='a' width='9' height='9' style='offset-path:{path}'/>"
        ));
        let [warning] = &d.drawing.warnings[..] else { panic!("{path}: {:?}", d.drawing.warnings) };
        assert!(warning.first.contains("offset-path"), "{warning:?}");
        assert_near(d.leaf("a"), [0.0, 0.0, 9.0, 9.0]);
    }
    let moved = Loaded::of(
        "<style>rect { offset: path('M50 50H150') 50% 0deg }</style><rect id='a' width='20' height='20'/>",
    );
    assert_eq!(moved.drawing.warnings, []);
    assert_near(moved.leaf("a"), [100.0, 50.0, 120.0, 70.0]);
    assert_eq!(moved.ink_at_4(), [100.0, 50.0, 120.0, 70.0]);
}
