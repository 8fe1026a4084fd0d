//! One drawing, and the questions about it.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::sync::{Arc, OnceLock};

use boxwood_query::question::{boxes_query, crop_question, findings_query, wanted};
use boxwood_query::{Ink, NotFound, explain};
use boxwood_svg::{CancelToken, Deadline, Drawing, Options};
use image::{ExtendedColorType, ImageEncoder as _, codecs::png::PngEncoder};
use kurbo::{Affine, Rect};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::{Failure, value_error};
use crate::settings::Settings;
use crate::signals::interruptible;
use crate::source::Source;

/// The largest number of pixels on a side of a picture, as for the command without a GPU.
const MAX_SIDE: f64 = 8_192.0;

/// Loads a drawing. Other threads of Python go on meanwhile. `path` names the file that the source
/// is the edited text of.
#[pyfunction]
#[pyo3(signature = (source, settings, path = None))]
pub(crate) fn load(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    settings: &Settings,
    path: Option<OsString>,
) -> PyResult<LoadedDrawing> {
    let source = Source::of(source)?;
    let path = path.or_else(|| source.path().map(|path| path.as_os_str().to_owned()));
    let cancel = CancelToken::default();
    let options = Options { cancel: Some(cancel.clone()), ..settings.options.clone() };
    let (text, drawing, options) = interruptible(py, &cancel, move || source.load(&options))??;
    Ok(LoadedDrawing { path, text, drawing: Arc::new(drawing), options, inks: OnceLock::new() })
}

/// A loaded drawing, with the text that it was loaded from.
#[pyclass(frozen, module = "boxwood._boxwood")]
#[derive(Debug)]
pub(crate) struct LoadedDrawing {
    path: Option<OsString>,
    text: Vec<u8>,
    drawing: Arc<Drawing>,
    /// The options that it was loaded with, including a token that nobody sets any more.
    options: Options,
    /// The ink of each source of the drawing, once one of them was asked for.
    inks: OnceLock<Vec<Option<Edges>>>,
}

type Edges = (f64, f64, f64, f64);

/// The edges of a rectangle of `f32`, as the shortest numbers that round to them. JSON has the same.
fn edges(Rect { x0, y0, x1, y1 }: Rect) -> Edges {
    #[expect(clippy::cast_possible_truncation, reason = "the numbers are f32")]
    let shortest = |edge: f64| (edge as f32).to_string().parse().unwrap_or(edge);
    (shortest(x0), shortest(y0), shortest(x1), shortest(y1))
}

#[pymethods]
impl LoadedDrawing {
    #[getter]
    fn path(&self) -> Option<&OsStr> {
        self.path.as_deref()
    }

    /// The folder that the addresses of images are relative to.
    #[getter]
    fn folder(&self) -> Option<&OsStr> {
        self.options.resources_dir.as_deref().map(Path::as_os_str)
    }

