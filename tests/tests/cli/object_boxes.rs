//! `boxwood query`: object boxes, and the spaces of ink and object boxes.

use serde_json::Value;

use crate::run::Folder;

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
        run.text().lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(
        query(&["--id", "g", "--include", "fill"]),
        [
            "a.svg,g,true,group,object,1,10,20,40,30.5,object,scene",
            "a.svg,r,true,path,object,2,10,20,40,30.5,object,scene",
        ]
    );
    assert_eq!(
        query(&["--id", "g", "--include", "clipped,stroke,fill", "--space", "local"]),
        [
            "a.svg,g,true,group,object,1,0,0,20,11.5,object,local",
            "a.svg,r,true,path,object,2,-1,-1,31,11.5,object,local",
        ]
    );
    assert_eq!(
        query(&["--kind", "clipped", "--space", "device", "--zoom", "3"]),
        ["a.svg,r,true,path,clipped,2,30,60,90,95,ink,device"]
    );
    let table =
        folder.run(&["query", "a.svg", "--backend", "cpu", "--include", "stroke,fill", "--space", "local"]);
    assert!(
        table
            .text()
            .starts_with("a.svg: 100 × 80 px, object (fill, stroke) boxes in the user space of each element")
    );
    let json = folder.run(&["query", "a.svg", "--backend", "cpu", "--include", "fill", "--format", "json"]);
    let document: Value = serde_json::from_str(json.text()).expect("it is JSON");
    assert_eq!((&document["vocabulary"], &document["include"][0]), (&"object".into(), &"fill".into()));
}

#[test]
fn arguments_that_contradict_each_other_are_refused() {
    let folder = Folder::with_small();
    for (more, message) in [
        (&["--space", "local"][..], "--space local is for object boxes"),
        (&["--zoom", "2"], "--zoom is for --space device"),
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
        ["query", "small.svg", "--backend", "cpu", "--format", "csv", "--id", "/", "--no-viewport-clip"];
    let run = folder.run(&args);
    let rows: Vec<_> = run.text().lines().skip(1).collect();
    assert_eq!(rows, ["small.svg,/,false,svg,group,0,10,10,90,50,ink,scene"], "{}", run.stderr);
}

#[test]
fn an_invisible_element_has_an_object_box_and_no_ink_box() {
    let svg = r#"<svg xmlns="http://www.w3.org/2000/svg" width="100" height="80">
        <rect id="h" visibility="hidden" width="4" height="5"/><rect id="f" fill="none" x="1" width="4" height="5"/>
        <rect id="d" display="none" width="4" height="5"/></svg>"#;
    let folder = Folder::new().with("a.svg", svg);
    let args = ["query", "a.svg", "--backend", "cpu", "--format", "csv", "--id", "h", "--id", "f"];
    let objects = folder.run(&[args.as_slice(), &["--include", "fill"]].concat());
    let rows: Vec<_> = objects.text().lines().skip(1).collect();
    assert_eq!(
        rows,
        [
            "a.svg,h,true,path,object,1,0,0,4,5,object,scene",
            "a.svg,f,true,path,object,2,1,0,5,5,object,scene"
        ]
    );
    let ink = folder.run(&args);
    assert_eq!((ink.code, ink.text().lines().count()), (1, 1));
    assert!(
        ink.stderr.contains(
            "the element `h` has no box of the requested kinds: it is hidden, transparent or without paint"
        ),
        "{}",
        ink.stderr
    );
    let left_out = folder.run(&["query", "a.svg", "--backend", "cpu", "--include", "fill", "--id", "d"]);
    assert!(left_out.code == 1 && left_out.stderr.contains("`display: none`"), "{}", left_out.stderr);
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
    assert!(query("csv").ends_with("a.svg,e,true,path,object,1,,,,,object,scene\n"), "{}", query("csv"));
    assert!(query("table").trim_end().ends_with("empty"), "{}", query("table"));
    assert!(query("jsonl").contains(r#""box":null"#), "{}", query("jsonl"));
}
