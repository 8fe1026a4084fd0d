//! Which files a window goes through.

use std::path::{Path, PathBuf};

use crate::error::ViewError;

/// The files that some paths name: files as they are, a folder as the drawings in it, by name.
///
/// A path that does not exist is kept: the window says what is wrong with it.
pub(crate) fn expand(paths: &[PathBuf]) -> Result<Vec<PathBuf>, ViewError> {
    let mut files = Vec::new();
    let mut folders = Vec::new();
    for path in paths {
        if path.is_dir() {
            files.extend(drawings_in(path).map_err(|error| ViewError::Folder { error, path: path.clone() })?);
            folders.push(path.clone());
        } else {
            files.push(path.clone());
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
        let missing = PathBuf::from("missing.svg");
        let found = expand(&[missing.clone(), folder.path().to_owned()]).expect("the folder can be listed");
        let expected = ["a.SVGZ", "b.svg", "e.svg"].map(|name| folder.path().join(name));
        assert_eq!(found[0], missing);
        assert_eq!(found[1..], expected);
    }

    #[test]
    fn nothing_to_view_is_an_error_that_names_the_folder() {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        let error = expand(&[folder.path().to_owned()]).expect_err("the folder is empty").to_string();
        assert!(error.ends_with(&format!("none is in {}", folder.path().display())), "{error}");
        assert!(expand(&[]).is_err());
    }
}
