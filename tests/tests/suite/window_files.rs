//! The files of the window on a virtual display.
#![cfg(target_os = "linux")]

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use boxwood_render::OVERLAY_STYLES;
use boxwood_tests::program;

use super::window::{DRAWING, RED, SELECTION, Session, count, start_display, view_on};

const BLUE: [u8; 3] = [0, 0, 255];
const GREEN: [u8; 3] = [0, 255, 0];
/// The lines around errors.
const ERROR: [u8; 3] = [0xd5, 0x5e, 0];

#[test]
fn pictures_and_boxes_are_exported_next_to_the_file() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("drawing.svg");
    fs::write(&file, DRAWING).expect("the drawing can be written");
    let mut session = Session::start(Some(&file), "");
    session.wait_for("the picture", |picture| count(picture, RED) > 1000);
    session.focus();
    let wait_for_file = |name: &str| {
        let path = folder.path().join(name);
        let start = Instant::now();
        // The file is there before its contents are.
        while fs::metadata(&path).map_or(0, |file| file.len()) == 0 {
            assert!(start.elapsed() < Duration::from_secs(30), "{name} was never written");
            std::thread::sleep(Duration::from_millis(50));
        }
        std::thread::sleep(Duration::from_millis(200));
        fs::read(&path).expect("it can be read")
    };
    session.press("ctrl+shift+s");
    let picture = image::load_from_memory(&wait_for_file("drawing.png")).expect("it is a picture");
    assert_eq!((picture.width(), picture.height()), (300, 300));
    assert_eq!(count(&picture.to_rgba8(), RED), 50 * 100);
    session.press("ctrl+s");
    let picture = image::load_from_memory(&wait_for_file("drawing-boxes.png")).expect("it is a picture");
    assert!(count(&picture.to_rgba8(), OVERLAY_STYLES[1].color) > 100);

    session.press("ctrl+k");
    // The notice about the last export may go first, so a screenshot does not show that the palette
    // has the focus.
    std::thread::sleep(Duration::from_secs(2));
    session.xdotool(&["type", "--delay", "20", "boxes as csv"]);
    session.press("Return");
    let exported = wait_for_file("drawing-boxes.csv");
    let query = Command::new(program())
        .args(["query", "--no-system-fonts", "--backend", "cpu", "--format", "csv"])
        .arg(&file)
        .output()
        .expect("the program starts");
    assert_eq!(String::from_utf8_lossy(&exported), String::from_utf8_lossy(&query.stdout));

    // The sheet suggests a name that is free, and a relative path starts in the folder of the file.
    for (typed, name) in [("", "drawing-boxes-2.png"), ("relative", "relative.png")] {
        session.press("ctrl+e");
        std::thread::sleep(Duration::from_secs(1));
        if !typed.is_empty() {
            session.press("ctrl+a");
            session.xdotool(&["type", "--delay", "20", typed]);
        }
        session.press("Return");
        image::load_from_memory(&wait_for_file(name)).expect("it is a picture");
    }
    session.press("q");
    session.assert_ends(Duration::from_secs(30));
}

#[test]
fn a_file_that_is_broken_or_gone_keeps_its_picture_and_the_selection() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("drawing.svg");
    fs::write(&file, DRAWING).expect("the drawing can be written");
    let (server, display) = start_display();
    let mut command = view_on(&display);
    command.args(["--overlay", "none"]);
    let mut session = Session::with(command, Some(&file), "", (server, display));
    session.wait_for("the picture", |picture| count(picture, RED) == 50 * 100);
    session.wait_for_title("drawing.svg — 100 %");
    session.focus();
    // The third row of the tree is the square.
    for key in ["t", "Down", "Down", "Down"] {
        session.press(key);
    }
    let is_selected = |picture: &image::RgbaImage| count(picture, SELECTION) > 300;
    session.wait_for("the selection", is_selected);
    let has_all =
        |color| move |picture: &image::RgbaImage| count(picture, color) > 4000 && is_selected(picture);

    fs::write(&file, "<svg").expect("the file can be written");
    session.wait_for_title("drawing.svg — error — 100 %");
    session.wait_for("the old picture", has_all(RED));
    // A message is shown beside the error.
    let empty = folder.path().join("empty");
    fs::create_dir(&empty).expect("a folder can be made");
    let n_pixels_of_errors = |picture: &image::RgbaImage| count(picture, ERROR);
    let before = n_pixels_of_errors(&session.screenshot());
    assert!(before > 100, "{before}");
    let notes = folder.path().join("notes.txt");
    fs::write(&notes, "no drawing").expect("the file can be written");
    for path in [notes, empty] {
        session.press("ctrl+o");
        std::thread::sleep(Duration::from_secs(1));
        session.xdotool(&["type", "--delay", "20", path.to_str().expect("it is UTF-8")]);
        session.press("Return");
        session.wait_for("the message", |picture| n_pixels_of_errors(picture) > before * 3 / 2);
    }
    fs::remove_file(&file).expect("the file can be removed");
    std::thread::sleep(Duration::from_secs(1));
    session.wait_for_title("drawing.svg — error — 100 %");
    session.wait_for("the old picture", has_all(RED));
    fs::write(&file, DRAWING.replace("#ff0000", "#0000ff")).expect("the drawing can be written");
    session.wait_for_title("drawing.svg — 100 %");
    let picture = session.wait_for("the new picture", has_all(BLUE));
    assert!(n_pixels_of_errors(&picture) > 100, "the message about the folder stays");
    session.press("q");
    session.assert_ends(Duration::from_secs(30));
}

