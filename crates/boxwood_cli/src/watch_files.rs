//! Watching files and folders for changes.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use notify_debouncer_full::notify::{RecommendedWatcher, RecursiveMode};
use notify_debouncer_full::{
    DebounceEventResult, DebouncedEvent, Debouncer, RecommendedCache, new_debouncer,
};

/// A change counts once the file has rested for this long, because editors save in several steps.
/// It is noticed up to one more rest later.
const REST: Duration = Duration::from_millis(150);

/// Watches files and folders until it is dropped.
#[derive(Debug)]
pub struct Watch(#[expect(dead_code, reason = "it watches until it is dropped")] Inner);

type Inner = Debouncer<RecommendedWatcher, RecommendedCache>;

impl Watch {
    /// Calls `changed` in another thread when one of the files is written, replaced, or removed.
    /// For a folder, that is when this happens to an SVG or SVGZ file in it or in its folders.
    ///
    /// It watches the folder of a file, because many editors write a new file and rename it. For a
    /// symbolic link it also watches the folder of the target.
    ///
    /// # Errors
    ///
    /// A folder cannot be watched.
    pub fn new(paths: &[PathBuf], changed: impl Fn() + Send + 'static) -> io::Result<Self> {
        let (mut files, mut folders, mut modes) = (BTreeSet::new(), Vec::new(), BTreeMap::new());
        for path in paths {
            let target = path.canonicalize().unwrap_or_else(|_| path.clone());
            if target.is_dir() {
                modes.insert(target.clone(), RecursiveMode::Recursive);
                folders.push(target);
                continue;
            }
            for file in [path, &target] {
                let folder = folder_of(file);
                files.insert(folder.join(file.file_name().unwrap_or_default()));
                modes.entry(folder).or_insert(RecursiveMode::NonRecursive);
            }
        }
        Self::start(modes, changed, move |path| {
            let is_inside = || folders.iter().any(|folder| path.starts_with(folder));
            files.contains(path) || is_svg_name(path) && is_inside()
        })
    }

    /// Calls `changed` in another thread when an SVG or SVGZ file in one of the folders is written,
    /// replaced, or removed. A folder comes with whether the folders in it are watched too.
    ///
    /// # Errors
    ///
    /// A folder cannot be watched.
    pub fn of_folders(folders: &[(PathBuf, bool)], changed: impl Fn() + Send + 'static) -> io::Result<Self> {
        let mut modes = BTreeMap::new();
        for (folder, has_folders) in folders {
            let mode = if *has_folders { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive };
            modes.insert(folder.canonicalize()?, mode);
        }
        Self::start(modes, changed, |path| is_svg_name(path))
    }

    /// Calls `changed` in another thread when a file of WGSL in the folder or in its folders is
    /// written, replaced, or removed.
    ///
    /// # Errors
    ///
    /// The folder cannot be watched.
    pub fn of_shaders(folder: &Path, changed: impl Fn() + Send + 'static) -> io::Result<Self> {
        let modes = BTreeMap::from([(folder.canonicalize()?, RecursiveMode::Recursive)]);
        Self::start(modes, changed, |path| path.extension().is_some_and(|suffix| suffix == "wgsl"))
    }

    /// Watches folders for changes of some of the files in them.
    fn start(
        modes: BTreeMap<PathBuf, RecursiveMode>,
        changed: impl Fn() + Send + 'static,
        is_watched: impl Fn(&PathBuf) -> bool + Send + 'static,
    ) -> io::Result<Self> {
        // Reading a file is an event too.
        let is_change =
            move |event: &DebouncedEvent| !event.kind.is_access() && event.paths.iter().any(&is_watched);
        let handler = move |result: DebounceEventResult| {
            if result.unwrap_or_default().iter().any(&is_change) {
                changed();
            }
        };
        // The debouncer wakes at each tick. The default of four ticks per rest would wake an idle
        // window more often.
        let mut debouncer = new_debouncer(REST, Some(REST), handler).map_err(io::Error::other)?;
        for (folder, mode) in modes {
            debouncer.watch(&folder, mode).map_err(io::Error::other)?;
        }
        Ok(Self(debouncer))
    }
}

/// Whether a path has the extension of SVG or SVGZ files.
pub fn is_svg_name(path: &Path) -> bool {
    let suffix = path.extension().unwrap_or_default();
    ["svg", "svgz"].iter().any(|svg| suffix.eq_ignore_ascii_case(svg))
}

/// The folder that contains a file.
fn folder_of(file: &Path) -> PathBuf {
    let parent = file.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    parent.canonicalize().unwrap_or_else(|_| parent.to_owned())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::mpsc;

    use super::*;

    fn watch(path: &Path, sender: mpsc::Sender<()>) -> Watch {
        // The receiver is gone when the test is over.
        let changed = move || _ = sender.send(());
        Watch::new(&[path.to_owned()], changed).expect("the folder can be watched")
    }

    #[test]
    fn writing_and_replacing_the_file_are_changes_but_reading_and_other_files_are_not() {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        let file = folder.path().join("drawing.svg");
        fs::write(&file, "1").expect("there is room for a file");
        let (sender, changes) = mpsc::channel();
        let _watch = watch(&file, sender);
        let soon = Duration::from_secs(10);
        let quiet = Duration::from_millis(800);

        fs::write(&file, "2").expect("the file can be written");
        assert_eq!(changes.recv_timeout(soon), Ok(()), "writing in place");
        while changes.recv_timeout(quiet).is_ok() {}

        let other = folder.path().join("other.tmp");
        fs::write(&other, "3").expect("there is room for a file");
        fs::read(&file).expect("the file can be read");
        assert!(changes.recv_timeout(quiet).is_err(), "another file, and reading");

        fs::rename(&other, &file).expect("the file can be replaced");
        assert_eq!(changes.recv_timeout(soon), Ok(()), "replacing by renaming");
    }

    #[test]
    fn shaders_anywhere_in_a_folder_are_watched() {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        let view = folder.path().join("view");
        fs::create_dir(&view).expect("there is room for a folder");
        let (sender, changes) = mpsc::channel();
        let changed = move || _ = sender.send(());
        let _watch = Watch::of_shaders(folder.path(), changed).expect("the folder can be watched");
        fs::write(view.join("drawing.svg"), "1").expect("there is room for a file");
        assert!(changes.recv_timeout(Duration::from_millis(800)).is_err(), "a drawing");
        fs::write(view.join("overlay.wgsl"), "1").expect("there is room for a file");
        assert_eq!(changes.recv_timeout(Duration::from_secs(10)), Ok(()), "a shader");
    }

    #[test]
    fn drawings_anywhere_in_a_folder_are_watched_but_other_files_are_not() {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        let deep = folder.path().join("deep");
        fs::create_dir(&deep).expect("there is room for a folder");
        let (sender, changes) = mpsc::channel();
        let _watch = watch(folder.path(), sender);
        fs::write(deep.join("picture.png"), "1").expect("there is room for a file");
        assert!(changes.recv_timeout(Duration::from_millis(800)).is_err(), "a picture");
        fs::write(deep.join("new.svg"), "1").expect("there is room for a file");
        assert_eq!(changes.recv_timeout(Duration::from_secs(10)), Ok(()), "a new drawing");
    }
}
