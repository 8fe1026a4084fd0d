//! `boxwood explain`: what is left of an element, and why.

use insta::assert_snapshot;
use serde_json::Value;

use crate::run::{Folder, SMALL};

/// An element that is drawn three times, one that a later one covers, and two without a box.
const USED: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" width="100" height="80">
  <defs><clipPath id="c"><rect width="20" height="20"/></clipPath></defs>
  <rect id="r" width="10" height="10"/>
  <g clip-path="url(#c)" opacity="0.5"><use href="#r" x="15"/></g><use href="#r" x="200"/>
  <rect id="none" width="9" height="9" display="none"/><rect id="bare" width="9" height="9" fill="none"/>
  <rect id="below" x="60" y="60" width="9" height="9"/><rect id="cover" x="50" y="50" width="30" height="30"/>
</svg>
"##;

#[test]
fn the_clips_around_an_element_are_listed_with_what_they_cut() {
    let run =
        Folder::with_small().run(&["explain", "small.svg", "--id", "/svg/g[1]/path[1]", "--id", "clipped"]);
    assert_snapshot!(run.whole(), @r#"
    exit 0
    --- stdout
    small.svg:3:3: <g> clipped
    CONTENTS, 3 leaves                    X      Y   WIDTH  HEIGHT  CUT px²  CUT %
    own box                            0.00   0.00  101.00   51.00
    clip path #hole of clipped (3:3)  10.00  10.00   40.00   40.00     3551   68.9
    viewport of /svg (1:1)            10.00  10.00   40.00   40.00        0    0.0
    1600 of 5151 px² are left (31.1 %)

    small.svg:5:5: <path> /svg/g[1]/path[1]
    FILL                                  X      Y  WIDTH  HEIGHT  CUT px²  CUT %
    own box                           40.00  40.00  60.00   10.00
    clip path #hole of clipped (3:3)  40.00  40.00  10.00   10.00      500   83.3
    viewport of /svg (1:1)            40.00  40.00  10.00   10.00        0    0.0
    100 of 600 px² are left (16.7 %)
    STROKE                                X      Y  WIDTH  HEIGHT  CUT px²  CUT %
    own box                           39.00  39.00  62.00   12.00
    clip path #hole of clipped (3:3)  39.00  39.00  11.00   11.00      623   83.7
    viewport of /svg (1:1)            39.00  39.00  11.00   11.00        0    0.0
    121 of 744 px² are left (16.3 %)
    --- stderr
    "#);
}

#[test]
fn every_use_is_explained_and_what_hides_it() {
    let folder = Folder::new().with("used.svg", USED);
    let ids = ["--id", "r", "--id", "below", "--id", "none", "--id", "bare", "--id", "c"];
    let run = folder.run(&[&["explain", "used.svg"][..], &ids].concat());
    assert_snapshot!(run.whole(), @"
    exit 0
    --- stdout
    used.svg:3:3: <rect> r
    FILL                       X     Y  WIDTH  HEIGHT  CUT px²  CUT %
    own box                 0.00  0.00  10.00   10.00
    viewport of /svg (1:1)  0.00  0.00  10.00   10.00        0    0.0
    100 of 100 px² are left (100.0 %)

    used.svg:3:3: <rect> /svg/g[1]/use[1] → /svg/rect[1]
    FILL                                 X     Y  WIDTH  HEIGHT  CUT px²  CUT %
    own box                          15.00  0.00  10.00   10.00
    clip path #c of /svg/g[1] (4:3)  15.00  0.00   5.00   10.00       50   50.0
    opacity 0.5 of /svg/g[1] (4:3)   15.00  0.00   5.00   10.00
    viewport of /svg (1:1)           15.00  0.00   5.00   10.00        0    0.0
    50 of 100 px² are left (50.0 %)

    used.svg:3:3: <rect> /svg/use[1] → /svg/rect[1]
    FILL                         X     Y  WIDTH  HEIGHT  CUT px²  CUT %
    own box                 200.00  0.00  10.00   10.00
    viewport of /svg (1:1)   empty                           100  100.0
    nothing is visible: it is off the canvas

    used.svg:5:56: <rect> bare
    has neither a fill nor a stroke that paints

    used.svg:6:3: <rect> below
    FILL                        X      Y  WIDTH  HEIGHT  CUT px²  CUT %
    own box                 60.00  60.00   9.00    9.00
    viewport of /svg (1:1)  60.00  60.00   9.00    9.00        0    0.0
    nothing is visible: it is below the opaque cover (6:56)

    used.svg:2:9: <clipPath> c
    is a <clipPath>, or in one, and is drawn only where something refers to it

    used.svg:5:3: <rect> none
    has `display: none`, set on /svg/rect[2]
    --- stderr
    ");
    assert!(run.text().lines().all(|line| line.chars().count() <= 80), "{}", run.text());
}

#[test]
fn long_paths_fit_into_80_columns() {
    let depth = 40;
    let svg = SMALL
        .replace("<g id", &format!("{}<g id", "<g>".repeat(depth)))
        .replace("</g>", &"</g>".repeat(depth + 1));
    let folder = Folder::new().with("deep.svg", svg.replace(r#" id="clipped""#, ""));
    let run = folder.run(&["explain", "deep.svg", "--id", "corner"]);
    let rows = run.text().lines().skip(1);
    assert!(run.code == 0 && rows.clone().all(|line| line.chars().count() <= 80), "{}", run.text());
    assert!(rows.count() == 5 && run.text().contains("…"), "{}", run.text());
}

#[test]
fn an_unknown_element_is_a_negative_answer() {
    let folder = Folder::with_small().with("used.svg", USED);
    let run = folder.run(&[
        "explain",
        "small.svg",
        "used.svg",
        "--id",
        "nowhere",
        "--select",
        "circle",
        "--id",
        "none",
    ]);
    assert_snapshot!(run.whole(), @r#"
    exit 1
    --- stdout
    used.svg:5:3: <rect> none
    has `display: none`, set on /svg/rect[2]
    --- stderr
    boxwood: no element has the id or path `nowhere`
    boxwood: no element matches the selector `circle`
    boxwood: note: 2 files, 17 elements, 0 failed, T s
    "#);
    assert_eq!(folder.run(&["explain", "small.svg"]).code, 2, "an element must be named");
    assert_eq!(folder.run(&["explain", "missing.svg", "--id", "a"]).code, 2);
}

#[test]
fn json_has_the_steps_with_their_areas() {
    let folder = Folder::with_small().with("used.svg", USED);
    let json = |args: &[&str]| -> Value {
        let run = folder.run(&[&["explain"], args].concat());
        assert_eq!((run.code, run.stderr.as_str()), (0, ""));
        serde_json::from_slice(&run.stdout).expect("it is JSON")
    };
    let document = json(&["small.svg", "--id", "corner", "--format", "json"]);
    assert_eq!((&document["schema"], &document["files"][0]["file"]), (&6.into(), &"small.svg".into()));
    let part = &document["files"][0]["elements"][0]["parts"][0];
    assert_eq!(
        (&part["part"], &part["area"], &part["left_area"]),
        (&"fill".into(), &765.0.into(), &310.0.into())
    );
    let step = &part["steps"][0];
    assert_eq!(
        (&step["effect"], &step["id"], &step["of"]),
        (&"clip-path".into(), &"hole".into(), &"clipped".into())
    );
    assert_eq!((&step["cut_area"], &step["clip_box"][2]), (&455.0.into(), &50.0.into()));
    let line = json(&["used.svg", "--id", "below", "--format", "jsonl"]);
    assert_eq!(line["parts"][0]["hidden"], serde_json::json!({ "why": "covered", "by": "cover" }));
    let line = json(&["used.svg", "--id", "none", "--format", "jsonl"]);
    assert_eq!((&line["reason"], &line["file"]), (&"display-none".into(), &"used.svg".into()));
}

#[test]
fn the_verdict_names_the_clip_that_cuts_the_last_rest() {
    let svg = r##"<svg xmlns="http://www.w3.org/2000/svg" width="100" height="80">
  <mask id="m" maskUnits="userSpaceOnUse" width="50" height="50"><rect width="50" height="50" fill="#fff"/></mask>
  <clipPath id="c"><rect width="50" height="50"/></clipPath>
  <g id="g" mask="url(#m)"><rect id="masked" y="60" width="9" height="9"/></g>
  <g id="h" clip-path="url(#c)"><rect id="off" x="200" width="9" height="9"/></g>
</svg>"##;
    let folder = Folder::new().with("clips.svg", svg);
    let verdict =
        |id: &str| folder.run(&["explain", "clips.svg", "--id", id]).text().lines().last().map(str::to_owned);
    let outside = |of: &str| Some(format!("nothing is visible: it is outside of the {of}"));
    assert_eq!(verdict("masked"), outside("mask #m of g (4:3)"));
    assert_eq!(verdict("off"), outside("clip path #c of h (5:3)"));
    for (id, of) in [("masked", "g"), ("off", "h")] {
        let line = folder.run(&["explain", "clips.svg", "--id", id, "--format", "jsonl"]);
        let line: Value = serde_json::from_slice(&line.stdout).expect("it is JSON");
        let expected = serde_json::json!({ "why": "clipped-away", "by": of });
        assert_eq!(line["parts"][0]["hidden"], expected, "JSON names the same clip");
    }
}
