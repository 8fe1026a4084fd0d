//! The files that `boxwood render` and `boxwood crop` write: one for each drawing.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::input::Input;
use crate::output::{OutputFile, Stdout};
use crate::report::Report;

/// A drawing, and the place of what is made of it.
pub(crate) struct Conversion {
    pub(crate) input: Input,
    /// `None` for standard output.
    pub(crate) output: Option<OutputFile>,
}

/// What was made of a drawing, written unless it goes to standard output.
pub(crate) struct Written {
    pub(crate) n_elements: usize,
    /// The bytes for standard output, empty if they are in a file.
    pub(crate) for_stdout: Vec<u8>,
}

impl Written {
    /// Writes the bytes for standard output. Returns the number of elements.
    pub(crate) fn print(&self) -> Result<usize> {
        let mut out = Stdout::lock();
        out.write_all(&self.for_stdout)?;
        // Whoever reads a pipe can go on with this drawing before the next one is ready.
        out.flush()?;
        Ok(self.n_elements)
    }
}

/// The only drawing of a command that writes one file.
///
/// # Errors
///
/// There are several drawings, or a folder. The message ends with `advice`.
pub(crate) fn only_drawing<'i>(inputs: &'i [Input], advice: &str) -> Result<&'i Input> {
    let [input] = inputs else {
        bail!("-o names one file: {advice} for several drawings");
    };
    if let Input::Path(folder) = input
        && folder.is_dir()
    {
        bail!("cannot read {}: it is a directory, and -o names one file: {advice}", folder.display());
    }
    Ok(input)
}

/// An output in `folder` for each drawing. `renamed` returns its name from that of the drawing. The
/// outputs of the drawings in a folder are in the same subfolders.
///
/// Reports outputs that cannot be written, and leaves them out.
///
/// # Errors
///
/// Nothing is written if two drawings would have the same output, an output would replace a
/// drawing, or a drawing has no name.
pub(crate) fn outputs_in(
    folder: &Path,
    inputs: &[Input],
    renamed: fn(&Path) -> PathBuf,
    report: &mut Report,
) -> Result<Vec<Conversion>> {
    let mut outputs = Vec::new();
    for argument in inputs {
        for input in argument.files() {
            if let Input::NoFiles { message, .. } = &input {
                report.error(message);
                continue;
            }
            outputs.push((folder.join(renamed(name_in(argument, &input)?)), input));
        }
    }
    check(&outputs)?;
    let output = |path: &Path| {
        let parent = path.parent().unwrap_or(folder);
        fs::create_dir_all(parent).with_context(|| format!("cannot create {}", parent.display()))?;
        OutputFile::new(path, extension(path), &[])
    };
    let conversion = |(path, input): (PathBuf, Input)| {
        report.ok(output(&path)).map(|output| Conversion { input, output: Some(output) })
    };
    Ok(outputs.into_iter().filter_map(conversion).collect())
}

/// The extension of a path.
pub(crate) fn extension(path: &Path) -> &str {
    path.extension().and_then(|extension| extension.to_str()).unwrap_or_default()
}

/// The path of a drawing inside of the folder that is an argument, or its name if the drawing is
/// itself the argument.
fn name_in<'i>(argument: &'i Input, input: &'i Input) -> Result<&'i Path> {
    let (Input::Path(argument), Input::Path(path)) = (argument, input) else {
        bail!("a drawing from standard input has no name in a folder: use -o with the name of a file");
    };
    let inside = path.strip_prefix(argument).ok().filter(|name| !name.as_os_str().is_empty());
    Ok(inside.or_else(|| path.file_name().map(Path::new)).unwrap_or(path))
}

/// Checks that every drawing has its own output, and that no output replaces a drawing.
fn check(outputs: &[(PathBuf, Input)]) -> Result<()> {
    let canonical = |(_, input): &(PathBuf, Input)| match input {
        Input::Path(path) => path.canonicalize().ok(),
        Input::Stdin | Input::NoFiles { .. } => None,
    };
    let drawings: HashSet<PathBuf> = outputs.iter().filter_map(canonical).collect();
    let mut inputs = HashMap::new();
    for (path, input) in outputs {
        let name = path.display();
        if let Some(other) = inputs.insert(path, input) {
            bail!(
                "cannot write {name}: it would be the output for {other} and for {input}: rename one of them, or use two folders"
            );
        }
        if path.canonicalize().is_ok_and(|path| drawings.contains(&path)) {
            bail!("cannot write {name}: this command already reads that file: name another folder");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_keep_the_names_of_drawings_and_their_subfolders() -> Result<()> {
        for (argument, path, expected) in [
            ("a.svg", "a.svg", "a.svg"),
            ("x/y/a.SVGZ", "x/y/a.SVGZ", "a.SVGZ"),
            ("logo.v2", "logo.v2", "logo.v2"),
            ("icons", "icons/a.svg", "a.svg"),
            ("icons/", "icons/deep/er/a.b.svg", "deep/er/a.b.svg"),
            (".", "./deep/a.svg", "deep/a.svg"),
        ] {
            let [argument, input] = [argument, path].map(|path| Input::Path(path.into()));
            assert_eq!(name_in(&argument, &input)?, Path::new(expected), "{path}");
        }
        assert!(name_in(&Input::Stdin, &Input::Stdin).is_err());
        Ok(())
    }
}
