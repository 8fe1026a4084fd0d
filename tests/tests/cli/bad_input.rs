//! Invalid input: the command prints an error that names the file, or draws what SVG prescribes.

use std::fmt::Write;

use crate::run::{Folder, Run, end_of};

fn query(contents: impl AsRef<[u8]>) -> Run {
    let args = ["query", "bad.svg", "--format", "csv", "--backend", "cpu", "--no-system-fonts"];
    Folder::new().with("bad.svg", contents).run(&args)
}

/// The reason why a drawing is refused.
fn refusal(contents: impl AsRef<[u8]>) -> String {
    let run = query(contents);
    assert_eq!(run.code, 2, "{}", run.whole());
    let lines: Vec<_> = run.stderr.lines().collect();
    assert_eq!(lines.len(), 1, "{lines:?}");
    let reason = lines[0].strip_prefix("boxwood: error: cannot load bad.svg: ");
    reason.unwrap_or_else(|| panic!("not an error in bad.svg: {}", lines[0])).to_owned()
}

/// The name, the kind and the edges of each box of a drawing that is accepted.
fn rows(contents: impl AsRef<[u8]>) -> Vec<String> {
    let run = query(contents);
    assert_eq!(run.code, 0, "{}", run.whole());
    run.columns(&["name", "kind", "x0", "y0", "x1", "y1"])
}

/// The edges of the box of this kind that an element has.
fn row(rows: &[String], name: &str, kind: &str) -> String {
    let start = format!("{name},{kind},");
    let row = rows.iter().find_map(|row| row.strip_prefix(&start));
    row.unwrap_or_else(|| panic!("no {kind} of {name} in {rows:?}")).to_owned()
}

fn svg(contents: &str) -> String {
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
                 width="100" height="100">{contents}<rect id="good" x="1" y="2" width="3" height="4"/></svg>"##
    )
}

