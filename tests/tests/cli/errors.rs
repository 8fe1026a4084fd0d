//! Error messages: one line with the whole chain of causes, in which nothing is repeated.

use std::fs;
use std::path::{Path, PathBuf};

use crate::run::Folder;

#[test]
fn no_message_repeats_itself() {
    let many = "<path d='M0 0h9v9z'/>".repeat(10_000);
    let folder = Folder::with_small()
        .with("large.svg", format!("<svg xmlns='http://www.w3.org/2000/svg'>{many}</svg>"))
        .with("folder/readme.txt", "")
        .with("empty.svg", "")
        .with("cut.svg", "<svg xmlns='http://www.w3.org/2000/svg'><g>")
        .with("cut.svgz", b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xb3\x29")
        .with("page.html", "<html/>")
        .with("latin1.svg", b"<svg xmlns='http://www.w3.org/2000/svg'>\xff</svg>")
        .with("table.csv", "n,algorithm\n")
        .with("huge.svg", "<svg xmlns='http://www.w3.org/2000/svg' width='1e9' height='1'/>");
    let commands: [(&[&str], &str); 18] = [
        (&["query", "missing.svg"], "missing.svg"),
        (&["query", "small.svg/drawing.svg"], "small.svg/drawing.svg"),
        (&["query", "folder"], "folder"),
        (&["query", "empty.svg"], "empty.svg"),
        (&["query", "cut.svg"], "cut.svg"),
        (&["query", "cut.svgz"], "cut.svgz"),
        (&["query", "page.html"], "page.html"),
        (&["query", "latin1.svg"], "latin1.svg"),
        (&["query", "-"], "standard input"),
        (&["query", "small.svg", "--font-dir", "missing"], "missing"),
        (&["query", "large.svg", "--time-limit", "1e-6"], "large.svg"),
        (&["render", "folder", "-o", "out.png"], "folder"),
        (&["render", "small.svg", "-o", "no/out.png"], "no/out.png"),
        (&["render", "huge.svg", "-o", "out.png", "--backend", "cpu"], "huge.svg"),
        (&["view", "missing.svg"], "missing.svg"),
        (&["check", "missing.svg"], "missing.svg"),
        (&["measure", "--from", "missing.csv", "--plot", "."], "missing.csv"),
        (&["measure", "--from", "table.csv", "--plot", "."], "table.csv"),
    ];
    for (args, name) in commands {
        let run = folder.run(&[args, &["--quiet"]].concat());
        assert_eq!((run.code, run.stderr.lines().count()), (2, 1), "{args:?}: {}", run.stderr);
        let message = run.stderr.trim_end().strip_prefix("boxwood: error: ").expect("it is an error");
        assert_eq!(message.matches(name).count(), 1, "{name} must be named once: {message}");
        let parts: Vec<_> = message.split(": ").collect();
        for (index, part) in parts.iter().enumerate() {
            let others = [&parts[..index], &parts[index + 1..]].concat();
            assert!(!others.iter().any(|other| other.contains(part)), "{part:?} is repeated: {message}");
        }
    }
}

/// If `source()` returns an error, printing the chain prints its message. The error's own message
/// must not contain it.
#[test]
fn no_error_type_includes_its_source_in_its_message() {
    let mut n_messages = 0;
    for path in rust_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates")) {
        let text = fs::read_to_string(&path).expect("the file can be read");
        for (before, after) in text.match_indices("#[error(").map(|(start, _)| text.split_at(start)) {
            n_messages += 1;
            let line = before.lines().count() + 1;
            let (message, variant) = after.split_once(")]\n").expect("the attribute ends");
            // The variant ends where the next one, or the next item, begins.
            let variant = variant.split("#[error(").next().unwrap_or_default();
            let variant = variant.split("\n}\n").next().unwrap_or_default();
            let has = |words: &[&str]| words.iter().any(|word| variant.contains(word));
            let included = if has(&["source: "]) {
                message.contains("{source")
            } else {
                has(&["#[source]", "#[from]"]) && message.contains("{0")
            };
            assert!(!included, "{}:{line}: {message}", path.display());
        }
    }
    assert!(n_messages > 50, "only {n_messages} messages were found");
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let entries = folder.read_dir().expect("the folder can be listed");
    let mut files = Vec::new();
    for path in entries.map(|entry| entry.expect("it can be read").path()) {
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}
