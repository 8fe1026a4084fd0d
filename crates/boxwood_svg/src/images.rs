//! The images that a drawing refers to.

use std::fs::File;
use std::io::Cursor;
use std::path::Path;
use std::sync::Arc;

use data_url::DataUrl;
use image::{ImageFormat, ImageReader};
use usvg::roxmltree::{Document, Node, ParsingOptions};
use usvg::{ImageHrefResolver, ImageKind, Options};

use crate::loaded_images::LoadedImages;
use crate::read::{decompress, is_gzip};
use crate::warnings::{WarningKind, Warnings};
use crate::{Error, arcs, displacement, entities, references, viewport};

/// The most bytes of an image file that is read.
const MAX_IMAGE_BYTES: u64 = 256 << 20;

/// The most characters of an address that a warning repeats.
const MAX_ADDRESS: usize = 200;

const XLINK: &str = "http://www.w3.org/1999/xlink";

/// How images are loaded. Clones share what has been loaded.
#[derive(Clone)]
pub(crate) struct ImageLoader {
    pub(crate) warnings: Warnings,
    pub(crate) loaded: LoadedImages,
    /// Whether drawings are cut to their viewports.
    pub(crate) clip_to_viewport: bool,
}

impl ImageLoader {
    /// Finds images as usvg does by default, but counts those that it would leave out in silence, and reads only what is a
    /// file of moderate size.
    pub(crate) fn resolver(&self) -> ImageHrefResolver<'static> {
        let (of_data, of_string) = (self.clone(), self.clone());
        ImageHrefResolver {
            resolve_data: Box::new(move |mime, bytes, options| {
                let image = of_data.load(mime, bytes, options);
                if image.is_none() {
                    of_data.warnings.add(WarningKind::BadImage, || format!("data:{mime}"));
                }
                image
            }),
            resolve_string: Box::new(move |href, options| {
                let Some(bytes) = read(href, options) else {
                    of_string.warnings.add(WarningKind::MissingImage, || shortened(href));
                    return None;
                };
                // Without a type that is sure, usvg looks at the first bytes.
                let is_drawing = Path::new(href)
                    .extension()
                    .is_some_and(|e| e.eq_ignore_ascii_case("svg") || e.eq_ignore_ascii_case("svgz"));
                let mime = if is_drawing { "image/svg+xml" } else { "text/plain" };
                let image = of_string.load(mime, Arc::new(bytes), options);
                if image.is_none() {
                    of_string.warnings.add(WarningKind::BadImage, || shortened(href));
                }
                image
            }),
        }
    }

    /// The image in some bytes, `None` if there is none.
    fn load(&self, mime: &str, bytes: Arc<Vec<u8>>, options: &Options<'_>) -> Option<ImageKind> {
        let bytes = if is_gzip(&bytes) { Arc::new(decompress(&bytes).ok()?) } else { bytes };
        // Pixels are what their first bytes say, whatever type they are given out for: so usvg looks at those.
        let is_pixels = image::guess_format(&bytes).is_ok();
        let mime = if is_pixels { "text/plain" } else { mime };
        if !is_pixels && !self.loaded.take_drawing(&bytes) {
            return None;
        }
        if str::from_utf8(&bytes).is_ok_and(|text| entities::check(text).is_err()) {
            return None;
        }
        let checked = document_in(&bytes, |document| {
            references::check(document)?;
            arcs::check(document)?;
            Ok::<_, Error>(displacement::with_roots(document, &self.warnings))
        });
        let rooted = checked.transpose().ok()?.flatten();
        let bytes = rooted.map_or(bytes, |text| Arc::new(text.into_bytes()));
        let resolve = ImageHrefResolver::default_data_resolver();
        let image = self.loaded.take(resolve(mime, Arc::clone(&bytes), options)?)?;
        let format = match image {
            ImageKind::SVG(drawing) => {
                document_in(&bytes, |document| count_inside(document, &self.warnings));
                let drawing = if self.clip_to_viewport { viewport::cut(drawing)? } else { drawing };
                return Some(ImageKind::SVG(drawing));
            }
            ImageKind::PNG(_) => ImageFormat::Png,
            ImageKind::JPEG(_) => ImageFormat::Jpeg,
            ImageKind::GIF(_) => ImageFormat::Gif,
            ImageKind::WEBP(_) => ImageFormat::WebP,
        };
        // usvg drops an image whose size it cannot read, and says nothing.
        let size = ImageReader::with_format(Cursor::new(&*bytes), format).into_dimensions().ok()?;
        (size.0 > 0 && size.1 > 0).then_some(image)
    }
}

/// Counts the images of a document that usvg leaves out without asking for them: those whose address holds data that is
/// no base64.
pub(crate) fn count_broken(document: &Document<'_>, warnings: &Warnings) {
    for (node, href) in images(document) {
        let is_broken = DataUrl::process(href).is_ok_and(|url| url.decode(|_| Ok::<_, ()>(())).is_err());
        if is_broken {
            warnings.add(WarningKind::BadImage, || name_of(node, href));
        }
    }
}

/// Counts what usvg leaves out of a drawing that is an image itself: images in other files, be it that they would lead
/// in a circle, and broken ones.
fn count_inside(document: &Document<'_>, warnings: &Warnings) {
    count_broken(document, warnings);
    for (_, href) in images(document).filter(|(_, href)| DataUrl::process(href).is_err()) {
        warnings.add(WarningKind::NestedImage, || shortened(href));
    }
}

/// Looks at the document in some bytes, if they are one.
fn document_in<T>(bytes: &[u8], look: impl FnOnce(&Document<'_>) -> T) -> Option<T> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let text = str::from_utf8(bytes).ok()?;
    let document = Document::parse_with_options(text, options).ok()?;
    Some(look(&document))
}

/// The images of a document, each with its address.
fn images<'d>(document: &'d Document<'_>) -> impl Iterator<Item = (Node<'d, 'd>, &'d str)> {
    let images = document.descendants().filter(|node| node.tag_name().name() == "image");
    images.filter_map(|node| Some((node, node.attribute("href").or(node.attribute((XLINK, "href")))?)))
}

fn name_of(image: Node<'_, '_>, href: &str) -> String {
    image.attribute("id").map_or_else(|| shortened(href), str::to_owned)
}

fn shortened(href: &str) -> String {
    href.chars().take(MAX_ADDRESS).collect()
}

/// The bytes of a file. To open a pipe is to wait for its writer, and a device may have no end, so that these are left alone.
fn read(href: &str, options: &Options<'_>) -> Option<Vec<u8>> {
    let path = options.resources_dir.as_deref()?.join(Path::new(href));
    if !std::fs::metadata(&path).ok()?.is_file() {
        return None;
    }
    crate::read::read_at_most(File::open(path).ok()?, MAX_IMAGE_BYTES).ok()
}
