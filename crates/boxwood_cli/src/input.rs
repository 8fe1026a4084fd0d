//! The drawings that a command reads: files, folders of them, and standard input.

#[cfg(unix)]
use std::ffi::OsStr;
use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
#[cfg(unix)]
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;
use std::{fmt, io};

#[cfg(not(unix))]
use anyhow::anyhow;
use anyhow::{Context, Result, bail};
use boxwood_svg::{Drawing, Error, Fonts, Options, load, load_file, read};
use clap::Args;
use same_file::Handle;

use crate::folder::{FolderError, GZIP, drawings_in};
use crate::jobs::JobsArg;
use crate::numbers::seconds;

/// Which drawings are read, and how many at the same time.
#[derive(Clone, Debug, Args)]
pub(crate) struct FilesArgs {
    /// SVG or SVGZ files, folders of them, or - for standard input
    ///
    /// A drawing from standard input has no images in other files, because it is in no folder.
    #[arg(value_name = "FILE")]
    inputs: Vec<Input>,
    /// Also read the files and folders in this list, one path per line; - for standard input
    #[arg(long, value_name = "LIST", hide_short_help = true)]
    files_from: Option<Input>,
    /// The paths in the list end with a NUL character, as `find -print0` writes them
    #[arg(short = '0', long, requires = "files_from", hide_short_help = true)]
    null: bool,
    #[command(flatten)]
    pub(crate) jobs: JobsArg,
}

impl FilesArgs {
    /// The inputs, with those in the list.
    ///
    /// # Errors
    ///
    /// The list cannot be read, has no path, or is from standard input like a drawing.
    pub(crate) fn inputs(&self) -> Result<Vec<Input>> {
        let mut inputs = self.inputs.clone();
        if inputs.iter().filter(|input| **input == Input::Stdin).count() > 1 {
            bail!("standard input can be read only once: give `-` only once");
        }
        if let Some(list) = &self.files_from {
            if *list == Input::Stdin && inputs.contains(list) {
                bail!("standard input has either a drawing or the list of files: write the other to a file");
            }
            let n_inputs = inputs.len();
            inputs.extend(list.paths(self.null)?.into_iter().map(Input::Path));
            if inputs.len() == n_inputs {
                bail!("there is no path in the list {list}");
            }
        }
        Ok(inputs)
    }
}

/// How drawings are loaded.
#[derive(Clone, Debug, Args)]
pub struct LoadArgs {
    /// Use only the bundled font and those of --font-dir, so that texts are the same on every
    /// machine
    #[arg(long, hide_short_help = true)]
    no_system_fonts: bool,
    /// Also use the fonts in this folder (may be repeated)
    #[arg(long, value_name = "DIR", hide_short_help = true)]
    font_dir: Vec<PathBuf>,
    /// Maximum time to load a drawing after its text has been read
    #[arg(long, value_name = "SECONDS", default_value = "60", allow_negative_numbers = true, value_parser = seconds,
        hide_short_help = true)]
    time_limit: Duration,
}

impl LoadArgs {
    /// The options of the loader.
    ///
    /// # Errors
    ///
    /// A font folder cannot be listed. Checking this here reports it once, not once per drawing.
    pub fn options(&self) -> Result<Options> {
        let fonts = if self.no_system_fonts { Fonts::Bundled } else { Fonts::System };
        let (font_dirs, time_limit) = (self.font_dir.clone(), Some(self.time_limit));
        let options = Options { fonts, font_dirs, time_limit, ..Options::default() };
        options.check()?;
        Ok(options)
    }
}

/// Where a drawing is read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// Standard input, written `-`.
    Stdin,
    /// A file; or a folder, which stands for the drawings in it and in its folders.
    Path(PathBuf),
    /// A folder that cannot be listed, or that has no drawing. Loading it fails with the message.
    NoFiles {
        /// The folder.
        folder: PathBuf,
        /// The reason.
        message: String,
    },
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
            Self::Path(path) | Self::NoFiles { folder: path, .. } => path.display().fmt(f),
        }
    }
}

