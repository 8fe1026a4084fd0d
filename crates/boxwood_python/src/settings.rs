//! How drawings are loaded.

use std::path::PathBuf;
use std::time::Duration;

use boxwood_svg::{FontSet, Fonts, Options};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::errors::value_error;

/// How drawings are loaded: their fonts and limits.
#[pyclass(frozen, module = "boxwood._boxwood")]
#[derive(Debug)]
pub(crate) struct Settings {
    pub(crate) options: Options,
}

#[pymethods]
impl Settings {
    #[new]
    fn new(
        fonts: Option<&Bound<'_, PyAny>>,
        font_dirs: Vec<PathBuf>,
        clip: bool,
        time_limit: Option<f64>,
        folder: Option<PathBuf>,
    ) -> PyResult<Self> {
        let time_limit = match time_limit {
            None => None,
            Some(seconds) => {
                Some(Duration::try_from_secs_f64(seconds).ok().filter(|limit| !limit.is_zero()).ok_or_else(
                    || PyValueError::new_err("time_limit must be a positive number of seconds, or None"),
                )?)
            }
        };
        let options = Options {
            fonts: fonts_of(fonts)?,
            font_dirs,
            clip_to_viewport: clip,
            time_limit,
            resources_dir: folder,
            ..Options::default()
        };
        options.check().map_err(|error| value_error(&error))?;
        Ok(Self { options })
    }
}

/// The fonts of the system for `None` and `"system"`, the bundled one for `"bundled"`, or those in
/// the bytes of font files.
fn fonts_of(fonts: Option<&Bound<'_, PyAny>>) -> PyResult<Fonts> {
    let Some(fonts) = fonts else { return Ok(Fonts::System) };
    if let Ok(word) = fonts.cast::<PyString>() {
        return match &*word.to_string_lossy() {
            "system" => Ok(Fonts::System),
            "bundled" => Ok(Fonts::Bundled),
            other => Err(PyValueError::new_err(format!(
                "fonts must be \"system\", \"bundled\", or a list of font files, not \"{other}\""
            ))),
        };
    }
    let files = fonts.extract::<Vec<Vec<u8>>>()?;
    Ok(Fonts::Given(FontSet::new(files).map_err(|error| value_error(&error))?))
}
