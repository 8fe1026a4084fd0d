//! `boxwood check`.

use crate::run::{Folder, SMALL};

#[test]
fn the_gpu_agrees_with_the_specification() {
    let folder = Folder::with_small()
        .with("folder/b.svg", SMALL)
        .with("folder/empty.svg", r#"<svg xmlns="http://www.w3.org/2000/svg"/>"#)
        .with("folder/readme.txt", "not a drawing");
    let run = folder.run(&["check", "small.svg", "folder"]);
    assert_eq!(run.code, 0, "{}", run.whole());
    insta::assert_snapshot!(run.text(), @"
    ok         small.svg: 8 elements, 4 begins and ends
    ok         folder/b.svg: 8 elements, 4 begins and ends
    ok         folder/empty.svg: 2 elements, 2 begins and ends
    ");
    assert!(
        run.stderr.starts_with("boxwood: note: 3 ok, 0 different, 0 not compared, on "),
        "{}",
        run.stderr
    );
}

#[test]
fn a_file_that_does_not_load_does_not_stop_the_rest() {
    let folder = Folder::with_small().with("bad.svg", "<svg");
    let run = folder.run(&["check", "missing.svg", "bad.svg", "small.svg"]);
    assert_eq!(run.code, 2);
    assert!(run.text().starts_with("ok ") && run.text().contains("small.svg"), "{}", run.text());
    let lines: Vec<_> = run.stderr.lines().collect();
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert!(lines[0].starts_with("boxwood: error: cannot read missing.svg: "), "{}", lines[0]);
    assert!(lines[1].starts_with("boxwood: error: cannot load bad.svg: "), "{}", lines[1]);
    assert!(lines[2].starts_with("boxwood: note: 1 ok, 0 different, 2 not compared"), "{}", lines[2]);
}

#[test]
fn standard_input() {
    let run = Folder::new().run_with_input(&["check", "-", "-q"], SMALL.as_bytes());
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert!(run.text().starts_with("ok         -: "), "{}", run.text());
}

#[cfg(target_os = "linux")]
#[test]
fn without_an_adapter_it_prints_what_to_install() {
    let run = Folder::with_small().run_without_adapter(&["check", "small.svg"]);
    assert_eq!((run.code, run.text()), (2, ""));
    assert!(run.stderr.contains("no graphics adapter") && run.stderr.contains("install"), "{}", run.stderr);
}
