//! Exports, comparisons, and the tools of developers, in the window on a virtual display.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use boxwood_tests::repository;

use super::window::{DRAWING, RED, Session, count, start_display, view_on};

const BLUE: [u8; 3] = [0, 0, 255];
const MAGENTA: [u8; 3] = [255, 0, 255];
/// The pixels that differ, and the frame of an error.
const VERMILION: [u8; 3] = [0xd5, 0x5e, 0x00];

/// Shows `drawing.svg` of a folder without boxes at 100 %, with more arguments.
fn show(folder: &Path, arguments: &[&str]) -> Session {
    let file = folder.join("drawing.svg");
    fs::write(&file, DRAWING).expect("the drawing can be written");
    let (server, display) = start_display();
    let mut command = view_on(&display);
    command.args(arguments);
    let session = Session::with(command, Some(&file), "", (server, display));
    session.wait_for("the picture", |picture| count(picture, RED) > 1000);
    session.focus();
    session.press("ctrl+0");
    session.wait_for("the picture at 100 %", |picture| count(picture, RED) == 50 * 100);
    session
}

#[test]
fn the_view_is_exported_and_compared_with_a_file_that_is_chosen() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let mut session = show(folder.path(), &["--overlay", "none"]);
    session.press("ctrl+k");
    // The notice about the file may go first, so a screenshot does not show that the palette has
    // the focus.
    std::thread::sleep(Duration::from_secs(2));
    session.xdotool(&["type", "--delay", "20", "export the view"]);
    session.press("Return");
    let exported = folder.path().join("drawing-view.png");
    let start = Instant::now();
    let picture = loop {
        // The file may not be written yet.
        match image::open(&exported) {
            Ok(picture) => break picture.to_rgba8(),
            Err(error) => assert!(start.elapsed() < Duration::from_secs(60), "{error}"),
        }
        std::thread::sleep(Duration::from_millis(100));
    };
    assert_eq!(count(&picture, RED), 50 * 100);
    assert!(picture.width() > 300, "the room around the page is part of the view");

    let other = folder.path().join("other");
    fs::create_dir(&other).expect("a folder can be made");
    let other = other.join("blue.svg");
    fs::write(&other, DRAWING.replace("#ff0000", "#0000ff")).expect("the drawing can be written");
    let before = session.screenshot();
    session.press("ctrl+shift+d");
    session.wait_for("the sheet", |picture| *picture != before);
    session.xdotool(&["type", "--delay", "20", other.to_str().expect("it is UTF-8")]);
    session.press("Return");
    session.wait_for("the chosen file", |picture| count(picture, BLUE) == 50 * 100);
    session.press("ctrl+d");
    session.press("ctrl+d");
    session.wait_for("the difference", |picture| count(picture, VERMILION) == 50 * 100);
    session.press("Escape");
    session.wait_for("the picture again", |picture| count(picture, RED) == 50 * 100);
    session.press("Escape");
    session.assert_ends(Duration::from_secs(30));
}

#[test]
fn changed_shaders_are_used_unless_they_have_an_error() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let (source, shaders) = (repository().join("shaders/wgsl"), folder.path().join("wgsl"));
    for name in ["view/overlay.wgsl", "view/meshes.wgsl", "core/shared/entry.wgsl"] {
        let target = shaders.join(name);
        fs::create_dir_all(target.parent().expect("it is in a room")).expect("a folder can be made");
        fs::copy(source.join(name), target).expect("the shader can be copied");
    }
    let overlay = shaders.join("view/overlay.wgsl");
    let text = fs::read_to_string(&overlay).expect("it was copied");
    let with_color = |color: &str| {
        let changed = text.replace("return style.color;", &format!("return {color};"));
        assert_ne!(changed, text, "the shader has such a line");
        fs::write(&overlay, changed).expect("the shader can be written");
    };
    let arguments = ["--overlay", "leaf", "--shaders", shaders.to_str().expect("it is UTF-8")];
    let file = folder.path().join("drawing.svg");
    fs::write(&file, DRAWING).expect("the drawing can be written");
    let (server, display) = start_display();
    let mut command = view_on(&display);
    command.args(arguments);
    let mut session = Session::with(command, Some(&file), "", (server, display));
    session.wait_for("the picture", |picture| count(picture, RED) > 1000);
    with_color("vec4(1.0, 0.0, 1.0, 1.0)");
    let picture = session.wait_for("lines in another colour", |picture| count(picture, MAGENTA) > 100);
    let n_magenta = count(&picture, MAGENTA);
    assert_eq!(count(&picture, VERMILION), 0);
    with_color("vec3(1.0)");
    let broken = session.wait_for("the error", |picture| count(picture, VERMILION) > 200);
    assert_eq!(count(&broken, MAGENTA), n_magenta, "the picture before");
    with_color("vec4(0.0, 0.0, 1.0, 1.0)");
    session.wait_for("the repaired shader", |picture| {
        count(picture, BLUE) > 100 && count(picture, VERMILION) == 0
    });
    session.focus();
    session.press("q");
    session.assert_ends(Duration::from_secs(30));
}

