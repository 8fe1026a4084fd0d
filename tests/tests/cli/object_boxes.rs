//! `boxwood query`: object boxes, and the spaces of ink and object boxes.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::run::Folder;

/// The columns of object boxes.
const COLUMNS: &[&str] = &["name", "element", "x0", "y0", "x1", "y1", "vocabulary", "include", "space"];

#[test]
fn object_boxes_are_named_and_in_the_requested_space() {
    let svg = r#"<svg xmlns="http://www.w3.org/2000/svg" width="100" height="80">
        <clipPath id="c"><rect width="20" height="90"/></clipPath>
        <g id="g" transform="translate(10 20)" clip-path="url(#c)" opacity=".5">
          <rect id="r" width="30" height="10.5" stroke="red" stroke-width="2"/><path id="line" d="M0 5H9"/></g></svg>"#;
    let folder = Folder::new().with("a.svg", svg);
    let query = |more: &[&str]| {
        let args = ["query", "a.svg", "--backend", "cpu", "--format", "csv", "--id", "r"];
        let run = folder.run(&[args.as_slice(), more].concat());
        assert_eq!((run.code, run.stderr.as_str()), (0, ""));
        run.columns(COLUMNS)
    };
    assert_eq!(
        query(&["--id", "g", "--include", "fill"]),
        ["g,g,10,20,40,30.5,object,fill,scene", "r,rect,10,20,40,30.5,object,fill,scene",]
    );
    assert_eq!(
        query(&["--id", "g", "--include", "clipped,stroke,fill", "--space", "local"]),
        [
            "g,g,0,0,20,11.5,object,fill+stroke+clipped,local",
            "r,rect,-1,-1,31,11.5,object,fill+stroke+clipped,local",
        ]
    );
    assert_eq!(
        query(&["--kind", "clipped", "--space", "device", "--zoom", "3"]),
        ["r,rect,30,60,90,95,ink,,device"]
    );
    let json = folder.run(&["query", "a.svg", "--backend", "cpu", "--include", "fill", "--format", "json"]);
    let document: Value = serde_json::from_str(json.text()).expect("it is JSON");
    assert_eq!(document["vocabulary"], "object");
}

/// A shape with a stroke inside a clipped group, and shapes without a box.
const STROKED: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" width="100" height="80">
  <clipPath id="c"><rect width="20" height="90"/></clipPath>
  <g id="g" clip-path="url(#c)"><rect id="a,b" width="30" height="10.33333" stroke="red" stroke-width="2"/></g>
  <path d="M1 2H9"/><path id="line" d="M1 2H9"/><g id="empty"/>
</svg>"##;

