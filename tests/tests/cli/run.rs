//! Runs of the command in temporary folders.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// The time after which a run counts as hanging. Every run is much faster.
const TIME_LIMIT: Duration = Duration::from_secs(150);

/// A clipped group with two leaves, one of them without an id, and a leaf outside of the group.
pub(crate) const SMALL: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" width="100" height="80">
  <clipPath id="hole"><rect x="10" y="10" width="40" height="40"/></clipPath>
  <g id="clipped" clip-path="url(#hole)">
    <rect id="corner" x="0" y="0" width="30" height="25.5" fill="#07b"/>
    <path d="M 40 40 h 60 v 10 h -60 z" stroke="#d50" stroke-width="2"/>
  </g>
  <rect id="beside" x="60" y="10" width="30" height="20" fill="#097"/>
</svg>
"##;

/// A temporary folder in which the command runs.
pub(crate) struct Folder(TempDir);

/// The result of a run.
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

impl Run {
    /// The values in these columns of the rows of CSV, separated by commas. No value has a comma.
    pub(crate) fn columns(&self, names: &[&str]) -> Vec<String> {
        let mut lines = self.text().lines().map(|line| line.split(',').collect::<Vec<_>>());
        let header = lines.next().expect("there is a header");
        let place = |name| header.iter().position(|other| *other == name).expect("there is such a column");
        let places: Vec<_> = names.iter().copied().map(place).collect();
        lines.map(|line| places.iter().map(|place| line[*place]).collect::<Vec<_>>().join(",")).collect()
    }

    /// The text on standard output.
    pub(crate) fn text(&self) -> &str {
        str::from_utf8(&self.stdout).expect("the output is UTF-8")
    }

    /// The exit code and all output, for a snapshot.
    pub(crate) fn whole(&self) -> String {
        format!("exit {}\n--- stdout\n{}--- stderr\n{}", self.code, self.text(), self.stderr)
    }
}

impl Folder {
    /// An empty folder.
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder can be made"))
    }

    /// A folder with [`SMALL`] as `small.svg`.
    pub(crate) fn with_small() -> Self {
        Self::new().with("small.svg", SMALL)
    }

    /// Adds a file.
    pub(crate) fn with(self, name: &str, contents: impl AsRef<[u8]>) -> Self {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("the folder is writable");
        fs::write(path, contents).expect("the folder is writable");
        self
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// The command, or the benchmark, with these arguments, not started yet.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let program = match args {
            ["view", ..] => boxwood_tests::program_with_window(),
            // `boxwood` has no such command.
            ["measure", ..] => boxwood_tests::benchmark(),
            _ => boxwood_tests::program(),
        };
        let mut command = Command::new(program);
        command.args(args).current_dir(self.path()).stdin(Stdio::null());
        command.env("NO_COLOR", "1").env_remove("XDG_RUNTIME_DIR");
        command
    }

    /// Runs the command to its end.
    pub(crate) fn run(&self, args: &[&str]) -> Run {
        end_of(&mut self.command(args))
    }

    /// Runs the command with `input` as its standard input.
    pub(crate) fn run_with_input(&self, args: &[&str], input: &[u8]) -> Run {
        let file = tempfile::NamedTempFile::new().expect("a temporary folder can be made");
        fs::write(file.path(), input).expect("the file is writable");
        let stdin = File::open(file.path()).expect("the file is there");
        end_of(self.command(args).stdin(stdin))
    }

    /// Runs the command without a graphics adapter.
    #[cfg(target_os = "linux")]
    pub(crate) fn run_without_adapter(&self, args: &[&str]) -> Run {
        let nowhere = self.path().join("no-driver.json");
        end_of(self.command(args).env("VK_DRIVER_FILES", &nowhere).env("VK_ICD_FILENAMES", &nowhere))
    }
}

/// Runs a command to its end.
///
/// # Panics
///
/// Panics if the command hangs, panics, or is killed.
pub(crate) fn end_of(command: &mut Command) -> Run {
    let output = tempfile::tempdir().expect("a temporary folder can be made");
    let [stdout, stderr] = ["stdout", "stderr"].map(|name| output.path().join(name));
    let create = |path| File::create(path).expect("the folder is writable");
    let mut child =
        command.stdout(create(&stdout)).stderr(create(&stderr)).spawn().expect("the command was built");
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("the command runs") {
            break status;
        }
        if start.elapsed() > TIME_LIMIT {
            _ = child.kill();
            panic!("{command:?} hangs");
        }
        sleep(Duration::from_millis(5));
    };
    let stderr = without_times(&fs::read_to_string(stderr).expect("messages are UTF-8"));
    assert!(!stderr.contains("panicked at"), "{command:?}: {stderr}");
    let code = status.code().unwrap_or_else(|| panic!("{command:?} was killed, {status}: {stderr}"));
    Run { code, stdout: fs::read(stdout).expect("the file is there"), stderr }
}

/// The messages without the time that a summary of several files ends with.
fn without_times(stderr: &str) -> String {
    let line = |line: &str| match line.rsplit_once(" failed, ") {
        Some((summary, _)) => format!("{summary} failed, T s\n"),
        None => line.to_owned(),
    };
    stderr.split_inclusive('\n').map(line).collect()
}
