//! The programs, and cargo, for the tests that run them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The path of the command `boxwood`: `BOXWOOD_BIN` if it is set, or else the one that cargo builds
/// in the profile of the tests.
///
/// # Panics
///
/// If there is no command. The message says in one line what is missing.
pub fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| built("boxwood"))
}

/// The path of the command `boxwood`, with the program of its window next to it.
///
/// # Panics
///
/// If there is no command or no program of the window.
pub fn program_with_window() -> &'static Path {
    static WINDOW: OnceLock<PathBuf> = OnceLock::new();
    WINDOW.get_or_init(|| built("boxwood-view"));
    program()
}

/// The path of the benchmark: next to `BOXWOOD_BIN` if that is set, or else the one that cargo
/// builds.
///
/// # Panics
///
/// If there is no benchmark.
pub fn benchmark() -> &'static Path {
    static BENCHMARK: OnceLock<PathBuf> = OnceLock::new();
    BENCHMARK.get_or_init(|| built("boxwood_bench"))
}

/// The path of a program.
fn built(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("a test has a path");
    find_program(std::env::var_os("BOXWOOD_BIN"), &test, name).unwrap_or_else(|reason| {
        panic!(
            "this test runs the program {name}, but {reason}; set BOXWOOD_BIN to the path of the command `boxwood`, \
             with its sibling programs in the same folder"
        )
    })
}

/// Runs cargo in this package.
///
/// # Panics
///
/// If cargo is not there.
pub fn cargo(args: &[&str]) -> std::process::Output {
    let output = cargo_command().args(args).output();
    output.unwrap_or_else(|error| panic!("this test runs cargo, which does not start: {error}"))
}

/// The program next to the command that the variable names, or the one that belongs to the binary
/// of this test.
fn find_program(named: Option<OsString>, test: &Path, name: &str) -> Result<PathBuf, String> {
    let with_name = |folder: &Path| folder.join(name).with_extension(std::env::consts::EXE_EXTENSION);
    if let Some(path) = named {
        let path =
            std::path::absolute(path).map_err(|error| format!("BOXWOOD_BIN is not a path: {error}"))?;
        // The command itself may have any name.
        let path = if name == "boxwood" { path } else { with_name(path.parent().unwrap_or(Path::new("/"))) };
        return if path.is_file() { Ok(path) } else { Err(format!("there is no {}", path.display())) };
    }
    // Cargo puts a test binary into target/PROFILE/deps.
    let profile = test.parent().filter(|deps| deps.ends_with("deps")).and_then(Path::parent);
    let Some((profile, target)) = profile.and_then(|profile| Some((profile, profile.parent()?))) else {
        return Err(format!("{} is not in a target folder of cargo", test.display()));
    };
    let mut build = cargo_command();
    // The features are those of the whole workspace, so this builds nothing that the tests have
    // not.
    build.args(["build", "--locked", "--quiet", "--workspace", "--bin", name, "--target-dir"]).arg(target);
    if profile.ends_with("release") {
        build.arg("--release");
    }
    let status =
        build.status().map_err(|error| format!("cargo, which builds it, does not start: {error}"))?;
    if !status.success() {
        return Err("cargo fails to build it".to_owned());
    }
    Ok(with_name(profile))
}

fn cargo_command() -> Command {
    // The path of the cargo that runs the tests, or that has built them.
    let mut command =
        Command::new(std::env::var_os("CARGO").unwrap_or_else(|| env!("CARGO").to_owned().into()));
    command.current_dir(crate::repository());
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The binary of a test may be copied to a machine without cargo.
    #[test]
    fn a_test_outside_of_a_target_folder_asks_for_the_path_of_the_command() {
        for test in ["/suite", "/a/suite", "/a/b/c/suite"] {
            let reason =
                find_program(None, Path::new(test), "boxwood").expect_err("no cargo folder has this path");
            assert_eq!(reason, format!("{test} is not in a target folder of cargo"));
        }
        let test = std::env::current_exe().expect("a test has a path");
        assert_eq!(find_program(Some(test.clone().into()), Path::new("/suite"), "boxwood"), Ok(test));
        let reason = find_program(Some("/no/such/file".into()), Path::new("/suite"), "boxwood");
        assert_eq!(reason, Err("there is no /no/such/file".to_owned()));
        let reason = find_program(Some("/no/such/file".into()), Path::new("/suite"), "sibling");
        assert_eq!(reason, Err("there is no /no/such/sibling".to_owned()));
    }
}
