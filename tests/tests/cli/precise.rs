//! `boxwood query --at … --precise`: what is painted at a point.

use insta::assert_snapshot;
use serde_json::Value;

use crate::run::{Folder, Run};

/// A map: a grid line curves around the sea, a lake has an island and a round harbour, and a frame
/// is around everything.
const MAP: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100">
  <clipPath id="disc"><circle cx="150" cy="50" r="40"/></clipPath>
  <g id="grid" fill="none" stroke="gray"><path id="line" d="M10 90Q50 -50 90 90"/></g>
  <path id="lake" fill-rule="evenodd" d="M100 5H198V95H100ZM140 40H160V60H140Z" clip-path="url(#disc)"/>
  <rect id="frame" x="2" y="2" width="196" height="96" fill="none" stroke="black" stroke-width="4"/>
  <g id="group"><rect id="left" x="10" y="92" width="4" height="4"/><rect id="right" x="90" y="92" width="4" height="4"/></g>
</svg>"##;

fn at(point: &str, more: &[&str]) -> Run {
    let folder = Folder::new().with("map.svg", MAP);
    folder.run(&[&["query", "map.svg", "--backend", "cpu", "--at", point], more].concat())
}

/// The names and kinds of the rows by boxes and precisely.
fn names(point: &str) -> [Vec<String>; 2] {
    let columns = |more: &[&str]| at(point, more).columns(&["name", "kind"]);
    [columns(&["--format", "csv"]), columns(&["--precise", "--format", "csv"])]
}

#[test]
fn a_box_is_a_candidate_and_paint_is_a_hit() {
    let cases: &[(&str, &[&str], &[&str])] = &[
        // The sea below the curve.
        ("50,60", &["frame,clipped", "line,clipped", "grid,group", "/svg,group"], &[]),
        (
            "50,20",
            &["frame,clipped", "line,clipped", "grid,group", "/svg,group"],
            &["line,clipped", "grid,group", "/svg,group"],
        ),
        // The island is a hole by the even-odd rule.
        ("150,50", &["frame,clipped", "lake,clipped", "lake,group", "/svg,group"], &[]),
        (
            "125,50",
            &["frame,clipped", "lake,clipped", "lake,group", "/svg,group"],
            &["lake,clipped", "lake,group", "/svg,group"],
        ),
        // A corner of the box of the round clip path.
        ("115,15", &["frame,clipped", "lake,clipped", "lake,group", "/svg,group"], &[]),
        // The frame is a stroke: its middle is hollow.
        ("1,50", &["frame,clipped", "/svg,group"], &["frame,clipped", "/svg,group"]),
        // Between the two rectangles of a group.
        ("50,94", &["group,group", "frame,clipped", "/svg,group"], &[]),
        (
            "12,94",
            &["left,clipped", "group,group", "frame,clipped", "/svg,group"],
            &["left,clipped", "group,group", "/svg,group"],
        ),
    ];
    for (point, by_boxes, precisely) in cases {
        assert_eq!(names(point), [by_boxes.to_vec(), precisely.to_vec()], "at {point}");
    }
}

#[test]
fn every_format_has_the_same_rows_as_without_it_but_for_those_left_out() {
    assert_snapshot!(at("125,50", &["--precise"]).whole(), @"
    exit 0
    --- stdout
    map.svg: 200 × 100 px, ink boxes in px of the scene (cpu)
    NAME  ELEMENT  KIND           X       Y    WIDTH   HEIGHT  INSIDE OF
    lake  path     clipped  110.000  10.000   80.000   80.000  clip-path #disc of lake, viewport of /svg
    lake  path     group    110.000  10.000   80.000   80.000  clip-path #disc of lake, viewport of /svg
    /svg  svg      group      0.000   0.000  200.000  100.000  viewport of /svg
    --- stderr
    ");
    for format in ["csv", "jsonl", "svg"] {
        let [all, some] = [&["--format", format][..], &["--precise", "--format", format]]
            .map(|more| at("125,50", more).text().lines().map(str::to_owned).collect::<Vec<_>>());
        let left_out: Vec<_> = all.iter().filter(|line| !some.contains(line)).collect();
        assert!(some.iter().all(|line| all.contains(line)), "{format}: {some:?}");
        assert!(left_out.iter().all(|line| line.contains("frame")), "{format}: {left_out:?}");
        assert!(!left_out.is_empty(), "{format}");
    }
    let json: Value =
        serde_json::from_str(at("125,50", &["--precise", "--format", "json"]).text()).expect("it is JSON");
    let names: Vec<_> =
        json["files"][0]["rows"].as_array().expect("rows").iter().map(|row| row["name"].clone()).collect();
    assert_eq!(names, ["lake", "lake", "/svg"]);
}

#[test]
fn nothing_painted_is_a_negative_answer() {
    let run = at("50,60", &["--precise", "--format", "csv"]);
    assert_eq!((run.code, run.stderr.as_str()), (1, "boxwood: nothing is painted there\n"));
    let [with, without] =
        [&["--precise", "--id", "line"][..], &["--id", "line"]].map(|more| at("50,60", more).code);
    assert_eq!([with, without], [1, 0]);
}

#[test]
fn it_needs_a_point() {
    let folder = Folder::new().with("map.svg", MAP);
    let without = folder.run(&["query", "map.svg", "--precise"]);
    assert!(without.code == 2 && without.stderr.contains("--at <X,Y>"), "{}", without.whole());
    let with_area = folder.run(&["query", "map.svg", "--within", "1,1,2,2", "--precise"]);
    assert!(with_area.code == 2 && with_area.stderr.contains("'--precise'"), "{}", with_area.whole());
    let help = folder.run(&["query", "--help"]);
    assert!(help.text().contains("--precise"), "{}", help.text());
}
