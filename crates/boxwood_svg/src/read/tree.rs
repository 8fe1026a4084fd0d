//! From the text of a drawing to usvg's tree.

use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::Arc;

use usvg::roxmltree;
use usvg::{ImageHrefResolver, Options as UsvgOptions, Tree};

use crate::css::sizes::DEFAULT_FONT_SIZE;
use crate::css::{self, Resolved};
use crate::dom::{Document, Node};
use crate::error::{Error, Work};
use crate::guard::deadline::Deadline;
use crate::guard::{attributes, document};
use crate::options::Options;
use crate::passes::ids::Prefix;
use crate::passes::{self, Tools, only, uses};
use crate::read::elements::Elements;
use crate::read::fonts::embedded::EmbeddedFonts;
use crate::read::images::{ImageLoader, Images};
#[cfg(feature = "text")]
use crate::read::text_parts;
use crate::read::user_spaces::UserSpaces;
use crate::read::{entities, fonts, metrics, unknown_ink};
use crate::warnings::{UnknownInk, WarningKind, Warnings};
use crate::xml::ANIMATIONS;

/// A parsed drawing, with the parts of its document that usvg's tree does not keep.
pub(crate) struct Parsed {
    pub(crate) tree: Tree,
    /// The elements of the document. Those that can have a node in the tree have an id there.
    pub(crate) elements: Elements,
    pub(crate) user_spaces: UserSpaces,
    /// The document without CSS.
    pub(crate) document: Document,
    /// The numbers of the elements that a browser may show differently.
    pub(crate) uncertain: Vec<u32>,
    pub(crate) unknown_ink: Vec<UnknownInk>,
    /// The files of the images, sorted.
    pub(crate) image_files: Vec<PathBuf>,
}

/// Parses a drawing, including CSS, `use`, text and markers. usvg and roxmltree do not know the
/// deadline, so it is checked before each of their steps.
pub(crate) fn parse(
    text: &str,
    options: &Options,
    warnings: &Warnings,
    deadline: &Deadline,
) -> Result<Parsed, Error> {
    let check = || deadline.check(Work::Loading);
    attributes::check(text)?;
    entities::check(text)?;
    check()?;
    let document = Document::parse(text).map_err(|error| xml_error(text, &error))?;
    check_root(&document)?;
    document::check_number(&document)?;
    let foreign = unknown_ink::of_foreign_objects(&document, warnings);
    for node in document.elements().filter(|node| ANIMATIONS.contains(&node.tag())) {
        // An animation without an address changes the element around it.
        let around = node.parent_element().unwrap_or(node);
        let animated = || node.local_href().map_or_else(|| around.name_or_place(), str::to_owned);
        warnings.add(WarningKind::Animation, animated);
    }
    let Prepared { document, drawn, ids, fonts, uncertain, mut unknown_ink } =
        prepare(document, options, warnings, deadline)?;
    unknown_ink.extend(foreign);
    let mut elements = Elements::new(&document, &drawn, ids);
    check()?;

    // Only one tree has warnings. They would be the same for the others.
    let images = ImageLoader::new(warnings.clone(), options, deadline);
    let tree = tree_of(&drawn, options, &fonts, images.resolver())?;
    let Images { files, has_missing_texts } = images.finish()?;
    check()?;
    #[cfg(feature = "text")]
    if let Some(marked) = text_parts::marked(&drawn) {
        let silent = |document: &Document| silent_tree(document, options, &fonts, deadline);
        let resolver = fonts::resolver(options, &fonts);
        elements.set_text_parts(text_parts::parts(&marked, &tree, silent, &elements, &resolver));
    }
    check()?;
    if fonts::is_empty(options) {
        unknown_ink.extend(unknown_ink::of_missing_fonts(&drawn, &tree, &mut elements, warnings));
        // usvg does not tell which element an image is loaded for, so all are marked.
        let images = drawn.elements().filter(|node| has_missing_texts && node.has_tag("image"));
        unknown_ink.extend(images.filter_map(Node::number).map(|number| (number, WarningKind::NoFont)));
    }
    let user_spaces = UserSpaces::of(&drawn, &document);
    let image_files = files.into_iter().collect();
    Ok(Parsed { tree, elements, user_spaces, document, uncertain, unknown_ink, image_files })
}

/// A document before and after the passes for usvg.
pub(crate) struct Prepared {
    /// The document without CSS, with a copy of its target in each `use`.
    document: Document,
    /// The document as usvg reads it.
    pub(crate) drawn: Document,
    ids: Prefix,
    /// The fonts in the document.
    pub(crate) fonts: Arc<EmbeddedFonts>,
    uncertain: Vec<u32>,
    pub(crate) unknown_ink: Vec<UnknownInk>,
}

