//! Faults that the tests of the engine must catch.
//!
//! A copy of the crate gets all faults. The environment variable `BOXWOOD_FAULT` of its tests turns
//! one of them on. So the crate is compiled once, and its own source has no code for this.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

struct Fault {
    name: &'static str,
    file: &'static str,
    /// An expression or statement of the source, which occurs once.
    correct: &'static str,
    faulty: &'static str,
}

const FAULTS: [Fault; 8] = [
    Fault {
        name: "an end forgets the union of the node around it",
        file: "pass.rs",
        correct: "group = lanes::union(vector(&outer.group), group);",
        faulty: "let _ = vector(&outer.group);",
    },
    Fault {
        name: "a clip leaks to the next sibling",
        file: "pass.rs",
        correct: "clip = vector(&outer.clip);",
        faulty: "let _ = outer.clip;",
    },
    Fault {
        name: "the begin of a node lacks its end",
        file: "pass.rs",
        correct: "links[begin_in_range].partner = (first_rank + rank) as i32;",
        faulty: "",
    },
    Fault {
        name: "the slice of a chunk has an end too many",
        file: "parallel.rs",
        correct: "(self.n_entries, self.n_ends_of_earlier) = (n_entries, n_ends);",
        faulty: "(self.n_entries, self.n_ends_of_earlier) = (n_entries, n_ends + 1);",
    },
    Fault {
        name: "the slice of a chunk lacks its innermost begin",
        file: "parallel.rs",
        correct: "n_ends = (n_ends + is_end).saturating_sub(is_begin);",
        faulty: "if n_ends == 0 && self.begins.len() == 1 { self.begins.clear(); } n_ends = (n_ends + is_end).saturating_sub(is_begin);",
    },
    Fault {
        name: "the nodes of a chunk are not clipped by those around them",
        file: "parallel.rs",
        correct: "clip = clip.intersect(scene.boxes()[begin.element]);",
        faulty: "clip = scene.boxes()[begin.element];",
    },
    Fault {
        name: "the leaves of a chunk are not in the nodes around it",
        file: "close.rs",
        correct: "lowest.group_box = lowest.group_box.union(inner);",
        faulty: "let _ = (lowest, inner);",
    },
    Fault {
        name: "an empty intersection keeps its edges",
        file: "lanes.rs",
        correct: "is_empty.select(f32x4::load_array(simd, EMPTY), raw)",
        faulty: "{ let _ = is_empty; raw }",
    },
];

/// A module of the copy. Outside of tests, the crate has no standard library and no fault.
const SWITCH: &str = r#"
    #[cfg(test)]
    static FAULT: std::sync::LazyLock<String> =
        std::sync::LazyLock::new(|| std::env::var("BOXWOOD_FAULT").unwrap_or_default());
    #[cfg(test)]
    pub(super) fn is_planted(name: &str) -> bool { *FAULT == name }
    #[cfg(not(test))]
    pub(super) fn is_planted(_: &str) -> bool { false }
"#;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the crate is in a repository")
}

/// Copies what the crate needs to be compiled into an empty workspace with nothing else.
fn copy_crate(to: &Path) {
    let from = repository();
    let _ = fs::remove_dir_all(to);
    let manifest = fs::read_to_string(from.join("Cargo.toml")).expect("the workspace has a manifest");
    let (start, rest) = manifest.split_once("members = [").expect("the workspace has members");
    let (_, rest) = rest.split_once(']').expect("the list of members ends");
    write(&to.join("Cargo.toml"), &format!("{start}members = [\"crates/boxwood_cpu\"]{rest}"));
    copy(&from.join("Cargo.lock"), &to.join("Cargo.lock"));
    copy(&from.join("README.md"), &to.join("README.md"));
    copy(&from.join("crates/boxwood_cpu/Cargo.toml"), &to.join("crates/boxwood_cpu/Cargo.toml"));
    copy(&from.join("crates/boxwood_cpu/src"), &to.join("crates/boxwood_cpu/src"));
    copy(&from.join("crates/boxwood_cpu/tests/families"), &to.join("crates/boxwood_cpu/tests/families"));
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("the folder can be made");
    fs::write(path, text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
}

fn copy(from: &Path, to: &Path) {
    if from.is_dir() {
        for entry in from.read_dir().expect("the folder can be listed") {
            let entry = entry.expect("the entry can be read");
            copy(&entry.path(), &to.join(entry.file_name()));
        }
    } else {
        write(to, &fs::read_to_string(from).unwrap_or_else(|e| panic!("{}: {e}", from.display())));
    }
}

/// Adds a fault to the copy. It is off unless the variable has its name.
fn plant(fault: &Fault, engine: &Path) {
    let path = engine.join(fault.file);
    let source = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let Fault { name, correct, faulty, .. } = fault;
    assert_eq!(source.matches(correct).count(), 1, "{}: one place for the fault: {correct}", fault.file);
    let either = format!("if super::is_planted({name:?}) {{ {faulty} }} else {{ {correct} }}");
    write(&path, &source.replacen(correct, &either, 1));
}

/// Runs the tests of the engine in the copy.
fn run_tests(workspace: &Path, fault: &str) -> Output {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("..");
    Command::new(env!("CARGO"))
        .args(["test", "--quiet", "--offline", "-p", "boxwood_cpu", "--lib"])
        // Other options than those of the workspace would compile the dependencies again.
        .args(["--config", "profile.dev.package.boxwood_cpu.opt-level=1"])
        .args(["engine::tests::equals_the_specification_at_every_small_size"])
        .current_dir(workspace)
        .env("CARGO_TARGET_DIR", target)
        .env("BOXWOOD_FAULT", fault)
        .output()
        .expect("cargo can be started")
}

#[test]
fn the_tests_of_the_engine_catch_each_fault() {
    let workspace = Path::new(env!("CARGO_TARGET_TMPDIR")).join("planted_faults");
    copy_crate(&workspace);
    let engine = workspace.join("crates/boxwood_cpu/src/engine");
    FAULTS.iter().for_each(|fault| plant(fault, &engine));
    let root = fs::read_to_string(engine.join("mod.rs")).expect("the engine has a root");
    write(&engine.join("planted.rs"), SWITCH);
    write(&engine.join("mod.rs"), &format!("{root}\nmod planted;\nuse planted::is_planted;\n"));

    let output = run_tests(&workspace, "");
    let text = |output: &Output| {
        [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned()).concat()
    };
    assert!(output.status.success(), "without a fault: {}", text(&output));
    assert!(text(&output).contains("1 passed"), "one test runs: {}", text(&output));
    let missed: Vec<_> = FAULTS
        .iter()
        .filter(|fault| {
            let output = run_tests(&workspace, fault.name);
            output.status.success() || !text(&output).contains("the engine differs")
        })
        .map(|fault| fault.name)
        .collect();
    assert!(missed.is_empty(), "the tests miss these faults: {missed:#?}");
}
