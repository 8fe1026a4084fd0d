//! The images that a drawing refers to.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fs::{File, Metadata};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use data_url::DataUrl;
use usvg::{ImageHrefResolver, ImageKind, Options};

use crate::dom::Document;
use crate::error::{LimitError, Quantity};
use crate::guard::attributes;
use crate::guard::deadline::Deadline;
use crate::guard::limits::{MAX_IMAGE_BYTES, MAX_SHOWN_ADDRESS};
use crate::options::Options as DrawingOptions;
use crate::passes::unloaded_images::{ADDRESS, unloaded};
use crate::quirks::nested_viewports;
use crate::read::bytes::{decoded, decompressed, read_at_most};
use crate::read::image_budget::ImageBudget;
use crate::read::tree::{Prepared, prepare};
use crate::read::{entities, fonts, image_headers, unknown_ink};
use crate::warnings::{WarningKind, Warnings};

/// Loads the images of a drawing.
pub(crate) struct ImageLoader {
    warnings: Warnings,
    /// The options of the drawing, which also hold for SVG images in it.
    options: DrawingOptions,
    deadline: Deadline,
    /// Whether there is a font for texts.
    has_fonts: bool,
    budget: Mutex<ImageBudget>,
    found: Mutex<Images>,
}

/// What is known of the images of a drawing once they are loaded.
#[derive(Default)]
pub(crate) struct Images {
    /// The files that images were read from.
    pub(crate) files: BTreeSet<PathBuf>,
    /// Whether an SVG image has a text without a font, which is left out.
    pub(crate) has_missing_texts: bool,
}

impl ImageLoader {
    pub(crate) fn new(warnings: Warnings, options: &DrawingOptions, deadline: &Deadline) -> Arc<Self> {
        let (budget, found) = (Mutex::default(), Mutex::default());
        // The elements that are drawn alone are those of the drawing, and not those of images.
        let options = DrawingOptions { only: None, ..options.clone() };
        let has_fonts = !fonts::is_empty(&options);
        Arc::new(Self { warnings, options, deadline: deadline.clone(), has_fonts, budget, found })
    }

    /// Finds images as usvg does by default, but reads only files of moderate size. Warns about
    /// those that cannot be loaded, for which usvg gets a transparent image.
    pub(crate) fn resolver(self: &Arc<Self>) -> ImageHrefResolver<'static> {
        let (of_data, of_string) = (Arc::clone(self), Arc::clone(self));
        ImageHrefResolver {
            resolve_data: Box::new(move |mime, bytes, options| {
                Some(of_data.load(mime, bytes, options).unwrap_or_else(|| {
                    of_data.warnings.add(WarningKind::BadImage, || format!("data:{mime}"));
                    unloaded()
                }))
            }),
            resolve_string: Box::new(move |href, options| {
                if href == ADDRESS {
                    return Some(unloaded());
                }
                Some(of_string.load_file(href, options).unwrap_or_else(|kind| {
                    of_string.warnings.add(kind, || shortened(href));
                    unloaded()
                }))
            }),
        }
    }

    /// What is known of the images.
    ///
    /// # Errors
    ///
    /// If the images exceed a limit.
    pub(crate) fn finish(&self) -> Result<Images, LimitError> {
        lock(&self.budget).check()?;
        Ok(std::mem::take(&mut *lock(&self.found)))
    }

    /// The image in a file, or the warning about it.
    ///
    /// Opening a pipe would wait for its writer, and a device may have no end, so only files are
    /// read.
    fn load_file(&self, href: &str, options: &Options<'_>) -> Result<ImageKind, WarningKind> {
        let missing = WarningKind::MissingImage;
        let path = options.resources_dir.as_deref().ok_or(missing)?.join(href);
        let metadata = std::fs::metadata(&path).ok().filter(Metadata::is_file).ok_or(missing)?;
        if metadata.len() > MAX_IMAGE_BYTES {
            return Err(WarningKind::LargeImageFile);
        }
        let file = File::open(&path).map_err(|_| missing)?;
        let bytes = read_at_most(file, MAX_IMAGE_BYTES, Quantity::ImageBytes).map_err(|_| missing)?;
        let is_drawing =
            path.extension().is_some_and(|e| e.eq_ignore_ascii_case("svg") || e.eq_ignore_ascii_case("svgz"));
        lock(&self.found).files.insert(path);
        let mime = if is_drawing { "image/svg+xml" } else { UNKNOWN_MIME };
        self.load(mime, Arc::new(bytes), options).ok_or(WarningKind::BadImage)
    }

    /// The image in some bytes, `None` if it cannot be loaded.
    fn load(&self, mime: &str, bytes: Arc<Vec<u8>>, options: &Options<'_>) -> Option<ImageKind> {
        let bytes = match decompressed(&bytes).ok()? {
            Cow::Owned(decompressed) => Arc::new(decompressed),
            Cow::Borrowed(_) => bytes,
        };
        // The signature of a raster image counts, whatever its type is declared to be.
        let is_raster = image_headers::is_raster(&bytes);
        let mime = if is_raster { UNKNOWN_MIME } else { mime };
        if !is_raster {
            lock(&self.budget).take_drawing(&bytes).ok()?;
        }
        let text = if is_raster { Cow::Borrowed("") } else { decoded(&bytes).ok()? };
        attributes::check(&text).ok()?;
        entities::check(&text).ok()?;
        let document = Document::parse(&text).ok().filter(|_| !is_raster);
        let prepare = |document| prepare(document, &self.options, &self.warnings, &self.deadline).ok();
        let prepared = match document.clone() {
            Some(document) => Some(prepare(document)?),
            None => None,
        };
        if prepared.as_ref().is_some_and(|prepared| !prepared.fonts.is_empty()) {
            // usvg has the fonts of the drawing around it.
            self.warnings.add_css("@font-face in an SVG image".to_owned(), 1);
        }
        let drawn = prepared.as_ref().map(|prepared| Arc::new(prepared.drawn.to_xml().into_bytes()));
        let loaded = drawn.unwrap_or_else(|| Arc::clone(&bytes));
        let mut image = ImageHrefResolver::default_data_resolver()(mime, loaded, options)?;
        lock(&self.budget).take_image(&mut image).ok()?;
        if let ImageKind::SVG(drawing) = image {
            if let Some(document) = &document {
                warn_of_nested(document, &self.warnings);
            }
            if let Some(Prepared { drawn, unknown_ink, .. }) = prepared.filter(|_| !self.has_fonts) {
                let has_missing = unknown_ink::warn_of_image(&drawn, &drawing, &self.warnings);
                lock(&self.found).has_missing_texts |= has_missing || !unknown_ink.is_empty();
            }
            let drawing =
                if self.options.clip_to_viewport { nested_viewports::clipped(drawing)? } else { drawing };
            return Some(ImageKind::SVG(drawing));
        }
        // usvg silently drops an image whose size it cannot read.
        image_headers::size(&bytes)?.iter().all(|side| *side > 0).then_some(image)
    }
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A type that makes usvg look at the signature.
const UNKNOWN_MIME: &str = "text/plain";

/// Warns about the images that usvg leaves out of an SVG image: those in other files, which could
/// form a cycle.
fn warn_of_nested(document: &Document, warnings: &Warnings) {
    let images = document.elements().filter(|node| node.has_tag("image"));
    for href in images.filter_map(|image| image.href()).filter(|href| DataUrl::process(href).is_err()) {
        warnings.add(WarningKind::NestedImage, || shortened(href));
    }
}

fn shortened(href: &str) -> String {
    href.chars().take(MAX_SHOWN_ADDRESS).collect()
}
