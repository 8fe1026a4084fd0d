//! The files of the window on a virtual display.
#![cfg(target_os = "linux")]

use std::fs;
use std::time::Duration;

use super::window::{DRAWING, RED, Session, count, start_display, view_on};

const BLUE: [u8; 3] = [0, 0, 255];
const GREEN: [u8; 3] = [0, 255, 0];

#[test]
fn the_keys_go_through_the_folder_which_is_watched() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let write = |name: &str, color: &str| {
        let drawing = DRAWING.replace("#ff0000", color);
        fs::write(folder.path().join(name), drawing).expect("the drawing can be written");
    };
    write("drawing.svg", "#ff0000");
    write("drawing.svg.b.svg", "#0000ff");
    fs::create_dir(folder.path().join("state")).expect("a folder can be made");
    let (server, display) = start_display();
    let mut command = view_on(&display);
    command.env("XDG_STATE_HOME", folder.path().join("state")).args(["--overlay", "none"]);
    let mut session = Session::with(command, Some(&folder.path().join("drawing.svg")), "", (server, display));
    session.wait_for("the first file", |picture| count(picture, RED) > 1000);
    assert!(session.wait_for_title("100 %").ends_with("1/2\n"));
    session.focus();
    session.press("End");
    session.wait_for("the last file", |picture| count(picture, BLUE) > 1000 && count(picture, RED) == 0);

    // A new file is found. The current one stays.
    write("drawing.svg.a.svg", "#00ff00");
    session.wait_for_title("drawing.svg.b.svg — 100 % — 3/3");
    session.press("Prior");
    session.wait_for_title("drawing.svg — 100 % — 1/3");
    // The list has a thumbnail of each file.
    session.press("e");
    session.wait_for("thumbnails", |picture| count(picture, BLUE) > 50 && count(picture, GREEN) > 50);
    session.press("e");

    // Another folder is opened by its path.
    let other = folder.path().join("other");
    fs::create_dir(&other).expect("a folder can be made");
    fs::write(other.join("drawing.svg"), DRAWING.replace("#ff0000", "#00ff00")).expect("it can be written");
    let before = session.screenshot();
    session.press("ctrl+o");
    session.wait_for("the sheet", |picture| *picture != before);
    session.xdotool(&["type", "--delay", "20", other.to_str().expect("it is UTF-8")]);
    session.press("Return");
    session.wait_for("the other folder", |picture| count(picture, GREEN) > 1000);
    session.wait_for_title("1/1");
    let recent = fs::read_to_string(folder.path().join("state/boxwood/recent")).expect("it is written");
    let names: Vec<_> =
        recent.lines().filter_map(|line| line.strip_prefix(folder.path().to_str()?)).collect();
    assert_eq!(names, ["/other/drawing.svg", "/drawing.svg", "/drawing.svg.b.svg"]);
    session.press("q");
    session.assert_ends(Duration::from_secs(30));
}
