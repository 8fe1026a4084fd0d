//! The modules of the crate depend on each other in one direction.

use std::fs;
use std::path::{Path, PathBuf};

/// Modules and folders of modules. Each may use those in the rows before its own.
const ROWS: [&[&str]; 20] = [
    &["error", "geometry", "scene", "text"],
    &["dom"],
    &["table", "xml"],
    &["no_box"],
    &["guard"],
    &["fonts", "no_fonts"],
    &["options", "raster", "warnings"],
    &["css"],
    &["selector"],
    &["quirks"],
    &["passes"],
    &["read"],
    &["placed"],
    &["boxes"],
    &["signature"],
    &["drawing", "lower"],
    &["load"],
    &["visibility"],
    &["audit", "compare", "explain", "style"],
    &["hits", "items"],
];

fn row(module: &str) -> usize {
    let row = ROWS.iter().position(|modules| modules.contains(&module));
    row.unwrap_or_else(|| panic!("{module} is in no row: add it"))
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries =
        fs::read_dir(folder).expect("the folder exists").map(|entry| entry.expect("an entry").path());
    entries.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
}

#[test]
fn modules_use_only_those_in_the_rows_before_their_own() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut n_uses = 0;
    for path in files_below(&source) {
        let inner = path.strip_prefix(&source).expect("it is in the folder").with_extension("");
        let module = inner.iter().next().expect("it has a name").to_string_lossy().into_owned();
        if module == "lib" {
            continue;
        }
        let text = fs::read_to_string(&path).expect("it is a text");
        for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
            for used in line.split("crate::").skip(1) {
                let used =
                    used.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default();
                n_uses += usize::from(used != module);
                assert!(used == module || row(used) < row(&module), "{}: {line}", inner.display());
            }
        }
    }
    assert!(n_uses > 100, "only {n_uses} uses found");
}
