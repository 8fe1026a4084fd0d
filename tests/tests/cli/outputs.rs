//! Files that the command writes: it never destroys an input, and never leaves a part of a file.

use std::fs;
use std::path::Path;

use crate::run::{Folder, Run, SMALL};

/// The contents of a file that is to be replaced.
const OLD: &str = "the old contents";

/// Draws `input` into `output` on the CPU.
fn render(folder: &Folder, input: &str, output: &str) -> Run {
    folder.run(&["render", input, "-o", output, "--backend", "cpu"])
}

/// Asserts that the run failed with this message, and that the folder has only these files,
/// unchanged.
fn assert_refused(run: &Run, message: &str, folder: &Folder, files: &[(&str, &str)]) {
    assert_eq!((run.code, run.text()), (2, ""), "{}", run.stderr);
    assert!(run.stderr.starts_with("boxwood: error: cannot write "), "{}", run.stderr);
    assert!(run.stderr.contains(message) && run.stderr.lines().count() == 1, "{}", run.stderr);
    let entries = folder.path().read_dir().expect("the folder can be listed");
    let mut names: Vec<_> = entries.map(|entry| entry.expect("it can be read").file_name()).collect();
    names.sort();
    assert_eq!(names, files.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    for (name, contents) in files.iter().filter(|(name, _)| !folder.path().join(name).is_dir()) {
        assert_eq!(read(folder, name), contents.as_bytes(), "{name} has changed");
    }
}

fn read(folder: &Folder, name: &str) -> Vec<u8> {
    fs::read(folder.path().join(name)).expect("the file can be read")
}

fn is_png(contents: &[u8]) -> bool {
    contents.starts_with(b"\x89PNG")
}

const IS_INPUT: &str = "this command already reads or writes that file";

#[test]
fn the_input_is_not_overwritten() {
    let folder = Folder::with_small().with("drawing", SMALL);
    let files = [("drawing", SMALL), ("small.svg", SMALL)];
    let absolute = folder.path().join("drawing");
    let absolute = absolute.to_str().expect("the path is UTF-8");
    for (input, output) in [
        ("small.svg", "small.svg"),
        ("small.svg", "./small.svg"),
        ("drawing", "drawing"),
        ("drawing", "./drawing"),
        (absolute, "drawing"),
        ("drawing", absolute),
    ] {
        assert_refused(&render(&folder, input, output), IS_INPUT, &folder, &files);
    }
}

#[test]
fn an_image_of_the_drawing_is_not_overwritten() {
    const DRAWING: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">
        <image href="image.png" width="5" height="5"/></svg>"#;
    let folder = Folder::with_small().with("a.svg", DRAWING).with("image.png", OLD);
    let files = [("a.svg", DRAWING), ("image.png", OLD), ("small.svg", SMALL)];
    for output in ["image.png", "./image.png"] {
        let message = "the drawing has that file as an image";
        assert_refused(&render(&folder, "a.svg", output), message, &folder, &files);
    }
}

#[cfg(unix)]
#[test]
fn the_input_is_not_overwritten_through_a_link() {
    use std::os::unix::fs::symlink;

    let folder = Folder::with_small().with("real/drawing", SMALL);
    let at = |name: &str| folder.path().join(name);
    symlink("small.svg", at("symbolic.png")).expect("links can be made");
    symlink("symbolic.png", at("twice.png")).expect("links can be made");
    fs::hard_link(at("small.svg"), at("hard.png")).expect("links can be made");
    symlink("real", at("folder")).expect("links can be made");
    let files = [
        ("folder", ""),
        ("hard.png", SMALL),
        ("real", ""),
        ("small.svg", SMALL),
        ("symbolic.png", SMALL),
        ("twice.png", SMALL),
    ];
    for (input, output) in [
        ("small.svg", "symbolic.png"),
        ("small.svg", "twice.png"),
        ("small.svg", "hard.png"),
        ("symbolic.png", "hard.png"),
        ("real/drawing", "folder/drawing"),
        ("folder/drawing", "real/drawing"),
    ] {
        assert_refused(&render(&folder, input, output), IS_INPUT, &folder, &files);
        assert_eq!(read(&folder, "real/drawing"), SMALL.as_bytes(), "{input}, {output}");
    }
}

#[test]
fn the_file_of_standard_input_is_not_overwritten() {
    let folder = Folder::new().with("drawing", SMALL);
    let file = fs::File::open(folder.path().join("drawing")).expect("the file is there");
    let mut command = folder.command(&["render", "-", "-o", "drawing", "--backend", "cpu"]);
    let run = crate::run::end_of(command.stdin(file));
    assert_refused(&run, IS_INPUT, &folder, &[("drawing", SMALL)]);
}

#[test]
fn standard_output_is_not_appended_to_an_input() {
    let folder = Folder::with_small();
    for args in [
        &["query", "small.svg", "--backend", "cpu"][..],
        &["query", ".", "--backend", "cpu", "--format", "jsonl"],
        &["render", "small.svg", "-o", "-", "--backend", "cpu"],
    ] {
        let path = folder.path().join("small.svg");
        let file = fs::File::options().append(true).open(path).expect("the file is there");
        let output = folder.command(args).stdout(file).output().expect("the command runs");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(
            stderr.contains("small.svg, which is also an input: redirect it to another file"),
            "{stderr}"
        );
        let contents = String::from_utf8(read(&folder, "small.svg")).expect("it is text");
        assert!(contents.starts_with(SMALL) && !contents.contains("leaf"), "{contents}");
    }
}

#[test]
fn the_extension_must_be_that_of_the_format() {
    let folder = Folder::with_small();
    let files = [("small.svg", SMALL)];
    for name in ["out.svg", "out.jpg", "out.WEBP", "out.png.gz", "out.text", "out."] {
        let message = "the name of this output must end in .png";
        assert_refused(&render(&folder, "small.svg", name), message, &folder, &files);
    }
    for name in ["out", "out.PNG", ".png"] {
        assert_eq!(render(&folder, "small.svg", name).code, 0, "{name}");
        assert!(is_png(&read(&folder, name)), "{name}");
    }
}

#[test]
fn an_output_that_cannot_be_written_is_refused_before_the_input_is_loaded() {
    let folder = Folder::with_small().with("folder/drawing", SMALL);
    let files = [("folder", ""), ("small.svg", SMALL)];
    for (output, message) in [
        ("small.svg/out.png", "cannot write small.svg/out.png: Not a directory (os error 20)\n"),
        ("missing/out.png", "cannot write missing/out.png: No such file or directory (os error 2)\n"),
        ("folder", "cannot write folder: is a directory\n"),
    ] {
        assert_refused(&render(&folder, "missing.svg", output), message, &folder, &files);
    }
}

/// The shell limits the size of files, so that writing fails in the middle of the picture.
#[cfg(target_os = "linux")]
#[test]
fn a_failing_write_leaves_the_old_file_and_no_other() {
    let folder = Folder::with_small().with("out.png", OLD);
    let limited = |output: &str| {
        let program = boxwood_tests::program().to_str().expect("the path is UTF-8");
        // 512 or 1024 bytes, depending on the shell; a write beyond them then fails with EFBIG.
        let script = "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\"";
        let mut command = std::process::Command::new("sh");
        command.args(["-c", script, program, "render", "small.svg", "-o", output]);
        command.args(["--backend", "cpu", "--zoom", "8"]).current_dir(folder.path());
        crate::run::end_of(&mut command)
    };
    for output in ["out.png", "new.png"] {
        let message = format!("cannot write {output}: File too large (os error 27)\n");
        let files = [("out.png", OLD), ("small.svg", SMALL)];
        assert_refused(&limited(output), &message, &folder, &files);
    }
    let full = render(&folder, "small.svg", "/dev/full");
    assert_eq!(full.code, 2);
    let message = "boxwood: error: cannot write /dev/full: No space left on device (os error 28)\n";
    assert_eq!(full.stderr, message);
    assert!(!Path::new("/dev/full").is_file(), "the device is still there");
}

#[cfg(unix)]
#[test]
fn a_replaced_file_keeps_its_permissions_and_the_links_to_it() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let folder = Folder::with_small().with("old.png", OLD);
    let at = |name: &str| folder.path().join(name);
    let mode = |name: &str| at(name).metadata().expect("the file is there").permissions().mode() & 0o7777;
    symlink("old.png", at("link.png")).expect("links can be made");
    symlink("created.png", at("dangling.png")).expect("links can be made");
    fs::set_permissions(at("old.png"), PermissionsExt::from_mode(0o640)).expect("the file is ours");
    for output in ["link.png", "dangling.png", "new.png"] {
        assert_eq!(render(&folder, "small.svg", output).code, 0, "{output}");
    }
    assert!(at("link.png").is_symlink() && at("dangling.png").is_symlink());
    assert!(["old.png", "created.png", "new.png"].iter().all(|name| is_png(&read(&folder, name))));
    assert_eq!(mode("old.png"), 0o640);
    // A new file has the permissions that any program gives it.
    fs::write(at("ordinary"), "").expect("the folder is writable");
    assert_eq!(mode("new.png"), mode("ordinary"));
    assert_eq!(folder.path().read_dir().expect("the folder can be listed").count(), 7);
}

