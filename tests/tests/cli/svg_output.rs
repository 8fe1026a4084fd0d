//! `boxwood query --format svg`: the drawing with its boxes.

use insta::assert_snapshot;

use crate::run::{Folder, SMALL};

/// The text that is printed for a drawing.
fn with_boxes(svg: &str, more: &[&str]) -> String {
    let folder = Folder::new().with("a.svg", svg);
    let run = folder.run(&[&["query", "a.svg", "--backend", "cpu", "--format", "svg"], more].concat());
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    run.text().to_owned()
}

#[test]
fn the_boxes_are_the_last_group_of_the_drawing() {
    let svg = r#"<?xml version="1.0" encoding="ISO-8859-1"?>
<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">
  <rect id="a&amp;b" width="30" height="2.5"/>
</svg>
<!-- the end -->
"#;
    assert_snapshot!(with_boxes(svg, &["--kind", "leaf,clipped", "--id", "a&b"]), @r##"
    <?xml version="1.0" encoding="UTF-8"?>
    <svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">
      <rect id="a&amp;b" width="30" height="2.5"/>
    <g id="boxwood-overlay" xmlns="http://www.w3.org/2000/svg" style="visibility:visible;stroke-opacity:1;stroke-dasharray:none;stroke-linecap:butt;stroke-linejoin:miter;marker:none;display:inline;opacity:1;filter:none;clip-path:none;mask:none">
      <rect x="0" y="0" width="9" height="2.5" data-name="a&amp;b" data-kind="clipped" style="fill:none;stroke:#0072b2;stroke-width:1;vector-effect:non-scaling-stroke;transform:none;display:inline;opacity:1;filter:none;clip-path:none;mask:none"><title>a&amp;b: clipped</title></rect>
      <rect x="0" y="0" width="30" height="2.5" data-name="a&amp;b" data-kind="leaf" style="fill:none;stroke:#cc79a7;stroke-width:1;stroke-dasharray:1 2;vector-effect:non-scaling-stroke;transform:none;display:inline;opacity:1;filter:none;clip-path:none;mask:none"><title>a&amp;b: leaf</title></rect>
    </g>
    </svg>
    <!-- the end -->
    "##);
}

/// Boxes of an element with an area and of a line, which a `<rect>` would not show.
#[test]
fn the_boxes_are_at_their_places_when_the_result_is_loaded() {
    let contents = r#"<s:style>rect { fill: red; stroke-width: 9 }</s:style>
        <s:rect id="r" x="12" y="7" width="20" height="9"/><s:path id="line" d="M3 20H33"/>"#;
    for attributes in [
        r#"width="100" height="80""#,
        r#"width="100" height="80" viewBox="3 5 40 20""#,
        r#"width="3cm" height="80" viewBox="3 5 40 20" preserveAspectRatio="xMaxYMin slice""#,
        r#"viewBox="0 0 40 30" preserveAspectRatio="none" width="100" height="200""#,
        r#"viewBox="0 0 40 30" transform="rotate(20)" visibility="hidden""#,
    ] {
        let svg = format!(r#"<s:svg xmlns:s="http://www.w3.org/2000/svg" {attributes}>{contents}</s:svg>"#);
        let folder = Folder::new()
            .with("a.svg", &svg)
            .with("b.svg", with_boxes(&svg, &["--include", "fill", "--id", "r", "--id", "line"]));
        let boxes = |file, n: usize| {
            let args = ["query", file, "--backend", "cpu", "--include", "fill", "--format", "csv"];
            let run = folder.run(&args);
            assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{attributes}");
            let rows = run.columns(&["x", "y", "width", "height", "x0", "y0", "x1", "y1"]);
            let numbers = |row: &String| {
                let fields = row.split(',');
                let number = |field: &str| (field.parse::<f64>().expect("it is a number") * 1e3).round();
                fields.map(number).collect::<Vec<_>>()
            };
            rows[rows.len() - n..].iter().map(numbers).collect::<Vec<_>>()
        };
        let before = boxes("a.svg", 2);
        assert_eq!(boxes("b.svg", 2), before, "{attributes}");
        assert!(before[0] != before[1], "{attributes}");
    }
}

#[test]
fn the_boxes_replace_those_of_an_earlier_run() {
    for svg in [SMALL, "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>\n"] {
        let once = with_boxes(svg, &[]);
        assert_eq!(with_boxes(&once, &[]), once);
        let other = with_boxes(&once, &["--include", "fill"]);
        assert_eq!(other, with_boxes(svg, &["--include", "fill"]));
    }
}

#[test]
fn only_one_drawing_and_one_space_can_be_written() {
    let folder = Folder::with_small().with("b.svg", "<svg/>");
    for (more, message) in [
        (&["b.svg"][..], "there are 2 files: name one of them"),
        (&["--space", "device"], "leave --space out"),
        (&["--precision", "1"], "JSON and SVG have the exact numbers"),
    ] {
        let run =
            folder.run(&[&["query", "small.svg", "--backend", "cpu", "--format", "svg"], more].concat());
        assert!(run.code == 2 && run.stderr.contains(message), "{more:?}: {}", run.stderr);
        assert_eq!(run.text(), "");
    }
}
