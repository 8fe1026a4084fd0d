//! The clipped boxes of leaves and groups against what resvg inks of them, one at a time.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use boxwood_tests::ground_truth::{Table, findings};

use crate::drawings::{drawings, spread_files};

const ASSETS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../assets/svg");

/// Drawings of the corpus that resvg inks elsewhere than SVG prescribes, by the end of their path, each with why.
const EXCEPTIONS: [(&str, &str); 1] = [(
    "filters/feDiffuseLighting/complex-transform.svg",
    "resvg rounds the region to whole pixels of an upright layer, and then skews that: 2.03 px",
)];

/// The findings about all drawings, on as many threads as there are cores, and which of them have none, and why.
fn table_of(paths: &[PathBuf], font_dirs: &[PathBuf], limit: usize) -> (Table, Vec<String>) {
    let (next, table, failures) = (AtomicUsize::new(0), Mutex::new(Table::default()), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(path) = paths.get(next.fetch_add(1, Ordering::Relaxed)) {
                    match findings(path, font_dirs, limit) {
                        Ok(found) => table.lock().expect("no thread panics").extend(found),
                        Err(error) => failures.lock().expect("no thread panics").push(error),
                    }
                }
            });
        }
    });
    (table.into_inner().expect("no thread panics"), failures.into_inner().expect("no thread panics"))
}

#[test]
#[expect(clippy::print_stdout, reason = "the table is to be read")]
fn no_sample_inks_outside_of_its_boxes() {
    let (table, failures) = table_of(&drawings(Path::new(ASSETS)), &[], 20);
    println!("{table}");
    assert_eq!(failures, [""; 0]);
    assert!(table.n_leaves() > 100, "the samples have leaves: {}", table.n_leaves());
    let beyond: Vec<_> = table.beyond(2.0).into_iter().map(|finding| &finding.name).collect();
    assert!(beyond.is_empty(), "{beyond:#?}");
}

/// Every 40th file of a folder of drawings, where there is one, or as many as `BOXWOOD_EVERY` says.
#[test]
#[expect(clippy::print_stdout, reason = "the table is to be read")]
fn no_file_of_the_corpus_inks_outside_of_its_boxes() {
    let Some(folder) = std::env::var_os("BOXWOOD_CORPUS") else { return };
    let folder = Path::new(&folder);
    let paths = spread_files(folder);
    let fonts = folder.join("resvg/fonts");
    let font_dirs: Vec<_> = fonts.is_dir().then_some(fonts).into_iter().collect();
    let (table, failures) = table_of(&paths, &font_dirs, 50);
    println!("{} files, {} of them refused", paths.len(), failures.len());
    println!("{table}");
    for finding in table.beyond(1.0) {
        println!("{:.2} px outside: {} ({:?})", finding.excess(), finding.name, finding.class);
    }
    for finding in table.loosest(60) {
        println!(
            "{:.1} times: {} ({:?})",
            finding.looseness().unwrap_or_default(),
            finding.name,
            finding.class
        );
    }
    let is_exception = |name: &str| {
        let drawing = name.rsplitn(3, ' ').last().unwrap_or(name);
        EXCEPTIONS.iter().any(|(path, _)| drawing.ends_with(path))
    };
    let beyond: Vec<_> = table.beyond(2.0).into_iter().map(|finding| finding.name.as_str()).collect();
    let unknown: Vec<_> = beyond.iter().filter(|name| !is_exception(name)).collect();
    assert!(unknown.is_empty(), "these have ink more than 2 px outside of their box: {unknown:#?}");
}
