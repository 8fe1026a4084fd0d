//! Parts of texts, such as `tspan`, in the output of every command.

use serde_json::Value;

use crate::run::Folder;

/// Nested parts, one of them outside of the clip, and parts that paint nothing.
const PARTS: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" width="200" height="80" font-size="20">
  <clipPath id="c"><rect width="100" height="80"/></clipPath>
  <text id="t" y="50" clip-path="url(#c)">a <tspan id="outer">bc <tspan id="inner" stroke="red">de</tspan></tspan>
    <tspan class="nameless">f</tspan><tspan id="away" x="150">g</tspan></text>
  <text y="20"><tspan id="empty"/><tspan id="hidden" visibility="hidden">h</tspan><a id="bare" fill="none">i</a></text>
  <path id="line" d="M0 70H20" fill="none"/>
  <text><textPath id="beyond" href="#line">this text is too long</textPath></text>
</svg>
"##;

/// The rows of some elements of a format of JSON lines.
fn lines(command: &str, args: &[&str]) -> Vec<Value> {
    let folder = Folder::new().with("parts.svg", PARTS);
    let common = ["parts.svg", "--no-system-fonts", "--format", "jsonl"];
    let run = folder.run(&[&[command][..], &common, args].concat());
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    run.text().lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

fn text<'a>(row: &'a Value, field: &str) -> &'a str {
    row[field].as_str().unwrap_or_default()
}

/// The union of some boxes, each a list of edges or null.
fn union<'a>(boxes: impl Iterator<Item = &'a Value>) -> Option<[f64; 4]> {
    let edge = |edges: &[Value], i: usize| edges[i].as_f64().expect("an edge is a number");
    let boxes = boxes.filter_map(|edges| edges.as_array());
    let boxes = boxes.map(|edges| [0, 1, 2, 3].map(|i| edge(edges, i)));
    boxes.reduce(|a, b| [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])])
}

#[test]
fn a_part_of_a_text_has_ink_boxes_or_a_reason() {
    let rows = lines("query", &["--backend", "cpu", "--select", "text *"]);
    let rows: Vec<_> = rows
        .iter()
        .map(|row| ["name", "element", "kind", "parent", "reason"].map(|field| text(row, field)).join(","))
        .collect();
    let expected = [
        "outer,tspan,leaf,t,",
        "outer,tspan,clipped,t,",
        "inner,tspan,leaf,t,",
        "inner,tspan,clipped,t,",
        "/svg/text[1]/tspan[2],tspan,leaf,t,",
        "/svg/text[1]/tspan[2],tspan,clipped,t,",
        "away,tspan,leaf,t,",
        "away,tspan,clipped,t,clipped-away",
        "hidden,tspan,,/svg/text[2],hidden",
        "bare,a,,/svg/text[2],no-paint",
        "beyond,textPath,leaf,/svg/text[3],",
        "beyond,textPath,clipped,/svg/text[3],",
        "empty,tspan,,,no-contents",
    ];
    assert_eq!(rows, expected);
}

#[test]
fn the_ink_boxes_of_a_part_are_those_that_explain_has() {
    let select = ["--select", "text *"];
    let rows = lines("query", &[&["--backend", "cpu"][..], &select].concat());
    let mut n_boxes = 0;
    for element in lines("explain", &select) {
        let of_kind = |kind: &'static str| {
            let own = rows.iter().filter(|row| row["name"] == element["name"]);
            union(own.filter(|row| text(row, "kind") == kind).map(|row| &row["box"]))
        };
        let parts = || element["parts"].as_array().into_iter().flatten();
        let explained = |field: &'static str| union(parts().map(|part| &part[field]));
        assert_eq!((of_kind("leaf"), of_kind("clipped")), (explained("box"), explained("left")), "{element}");
        n_boxes += usize::from(explained("box").is_some());
    }
    assert_eq!(n_boxes, 5);
}

#[test]
fn a_part_without_an_id_is_listed_only_if_it_is_named() {
    let all = lines("query", &["--backend", "cpu"]);
    assert!(all.iter().all(|row| text(row, "class") != "nameless"));
    for named in [["--select", ".nameless"], ["--id", "/svg/text[1]/tspan[2]"]] {
        let rows = lines("query", &[&["--backend", "cpu"][..], &named].concat());
        assert_eq!(rows.len(), 2, "{named:?}");
    }
}

#[test]
fn an_object_box_that_is_not_known_has_the_reason() {
    let rows = lines("query", &["--backend", "cpu", "--include", "fill", "--id", "beyond", "--id", "outer"]);
    let rows: Vec<_> =
        rows.iter().map(|row| (text(row, "name"), row["box"].is_array(), text(row, "reason"))).collect();
    assert_eq!(rows, [("outer", true, ""), ("beyond", false, "unknown")]);
}

#[test]
fn a_part_is_found_at_a_place_before_its_text() {
    let inner = lines("query", &["--backend", "cpu", "--id", "inner", "--kind", "clipped"]);
    let [x, y] = ["x0", "y0"].map(|edge| inner[0][edge].as_f64().expect("it has a box"));
    let place = format!("{},{}", x + 1.0, y + 1.0);
    let rows = lines("query", &["--backend", "cpu", "--at", &place]);
    let names: Vec<_> = rows.iter().map(|row| text(row, "name")).collect();
    assert_eq!(names, ["inner", "outer", "t", "t", "/svg"]);
}

#[test]
fn a_picture_is_cropped_to_a_part() {
    let folder = Folder::new().with("parts.svg", PARTS);
    let args = ["render", "parts.svg", "--no-system-fonts", "--backend", "cpu", "-o", "part.png", "--crop"];
    let run = |id| folder.run(&[&args[..], &[id]].concat());
    assert_eq!(run("inner").whole(), "exit 0\n--- stdout\n--- stderr\n");
    assert!(folder.path().join("part.png").exists());
    let hidden = run("hidden");
    assert!(hidden.code == 2 && hidden.stderr.contains("is hidden by `visibility`"), "{}", hidden.whole());
}
