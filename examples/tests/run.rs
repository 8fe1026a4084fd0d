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
    assert_eq!(
        stdout_of(env!("CARGO_BIN_EXE_minimal"), &[]),
        "leaf 1 is left with 20 x 10\nleaf 2 is clipped away\n"
    );
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
