//! From bytes to a usvg tree.

use std::borrow::Cow;

use usvg::roxmltree::{self, Document};
use usvg::{Options as UsvgOptions, Tree};

use crate::absent::{AbsentId, ids};
use crate::fonts::resolve_fonts;
use crate::images::{ImageLoader, count_broken};
use crate::loaded_images::LoadedImages;
use crate::nesting::limit_of;
use crate::placement::Placements;
use crate::read::{decompress, is_gzip};
use crate::warnings::Warnings;
use crate::{Error, Options, arcs, displacement, entities, markers, references};

/// The text of a drawing.
pub(crate) struct Input(String);

impl Input {
    /// The text in `bytes`, decompressed where they are gzip.
    pub(crate) fn new(bytes: &[u8]) -> Result<Self, Error> {
        if bytes.is_empty() {
            return Err(Error::Empty);
        }
        let bytes = if is_gzip(bytes) { Cow::Owned(decompress(bytes)?) } else { Cow::Borrowed(bytes) };
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

/// A drawing as usvg has it, and what usvg does not keep of its document.
pub(crate) struct Parsed {
    pub(crate) tree: Tree,
    /// The same tree with its markers told apart, where there are some.
    pub(crate) marked: Option<Tree>,
    /// The id of the root element, empty if it has none.
    pub(crate) root_id: String,
    /// Every id.
    pub(crate) ids: Vec<AbsentId>,
    pub(crate) placements: Placements,
}

/// Parses a drawing, all the way through CSS, `use`, text and markers.
pub(crate) fn parse(input: &Input, options: &Options, warnings: &Warnings) -> Result<Parsed, Error> {
    let text = input.0.strip_prefix('\u{feff}').unwrap_or(&input.0);
    entities::check(text)?;
    let document = document_of(text)?;
    check_root(&document)?;
    references::check(&document)?;
    arcs::check(&document)?;
    let rooted = displacement::with_roots(&document, warnings);
    let document = match &rooted {
        Some(text) => document_of(text)?,
        None => document,
    };

    let images = ImageLoader {
        warnings: warnings.clone(),
        loaded: LoadedImages::default(),
        clip_to_viewport: options.clip_to_viewport,
    };
    let mut usvg_options =
        UsvgOptions { resources_dir: options.resources_dir.clone(), ..UsvgOptions::default() };
    resolve_fonts(&mut usvg_options, options);
    usvg_options.image_href_resolver = images.resolver();
    let tree = Tree::from_xmltree(&document, &usvg_options).map_err(|error| match error {
        usvg::Error::ElementsLimitReached
        | usvg::Error::ParsingFailed(roxmltree::Error::NodesLimitReached) => limit_of(&document),
        usvg::Error::InvalidSize => Error::InvalidSize { what: "width and height" },
        usvg::Error::ParsingFailed(error) => xml_error(&error),
        other => Error::Xml { message: other.to_string() },
    })?;
    images.loaded.check()?;
    count_broken(&document, warnings);
    let has_markers = document.descendants().any(|node| node.tag_name().name() == "marker");
    let marked = has_markers.then(|| {
        usvg_options.style_sheet = Some(markers::style_of_markers());
        // The same warnings once more are none.
        let images = ImageLoader { warnings: Warnings::default(), loaded: LoadedImages::default(), ..images };
        usvg_options.image_href_resolver = images.resolver();
        Tree::from_xmltree(&document, &usvg_options).ok()
    });
    let root_id = document.root_element().attribute("id").unwrap_or_default().to_owned();
    let (ids, placements) = (ids(&document), Placements::of(&document));
    Ok(Parsed { tree, marked: marked.flatten(), root_id, ids, placements })
}

fn document_of(text: &str) -> Result<Document<'_>, Error> {
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    Document::parse_with_options(text, options).map_err(|error| xml_error(&error))
}

fn xml_error(error: &roxmltree::Error) -> Error {
    Error::Xml { message: error.to_string() }
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
