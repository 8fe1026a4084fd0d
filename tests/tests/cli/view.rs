//! `boxwood view` without a display, an adapter, or drawings.

use crate::run::{Folder, Run, end_of};

/// Runs the command without a display.
fn run_without_display(folder: &Folder, args: &[&str]) -> Run {
    end_of(
        folder.command(args).env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").env_remove("WAYLAND_SOCKET"),
    )
}

#[cfg(target_os = "linux")]
#[test]
fn without_a_display_the_error_names_the_requirements() {
    let run = run_without_display(&Folder::with_small(), &["view", "small.svg"]);
    assert_eq!((run.code, run.text()), (2, ""));
    assert!(run.stderr.starts_with("boxwood: error: cannot open a window: "), "{}", run.stderr);
    assert!(run.stderr.contains("DISPLAY"), "{}", run.stderr);
}

#[cfg(target_os = "linux")]
#[test]
fn without_an_adapter_the_error_says_what_to_install() {
    let run = Folder::with_small().run_without_adapter(&["view", "small.svg"]);
    assert_eq!((run.code, run.text()), (2, ""));
    assert!(run.stderr.starts_with("boxwood: error: no graphics adapter"), "{}", run.stderr);
    assert!(run.stderr.contains("install"), "{}", run.stderr);
}

#[test]
fn a_folder_without_drawings_is_an_error_that_names_it() {
    let folder = Folder::new().with("folder/readme.txt", "not a drawing");
    let run = run_without_display(&folder, &["view", "folder"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.starts_with("boxwood: error: ") && run.stderr.contains("folder"), "{}", run.stderr);
}
