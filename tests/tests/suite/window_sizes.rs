//! Windows of extreme sizes on a virtual display.
#![cfg(target_os = "linux")]

use std::time::Duration;

use super::window::{DRAWING, RED, Session, TITLE, count};

#[test]
fn a_tiny_or_huge_window_keeps_working() {
    let mut session = Session::start(None, DRAWING);
    session.wait_for("the picture", |picture| count(picture, RED) > 1000);
    session.focus();
    // The third is larger than the textures of most devices.
    for size in [["1", "1"], ["1", "600"], ["20000", "100"], ["700", "500"]] {
        let resize = ["search", "--onlyvisible", "--name", TITLE, "windowsize", "--sync"];
        session.xdotool(&[&resize[..], &size[..]].concat());
        std::thread::sleep(Duration::from_millis(500));
    }
    session.press("ctrl+0");
    session.wait_for("the picture at 100 %", |picture| count(picture, RED) >= 40 * 100);
    assert!(!session.wait_for_title("100 %").contains("error"));
    session.press("q");
    session.assert_ends(Duration::from_secs(30));
}
