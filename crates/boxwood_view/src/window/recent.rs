//! The files that the user has opened lately, in a file of the user's state.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf, absolute};
use std::process;

/// The number of files that are kept.
const MAX_FILES: usize = 20;

/// The recent files, the latest first.
#[derive(Debug)]
pub(crate) struct Recent {
    /// The file with the list: one path per line. `None` if the user has no folder for state.
    file: Option<PathBuf>,
    paths: Vec<PathBuf>,
}

impl Recent {
    /// Reads the list of the user. A list that cannot be read is empty.
    pub(crate) fn read() -> Self {
        Self::read_from(state_folder().map(|folder| folder.join("boxwood/recent")))
    }

    fn read_from(file: Option<PathBuf>) -> Self {
        let text = file.as_ref().and_then(|file| fs::read_to_string(file).ok()).unwrap_or_default();
        let paths = text.lines().filter(|line| !line.is_empty()).map(PathBuf::from);
        Self { file, paths: paths.take(MAX_FILES).collect() }
    }

    pub(crate) fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// Puts a file at the top of the list, and writes the list.
    ///
    /// A path that is not one line of UTF-8 is not kept. If the list cannot be written, this window
    /// still has it.
    pub(crate) fn add(&mut self, path: &Path) {
        let path = absolute(path).unwrap_or_else(|_| path.to_owned());
        if path.to_str().is_none_or(|text| text.contains(['\n', '\r'])) || self.paths.first() == Some(&path) {
            return;
        }
        // Another window may have added files.
        let now = Self::read_from(self.file.clone());
        if !now.paths.is_empty() {
            self.paths = now.paths;
        }
        self.paths.retain(|other| *other != path);
        self.paths.insert(0, path);
        self.paths.truncate(MAX_FILES);
        let _ = self.write();
    }

    /// Replaces the list as a whole, so that no other window reads a part of it.
    fn write(&self) -> io::Result<()> {
        let Some(file) = &self.file else { return Ok(()) };
        fs::create_dir_all(file.parent().unwrap_or(file))?;
        let lines = self.paths.iter().map(|path| format!("{}\n", path.display()));
        let new = file.with_extension(format!("new-{}", process::id()));
        fs::write(&new, lines.collect::<String>())?;
        fs::rename(&new, file)
    }
}

/// The folder for state of the user: that of the XDG base directory specification, or that of
/// Windows for data of this machine.
fn state_folder() -> Option<PathBuf> {
    let folder = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let xdg = folder("XDG_STATE_HOME").or_else(|| folder("LOCALAPPDATA"));
    xdg.or_else(|| Some(folder("HOME")?.join(".local/state")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_file_is_first_and_the_list_outlives_the_window() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let open = || Recent::read_from(Some(folder.path().join("boxwood/recent")));
        let names = |recent: &Recent| -> Vec<String> {
            recent.paths().iter().map(|path| path.display().to_string()).collect()
        };
        let mut recent = open();
        assert_eq!(names(&recent), [""; 0]);
        for path in ["/a.svg", "/b.svg", "/a.svg", "/line\nbreak.svg"] {
            recent.add(Path::new(path));
        }
        assert_eq!(names(&open()), ["/a.svg", "/b.svg"]);
        let mut other = open();
        other.add(Path::new("/c.svg"));
        recent.add(Path::new("/d.svg"));
        assert_eq!(names(&recent), ["/d.svg", "/c.svg", "/a.svg", "/b.svg"], "both windows are remembered");
        for i in 0..30 {
            recent.add(Path::new(&format!("/{i}.svg")));
        }
        assert_eq!((recent.paths().len(), names(&open())[0].as_str()), (MAX_FILES, "/29.svg"));
        let files = fs::read_dir(folder.path().join("boxwood"))?.count();
        assert_eq!(files, 1, "nothing else is left");
        Ok(())
    }

    #[test]
    fn without_a_folder_the_list_is_that_of_the_window() {
        let mut recent = Recent::read_from(None);
        recent.add(Path::new("/a.svg"));
        assert_eq!(recent.paths(), [Path::new("/a.svg")]);
    }
}
