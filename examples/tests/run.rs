//! The examples do what they say.

use std::path::Path;
use std::process::Command;

const POSTER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../assets/svg/poster.svg");

fn stdout_of(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output().expect("the example was built");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("the example prints text")
}

#[test]
fn minimal() {
    assert_eq!(stdout_of(env!("CARGO_BIN_EXE_minimal"), &[]), "leaf 1: (80, 10, 100, 20)\nleaf 2: empty\n");
}

#[test]
fn boxes_of_an_svg() {
    let text = stdout_of(env!("CARGO_BIN_EXE_boxes_of_an_svg"), &[POSTER]);
    assert!(text.lines().count() > 5, "{text}");
    assert!(text.lines().all(|line| line.contains(" Fill: ") || line.contains(" Stroke: ")), "{text}");
}

#[test]
fn headless_png() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let png = folder.path().join("out.png");
    let png_text = png.to_str().expect("the path is text");
    stdout_of(env!("CARGO_BIN_EXE_headless_png"), &[POSTER, png_text]);
    let picture = image::open(Path::new(&png)).expect("the example wrote a picture").to_rgba8();
    let colours: std::collections::HashSet<_> = picture.pixels().collect();
    assert!(colours.len() > 10, "the picture is not blank");
}

#[test]
fn where_the_time_goes() {
    let text = stdout_of(env!("CARGO_BIN_EXE_where_the_time_goes"), &[POSTER]);
    let rows: Vec<_> = text.lines().filter(|line| line.starts_with("| poster.svg |")).collect();
    assert_eq!(rows.len(), 1, "{text}");
    let cells: Vec<_> = rows[0].trim_matches('|').split('|').map(str::trim).collect();
    let is_time = |cell: &&str| cell.trim_end_matches(" %").parse::<f64>().is_ok_and(|time| time >= 0.0);
    assert!(cells.len() == 12 && cells[1..].iter().all(is_time), "{text}");
}

#[test]
fn skeleton() {
    let text = stdout_of(env!("CARGO_BIN_EXE_skeleton"), &["20000"]);
    assert!(text.starts_with("20000 bones, ") && text.contains("within the bound"), "{text}");
}

#[test]
fn json_tree() {
    let text = stdout_of(env!("CARGO_BIN_EXE_json_tree"), &[]);
    assert!(text.contains("the parents of all") && text.contains("equal those of serde_json"), "{text}");

    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("in.json");
    let run = |json: &str| {
        std::fs::write(&file, json).expect("the file can be written");
        Command::new(env!("CARGO_BIN_EXE_json_tree")).arg(&file).output().expect("the example was built")
    };
    for json in ["7", " \"a[\\\"]\" ", "[]", r#"{"a]": ["\\", {"b\"{": null}], "a]": -1.5e3}"#] {
        let output = run(json);
        assert!(output.status.success(), "{json}: {}", String::from_utf8_lossy(&output.stderr));
    }
    let unknown = Command::new(env!("CARGO_BIN_EXE_json_tree")).arg("--line").output();
    assert!(!unknown.expect("the example was built").status.success());
    let refused = run("[1, 2");
    let message = String::from_utf8_lossy(&refused.stderr);
    assert!(!refused.status.success() && message.contains("byte 0: "), "{message}");
    std::fs::write(&file, "[1]\n\n{\"a\": 2}\n").expect("the file can be written");
    let lines =
        stdout_of(env!("CARGO_BIN_EXE_json_tree"), &["--lines", file.to_str().expect("the path is text")]);
    assert!(lines.contains("7 rows") && lines.contains("all 4 values"), "{lines}");
}

