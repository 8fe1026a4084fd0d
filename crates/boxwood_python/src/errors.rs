//! Exceptions.

use std::error::Error;
use std::ffi::OsString;

use boxwood_query::question::chain;
use boxwood_svg::Error as SvgError;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

pyo3::create_exception!(boxwood, LoadError, PyValueError, "A drawing that cannot be loaded or drawn.");

/// Why a drawing has no boxes, as in the messages of the command.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    pub(crate) message: String,
    /// The path, if the drawing is a file.
    pub(crate) path: Option<OsString>,
    /// The position of the drawing in a batch.
    pub(crate) index: Option<i64>,
    /// The line and the column of the error, if the text is not well-formed XML. Both start at 1.
    pub(crate) place: Option<[u32; 2]>,
    /// The limit that the drawing exceeds.
    pub(crate) limit: Option<f64>,
}

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), path: None, index: None, place: None, limit: None }
    }

    pub(crate) fn of_file(self, path: &std::path::Path) -> Self {
        Self { path: Some(path.as_os_str().to_owned()), ..self }
    }
}

impl From<&SvgError> for Failure {
    fn from(error: &SvgError) -> Self {
        let failure = Self::new(chain(error));
        match error {
            SvgError::InFile { path, source } => {
                let Self { place, limit, .. } = Self::from(&**source);
                Self { place, limit, ..failure.of_file(path) }
            }
            SvgError::Read { path, .. } => failure.of_file(path),
            SvgError::Limit(error) => Self { limit: Some(error.limit), ..failure },
            SvgError::TimeLimit { limit, .. } => Self { limit: Some(limit.as_secs_f64()), ..failure },
            SvgError::Xml { position, .. } => Self { place: *position, ..failure },
            _ => failure,
        }
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        let error = LoadError::new_err(failure.message);
        Python::attach(|py| {
            let value = error.value(py);
            let (line, column) =
                (failure.place.map(|[line, _]| line), failure.place.map(|[_, column]| column));
            // A new exception has a dictionary, so no attribute is refused.
            let _ = value.setattr("path", failure.path);
            let _ = value.setattr("index", failure.index);
            let _ = value.setattr("line", line);
            let _ = value.setattr("column", column);
            let _ = value.setattr("limit", failure.limit);
        });
        error
    }
}

/// An exception for a question without a meaning.
pub(crate) fn value_error(error: &dyn Error) -> PyErr {
    PyValueError::new_err(chain(error))
}
