//! Many files: lists of them, several jobs, and folders of pictures.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;

use insta::assert_snapshot;
use serde_json::Value;

use crate::run::{Folder, Run, SMALL};

/// A folder with drawings of several sizes, two of which have warnings, and a file that is refused.
fn folder() -> Folder {
    let drawing = |n: usize, more: &str| {
        let shapes = format!("<rect width='{n}' height='9'/>").repeat(n * n);
        format!("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>{shapes}{more}</svg>")
    };
    let dashed = "<path id='d' d='M0 0H1e6' stroke='red' stroke-dasharray='1'/>";
    (0..24).fold(Folder::new().with("in/b-bad.svg", "<svg"), |folder, index| {
        let more = if index % 9 == 3 { dashed } else { "" };
        folder.with(&format!("in/{index:02}.svg"), drawing(24 - index, more))
    })
}

#[test]
fn a_number_of_jobs_is_positive() {
    for n in ["0", "x", "-1"] {
        let run = Folder::with_small().run(&["query", "small.svg", &format!("--jobs={n}")]);
        assert_eq!(run.code, 2);
        assert!(run.stderr.contains("it must be a whole number of at least 1"), "{}", run.stderr);
    }
}

#[test]
fn the_number_of_jobs_does_not_change_the_output() {
    let folder = folder();
    for args in [
        &["query", "in", "missing.svg", "--format", "json", "--backend", "cpu"][..],
        &["query", "in", "missing.svg", "--id", "d", "--id", "nowhere", "--backend", "cpu"],
        &["check", "in", "missing.svg"],
    ] {
        let with_jobs = |n| folder.run(&[args, &["--jobs", n]].concat());
        let one = with_jobs("1");
        assert_eq!(one.code, 2);
        assert!(one.stderr.contains("b-bad.svg") && one.stderr.contains("missing.svg"), "{}", one.stderr);
        for n in ["2", "7"] {
            assert_eq!(with_jobs(n).whole(), one.whole(), "{n} jobs");
        }
    }
}

#[test]
fn a_summary_follows_several_files_unless_it_is_quiet() {
    let folder = folder();
    let args = ["query", "in", "--backend", "cpu", "--format", "jsonl"];
    let run = folder.run(&args);
    let last = run.stderr.lines().last().expect("there are messages");
    assert!(last.ends_with("25 files, 4951 elements, 1 failed, T s"), "{last}");
    let quiet = folder.run(&[args.as_slice(), &["--quiet"]].concat());
    assert_eq!(quiet.text(), run.text());
    assert!(quiet.stderr.lines().count() == 1 && quiet.stderr.contains("b-bad.svg"), "{}", quiet.stderr);
    let one = folder.run(&["query", "in/00.svg", "--backend", "cpu"]);
    assert_eq!(one.stderr, "");
}

