//! The WebAssembly module of the npm package `@boxwood-rs/svg`, which `packages/boxwood` wraps.
//!
//! A question comes as a list of words (see [`boxwood_query::question`]), and an answer is JSON. So
//! the module contains neither a parser of JSON nor the glue code for many types.

#![expect(clippy::needless_pass_by_value, reason = "wasm_bindgen cannot borrow a list of strings")]

use std::error::Error;

use boxwood_query::question::{boxes_query, chain, crop_question, findings_query, wanted};
use boxwood_query::{Ink, NotFound, explain};
use boxwood_svg::{FontSet, Fonts, Options, may_change, other_encoding};
use kurbo::Size;
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

/// Fonts for any number of drawings.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct FontList {
    files: Vec<Vec<u8>>,
    set: FontSet,
}

#[wasm_bindgen]
impl FontList {
    /// No fonts.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the file of a font. [`load`](Self::load) reads it.
    pub fn add(&mut self, file: Vec<u8>) {
        self.files.push(file);
    }

    /// Reads the fonts that were added.
    ///
    /// # Errors
    ///
    /// A font cannot be read, or the module was built without texts.
    pub fn load(&mut self) -> Result<(), JsError> {
        let files = std::mem::take(&mut self.files);
        #[cfg(feature = "text")]
        {
            self.set = FontSet::new(files).map_err(thrown)?;
        }
        #[cfg(not(feature = "text"))]
        if !files.is_empty() {
            return Err(JsError::new("fonts need the module with text: call init({ text: true }) first"));
        }
        Ok(())
    }
}

/// The bytes of a drawing, decompressed if they are SVGZ.
///
/// # Errors
///
/// The SVGZ data is damaged, or too large.
#[wasm_bindgen]
pub fn decompressed(bytes: &[u8]) -> Result<Vec<u8>, JsError> {
    boxwood_svg::read(bytes).map_err(thrown)
}

/// The name of the encoding that a drawing declares, if the host has to decode it.
#[wasm_bindgen(js_name = otherEncoding)]
pub fn declared_encoding(bytes: &[u8]) -> Option<String> {
    other_encoding(bytes)
}

/// A loaded drawing, with the text that it was loaded from.
#[wasm_bindgen]
#[derive(Debug)]
pub struct LoadedDrawing {
    text: Vec<u8>,
    options: Options,
    drawing: boxwood_svg::Drawing,
}

#[wasm_bindgen]
impl LoadedDrawing {
    /// Loads a drawing that is not compressed. Its viewport clips it if `clips` is set.
    ///
    /// # Errors
    ///
    /// The drawing cannot be loaded.
    #[wasm_bindgen(constructor)]
    pub fn new(text: Vec<u8>, fonts: &FontList, clips: bool) -> Result<Self, JsError> {
        let options =
            Options { fonts: Fonts::Given(fonts.set.clone()), clip_to_viewport: clips, ..Options::default() };
        let drawing = boxwood_svg::load(&text, &options).map_err(thrown)?;
        Ok(Self { text, options, drawing })
    }

    /// The text of the drawing: in its encoding, or in UTF-8 if the host had to decode it.
    #[wasm_bindgen(getter)]
    pub fn text(&self) -> Vec<u8> {
        self.text.clone()
    }

    /// The width, the height, the warnings about boxes, and what may change the drawing.
    ///
    /// # Errors
    ///
    /// None.
    pub fn summary(&self) -> Result<String, JsError> {
        let warnings: Vec<_> = boxwood_query::warnings(&self.drawing).collect();
        let Size { width, height } = self.drawing.size;
        serde_json::to_string(&(width, height, warnings, may_change(&self.drawing))).map_err(thrown)
    }

    /// The boxes that a question selects.
    ///
    /// # Errors
    ///
    /// The question has no meaning, or names an element that is not there.
    pub fn boxes(&self, words: Vec<String>) -> Result<String, JsError> {
        let query = boxes_query(&words).map_err(thrown)?;
        let answer = query.answer(&self.drawing).map_err(thrown)?;
        check_found(&answer.missing)?;
        serde_json::to_string(&answer).map_err(thrown)
    }

    /// The edges of the box of what elements paint inside of their clips. `None` if that is nothing.
    ///
    /// # Errors
    ///
    /// The question has no meaning, or names an element that is not there.
    pub fn ink(&self, words: Vec<String>) -> Result<Option<Vec<f64>>, JsError> {
        let search = wanted(&words).map_err(thrown)?.search(&self.drawing);
        check_found(&search.missing)?;
        let ink = Ink::new(&self.drawing).of(|order| search.is_wanted(order));
        Ok(ink.ok().map(|ink| vec![ink.x0, ink.y0, ink.x1, ink.y1]))
    }

    /// What is left of elements inside of the effects around them.
    ///
    /// # Errors
    ///
    /// The question has no meaning, or names an element that is not there.
    pub fn explain(&self, words: Vec<String>) -> Result<String, JsError> {
        let wanted = wanted(&words).map_err(thrown)?;
        let explanations = explain(&self.drawing, &wanted);
        check_found(&explanations.missing)?;
        serde_json::to_string(&explanations.elements).map_err(thrown)
    }

    /// What is wasted, or sticks out.
    ///
    /// # Errors
    ///
    /// The question has no meaning.
    pub fn findings(&self, words: Vec<String>) -> Result<String, JsError> {
        let query = findings_query(&words).map_err(thrown)?;
        let findings = query.answer(&self.drawing).map_err(thrown)?;
        serde_json::to_string(&findings).map_err(thrown)
    }

    /// The text of the drawing without the empty space around what is painted, in the encoding of
    /// [`text`](Self::text).
    /// `None` if the drawing is cropped already.
    ///
    /// # Errors
    ///
    /// The drawing cannot be cropped.
    pub fn crop(&self, words: Vec<String>) -> Result<Option<Vec<u8>>, JsError> {
        let (margin, wanted) = crop_question(&words).map_err(thrown)?;
        boxwood_query::crop(&self.text, &self.drawing, &self.options, margin, &wanted).map_err(thrown)
    }
}

fn check_found(missing: &[NotFound]) -> Result<(), JsError> {
    missing.first().map_or(Ok(()), |missing| Err(JsError::new(&missing.to_string())))
}

/// An exception with the messages of an error and its sources.
fn thrown(error: impl Error) -> JsError {
    JsError::new(&chain(&error))
}
