//! `boxwood audit`: what is wasted in drawings.

use insta::assert_snapshot;
use serde_json::Value;

use crate::run::{Folder, SMALL};

/// One finding of each kind.
const WASTED: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" width="100" height="80">
  <clipPath id="c"><rect width="20" height="20"/></clipPath>
  <g/>
  <rect x="200" width="9" height="9"/>
  <g clip-path="url(#c)"><path d="M50 50h9v9z"/><path d="M0 0H20V20z"/></g>
  <rect id="below" x="60" y="60" width="9" height="9"/><rect x="50" y="50" width="30" height="30"/>
  <circle cx="-49.5" cy="50" r="50"/>
  <g clip-path="url(#c)"><path d="M0 0H9V9z"/></g>
  <circle cx="50" cy="20" r="5" opacity="0.5"/>
</svg>
"##;

#[test]
fn findings_have_their_position_reason_and_cost() {
    let run = Folder::new().with("wasted.svg", WASTED).run(&["audit", "wasted.svg"]);
    assert_snapshot!(run.whole(), @r#"
    exit 1
    --- stdout
    wasted.svg:3:3: empty: <g> /svg/g[1] has no contents with a box
    wasted.svg:4:3: off-canvas: <rect> /svg/rect[1] is off the canvas (1 element, 81 px²)
    wasted.svg:5:26: clipped-away: <path> /svg/g[2]/path[1] is outside of the clip path #c of /svg/g[2] (5:3) (1 element, 81 px²)
    wasted.svg:6:3: covered: <rect> below is below the opaque /svg/rect[3] (6:56) (1 element, 81 px²)
    wasted.svg:7:3: mostly-outside: <circle> /svg/circle[1] has 99.6 % of its box outside of its clips (1 element, 9960 px²)
    wasted.svg:8:3: needless-clip: <g> /svg/g[3] has the clip path #c, which cuts nothing (2 elements, 400 px²)
    wasted.svg:9:3: needless-group: <circle> /svg/circle[2] has an opacity on one leaf only: fill-opacity looks the same without a group (2 elements, 100 px²)

    KIND            FINDINGS  ELEMENTS    PX²
    empty                  1         0      0
    off-canvas             1         1     81
    clipped-away           1         1     81
    covered                1         1     81
    mostly-outside         1         1   9960
    needless-clip          1         2    400
    needless-group         1         2    100
    all                    7         8  10703
    --- stderr
    "#);
}

#[test]
fn a_drawing_without_waste_has_exit_code_0() {
    let folder = Folder::with_small();
    assert_snapshot!(folder.run(&["audit", "small.svg"]).whole(), @r"
    exit 0
    --- stdout
    nothing found
    --- stderr
    ");
    let run = folder.run(&["audit", "small.svg", "missing.svg", "--quiet"]);
    assert_eq!(run.code, 2, "{}", run.stderr);
}

#[test]
fn kinds_can_be_selected() {
    let folder = Folder::new().with("wasted.svg", WASTED);
    let code = |kinds: &str| folder.run(&["audit", "wasted.svg", "--kind", kinds]).code;
    assert_eq!((code("covered,empty"), code("all"), code("other")), (1, 1, 2));
    let run = folder.run(&["audit", "wasted.svg", "--kind", "empty,off-canvas", "--format", "jsonl"]);
    assert_eq!(run.text().lines().count(), 2, "{}", run.text());
    let folder = folder.with("small.svg", SMALL);
    assert_eq!(folder.run(&["audit", "small.svg", "--kind", "covered"]).code, 0);
}

#[test]
fn json_has_the_findings_of_every_file_and_the_sums() {
    let folder = Folder::with_small().with("wasted.svg", WASTED);
    let run = folder.run(&["audit", "small.svg", "wasted.svg", "--format", "json", "--jobs", "2", "--quiet"]);
    assert_eq!((run.code, run.stderr.as_str()), (1, ""));
    let document: Value = serde_json::from_slice(&run.stdout).expect("it is JSON");
    assert_eq!((&document["schema"], &document["errors"]), (&6.into(), &serde_json::json!([])));
    assert_eq!(document["files"][0]["findings"], serde_json::json!([]));
    let findings = document["files"][1]["findings"].as_array().expect("a list");
    let sums = document["sums"].as_array().expect("a list");
    assert_eq!((findings.len(), sums.len()), (7, 7));
    let covered = findings.iter().find(|finding| finding["kind"] == "covered").expect("there is one");
    assert_eq!(
        (&covered["name"], &covered["line"], &covered["column"]),
        (&"below".into(), &6.into(), &3.into())
    );
    assert_eq!((&covered["elements"], &covered["area"]), (&1.into(), &81.0.into()));
    let lines = folder.run(&["audit", "small.svg", "wasted.svg", "--format", "jsonl", "--quiet"]);
    let lines: Vec<Value> =
        lines.text().lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect();
    assert_eq!(lines.len(), findings.len());
    assert!(lines.iter().all(|line| line["file"] == "wasted.svg" && line["schema"] == 6));
    let empty = folder.run(&["audit", "small.svg", "--format", "json"]);
    let empty: Value = serde_json::from_slice(&empty.stdout).expect("it is JSON");
    assert_eq!(empty["sums"], serde_json::json!([]));
}

#[test]
fn a_warning_says_what_may_change_a_drawing() {
    let scripted = |body: &str| format!(r#"<svg xmlns="http://www.w3.org/2000/svg"><script/>{body}</svg>"#);
    let folder = Folder::new().with("clean.svg", scripted(r#"<path d="M0 0H9V9"/>"#));
    let folder = folder.with("empty.svg", scripted("<g/>"));
    assert_eq!(folder.run(&["audit", "clean.svg"]).stderr, "");
    assert_snapshot!(folder.run(&["audit", "empty.svg"]).stderr, @"boxwood: warning: empty.svg: has scripts: the findings hold for the drawing as it is loaded");
}

#[test]
fn json_has_the_files_that_could_not_be_loaded() {
    let folder = Folder::with_small().with("bad.svg", "<svg");
    let json = |format: &str| -> Value {
        let run = folder.run(&["audit", "small.svg", "bad.svg", "--quiet", "--format", format]);
        assert_eq!(run.code, 2);
        serde_json::from_slice(&run.stdout).expect("it is JSON")
    };
    let (document, line) = (json("json"), json("jsonl"));
    let error = &document["errors"][0];
    assert_eq!(
        (&error["file"], &line["file"], &line["kind"]),
        (&"bad.svg".into(), &"bad.svg".into(), &"error".into())
    );
    assert!(error["message"].as_str().is_some_and(|message| !message.is_empty()), "{error}");
}

/// An element beyond three edges, one that only touches an edge, and one inside of a clip. The
/// `viewBox` is in the middle of a wider canvas.
const STICKING_OUT: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" width="100" height="40" viewBox="0 0 20 10">
  <clipPath id="c"><rect width="20" height="10"/></clipPath>
  <rect id="wide" x="-10" y="-1" width="35" height="5"/>
  <rect id="touching" x="20" y="5" width="2.5" height="5"/>
  <circle clip-path="url(#c)" cx="20" cy="5" r="4"/>
</svg>
"##;

#[test]
fn elements_that_stick_out_are_found_on_request() {
    let folder = Folder::new().with("out.svg", STICKING_OUT);
    let run = folder.run(&["audit", "out.svg", "--kind", "sticks-out"]);
    assert_snapshot!(run.whole(), @"
    exit 1
    --- stdout
    out.svg:3:3: sticks-out: <rect> wide sticks out of the canvas: 30 px left, 4 px top, 10 px right (1 element, 1200 px²)

    KIND        FINDINGS  ELEMENTS   PX²
    sticks-out         1         1  1200
    all                1         1  1200
    --- stderr
    ");
    let run = folder.run(&["audit", "out.svg", "--kind", "sticks-out", "--viewbox"]);
    assert_snapshot!(run.whole(), @"
    exit 1
    --- stdout
    out.svg:3:3: sticks-out: <rect> wide sticks out of the viewBox: 40 px left, 4 px top, 20 px right (1 element, 1520 px²)
    out.svg:4:3: sticks-out: <rect> touching sticks out of the viewBox: 10 px right (1 element, 200 px²)

    KIND        FINDINGS  ELEMENTS   PX²
    sticks-out         2         2  1720
    all                2         2  1720
    --- stderr
    ");
    assert_eq!(folder.run(&["audit", "out.svg", "--kind", "all"]).code, 0, "it is not waste");
    let lines = folder.run(&["audit", "out.svg", "--kind", "sticks-out", "--format", "jsonl"]);
    let line: Value = serde_json::from_str(lines.text()).expect("one line is JSON");
    let outside = serde_json::json!({ "left": 30.0, "top": 4.0, "right": 10.0, "bottom": 0.0 });
    assert_eq!((&line["kind"], &line["outside"]), (&"sticks-out".into(), &outside));
    let wrong = folder.run(&["audit", "out.svg", "--viewbox"]);
    assert_eq!((wrong.code, wrong.stderr.contains("the kind sticks-out")), (2, true));
}

#[test]
fn nothing_sticks_out_of_a_cropped_drawing() {
    let curved = r#"<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"><circle cx="33.3333" cy="40" r="12.34567"/></svg>"#;
    let folder = Folder::new().with("a.svg", curved);
    assert_eq!(folder.run(&["crop", "a.svg", "--in-place"]).code, 0);
    assert_eq!(folder.run(&["audit", "a.svg", "--kind", "sticks-out"]).code, 0);
}