    /// The text, which is not compressed.
    #[getter]
    fn text<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.text)
    }

    #[getter]
    fn size(&self) -> (f64, f64) {
        (self.drawing.size.width, self.drawing.size.height)
    }

    /// The warnings about boxes, as JSON.
    fn warnings(&self) -> PyResult<String> {
        json(&boxwood_query::warnings(&self.drawing).collect::<Vec<_>>())
    }

    /// What may change the drawing after it is loaded, such as `scripts`.
    fn may_change(&self) -> Vec<&'static str> {
        boxwood_svg::may_change(&self.drawing)
    }

    /// The boxes that a question selects, as JSON.
    fn boxes(&self, py: Python<'_>, words: Vec<String>) -> PyResult<String> {
        let query = boxes_query(&words).map_err(|error| value_error(&error))?;
        py.detach(|| {
            let answer = query.answer(&self.drawing).map_err(|error| value_error(&error))?;
            // Some of several elements may be there.
            if answer.rows.is_empty() {
                check_found(&answer.missing)?;
            }
            json(&answer)
        })
    }

    /// The edges of the box of everything that is painted.
    fn ink(&self, py: Python<'_>) -> Option<Edges> {
        py.detach(|| Ink::new(&self.drawing).of(|_| true).ok().map(edges))
    }

    /// The edges of the box of what an element paints inside of its clips. `order` is that of its
    /// rows.
    fn ink_of(&self, py: Python<'_>, order: usize) -> Option<Edges> {
        let inks = || Ink::new(&self.drawing).of_each().map(|ink| ink.map(edges)).collect();
        py.detach(|| self.inks.get_or_init(inks).get(order).copied().flatten())
    }

    /// What is left of elements inside of the effects around them, as JSON.
    fn explain(&self, py: Python<'_>, words: Vec<String>) -> PyResult<String> {
        let wanted = wanted(&words).map_err(|error| value_error(&error))?;
        py.detach(|| {
            let explanations = explain(&self.drawing, &wanted);
            check_found(&explanations.missing)?;
            json(&explanations.elements)
        })
    }

    /// What is wasted, or sticks out, as JSON.
    fn findings(&self, py: Python<'_>, words: Vec<String>) -> PyResult<String> {
        let query = findings_query(&words).map_err(|error| value_error(&error))?;
        py.detach(|| json(&query.answer(&self.drawing).map_err(|error| value_error(&error))?))
    }

    /// The text without the empty space around what is painted. `None` if there is none.
    fn crop<'py>(&self, py: Python<'py>, words: Vec<String>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let (margin, wanted) = crop_question(&words).map_err(|error| value_error(&error))?;
        let cropped = py.detach(|| {
            boxwood_query::crop(&self.text, &self.drawing, &self.options, margin, &wanted)
                .map_err(|error| value_error(&error))
        })?;
        Ok(cropped.map(|text| PyBytes::new(py, &text)))
    }

    /// The width, the height, and the pixels of a picture: rows of red, green, blue, and alpha,
    /// which is not premultiplied.
    fn render<'py>(&self, py: Python<'py>, zoom: f64) -> PyResult<(u32, u32, Bound<'py, PyBytes>)> {
        let [width, height] = self.picture_size(zoom)?;
        let (drawing, cancel) = (Arc::clone(&self.drawing), CancelToken::default());
        let deadline = Deadline::after(self.options.time_limit).or_cancelled_by(cancel.clone());
        // The thread owns all that it needs, because nobody waits for it after Ctrl-C.
        let draw = move || {
            let mut pixels = vec![0; width as usize * height as usize * 4];
            drawing.draw_tree(&mut pixels, [width, height], Affine::scale(zoom), &deadline)?;
            pixels.chunks_exact_mut(4).for_each(demultiply);
            Ok(pixels)
        };
        let drawn = interruptible(py, &cancel, draw)?;
        let pixels = drawn.map_err(|error: boxwood_svg::Error| Failure::from(&error))?;
        Ok((width, height, PyBytes::new(py, &pixels)))
    }
}

impl LoadedDrawing {
    /// The width and the height of a picture.
    fn picture_size(&self, zoom: f64) -> PyResult<[u32; 2]> {
        if !(zoom.is_finite() && zoom > 0.0) {
            return Err(PyValueError::new_err("the zoom must be a positive number"));
        }
        let sides =
            [self.drawing.size.width, self.drawing.size.height].map(|side| (side * zoom).ceil().max(1.0));
        let longest = sides[0].max(sides[1]);
        if longest > MAX_SIDE {
            let message = format!(
                "the picture has {longest:.0} pixels on a side, the limit is {MAX_SIDE}: use a smaller zoom"
            );
            return Err(Failure { limit: Some(MAX_SIDE), ..Failure::new(message) }.into());
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "both are at most MAX_SIDE"
        )]
        Ok(sides.map(|side| side as u32))
    }
}

/// Divides the colour of a pixel by its alpha.
fn demultiply(pixel: &mut [u8]) {
    let alpha = u16::from(pixel[3]);
    for channel in &mut pixel[..3] {
        let value = (u16::from(*channel) * 255 + alpha / 2).checked_div(alpha).unwrap_or(0);
        *channel = u8::try_from(value).unwrap_or(u8::MAX);
    }
}

/// The PNG file of a picture.
#[pyfunction]
pub(crate) fn png<'py>(
    py: Python<'py>,
    width: u32,
    height: u32,
    pixels: &[u8],
) -> PyResult<Bound<'py, PyBytes>> {
    if pixels.len() as u64 != 4 * u64::from(width) * u64::from(height) {
        return Err(PyValueError::new_err("a picture has four bytes per pixel"));
    }
    let encoded = py.detach(|| {
        let mut file = Vec::new();
        PngEncoder::new(&mut file).write_image(pixels, width, height, ExtendedColorType::Rgba8)?;
        Ok(file)
    });
    let file = encoded.map_err(|error: image::ImageError| value_error(&error))?;
    Ok(PyBytes::new(py, &file))
}

fn check_found(missing: &[NotFound]) -> PyResult<()> {
    missing.first().map_or(Ok(()), |missing| Err(PyKeyError::new_err(missing.to_string())))
}

fn json(answer: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string(answer).map_err(|error| value_error(&error))
}
