//! `boxwood diff`: the elements that differ between two drawings, the damage, and its picture.

mod edits;
mod law;
mod matching;

use insta::assert_snapshot;
use serde_json::Value;

use crate::run::{Folder, SMALL};

/// [`SMALL`] with one change of each kind.
fn changed() -> String {
    SMALL
        .replace(r#"<rect id="corner" x="0""#, r#"<rect id="corner" x="5""#)
        .replace("#d50", "#0d5")
        .replace(r#"  <rect id="beside""#, "  <circle cx=\"80\" cy=\"60\" r=\"5\"/>\n  <rect id=\"beside\"")
}

fn folder() -> Folder {
    Folder::with_small().with("new.svg", changed())
}

#[test]
fn a_table_has_the_changes_and_the_damage() {
    assert_snapshot!(folder().run(&["diff", "small.svg", "new.svg"]).whole(), @"
    exit 1
    --- stdout
    small.svg -> new.svg: 100 × 80 px, 3 changes, 3584 px² of damage in 4 rectangles (44.8 %)
    CHANGE       NAME               ELEMENT      X      Y  WIDTH  HEIGHT  POSITION
    - moved      corner             rect     10.00  10.00  20.00   15.50  4:5
    + moved      corner             rect     10.00  10.00  25.00   15.50  4:5
    ~ repainted  /svg/g[1]/path[1]  path     39.00  39.00  11.00   11.00  5:5
    + appeared   /svg/circle[1]     circle   75.00  55.00  10.00   10.00  7:3
    # damage                                  0.00   0.00  48.00   32.00
    # damage                                 32.00  32.00  32.00   16.00
    # damage                                 32.00  48.00  64.00   16.00
    # damage                                 64.00  64.00  32.00   16.00
    --- stderr
    ");
    let back = folder().run(&["diff", "new.svg", "small.svg"]);
    assert_eq!(back.code, 1);
    assert!(back.text().contains("- vanished") && !back.text().contains("appeared"), "{}", back.text());
}

#[test]
fn drawings_without_a_difference_have_the_exit_code_0() {
    let folder = folder();
    assert_snapshot!(folder.run(&["diff", "small.svg", "small.svg"]).whole(), @"
    exit 0
    --- stdout
    small.svg -> small.svg: 100 × 80 px, no changes
    --- stderr
    ");
    // Neither names nor white space nor unused definitions are drawn.
    let other =
        SMALL.replace("corner", "renamed").replace("\n", "\n\n").replace("<path", "<defs><g/></defs><path");
    let run = folder.with("other.svg", other).run(&["diff", "small.svg", "other.svg"]);
    assert_eq!((run.code, run.text().lines().count()), (0, 1), "{}", run.text());
}

#[test]
fn elements_in_another_order_are_reordered_and_nothing_else_is() {
    let shapes = ["a", "b", "c", "d"].map(|id| format!("<rect id='{id}' width='9' height='9'/>"));
    let drawing = |order: [usize; 4]| {
        let shapes: String = order.iter().map(|i| shapes[*i].as_str()).collect();
        format!("<svg xmlns='http://www.w3.org/2000/svg' width='40' height='40'>{shapes}</svg>")
    };
    for (order, moved) in [([3, 0, 1, 2], "d"), ([1, 2, 3, 0], "a")] {
        let folder = Folder::new().with("old.svg", drawing([0, 1, 2, 3])).with("new.svg", drawing(order));
        let run = folder.run(&["diff", "old.svg", "new.svg", "--format", "csv"]);
        assert_eq!(run.columns(&["change", "name"]), [format!("reordered,{moved}"), "damage,".to_owned()]);
    }
}

/// A drawing with definitions, and with groups around its shapes.
const USES: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200">
  <style>.s { fill: #07b }</style>
  <linearGradient id="paint"><stop stop-color="#fff"/><stop offset="1" stop-color="#07b"/></linearGradient>
  <clipPath id="hole"><circle cx="40" cy="40" r="20"/></clipPath>
  <defs><rect id="tile" width="10" height="10"/></defs>
  <g id="faded" opacity="0.5"><rect id="in" class="s" x="150" y="10" width="20" height="20"/></g>
  <rect id="ramp" x="10" y="150" width="30" height="30" fill="url(#paint)"/>
  <rect id="cut" x="20" y="20" width="40" height="40" clip-path="url(#hole)"/>
  <use id="one" href="#tile" x="100" y="100"/>
  <rect id="last" x="180" y="180" width="5" height="5"/>
</svg>
"##;

#[test]
fn a_definition_changes_its_users_and_a_group_its_contents() {
    for (old, new, expected) in [
        (r#"opacity="0.5""#, r#"opacity="0.6""#, "repainted,faded repainted,in"),
        (r##"stop-color="#07b""##, r##"stop-color="#d50""##, "repainted,ramp"),
        (r#"cy="40" r="20""#, r#"cy="40" r="19""#, "moved,cut"),
        (
            r#"<circle cx="40" cy="40" r="20"/>"#,
            r#"<rect x="20" y="20" width="40" height="40"/>"#,
            "repainted,cut",
        ),
        (
            r#"id="tile" width="10""#,
            r#"id="tile" fill="red" width="10""#,
            "repainted,/svg/use[1] → /svg/defs[1]/rect[1]",
        ),
        (r##"href="#tile""##, r##"href="#last""##, "vanished,/svg/use[1] → /svg/defs[1]/rect[1]"),
        (".s { fill: #07b }", ".s { fill: #d50 }", "repainted,in"),
        (r#"  <use id="one""#, r#"  <g/><path d="M0 0"/><use id="one""#, ""),
    ] {
        let edited = USES.replacen(old, new, 1);
        assert_ne!(edited, USES, "{old}");
        let folder = Folder::new().with("old.svg", USES).with("new.svg", edited);
        let run = folder.run(&["diff", "old.svg", "new.svg", "--format", "csv"]);
        let changes = run.columns(&["change", "name"]);
        let changes: Vec<_> = changes.iter().filter(|change| !change.starts_with("damage")).collect();
        let found = changes.iter().map(|change| change.as_str()).collect::<Vec<_>>().join(" ");
        assert!(
            found.starts_with(expected) && found.is_empty() == expected.is_empty(),
            "{old} -> {new}: {found}"
        );
        assert_eq!(run.code, i32::from(!expected.is_empty()));
        assert!(!found.contains("last") || new.contains("#last"), "{found}");
    }
}

#[test]
fn another_size_is_a_difference_and_elements_without_an_id_keep_their_partners() {
    let folder = Folder::new().with("old.svg", USES);
    let folder =
        folder.with("wide.svg", USES.replace(r#"width="200" height="200""#, r#"width="260" height="190.5""#));
    let folder =
        folder.with("more.svg", USES.replace("  <use", "  <rect width=\"7\" height=\"7\"/>\n  <use"));
    assert_snapshot!(folder.run(&["diff", "old.svg", "wide.svg"]).whole(), @"
    exit 1
    --- stdout
    old.svg -> wide.svg: 200 × 200 px -> 260 × 190.5 px, 1 change
    CHANGE    NAME  ELEMENT     X     Y   WIDTH  HEIGHT  POSITION
    - canvas                 0.00  0.00  200.00  200.00
    + canvas                 0.00  0.00  260.00  190.50
    --- stderr
    ");
    let wide = |format: &str| folder.run(&["diff", "old.svg", "wide.svg", "--format", format]);
    assert_eq!(wide("csv").text().lines().nth(1), Some("canvas,,,,,,,0,0,200,200,,,,0,0,260,190.5"));
    assert_snapshot!(wide("json").text(), @r#"
    {
      "schema": 6,
      "files": [
        {
          "old": {"file":"old.svg","width":200.0,"height":200.0},
          "new": {"file":"wide.svg","width":260.0,"height":190.5},
          "canvas": {"old":{"width":200.0,"height":200.0},"new":{"width":260.0,"height":190.5}},
          "changes": [],
          "damage": {"tile":16,"area":0,"rectangles":[]}
        }
      ],
      "errors": []
    }
    "#);
    assert_snapshot!(wide("jsonl").text(), @r#"
    {"schema":6,"kind":"canvas","old_file":"old.svg","new_file":"wide.svg","old":{"width":200.0,"height":200.0},"new":{"width":260.0,"height":190.5}}
    {"schema":6,"kind":"damage","old_file":"old.svg","new_file":"wide.svg","tile":16,"area":0,"rectangles":[]}
    "#);
    assert_snapshot!(folder.run(&["diff", "old.svg", "more.svg", "--tile", "1"]).whole(), @"
    exit 1
    --- stdout
    old.svg -> more.svg: 200 × 200 px, 1 change, 49 px² of damage in 1 rectangle (0.1 %)
    CHANGE      NAME          ELEMENT     X     Y  WIDTH  HEIGHT  POSITION
    + appeared  /svg/rect[3]  rect     0.00  0.00   7.00    7.00  9:3
    # damage                           0.00  0.00   7.00    7.00
    --- stderr
    ");
}

#[test]
fn json_has_both_sides_of_each_change() {
    let folder = folder();
    assert_snapshot!(folder.run(&["diff", "small.svg", "new.svg", "--format", "json"]).text(), @r#"
    {
      "schema": 6,
      "files": [
        {
          "old": {"file":"small.svg","width":100.0,"height":80.0},
          "new": {"file":"new.svg","width":100.0,"height":80.0},
          "canvas": null,
          "changes": [
            {"change":"moved","name":"corner","has_id":true,"element":"rect","old":{"path":"/svg/g[1]/rect[1]","line":4,"column":5,"box":[10.0,10.0,30.0,25.5]},"new":{"path":"/svg/g[1]/rect[1]","line":4,"column":5,"box":[10.0,10.0,35.0,25.5]}},
            {"change":"repainted","name":"/svg/g[1]/path[1]","has_id":false,"element":"path","old":{"path":"/svg/g[1]/path[1]","line":5,"column":5,"box":[39.0,39.0,50.0,50.0]},"new":{"path":"/svg/g[1]/path[1]","line":5,"column":5,"box":[39.0,39.0,50.0,50.0]}},
            {"change":"appeared","name":"/svg/circle[1]","has_id":false,"element":"circle","old":null,"new":{"path":"/svg/circle[1]","line":7,"column":3,"box":[75.0,55.0,85.0,65.0]}}
          ],
          "damage": {"tile":16,"area":3584,"rectangles":[[0,0,48,32],[32,32,64,48],[32,48,96,64],[64,64,96,80]]}
        }
      ],
      "errors": []
    }
    "#);
    assert_snapshot!(folder.run(&["diff", "small.svg", "new.svg", "--format", "csv"]).text(), @"
    change,name,has_id,element,old_path,old_line,old_column,old_x0,old_y0,old_x1,old_y1,new_path,new_line,new_column,new_x0,new_y0,new_x1,new_y1
    moved,corner,true,rect,/svg/g[1]/rect[1],4,5,10,10,30,25.5,/svg/g[1]/rect[1],4,5,10,10,35,25.5
    repainted,/svg/g[1]/path[1],false,path,/svg/g[1]/path[1],5,5,39,39,50,50,/svg/g[1]/path[1],5,5,39,39,50,50
    appeared,/svg/circle[1],false,circle,,,,,,,,/svg/circle[1],7,3,75,55,85,65
    damage,,,,,,,,,,,,,,0,0,48,32
    damage,,,,,,,,,,,,,,32,32,64,48
    damage,,,,,,,,,,,,,,32,48,96,64
    damage,,,,,,,,,,,,,,64,64,96,80
    ");
    let lines = folder.run(&["diff", "small.svg", "new.svg", "--format", "jsonl"]);
    let lines: Vec<Value> =
        lines.text().lines().map(|line| serde_json::from_str(line).expect("it is JSON")).collect();
    assert_eq!(
        lines.iter().map(|line| line["kind"].clone()).collect::<Vec<_>>(),
        ["change", "change", "change", "damage"]
    );
    assert!(lines.iter().all(|line| line["old_file"] == "small.svg" && line["new_file"] == "new.svg"));
}

#[test]
fn the_gpu_has_the_same_result() {
    let folder = folder();
    let run =
        |backend| folder.run(&["diff", "small.svg", "new.svg", "--format", "json", "--backend", backend]);
    let (cpu, gpu) = (run("cpu"), run("gpu"));
    assert_eq!((cpu.text(), cpu.code), (gpu.text(), gpu.code), "{}", gpu.stderr);
    let empty = folder.with("empty.svg", "<svg xmlns='http://www.w3.org/2000/svg' width='100' height='80'/>");
    let run = empty.run(&["diff", "empty.svg", "small.svg", "--backend", "gpu"]);
    assert_eq!(run.code, 1, "{}", run.stderr);
}

#[test]
fn one_side_can_be_standard_input() {
    let folder = Folder::with_small();
    let run = folder.run_with_input(&["diff", "-", "small.svg"], changed().as_bytes());
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.text().starts_with("- -> small.svg"), "{}", run.text());
    assert_snapshot!(folder.run(&["diff", "-", "-"]).whole(), @"
    exit 2
    --- stdout
    --- stderr
    boxwood: error: standard input can be only one of the two drawings
    ");
}

#[test]
fn a_drawing_from_standard_input_has_no_images_in_other_files() {
    let pixel = image::RgbaImage::from_pixel(1, 1, image::Rgba([200, 0, 0, 255]));
    let text = "<svg xmlns='http://www.w3.org/2000/svg' width='50' height='50'>
        <image id='i' width='9' height='9' href='pixel.png'/></svg>";
    let folder = Folder::new().with("a.svg", text);
    pixel.save(folder.path().join("pixel.png")).expect("the folder is writable");
    assert_eq!(folder.run(&["diff", "a.svg", "a.svg"]).code, 0);
    let run = folder.run_with_input(&["diff", "-", "a.svg", "--format", "csv"], text.as_bytes());
    assert_eq!(run.columns(&["change", "name"]), ["appeared,i", "damage,"]);
    assert!(run.stderr.contains("boxwood: warning: -: "), "{}", run.stderr);
}

#[test]
fn a_drawing_that_cannot_be_read_is_an_error() {
    let folder = folder().with("broken.svg", "<svg");
    assert_snapshot!(folder.run(&["diff", "missing.svg", "broken.svg", "--format", "jsonl"]).whole(), @r#"
    exit 2
    --- stdout
    {"schema":6,"kind":"error","file":"missing.svg","message":"cannot read missing.svg: No such file or directory (os error 2)"}
    {"schema":6,"kind":"error","file":"broken.svg","message":"cannot load broken.svg: the text is not well-formed XML: the document does not have a root node at 1:5, where the text ends"}
    --- stderr
    boxwood: error: cannot read missing.svg: No such file or directory (os error 2)
    boxwood: error: cannot load broken.svg: the text is not well-formed XML: the document does not have a root node at 1:5, where the text ends
    "#);
    let missing = ["missing.svg", "--zoom", "1"];
    let too_large = ["new.svg", "--zoom", "10000"];
    for more in [missing, too_large] {
        let args = ["diff", "small.svg", "--format", "json", "-o", "out.png"];
        let run = folder.run(&[&args[..], &more].concat());
        let document: Value = serde_json::from_str(run.text()).expect("it is JSON");
        assert_eq!((run.code, document["errors"].as_array().map(Vec::len)), (2, Some(1)), "{document}");
        assert!(!folder.path().join("out.png").exists());
    }
}

#[test]
fn the_picture_shows_the_new_drawing_with_the_damage() {
    let folder = folder();
    let run = folder.run(&[
        "diff",
        "small.svg",
        "new.svg",
        "-o",
        "out.png",
        "--zoom",
        "2",
        "--background",
        "white",
    ]);
    assert_eq!((run.code, run.stderr.as_str()), (1, ""));
    let picture = image::open(folder.path().join("out.png")).expect("it is a picture").into_rgba8();
    assert!(
        picture.width() >= 200 && picture.height() > 160,
        "the legend is below {:?}",
        picture.dimensions()
    );
    // The new circle in its colour, and the button, which has not changed, dimmed.
    assert_eq!(picture.get_pixel(160, 120).0, [0, 0, 0, 255]);
    assert_eq!(picture.get_pixel(160, 30).0, [153, 214, 201, 255]);
    for output in ["small.svg", "new.svg", "out.txt", "-", "no/such/folder.png"] {
        let run = folder.run(&["diff", "small.svg", "new.svg", "-o", output]);
        assert_eq!((run.code, run.text()), (2, ""), "{output}: {}", run.stderr);
    }
    assert_eq!(std::fs::read_to_string(folder.path().join("new.svg")).expect("it is there"), changed());
}

/// Two folders with a drawing that changes, one that does not, and one on each side only.
fn folders() -> Folder {
    let folder = Folder::new().with("old/a.svg", SMALL).with("new/a.svg", SMALL);
    let folder = folder.with("old/deep/b.svg", SMALL).with("new/deep/b.svg", changed());
    folder.with("old/gone.svg", SMALL).with("new/deep/added.svg", SMALL)
}

#[test]
fn folders_are_compared_by_path() {
    let folder = folders();
    assert_snapshot!(folder.run(&["diff", "old", "new/"]).whole(), @"
    exit 1
    --- stdout
    new/deep/added.svg: only in the new folder

    old/deep/b.svg -> new/deep/b.svg: 100 × 80 px, 3 changes, 3584 px² of damage in 4 rectangles (44.8 %)
    CHANGE       NAME               ELEMENT      X      Y  WIDTH  HEIGHT  POSITION
    - moved      corner             rect     10.00  10.00  20.00   15.50  4:5
    + moved      corner             rect     10.00  10.00  25.00   15.50  4:5
    ~ repainted  /svg/g[1]/path[1]  path     39.00  39.00  11.00   11.00  5:5
    + appeared   /svg/circle[1]     circle   75.00  55.00  10.00   10.00  7:3
    # damage                                  0.00   0.00  48.00   32.00
    # damage                                 32.00  32.00  32.00   16.00
    # damage                                 32.00  48.00  64.00   16.00
    # damage                                 64.00  64.00  32.00   16.00

    old/gone.svg: only in the old folder
    --- stderr
    boxwood: note: 2 files compared, 1 differ, 2 in one folder only
    ");
    let lines = folder.run(&["diff", "old", "new", "--format", "jsonl", "--quiet"]);
    let only: Vec<_> = lines.text().lines().filter(|line| line.contains("\"only\"")).collect();
    assert_snapshot!(only.join("\n"), @r#"
    {"schema":6,"kind":"only","only":"new","file":"new/deep/added.svg"}
    {"schema":6,"kind":"only","only":"old","file":"old/gone.svg"}
    "#);
    let json = folder.run(&["diff", "old", "new", "--format", "json", "--quiet"]);
    let document: Value = serde_json::from_str(json.text()).expect("it is JSON");
    assert_eq!(document["files"].as_array().map(Vec::len), Some(4));
    let same = folder.run(&["diff", "old", "old"]);
    assert_eq!((same.code, same.text()), (0, ""), "{}", same.stderr);
}

#[test]
fn folders_that_cannot_be_compared_are_refused() {
    let folder = folders().with("empty/notes.txt", "").with("broken/a.svg", "<svg");
    for wrong in [
        &["old/a.svg", "new"][..],
        &["old", "-"],
        &["old", "new", "-o", "a.png"],
        &["old", "new", "--format", "csv"],
    ] {
        let run = folder.run(&[&["diff"], wrong].concat());
        assert_eq!((run.code, run.text()), (2, ""), "{wrong:?}");
    }
    let broken = folder.run(&["diff", "old", "broken"]);
    assert_eq!(broken.code, 2);
    assert!(broken.text().contains("old/gone.svg: only in the old folder"), "{}", broken.whole());
    assert_eq!(folder.run(&["diff", "old", "empty"]).code, 2);
}

#[test]
fn differences_in_ignored_text_are_named() {
    let stderr = |old: &str, new: &str| {
        let svg = |body: &str| {
            format!(
                "<svg xmlns='http://www.w3.org/2000/svg' width='99' height='99'>{body}<rect width='9' height='9'/></svg>"
            )
        };
        let folder = Folder::new().with("old.svg", svg(old)).with("new.svg", svg(new));
        folder.run(&["diff", "old.svg", "new.svg"]).stderr
    };
    let start = "old.svg and new.svg also differ in text that is ignored, so its effect is not compared: ";
    for (old, new, expected) in [
        (
            "<style>rect { text-transform: uppercase }</style>",
            "<style>rect { text-transform: none }</style>",
            "the style sheet <style> at 1:",
        ),
        (
            "<g id='a' style='text-transform:uppercase'/>",
            "<g id='a' style='text-transform:lowercase'/>",
            "the attributes of a\n",
        ),
        (
            "<foreignObject id='f' width='9' height='9'><p xmlns='x'>A</p></foreignObject>",
            "<foreignObject id='f' width='9' height='9'><p xmlns='x'>B</p></foreignObject>",
            "the contents of f\n",
        ),
    ] {
        let found = stderr(old, new);
        assert!(found.contains(&format!("{start}{expected}")), "{found}");
        assert!(!stderr(old, old).contains(start));
    }
    // All of this is understood.
    let sheet = |color: &str| format!("<style>g {{ --c: {color} }}</style>");
    assert_eq!(stderr(&sheet("red"), &sheet("blue")), "");
}
