//! The images that a drawing refers to.

use std::borrow::Cow;
use std::fs::{File, Metadata};
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use data_url::DataUrl;
use image::{ImageReader, ImageResult};
use usvg::roxmltree::{Document, Node};
use usvg::{ImageHrefResolver, ImageKind, Options};

use crate::error::{Error, Quantity};
use crate::guard::document;
use crate::guard::limits::{MAX_IMAGE_BYTES, MAX_SHOWN_ADDRESS};
use crate::quirks::{displacement, nested_viewports, silent_images};
use crate::read::bytes::{decompressed, read_at_most};
use crate::read::entities;
use crate::read::image_budget::ImageBudget;
use crate::warnings::{WarningKind, Warnings};
use crate::xml::{self, href};

/// Loads images. Clones share the budget, the warnings, and the files.
#[derive(Clone)]
pub(crate) struct ImageLoader {
    pub(crate) warnings: Warnings,
    pub(crate) budget: ImageBudget,
    pub(crate) files: ImageFiles,
    /// Whether SVG images are clipped to their viewports.
    pub(crate) clip_to_viewport: bool,
}

/// The files that images were read from, once per use.
pub(crate) type ImageFiles = Arc<Mutex<Vec<PathBuf>>>;

impl ImageLoader {
    /// Finds images as usvg does by default, but warns about those that cannot be loaded, and reads
    /// only files of moderate size.
    pub(crate) fn resolver(&self) -> ImageHrefResolver<'static> {
        let (of_data, of_string) = (self.clone(), self.clone());
        ImageHrefResolver {
            resolve_data: Box::new(move |mime, bytes, options| {
                let image = of_data.load(mime, bytes, options);
                image.or_else(|| of_data.left_out(WarningKind::BadImage, || format!("data:{mime}")))
            }),
            resolve_string: Box::new(move |href, options| {
                let (path, bytes) = match read(href, options) {
                    Ok(file) => file,
                    Err(kind) => return of_string.left_out(kind, || shortened(href)),
                };
                of_string.files.lock().unwrap_or_else(PoisonError::into_inner).push(path);
                let extension = Path::new(href).extension();
                let is_drawing = extension
                    .is_some_and(|e| e.eq_ignore_ascii_case("svg") || e.eq_ignore_ascii_case("svgz"));
                let mime = if is_drawing { "image/svg+xml" } else { UNKNOWN_MIME };
                let image = of_string.load(mime, Arc::new(bytes), options);
                image.or_else(|| of_string.left_out(WarningKind::BadImage, || shortened(href)))
            }),
        }
    }

    /// Warns about an image that is left out.
    fn left_out(&self, kind: WarningKind, name: impl FnOnce() -> String) -> Option<ImageKind> {
        self.warnings.add(kind, name);
        None
    }

    /// The image in some bytes, `None` if it cannot be loaded.
    fn load(&self, mime: &str, bytes: Arc<Vec<u8>>, options: &Options<'_>) -> Option<ImageKind> {
        let bytes = match decompressed(&bytes).ok()? {
            Cow::Owned(decompressed) => Arc::new(decompressed),
            Cow::Borrowed(_) => bytes,
        };
        // The signature of a raster image counts, whatever its type is declared to be.
        let is_raster = image::guess_format(&bytes).is_ok();
        let mime = if is_raster { UNKNOWN_MIME } else { mime };
        if !is_raster && !self.budget.take_drawing(&bytes) {
            return None;
        }
        if str::from_utf8(&bytes).is_ok_and(|text| entities::check(text).is_err()) {
            return None;
        }
        let rewritten = with_document(&bytes, |document| {
            document::check(document)?;
            Ok::<_, Error>(displacement::rewrite(document, &self.warnings))
        });
        let rewritten = rewritten.transpose().ok()?.flatten();
        let bytes = rewritten.map_or(bytes, |text| Arc::new(text.into_bytes()));
        let resolve = ImageHrefResolver::default_data_resolver();
        let image = self.budget.take(resolve(mime, Arc::clone(&bytes), options)?)?;
        if let ImageKind::SVG(drawing) = image {
            with_document(&bytes, |document| warn_of_nested(document, &self.warnings));
            let drawing = if self.clip_to_viewport { nested_viewports::clipped(drawing)? } else { drawing };
            return Some(ImageKind::SVG(drawing));
        }
        // usvg silently drops an image whose size it cannot read.
        let size = reader(&bytes).and_then(ImageReader::into_dimensions).ok()?;
        (size.0 > 0 && size.1 > 0).then_some(image)
    }
}

/// A reader of a raster image, whose signature decides its format.
pub(crate) fn reader(bytes: &[u8]) -> ImageResult<ImageReader<Cursor<&[u8]>>> {
    Ok(ImageReader::with_format(Cursor::new(bytes), image::guess_format(bytes)?))
}

/// A type that makes usvg look at the signature.
const UNKNOWN_MIME: &str = "text/plain";

/// Warns about the images of a document that usvg leaves out without asking for them.
pub(crate) fn warn_of_silent(document: &Document<'_>, warnings: &Warnings) {
    for (node, href) in images(document).filter(|(_, href)| silent_images::is_silent(href)) {
        let name = || node.attribute("id").map_or_else(|| shortened(href), str::to_owned);
        warnings.add(WarningKind::BadImage, name);
    }
}

/// Warns about the images that usvg leaves out of an SVG image: silent ones, and those in other
/// files, which could form a cycle.
fn warn_of_nested(document: &Document<'_>, warnings: &Warnings) {
    warn_of_silent(document, warnings);
    for (_, href) in images(document).filter(|(_, href)| DataUrl::process(href).is_err()) {
        warnings.add(WarningKind::NestedImage, || shortened(href));
    }
}

/// Calls a function with the document in some bytes, if they are one.
fn with_document<T>(bytes: &[u8], function: impl FnOnce(&Document<'_>) -> T) -> Option<T> {
    let document = xml::parse(str::from_utf8(bytes).ok()?).ok()?;
    Some(function(&document))
}

/// The images of a document, each with its address.
fn images<'d>(document: &'d Document<'_>) -> impl Iterator<Item = (Node<'d, 'd>, &'d str)> {
    let images = document.descendants().filter(|node| node.tag_name().name() == "image");
    images.filter_map(|node| Some((node, href(node)?)))
}

fn shortened(href: &str) -> String {
    href.chars().take(MAX_SHOWN_ADDRESS).collect()
}

/// The path and the bytes of a file, or the warning about a file that is not read.
///
/// Opening a pipe would wait for its writer, and a device may have no end, so only files are read.
fn read(href: &str, options: &Options<'_>) -> Result<(PathBuf, Vec<u8>), WarningKind> {
    let missing = WarningKind::MissingImage;
    let path = options.resources_dir.as_deref().ok_or(missing)?.join(Path::new(href));
    let metadata = std::fs::metadata(&path).ok().filter(Metadata::is_file).ok_or(missing)?;
    if metadata.len() > MAX_IMAGE_BYTES {
        return Err(WarningKind::LargeImageFile);
    }
    let file = File::open(&path).map_err(|_| missing)?;
    let bytes = read_at_most(file, MAX_IMAGE_BYTES, Quantity::ImageBytes).map_err(|_| missing)?;
    Ok((path, bytes))
}
