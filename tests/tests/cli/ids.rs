//! `boxwood query --id`: elements by their id or path.

use insta::assert_snapshot;

use crate::run::{Folder, SMALL};

#[test]
fn ids_and_paths_select_elements() {
    let args = ["query", "small.svg", "--backend", "cpu", "--kind", "clipped", "--format", "csv"];
    let folder = Folder::with_small();
    let run = folder.run(&[args.as_slice(), &["--id", "beside", "--id", "/svg/g[1]/path[1]"]].concat());
    assert_snapshot!(run.whole(), @"
    exit 0
    --- stdout
    file,name,has_id,element,path,line,column,class,kind,order,x,y,width,height,x0,y0,x1,y1,vocabulary,include,space,unit,reason
    small.svg,/svg/g[1]/path[1],false,path,/svg/g[1]/path[1],5,5,,clipped,3,39,39,11,11,39,39,50,50,ink,,scene,px,
    small.svg,beside,true,rect,/svg/rect[1],7,3,,clipped,4,60,10,30,20,60,10,90,30,ink,,scene,px,
    --- stderr
    ");
}

#[test]
fn the_path_of_an_element_with_an_id_selects_it_too() {
    let folder = Folder::with_small();
    let ids = |id| folder.run(&["query", "small.svg", "--backend", "cpu", "--id", id]).whole();
    assert_eq!(ids("/svg/rect[1]"), ids("beside"));
    assert_eq!(ids("/svg/clipPath[1]"), ids("hole"), "an element that is not drawn");
}

#[test]
fn an_unknown_id_is_a_negative_answer() {
    let folder = Folder::with_small().with("b.svg", SMALL.replace("beside", "elsewhere"));
    let args = ["query", "small.svg", "b.svg", "--backend", "cpu", "--kind", "clipped", "--format", "csv"];
    let run = folder.run(&[args.as_slice(), &["--id", "elsewhere", "--id", "nowhere"]].concat());
    assert_snapshot!(run.whole(), @"
    exit 1
    --- stdout
    file,name,has_id,element,path,line,column,class,kind,order,x,y,width,height,x0,y0,x1,y1,vocabulary,include,space,unit,reason
    b.svg,elsewhere,true,rect,/svg/rect[1],7,3,,clipped,4,60,10,30,20,60,10,90,30,ink,,scene,px,
    --- stderr
    boxwood: no element has the id or path `nowhere`
    boxwood: note: 2 files, 16 elements, 0 failed, T s
    ");
}

#[test]
fn an_id_that_is_not_drawn_has_a_row_with_the_reason() {
    let used = r##"<svg xmlns="http://www.w3.org/2000/svg" width="100" height="80">
        <symbol id="s"><rect id="part" width="9" height="9"/></symbol><use id="u" href="#s"/>
        <text id="t" y="50">one <tspan id="word">two</tspan></text><rect id="gone" display="none"/></svg>"##;
    let folder = Folder::with_small().with("used.svg", used);
    let args = ["query", "small.svg", "used.svg", "--backend", "cpu", "--no-system-fonts", "--format", "csv"];
    let ids = ["--kind", "group", "--id", "u", "--id", "part", "--id", "word", "--id", "gone"];
    assert_snapshot!(folder.run(&[args.as_slice(), &ids].concat()).whole(), @"
    exit 0
    --- stdout
    file,name,has_id,element,path,line,column,class,kind,order,x,y,width,height,x0,y0,x1,y1,vocabulary,include,space,unit,reason
    used.svg,u,true,use,/svg/use[1],2,71,,group,1,0,0,9,9,0,0,9,9,ink,,scene,px,
    used.svg,/svg/use[1] → /svg/symbol[1]/rect[1],false,rect,/svg/use[1] → /svg/symbol[1]/rect[1],2,24,,,2,,,,,,,,,ink,,scene,px,other-boxes
    used.svg,word,true,tspan,/svg/text[1]/tspan[1],3,33,,,4,,,,,,,,,ink,,scene,px,other-boxes
    used.svg,part,true,rect,/svg/symbol[1]/rect[1],2,24,,,6,,,,,,,,,ink,,scene,px,definition
    used.svg,gone,true,rect,/svg/rect[1],3,68,,,7,,,,,,,,,ink,,scene,px,display-none
    --- stderr
    boxwood: note: 2 files, 15 elements, 0 failed, T s
    ");
}

#[test]
fn a_part_of_a_text_has_an_object_box() {
    let text = r#"<svg xmlns="http://www.w3.org/2000/svg" width="100" height="80" font-size="10">
        <text y="50">one <tspan id="word">two</tspan></text></svg>"#;
    let folder = Folder::new().with("text.svg", text);
    let args =
        ["query", "text.svg", "--backend", "cpu", "--no-system-fonts", "--id", "word", "--format", "csv"];
    let run = folder.run(&[args.as_slice(), &["--include", "fill"]].concat());
    let columns = ["name", "x", "y", "reason"];
    assert_eq!(run.columns(&columns), ["word,20.47,39.31,"], "{}", run.whole());
}

#[test]
fn an_element_without_the_requested_kind_of_box_has_a_row_with_the_reason() {
    let args = ["query", "small.svg", "--backend", "cpu", "--id", "beside", "--format", "csv", "--kind"];
    let folder = Folder::with_small();
    let query = |kinds| {
        let run = folder.run(&[args.as_slice(), &[kinds]].concat());
        assert_eq!((run.code, run.stderr.as_str()), (0, ""));
        run.columns(&["name", "kind", "x", "reason"])
    };
    assert_eq!(query("group"), ["beside,,,other-boxes"]);
    assert_eq!(query("group,leaf"), ["beside,leaf,60,"]);
}

/// Groups without an effect, one of them empty, and a shape with its own clip.
const GROUPS: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" width="100" height="80">
  <clipPath id="hole"><rect x="10" y="10" width="40" height="40"/></clipPath>
  <g id="layer">
    <g transform="translate(-5 0)"><rect id="r" width="30" height="25" clip-path="url(#hole)"/></g>
    <rect id="beside" x="60" y="-10" width="30" height="20"/>
  </g>
  <g id="empty"/>
</svg>"##;

#[test]
fn groups_and_clipped_shapes_are_found_by_their_id() {
    let folder = Folder::new().with("groups.svg", GROUPS);
    let args = ["query", "groups.svg", "--backend", "cpu", "--precision", "0"];
    assert_snapshot!(folder.run(&args).whole(), @"
    exit 0
    --- stdout
    groups.svg: 100 × 80 px, ink boxes in px of the scene (cpu)
    NAME            ELEMENT   KIND        X    Y  WIDTH  HEIGHT  REASON
    /svg            svg       clip        0    0    100      80
    /svg            svg       group       5    0     85      25
    layer           g         group       5    0     85      25
    /svg/g[1]/g[1]  g         group       5   10     20      15
    r               rect      leaf       -5    0     30      25
    r               rect      clipped     5   10     20      15
    r               rect      clip        5   10     40      40
    r               rect      group       5   10     20      15
    beside          rect      leaf       60  -10     30      20
    beside          rect      clipped    60    0     30      10
    empty           g         group    none                      no-contents
    hole            clipPath           none                      definition
    --- stderr
    ");
    let ids = ["--id", "layer", "--id", "/svg/g[1]/g[1]", "--id", "empty", "--kind", "group"];
    assert_snapshot!(folder.run(&[args.as_slice(), &ids].concat()).whole(), @"
    exit 0
    --- stdout
    groups.svg: 100 × 80 px, ink boxes in px of the scene (cpu)
    NAME            ELEMENT  KIND      X   Y  WIDTH  HEIGHT  REASON
    layer           g        group     5   0     85      25
    /svg/g[1]/g[1]  g        group     5  10     20      15
    empty           g        group  none                     no-contents
    --- stderr
    ");
    let clip =
        ["query", "groups.svg", "--backend", "cpu", "--format", "jsonl", "--id", "r", "--kind", "clip"];
    assert_snapshot!(folder.run(&clip).whole(), @r#"
    exit 0
    --- stdout
    {"schema":6,"vocabulary":"ink","space":"scene","unit":"px","file":"groups.svg","name":"r","has_id":true,"element":"rect","path":"/svg/g[1]/g[1]/rect[1]","line":4,"column":36,"class":"","kind":"clip","include":[],"order":3,"parent":"/svg/g[1]/g[1]","box":[5.0,10.0,45.0,50.0],"reason":null,"x":5.0,"y":10.0,"width":40.0,"height":40.0,"x0":5.0,"y0":10.0,"x1":45.0,"y1":50.0,"explanation":null}
    --- stderr
    "#);
}

#[test]
fn a_group_has_the_same_box_with_and_without_an_effect() {
    let folder =
        Folder::new().with("a.svg", GROUPS).with("b.svg", GROUPS.replace("<g ", r#"<g opacity="0.5" "#));
    for id in ["layer", "/svg/g[1]/g[1]"] {
        let box_of = |file| {
            let run = folder.run(&["query", file, "--id", id, "--kind", "group", "--format", "csv"]);
            assert_eq!(run.code, 0, "{}", run.stderr);
            run.columns(&["x0", "y0", "x1", "y1"])
        };
        assert_eq!(box_of("a.svg"), box_of("b.svg"), "{id}");
    }
}

/// The drawing may have the id, and its error is enough.
#[test]
fn an_id_is_not_missing_if_a_drawing_cannot_be_loaded() {
    let folder = Folder::with_small().with("bad.svg", "<svg").with("folder/notes.txt", "");
    for files in [&["bad.svg"][..], &["small.svg", "bad.svg"], &["none.svg"], &["folder"]] {
        let args = ["query", "--backend", "cpu", "--id", "sun", "--quiet"];
        let run = folder.run(&[args.as_slice(), files].concat());
        assert_eq!((run.code, run.stderr.lines().count()), (2, 1), "{}", run.stderr);
        assert!(run.stderr.contains(files[files.len() - 1]), "{}", run.stderr);
    }
}

#[test]
fn a_selector_selects_elements() {
    let args = ["query", "small.svg", "--backend", "cpu", "--kind", "leaf", "--format", "csv", "--select"];
    let folder = Folder::with_small();
    let run = |selectors: &[&str]| folder.run(&[args.as_slice(), selectors].concat());
    assert_eq!(run(&["#clipped > rect, path"]).columns(&["name"]), ["corner", "/svg/g[1]/path[1]"]);
    assert_eq!(run(&["path", "--id", "beside"]).columns(&["name"]), ["/svg/g[1]/path[1]", "beside"]);
    let missing = run(&["circle"]);
    assert_eq!((missing.code, missing.text().lines().count()), (1, 1));
    assert_eq!(missing.stderr, "boxwood: no element matches the selector `circle`\n");
    let invalid = run(&["path, rect:hover"]);
    assert_eq!((invalid.code, invalid.text()), (2, ""));
    assert!(invalid.stderr.contains("`:hover` at character 11 is not supported"), "{}", invalid.stderr);
}

#[test]
fn the_place_of_an_element_is_printed() {
    let svg = r##"<svg xmlns="http://www.w3.org/2000/svg" width="100" height="80"><defs>
  <g id="twice"><rect class="logo big" width="9" height="9"/></g></defs>
  <use href="#twice"/></svg>"##;
    let folder = Folder::new().with("a.svg", svg);
    let run = folder.run(&["query", "a.svg", "--kind", "leaf", "--format", "csv"]);
    let columns = ["name", "element", "path", "line", "column", "class"];
    let path = "/svg/use[1] → /svg/defs[1]/g[1]/rect[1]";
    assert_eq!(run.columns(&columns)[0], format!("{path},rect,{path},2,17,logo big"));
}

#[test]
fn an_id_names_what_a_use_draws_as_a_selector_does() {
    let svg = r##"<svg xmlns="http://www.w3.org/2000/svg" width="100" height="80">
        <symbol id="s"><rect id="part" width="9" height="9"/></symbol><use href="#s"/><use href="#s" x="20"/></svg>"##;
    let folder = Folder::new().with("used.svg", svg);
    let query = |by: &[&str]| {
        let args = ["query", "used.svg", "--backend", "cpu", "--kind", "leaf", "--format", "csv"];
        folder.run(&[&args[..], by].concat())
    };
    let run = query(&["--id", "part"]);
    let path = "/svg/symbol[1]/rect[1]";
    let expected = [
        format!("/svg/use[1] → {path},0,"),
        format!("/svg/use[2] → {path},20,"),
        "part,,definition".to_owned(),
    ];
    assert_eq!(run.columns(&["name", "x", "reason"]), expected, "{}", run.whole());
    assert_eq!(run.whole(), query(&["--select", "#part"]).whole());
    assert_eq!(query(&["--id", path]).columns(&["name"]), ["part"], "a path names one element");
}

#[test]
fn an_id_that_looks_like_a_selector_or_a_list_has_a_hint() {
    let folder = Folder::with_small();
    let run =
        folder.run(&["query", "small.svg", "--id", "#beside", "--id", "corner,beside", "--format", "csv"]);
    let render = folder.run(&["render", "small.svg", "--crop", "#beside", "-o", "a.png"]);
    assert_eq!((run.code, render.code), (1, 2));
    assert_snapshot!(run.stderr + &render.stderr, @"
    boxwood: no element has the id or path `#beside`: an id is written without #, as `beside`, unless it is in a selector
    boxwood: no element has the id or path `corner,beside`: an option has one id, so repeat it for each one
    boxwood: error: cannot crop small.svg: no element has the id or path `#beside`: an id is written without #, as `beside`, unless it is in a selector
    ");
}