/// Resolves the CSS of a document, and runs the passes for usvg.
///
/// # Errors
///
/// If the document exceeds a limit, or if the deadline passes.
pub(crate) fn prepare(
    mut document: Document,
    options: &Options,
    warnings: &Warnings,
    deadline: &Deadline,
) -> Result<Prepared, Error> {
    // Selectors are those of the document as it is written.
    let only = options.only.clone().map(|only| Ok::<_, Error>((only::named(&document, &only)?, only)));
    let only = only.transpose()?;
    // The cascade applies to what uses draw as well, and not as to the originals.
    uses::copy_targets(&mut document, deadline)?;
    // The cascade comes first: the passes read attributes only.
    let Resolved { uncertain, font_faces } = css::resolve(&mut document, warnings, deadline)?;
    let fonts = Arc::new(EmbeddedFonts::read(&font_faces, &document, warnings));
    let tools = Tools {
        warnings,
        has_fonts: !fonts::is_empty(options),
        measure: &metrics::measure(options, &fonts),
        tree: &|document| silent_tree(document, options, &fonts, deadline),
        only,
        ids: Prefix::new(&document),
        uncertain: RefCell::new(uncertain),
        unknown_ink: RefCell::default(),
    };
    passes::run(passes::CSS, &mut document, &tools, deadline)?;
    let mut drawn = document.clone();
    passes::run(passes::USVG, &mut drawn, &tools, deadline)?;
    let Tools { ids, uncertain, unknown_ink, .. } = tools;
    let (uncertain, unknown_ink) = (uncertain.into_inner(), unknown_ink.into_inner());
    Ok(Prepared { document, drawn, ids, fonts: Arc::clone(&fonts), uncertain, unknown_ink })
}

/// The tree of a document, without warnings. `None` if usvg refuses it.
fn silent_tree(
    document: &Document,
    options: &Options,
    fonts: &Arc<EmbeddedFonts>,
    deadline: &Deadline,
) -> Option<Tree> {
    let images = ImageLoader::new(Warnings::default(), options, deadline);
    tree_of(document, options, fonts, images.resolver()).ok()
}

/// The tree of a document that the passes have prepared.
fn tree_of(
    document: &Document,
    options: &Options,
    fonts: &Arc<EmbeddedFonts>,
    image_href_resolver: ImageHrefResolver<'_>,
) -> Result<Tree, Error> {
    let mut usvg_options = UsvgOptions {
        resources_dir: options.resources_dir.clone(),
        font_size: DEFAULT_FONT_SIZE,
        image_href_resolver,
        ..UsvgOptions::default()
    };
    fonts::resolve(&mut usvg_options, options, fonts);
    Tree::from_str(&document.to_xml(), &usvg_options).map_err(|error| match error {
        usvg::Error::ElementsLimitReached
        | usvg::Error::ParsingFailed(roxmltree::Error::NodesLimitReached) => {
            document::exceeded_limit(document)
        }
        usvg::Error::InvalidSize => Error::InvalidSize { attributes: "width and height" },
        other => Error::Xml { message: other.to_string(), position: None },
    })
}

/// The prefixes that drawings often use, and their namespaces.
const NAMESPACES: [(&str, &str); 4] = [
    ("inkscape", "http://www.inkscape.org/namespaces/inkscape"),
    ("sodipodi", "http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd"),
    ("svg", "http://www.w3.org/2000/svg"),
    ("xlink", "http://www.w3.org/1999/xlink"),
];

/// The error with its position. The messages of roxmltree have a position, except those about a
/// text that ends too early.
fn xml_error(text: &str, error: &roxmltree::Error) -> Error {
    let mut message = error.to_string();
    let mut position = [error.pos().row, error.pos().col];
    if matches!(
        error,
        roxmltree::Error::NoRootNode
            | roxmltree::Error::UnclosedRootNode
            | roxmltree::Error::UnexpectedEndOfStream
    ) {
        let last_line = text.rsplit('\n').next().unwrap_or_default();
        let numbers = [text.matches('\n').count() + 1, last_line.chars().count() + 1];
        position = numbers.map(|number| u32::try_from(number).unwrap_or(u32::MAX));
        let [line, column] = position;
        message += &format!(" at {line}:{column}, where the text ends");
    }
    if let roxmltree::Error::UnknownNamespace(prefix, _) = error {
        let known = NAMESPACES.iter().find(|(known, _)| known == prefix);
        let namespace = known.map_or("...", |(_, namespace)| namespace);
        message += &format!(": add xmlns:{prefix}=\"{namespace}\" to the root");
    }
    Error::Xml { message, position: Some(position) }
}

/// Checks for errors of the root element that usvg accepts or reports vaguely.
fn check_root(document: &Document) -> Result<(), Error> {
    let root = document.root_element();
    if !root.has_tag("svg") || !root.is_svg() {
        return Err(Error::NotSvg { name: root.tag().to_owned() });
    }
    if let Some(view_box) = root.attribute("viewBox") {
        let numbers = view_box.split(|c: char| c.is_whitespace() || c == ',').filter(|part| !part.is_empty());
        let mut size = numbers.skip(2).filter_map(|part| part.parse::<f64>().ok());
        // SVG: a width or height of zero disables rendering of the element, and a negative one is
        // an error.
        if size.any(|v| v <= 0.0) {
            return Err(Error::InvalidSize { attributes: "viewBox's width and height" });
        }
    }
    Ok(())
}
