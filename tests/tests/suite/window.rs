//! The window on a virtual display, tested by its screenshots, its title, and its exit code.
#![cfg(target_os = "linux")]

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use boxwood_render::OVERLAY_STYLES;
use boxwood_tests::program_with_window;
use image::{Rgba, RgbaImage};

/// A red square of 100 x 100 in the middle of a drawing of 300 x 300, clipped to its right half.
pub(super) const DRAWING: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" width="300" height="300">
    <clipPath id="c"><rect x="150" y="0" width="150" height="300"/></clipPath>
    <g id="g" clip-path="url(#c)"><rect id="r" x="100" y="100" width="100" height="100" fill="#ff0000"/></g>
</svg>"##;

/// A pattern that matches every title of the window.
pub(super) const TITLE: &str = "drawing.svg|stdin";

/// A process that is killed when the test ends.
pub(super) struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a virtual display. Returns its server and its name.
pub(super) fn start_display() -> (Running, String) {
    // Without `-noreset` the server restarts when its last client leaves, and refuses connections
    // meanwhile.
    let mut server = Command::new("Xvfb")
        .args(["-displayfd", "1", "-screen", "0", "800x600x24", "-nolisten", "tcp", "-noreset"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the test needs Xvfb: on Debian `apt-get install xvfb`, or run tests/run");
    let mut line = String::new();
    BufReader::new(server.stdout.take().expect("it is piped"))
        .read_line(&mut line)
        .expect("Xvfb prints its display");
    (Running(server), format!(":{}", line.trim()))
}

/// The command `boxwood view` on a display.
pub(super) fn view_on(display: &str) -> Command {
    let mut command = Command::new(program_with_window());
    command.args(["view", "--no-system-fonts", "--background", "white"]);
    command.env("DISPLAY", display).env_remove("WAYLAND_DISPLAY");
    // There can be no folder here, so the recent files of the user stay as they are.
    command.env("XDG_STATE_HOME", "/dev/null");
    command
}

/// A virtual display with the program on it.
pub(super) struct Session {
    display: String,
    viewer: Running,
    _server: Running,
}

impl Session {
    /// Shows a file, or `input` on standard input if there is none.
    pub(super) fn start(file: Option<&Path>, input: &str) -> Self {
        let (server, display) = start_display();
        let viewer = view_on(&display);
        Self::with(viewer, file, input, (server, display))
    }

    /// The same, with a command for a display.
    pub(super) fn with(
        mut viewer: Command,
        file: Option<&Path>,
        input: &str,
        (server, display): (Running, String),
    ) -> Self {
        let mut viewer = viewer
            .arg(file.unwrap_or(Path::new("-")))
            .stdin(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut stdin = viewer.stdin.take().expect("it is piped");
        stdin.write_all(input.as_bytes()).expect("the program reads it, or it is empty");
        drop(stdin);
        let session = Self { display, viewer: Running(viewer), _server: server };
        // An element under the pointer would be highlighted.
        session.xdotool(&["mousemove", "0", "0"]);
        session
    }

    pub(super) fn screenshot(&self) -> RgbaImage {
        let output = Command::new("import")
            .args(["-window", "root", "png:-"])
            .env("DISPLAY", &self.display)
            .output()
            .expect("the test needs ImageMagick: on Debian `apt-get install imagemagick`, or run tests/run");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        image::load_from_memory(&output.stdout).expect("the screenshot is a picture").to_rgba8()
    }

    pub(super) fn xdotool(&self, arguments: &[&str]) {
        let status = Command::new("xdotool")
            .args(arguments)
            .env("DISPLAY", &self.display)
            .stdout(Stdio::null())
            .status()
            .expect("the test needs xdotool: on Debian `apt-get install xdotool`, or run tests/run");
        assert!(status.success(), "xdotool {arguments:?}");
    }

    /// Gives the window the keyboard focus, as a window manager would.
    pub(super) fn focus(&self) {
        self.xdotool(&["search", "--sync", "--onlyvisible", "--name", TITLE, "windowfocus", "--sync"]);
    }

    /// Waits until the title of the window contains `part`. Returns the title.
    pub(super) fn wait_for_title(&self, part: &str) -> String {
        let start = Instant::now();
        loop {
            let output = Command::new("xdotool")
                .args(["search", "--onlyvisible", "--name", TITLE, "getwindowname"])
                .env("DISPLAY", &self.display)
                .output()
                .expect("the test needs xdotool: on Debian `apt-get install xdotool`, or run tests/run");
            let title = String::from_utf8_lossy(&output.stdout).into_owned();
            if title.contains(part) {
                return title;
            }
            assert!(start.elapsed() < Duration::from_secs(120), "the title never contained {part}: {title}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Waits for the program to end successfully.
    pub(super) fn assert_ends(&mut self, limit: Duration) {
        let status = self.wait_for_end(limit);
        assert!(status.success(), "{status}");
    }

    /// Waits for the program to end.
    pub(super) fn wait_for_end(&mut self, limit: Duration) -> ExitStatus {
        let start = Instant::now();
        loop {
            if let Some(status) = self.viewer.0.try_wait().expect("it can be asked") {
                return status;
            }
            assert!(start.elapsed() < limit, "the program is still running after {limit:?}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    pub(super) fn press(&self, key: &str) {
        self.xdotool(&["key", key]);
    }

    /// Takes screenshots until one is as expected, and returns it. The first picture takes long,
    /// because its shaders are compiled in software.
    pub(super) fn wait_for(&self, what: &str, is_as_expected: impl Fn(&RgbaImage) -> bool) -> RgbaImage {
        let start = Instant::now();
        loop {
            let picture = self.screenshot();
            if is_as_expected(&picture) {
                return picture;
            }
            if start.elapsed() > Duration::from_secs(120) {
                let path = std::env::temp_dir().join("boxwood_window.png");
                picture.save(&path).expect("the screenshot can be saved");
                panic!("the window never showed {what}, see {}", path.display());
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    }
}

/// The number of pixels of a colour.
pub(super) fn count(picture: &RgbaImage, color: [u8; 3]) -> usize {
    let is_near = |pixel: &Rgba<u8>| pixel.0.iter().zip(color).all(|(p, c)| p.abs_diff(c) <= 2);
    picture.pixels().filter(|pixel| is_near(pixel)).count()
}

/// The smallest box around the pixels of a colour: left, top, right, bottom. Ends are exclusive.
fn bounds(picture: &RgbaImage, color: [u8; 3]) -> Option<[u32; 4]> {
    let near =
        picture.enumerate_pixels().filter(|(_, _, p)| p.0.iter().zip(color).all(|(p, c)| p.abs_diff(c) <= 2));
    near.fold(None, |bounds: Option<[u32; 4]>, (x, y, _)| {
        let [x0, y0, x1, y1] = bounds.unwrap_or([x, y, x, y]);
        Some([x0.min(x), y0.min(y), x1.max(x + 1), y1.max(y + 1)])
    })
}

pub(super) const RED: [u8; 3] = [255, 0, 0];

#[test]
fn the_window_shows_the_drawing_and_its_boxes() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("drawing.svg");
    std::fs::write(&file, DRAWING).expect("the drawing can be written");
    let mut session = Session::start(Some(&file), "");

    // At 100 % the clipped half of the square is 50 x 100 pixels.
    let is_drawn = |picture: &RgbaImage| count(picture, RED) > 1000;
    session.wait_for("the picture", is_drawn);
    session.focus();
    session.press("0");
    session.press("ctrl+0");
    let has_boxes = |p: &RgbaImage| OVERLAY_STYLES.iter().any(|style| bounds(p, style.color).is_some());
    let plain = session.wait_for("the picture at 100 %", |p| count(p, RED) == 50 * 100 && !has_boxes(p));
    let square = bounds(&plain, RED).expect("it is drawn");

    // The boxes of each kind alone: the leaf is twice as wide as its clipped box.
    let [x0, y0, x1, y1] = square;
    for style in OVERLAY_STYLES {
        session.press(&style.key.to_string());
        // The legend has the colours of the boxes too, so only the part around the drawing counts.
        let around = |picture: &RgbaImage| {
            let (left, top) = (x0.saturating_sub(60), y0.saturating_sub(10));
            let part =
                image::imageops::crop_imm(picture, left, top, x1 - left + 10, y1 - top + 10).to_image();
            bounds(&part, style.color).map(|[a, b, c, d]| [a + left, b + top, c + left, d + top])
        };
        let picture = session.wait_for(style.title, |p| around(p).is_some());
        let found = around(&picture).expect("it is shown");
        match style.name {
            "leaf" => assert_eq!(found, [x0 - 50, y0, x1, y1], "the whole square"),
            "clipped" | "group" => assert_eq!(found, square, "the part within the clip"),
            // Only the left and right sides of the clip box are within the part.
            "clip" => assert_eq!(found[0], x0, "the left side of the clip"),
            other => panic!("the test does not know the kind {other}"),
        }
        session.press("0");
        session.wait_for("no boxes", |p| around(p).is_none());
    }

    // A changed file is drawn again. A broken file keeps the old picture.
    std::fs::write(&file, DRAWING.replace("#ff0000", "#0000ff")).expect("the drawing can be written");
    session.wait_for("the changed file", |p| count(p, [0, 0, 255]) == 50 * 100);
    std::fs::write(&file, "<svg").expect("the drawing can be written");
    // The message appears above the drawing.
    let above = |p: &RgbaImage| image::imageops::crop_imm(p, 0, 0, p.width(), y0 - 101).to_image();
    let broken = session.wait_for("a message", |p| above(p) != above(&plain));
    assert!(count(&broken, [0, 0, 255]) >= 50 * 100, "the old picture stays");

    session.press("Escape");
    session.assert_ends(Duration::from_secs(30));
}

/// The lines around the hovered and the selected element, and the panels.
const HOVER: [u8; 3] = [0x56, 0xb4, 0xe9];
pub(super) const SELECTION: [u8; 3] = [0xf0, 0xe4, 0x42];
const PANEL: [u8; 3] = [0x2c, 0x2c, 0x33];

#[test]
fn pointing_highlights_an_element_and_a_click_selects_it() {
    let mut session = Session::start(None, DRAWING);
    session.wait_for("the picture", |picture| count(picture, RED) > 1000);
    session.focus();
    session.press("0");
    session.press("ctrl+0");
    // The bar that shows that the window is busy has the colour of the lines.
    let is_plain = |p: &RgbaImage| count(p, RED) == 50 * 100 && count(p, HOVER) == 0;
    let plain = session.wait_for("the picture at 100 %, without the bar", is_plain);
    assert_eq!(count(&plain, SELECTION), 0);
    let [x0, y0, x1, y1] = bounds(&plain, RED).expect("it is drawn");
    let middle = [(x0 + x1) / 2, (y0 + y1) / 2].map(|position| position.to_string());
    session.xdotool(&["mousemove", &middle[0], &middle[1]]);
    // The box of the clipped half, with lines of two pixels around it.
    let around = Some([x0 - 2, y0 - 2, x1 + 2, y1 + 2]);
    let lines = |picture: &RgbaImage, color| {
        // The label is above the box, and has the same colour.
        let part = image::imageops::crop_imm(picture, 0, y0 - 2, picture.width(), picture.height() - y0 + 2);
        bounds(&part.to_image(), color)
            .map(|[left, top, right, bottom]| [left, top + y0 - 2, right, bottom + y0 - 2])
    };
    session.wait_for("the box under the pointer", |p| lines(p, HOVER) == around);
    // The window must see the click before the pointer leaves.
    session.xdotool(&["click", "1", "sleep", "1", "mousemove", "1", "1"]);
    session.wait_for("the selected box", |p| lines(p, HOVER).is_none() && lines(p, SELECTION).is_some());

    // The panels at the sides are hidden in a small window.
    let n_panel_pixels = count(&plain, PANEL);
    session.press("t");
    session.press("i");
    session.wait_for("the tree and the inspector", |p| count(p, PANEL) > n_panel_pixels + 50_000);
    session.press("h");
    session.wait_for("the picture alone", |p| count(p, PANEL) < 1000);
    session.press("q");
    session.assert_ends(Duration::from_secs(30));
}

#[test]
fn a_missing_file_is_reported_and_the_others_are_shown() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    std::fs::write(folder.path().join("drawing.svg"), DRAWING).expect("the drawing can be written");
    let (server, display) = start_display();
    let mut viewer = view_on(&display)
        .args(["drawing.svg", "missing.svg"])
        .current_dir(folder.path())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut messages = BufReader::new(viewer.stderr.take().expect("it is piped"));
    let mut session = Session { display, viewer: Running(viewer), _server: server };
    let mut line = String::new();
    messages.read_line(&mut line).expect("the program prints a message before it opens the window");
    assert_eq!(line, "boxwood: error: there is no file missing.svg\n");
    assert!(session.wait_for_title("drawing.svg").contains("1/1"));
    session.focus();
    session.press("q");
    assert_eq!(session.wait_for_end(Duration::from_secs(30)).code(), Some(2));
}

/// A drawing that takes long to load: it has many elements, but not too many.
fn slow_to_load() -> String {
    let rect = "<rect width='9' height='9' transform='rotate(3)' stroke='red'/>";
    format!("<svg xmlns='http://www.w3.org/2000/svg' width='99' height='99'>{}</svg>", rect.repeat(600_000))
}

/// A drawing that takes long to draw: its groups are nested so deeply that Vello draws it in the
/// smallest parts.
fn slow_to_draw() -> String {
    let group = "<g opacity='0.999' clip-path='url(#c)'>";
    format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='600' height='500'>
            <clipPath id='c'><circle cx='300' cy='250' r='240'/></clipPath>
            {}<rect width='600' height='500' fill='red'/>{}</svg>",
        group.repeat(1_000),
        "</g>".repeat(1_000)
    )
}

#[test]
fn the_window_shows_that_it_is_busy_and_esc_cancels_the_work() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("drawing.svg");
    for (drawing, state) in [(slow_to_load(), "loading"), (slow_to_draw(), "drawing")] {
        std::fs::write(&file, drawing).expect("the drawing can be written");
        let mut session = Session::start(Some(&file), "");
        session.wait_for_title(&format!("drawing.svg — {state} — "));
        session.focus();
        // The view still follows the size of the window, which the title shows.
        session.xdotool(&["search", "--onlyvisible", "--name", TITLE, "windowsize", "400", "300"]);
        session.press("ctrl+0");
        session.press("plus");
        session.wait_for_title(&format!("drawing.svg — {state} — 120 %"));
        session.press("Escape");
        // Only then does the title have no state between the name and the zoom.
        session.wait_for_title("drawing.svg — 120 %");
        session.press("Escape");
        // The part of the picture that is being drawn is finished first.
        session.assert_ends(Duration::from_secs(30));
    }
}

#[test]
fn the_window_can_be_closed_while_it_is_busy() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("drawing.svg");
    std::fs::write(&file, slow_to_draw()).expect("the drawing can be written");
    let mut session = Session::start(Some(&file), "");
    session.wait_for_title("drawing.svg — drawing — ");
    session.focus();
    session.press("q");
    session.assert_ends(Duration::from_secs(30));
}

/// winit panics if a library is missing. The program reports an error instead, and no panic.
#[test]
fn a_missing_library_of_the_windowing_system_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("drawing.svg");
    std::fs::write(&file, DRAWING).expect("the drawing can be written");
    // An empty file in place of a library cannot be loaded.
    for name in ["libxkbcommon-x11.so.0", "libxkbcommon-x11.so"] {
        std::fs::write(folder.path().join(name), "").expect("there is room for a file");
    }
    let (_server, display) = start_display();
    let output = view_on(&display).arg(&file).env("LD_LIBRARY_PATH", folder.path()).output();
    let output = output.expect("the program starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(
        stderr.starts_with("boxwood: error: cannot open a window: Library libxkbcommon-x11.so"),
        "{stderr}"
    );
    assert!(!stderr.contains("panicked"), "{stderr}");
}