#[test]
fn an_element_has_a_row_for_each_include() {
    let folder = Folder::new().with("a.svg", STROKED);
    let args =
        ["query", "a.svg", "--backend", "cpu", "--include", "fill", "--include", "clipped,stroke,fill"];
    let more = ["--id", "g", "--id", "a,b", "--space", "local"];
    let query = |format| folder.run(&[args.as_slice(), &more, &["--format", format]].concat());
    assert_snapshot!(query("table").whole(), @"
    exit 0
    --- stdout
    a.svg: 100 × 80 px, object boxes in the user space of each element (cpu)
    NAME  ELEMENT  PARTS                     X       Y   WIDTH  HEIGHT
    g     g        fill                  0.000   0.000  30.000  10.333
    g     g        fill+stroke+clipped   0.000   0.000  20.000  11.333
    a,b   rect     fill                  0.000   0.000  30.000  10.333
    a,b   rect     fill+stroke+clipped  -1.000  -1.000  32.000  12.333
    --- stderr
    ");
    let csv = query("csv");
    let row = "g,g,0,0,20,11.33333,object,fill+stroke+clipped,local";
    assert_eq!(csv.columns(COLUMNS).get(1).map(String::as_str), Some(row));
    let document: Value = serde_json::from_str(query("json").text()).expect("it is JSON");
    let rows = &document["files"][0]["rows"];
    assert_eq!(rows[0]["include"], json!(["fill"]));
    assert_eq!(rows[3]["include"], json!(["fill", "stroke", "clipped"]));
    assert_eq!((&rows[3]["x"], &rows[3]["width"]), (&json!(-1.0), &json!(32.0)));
}

#[test]
fn all_ids_are_printed_as_inkscape_prints_them() {
    let folder = Folder::new().with("a.svg", STROKED);
    let args = ["query", "a.svg", "--backend", "cpu", "--query-all"];
    let query = |more: &[&str]| folder.run(&[args.as_slice(), more].concat());
    assert_snapshot!(query(&[]).whole(), @"
    exit 0
    --- stdout
    g,0,0,20,11.333
    a,b,-1,-1,32,12.333
    line,1,2,8,0
    --- stderr
    ");
    assert_eq!(query(&["--include", "fill", "--id", "a,b", "--precision", "1"]).text(), "a,b,0,0,30,10.3\n");
    let zoomed = query(&["--space", "device", "--zoom", "10", "--id", "line"]);
    assert_eq!(zoomed.text(), "line,10,20,80,0\n");
    for more in [&["--format", "csv"][..], &["--kind", "leaf"], &["--include", "fill", "--include", "stroke"]]
    {
        assert_eq!(query(more).code, 2, "{more:?}");
    }
}

#[test]
fn arguments_that_contradict_each_other_are_refused() {
    let folder = Folder::with_small();
    for (more, message) in [
        (&["--space", "local"][..], "the space local is for object boxes: add include"),
        (&["--space", "local", "--at", "1,1"], "leave the space local out"),
        (&["--zoom", "2"], "the zoom is for the space device"),
        (&["--include", "fill", "--kind", "leaf"], "cannot be used with"),
        (&["--include", "nothing"], "invalid value"),
    ] {
        let run = folder.run(&[&["query", "small.svg", "--backend", "cpu"], more].concat());
        assert!(run.code == 2 && run.stderr.contains(message), "{more:?}: {}", run.stderr);
    }
}

#[test]
fn the_clip_of_the_viewport_can_be_omitted() {
    let folder = Folder::with_small();
    let args =
        ["query", "small.svg", "--backend", "cpu", "--format", "csv", "--id", "/svg", "--no-viewport-clip"];
    let run = folder.run(&args);
    assert_eq!(run.columns(COLUMNS), ["/svg,svg,10,10,90,50,ink,,scene"], "{}", run.stderr);
}

#[test]
fn an_invisible_element_has_an_object_box_and_no_ink_box() {
    let svg = r#"<svg xmlns="http://www.w3.org/2000/svg" width="100" height="80">
        <rect id="h" visibility="hidden" width="4" height="5"/><rect id="f" fill="none" x="1" width="4" height="5"/>
        <rect id="d" display="none" width="4" height="5"/></svg>"#;
    let folder = Folder::new().with("a.svg", svg);
    let args = ["query", "a.svg", "--backend", "cpu", "--format", "csv", "--id", "h", "--id", "f"];
    let objects = folder.run(&[args.as_slice(), &["--include", "fill"]].concat());
    assert_eq!(
        objects.columns(COLUMNS),
        ["h,rect,0,0,4,5,object,fill,scene", "f,rect,1,0,5,5,object,fill,scene"]
    );
    let ink = folder.run(&args);
    assert_eq!((ink.code, ink.stderr.as_str()), (0, ""));
    assert_eq!(ink.columns(&["name", "kind", "x", "reason"]), ["h,,,hidden", "f,,,no-paint"]);
    let args = ["query", "a.svg", "--backend", "cpu", "--format", "csv", "--include", "fill", "--id", "d"];
    assert_eq!(folder.run(&args).columns(&["name", "kind", "x", "reason"]), ["d,object,,display-none"]);
}

#[test]
fn an_empty_object_box_has_a_row() {
    let svg = r#"<svg xmlns="http://www.w3.org/2000/svg" width="250" height="200">
        <clipPath id="c"><rect width="25" height="25"/></clipPath>
        <rect id="e" x="100" width="30" height="30" clip-path="url(#c)"/></svg>"#;
    let folder = Folder::new().with("a.svg", svg);
    let query = |format: &str| {
        let args =
            ["query", "a.svg", "--backend", "cpu", "--include", "fill,clipped", "--id", "e", "--format"];
        let run = folder.run(&[&args[..], &[format]].concat());
        assert_eq!((run.code, run.stderr.as_str()), (0, ""));
        run.text().to_owned()
    };
    assert!(
        query("csv").ends_with(",object,1,,,,,,,,,object,fill+clipped,scene,px,clipped-away\n"),
        "{}",
        query("csv")
    );
    assert!(query("table").contains("none"), "{}", query("table"));
    assert!(query("jsonl").contains(r#""box":null,"reason":"clipped-away""#), "{}", query("jsonl"));
}

/// Every element with an id has a row, whatever it is.
#[test]
fn every_id_has_a_row() {
    let svg = r##"<svg xmlns="http://www.w3.org/2000/svg" width="100" height="80">
        <defs id="a"><linearGradient id="b"><stop id="c"/></linearGradient><rect id="d" width="5" height="5"/></defs>
        <metadata id="e"/><use id="f" href="#d"/><use id="g" href="#none"/><g id="h" display="none"><rect id="i"/></g>
        <rect id="j" x="200" width="5" height="5"/><rect id="k" opacity="0" width="5" height="5"/><text id="l"/></svg>"##;
    let folder = Folder::new().with("a.svg", svg);
    let kinds: [&[&str]; 4] =
        [&[], &["--kind", "clip"], &["--include", "fill"], &["--include", "stroke,clipped"]];
    for more in kinds {
        for id in 'a'..='l' {
            let id = id.to_string();
            let args = ["query", "a.svg", "--backend", "cpu", "--format", "csv", "--id", &id];
            let run = folder.run(&[args.as_slice(), more].concat());
            assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{id}");
            let rows = run.columns(&["name", "x", "reason"]);
            let is_there = rows.iter().any(|row| row.starts_with(&format!("{id},")));
            assert!(is_there && rows.iter().all(|row| !row.ends_with(",,")), "{rows:?}");
        }
    }
    let all =
        folder.run(&["query", "a.svg", "--backend", "cpu", "--format", "csv"]).columns(&["name", "reason"]);
    for row in [
        "b,definition",
        "e,not-graphics",
        "g,broken-reference",
        "i,display-none",
        "j,clipped-away",
        "k,transparent",
    ] {
        assert!(all.contains(&row.to_owned()), "{row}: {all:?}");
    }
}