#[test]
fn a_version_that_the_gpu_cannot_draw_keeps_the_selection_and_is_exported_by_the_cpu() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("drawing.svg");
    fs::write(&file, DRAWING).expect("the file can be written");
    let mut session = Session::start(Some(&file), "");
    session.wait_for("the picture", |picture| count(picture, RED) > 4000);
    session.focus();
    for key in ["t", "Down", "Down", "Down"] {
        session.press(key);
    }
    let is_selected = |picture: &image::RgbaImage| count(picture, SELECTION) > 300;
    session.wait_for("the selection", is_selected);
    // These are more lines than Vello has room for.
    let path: String = (0..2_200_000).map(|i| format!("L{} {}", i % 97, i % 89)).collect();
    let complex = DRAWING.replace("</svg>", &format!(r#"<path d="M0 0{path}"/></svg>"#));
    fs::write(&file, complex).expect("the file can be written");
    session.wait_for_title("drawing.svg — error — 100 %");
    session.wait_for("the selection", is_selected);
    session.press("ctrl+shift+s");
    let (exported, start) = (folder.path().join("drawing.png"), Instant::now());
    while !exported.exists() {
        assert!(start.elapsed() < Duration::from_secs(60), "it is not exported");
        std::thread::sleep(Duration::from_millis(100));
    }
    fs::write(&file, DRAWING.replace("#ff0000", "#0000ff")).expect("the file can be written");
    session.wait_for_title("drawing.svg — 100 %");
    let is_drawn = |picture: &image::RgbaImage| count(picture, BLUE) > 4000 && is_selected(picture);
    session.wait_for("the new picture", is_drawn);
    session.press("q");
    session.assert_ends(Duration::from_secs(30));
}

#[test]
fn a_changed_file_is_compared_with_its_last_version() {
    const DIFFERENT: [u8; 3] = [0xd5, 0x5e, 0x00];
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("drawing.svg");
    fs::write(&file, DRAWING).expect("the drawing can be written");
    let (server, display) = start_display();
    let mut command = view_on(&display);
    command.args(["--overlay", "none"]);
    let mut session = Session::with(command, Some(&file), "", (server, display));
    session.wait_for("the picture", |picture| count(picture, RED) == 50 * 100);
    session.wait_for_title("drawing.svg — 100 %");
    session.focus();
    let before = session.screenshot();
    session.press("ctrl+d");
    session.wait_for("a notice", |picture| *picture != before);
    fs::write(&file, DRAWING.replace("#ff0000", "#0000ff")).expect("the drawing can be written");
    session.wait_for("the changed file", |picture| count(picture, BLUE) == 50 * 100);
    session.press("ctrl+d");
    session.wait_for("the version before", |picture| count(picture, RED) == 50 * 100);
    session.wait_for("the version after", |picture| count(picture, BLUE) == 50 * 100);
    // The line between the versions is at the pointer, at the left of the square.
    session.xdotool(&["mousemove", "20", "20"]);
    session.press("ctrl+d");
    let has_line = |picture: &image::RgbaImage| count(picture, SELECTION) > 100;
    session.wait_for("the right side", |picture| count(picture, BLUE) == 50 * 100 && has_line(picture));
    session.press("ctrl+d");
    session.wait_for("the difference", |picture| count(picture, DIFFERENT) == 50 * 100);
    // Esc would cancel a picture first.
    session.wait_for_title("drawing.svg — 100 %");
    session.press("Escape");
    session.wait_for("the picture again", |picture| count(picture, BLUE) == 50 * 100);
    session.press("Escape");
    session.assert_ends(Duration::from_secs(30));
}

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

#[test]
fn a_picture_that_ends_after_the_file_is_left_is_not_shown() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    // The picture takes long, and has one part, so it cannot be cancelled.
    let write = |name: &str, color: &str| {
        let rect = format!("<rect width='600' height='500' fill='{color}' stroke='{color}'/>");
        let rects = rect.repeat(60);
        let drawing =
            format!("<svg xmlns='http://www.w3.org/2000/svg' width='600' height='500'>{rects}</svg>");
        fs::write(folder.path().join(name), drawing).expect("the drawing can be written");
    };
    write("drawing.svg", "#ff0000");
    write("drawing.svg.b.svg", "#0000ff");
    let (server, display) = start_display();
    let mut command = view_on(&display);
    command.args(["--overlay", "none"]);
    let mut session = Session::with(command, Some(&folder.path().join("drawing.svg")), "", (server, display));
    session.wait_for_title("drawing.svg — drawing — ");
    session.focus();
    // An element at the pointer would have another colour.
    session.xdotool(&["mousemove", "1", "1"]);
    session.press("Right");
    // The next picture starts when the last one has ended. Until it ends too, there is a preview.
    session.wait_for_title("drawing.svg.b.svg — drawing — ");
    let picture = session.screenshot();
    assert_eq!(count(&picture, RED), 0, "the file before");
    assert!(count(&picture, BLUE) > 1000, "the preview");
    session.press("q");
    session.assert_ends(Duration::from_secs(30));
}

#[test]
fn standard_input_is_called_stdin_in_the_title() {
    let mut session = Session::start(None, DRAWING);
    session.wait_for("the picture", |picture| count(picture, RED) > 1000);
    let title = session.wait_for_title("100 %");
    assert!(title.starts_with("stdin — "), "{title}");
    session.focus();
    session.press("q");
    session.assert_ends(Duration::from_secs(30));
}