#[test]
fn brackets() {
    let text = stdout_of(env!("CARGO_BIN_EXE_brackets"), &[]);
    assert!(text.contains("49600 brackets"), "{text}");
    assert!(text.contains("generated:4:251: the deepest bracket, inside of 120 others\n"), "{text}");
    assert!(text.contains("the pairs equal those of a sequential function"), "{text}");

    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("source");
    let run = |syntax: &str, source: &str| {
        std::fs::write(&file, source).expect("the file can be written");
        let mut command = Command::new(env!("CARGO_BIN_EXE_brackets"));
        command.args(["--syntax", syntax]).arg(&file).output().expect("the example was built")
    };
    for (syntax, source, n) in [
        ("c", "", 0),
        ("c", "'[' \"(\\\"\" { ( /* ) */ [0'1] ) // }\n}", 6),
        ("json", r#"{"]": ["\\\"["]}"#, 4),
        ("scheme", "(let ([a #\\(]) ; )\n |(| \"(\")", 6),
        ("xml", "<?xml version='1.0'?><a b='>'><!-- <c> --><d/><e>]]</e></a>", 6),
    ] {
        let output = run(syntax, source);
        let stdout = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{source}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(stdout.contains(&format!(" {n} brackets")), "{source}: {stdout}");
    }
    for (syntax, source, expected) in [
        ("c", "{\n  f(a]);\n}", ":2:6: this bracket does not match the innermost open one"),
        ("c", "{\n\n", ":1:1: the bracket that opens here is not closed"),
        ("scheme", "(\"a", ":1:4: the text ends inside of something"),
        ("xml", "<a></a>\n</b>", ":2:2: this bracket closes nothing"),
        ("perl", "", "the syntax is c, json, scheme, or xml, not perl"),
    ] {
        let output = run(syntax, source);
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && message.contains(expected), "{source}: {message}");
    }
}

#[test]
fn vello_drop_in() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let png = folder.path().join("out.png");
    let text = stdout_of(env!("CARGO_BIN_EXE_vello_drop_in"), &[png.to_str().expect("the path is text")]);
    assert!(text.contains("vello.tile_buf"), "{text}");
    let picture = image::open(&png).expect("the example wrote a picture").to_rgba8();
    // 300 clips in each other. All but the outermost are as large as the picture, so only the
    // outermost has an effect.
    assert_eq!(picture.get_pixel(20, 128).0, [255, 255, 255, 255]);
    assert_eq!(picture.get_pixel(128, 128).0, [214, 92, 48, 255]);
}

#[test]
fn cull_draws() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let png = folder.path().join("out.png");
    let text = stdout_of(env!("CARGO_BIN_EXE_cull_draws"), &[png.to_str().expect("the path is text")]);
    // 17 rows show, the last by less than its second rectangle is lower.
    assert_eq!(text, "33 of 20000 rectangles are drawn\n");
    let picture = image::open(&png).expect("the example wrote a picture").to_rgba8();
    assert_eq!(picture.get_pixel(10, 128).0, [255, 255, 255, 255], "left of the list");
    assert_ne!(picture.get_pixel(60, 128).0, [255, 255, 255, 255], "in the list");
}

#[test]
fn draw_in_batches() {
    let windows = stdout_of(env!("CARGO_BIN_EXE_draw_in_batches"), &[]);
    let drawing = stdout_of(env!("CARGO_BIN_EXE_draw_in_batches"), &[POSTER]);
    for text in [&windows, &drawing] {
        assert!(text.contains("gives the picture of one draw per item"), "{text}");
    }
    // Fewer draws than items, and an order that is wrong can be seen.
    let numbers: Vec<u32> =
        windows.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse().ok()).collect();
    let [n_items, n_layers, n_batches, longest, n_wrong] = numbers[..] else { panic!("{windows}") };
    assert!(n_layers <= n_batches && 2 * n_batches < n_items && longest > 20 && n_wrong > 100, "{windows}");
}

#[test]
fn pick() {
    let windows = stdout_of(env!("CARGO_BIN_EXE_pick"), &[]);
    let drawing = stdout_of(env!("CARGO_BIN_EXE_pick"), &[POSTER]);
    for text in [&windows, &drawing] {
        assert!(text.contains("all answers are those of boxwood_cpu"), "{text}");
    }
    let numbers: Vec<u32> = windows.split([' ', ',', '\n']).filter_map(|word| word.parse().ok()).collect();
    let [n_elements, n_points, n_hits, n_leaves, ..] = numbers[..] else { panic!("{windows}") };
    assert!(n_elements > 4000 && n_points == 100_000, "{windows}");
    // Some points are between the windows, and most leaves are clipped away or hidden.
    assert!(n_hits > 30_000 && n_hits < n_points && n_leaves > 500 && n_leaves < n_elements, "{windows}");
}

#[test]
fn cull() {
    let text = stdout_of(env!("CARGO_BIN_EXE_cull"), &[]);
    assert!(text.contains("instead of") && text.contains("and looks the same"), "{text}");
    assert_eq!(text.matches(" of 40000 commands ").count(), 10, "{text}");
}

#[test]
fn repaint() {
    let text = stdout_of(env!("CARGO_BIN_EXE_repaint"), &[]);
    assert!(text.contains("and looks the same"), "{text}");
    assert!(text.matches("card Some(").count() > 5, "{text}");
}
