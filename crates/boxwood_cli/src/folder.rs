//! The drawings in folders.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::watch_files::is_svg_name;

/// A drawing begins in these bytes of its file, behind its comments and its document type.
const MAX_PROLOG: u64 = 1 << 16;

/// The first bytes of a gzip stream.
pub(crate) const GZIP: [u8; 2] = [0x1f, 0x8b];

/// The bytes of byte order marks.
const MARK: [u8; 5] = [0xef, 0xbb, 0xbf, 0xff, 0xfe];

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
pub fn drawings_beside(file: &Path) -> io::Result<Vec<PathBuf>> {
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

/// Whether a file has the name of a drawing, or begins like one. Devices and pipes may be drawings.
///
/// # Errors
///
/// The file has another name, and cannot be read.
pub fn may_be_drawing(file: &Path) -> io::Result<bool> {
    if is_svg_name(file) || !fs::metadata(file)?.is_file() {
        return Ok(true);
    }
    let mut bytes = Vec::new();
    File::open(file)?.take(MAX_PROLOG).read_to_end(&mut bytes)?;
    if bytes.starts_with(&GZIP) {
        return Ok(true);
    }
    // UTF-16 has zeros between the characters of the markup.
    bytes.retain(|byte| *byte != 0);
    let first = bytes.iter().find(|byte| !MARK.contains(byte) && !byte.is_ascii_whitespace());
    Ok(first == Some(&b'<') && bytes.windows(3).any(|name| name == b"svg"))
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

    #[test]
    fn a_file_without_the_name_of_a_drawing_must_begin_like_one() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let wide = "\u{feff}<svg/>".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
        for (name, bytes, expected) in [
            ("broken.svg", b"".as_slice(), true),
            ("README.md", b"# Reads <svg> files", false),
            ("page.html", b"<html></html>", false),
            ("picture.png", b"\x89PNG", false),
            ("empty", b"", false),
            ("drawing.xml", b"\xef\xbb\xbf\n<?xml version='1.0'?><!-- a --><s:svg/>", true),
            ("wide", &wide, true),
            ("compressed", b"\x1f\x8b\x08", true),
        ] {
            let file = folder.path().join(name);
            fs::write(&file, bytes)?;
            assert_eq!(may_be_drawing(&file)?, expected, "{name}");
        }
        assert!(may_be_drawing(folder.path())?, "a folder is listed");
        assert!(may_be_drawing(&folder.path().join("gone")).is_err());
        Ok(())
    }
}
