//! `boxwood query --at` and `--within`: what is at a place.

use insta::assert_snapshot;
use serde_json::Value;

use crate::run::{Folder, Run, SMALL};

fn query(folder: &Folder, more: &[&str]) -> Run {
    folder.run(&[&["query", "small.svg", "--backend", "cpu"], more].concat())
}

#[test]
fn the_top_most_element_is_first_with_its_clips() {
    assert_snapshot!(query(&Folder::with_small(), &["--at", "45,45"]).whole(), @"
    exit 0
    --- stdout
    small.svg: 100 × 80 px, ink boxes in px of the scene (cpu)
    NAME               ELEMENT  KIND          X       Y   WIDTH  HEIGHT  INSIDE OF
    /svg/g[1]/path[1]  path     clipped  39.000  39.000  11.000  11.000  clip-path #hole of clipped, viewport of /svg
    clipped            g        group    10.000  10.000  40.000  40.000  clip-path #hole of clipped, viewport of /svg
    /svg               svg      group    10.000  10.000  80.000  40.000  viewport of /svg
    --- stderr
    ");
}

/// The boxes are half-open.
#[test]
fn the_boxes_that_contain_a_point_are_those_that_query_prints() {
    let folder = Folder::with_small();
    let columns = ["name", "kind", "x0", "y0", "x1", "y1"];
    let all = query(&folder, &["--kind", "clipped,group", "--format", "csv"]).columns(&columns);
    let number = |text: &str| text.parse::<f64>().ok();
    for (x, y) in
        [(10.0, 10.0), (20.0, 12.0), (30.0, 10.0), (45.0, 45.0), (50.0, 45.0), (60.0, 10.0), (89.5, 29.9)]
    {
        let is_there = |row: &&String| {
            let fields: Vec<_> = row.split(',').collect();
            let edges: Vec<_> = fields[2..].iter().filter_map(|edge| number(edge)).collect();
            edges.len() == 4 && edges[0] <= x && x < edges[2] && edges[1] <= y && y < edges[3]
        };
        let mut expected: Vec<_> = all.iter().filter(is_there).cloned().collect();
        expected.reverse();
        let found = query(&folder, &["--at", &format!("{x},{y}"), "--format", "csv"]).columns(&columns);
        assert_eq!(found, expected, "{x}, {y}");
        let rectangle = format!("{x},{y},0.001,0.001");
        let within = query(&folder, &["--within", &rectangle, "--format", "csv"]).columns(&columns);
        assert_eq!(within, expected, "a small rectangle to the right of and below {x}, {y}");
    }
}

#[test]
fn json_and_csv_have_the_clips() {
    let folder = Folder::with_small();
    let run =
        query(&folder, &["--within", "45,45,100,100", "--id", "/svg/g[1]/path[1]", "--format", "jsonl"]);
    let row: Value = serde_json::from_str(run.text()).expect("one row is JSON");
    let clips = serde_json::json!([
        { "effect": "clip-path", "id": "hole", "of": "clipped", "line": 3, "column": 3 },
        { "effect": "viewport", "id": null, "of": "/svg", "line": 1, "column": 1 },
    ]);
    assert_eq!((&row["kind"], &row["clips"]), (&"clipped".into(), &clips));
    let csv = query(&folder, &["--at", "70,20", "--format", "csv", "--id", "beside"]);
    assert!(csv.text().lines().all(|line| line.ends_with(",clips") || line.ends_with(",viewport of /svg")));
    assert!(!query(&folder, &["--format", "csv"]).text().contains("viewport"), "other rows have no clips");
}

/// The box of a stroke and a fill together contains a point that is in neither of them.
#[test]
fn an_element_is_there_if_one_of_its_leaves_is() {
    let svg = r#"<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90">
        <marker id="m" markerUnits="userSpaceOnUse" markerWidth="9" markerHeight="9" overflow="visible">
          <rect x="40" y="40" width="9" height="9"/></marker>
        <path id="p" d="M1 1h9v9" marker-start="url(#m)"/></svg>"#;
    let folder = Folder::new().with("small.svg", svg);
    let at = |point| query(&folder, &["--at", point, "--id", "p", "--format", "csv"]);
    assert_eq!((at("9,2").columns(&["kind"]).len(), at("45,45").columns(&["kind"]).len()), (1, 1));
    let between = at("25,30");
    assert_eq!(
        (between.code, between.stderr.as_str()),
        (1, "boxwood: nothing is there\n"),
        "{}",
        between.text()
    );
}

#[test]
fn nothing_there_is_a_negative_answer() {
    let folder = Folder::with_small().with("b.svg", SMALL.replace("x=\"60\"", "x=\"55\""));
    let run = query(&folder, &["--at", "-5,3", "--format", "csv"]);
    assert_eq!((run.code, run.stderr.as_str()), (1, "boxwood: nothing is there\n"));
    let two = query(&folder, &["b.svg", "--at", "57,20", "--quiet", "--format", "csv"]);
    assert_eq!(
        (two.code, two.columns(&["file", "name"])[1].as_str()),
        (0, "b.svg,beside"),
        "{}",
        two.whole()
    );
    for wrong in [
        &["--at", "1"][..],
        &["--at", "1,2", "--within", "1,2,3,4"],
        &["--within", "1,2,0,4"],
        &["--at", "1,2", "--kind", "leaf"],
        &["--at", "1,2", "--include", "fill"],
    ] {
        assert_eq!(query(&folder, wrong).code, 2, "{wrong:?}");
    }
}
