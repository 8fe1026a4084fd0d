//! Faults that the tests of a crate must catch.
//!
//! A copy of the crate gets all faults. The environment variable `BOXWOOD_FAULT` turns one of them
//! on. So the crate is compiled once, and its own source has no code for this.

use std::collections::BTreeSet;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;

/// Faults in a file, and the tests that must each catch all of them.
pub(crate) struct Faulty {
    /// The file in the folder `src`.
    pub(crate) file: &'static str,
    /// Modules or names of tests.
    pub(crate) tests: &'static [&'static str],
    pub(crate) faults: &'static [Fault],
}

pub(crate) struct Fault {
    pub(crate) name: &'static str,
    /// The text before the correct one, if that occurs more than once.
    before: &'static str,
    /// An expression or statement of the source. With the text before it, it occurs once.
    correct: &'static str,
    faulty: &'static str,
}

/// A fault in a text that occurs once in its file.
pub(crate) const fn fault(name: &'static str, correct: &'static str, faulty: &'static str) -> Fault {
    Fault { name, before: "", correct, faulty }
}

impl Fault {
    /// The fault in a text that occurs more than once, but only once after this one.
    pub(crate) const fn after(self, before: &'static str) -> Self {
        Self { before, ..self }
    }
}

/// A module of the copy.
const SWITCH: &str = r#"
    extern crate std;
    static FAULT: std::sync::LazyLock<std::string::String> =
        std::sync::LazyLock::new(|| std::env::var("BOXWOOD_FAULT").unwrap_or_default());
    pub(crate) fn is_planted(name: &str) -> bool { *FAULT == name }
"#;

/// A crate with faults.
pub(crate) struct Planted {
    /// Its name, which is that of its folder in `crates`.
    pub(crate) name: &'static str,
    /// The files of the repository that its tests need, besides its manifest and its sources.
    pub(crate) included: &'static [&'static str],
    /// The arguments of `cargo test` that select the program with the tests.
    pub(crate) arguments: &'static [&'static str],
    pub(crate) faults: &'static [Faulty],
    /// The command that runs some tests of the program.
    pub(crate) run: fn(&Path, &str) -> Command,
    /// A text that the output contains if a test has found another result. A panic of the code is
    /// not enough.
    pub(crate) found: &'static str,
}