const STDIN_ERROR: &str = "cannot load standard input";

impl Input {
    /// The SVG and SVGZ files in a folder and in its folders, sorted by path; or this input, if it
    /// is not a folder. A folder that cannot be listed is one of them.
    pub fn files(&self) -> Vec<Self> {
        match self {
            Self::Path(path) if path.is_dir() => inputs_in(path),
            _ => vec![self.clone()],
        }
    }

    /// Whether this reads the regular file at `path`, whatever the names and links that lead to it.
    pub(crate) fn is_file(&self, path: &Path) -> bool {
        self.handle().is_some_and(|handle| Self::Path(path.to_owned()).handle() == Some(handle))
    }

    /// Whether standard output goes to the file that this reads.
    fn is_stdout(&self) -> bool {
        stdout_file().is_some_and(|stdout| self.handle().as_ref() == Some(stdout))
    }

    /// The regular file that this reads. A terminal or a pipe may be both read and written.
    fn handle(&self) -> Option<Handle> {
        match self {
            Self::Stdin => Handle::stdin().ok().filter(is_regular),
            // To open a pipe and close it again would break it.
            Self::Path(path) => path.is_file().then(|| Handle::from_path(path).ok()).flatten(),
            Self::NoFiles { .. } => None,
        }
    }

    /// The paths in this list, which end with a NUL character, or else with a line. Lines may end
    /// as on Unix or on Windows.
    fn paths(&self, null: bool) -> Result<Vec<PathBuf>> {
        let text = match self {
            Self::Stdin => read_stdin()?,
            Self::NoFiles { message, .. } => bail!("{message}"),
            Self::Path(path) => File::open(path)
                .map_err(anyhow::Error::from)
                .and_then(|file| Ok(read(file)?))
                .with_context(|| format!("cannot read the list {self}"))?,
        };
        let end = if null { b'\0' } else { b'\n' };
        let lines = text.split(|byte| *byte == end);
        let lines = lines.map(|line| line.strip_suffix(b"\r").filter(|_| !null).unwrap_or(line));
        lines.filter(|line| !line.is_empty()).map(path_of).collect()
    }

    /// Loads the drawing.
    ///
    /// # Errors
    ///
    /// The input cannot be read, is not a drawing, or is also what standard output goes to.
    pub(crate) fn load(&self, options: &Options) -> Result<Drawing> {
        self.check_is_not_stdout()?;
        match self {
            Self::Path(path) => Ok(load_file(path, options)?),
            Self::NoFiles { message, .. } => bail!("{message}"),
            Self::Stdin => load(&read_stdin()?, options).context(STDIN_ERROR),
        }
    }

    /// Reads the drawing, decompressed, and returns whether it was compressed.
    ///
    /// # Errors
    ///
    /// The input cannot be read, or is also what standard output goes to.
    pub(crate) fn read(&self) -> Result<(Vec<u8>, bool)> {
        self.check_is_not_stdout()?;
        match self {
            Self::Path(path) => {
                let in_file = |source| Error::Read { path: path.clone(), source };
                let file = File::open(path).map_err(in_file)?;
                read_drawing(file).map_err(|error| match error.downcast() {
                    Ok(Error::Reader(source)) => in_file(source).into(),
                    Ok(error) => Error::InFile { path: path.clone(), source: Box::new(error) }.into(),
                    Err(error) => error,
                })
            }
            Self::NoFiles { message, .. } => bail!("{message}"),
            Self::Stdin => read_drawing(io::stdin().lock()).context(STDIN_ERROR),
        }
    }

    fn check_is_not_stdout(&self) -> Result<()> {
        if self.is_stdout() {
            bail!("standard output goes to {self}, which is also an input: redirect it to another file");
        }
        Ok(())
    }

    /// The folder that the addresses of images in the drawing are relative to.
    pub(crate) fn folder(&self) -> Option<PathBuf> {
        let Self::Path(path) = self else { return None };
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        Some(folder.unwrap_or(Path::new(".")).to_owned())
    }
}

