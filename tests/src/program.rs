//! The program `boxwood`, built as the tests are.

use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

/// The path of the program, built when it is first asked for.
///
/// # Panics
///
/// If it does not build.
pub fn program() -> &'static PathBuf {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        // A test binary is in target/<profile>/deps.
        let test = std::env::current_exe().expect("a test has a path");
        let folder =
            test.parent().and_then(|deps| deps.parent()).expect("a test is two folders deep").to_owned();
        let mut build = Command::new(env!("CARGO"));
        build
            .args(["build", "--locked", "--quiet", "--package", "boxwood_cli"])
            .current_dir(env!("CARGO_MANIFEST_DIR"));
        build.arg("--target-dir").arg(folder.parent().expect("a profile has a folder"));
        if folder.ends_with("release") {
            build.arg("--release");
        }
        assert!(build.status().expect("cargo runs").success(), "boxwood_cli does not build");
        folder.join("boxwood").with_extension(std::env::consts::EXE_EXTENSION)
    })
}
