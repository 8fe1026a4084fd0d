//! `boxwood batches`: layers and batches of draws.

use insta::assert_snapshot;
use serde_json::Value;

use crate::run::Folder;

/// Two cards that do not overlap, each with a label, and a transparent group over one of them.
const CARDS: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" width="100" height="80">
  <rect id="a" width="40" height="40"/><path id="label" d="M5 5h20v5h-20z" stroke="red"/>
  <rect id="b" x="50" width="40" height="40"/><path d="M55 5h20v5h-20z" stroke="red"/>
  <g id="shade" opacity="0.5"><rect width="9" height="9"/><rect x="3" width="9" height="9"/></g>
  <rect id="off" x="200" width="9" height="9"/>
</svg>
"#;

#[test]
fn items_that_do_not_overlap_are_in_one_batch() {
    let folder = Folder::new().with("cards.svg", CARDS);
    assert_snapshot!(folder.run(&["batches", "cards.svg", "--longest", "3"]).whole(), @"
    exit 0
    --- stdout
    cards.svg: 7 items (4 fill, 2 stroke, 1 group) in 4 layers and 4 batches
    ITEMS  LAYER  KIND    FIRST
        2      1  fill    a (2:3)
        2      2  fill    label (2:40)
        2      3  stroke  label (2:40)
    --- stderr
    ");
}

#[test]
fn items_of_a_layer_may_share_a_pixel_but_do_not_overlap() {
    for (x, layers) in [("10.5", 1), ("10.25", 2)] {
        let shapes =
            format!("<rect width='10.5' height='9'/><rect x='{x}' width='9' height='9' fill='red'/>");
        let svg = format!("<svg xmlns='http://www.w3.org/2000/svg' width='20' height='9'>{shapes}</svg>");
        let run = Folder::new().with("a.svg", svg).run(&["batches", "a.svg", "--format", "jsonl"]);
        let line: Value = serde_json::from_str(run.text()).expect("it is JSON");
        assert_eq!(line["layers"], layers, "{line}");
    }
}

#[test]
fn json_has_the_numbers_of_every_file() {
    let folder =
        Folder::new().with("cards.svg", CARDS).with("empty.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>");
    let args = ["batches", "cards.svg", "missing.svg", "empty.svg", "--quiet", "--format"];
    let run = folder.run(&[&args[..], &["json"]].concat());
    assert_eq!(run.code, 2);
    let document: Value = serde_json::from_str(run.text()).expect("it is JSON");
    let numbers = |file: &Value| ["items", "layers", "batches"].map(|key| file[key].as_u64());
    let files = &document["files"];
    assert_eq!(numbers(&files[0]), [7, 4, 4].map(Some), "{document}");
    assert_eq!(
        (numbers(&files[1]), document["errors"].as_array().map(Vec::len)),
        ([0; 3].map(Some), Some(1))
    );
    assert_eq!(files[0]["longest"].as_array().map(Vec::len), Some(4));
    let lines = folder.run(&[&args[..], &["jsonl"]].concat());
    let lines: Vec<Value> =
        lines.text().lines().map(|line| serde_json::from_str(line).expect("it is JSON")).collect();
    assert_eq!(
        (numbers(&lines[0]), &lines[1]["kind"], lines.len()),
        (numbers(&files[0]), &"error".into(), 3)
    );
}
