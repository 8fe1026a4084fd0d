//! The drawings that a window shows.

use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use boxwood_svg::{Drawing, Error, Options};

use super::error::ViewError;

/// A source of drawings for a window.
#[derive(Clone, PartialEq, Eq)]
pub enum ViewInput {
    /// A file, which is loaded again when it changes; or a folder, which stands for the drawings in
    /// it and in its folders.
    Path(PathBuf),
    /// The bytes of an SVG or SVGZ file, for example from standard input.
    Bytes {
        /// The name that the window shows.
        name: String,
        /// The bytes.
        bytes: Arc<[u8]>,
    },
}

impl ViewInput {
    /// The path of a file. `None` for bytes.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Self::Path(path) => Some(path),
            Self::Bytes { .. } => None,
        }
    }

    /// The name for the title of the window.
    pub(crate) fn name(&self) -> String {
        let file_name = self.path().and_then(Path::file_name);
        file_name.map_or_else(|| self.to_string(), |name| name.to_string_lossy().into_owned())
    }

    /// Loads the drawing. An error contains the path or the name.
    pub(crate) fn load(&self, options: &Options) -> Result<Drawing, Error> {
        match self {
            Self::Path(path) => boxwood_svg::load_file(path, options),
            Self::Bytes { name, bytes } => boxwood_svg::load(bytes, options)
                .map_err(|error| Error::InFile { path: name.into(), source: Box::new(error) }),
        }
    }
}

/// Writes the path or the name.
impl fmt::Display for ViewInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(path) => path.display().fmt(f),
            Self::Bytes { name, .. } => f.write_str(name),
        }
    }
}

/// Leaves out the bytes.
impl fmt::Debug for ViewInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ViewInput").field(&self.to_string()).finish()
    }
}

/// Replaces each folder by the drawings in it, sorted by path.
///
/// A path that does not exist is kept, and the window then shows the reason.
pub(crate) fn expand(inputs: Vec<ViewInput>) -> Result<Vec<ViewInput>, ViewError> {
    let (mut files, mut folders) = (Vec::new(), Vec::new());
    for input in inputs {
        match input {
            ViewInput::Path(path) if path.is_dir() => match drawings_in(&path) {
                Ok(found) => {
                    files.extend(found.into_iter().map(ViewInput::Path));
                    folders.push(path);
                }
                Err(source) => return Err(ViewError::Folder { path, source }),
            },
            other => files.push(other),
        }
    }
    if files.is_empty() { Err(ViewError::NoFiles(folders)) } else { Ok(files) }
}

/// The SVG and SVGZ files in a folder and in its folders, sorted by path.
///
/// # Errors
///
/// A folder cannot be listed.
pub fn drawings_in(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let is_svg = |suffix: &OsStr| ["svg", "svgz"].iter().any(|s| suffix.eq_ignore_ascii_case(s));
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir()? {
            let entry = entry?;
            let path = entry.path();
            // Links to folders are not followed: they could form a cycle.
            if entry.file_type()?.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(is_svg) && path.is_file() {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_folder_stands_for_its_drawings_by_name() {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        for name in ["b.svg", "a.SVGZ", "c.png", "d.svg.bak", "e.svg"] {
            fs::write(folder.path().join(name), "").expect("there is room for a file");
        }
        fs::create_dir(folder.path().join("f.svg")).expect("there is room for a folder");
        let missing = ViewInput::Path("missing.svg".into());
        let given = vec![missing.clone(), ViewInput::Path(folder.path().to_owned())];
        let found = expand(given).expect("the folder can be listed");
        let expected = ["a.SVGZ", "b.svg", "e.svg"].map(|name| ViewInput::Path(folder.path().join(name)));
        assert_eq!(found[0], missing);
        assert_eq!(found[1..], expected);
    }

    #[test]
    fn a_folder_without_drawings_is_an_error_that_names_it() {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        let given = vec![ViewInput::Path(folder.path().to_owned())];
        let error = expand(given).expect_err("the folder is empty").to_string();
        assert!(error.ends_with(&format!("there are none in {}", folder.path().display())), "{error}");
        assert!(expand(Vec::new()).is_err());
    }

    #[test]
    fn an_error_in_bytes_contains_their_name() {
        let input = ViewInput::Bytes { name: "stdin".to_owned(), bytes: b"<svg".as_slice().into() };
        let error = input.load(&Options::default()).expect_err("the bytes are not XML");
        assert!(crate::error::with_sources(&error).contains("stdin"), "{error}");
    }
}
