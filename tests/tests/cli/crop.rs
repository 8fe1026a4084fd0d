//! `boxwood crop`: drawings without the empty space around them.

use std::fs;

use insta::assert_snapshot;
use serde_json::Value;

use crate::run::{Folder, Run, SMALL};

/// The start tag of `SMALL`.
const SMALL_TAG: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" width="100" height="80">"#;

/// A drawing with these attributes of its root and a rectangle from 10, 20 to 40, 30.
fn drawing(attributes: &str) -> String {
    with_contents(attributes, r#"<rect x="10" y="20" width="30" height="10"/>"#)
}

fn with_contents(attributes: &str, contents: &str) -> String {
    format!(r#"<svg xmlns="http://www.w3.org/2000/svg" {attributes}>{contents}</svg>"#)
}

/// Crops a drawing from standard input to standard output.
fn crop(drawing: &str, more: &[&str]) -> Run {
    Folder::new().run_with_input(&[&["crop", "-", "-o", "-"], more].concat(), drawing.as_bytes())
}

/// The attributes of the root of a cropped drawing. The rest of it is unchanged, and a second crop
/// changes nothing.
fn cropped(drawing: &str, more: &[&str]) -> String {
    let run = crop(drawing, more);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{drawing}");
    let parts = |text: &str| {
        let (start, contents) = text.split_once('>').expect("a root has a start tag");
        (start.to_owned(), contents.to_owned())
    };
    assert_eq!(parts(run.text()).1, parts(drawing).1);
    assert_eq!(crop(run.text(), more).text(), run.text(), "{drawing}");
    let start = parts(run.text()).0;
    start.strip_prefix(r#"<svg xmlns="http://www.w3.org/2000/svg" "#).expect("it has a namespace").to_owned()
}

/// The message about a drawing that cannot be cropped.
fn refused(drawing: &str, more: &[&str]) -> String {
    let run = crop(drawing, more);
    assert_eq!((run.code, run.text()), (2, ""), "{drawing}");
    run.stderr.strip_prefix("boxwood: error: cannot crop -: ").expect("it is an error").trim_end().to_owned()
}

/// The edges of the clipped boxes of a drawing.
fn boxes(folder: &Folder, file: &str) -> Vec<[f64; 4]> {
    let run = folder.run(&["query", file, "--kind", "clipped", "--format", "json"]);
    let document: Value = serde_json::from_slice(&run.stdout).expect("it is JSON");
    let rows = document["files"][0]["rows"].as_array().expect("a list");
    let edges = rows.iter().filter(|row| !row["box"].is_null());
    edges.map(|row| [0, 1, 2, 3].map(|edge| row["box"][edge].as_f64().expect("an edge"))).collect()
}

#[test]
fn the_canvas_is_the_ink_and_every_box_is_shifted() {
    let folder = Folder::with_small();
    let run = folder.run(&["crop", "small.svg", "-o", "cropped.svg"]);
    assert_eq!(run.whole(), "exit 0\n--- stdout\n--- stderr\n");
    let text = fs::read_to_string(folder.path().join("cropped.svg")).expect("it was written");
    let tag =
        SMALL_TAG.replace(r#"width="100" height="80""#, r#"width="80" height="40" viewBox="10 10 80 40""#);
    assert_eq!(text, SMALL.replace(SMALL_TAG, &tag));
    let shifted: Vec<_> =
        boxes(&folder, "small.svg").iter().map(|edges| edges.map(|edge| edge - 10.0)).collect();
    assert_eq!(boxes(&folder, "cropped.svg"), shifted);
}

#[test]
fn sizes_keep_their_units() {
    for (attributes, expected) in [
        (r#"width="100" height="50""#, r#"width="30" height="10" viewBox="10 20 30 10""#),
        ("height='5cm' width='10cm' viewBox='0 0 100 50'", "height='1cm' width='3cm' viewBox='10 20 30 10'"),
        (r#"viewBox="0 0 100 50""#, r#"viewBox="10 20 30 10""#),
        (r#"viewBox="0 0 100 50" width="2in""#, r#"viewBox="10 20 30 10" width="0.6in""#),
        (
            r#"viewBox="0 0 100 50" width="100%" height="100%""#,
            r#"viewBox="10 20 30 10" width="100%" height="100%""#,
        ),
        (r#"width="50%" height="50%""#, r#"width="50%" height="50%" viewBox="10 20 30 10""#),
        (r#"id="a""#, r#"id="a" width="30" height="10" viewBox="10 20 30 10""#),
        (r#"viewBox="wrong" width="60" height="60""#, r#"viewBox="10 20 30 10" width="30" height="10""#),
        // The view box is in the middle of a wider canvas, or is stretched, or is cut.
        (
            r#"width="200" height="50" viewBox="0 0 100 50""#,
            r#"width="30" height="10" viewBox="10 20 30 10""#,
        ),
        (
            r#"width="200" height="50" viewBox="0 0 100 50" preserveAspectRatio="none""#,
            r#"width="60" height="10" viewBox="10 20 30 10" preserveAspectRatio="none""#,
        ),
        (
            r#"width="200" height="50" viewBox="0 0 100 50" preserveAspectRatio="xMinYMin slice""#,
            r#"width="60" height="10" viewBox="10 20 30 5" preserveAspectRatio="xMinYMin slice""#,
        ),
    ] {
        assert_eq!(cropped(&drawing(attributes), &[]), expected, "{attributes}");
    }
}

#[test]
fn a_margin_is_around_the_ink() {
    let scaled = drawing(r#"width="200" height="100" viewBox="0 0 100 50""#);
    for (more, view_box) in [
        (&["--padding", "2"][..], "9 19 32 12"),
        (&["--padding", "2user"], "8 18 34 14"),
        (&["--padding", "25.4mm"], "-38 -28 126 106"),
        (&["--square"], "10 10 30 30"),
        (&["--square", "--padding", "2px"], "9 9 32 32"),
    ] {
        let tag = cropped(&scaled, more);
        assert!(tag.ends_with(&format!(r#"viewBox="{view_box}""#)), "{more:?}: {tag}");
    }
    let fractions = with_contents("id=''", r#"<circle cx="10" cy="10" r="3.123456"/>"#);
    assert_eq!(
        cropped(&fractions, &[]),
        r#"id='' width="6.247" height="6.247" viewBox="6.8765 6.8765 6.247 6.247""#
    );
}

#[test]
fn a_drawing_can_be_cropped_to_elements() {
    for more in [&["--id", "beside"][..], &["--select", "#beside"], &["--id", "/svg/rect[1]"]] {
        let run = crop(SMALL, more);
        assert!(run.text().contains(r#"width="30" height="20" viewBox="60 10 30 20""#), "{}", run.whole());
    }
    let messages =
        [&["--id", "none"][..], &["--select", ".x"], &["--id", "hole"]].map(|more| refused(SMALL, more));
    assert_snapshot!(messages.join("\n"), @"
    no element has the id or path `none`
    no element matches the selector `.x`
    what it is cropped to has no box: it is a <clipPath>, or in one, and is drawn only where something refers to it
    ");
}

#[test]
fn a_drawing_that_would_change_is_refused() {
    let wide = r#"width="100" height="50""#;
    let messages = [
        with_contents(wide, ""),
        with_contents(wide, r#"<rect x="200" width="9" height="9"/>"#),
        drawing(r#"width="100" height="50" transform="scale(2)""#),
        drawing(r#"width="100" height="50" style="width: 80px""#),
        drawing(r#"viewBox="0 0 100 50" width="100%" height="50""#),
        drawing(r#"width="100""#),
        format!(
            "<!DOCTYPE svg [<!ENTITY w '100'>]>{}",
            drawing(r#"width="&w;" height="50""#)
        ),
        with_contents(wide, r#"<rect id="half" x="10" width="50%" height="9"/>"#),
        with_contents(wide, r#"<svg x="10" y="5" viewBox="0 0 9 9"><rect width="9" height="9"/></svg>"#),
        with_contents(
            wide,
            r#"<linearGradient id="g" gradientUnits="userSpaceOnUse"><stop offset="1"/><stop offset="0.5" stop-color="red"/>
            </linearGradient><rect fill="url(#g)" x="10" width="9" height="9"/>"#,
        ),
    ]
    .map(|drawing| refused(&drawing, &[]));
    assert_snapshot!(messages.join("\n"), @"
    nothing is painted on its canvas
    nothing is painted on its canvas
    its root has a transform: put that on a group inside of the root
    its size is not set by the attributes of its root alone: look at its styles
    only one of the width and the height of its root is a percentage: use the same unit for both
    its root has only one of width and height: add the other one, or a viewBox
    the width of its root is `&w;`: write a number with a unit
    <rect> half (1:65) depends on the size of the canvas, as percentages do: use other units for it
    <rect> /svg/svg[1]/rect[1] (1:101) depends on the size of the canvas, as percentages do: use other units for it
    a gradient depends on the size of the canvas, as percentages do: use other units for it
    ");
    let outside = with_contents(wide, r#"<rect id="r" x="-5" y="10" width="20" height="9"/>"#);
    assert_snapshot!(refused(&outside, &["--padding", "2"]), @"the margin would show a part of <rect> r (1:65) that the canvas cuts off: use less padding, or no square");
    assert_eq!(cropped(&outside, &[]), r#"width="15" height="9" viewBox="0 10 15 9""#);
}

#[test]
fn the_rest_of_the_document_stays() {
    let prolog = "\u{feff}<?xml version=\"1.0\"?>\n<!-- <svg> -->\n<!DOCTYPE s:svg [<!ENTITY ns 'http://www.w3.org/2000/svg'> <!ENTITY c '<a>]>'>]>\n";
    let contents = "><s:rect x='1' y='1' width='5' height='5'/>\r\n</s:svg>\n<!-- end -->";
    let text = format!("{prolog}<s:svg xmlns:s='&ns;' s:lang='de'\n  width = '9' height='9' {contents}");
    let expected = format!(
        "{prolog}<s:svg xmlns:s='&ns;' s:lang='de'\n  width = '5' height='5' viewBox=\"1 1 5 5\" {contents}"
    );
    let run = crop(&text, &[]);
    assert_eq!((run.text(), run.stderr.as_str()), (expected.as_str(), ""));
    let mut latin = drawing(r#"width="100" height="50""#)
        .replace("<svg", "<?xml version='1.0' encoding='ISO-8859-1'?><svg")
        .into_bytes();
    latin.extend(b"<!-- \xe9 -->");
    let run = Folder::new().run_with_input(&["crop", "-", "-o", "-"], &latin);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert!(run.stdout.ends_with(b"<!-- \xe9 -->"));
}

#[cfg(unix)]
#[test]
fn a_file_is_replaced_in_place_only_if_it_changes() {
    use std::os::unix::fs::PermissionsExt;

    let folder = Folder::with_small().with("wrong.svg", with_contents("", "")).with("deep/b.svg", SMALL);
    let path = folder.path().join("small.svg");
    fs::set_permissions(&path, PermissionsExt::from_mode(0o640)).expect("the file is ours");
    let run = folder.run(&["crop", ".", "--in-place"]);
    assert_snapshot!(run.whole(), @"
    exit 2
    --- stdout
    --- stderr
    boxwood: error: cannot crop ./wrong.svg: nothing is painted on its canvas
    boxwood: note: 3 files, 16 elements, 1 failed, T s
    ");
    let [cropped, deep] =
        ["small.svg", "deep/b.svg"].map(|file| fs::read(folder.path().join(file)).expect("it is there"));
    assert!(cropped == deep && cropped != SMALL.as_bytes());
    let metadata = || path.metadata().expect("it is there");
    assert_eq!(metadata().permissions().mode() & 0o777, 0o640);
    let written = metadata().modified().expect("files have times");
    assert_eq!(folder.run(&["crop", "small.svg", "--in-place"]).code, 0);
    assert_eq!(metadata().modified().expect("files have times"), written);
    assert_eq!(folder.path().read_dir().expect("it can be listed").count(), 3, "there is no temporary file");
}

#[test]
fn drawings_keep_their_names_in_a_folder() {
    let folder = Folder::new().with("in/a.svg", SMALL).with("in/deep/b.svg", SMALL);
    let run = folder.run(&["crop", "in", "-o", "out", "--quiet"]);
    assert_eq!(run.whole(), "exit 0\n--- stdout\n--- stderr\n");
    for file in ["out/a.svg", "out/deep/b.svg"] {
        let text = fs::read_to_string(folder.path().join(file)).expect("it was written");
        assert!(text.contains(r#"viewBox="10 10 80 40""#), "{file}");
    }
    assert_eq!(folder.run(&["crop", "in/a.svg", "-o", "new/", "--quiet"]).code, 0);
    assert!(folder.path().join("new/a.svg").is_file());
    let refused = [
        folder.run(&["crop", "in/a.svg", "-o", "in/a.svg"]),
        folder.run(&["crop", "in/a.svg", "-o", "in"]),
        folder.run(&["crop", "in", "-o", "-"]),
        folder.run(&["crop", "in/a.svg", "-o", "a.png"]),
        folder.run(&["crop", "-", "--in-place"]),
    ];
    assert!(refused.iter().all(|run| run.code == 2));
    assert_snapshot!(refused.map(|run| run.stderr).concat(), @"
    boxwood: error: cannot write in/a.svg: this command already reads or writes that file: name another one
    boxwood: error: cannot write in/a.svg: this command already reads that file: name another folder
    boxwood: error: cannot read in: it is a directory, and -o names one file: name a folder with -o
    boxwood: error: cannot write a.png: the name of this output must end in .svg
    boxwood: error: --in-place is for files: write standard input to a file with -o
    ");
}

#[test]
fn a_compressed_drawing_stays_compressed() {
    let folder = Folder::with_small();
    let run = folder.run(&["crop", "small.svg", "-o", "a.svgz"]);
    assert_eq!(run.whole(), "exit 0\n--- stdout\n--- stderr\n");
    let read = |file: &str| fs::read(folder.path().join(file)).expect("it is there");
    assert!(read("a.svgz").starts_with(b"\x1f\x8b"));
    assert_eq!(folder.run(&["crop", "a.svgz", "-o", "a.svg"]).code, 0);
    assert_eq!(folder.run(&["crop", "small.svg", "-o", "b.svg"]).code, 0);
    assert_eq!(read("a.svg"), read("b.svg"));
    assert_eq!(folder.run(&["crop", "a.svgz", "--in-place", "--id", "beside"]).code, 0);
    assert!(read("a.svgz").starts_with(b"\x1f\x8b"));
    let size = folder.run(&["query", "a.svgz", "--quiet"]);
    assert!(size.text().starts_with("a.svgz: 30 × 20 px"), "{}", size.text());
}

#[test]
fn a_foreign_object_is_not_cropped_away() {
    let contents = r#"<foreignObject width="90" height="40"><p xmlns="http://www.w3.org/1999/xhtml">A</p></foreignObject>
        <rect id="r" x="10" width="9" height="9"/>"#;
    let drawing = with_contents(r#"width="100" height="50""#, contents);
    let run = crop(&drawing, &[]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("what a <foreignObject> paints is not known here"), "{}", run.stderr);
    assert_eq!(crop(&drawing, &["--id", "r"]).code, 0, "what to crop to is named");
}

#[test]
fn the_view_of_a_map_has_few_digits() {
    let map = with_contents(
        r#"viewBox="1489000 -6895000 2000 2000""#,
        r#"<path d="M1489100.3 -6894900.4h1800.2v1802.1z"/>"#,
    );
    assert_eq!(cropped(&map, &[]), r#"viewBox="1489100.3 -6894900.4 1800.2 1802.1""#);
}

#[test]
fn a_style_that_depends_on_the_canvas_is_an_error() {
    let drawing = |rule: &str| {
        let contents = format!(r#"<style>{rule}</style><rect id="r" x="10" width="9" height="9"/>"#);
        with_contents(r#"width="100" height="50""#, &contents)
    };
    let run = crop(&drawing("@media (min-width: 50px) { rect { fill: red } }"), &[]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("the style of r depends on the size of the canvas"), "{}", run.stderr);
    assert_eq!(crop(&drawing("@media (min-width: 5px) { rect { fill: red } }"), &[]).code, 0);
}

#[test]
fn a_drawing_that_moves_is_cropped_with_a_warning() {
    let drawing = |inside: &str| {
        let contents = format!(r#"<rect x="10" width="9" height="9">{inside}</rect>"#);
        with_contents(r#"width="100" height="50""#, &contents)
    };
    let run = crop(&drawing(r#"<animate attributeName="x" to="80" dur="1s"/>"#), &[]);
    assert_eq!(run.code, 0);
    assert!(run.stderr.contains("has animations: the canvas is right for"), "{}", run.stderr);
    assert_eq!(crop(&drawing(""), &[]).stderr, "");
}
