//! From bytes to a usvg tree.

use std::borrow::Cow;
use std::io::Read;
use std::path::Path;

use usvg::roxmltree::{self, Document};
use usvg::{ImageHrefResolver, Options as UsvgOptions, Tree};

use crate::fonts::resolve_fonts;
use crate::warnings::{Kind, Warnings};
use crate::{Error, Options};

/// The most bytes that an SVGZ file may decompress to.
const MAX_TEXT_BYTES: u64 = 512 << 20;

/// The most bytes of an image file that is read.
const MAX_IMAGE_BYTES: u64 = 256 << 20;

/// The text of a drawing.
pub(crate) struct Input(String);

impl Input {
    /// The text in `bytes`, decompressed where they are gzip.
    pub(crate) fn new(bytes: &[u8]) -> Result<Self, Error> {
        if bytes.is_empty() {
            return Err(Error::Empty);
        }
        let bytes = if bytes.starts_with(&[0x1f, 0x8b]) {
            Cow::Owned(decompress(bytes)?)
        } else {
            Cow::Borrowed(bytes)
        };
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return Err(Error::Empty);
        }
        if let Some(format) = other_format(&bytes) {
            return Err(Error::OtherFormat { format });
        }
        match String::from_utf8(bytes.into_owned()) {
            Ok(text) => Ok(Self(text)),
            Err(error) => Err(Error::NotUtf8 { offset: error.utf8_error().valid_up_to() }),
        }
    }
}

fn decompress(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    let mut text = Vec::new();
    flate2::read::MultiGzDecoder::new(bytes)
        .take(MAX_TEXT_BYTES + 1)
        .read_to_end(&mut text)
        .map_err(|source| Error::Gzip { source })?;
    if text.len() as u64 > MAX_TEXT_BYTES {
        return Err(Error::GzipTooLarge { limit: MAX_TEXT_BYTES });
    }
    Ok(text)
}

fn other_format(bytes: &[u8]) -> Option<&'static str> {
    const MAGIC: [(&[u8], &str); 8] = [
        (b"\x89PNG", "a PNG image"),
        (b"\xff\xd8\xff", "a JPEG image"),
        (b"GIF8", "a GIF image"),
        (b"RIFF", "a WebP image or other RIFF file"),
        (b"%PDF", "a PDF document"),
        (b"%!PS", "a PostScript document"),
        (b"PK\x03\x04", "a ZIP archive"),
        (b"\x7fELF", "a program"),
    ];
    MAGIC.iter().find(|(magic, _)| bytes.starts_with(magic)).map(|(_, format)| *format)
}

/// Parses a drawing, all the way through CSS, `use`, text and markers. With it comes the id of its root element, which
/// usvg does not keep.
pub(crate) fn parse(input: &Input, options: &Options, warnings: &Warnings) -> Result<(Tree, String), Error> {
    let xml_options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let text = input.0.strip_prefix('\u{feff}').unwrap_or(&input.0);
    let document = Document::parse_with_options(text, xml_options).map_err(xml_error)?;
    check_root(&document)?;

    let mut usvg_options =
        UsvgOptions { resources_dir: options.resources_dir.clone(), ..UsvgOptions::default() };
    resolve_fonts(&mut usvg_options, options);
    usvg_options.image_href_resolver = image_resolver(warnings);
    let tree = Tree::from_xmltree(&document, &usvg_options).map_err(|error| match error {
        usvg::Error::ElementsLimitReached => Error::TooDeep,
        usvg::Error::InvalidSize => Error::InvalidSize { what: "width and height" },
        usvg::Error::ParsingFailed(error) => xml_error(error),
        other => Error::Xml { message: other.to_string() },
    })?;
    Ok((tree, document.root_element().attribute("id").unwrap_or_default().to_owned()))
}

fn xml_error(error: roxmltree::Error) -> Error {
    match error {
        roxmltree::Error::NodesLimitReached => Error::TooDeep,
        other => Error::Xml { message: other.to_string() },
    }
}

/// What usvg would read generously or report vaguely.
fn check_root(document: &Document<'_>) -> Result<(), Error> {
    let root = document.root_element();
    let name = root.tag_name();
    if name.name() != "svg" || !matches!(name.namespace(), None | Some("http://www.w3.org/2000/svg")) {
        return Err(Error::NotSvg { name: name.name().to_owned() });
    }
    if let Some(view_box) = root.attribute("viewBox") {
        let size = view_box.split(|c: char| c.is_whitespace() || c == ',').filter(|part| !part.is_empty());
        let size: Vec<Option<f64>> = size.skip(2).map(|part| part.parse().ok()).collect();
        // SVG: a width or height of zero disables rendering of the element, a negative one is an error.
        if size.iter().flatten().any(|v| *v <= 0.0) {
            return Err(Error::InvalidSize { what: "viewBox's width and height" });
        }
    }
    Ok(())
}

/// Finds images as usvg does by default, but counts those that are not found, and reads only what is a file of
/// moderate size.
fn image_resolver(warnings: &Warnings) -> ImageHrefResolver<'static> {
    let (for_data, for_string) = (warnings.clone(), warnings.clone());
    let data = ImageHrefResolver::default_data_resolver();
    let string = ImageHrefResolver::default_string_resolver();
    ImageHrefResolver {
        resolve_data: Box::new(move |mime, bytes, options| {
            let image = data(mime, bytes, options);
            if image.is_none() {
                for_data.add(Kind::BadImage, || format!("data:{mime}"));
            }
            image
        }),
        resolve_string: Box::new(move |href, options| {
            let image = can_read(href, options).and_then(|()| string(href, options));
            if image.is_none() {
                for_string.add(Kind::MissingImage, || href.chars().take(200).collect());
            }
            image
        }),
    }
}

fn can_read(href: &str, options: &UsvgOptions<'_>) -> Option<()> {
    let dir = options.resources_dir.as_deref()?;
    let file = std::fs::metadata(dir.join(Path::new(href))).ok()?;
    (file.is_file() && file.len() <= MAX_IMAGE_BYTES).then_some(())
}
