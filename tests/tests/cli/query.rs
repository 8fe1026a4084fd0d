//! `boxwood query`.

use std::io::Read;
use std::process::Stdio;

use insta::assert_snapshot;
use serde_json::Value;

use crate::run::{Folder, SMALL};

#[test]
fn a_table_is_the_default() {
    let run = Folder::with_small().run(&["query", "small.svg", "--backend", "cpu"]);
    assert_snapshot!(run.whole(), @"
    exit 0
    --- stdout
    small.svg: 100 × 80 px, ink boxes in px of the scene (cpu)
    NAME               ELEMENT   KIND          X       Y    WIDTH  HEIGHT  REASON
    /svg               svg       clip      0.000   0.000  100.000  80.000
    /svg               svg       group    10.000  10.000   80.000  40.000
    clipped            g         clip     10.000  10.000   40.000  40.000
    clipped            g         group    10.000  10.000   40.000  40.000
    corner             rect      leaf      0.000   0.000   30.000  25.500
    corner             rect      clipped  10.000  10.000   20.000  15.500
    /svg/g[1]/path[1]  path      leaf     39.000  39.000   62.000  12.000
    /svg/g[1]/path[1]  path      clipped  39.000  39.000   11.000  11.000
    beside             rect      leaf     60.000  10.000   30.000  20.000
    beside             rect      clipped  60.000  10.000   30.000  20.000
    hole               clipPath             none                           definition
    --- stderr
    ");
}

#[test]
fn kinds_are_selected_and_files_come_in_order() {
    let folder = Folder::with_small().with("b.svg", SMALL);
    let args =
        ["query", "small.svg", "b.svg", "--kind", "clip,group", "--backend", "cpu", "--precision", "0"];
    assert_snapshot!(folder.run(&args).whole(), @"
    exit 0
    --- stdout
    small.svg: 100 × 80 px, ink boxes in px of the scene (cpu)
    NAME     ELEMENT   KIND      X   Y  WIDTH  HEIGHT  REASON
    /svg     svg       clip      0   0    100      80
    /svg     svg       group    10  10     80      40
    clipped  g         clip     10  10     40      40
    clipped  g         group    10  10     40      40
    hole     clipPath         none                     definition

    b.svg: 100 × 80 px, ink boxes in px of the scene (cpu)
    NAME     ELEMENT   KIND      X   Y  WIDTH  HEIGHT  REASON
    /svg     svg       clip      0   0    100      80
    /svg     svg       group    10  10     80      40
    clipped  g         clip     10  10     40      40
    clipped  g         group    10  10     40      40
    hole     clipPath         none                     definition
    --- stderr
    boxwood: note: 2 files, 16 elements, 0 failed, T s
    ");
}

#[test]
fn csv() {
    let run = Folder::with_small().run(&["query", "small.svg", "--format", "csv", "--backend", "cpu"]);
    assert_snapshot!(run.whole(), @"
    exit 0
    --- stdout
    file,name,has_id,element,path,line,column,class,kind,order,x,y,width,height,x0,y0,x1,y1,vocabulary,include,space,unit,reason
    small.svg,/svg,false,svg,/svg,1,1,,clip,0,0,0,100,80,0,0,100,80,ink,,scene,px,
    small.svg,/svg,false,svg,/svg,1,1,,group,0,10,10,80,40,10,10,90,50,ink,,scene,px,
    small.svg,clipped,true,g,/svg/g[1],3,3,,clip,1,10,10,40,40,10,10,50,50,ink,,scene,px,
    small.svg,clipped,true,g,/svg/g[1],3,3,,group,1,10,10,40,40,10,10,50,50,ink,,scene,px,
    small.svg,corner,true,rect,/svg/g[1]/rect[1],4,5,,leaf,2,0,0,30,25.5,0,0,30,25.5,ink,,scene,px,
    small.svg,corner,true,rect,/svg/g[1]/rect[1],4,5,,clipped,2,10,10,20,15.5,10,10,30,25.5,ink,,scene,px,
    small.svg,/svg/g[1]/path[1],false,path,/svg/g[1]/path[1],5,5,,leaf,3,39,39,62,12,39,39,101,51,ink,,scene,px,
    small.svg,/svg/g[1]/path[1],false,path,/svg/g[1]/path[1],5,5,,clipped,3,39,39,11,11,39,39,50,50,ink,,scene,px,
    small.svg,beside,true,rect,/svg/rect[1],7,3,,leaf,4,60,10,30,20,60,10,90,30,ink,,scene,px,
    small.svg,beside,true,rect,/svg/rect[1],7,3,,clipped,4,60,10,30,20,60,10,90,30,ink,,scene,px,
    small.svg,hole,true,clipPath,/svg/clipPath[1],2,3,,,5,,,,,,,,,ink,,scene,px,definition
    --- stderr
    ");
}

#[test]
fn json() {
    let run = Folder::with_small().run(&["query", "small.svg", "--format", "json", "--backend", "cpu"]);
    assert_snapshot!(run.whole(), @r#"
    exit 0
    --- stdout
    {
      "schema": 6,
      "vocabulary": "ink",
      "space": "scene",
      "unit": "px",
      "files": [
        {
          "file": "small.svg",
          "width": 100.0,
          "height": 80.0,
          "backend": "cpu",
          "adapter": null,
          "warnings": [],
          "rows": [
            {"name":"/svg","has_id":false,"element":"svg","path":"/svg","line":1,"column":1,"class":"","kind":"clip","include":[],"order":0,"parent":null,"box":[0.0,0.0,100.0,80.0],"reason":null,"x":0.0,"y":0.0,"width":100.0,"height":80.0,"x0":0.0,"y0":0.0,"x1":100.0,"y1":80.0,"explanation":null},
            {"name":"/svg","has_id":false,"element":"svg","path":"/svg","line":1,"column":1,"class":"","kind":"group","include":[],"order":0,"parent":null,"box":[10.0,10.0,90.0,50.0],"reason":null,"x":10.0,"y":10.0,"width":80.0,"height":40.0,"x0":10.0,"y0":10.0,"x1":90.0,"y1":50.0,"explanation":null},
            {"name":"clipped","has_id":true,"element":"g","path":"/svg/g[1]","line":3,"column":3,"class":"","kind":"clip","include":[],"order":1,"parent":"/svg","box":[10.0,10.0,50.0,50.0],"reason":null,"x":10.0,"y":10.0,"width":40.0,"height":40.0,"x0":10.0,"y0":10.0,"x1":50.0,"y1":50.0,"explanation":null},
            {"name":"clipped","has_id":true,"element":"g","path":"/svg/g[1]","line":3,"column":3,"class":"","kind":"group","include":[],"order":1,"parent":"/svg","box":[10.0,10.0,50.0,50.0],"reason":null,"x":10.0,"y":10.0,"width":40.0,"height":40.0,"x0":10.0,"y0":10.0,"x1":50.0,"y1":50.0,"explanation":null},
            {"name":"corner","has_id":true,"element":"rect","path":"/svg/g[1]/rect[1]","line":4,"column":5,"class":"","kind":"leaf","include":[],"order":2,"parent":"clipped","box":[0.0,0.0,30.0,25.5],"reason":null,"x":0.0,"y":0.0,"width":30.0,"height":25.5,"x0":0.0,"y0":0.0,"x1":30.0,"y1":25.5,"explanation":null},
            {"name":"corner","has_id":true,"element":"rect","path":"/svg/g[1]/rect[1]","line":4,"column":5,"class":"","kind":"clipped","include":[],"order":2,"parent":"clipped","box":[10.0,10.0,30.0,25.5],"reason":null,"x":10.0,"y":10.0,"width":20.0,"height":15.5,"x0":10.0,"y0":10.0,"x1":30.0,"y1":25.5,"explanation":null},
            {"name":"/svg/g[1]/path[1]","has_id":false,"element":"path","path":"/svg/g[1]/path[1]","line":5,"column":5,"class":"","kind":"leaf","include":[],"order":3,"parent":"clipped","box":[39.0,39.0,101.0,51.0],"reason":null,"x":39.0,"y":39.0,"width":62.0,"height":12.0,"x0":39.0,"y0":39.0,"x1":101.0,"y1":51.0,"explanation":null},
            {"name":"/svg/g[1]/path[1]","has_id":false,"element":"path","path":"/svg/g[1]/path[1]","line":5,"column":5,"class":"","kind":"clipped","include":[],"order":3,"parent":"clipped","box":[39.0,39.0,50.0,50.0],"reason":null,"x":39.0,"y":39.0,"width":11.0,"height":11.0,"x0":39.0,"y0":39.0,"x1":50.0,"y1":50.0,"explanation":null},
            {"name":"beside","has_id":true,"element":"rect","path":"/svg/rect[1]","line":7,"column":3,"class":"","kind":"leaf","include":[],"order":4,"parent":"/svg","box":[60.0,10.0,90.0,30.0],"reason":null,"x":60.0,"y":10.0,"width":30.0,"height":20.0,"x0":60.0,"y0":10.0,"x1":90.0,"y1":30.0,"explanation":null},
            {"name":"beside","has_id":true,"element":"rect","path":"/svg/rect[1]","line":7,"column":3,"class":"","kind":"clipped","include":[],"order":4,"parent":"/svg","box":[60.0,10.0,90.0,30.0],"reason":null,"x":60.0,"y":10.0,"width":30.0,"height":20.0,"x0":60.0,"y0":10.0,"x1":90.0,"y1":30.0,"explanation":null},
            {"name":"hole","has_id":true,"element":"clipPath","path":"/svg/clipPath[1]","line":2,"column":3,"class":"","kind":null,"include":[],"order":5,"parent":null,"box":null,"reason":"definition","x":null,"y":null,"width":null,"height":null,"x0":null,"y0":null,"x1":null,"y1":null,"explanation":"is a <clipPath>, or in one, and is drawn only where something refers to it"}
          ]
        }
      ],
      "errors": []
    }
    --- stderr
    "#);
}

#[test]
fn json_lines() {
    let args = ["query", "small.svg", "--format", "jsonl", "--kind", "clipped", "--backend", "cpu"];
    assert_snapshot!(Folder::with_small().run(&args).whole(), @r#"
    exit 0
    --- stdout
    {"schema":6,"vocabulary":"ink","space":"scene","unit":"px","file":"small.svg","name":"corner","has_id":true,"element":"rect","path":"/svg/g[1]/rect[1]","line":4,"column":5,"class":"","kind":"clipped","include":[],"order":2,"parent":"clipped","box":[10.0,10.0,30.0,25.5],"reason":null,"x":10.0,"y":10.0,"width":20.0,"height":15.5,"x0":10.0,"y0":10.0,"x1":30.0,"y1":25.5,"explanation":null}
    {"schema":6,"vocabulary":"ink","space":"scene","unit":"px","file":"small.svg","name":"/svg/g[1]/path[1]","has_id":false,"element":"path","path":"/svg/g[1]/path[1]","line":5,"column":5,"class":"","kind":"clipped","include":[],"order":3,"parent":"clipped","box":[39.0,39.0,50.0,50.0],"reason":null,"x":39.0,"y":39.0,"width":11.0,"height":11.0,"x0":39.0,"y0":39.0,"x1":50.0,"y1":50.0,"explanation":null}
    {"schema":6,"vocabulary":"ink","space":"scene","unit":"px","file":"small.svg","name":"beside","has_id":true,"element":"rect","path":"/svg/rect[1]","line":7,"column":3,"class":"","kind":"clipped","include":[],"order":4,"parent":"/svg","box":[60.0,10.0,90.0,30.0],"reason":null,"x":60.0,"y":10.0,"width":30.0,"height":20.0,"x0":60.0,"y0":10.0,"x1":90.0,"y1":30.0,"explanation":null}
    {"schema":6,"vocabulary":"ink","space":"scene","unit":"px","file":"small.svg","name":"hole","has_id":true,"element":"clipPath","path":"/svg/clipPath[1]","line":2,"column":3,"class":"","kind":null,"include":[],"order":5,"parent":null,"box":null,"reason":"definition","x":null,"y":null,"width":null,"height":null,"x0":null,"y0":null,"x1":null,"y1":null,"explanation":"is a <clipPath>, or in one, and is drawn only where something refers to it"}
    --- stderr
    "#);
}

/// The box of each row of a JSON document, in the form of CSV.
fn rows_as_in_csv(document: &Value) -> Vec<String> {
    let files = document["files"].as_array().expect("files are a list");
    let rows = files.iter().flat_map(|file| file["rows"].as_array().expect("rows are a list"));
    rows.map(|row| {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        #[expect(clippy::cast_possible_truncation, reason = "the values are those of f32")]
        let number = |key| row[key].as_f64().map_or(String::new(), |value| (value as f32).to_string());
        let numbers = ["x", "y", "width", "height", "x0", "y0", "x1", "y1"].map(number).join(",");
        let edges = row["box"].as_array().map(|edges| edges.iter().collect::<Vec<_>>());
        let fields = ["x0", "y0", "x1", "y1"].map(|key| &row[key]);
        assert!(edges.map_or(row["box"].is_null(), |edges| edges == fields), "{row}");
        format!("{},{},{numbers}", text(&row["name"]), text(&row["kind"]))
    })
    .collect()
}

#[test]
fn json_and_csv_have_the_same_numbers() {
    let curves = r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 30" width="100" height="100">
        <g id="turned" opacity="0.5" transform="rotate(17)"><circle id="c" cx="9.1" cy="1e-3" r="3.3"/></g>
        <rect id="off" x="-20" y="0" width="10" height="10"/></svg>"#;
    let folder = Folder::with_small().with("curves.svg", curves);
    let query =
        |format| folder.run(&["query", "small.svg", "curves.svg", "--backend", "cpu", "--format", format]);
    let document: Value = serde_json::from_str(query("json").text()).expect("it is JSON");
    let columns = ["name", "kind", "x", "y", "width", "height", "x0", "y0", "x1", "y1"];
    let from_csv = query("csv").columns(&columns);
    assert!(from_csv.len() > 15, "{from_csv:?}");
    assert!(from_csv.contains(&"off,clipped,,,,,,,,".to_owned()), "{from_csv:?}");
    assert_eq!(rows_as_in_csv(&document), from_csv);
}

/// Terminals show a CJK character in two columns.
#[test]
fn columns_of_a_table_are_aligned_on_a_terminal() {
    let svg = r#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">
        <rect id="図形" width="9" height="9"/><rect id="größe" width="9" height="9"/></svg>"#;
    let folder = Folder::new().with("wide.svg", svg);
    let run = folder.run(&["query", "wide.svg", "--backend", "cpu", "--kind", "leaf", "--precision", "0"]);
    assert_snapshot!(run.text(), @"
    wide.svg: 9 × 9 px, ink boxes in px of the scene (cpu)
    NAME   ELEMENT  KIND  X  Y  WIDTH  HEIGHT
    図形   rect     leaf  0  0      9       9
    größe  rect     leaf  0  0      9       9
    ");
}

#[test]
fn the_gpu_and_the_cpu_print_the_same_boxes() {
    let folder = Folder::with_small();
    let on = |backend| folder.run(&["query", "small.svg", "--format", "csv", "--backend", backend]);
    let (gpu, cpu) = (on("gpu"), on("cpu"));
    assert_eq!((gpu.code, gpu.stderr.as_str()), (0, ""));
    assert_eq!(gpu.text(), cpu.text());
    let gpu = folder.run(&["query", "small.svg", "--format", "json", "--backend", "gpu"]);
    let document: Value = serde_json::from_str(gpu.text()).expect("it is JSON");
    assert_eq!(document["files"][0]["backend"], "gpu");
    assert!(document["files"][0]["adapter"].is_string(), "{document}");
}

#[test]
fn standard_input() {
    let run = Folder::new()
        .run_with_input(&["query", "-", "--kind", "group", "--backend", "cpu"], SMALL.as_bytes());
    assert_snapshot!(run.whole(), @"
    exit 0
    --- stdout
    -: 100 × 80 px, ink boxes in px of the scene (cpu)
    NAME     ELEMENT   KIND        X       Y   WIDTH  HEIGHT  REASON
    /svg     svg       group  10.000  10.000  80.000  40.000
    clipped  g         group  10.000  10.000  40.000  40.000
    hole     clipPath           none                          definition
    --- stderr
    ");
}

#[test]
fn a_missing_file_does_not_stop_the_others() {
    let folder = Folder::with_small().with("b.svg", SMALL);
    let args =
        ["query", "small.svg", "missing.svg", "b.svg", "--kind", "group", "--backend", "cpu", "--format"];
    let run = folder.run(&[args.as_slice(), &["csv"]].concat());
    assert_snapshot!(run.whole(), @"
    exit 2
    --- stdout
    file,name,has_id,element,path,line,column,class,kind,order,x,y,width,height,x0,y0,x1,y1,vocabulary,include,space,unit,reason
    small.svg,/svg,false,svg,/svg,1,1,,group,0,10,10,80,40,10,10,90,50,ink,,scene,px,
    small.svg,clipped,true,g,/svg/g[1],3,3,,group,1,10,10,40,40,10,10,50,50,ink,,scene,px,
    small.svg,hole,true,clipPath,/svg/clipPath[1],2,3,,,5,,,,,,,,,ink,,scene,px,definition
    b.svg,/svg,false,svg,/svg,1,1,,group,0,10,10,80,40,10,10,90,50,ink,,scene,px,
    b.svg,clipped,true,g,/svg/g[1],3,3,,group,1,10,10,40,40,10,10,50,50,ink,,scene,px,
    b.svg,hole,true,clipPath,/svg/clipPath[1],2,3,,,5,,,,,,,,,ink,,scene,px,definition
    --- stderr
    boxwood: error: cannot read missing.svg: No such file or directory (os error 2)
    boxwood: note: 3 files, 16 elements, 1 failed, T s
    ");
    let run = folder.run(&[args.as_slice(), &["json"]].concat());
    let document: Value = serde_json::from_str(run.text()).expect("it is JSON");
    assert_eq!(document["files"].as_array().map(Vec::len), Some(2));
    assert_eq!(run.code, 2);
}

#[test]
fn the_output_is_json_even_if_no_file_can_be_loaded() {
    let run = Folder::new().run(&["query", "missing.svg", "--format", "json"]);
    let document: Value = serde_json::from_str(run.text()).expect("it is JSON");
    assert_eq!(document["files"].as_array().map(Vec::len), Some(0));
    assert_eq!(run.code, 2);
}

#[test]
fn folders_are_searched() {
    let folder = Folder::with_small().with("deep/er/b.svg", SMALL).with("deep/notes.txt", "not a drawing");
    let run = folder.run(&[
        "query",
        ".",
        "--kind",
        "clip",
        "--id",
        "clipped",
        "--backend",
        "cpu",
        "--format",
        "csv",
    ]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let files: Vec<_> = run.text().lines().skip(1).filter_map(|line| line.split(',').next()).collect();
    assert_eq!(files, ["./deep/er/b.svg", "./small.svg"]);
}

#[test]
fn a_warning_is_printed_once_per_kind_unless_quiet() {
    let missing = r#"<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10">
        <rect width="9" height="9"/><image width="9" height="9" href="a.png"/><image width="9" height="9" href="b.png"/></svg>"#;
    let folder = Folder::new().with("missing.svg", missing);
    let loud = folder.run(&["query", "missing.svg", "--backend", "cpu", "--format", "jsonl"]);
    let lines: Vec<_> = loud.stderr.lines().collect();
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(lines[0].starts_with("boxwood: warning: missing.svg: "), "{}", lines[0]);
    assert!(lines[0].contains("2 times"), "{}", lines[0]);
    let quiet = folder.run(&["query", "missing.svg", "--backend", "cpu", "--format", "jsonl", "-q"]);
    assert_eq!((quiet.code, quiet.stderr.as_str()), (0, ""));
    assert_eq!(quiet.text(), loud.text());
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let many: String = (0..20_000).map(|i| format!(r#"<rect x="{i}" width="1" height="1"/>"#)).collect();
    let svg = format!(r#"<svg xmlns="http://www.w3.org/2000/svg" width="20000" height="1">{many}</svg>"#);
    let folder = Folder::new().with("many.svg", svg);
    for format in ["table", "csv", "json", "jsonl", "svg"] {
        let mut child = folder
            .command(&["query", "many.svg", "--backend", "cpu", "--format", format])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command was built");
        let mut stdout = child.stdout.take().expect("standard output is piped");
        stdout.read_exact(&mut [0; 16]).expect("there is some output");
        drop(stdout);
        let output = child.wait_with_output().expect("the command runs");
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    }
}

#[test]
fn a_file_that_failed_before_the_pipe_was_closed_is_an_error() {
    let folder = Folder::with_small().with("bad.svg", "<svg");
    for (files, code) in [(["small.svg", "small.svg"], 0), (["bad.svg", "small.svg"], 2)] {
        let (reader, writer) = std::io::pipe().expect("a pipe can be made");
        drop(reader);
        let mut command = folder.command(&["query", "--backend", "cpu", "--id", "nothing", "--quiet"]);
        let output = command.args(files).stdout(writer).output().expect("the command runs");
        assert_eq!(output.status.code(), Some(code), "{files:?}");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(stderr.lines().count(), usize::from(code == 2), "{stderr}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_that_names_the_output() {
    let folder = Folder::with_small();
    for args in [
        ["query", "small.svg", "--backend", "cpu"].as_slice(),
        &["query", "small.svg", "--backend", "cpu", "--format", "json"],
        &["render", "small.svg", "--backend", "cpu", "-o", "-"],
        &["info"],
        &["--help"],
        &["query", "--help"],
        &["--version"],
    ] {
        let full = std::fs::File::options().write(true).open("/dev/full").expect("every Linux has it");
        let output = folder.command(args).stdout(full).output().expect("the command runs");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(
            stderr, "boxwood: error: cannot write standard output: No space left on device (os error 28)\n",
            "{args:?}"
        );
    }
}

#[test]
fn long_names_are_shortened_only_in_a_table() {
    let deep = ["<g>".repeat(60), "<path d='M0 0h9v9z'/>".to_owned(), "</g>".repeat(60)].concat();
    let svg = format!(r#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">{deep}</svg>"#);
    let folder = Folder::new().with("deep.svg", svg);
    let name = format!("{}/path[1]", "/g[1]".repeat(60));
    let query = |format| {
        let run =
            folder.run(&["query", "deep.svg", "--backend", "cpu", "--kind", "leaf", "--format", format]);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""));
        run
    };
    for format in ["csv", "json", "jsonl"] {
        assert!(query(format).text().contains(&name), "{format}");
    }
    assert_snapshot!(query("table").text(), @"
    deep.svg: 9 × 9 px, ink boxes in px of the scene (cpu)
    NAME                                              ELEMENT  KIND      X      Y  WIDTH  HEIGHT
    /svg/g[1]/g[…1]/g[1]/g[1]/g[1]/g[1]/g[1]/path[1]  path     leaf  0.000  0.000  9.000   9.000
    ");
}

#[test]
fn contradictory_arguments_are_errors() {
    let folder = Folder::with_small();
    let run = folder.run(&["query", "small.svg", "--format", "json", "--precision", "3"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("--precision is for tables, CSV and --query-all"), "{}", run.stderr);
    let run = folder.run(&["query", "small.svg", "--backend", "cpu", "--adapter", "x"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("leave one of them out"), "{}", run.stderr);
    let run = folder.run(&["query", "small.svg", "--include", "clipped"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("add fill, stroke or markers"), "{}", run.stderr);
    let run = folder.run(&["query", "small.svg", "--kind", "layer"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("possible values: leaf, clipped, clip, group, all"), "{}", run.stderr);
}
