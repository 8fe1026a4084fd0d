//! Which drawings a window goes through.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use boxwood_svg::{Drawing, Options};

use crate::error::{ViewError, chain};

/// Where a window has a drawing from.
#[derive(Clone, PartialEq, Eq)]
pub enum ViewInput {
    /// A file, which is loaded again when it changes; or a folder, which stands for the drawings in it.
    Path(PathBuf),
    /// Bytes, such as those of standard input.
    Bytes {
        /// What the window calls them.
        name: String,
        /// What a file would hold.
        bytes: Arc<[u8]>,
    },
}

impl ViewInput {
    /// The file, if it is one.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Self::Path(path) => Some(path),
            Self::Bytes { .. } => None,
        }
    }

    /// What a title calls it.
    pub(crate) fn name(&self) -> String {
        let file_name = self.path().and_then(Path::file_name);
        file_name.map_or_else(|| self.to_string(), |name| name.to_string_lossy().into_owned())
    }

    /// The scene of the drawing, or why there is none, with the name of the drawing.
    pub(crate) fn load(&self, options: &Options) -> Result<Drawing, String> {
        match self {
            Self::Path(path) => boxwood_svg::load_file(path, options).map_err(|error| chain(&error)),
            Self::Bytes { name, bytes } => boxwood_svg::load(bytes, options)
                .map_err(|error| format!("cannot load {name}: {}", chain(&error))),
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

impl fmt::Debug for ViewInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ViewInput").field(&self.to_string()).finish()
    }
}

/// The drawings that some inputs stand for: each as it is, a folder as the drawings in it, by name.
///
/// A path that does not exist is kept: the window says what is wrong with it.
pub(crate) fn expand(inputs: Vec<ViewInput>) -> Result<Vec<ViewInput>, ViewError> {
    let mut files = Vec::new();
    let mut folders = Vec::new();
    for input in inputs {
        match input {
            ViewInput::Path(path) if path.is_dir() => {
                let found = drawings_in(&path);
                let found = found.map_err(|error| ViewError::Folder { error, path: path.clone() })?;
                files.extend(found.into_iter().map(ViewInput::Path));
                folders.push(path);
            }
            other => files.push(other),
        }
    }
    if files.is_empty() { Err(ViewError::NoFiles(folders)) } else { Ok(files) }
}

fn drawings_in(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if is_drawing(&path) && !path.is_dir() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn is_drawing(path: &Path) -> bool {
    path.extension()
        .is_some_and(|suffix| suffix.eq_ignore_ascii_case("svg") || suffix.eq_ignore_ascii_case("svgz"))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn folders_give_their_drawings_by_name() {
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
    fn nothing_to_view_is_an_error_that_names_the_folder() {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        let given = vec![ViewInput::Path(folder.path().to_owned())];
        let error = expand(given).expect_err("the folder is empty").to_string();
        assert!(error.ends_with(&format!("none is in {}", folder.path().display())), "{error}");
        assert!(expand(Vec::new()).is_err());
    }
}
