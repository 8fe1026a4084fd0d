//! What a command writes: standard output and files.

use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, StdoutLock, Write};
use std::path::{self, Path, PathBuf};

use anyhow::{Result, bail};
use tempfile::NamedTempFile;

use crate::input::Input;

/// Standard output. Its errors name it.
#[derive(Debug)]
pub struct Stdout(StdoutLock<'static>);

impl Stdout {
    /// Locks standard output until this is dropped.
    pub fn lock() -> Self {
        Self(io::stdout().lock())
    }
}

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(|error| cannot_write("standard output", &error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(|error| cannot_write("standard output", &error))
    }
}

/// The error with the name of the output. Its kind does not change: callers retry after an
/// interrupt, and a broken pipe is not an error.
pub(crate) fn cannot_write(output: impl Display, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot write {output}: {error}"))
}

/// A file that is replaced as a whole: it has either its old contents or all of the new ones.
#[derive(Debug)]
pub struct OutputFile(PathBuf);

impl OutputFile {
    /// Checks that a file with this extension can be written to `path`. Does not change the file.
    ///
    /// # Errors
    ///
    /// The file is one of `taken`, the inputs and the other outputs; its name has another
    /// extension; or it cannot be written.
    pub fn new(path: &Path, extension: &str, taken: &[Input]) -> Result<Self> {
        let name = path.display();
        if path == Path::new("-") {
            bail!("cannot write {name}: it must be a file; the table goes to standard output");
        }
        if taken.iter().any(|other| other.is_file(path) || is_path(other, path)) {
            bail!("cannot write {name}: this command already reads or writes that file: name another one");
        }
        if path.extension().is_some_and(|other| !other.eq_ignore_ascii_case(extension)) {
            bail!("cannot write {name}: the name of this output must end in .{extension}");
        }
        let file = Self(path.to_owned());
        if !file.is_special() {
            file.temporary().map_err(|error| cannot_write(name, &error))?;
        }
        Ok(file)
    }

    /// Checks that the output is none of these files, which the command has read.
    ///
    /// # Errors
    ///
    /// It is one of them.
    pub fn check_is_none_of(&self, read: &[PathBuf]) -> Result<()> {
        if read.iter().any(|file| Input::Path(file.clone()).is_file(&self.0)) {
            bail!(
                "cannot write {}: the drawing has that file as an image: name another one",
                self.0.display()
            );
        }
        Ok(())
    }

    /// The path, as it was given.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Replaces the file.
    ///
    /// # Errors
    ///
    /// The file cannot be written. It then has its old contents, unless it is a device or a pipe.
    pub fn write(&self, contents: &[u8]) -> io::Result<()> {
        self.replace(contents).map_err(|error| cannot_write(self.0.display(), &error))
    }

    fn replace(&self, contents: &[u8]) -> io::Result<()> {
        if self.is_special() {
            return fs::write(&self.0, contents);
        }
        let (mut temporary, target) = self.temporary()?;
        let file = temporary.as_file_mut();
        file.write_all(contents)?;
        // A file system may not notice before this that it is full.
        file.sync_all()?;
        temporary.persist(target)?;
        Ok(())
    }

    /// Whether the path is a device or a pipe, which must be written in place.
    fn is_special(&self) -> bool {
        self.0.metadata().is_ok_and(|file| !file.is_file() && !file.is_dir())
    }

    /// Creates a file next to the target, and returns it with the path of the target. It has the
    /// permissions of an existing target, and is deleted when it is dropped.
    fn temporary(&self) -> io::Result<(NamedTempFile, PathBuf)> {
        let target = self.target()?;
        let folder = target.parent().filter(|_| !target.is_dir()).ok_or(io::ErrorKind::IsADirectory)?;
        let create = |path: &Path| File::options().write(true).create_new(true).open(path);
        let temporary = tempfile::Builder::new().prefix(".boxwood-").make_in(folder, create)?;
        if target.exists() {
            // Opening the target fails if it is write-protected.
            let old = File::options().write(true).open(&target)?;
            temporary.as_file().set_permissions(old.metadata()?.permissions())?;
        }
        Ok((temporary, target))
    }

    /// The absolute path behind symbolic links, so that a link is kept and its target is replaced.
    fn target(&self) -> io::Result<PathBuf> {
        self.0.canonicalize().or_else(|error| {
            if error.kind() != io::ErrorKind::NotFound {
                return Err(error);
            }
            // The file does not exist, but a link to it may.
            let linked = self.0.read_link().map(|link| self.0.with_file_name(link));
            path::absolute(linked.as_deref().unwrap_or(&self.0))
        })
    }
}

/// Whether an input has this path, for files that do not exist yet.
fn is_path(input: &Input, path: &Path) -> bool {
    matches!(input, Input::Path(other) if path::absolute(other).ok() == path::absolute(path).ok())
}