#[test]
fn files_in_other_formats_are_refused() {
    let messages: Vec<_> = [
        b"".as_slice(),
        b"   \n",
        b"hello\n",
        b"<html><body/></html>",
        b"<svg xmlns='http://www.w3.org/2000/svg'><g></svg>",
        b"<svg xmlns='http://www.w3.org/2000/svg'><g>",
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        b"%PDF-1.7\n",
        b"<svg xmlns='http://www.w3.org/2000/svg'>\xff\xfe</svg>",
    ]
    .into_iter()
    .map(refusal)
    .collect();
    insta::assert_snapshot!(messages.join("\n"), @"
    the input is empty
    the input is empty
    the text is not well-formed XML: unknown token at 1:1
    the root element is <html>, not <svg>
    the text is not well-formed XML: expected 'g' tag, not 'svg' at 1:44
    the text is not well-formed XML: the root node was opened but never closed at 1:44, where the text ends
    this is a PNG image, not an SVG drawing
    this is a PDF document, not an SVG drawing
    the text is not UTF-8 (first invalid byte at offset 40): save the file as UTF-8
    ");
}

/// A rectangle `r` of 5 × 5 px, as SVGZ.
const SVGZ: &[u8] = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xb3\x29\x2e\
    \x4b\x57\xa8\xc8\xcd\xc9\x2b\xb6\x55\xcf\x28\x29\x29\
    \xb0\xd2\xd7\x2f\x2f\x2f\xd7\x2b\x37\xd6\xcb\x2f\x4a\
    \xd7\x37\x32\x30\x30\xd0\x07\xaa\x50\x57\x28\xcf\x4c\
    \x29\xc9\xb0\x55\xb7\x54\x57\xc8\x48\xcd\x4c\xcf\x28\
    \x01\x31\xed\x6c\x8a\x52\x93\x4b\x14\x32\x53\x6c\xd5\
    \x8b\xe0\x2a\x4c\x11\x2a\x4c\xd5\xf5\xed\x6c\x40\xda\
    \xed\x00\xd1\xe7\xab\x2c\x66\x00\x00\x00";

#[test]
fn truncated_svgz_is_refused() {
    assert_eq!(row(&rows(SVGZ), "r", "clipped"), "0,0,5,5");
    for length in 2..SVGZ.len() {
        // Every part of the format, and every length of the checksum at its end.
        if length % 9 == 0 || length < 12 || length + 9 > SVGZ.len() {
            let message = refusal(&SVGZ[..length]);
            assert!(message.contains("SVGZ"), "{length}: {message}");
        }
    }
}

#[test]
fn a_drawing_without_area_is_refused() {
    for attributes in [
        "width='0' height='10'",
        "width='-1' height='5'",
        "width='0%' height='5'",
        "width='1e39' height='1'",
        "viewBox='0 0 0 10'",
        "viewBox='0 0 10 0' width='5' height='5'",
    ] {
        let document =
            format!("<svg xmlns='http://www.w3.org/2000/svg' {attributes}><path d='M0 0h1v1z'/></svg>");
        let message = refusal(document);
        assert!(message.contains("must be positive"), "{attributes}: {message}");
    }
}

#[test]
fn far_coordinates_are_clipped() {
    let rows = rows(svg(r#"<rect id="far" x="4e7" y="-4e7" width="10" height="10"/>
        <path id="wide" d="M -4e7 0 L 4e7 0 L 4e7 5 z" stroke="red" stroke-width="3" stroke-dasharray="1 1"/>"#));
    assert_eq!(row(&rows, "far", "clipped"), ",,,");
    assert!(row(&rows, "wide", "clipped").starts_with("0,0,100,"), "{rows:?}");
    assert_eq!(row(&rows, "good", "clipped"), "1,2,4,6");
}

#[test]
fn invalid_numbers_give_no_invalid_boxes() {
    for value in ["NaN", "Infinity", "-inf", "1e400", "1e39", "-1e39", "1e-400", "0x10", ""] {
        let run = query(svg(&format!(
            r#"<rect id="a" x="{value}" y="{value}" width="{value}" height="5"/>
               <path id="b" d="M 0 0 L {value} {value} L 5 5 z"/>
               <g transform="translate({value})"><circle id="c" r="5"/></g>
               <g transform="matrix(0 0 0 0 0 0)"><circle id="d" r="{value}"/></g>
               <path id="e" d="M0 0h9v9z" stroke="red" stroke-width="{value}"/>"#
        )));
        assert_eq!(run.code, 0, "{value}: {}", run.whole());
        let kinds = run.columns(&["name", "kind"]);
        assert!(kinds.contains(&"good,leaf".to_owned()), "{value}: {}", run.whole());
        assert!(!run.text().contains("NaN") && !run.text().contains("inf"), "{value}: {}", run.whole());
    }
}

#[test]
fn cyclic_and_empty_clip_paths_follow_svg() {
    let rows = rows(svg(r##"
        <clipPath id="one" clip-path="url(#two)"><rect width="5" height="5"/></clipPath>
        <clipPath id="two" clip-path="url(#one)"><rect width="5" height="5"/></clipPath>
        <rect id="cyclic" width="9" height="9" clip-path="url(#one)"/>
        <clipPath id="self" clip-path="url(#self)"><rect width="5" height="5"/></clipPath>
        <rect id="selfish" width="9" height="9" clip-path="url(#self)"/>
        <clipPath id="empty"/>
        <rect id="hidden" width="9" height="9" clip-path="url(#empty)"/>"##));
    assert_eq!(row(&rows, "good", "clipped"), "1,2,4,6");
    assert_eq!(row(&rows, "hidden", "leaf"), "0,0,9,9");
    assert_eq!(row(&rows, "hidden", "clipped"), ",,,");
}

#[test]
fn deep_nesting_is_refused_at_the_limit() {
    let depth = 100_000;
    let message = refusal(svg(&["<g>".repeat(depth), "</g>".repeat(depth)].concat()));
    assert!(message.contains("has at least 100000 levels") && message.contains("limit is 1024"), "{message}");
    let layers = [r#"<g opacity="0.9">"#.repeat(300), "<path d='M0 0h9v9z'/>".repeat(2), "</g>".repeat(300)];
    let rows = rows(svg(&layers.concat()));
    assert_eq!(row(&rows, "good", "clipped"), "1,2,4,6");
}

#[test]
fn missing_and_broken_images_are_warnings() {
    let run = query(svg(r#"<image id="i" xlink:href="missing.png" width="9" height="9"/>
        <image id="j" href="data:image/png;base64,iVBORw0KGgo=" width="9" height="9"/>
        <image id="k" href="data:image/png;base64,???" width="9" height="9"/>
        <image id="l" href="bad.svg" width="9" height="9"/>"#));
    assert_eq!(run.code, 0, "{}", run.whole());
    assert!(run.columns(&["name", "kind"]).contains(&"good,clipped".to_owned()), "{}", run.whole());
    assert!(run.stderr.lines().all(|line| line.starts_with("boxwood: warning: bad.svg: ")), "{}", run.stderr);
    for warning in [
        "an image that cannot be found counts only in object boxes (first at missing.png)",
        "an image that cannot be decoded counts only in object boxes (4 times, first at k)",
        "an image in another file, inside of an SVG image, is left out (2 times, first at missing.png)",
    ] {
        assert!(run.stderr.contains(warning), "no {warning} in {}", run.stderr);
    }
}

#[test]
fn exponentially_many_uses_are_refused() {
    let mut contents = r#"<g id="g0"><rect width="1" height="1"/></g>"#.to_owned();
    for level in 1..40 {
        let below = level - 1;
        write!(contents, r##"<g id="g{level}"><use href="#g{below}"/><use href="#g{below}"/></g>"##)
            .expect("a string takes everything");
    }
    let message = refusal(svg(&contents));
    assert!(message.contains("limit is 1000000"), "{message}");
}

#[test]
fn a_huge_tile_of_a_pattern_has_a_box_and_no_picture() {
    // The visible part of the outer tile is small, but the inner pattern needs its whole tile.
    let contents = "<pattern id='outer' patternUnits='userSpaceOnUse' width='1e6' height='1e6'>
        <rect width='5' height='5' fill='url(#inner)'/></pattern>
        <pattern id='inner' patternUnits='userSpaceOnUse' width='1e6' height='1e6'><rect width='5' height='5'/></pattern>
        <rect id='patterned' width='50' height='50' fill='url(#outer)'/>";
    let document = svg(contents);
    assert_eq!(row(&rows(&document), "patterned", "clipped"), "0,0,50,50");
    let folder = Folder::new().with("bad.svg", &document);
    for backend in ["cpu", "gpu"] {
        let run = folder.run(&["render", "bad.svg", "-o", "out.png", "--backend", backend]);
        assert_eq!(run.code, 2, "{}", run.whole());
        assert!(run.stderr.contains("the limit is 67108864: use a smaller zoom or tile"), "{}", run.stderr);
        assert!(!folder.path().join("out.png").exists());
    }
}

#[test]
fn a_panic_of_usvg_or_resvg_is_an_error_of_one_line() {
    let filter = "<filter id='f'><feOffset/></filter>";
    let message =
        refusal(svg(&format!("{filter}<g filter='url(#f)'><path d='M0 0L3.4e38 9' stroke='red'/></g>")));
    assert!(message.starts_with("usvg crashed on the drawing: "), "{message}");
    let filtered = svg(&format!("{filter}<rect width='9' height='9' filter='url(#f)'/><circle r='1e30'/>"));
    let folder = Folder::new().with("bad.svg", filtered);
    let run = folder.run(&["render", "bad.svg", "-o", "out.png", "--backend", "cpu", "--no-system-fonts"]);
    assert_eq!((run.code, run.stderr.lines().count()), (2, 1), "{}", run.whole());
    let message = "boxwood: error: cannot draw bad.svg: resvg crashed on the drawing: ";
    assert!(run.stderr.starts_with(message), "{}", run.stderr);
    assert!(!folder.path().join("out.png").exists());
}

#[test]
fn a_cycle_of_references_is_left_out_and_too_many_references_are_refused() {
    let pattern = |level: usize, next: usize, n: usize| {
        let rect = format!(r##"<rect width="5" height="5" fill="url(#p{next})"/>"##).repeat(n);
        format!(
            r#"<pattern id="p{level}" width="9" height="9" patternUnits="userSpaceOnUse">{rect}</pattern>"#
        )
    };
    let painted = r##"<rect width="50" height="50" fill="url(#p0)"/>"##;
    let cycle: String = (0..3).map(|level| pattern(level, (level + 1) % 3, 1)).collect();
    let run = query(svg(&(cycle + painted)));
    assert_eq!(run.code, 0, "{}", run.whole());
    assert!(
        run.stderr.contains("refers to itself") && run.text().contains("bad.svg,good,"),
        "{}",
        run.whole()
    );
    // 10^12 rectangles.
    let bomb: String = (0..12).map(|level| pattern(level, level + 1, 10)).collect();
    let last = r#"<pattern id="p12" width="9" height="9"><rect width="5" height="5"/></pattern>"#;
    let message = refusal(svg(&[&bomb, last, painted].concat()));
    assert!(message.contains("limit is 1000000"), "{message}");
}

#[test]
fn unreadable_files_are_errors_that_name_them() {
    let folder = Folder::new().with("folder/readme.txt", "");
    for name in ["missing.svg", "folder"] {
        let run = folder.run(&["query", name]);
        assert_eq!(run.code, 2);
        assert!(run.stderr.starts_with("boxwood: error: ") && run.stderr.contains(name), "{}", run.stderr);
    }
    let run = folder.run(&["render", "folder", "-o", "out.png"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.starts_with("boxwood: error: cannot read folder: "), "{}", run.stderr);
    let run = folder.run_with_input(&["query", "-"], b"");
    assert_eq!(run.code, 2);
    assert_eq!(run.stderr, "boxwood: error: cannot load standard input: the input is empty\n");
}

#[test]
fn loading_ends_at_the_requested_time_limit() {
    // Loading this takes some milliseconds.
    let folder = Folder::new().with("large.svg", svg(&"<path d='M0 0h9v9z'/>".repeat(10_000)));
    let run = |limit| folder.run(&["query", "large.svg", "--backend", "cpu", "--time-limit", limit]);
    let short = run("1e-6");
    assert_eq!(short.code, 2, "{}", short.whole());
    assert_eq!(
        short.stderr,
        "boxwood: error: cannot load large.svg: loading took more than 0.000001 s, the time limit: raise it (the command has \
         --time-limit), or simplify the drawing\n"
    );
    assert_eq!(run("1e9").code, 0);
    for invalid in ["0", "-1", "nan", "inf", "1e99", "1e-99", "soon", ""] {
        let run = run(invalid);
        assert_eq!(run.code, 2, "{invalid}: {}", run.whole());
        assert!(run.stderr.contains("it must be a positive number of seconds"), "{invalid}: {}", run.stderr);
    }
}

#[test]
fn an_unreadable_font_folder_is_reported_once() {
    let folder = Folder::with_small().with("again.svg", "");
    for (dir, args) in [
        ("missing", ["query", "small.svg", "again.svg", "--backend", "cpu"]),
        ("small.svg", ["render", "small.svg", "-o", "out.png", "--legend=none"]),
        ("missing", ["view", "small.svg", "again.svg", "--overlay", "all"]),
    ] {
        let run = folder.run(&[args.as_slice(), &["--font-dir", dir]].concat());
        assert_eq!((run.code, run.stderr.lines().count()), (2, 1), "{}", run.whole());
        let expected = format!("boxwood: error: cannot list the font folder {dir}: ");
        assert!(run.stderr.starts_with(&expected), "{}", run.stderr);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn endless_input_is_refused_with_the_limit() {
    let folder = Folder::new();
    let zeros = std::fs::File::open("/dev/zero").expect("every Linux has it");
    let from_stdin = end_of(folder.command(&["query", "-"]).stdin(zeros));
    let from_file = folder.run(&["query", "/dev/zero"]);
    for (run, name) in [(from_stdin, "standard input"), (from_file, "/dev/zero")] {
        assert_eq!(run.code, 2);
        assert!(
            run.stderr.contains(name) && run.stderr.contains(" bytes, the limit is 536870912"),
            "{}",
            run.stderr
        );
    }
}

#[test]
fn a_prefix_without_a_namespace_has_a_hint() {
    let drawing =
        |prefix: &str| format!(r#"<svg xmlns="http://www.w3.org/2000/svg"><g {prefix}:a="1"/></svg>"#);
    let folder = Folder::new().with("a.svg", drawing("xlink")).with("b.svg", drawing("mine"));
    let run = folder.run(&["query", "a.svg", "b.svg", "--quiet", "--format", "csv"]);
    let crop = folder.run(&["crop", "a.svg", "-o", "-"]);
    insta::assert_snapshot!(run.stderr + &crop.stderr, @r#"
    boxwood: error: cannot load a.svg: the text is not well-formed XML: an unknown namespace prefix 'xlink' at 1:44: add xmlns:xlink="http://www.w3.org/1999/xlink" to the root
    boxwood: error: cannot load b.svg: the text is not well-formed XML: an unknown namespace prefix 'mine' at 1:44: add xmlns:mine="..." to the root
    boxwood: error: cannot crop a.svg: the text is not well-formed XML: an unknown namespace prefix 'xlink' at 1:44: add xmlns:xlink="http://www.w3.org/1999/xlink" to the root
    "#);
}
