//! What a drawing is loaded from.

use std::fs::File;
use std::path::{Path, PathBuf};

use boxwood_svg::{Drawing, Error, Options, load, read};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyMemoryView, PyString};

use crate::errors::Failure;

/// What a drawing is loaded from.
#[derive(Debug)]
pub(crate) enum Source {
    File(PathBuf),
    Bytes(Vec<u8>),
    /// A value that cannot be the text of a drawing.
    Invalid(Failure),
}

impl Source {
    /// A path, the text of a drawing as `str` or `bytes`, or an object with a method `read`.
    ///
    /// # Errors
    ///
    /// The object is something else, or its method `read` fails.
    pub(crate) fn of(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(text) = object.cast::<PyString>() {
            return if is_markup(text)? { Ok(Self::text(text)) } else { Self::file(object) };
        }
        if object.hasattr("__fspath__")? {
            return Self::file(object);
        }
        // A value of an Arrow array.
        if object.hasattr("as_py")? {
            return Self::of(&object.call_method0("as_py")?);
        }
        if object.hasattr("read")? {
            let contents = object.call_method0("read")?;
            return match contents.cast::<PyString>() {
                Ok(text) => Ok(Self::text(text)),
                Err(_) => Self::bytes(&contents, "read() must return str or bytes"),
            };
        }
        Self::bytes(object, "a drawing is a path, its text as str or bytes, or a file object")
    }

    fn file(path: &Bound<'_, PyAny>) -> PyResult<Self> {
        let path = path.py().import("os")?.call_method1("fsdecode", (path,))?;
        Ok(match path.extract::<PathBuf>() {
            Ok(path) if path.as_os_str().is_empty() => {
                Self::Invalid(Failure::new("the path or text is empty"))
            }
            Ok(path) => Self::File(path),
            Err(_) => Self::Invalid(Failure::new(format!("no file has the name {}", path.repr()?))),
        })
    }

    fn bytes(object: &Bound<'_, PyAny>, expected: &str) -> PyResult<Self> {
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Self::Bytes(bytes.as_bytes().to_vec()));
        }
        if object.is_instance_of::<PyByteArray>() || object.is_instance_of::<PyMemoryView>() {
            let bytes = object.py().get_type::<PyBytes>().call1((object,))?;
            return Ok(Self::Bytes(bytes.extract()?));
        }
        Err(PyTypeError::new_err(format!("{expected}, not {}", object.get_type().name()?)))
    }

    fn text(text: &Bound<'_, PyString>) -> Self {
        match text.to_str() {
            // The encoding that a `str` declares is that of the file that it was read from. A byte
            // order mark overrides it.
            Ok(text) if text.starts_with("<?xml") => Self::Bytes(format!("\u{feff}{text}").into_bytes()),
            Ok(text) => Self::Bytes(text.as_bytes().to_vec()),
            Err(_) => Self::Invalid(Failure::new(
                "the text has a lone surrogate: give the bytes of the file, or decode it without surrogateescape",
            )),
        }
    }

    /// The path of a file.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path),
            Self::Bytes(_) | Self::Invalid(_) => None,
        }
    }

    /// Loads the drawing. Also returns its text, which is not compressed, and the options with the
    /// folder of its images.
    pub(crate) fn load(self, options: &Options) -> Result<(Vec<u8>, Drawing, Options), Failure> {
        let mut options = options.clone();
        match self {
            Self::Invalid(failure) => Err(failure),
            Self::Bytes(bytes) => {
                let text = read(&*bytes).map_err(|error| Failure::from(&error))?;
                let drawing = load(&text, &options).map_err(|error| Failure::from(&error))?;
                Ok((text, drawing, options))
            }
            Self::File(path) => {
                let in_file = |error| match error {
                    Error::Reader(source) => Error::Read { path: path.clone(), source },
                    of_fonts @ Error::FontDir { .. } => of_fonts,
                    other => Error::InFile { path: path.clone(), source: Box::new(other) },
                };
                let failure = |error| Failure::from(&in_file(error));
                let text = File::open(&path).map_err(Error::Reader).and_then(read).map_err(failure)?;
                if options.resources_dir.is_none() {
                    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty());
                    options.resources_dir = Some(dir.unwrap_or(Path::new(".")).to_owned());
                }
                let drawing = load(&text, &options).map_err(failure)?;
                Ok((text, drawing, options))
            }
        }
    }
}

/// Whether a `str` is the text of a drawing rather than a path: it begins with `<` after white
/// space or a byte order mark.
fn is_markup(text: &Bound<'_, PyString>) -> PyResult<bool> {
    match text.to_str() {
        Ok(text) => {
            Ok(text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}').starts_with('<'))
        }
        // A path may have surrogates, in place of bytes that are not UTF-8.
        Err(_) => text.call_method0("lstrip")?.call_method1("startswith", ("<",))?.extract(),
    }
}
