//! The drawings in folders.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::watch::is_svg_name;

/// A folder that cannot be listed, or that has no drawing.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// A folder cannot be listed.
    #[error("cannot list {}: {reason}", folder.display())]
    Unlisted {
        /// The folder.
        folder: PathBuf,
        /// The reason.
        reason: String,
    },
    /// There is no drawing in a folder.
    #[error("there is no .svg or .svgz file in {}", .0.display())]
    NoDrawings(PathBuf),
}

impl FolderError {
    /// The folder.
    pub fn folder(&self) -> &Path {
        match self {
            Self::Unlisted { folder, .. } | Self::NoDrawings(folder) => folder,
        }
    }
}

/// The SVG and SVGZ files in a folder and in its folders, sorted by path. The list has an error for
/// each folder that cannot be listed, and a single error if no file is found.
///
/// Links to folders are not followed: they could form a cycle.
pub fn drawings_in(folder: &Path) -> Vec<Result<PathBuf, FolderError>> {
    let mut files = Vec::new();
    for entry in WalkDir::new(folder).sort_by_file_name() {
        match entry {
            Ok(entry) => {
                // The type of an entry is already known, except for that of a link's target.
                let is_file = |path: &Path| entry.file_type().is_file() || path.is_file();
                if is_svg_name(entry.path()) && is_file(entry.path()) {
                    files.push(Ok(entry.into_path()));
                }
            }
            Err(error) => {
                let folder = error.path().unwrap_or(folder).to_owned();
                let reason = error.io_error().map_or_else(|| error.to_string(), ToString::to_string);
                files.push(Err(FolderError::Unlisted { folder, reason }));
            }
        }
    }
    if files.is_empty() {
        files.push(Err(FolderError::NoDrawings(folder.to_owned())));
    }
    files
}

/// The SVG and SVGZ files next to a file, and the file itself, sorted by name.
pub(crate) fn drawings_beside(file: &Path) -> io::Result<Vec<PathBuf>> {
    let folder = file.parent().unwrap_or(Path::new(""));
    let listed = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let mut files = Vec::new();
    for entry in fs::read_dir(listed)? {
        let path = folder.join(entry?.file_name());
        if path == file || is_svg_name(&path) && path.is_file() {
            files.push(path);
        }
    }
    if !files.iter().any(|path| path == file) {
        files.push(file.to_owned());
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_beside_a_file_are_drawings_and_the_file_itself() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        fs::create_dir(folder.path().join("deep.svg"))?;
        for name in ["b.svg", "a.SVGZ", "notes.txt", "odd"] {
            fs::write(folder.path().join(name), "")?;
        }
        let names = |file: &str| -> io::Result<Vec<String>> {
            let files = drawings_beside(&folder.path().join(file))?;
            let name = |path: &PathBuf| path.file_name().map(|name| name.to_string_lossy().into_owned());
            Ok(files.iter().filter_map(name).collect())
        };
        assert_eq!(names("b.svg")?, ["a.SVGZ", "b.svg"]);
        assert_eq!(names("odd")?, ["a.SVGZ", "b.svg", "odd"], "the file need not have the name of a drawing");
        assert_eq!(names("gone.svg")?, ["a.SVGZ", "b.svg", "gone.svg"]);
        assert!(drawings_beside(&folder.path().join("no/a.svg")).is_err());
        Ok(())
    }
}