/// Reads a drawing, decompressed, and returns whether it was compressed.
fn read_drawing(mut reader: impl Read) -> Result<(Vec<u8>, bool)> {
    let mut start = Vec::new();
    reader.by_ref().take(GZIP.len() as u64).read_to_end(&mut start).map_err(Error::Reader)?;
    let is_compressed = start == GZIP;
    Ok((read(start.chain(reader))?, is_compressed))
}

fn is_regular(handle: &Handle) -> bool {
    handle.as_file().metadata().is_ok_and(|file| file.is_file())
}

/// The regular file that standard output goes to. `None` if it goes to something else, such as a
/// pipe: the inputs need no check then.
fn stdout_file() -> Option<&'static Handle> {
    static FILE: OnceLock<Option<Handle>> = OnceLock::new();
    FILE.get_or_init(|| Handle::stdout().ok().filter(is_regular)).as_ref()
}

/// The path with these bytes.
#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "on other systems, some bytes are not a path")]
fn path_of(bytes: &[u8]) -> Result<PathBuf> {
    Ok(Path::new(OsStr::from_bytes(bytes)).to_owned())
}

/// The path with these bytes.
#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> Result<PathBuf> {
    let path = str::from_utf8(bytes).map(PathBuf::from);
    path.map_err(|_| anyhow!("the path {} is not UTF-8", String::from_utf8_lossy(bytes)))
}

/// Reads all of standard input.
///
/// # Errors
///
/// It cannot be read, or is larger than the limit.
pub fn read_stdin() -> Result<Vec<u8>> {
    read(io::stdin().lock()).context(STDIN_ERROR)
}

/// Replaces every folder by the SVG and SVGZ files in it and in its folders, sorted by path.
pub(crate) fn expand(inputs: &[Input]) -> Vec<Input> {
    inputs.iter().flat_map(Input::files).collect()
}

fn inputs_in(folder: &Path) -> Vec<Input> {
    let input = |file: Result<PathBuf, FolderError>| match file {
        Ok(path) => Input::Path(path),
        Err(error) => Input::NoFiles { folder: error.folder().to_owned(), message: error.to_string() },
    };
    drawings_in(folder).into_iter().map(input).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use clap::Parser;

    use super::*;

    #[test]
    fn folders_are_replaced_by_their_drawings() -> Result<()> {
        let folder = tempfile::tempdir()?;
        fs::create_dir_all(folder.path().join("b/c"))?;
        for file in ["z.SVG", "b/c/a.svgz", "b/notes.txt", "a.svg"] {
            fs::write(folder.path().join(file), "")?;
        }
        let given = [Input::Stdin, Input::Path(folder.path().to_owned()), Input::Path("missing.svg".into())];
        let expected = ["a.svg", "b/c/a.svgz", "z.SVG"].map(|file| Input::Path(folder.path().join(file)));
        let files = expand(&given);
        assert_eq!(files[0], Input::Stdin);
        assert_eq!(files[1..4], expected);
        assert_eq!(files[4], given[2], "a missing file is reported when it is loaded");

        let empty = tempfile::tempdir()?;
        let files = expand(&[Input::Path(empty.path().to_owned())]);
        let [none @ Input::NoFiles { .. }] = &files[..] else { panic!("{files:?}") };
        let error = none.load(&Options::default()).expect_err("it is not a drawing").to_string();
        assert_eq!(error, format!("there is no .svg or .svgz file in {}", empty.path().display()));
        Ok(())
    }

    #[test]
    fn the_loader_uses_its_defaults_unless_options_are_given() {
        #[derive(Parser)]
        struct Cli {
            #[command(flatten)]
            load: LoadArgs,
        }
        let options = |more: &[&str]| {
            let cli = Cli::parse_from([&["boxwood"], more].concat());
            cli.load.options().expect("no font folder is named")
        };
        assert_eq!(options(&[]), Options::default());
        let time_limit = Some(Duration::from_millis(90_500));
        let expected = Options { fonts: Fonts::Bundled, time_limit, ..Options::default() };
        assert_eq!(options(&["--no-system-fonts", "--time-limit", "90.5"]), expected);
    }
}