#[test]
fn a_closed_pipe_ends_a_run_of_many_files() {
    let folder = folder();
    let mut child = folder
        .command(&["query", "in", "in", "in", "--backend", "cpu", "-j4", "--quiet"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command was built");
    let mut stdout = child.stdout.take().expect("standard output is piped");
    stdout.read_exact(&mut [0; 16]).expect("there is some output");
    drop(stdout);
    let output = child.wait_with_output().expect("the command runs");
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}

#[test]
fn a_list_names_files_and_folders() {
    let folder = Folder::with_small()
        .with("in/a b.svg", SMALL)
        .with("in/deep/c.svg", SMALL)
        .with("list.txt", "in/a b.svg\r\n\nin/deep\n-\n")
        .with("empty.txt", "\n\n");
    let query = ["query", "--backend", "cpu", "--kind", "group", "--id", "clipped", "--format", "csv"];
    let files = |run: &Run| -> Vec<String> {
        let lines = run.text().lines().skip(1);
        lines.map(|line| line.split(',').next().expect("a line has fields").to_owned()).collect()
    };
    let run = folder.run(&[&query[..], &["small.svg", "--files-from", "list.txt"]].concat());
    assert_eq!(files(&run), ["small.svg", "in/a b.svg", "in/deep/c.svg"]);
    assert_eq!(run.code, 2, "a list cannot name standard input");
    assert!(run.stderr.contains("cannot read -: "), "{}", run.stderr);
    let run =
        folder.run_with_input(&[&query[..], &["--files-from", "-"]].concat(), b"in/deep/c.svg\nsmall.svg");
    assert_eq!((run.code, files(&run)), (0, vec!["in/deep/c.svg".to_owned(), "small.svg".to_owned()]));

    let errors =
        [&["--files-from", "none.txt"][..], &["--files-from", "empty.txt"], &["-", "--files-from", "-"]].map(
            |more| {
                let run = folder.run(&[&query[..], more].concat());
                assert_eq!((run.code, run.text()), (2, ""));
                run.stderr
            },
        );
    assert_snapshot!(errors.concat(), @r"
    boxwood: error: cannot read the list none.txt: No such file or directory (os error 2)
    boxwood: error: there is no path in the list empty.txt
    boxwood: error: standard input has either a drawing or the list of files: write the other to a file
    ");
    assert_eq!(folder.run(&["query", "--backend", "cpu"]).code, 2, "no file is named");
}

#[test]
fn pictures_of_many_drawings_keep_their_names() {
    let folder = Folder::with_small()
        .with("in/a.svg", SMALL)
        .with("in/deep/c.svgz.svg", SMALL)
        .with("in/bad.svg", "<svg");
    let args = ["render", "small.svg", "in", "--output-dir", "out/new", "--backend", "cpu", "--jobs", "3"];
    let run = folder.run(&args);
    assert_eq!((run.code, run.text()), (2, ""));
    assert_snapshot!(run.stderr, @"
    boxwood: error: cannot load in/bad.svg: the text is not well-formed XML: the document does not have a root node at 1:5, where the text ends
    boxwood: note: 4 files, 24 elements, 1 failed, T s
    ");
    let expected = folder.run(&["render", "small.svg", "-o", "-", "--backend", "cpu"]).stdout;
    for name in ["small.png", "a.png", "deep/c.svgz.png"] {
        assert_eq!(fs::read(folder.path().join("out/new").join(name)).ok(), Some(expected.clone()), "{name}");
    }
    assert!(!folder.path().join("out/new/bad.png").exists());
    assert_eq!(folder.run(&args).stderr, run.stderr, "pictures are replaced");
    let on_gpu = folder.run(&["render", "in/a.svg", "in/deep", "--output-dir", "gpu", "--backend", "gpu"]);
    assert_eq!(on_gpu.code, 0, "{}", on_gpu.stderr);
    let both = ["gpu/a.png", "gpu/c.svgz.png"].map(|name| fs::read(folder.path().join(name)).ok());
    assert!(both[0].is_some() && both[0] == both[1], "one painter draws both");
}

#[test]
fn no_picture_replaces_a_drawing_or_another_picture() {
    let folder =
        Folder::new().with("x/a.svg", SMALL).with("y/a.svg", SMALL).with("b", SMALL).with("b.png", SMALL);
    let errors = [&["x", "y", "--output-dir", "new"][..], &["b", "b.png", "--output-dir", "."]].map(|more| {
        let run = folder.run(&[&["render", "--backend", "cpu"], more].concat());
        assert_eq!((run.code, run.text()), (2, ""));
        run.stderr
    });
    assert_snapshot!(errors.concat(), @"
    boxwood: error: cannot write new/a.png: it would be the output for x/a.svg and for y/a.svg: rename one of them, or use two folders
    boxwood: error: cannot write ./b.png: this command already reads that file: name another folder
    ");
    assert!(!folder.path().join("new").exists());
    assert_eq!(fs::read_to_string(folder.path().join("b.png")).expect("the file is there"), SMALL);
    for (more, message) in [
        (&["x", "-o", "out.png"][..], "cannot read x"),
        (&["x/a.svg", "y/a.svg", "-o", "out.png"], "use --output-dir"),
        (&["-", "--output-dir", "new"], "use -o with the name"),
        (&["x/a.svg", "--output-dir", "b"], "cannot create b"),
    ] {
        let run = folder.run(&[&["render", "--backend", "cpu"], more].concat());
        assert_eq!(run.code, 2);
        assert!(run.stderr.contains(message), "{}", run.stderr);
    }
}

#[test]
fn a_watched_file_is_queried_again_when_it_changes() {
    let folder = Folder::with_small();
    let mut child = folder
        .command(&["query", "small.svg", "--watch", "--backend", "cpu", "--query-all", "--id", "corner"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command was built");
    let stdout = child.stdout.take().expect("standard output is piped");
    let stderr = child.stderr.take().expect("standard error is piped");
    let mut messages = BufReader::new(stderr).lines().map(|line| line.expect("it is text"));
    let mut waits = || messages.next().is_some_and(|message| message.contains("waiting for changes"));
    assert!(waits());
    let wider = SMALL.replace("width=\"30\" height=\"25.5\"", "width=\"33\" height=\"25.5\"");
    fs::write(folder.path().join("small.svg"), wider).expect("the folder is writable");
    assert!(waits());
    child.kill().expect("it still runs");
    child.wait().expect("it was killed");
    let rows: Vec<_> = BufReader::new(stdout).lines().map(|line| line.expect("it is text")).collect();
    assert_eq!(rows, ["corner,0,0,30,25.5", "corner,0,0,33,25.5"]);
    let run = folder.run(&["query", "-", "--watch"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("standard input cannot be read again"), "{}", run.stderr);
}

#[test]
fn json_has_the_files_that_failed() {
    let folder = Folder::with_small().with("cut.svg", "<svg");
    for command in [&["query", "--backend", "cpu"][..], &["explain", "--id", "corner"], &["audit"]] {
        let files = ["missing.svg", "small.svg", "cut.svg", "--quiet", "--format"];
        let run = |format| folder.run(&[command, &files, &[format]].concat());
        let document: Value = serde_json::from_str(run("json").text()).expect("it is JSON");
        let errors = document["errors"].as_array().expect("it is a list");
        let messages: Vec<_> = run("json").stderr.lines().map(str::to_owned).collect();
        assert_eq!((errors.len(), messages.len()), (2, 2), "{document}");
        for ((error, file), message) in errors.iter().zip(["missing.svg", "cut.svg"]).zip(messages) {
            assert_eq!(error["file"], file);
            let text = error["message"].as_str().expect("it is a text");
            assert_eq!(message, format!("boxwood: error: {text}"));
        }
        let lines = run("jsonl");
        let lines: Vec<Value> =
            lines.text().lines().map(|line| serde_json::from_str(line).expect("it is JSON")).collect();
        let failed: Vec<_> = lines.iter().filter(|line| line["kind"] == "error").collect();
        assert_eq!((&lines[0], failed.len()), (failed[0], 2), "errors come in the order of the files");
        for (line, error) in failed.iter().zip(errors) {
            assert_eq!((&line["file"], &line["message"]), (&error["file"], &error["message"]));
            assert_eq!(line["schema"], document["schema"]);
        }
    }
}

#[cfg(unix)]
#[test]
fn paths_in_a_list_end_with_lines_or_with_nul_characters() {
    let folder =
        Folder::with_small().with("new\nline.svg", SMALL).with("list", "./small.svg\0new\nline.svg\0");
    let args = ["query", "--backend", "cpu", "--kind", "clip", "--format", "csv", "--quiet", "--files-from"];
    let run = folder.run(&[&args[..], &["list", "-0"]].concat());
    assert_eq!((run.code, run.text().matches(",/svg,false").count()), (0, 2), "{}", run.whole());
    let run = folder.run_with_input(&[&args[..], &["-", "--null"]].concat(), b"small.svg");
    assert_eq!(run.code, 0, "the last path may lack its end: {}", run.whole());
    assert_eq!(folder.run(&[&args[..], &["list"]].concat()).code, 2, "a path has no NUL character");
    assert_eq!(folder.run(&["query", "small.svg", "--null"]).code, 2, "there is no list");
}

#[test]
fn a_folder_without_drawings_fails_as_a_file_does() {
    let folder = Folder::with_small().with("empty/notes.txt", "");
    let message = "there is no .svg or .svgz file in empty";
    for command in ["query", "audit", "batches"] {
        let run = |format| folder.run(&[command, "empty", "small.svg", "--format", format]);
        let json = run("json");
        let document: Value = serde_json::from_str(json.text()).expect("it is JSON");
        assert_eq!(
            document["errors"],
            serde_json::json!([{ "file": "empty", "message": message }]),
            "{command}"
        );
        let lines = run("jsonl");
        let first: Value =
            serde_json::from_str(lines.text().lines().next().unwrap_or_default()).expect("it is JSON");
        assert_eq!((&first["kind"], &first["message"]), (&"error".into(), &message.into()), "{command}");
        for run in [json, lines] {
            assert_eq!(run.code, 2, "{}", run.stderr);
            assert!(run.stderr.contains(&format!("boxwood: error: {message}\n")), "{}", run.stderr);
            assert!(run.stderr.contains("2 files, ") && run.stderr.contains(" 1 failed"), "{}", run.stderr);
        }
    }
    let run = folder.run(&["render", "empty", "small.svg", "--output-dir", "out", "--backend", "cpu"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains(message) && folder.path().join("out/small.png").exists(), "{}", run.stderr);
}
