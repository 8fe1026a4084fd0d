//! The dependencies of the libraries and the programs, and the metadata and files of packages.
//!
//! `cargo deny` checks licenses, sources, and copies of crates: see `deny.toml`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use boxwood_tests::cargo;

/// The beginnings of the names and versions of crates that a window needs.
const WINDOWS: [&str; 4] = ["winit ", "egui ", "x11rb ", "wayland-client "];

/// The output of cargo for a command that needs only the crates that these tests are built with. It
/// works without a network.
fn cargo_output(args: &[&str]) -> String {
    let output = cargo(&[args, &["--locked", "--offline"]].concat());
    assert!(output.status.success(), "cargo {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("cargo writes UTF-8")
}

/// The packages of the workspace that are published.
fn published() -> Vec<serde_json::Value> {
    let metadata = cargo_output(&["metadata", "--format-version", "1", "--no-deps"]);
    let metadata: serde_json::Value = serde_json::from_str(&metadata).expect("cargo writes JSON");
    let packages = metadata["packages"].as_array().expect("the metadata lists the packages");
    packages.iter().filter(|package| package["publish"].is_null()).cloned().collect()
}

#[test]
fn every_published_crate_has_the_metadata_of_crates_io() {
    let packages = published();
    let names: Vec<_> = packages.iter().map(|package| &package["name"]).collect();
    assert!(
        names.iter().any(|name| **name == "boxwood_cli") && !names.iter().any(|n| **n == "boxwood_tests")
    );
    for package in &packages {
        let name = &package["name"];
        for key in ["description", "license", "repository", "readme", "rust_version"] {
            assert!(package[key].as_str().is_some_and(|text| !text.is_empty()), "{name} has no {key}");
        }
        for key in ["keywords", "categories"] {
            let n_words = package[key].as_array().map_or(0, Vec::len);
            assert!((1..=5).contains(&n_words), "{name} has {n_words} {key}");
        }
        let dependencies = package["dependencies"].as_array().expect("it is a list");
        for dependency in dependencies.iter().filter(|d| !d["path"].is_null() && d["kind"] != "dev") {
            let dependency_name = &dependency["name"];
            assert!(
                names.contains(&dependency_name),
                "{name} depends on {dependency_name}, which is not published"
            );
            assert_ne!(dependency["req"], "*", "{name} needs a version of {dependency_name}");
        }
    }
}

/// Shaders, fonts and tables that a crate includes must be in its package.
#[test]
fn every_published_crate_contains_its_sources() {
    for package in published() {
        let name = package["name"].as_str().expect("a package has a name");
        let manifest = Path::new(package["manifest_path"].as_str().expect("a package has a manifest"));
        let folder = manifest.parent().expect("a manifest is in a folder");
        let listed = cargo_output(&["package", "--list", "--allow-dirty", "--package", name]);
        let listed: BTreeSet<_> = listed.lines().map(Path::new).collect();
        assert!(listed.contains(Path::new("README.md")), "{name}: {listed:?}");
        let mut sources = Vec::new();
        for part in ["build.rs", "fonts", "src", "svg", "wgsl"] {
            files_in(&folder.join(part), &mut sources);
        }
        let missing: Vec<_> = sources
            .iter()
            .map(|path| path.strip_prefix(folder).expect("it is in the folder"))
            .filter(|path| !listed.contains(path))
            .collect();
        assert!(missing.is_empty(), "the package of {name} lacks {missing:?}");
    }
}

/// Adds a file, or all files in a folder.
fn files_in(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_file() {
        files.push(path.to_owned());
    } else if path.is_dir() {
        for entry in path.read_dir().expect("the folder can be listed") {
            files_in(&entry.expect("the entry can be read").path(), files);
        }
    }
}

#[test]
fn the_libraries_do_not_depend_on_windows_or_on_a_renderer() {
    for library in ["boxwood", "boxwood_cpu", "boxwood_query", "boxwood_shaders", "boxwood_svg"] {
        let tree = cargo_output(&["tree", "--edges", "normal", "--prefix", "none", "--package", library]);
        assert!(tree.contains(library), "{tree}");
        for dependency in WINDOWS.into_iter().chain(["vello "]) {
            let is_there = tree.lines().any(|line| line.starts_with(dependency));
            assert!(!is_there, "{library} depends on {dependency}");
        }
    }
}

/// The command and its pictures are built without a window, and in fewer than this many packages.
#[test]
fn the_command_does_not_depend_on_windows() {
    // `vello_cpu`, the second renderer without a GPU, takes 12 of them.
    const MAX_PACKAGES: usize = 210;
    let args = ["tree", "--edges", "normal,build", "--prefix", "none", "--format", "{p}", "--package"];
    let tree = cargo_output(&[&args[..], &["boxwood_cli"]].concat());
    let packages: BTreeSet<_> = tree.lines().map(|line| line.trim_end_matches(" (*)")).collect();
    for dependency in WINDOWS {
        assert!(
            !packages.iter().any(|package| package.starts_with(dependency)),
            "{dependency}: {packages:?}"
        );
    }
    assert!((100..MAX_PACKAGES).contains(&packages.len()), "{} packages: {packages:?}", packages.len());
    let of_window = cargo_output(&[&args[..], &["boxwood_view"]].concat());
    assert!(WINDOWS.iter().any(|dependency| of_window.contains(dependency)), "{of_window}");
}

/// Each program is built alone, as `cargo install` and `packaging/deb` do.
#[test]
fn shipped_programs_have_no_features_for_tests_and_papers() {
    let unwanted = ["boxwood feature \"testing\"", "boxwood feature \"papers\"", "boxwood_bench "];
    let tree = |package| {
        cargo_output(&["tree", "--edges", "normal,features", "--prefix", "none", "--package", package])
    };
    for package in ["boxwood_cli", "boxwood_view"] {
        let tree = tree(package);
        assert!(tree.contains("boxwood feature \"native\""), "{tree}");
        let found = unwanted.iter().find(|unwanted| tree.lines().any(|line| line.starts_with(**unwanted)));
        assert_eq!(found, None, "{package}");
    }
    let benchmark = tree("boxwood_bench");
    assert!(unwanted.iter().all(|unwanted| benchmark.contains(unwanted)), "{benchmark}");
}
