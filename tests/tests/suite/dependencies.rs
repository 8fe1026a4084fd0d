//! What the crates depend on: one copy of the renderer's world, and libraries without windows.

use std::path::Path;
use std::process::Command;

fn lock_file() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.lock");
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{e}: {}", path.display()))
}

#[test]
fn there_is_one_copy_of_each_crate_of_the_renderers_world() {
    let lock = lock_file();
    for name in [
        "bytemuck",
        "image",
        "kurbo",
        "naga",
        "peniko",
        "resvg",
        "usvg",
        "vello",
        "vello_encoding",
        "vello_shaders",
        "wgpu",
        "winit",
    ] {
        let copies = lock.lines().filter(|line| *line == format!("name = \"{name}\"")).count();
        assert_eq!(copies, 1, "copies of {name}");
    }
}

#[test]
fn the_libraries_pull_in_no_window() {
    for library in ["boxwood", "boxwood_cpu", "boxwood_cpu", "boxwood_shaders", "boxwood_svg"] {
        let output = Command::new(env!("CARGO"))
            .args([
                "tree",
                "--locked",
                "--offline",
                "--edges",
                "normal",
                "--prefix",
                "none",
                "--package",
                library,
            ])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .expect("cargo runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let tree = String::from_utf8_lossy(&output.stdout);
        assert!(tree.contains(library), "{tree}");
        for window in ["winit ", "egui ", "x11rb ", "wayland-client ", "vello "] {
            assert!(!tree.lines().any(|line| line.starts_with(window)), "{library} pulls in {window}");
        }
    }
}
