//! Watching a file for changes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use notify_debouncer_full::notify::{self, RecommendedWatcher, RecursiveMode};
use notify_debouncer_full::{DebounceEventResult, Debouncer, RecommendedCache, new_debouncer};

/// A change counts once the file has rested for this long, because editors save in several steps.
const REST: Duration = Duration::from_millis(150);

/// Watches one file until it is dropped.
pub(crate) type Watch = Debouncer<RecommendedWatcher, RecommendedCache>;

/// Calls `changed` in another thread when the file is written, replaced, or removed.
///
/// It watches the folder of the file, because many editors write a new file and rename it. For a
/// symbolic link it also watches the folder of the target.
pub(crate) fn watch(file: &Path, changed: impl Fn() + Send + 'static) -> notify::Result<Watch> {
    let target = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    let files = [file.to_owned(), target];
    let folders = BTreeSet::from(files.each_ref().map(|file| folder_of(file)));
    let mut debouncer = new_debouncer(REST, None, move |result: DebounceEventResult| {
        let is_watched = |path: &PathBuf| files.iter().any(|file| file.file_name() == path.file_name());
        // Reading the file is an event too.
        let is_change = |kind: notify::EventKind| !kind.is_access();
        let events = result.unwrap_or_default();
        if events.iter().any(|event| is_change(event.kind) && event.paths.iter().any(is_watched)) {
            changed();
        }
    })?;
    for folder in folders {
        debouncer.watch(&folder, RecursiveMode::NonRecursive)?;
    }
    Ok(debouncer)
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

    #[test]
    fn writing_and_replacing_the_file_are_changes_but_reading_and_other_files_are_not() {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        let file = folder.path().join("drawing.svg");
        fs::write(&file, "1").expect("there is room for a file");
        let (sender, changes) = mpsc::channel();
        let _watch = watch(&file, move || {
            // The receiver is gone when the test is over.
            let _ = sender.send(());
        })
        .expect("the folder can be watched");
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
}
