//! Files, folders of them, and standard input.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use boxwood_svg::{Drawing, Options, load, load_file, read};

use crate::report::Report;

/// Where an SVG comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    /// Standard input, given as `-`.
    Stdin,
    /// A file, or before [`expand`] a folder.
    Path(PathBuf),
}

impl From<OsString> for Input {
    fn from(argument: OsString) -> Self {
        if argument == "-" { Self::Stdin } else { Self::Path(argument.into()) }
    }
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stdin => f.write_str("-"),
            Self::Path(path) => path.display().fmt(f),
        }
    }
}

/// The inputs with every folder replaced by the SVG and SVGZ files in it and in its folders, sorted by path.
///
/// A folder that cannot be read, or that holds no such file, is reported.
pub(crate) fn expand(inputs: &[Input], report: &mut Report) -> Vec<Input> {
    let mut files = Vec::new();
    for input in inputs {
        match input {
            Input::Path(path) if path.is_dir() => match files_in(path) {
                Ok(found) if found.is_empty() => {
                    report.error_in("no .svg or .svgz file in this folder", input);
                }
                Ok(found) => files.extend(found.into_iter().map(Input::Path)),
                Err(error) => report.error_in(format_args!("cannot list the folder: {error}"), input),
            },
            _ => files.push(input.clone()),
        }
    }
    files
}

fn files_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir()? {
            let entry = entry?;
            // A link to a folder is not followed: it could lead back up.
            if entry.file_type()?.is_dir() {
                folders.push(entry.path());
            } else if is_svg(&entry.path()) && entry.path().is_file() {
                files.push(entry.path());
            }
        }
    }
    files.sort();
    Ok(files)
}

fn is_svg(path: &Path) -> bool {
    let extension = path.extension().and_then(OsStr::to_str);
    extension.is_some_and(|e| e.eq_ignore_ascii_case("svg") || e.eq_ignore_ascii_case("svgz"))
}

/// The context of an error in standard input.
const IN_STDIN: &str = "cannot load standard input";

/// All of standard input, unless that is too much.
pub(crate) fn read_stdin() -> Result<Vec<u8>> {
    read(io::stdin().lock()).context(IN_STDIN)
}

/// Loads drawings.
#[derive(Debug)]
pub(crate) struct Loader {
    options: Options,
}

impl Loader {
    /// A loader with these options.
    pub(crate) fn new(options: Options) -> Self {
        Self { options }
    }

    /// Loads one drawing.
    ///
    /// # Errors
    ///
    /// It cannot be read, or is not a drawing. The first message names the path.
    pub(crate) fn load(&self, input: &Input) -> Result<Drawing> {
        match input {
            Input::Path(path) => Ok(load_file(path, &self.options)?),
            Input::Stdin => load(&read_stdin()?, &self.options).context(IN_STDIN),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::outcome::Outcome;

    #[test]
    fn folders_become_the_drawings_in_them() -> Result<()> {
        let folder = tempfile::tempdir()?;
        fs::create_dir_all(folder.path().join("b/c"))?;
        for file in ["z.SVG", "b/c/a.svgz", "b/notes.txt", "a.svg"] {
            fs::write(folder.path().join(file), "")?;
        }
        let mut report = Report::new(true);
        let given = [Input::Stdin, Input::Path(folder.path().to_owned()), Input::Path("missing.svg".into())];
        let expected = ["a.svg", "b/c/a.svgz", "z.SVG"].map(|file| Input::Path(folder.path().join(file)));
        let files = expand(&given, &mut report);
        assert_eq!(files[0], Input::Stdin);
        assert_eq!(files[1..4], expected);
        assert_eq!(files[4], given[2], "that a file is missing shows when it is loaded");
        assert_eq!(report.outcome(), Outcome::Success);

        let empty = tempfile::tempdir()?;
        assert!(expand(&[Input::Path(empty.path().to_owned())], &mut report).is_empty());
        assert_eq!(report.outcome(), Outcome::Error);
        Ok(())
    }
}
