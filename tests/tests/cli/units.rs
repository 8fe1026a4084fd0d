//! The units and the columns of `boxwood query`.

use insta::assert_snapshot;

use crate::run::{Folder, Run, SMALL};

/// A root whose user units are 2 px wide, and whose `viewBox` does not begin at zero.
const SCALED: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" width="192" height="96" viewBox="-10 5 96 48">
  <rect id="r" x="0" y="10" width="48" height="24"/>
</svg>
"#;

fn query(more: &[&str]) -> Run {
    let folder = Folder::new().with("scaled.svg", SCALED).with("small.svg", SMALL);
    folder.run(&[&["query", "--backend", "cpu"], more].concat())
}

#[test]
fn numbers_are_in_px_in_user_units_or_in_mm() {
    let edges = |unit: &str| {
        let run = query(&[
            "scaled.svg",
            "--id",
            "r",
            "--kind",
            "clipped",
            "--unit",
            unit,
            "--format",
            "csv",
            "--precision",
            "3",
        ]);
        run.columns(&["x", "y", "width", "height", "unit"])
    };
    assert_eq!(edges("px"), ["20.000,10.000,96.000,48.000,px"]);
    assert_eq!(edges("user"), ["0.000,10.000,48.000,24.000,user"]);
    assert_eq!(edges("mm"), ["5.292,2.646,25.400,12.700,mm"]);
    let object = query(&["scaled.svg", "--id", "r", "--include", "fill", "--unit", "user", "--query-all"]);
    assert_eq!(object.text(), "r,0,10,48,24\n");
    let json = query(&["scaled.svg", "--id", "r", "--unit", "mm", "--kind", "leaf", "--format", "jsonl"]);
    assert!(json.text().contains(r#""space":"scene","unit":"mm""#), "{}", json.text());
}

#[test]
fn a_place_has_the_unit_of_the_numbers() {
    let names =
        |place: &[&str]| query(&[&["scaled.svg", "--format", "csv", "--columns", "name"], place].concat());
    for (place, is_there) in [
        (&["--at", "47,33"][..], true),
        (&["--at", "47,33", "--unit", "user"], true),
        (&["--at", "-1,33", "--unit", "user"], false),
        (&["--at", "0.5,33", "--unit", "user", "--precise"], true),
        (&["--at", "30,15", "--unit", "mm"], true),
        (&["--at", "31,15", "--unit", "mm"], false),
        (&["--within", "-5,10,5.5,1", "--unit", "user"], true),
        (&["--within", "-5,10,4.5,1", "--unit", "user"], false),
    ] {
        assert_eq!(names(place).text().contains("\nr\n"), is_there, "{place:?}");
    }
}

#[test]
fn columns_are_selected() {
    let columns = ["--columns", "name,unit,line,width,height,reason"];
    let run = query(&[&["small.svg", "--unit", "mm", "--precision", "1"], &columns[..]].concat());
    assert_snapshot!(run.whole(), @"
    exit 0
    --- stdout
    small.svg: 100 × 80 px, ink boxes in mm (cpu)
    NAME               UNIT  LINE  WIDTH  HEIGHT  REASON
    /svg               mm       1   26.5    21.2
    /svg               mm       1   21.2    10.6
    clipped            mm       3   10.6    10.6
    clipped            mm       3   10.6    10.6
    corner             mm       4    7.9     6.7
    corner             mm       4    5.3     4.1
    /svg/g[1]/path[1]  mm       5   16.4     3.2
    /svg/g[1]/path[1]  mm       5    2.9     2.9
    beside             mm       7    7.9     5.3
    beside             mm       7    7.9     5.3
    hole               mm       2                 definition
    --- stderr
    ");
    let run = query(&[&["small.svg", "--kind", "clipped", "--format", "csv"], &columns[..]].concat());
    assert_snapshot!(run.whole(), @"
    exit 0
    --- stdout
    name,unit,line,width,height,reason
    corner,px,4,20,15.5,
    /svg/g[1]/path[1],px,5,11,11,
    beside,px,7,30,20,
    hole,px,2,,,definition
    --- stderr
    ");
    let run = query(&["small.svg", "--at", "45,45", "--columns", "name,clips"]);
    assert_snapshot!(run.whole(), @"
    exit 0
    --- stdout
    small.svg: 100 × 80 px, ink boxes in px of the scene (cpu)
    NAME               CLIPS
    /svg/g[1]/path[1]  clip-path #hole of clipped, viewport of /svg
    clipped            clip-path #hole of clipped, viewport of /svg
    /svg               viewport of /svg
    --- stderr
    ");
}

#[test]
fn units_and_columns_that_mean_nothing_are_refused() {
    let wrong = [
        &["--unit", "mm", "--space", "device"][..],
        &["--unit", "user", "--space", "local", "--include", "fill"],
        &["--unit", "user", "--format", "svg"],
        &["--columns", "name", "--format", "json"],
        &["--columns", "name", "--query-all"],
        &["--columns", "clips"],
        &["--columns", "wrong"],
    ];
    for more in wrong {
        assert_eq!(query(&[&["small.svg"], more].concat()).code, 2, "{more:?}");
    }
}

#[test]
fn the_size_in_a_title_is_rounded() {
    let svg = SCALED.replace("192", "73.70999").replace("96\"", "10cm\"");
    let run = Folder::new().with("a.svg", svg).run(&["query", "a.svg"]);
    assert!(run.text().starts_with("a.svg: 73.71 × 377.953 px, "), "{}", run.text());
}