#[test]
fn the_outputs_of_a_benchmark_are_checked_before_it_runs() {
    let folder = Folder::with_small().with("rates.csv", OLD);
    let files = [("rates.csv", OLD), ("small.svg", SMALL)];
    let measure = |more: &[&str]| folder.run(&[&["measure"], more].concat());
    let must_be_csv = "the name of this output must end in .csv";
    for (run, message) in [
        (measure(&["--csv", "small.svg"]), must_be_csv),
        (measure(&["--csv", "-"]), "the table goes to standard output"),
        (measure(&["--csv", "no/rates.csv"]), "No such file or directory"),
    ] {
        assert_refused(&run, message, &folder, &files);
    }
}

#[cfg(unix)]
#[test]
fn links_in_a_cycle_are_refused() {
    let folder = Folder::with_small();
    for (link, target) in [("a.png", "b.png"), ("b.png", "a.png")] {
        std::os::unix::fs::symlink(target, folder.path().join(link)).expect("the link can be created");
    }
    let run = render(&folder, "small.svg", "a.png");
    assert_eq!(run.code, 2, "{}", run.stderr);
    assert!(run.stderr.starts_with("boxwood: error: cannot write a.png: "), "{}", run.stderr);
    assert!(folder.path().join("b.png").is_symlink());
}