#[test]
fn a_capture_without_renderdoc_is_an_error_that_names_it() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    fs::write(folder.path().join("drawing.svg"), DRAWING).expect("the drawing can be written");
    let (_server, display) = start_display();
    let mut command = view_on(&display);
    let output = command.args(["drawing.svg", "--capture-frame", "1"]).current_dir(folder.path()).output();
    let output = output.expect("the program starts");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("RenderDoc is not attached: start this program"), "{message}");
}

/// Shows a drawing in a folder that takes long to draw, starts to export the view, and closes the
/// window. Before that, it does something else to the folder. The file `errors` there gets the
/// messages of the program.
fn close_during_export(folder: &Path, before: impl FnOnce()) -> Session {
    let rects = "<rect width='300' height='300' fill='#f00' stroke='#f00'/>".repeat(400);
    let drawing = format!("<svg xmlns='http://www.w3.org/2000/svg' width='300' height='300'>{rects}</svg>");
    let file = folder.join("drawing.svg");
    fs::write(&file, drawing).expect("the drawing can be written");
    let errors = fs::File::create(folder.join("errors")).expect("a file can be made");
    let (server, display) = start_display();
    let mut command = view_on(&display);
    command.args(["--overlay", "none"]).stderr(errors);
    let session = Session::with(command, Some(&file), "", (server, display));
    session.wait_for_title("drawing.svg — drawing — ");
    session.wait_for_title("drawing.svg — 100 %");
    before();
    session.focus();
    session.press("ctrl+k");
    std::thread::sleep(Duration::from_secs(2));
    session.xdotool(&["type", "--delay", "20", "export the view"]);
    session.xdotool(&["key", "--delay", "150", "Return", "q"]);
    session
}

#[test]
fn a_window_that_is_closed_waits_for_the_export_of_its_view() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let mut session = close_during_export(folder.path(), || {});
    let errors = folder.path().join("errors");
    let start = Instant::now();
    while !fs::read_to_string(&errors).expect("it can be read").contains("waiting for 1 export\n") {
        assert!(start.elapsed() < Duration::from_secs(30), "nothing says that the program waits");
        std::thread::sleep(Duration::from_millis(50));
    }
    session.assert_ends(Duration::from_secs(60));
    let exported = image::open(folder.path().join("drawing-view.png")).expect("the picture is complete");
    assert!(count(&exported.to_rgba8(), RED) > 1000);
}

#[test]
fn an_export_that_fails_after_the_window_is_closed_is_an_error_of_the_program() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let inner = folder.path().join("inner");
    fs::create_dir(&inner).expect("a folder can be made");
    let other = folder.path().join("other");
    let remove = || fs::rename(&inner, &other).expect("a folder can be renamed");
    let status = close_during_export(&inner, remove).wait_for_end(Duration::from_secs(60));
    assert_eq!(status.code(), Some(2));
    let error = fs::read_to_string(other.join("errors")).expect("it can be read");
    assert!(error.contains("error: cannot write ") && error.contains("drawing-view.png: "), "{error}");
}

#[test]
fn a_window_that_loses_its_device_goes_on_with_another_one() {
    /// The line around a notice.
    const NOTICE: [u8; 3] = [0x56, 0xb4, 0xe9];
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("drawing.svg");
    fs::write(&file, DRAWING).expect("the drawing can be written");
    let (server, display) = start_display();
    let mut command = view_on(&display);
    command.args(["--overlay", "none", "--lose-device", "40"]);
    let mut session = Session::with(command, Some(&file), "", (server, display));
    session.wait_for("the picture", |picture| count(picture, RED) == 50 * 100);
    session.focus();
    // Each movement of the pointer beside the drawing presents the window again.
    let is_lost = |picture: &image::RgbaImage| count(picture, NOTICE) > 300;
    let start = Instant::now();
    while !is_lost(&session.screenshot()) {
        assert!(start.elapsed() < Duration::from_secs(60), "there is no notice of a lost device");
        for y in 100..120 {
            session.xdotool(&["mousemove", "60", &y.to_string()]);
        }
    }
    session.wait_for("the picture", |picture| is_lost(picture) && count(picture, RED) == 50 * 100);
    session.press("u");
    session.wait_for("a command", |picture| count(picture, RED) == 0);
    session.press("q");
    session.assert_ends(Duration::from_secs(30));
}
