//! The places of exported files.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile, PersistError};

/// The maximum number of links that lead from one to the next, as in Linux. There may be a cycle.
const MAX_LINKS: u32 = 40;

/// Whether an exported file may replace another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// If there is a file with its name, the new one gets a number.
    Beside,
    /// There must be no file yet. The user has typed the path.
    New,
    /// A file is replaced. The dialog of the desktop has asked the user.
    Replaced,
}

impl Target {
    /// Writes a file at a path or, for [`Self::Beside`], at one that is like it. Returns its path.
    ///
    /// # Errors
    ///
    /// The reason why the file cannot be written. A file that would be replaced then has its old
    /// contents.
    pub(crate) fn write(self, path: &Path, contents: &[u8]) -> Result<PathBuf, String> {
        let written = match self {
            Self::Beside => write_beside(path, contents),
            Self::New => write_new(path, contents).map(|()| path.to_owned()),
            Self::Replaced => replace(path, contents).map(|()| path.to_owned()),
        };
        written.map_err(|error| {
            let reason = match error.kind() {
                io::ErrorKind::AlreadyExists => {
                    "there is a file with this name: type another one, or replace the file in the dialog"
                        .to_owned()
                }
                _ => error.to_string(),
            };
            format!("cannot write {}: {reason}", path.display())
        })
    }
}

/// The first numbered path without a file, which [`Target::Beside`] would write to.
pub(crate) fn free_path(path: &Path) -> PathBuf {
    let is_free = |path: &PathBuf| fs::symlink_metadata(path).is_err();
    numbered_paths(path).find(is_free).unwrap_or_else(|| path.to_owned())
}

/// Writes a new file.
fn write_new(path: &Path, contents: &[u8]) -> io::Result<()> {
    temporary_beside(path, contents)?.persist_noclobber(path)?;
    Ok(())
}

/// Writes a new file. If there is one with its name, the new one gets a number.
fn write_beside(path: &Path, contents: &[u8]) -> io::Result<PathBuf> {
    let mut new = temporary_beside(path, contents)?;
    for path in numbered_paths(path) {
        match new.persist_noclobber(&path) {
            Ok(_) => return Ok(path),
            Err(PersistError { error, file }) if error.kind() == io::ErrorKind::AlreadyExists => new = file,
            Err(PersistError { error, .. }) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Replaces a file. A symbolic link stays, and its file is replaced or made.
fn replace(path: &Path, contents: &[u8]) -> io::Result<()> {
    let path = behind_links(path)?;
    let new = temporary_beside(&path, contents)?;
    if path.exists() {
        // Opening a file that is protected fails.
        let old = File::options().write(true).open(&path)?;
        new.as_file().set_permissions(old.metadata()?.permissions())?;
    }
    new.persist(&path)?;
    Ok(())
}

/// The path that symbolic links lead to. Unlike for [`fs::canonicalize`], there need not be a file.
fn behind_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(target) = fs::read_link(&path) else { return Ok(path) };
        path.pop();
        path.push(target);
    }
    Err(io::Error::other(format!("more than {MAX_LINKS} symbolic links lead to the file")))
}

/// Writes a file that gets its name at once when it is complete. A full disk, or the end of the
/// program, so leaves no part of a file.
fn temporary_beside(path: &Path, contents: &[u8]) -> io::Result<NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let mut new = Builder::new().prefix(".boxwood-").make_in(folder, create)?;
    new.as_file_mut().write_all(contents)?;
    new.as_file().sync_all()?;
    Ok(new)
}

fn create(path: &Path) -> io::Result<File> {
    File::options().write(true).create_new(true).open(path)
}

/// A path, and the same path with the numbers starting at 2.
fn numbered_paths(path: &Path) -> impl Iterator<Item = PathBuf> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let others = (2_u32..).map(move |number| path.with_file_name(numbered(&name, number)));
    std::iter::once(path.to_owned()).chain(others)
}

/// The name of a file with a number before its extension.
fn numbered(name: &str, number: u32) -> String {
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    format!("{stem}-{number}.{extension}")
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn only_the_dialog_replaces_a_file() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("a.b.png");
        assert_eq!(Target::Beside.write(&path, b"1"), Ok(path.clone()));
        assert_eq!(free_path(&path), folder.path().join("a.b-2.png"));
        assert_eq!(Target::Beside.write(&path, b"2"), Ok(folder.path().join("a.b-2.png")));
        let error = Target::New.write(&path, b"3").expect_err("there is a file");
        assert!(error.contains("a.b.png: there is a file with this name: type another one"), "{error}");
        assert!(!error.contains("os error"), "{error}");
        assert_eq!(fs::read(&path)?, b"1");
        assert_eq!(Target::Replaced.write(&path, b"4"), Ok(path.clone()));
        assert_eq!(fs::read(&path)?, b"4");
        assert_eq!(fs::read_dir(folder.path())?.count(), 2, "no other file is left");
        Ok(())
    }

    #[test]
    fn a_file_that_cannot_be_replaced_stays() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("folder");
        fs::create_dir(&path)?;
        assert!(Target::Replaced.write(&path, b"1").is_err());
        assert_eq!(fs::read_dir(folder.path())?.count(), 1, "the temporary file is removed");
        Ok(())
    }

    #[test]
    fn a_new_file_is_complete_as_soon_as_it_has_its_name() -> io::Result<()> {
        let contents = vec![b'1'; 16 << 20];
        for target in [Target::New, Target::Beside] {
            let folder = tempfile::tempdir()?;
            let path = folder.path().join("a.png");
            thread::scope(|scope| {
                let written = scope.spawn(|| target.write(&path, &contents));
                while !path.exists() && !written.is_finished() {}
                let size = fs::metadata(&path).map_or(0, |file| file.len());
                assert_eq!(size, contents.len() as u64, "{target:?}");
                assert_eq!(written.join().expect("it does not panic"), Ok(path.clone()));
            });
            assert_eq!(fs::read_dir(folder.path())?.count(), 1, "no other file is left");
        }
        Ok(())
    }

    #[cfg(unix)]
    #[test]
    fn links_stay_even_if_they_lead_to_no_file_yet() -> io::Result<()> {
        use std::os::unix::fs::symlink;

        let folder = tempfile::tempdir()?;
        let path = |name| folder.path().join(name);
        fs::create_dir(path("deep"))?;
        symlink("deep/b.png", path("a.png"))?;
        symlink("../c.png", path("deep/b.png"))?;
        for contents in [b"1", b"2"] {
            assert_eq!(Target::Replaced.write(&path("a.png"), contents), Ok(path("a.png")));
            assert!(path("a.png").is_symlink() && path("deep/b.png").is_symlink());
            assert!(!path("c.png").is_symlink());
            assert_eq!(fs::read(path("c.png"))?, contents);
        }
        symlink("cycle.png", path("cycle.png"))?;
        let error = Target::Replaced.write(&path("cycle.png"), b"3").expect_err("there is no file");
        assert!(error.contains("cycle.png: more than 40 symbolic links"), "{error}");
        assert!(path("cycle.png").is_symlink());
        Ok(())
    }
}
