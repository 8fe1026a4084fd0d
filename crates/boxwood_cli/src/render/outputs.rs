//! The files that `boxwood render` writes.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::input::Input;
use crate::output::OutputFile;
use crate::report::Report;
use crate::watch_files::is_svg_name;

/// A drawing and the place of its picture.
pub(super) struct Picture {
    pub(super) input: Input,
    /// `None` for standard output.
    pub(super) output: Option<OutputFile>,
}

/// The picture of the only drawing, at the path that `-o` names.
///
/// # Errors
///
/// There are several drawings, or the picture cannot be written.
pub(super) fn one_picture(inputs: &[Input], path: &Path) -> Result<Picture> {
    let [input] = inputs else {
        bail!("-o names one picture: use --output-dir for several drawings");
    };
    if let Input::Path(folder) = input
        && folder.is_dir()
    {
        bail!(
            "cannot read {}: it is a directory, and -o names one picture: use --output-dir",
            folder.display()
        );
    }
    let output = if path != Path::new("-") {
        Some(OutputFile::new(path, "png", inputs)?)
    } else if io::stdout().is_terminal() {
        bail!("standard output is a terminal, and a PNG is not text: redirect it, or name a file with -o");
    } else {
        None
    };
    Ok(Picture { input: input.clone(), output })
}

/// A picture in `folder` for each drawing. It has the name of the drawing, with the extension
/// `png`. The pictures of the drawings in a folder are in the same subfolders.
///
/// Reports pictures that cannot be written, and leaves them out.
///
/// # Errors
///
/// Nothing is written if two drawings would have the same picture, a picture would replace a
/// drawing, or a drawing has no name.
pub(super) fn pictures_in(folder: &Path, inputs: &[Input], report: &mut Report) -> Result<Vec<Picture>> {
    let mut pictures = Vec::new();
    for argument in inputs {
        for input in argument.files() {
            if let Input::NoFiles { message, .. } = &input {
                report.error(message);
                continue;
            }
            pictures.push((folder.join(picture_name(argument, &input)?), input));
        }
    }
    check(&pictures)?;
    let output = |path: &Path| {
        let parent = path.parent().unwrap_or(folder);
        fs::create_dir_all(parent).with_context(|| format!("cannot create {}", parent.display()))?;
        OutputFile::new(path, "png", &[])
    };
    let picture = |(path, input): (PathBuf, Input)| {
        report.ok(output(&path)).map(|output| Picture { input, output: Some(output) })
    };
    Ok(pictures.into_iter().filter_map(picture).collect())
}

/// The path of a picture in the output folder. `argument` is the drawing or a folder around it.
fn picture_name(argument: &Input, input: &Input) -> Result<PathBuf> {
    let (Input::Path(argument), Input::Path(path)) = (argument, input) else {
        bail!("a drawing from standard input has no name for --output-dir: use -o");
    };
    let inside = path.strip_prefix(argument).ok().filter(|name| !name.as_os_str().is_empty());
    let name = inside.or_else(|| path.file_name().map(Path::new)).unwrap_or(path);
    if is_svg_name(name) {
        return Ok(name.with_extension("png"));
    }
    let mut name = name.as_os_str().to_owned();
    name.push(".png");
    Ok(name.into())
}

/// Checks that every drawing has its own picture, and that no picture replaces a drawing.
fn check(pictures: &[(PathBuf, Input)]) -> Result<()> {
    let canonical = |(_, input): &(PathBuf, Input)| match input {
        Input::Path(path) => path.canonicalize().ok(),
        Input::Stdin | Input::NoFiles { .. } => None,
    };
    let drawings: HashSet<PathBuf> = pictures.iter().filter_map(canonical).collect();
    let mut inputs = HashMap::new();
    for (path, input) in pictures {
        let name = path.display();
        if let Some(other) = inputs.insert(path, input) {
            bail!(
                "cannot write {name}: it would be the picture of {other} and of {input}: rename one of them, or use two folders"
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
    fn pictures_keep_the_names_of_drawings_and_their_subfolders() -> Result<()> {
        let name = |argument: &str, path: &str| {
            picture_name(&Input::Path(argument.into()), &Input::Path(path.into()))
        };
        for (argument, path, expected) in [
            ("a.svg", "a.svg", "a.png"),
            ("x/y/a.SVGZ", "x/y/a.SVGZ", "a.png"),
            ("logo.v2", "logo.v2", "logo.v2.png"),
            ("icons", "icons/a.svg", "a.png"),
            ("icons/", "icons/deep/er/a.b.svg", "deep/er/a.b.png"),
            (".", "./deep/a.svg", "deep/a.png"),
        ] {
            assert_eq!(name(argument, path)?, Path::new(expected), "{path} of {argument}");
        }
        assert!(picture_name(&Input::Stdin, &Input::Stdin).is_err());
        Ok(())
    }
}
