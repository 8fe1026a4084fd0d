//! The drawings that a window shows.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use boxwood_svg::{Drawing, Error, Options};

/// A source of drawings for a window.
#[derive(Clone, PartialEq, Eq)]
pub enum ViewInput {
    /// A file, which is loaded again when it changes; or a folder, which stands for the drawings in
    /// it and in its folders.
    ///
    /// If the only input is a file, the window also lists the drawings next to it.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_in_bytes_contains_their_name() {
        let input = ViewInput::Bytes { name: "stdin".to_owned(), bytes: b"<svg".as_slice().into() };
        let error = input.load(&Options::default()).expect_err("the bytes are not XML");
        assert!(boxwood_render::with_sources(&error).contains("stdin"), "{error}");
    }
}