impl Planted {
    /// Runs the tests with each fault, and without one.
    ///
    /// # Panics
    ///
    /// If a fault is not caught.
    pub(crate) fn assert_all_caught(&self) {
        let workspace = Path::new(env!("CARGO_TARGET_TMPDIR")).join("planted_faults").join(self.name);
        self.copy_crate(&workspace);
        self.plant_all(&workspace.join("crates").join(self.name).join("src"));
        let program = self.build(&workspace);
        let run = |tests: &str, fault: &str| {
            let output = (self.run)(&program, tests).env("BOXWOOD_FAULT", fault).output();
            output.expect("the tests can be started")
        };

        let groups: BTreeSet<&str> = self.faults.iter().flat_map(|faulty| faulty.tests).copied().collect();
        for tests in groups {
            let output = run(tests, "");
            assert!(output.status.success(), "without a fault: {}", text(&output));
            assert!(!text(&output).contains("running 0 tests"), "{tests} has tests");
        }
        let pairs = |faulty: &'static Faulty| {
            faulty.tests.iter().flat_map(|tests| faulty.faults.iter().map(move |fault| (*tests, fault.name)))
        };
        let (all, (remainder, divisor)) = (self.faults.iter().flat_map(pairs), sample());
        let left: Mutex<Vec<_>> = Mutex::new(all.skip(remainder).step_by(divisor).collect());
        assert!(!left.lock().expect("no thread has panicked").is_empty(), "there are faults to try");
        let missed = Mutex::new(Vec::new());
        // A test uses one thread.
        std::thread::scope(|scope| {
            let work = || {
                let next = || left.lock().expect("no thread has panicked").pop();
                while let Some((tests, fault)) = next() {
                    let output = run(tests, fault);
                    if output.status.success() || !text(&output).contains(self.found) {
                        missed.lock().expect("no thread has panicked").push((tests, fault));
                    }
                }
            };
            let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
            (0..n_threads).for_each(|_| _ = scope.spawn(work));
        });
        let missed = missed.into_inner().expect("no thread has panicked");
        assert!(missed.is_empty(), "the tests miss these faults: {missed:#?}");
    }

    /// Copies what the crate needs to be compiled into an empty workspace with nothing else. Other
    /// crates stay where they are.
    fn copy_crate(&self, to: &Path) {
        let from = repository();
        let _ = fs::remove_dir_all(to);
        let manifest = read(&from.join("Cargo.toml"));
        let (start, rest) = manifest.split_once("members = [").expect("the workspace has members");
        let (_, rest) = rest.split_once(']').expect("the list of members ends");
        // The paths are relative to the workspace, and the copy is another one.
        let rest = rest.replace("path = \"", &format!("path = \"{}/", from.display()));
        write(&to.join("Cargo.toml"), &format!("{start}members = [\"crates/{}\"]{rest}", self.name));
        let own = format!("crates/{}", self.name);
        let own_manifest = read(&from.join(&own).join("Cargo.toml"));
        // A crate can be its own dependency in tests, to have all features. The copy then compiles
        // once.
        let own_dependency = format!("{} = ", self.name);
        let lines = own_manifest.lines().filter(|line| !line.starts_with(&own_dependency));
        write(&to.join(&own).join("Cargo.toml"), &lines.collect::<Vec<_>>().join("\n"));
        let src = format!("{own}/src");
        for file in ["Cargo.lock", &src].iter().chain(self.included) {
            copy(&from.join(file), &to.join(file));
        }
    }

    /// Adds all faults to the copy.
    fn plant_all(&self, src: &Path) {
        let files: BTreeSet<&str> = self.faults.iter().map(|faulty| faulty.file).collect();
        for file in files {
            let path = src.join(file);
            let mut source = read(&path);
            let faults =
                self.faults.iter().filter(|faulty| faulty.file == file).flat_map(|faulty| faulty.faults);
            let mut edits: Vec<_> = faults.map(|fault| edit(fault, &source)).collect();
            edits.sort_by_key(|(range, _)| range.start);
            assert!(edits.is_sorted_by(|(a, _), (b, _)| a.end <= b.start), "faults in {file} overlap");
            // From the back, so that the places of the others stay.
            for (range, either) in edits.into_iter().rev() {
                source.replace_range(range, &either);
            }
            write(&path, &source);
        }
        write(&src.join("planted.rs"), SWITCH);
        let root = src.join("lib.rs");
        write(&root, &format!("#![allow(unused)]\n{}\nmod planted;\n", read(&root)));
    }

    /// Compiles the tests of the copy. Returns the program.
    fn build(&self, workspace: &Path) -> PathBuf {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("..");
        let output = Command::new(env!("CARGO"))
            .args(["test", "--no-run", "--offline", "--message-format=json-render-diagnostics"])
            .args(["-p", self.name])
            .args(self.arguments)
            .current_dir(workspace)
            .env("CARGO_TARGET_DIR", target)
            .output()
            .expect("cargo can be started");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "the copy does not compile: {errors}");
        let messages = String::from_utf8_lossy(&output.stdout);
        let (_, rest) = messages.rsplit_once(r#""executable":""#).expect("the tests are a program");
        rest.split('"').next().expect("the path ends").into()
    }
}

/// The faults to try: those with a remainder by a divisor, which are `BOXWOOD_SAMPLE=K/N`.
fn sample() -> (usize, usize) {
    let text = std::env::var("BOXWOOD_SAMPLE").unwrap_or_else(|_| "0/1".to_owned());
    let (remainder, divisor) = text.split_once('/').expect("BOXWOOD_SAMPLE has the form K/N");
    let number = |text: &str| text.parse().expect("BOXWOOD_SAMPLE has two numbers");
    (number(remainder), number(divisor))
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the crate is in a repository")
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("the folder can be made");
    fs::write(path, text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn copy(from: &Path, to: &Path) {
    if from.is_dir() {
        for entry in from.read_dir().expect("the folder can be listed") {
            let entry = entry.expect("the entry can be read");
            copy(&entry.path(), &to.join(entry.file_name()));
        }
    } else {
        let folder = to.parent().expect("a file is in a folder");
        fs::create_dir_all(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        fs::copy(from, to).unwrap_or_else(|error| panic!("{}: {error}", from.display()));
    }
}

/// The range of a fault in the source of its file, and the text that takes its place. The fault is
/// off unless the variable has its name.
fn edit(fault: &Fault, source: &str) -> (Range<usize>, String) {
    let Fault { name, before, correct, faulty } = fault;
    let text = [*before, *correct].concat();
    let places: Vec<usize> = source.match_indices(&text).map(|(place, _)| place).collect();
    let [place] = places[..] else { panic!("{} places instead of one for \"{name}\": {text}", places.len()) };
    let condition = format!("if crate::planted::is_planted({name:?})");
    // Parentheses, because a call can follow an expression. A statement must not have them.
    let either = if correct.ends_with([';', '}']) {
        format!("{condition} {{ {faulty} }} else {{ {correct} }}")
    } else {
        format!("({condition} {{ {faulty} }} else {{ {correct} }})")
    };
    (place + before.len()..place + text.len(), either)
}

fn text(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned()).concat()
}
