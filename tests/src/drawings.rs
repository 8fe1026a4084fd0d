//! The SVG drawings that the tests run on.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use boxwood_svg::{Fonts, Options};

/// The root of the repository. A test binary that runs on another machine than the one that built
/// it finds the root in the folder that it is started in, or in one around it.
///
/// # Panics
///
/// If there is none.
pub fn repository() -> PathBuf {
    let is_root = |folder: &&Path| folder.join("assets/svg").is_dir();
    let built = Path::new(env!("CARGO_MANIFEST_DIR")).parent().filter(is_root);
    if let Some(root) = built {
        return root.to_owned();
    }
    let current = std::env::current_dir().expect("a test runs in a folder");
    let root = current.ancestors().find(is_root);
    root.expect("the tests need the repository's assets: start them in a checkout").to_owned()
}

/// The SVG and SVGZ files below a folder, sorted.
///
/// # Panics
///
/// If the folder cannot be listed.
pub fn drawings_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{e}: {}", folder.display()));
        for entry in entries.map(|e| e.expect("the folder can be listed").path()) {
            if entry.is_dir() {
                folders.push(entry);
            } else if entry.extension().is_some_and(|e| e == "svg" || e == "svgz") {
                found.push(entry);
            }
        }
    }
    found.sort();
    found
}

/// The drawings in the repository: the samples of `assets/svg`, and those of `assets/cases`, each
/// of which is hard in one way.
///
/// # Panics
///
/// If they are not there.
pub fn own_drawings() -> Vec<PathBuf> {
    let assets = repository().join("assets");
    ["svg", "cases"].iter().flat_map(|folder| drawings_below(&assets.join(folder))).collect()
}

/// A folder of other people's drawings.
#[derive(Clone, Debug)]
pub struct Corpus {
    folder: PathBuf,
}

impl Corpus {
    /// The folder that the environment variable `BOXWOOD_CORPUS` names.
    ///
    /// # Panics
    ///
    /// If the variable is not set, or the folder has no drawings.
    pub fn from_env() -> Self {
        let folder = std::env::var_os("BOXWOOD_CORPUS");
        let folder = PathBuf::from(folder.expect("this test needs a folder of drawings: set BOXWOOD_CORPUS"));
        let corpus = Self { folder };
        assert!(!corpus.drawings().is_empty(), "there are no drawings in {}", corpus.folder.display());
        corpus
    }

    /// All drawings in it.
    pub fn drawings(&self) -> Vec<PathBuf> {
        drawings_below(&self.folder)
    }

    /// Every 40th drawing, or every Nth if the environment variable `BOXWOOD_EVERY` is N.
    ///
    /// # Panics
    ///
    /// If `BOXWOOD_EVERY` is not a number above zero.
    pub fn some_drawings(&self) -> Vec<PathBuf> {
        let every =
            std::env::var("BOXWOOD_EVERY").map_or(40, |n| n.parse().expect("BOXWOOD_EVERY is a number"));
        self.drawings().into_iter().step_by(every).collect()
    }

    /// Options with the bundled font and the fonts of the corpus.
    pub fn options(&self) -> Options {
        let fonts = self.folder.join("resvg/fonts");
        let font_dirs = fonts.is_dir().then_some(fonts).into_iter().collect();
        Options { font_dirs, ..own_options() }
    }
}

/// Options with the bundled font alone, so that text is the same on every machine.
pub fn own_options() -> Options {
    Options { fonts: Fonts::Bundled, ..Options::default() }
}

/// Drawings that a test expects to fail: the end of the path of each, with the reason.
pub type Exceptions<'a> = &'a [(&'a str, &'a str)];

/// The reason for which a drawing, or a part of it, is expected to fail.
pub fn exception<'a>(exceptions: Exceptions<'a>, path: &Path) -> Option<&'a str> {
    exceptions.iter().find(|(end, _)| path.ends_with(end)).map(|(_, reason)| *reason)
}

/// The results of `work` for each path, in their order, computed on as many threads as there are
/// cores.
///
/// # Panics
///
/// If `work` panics.
pub fn in_parallel<T: Send>(paths: &[PathBuf], work: impl Fn(&Path) -> T + Sync) -> Vec<T> {
    let (next, results) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(path) = paths.get(index) else { break };
                    let result = work(path);
                    results.lock().expect("no thread panics with the lock").push((index, result));
                }
            });
        }
    });
    let mut results = results.into_inner().expect("no thread panics with the lock");
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// An error and its sources, in one line.
pub fn chain(error: &dyn std::error::Error) -> String {
    let sources = std::iter::successors(error.source(), |error| error.source());
    sources.fold(error.to_string(), |text, source| format!("{text}: {source}"))
}
