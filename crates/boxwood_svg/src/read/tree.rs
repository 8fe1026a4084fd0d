//! From the text of a drawing to usvg's tree.

use std::cell::RefCell;
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use usvg::roxmltree;
use usvg::{Group, ImageHrefResolver, Options as UsvgOptions, Tree};

use crate::css::sizes::DEFAULT_FONT_SIZE;
use crate::css::{self, Resolved};
use crate::dom::{Document, Node};
use crate::error::{Error, Work};
use crate::guard::deadline::Deadline;
use crate::guard::document;
use crate::no_box::NoBox;
use crate::options::Options;
use crate::passes::ids::Prefix;
use crate::passes::{self, Tools, foreign_objects, only, uses};
use crate::read::elements::Elements;
use crate::read::fonts::embedded::EmbeddedFonts;
use crate::read::images::ImageLoader;
#[cfg(feature = "text")]
use crate::read::text_parts;
use crate::read::user_spaces::UserSpaces;
use crate::read::{entities, fonts, metrics};
use crate::warnings::{WarningKind, Warnings};
use crate::xml::{ANIMATIONS, DEFINITIONS, is_in_text, is_selected};

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
    entities::check(text)?;
    check()?;
    let document = Document::parse(text).map_err(|error| xml_error(text, &error))?;
    check_root(&document)?;
    document::check_number(&document)?;
    let mut foreign = of_foreign_objects(&document, warnings);
    for node in document.elements().filter(|node| ANIMATIONS.contains(&node.tag())) {
        // An animation without an address changes the element around it.
        let around = node.parent_element().unwrap_or(node);
        let animated = || node.local_href().map_or_else(|| around.name_or_place(), str::to_owned);
        warnings.add(WarningKind::Animation, animated);
    }
    let Prepared { document, drawn, ids, fonts, mut uncertain } =
        prepare(document, options, warnings, deadline)?;
    uncertain.append(&mut foreign);
    let mut elements = Elements::new(&document, &drawn, ids);
    check()?;

    // Only one tree has warnings. They would be the same for the others.
    let images = ImageLoader::new(warnings.clone(), options, deadline);
    let tree = tree_of(&drawn, options, &fonts, images.resolver())?;
    let image_files = images.finish()?;
    check()?;
    #[cfg(feature = "text")]
    if let Some(marked) = text_parts::marked(&drawn) {
        let silent = |document: &Document| silent_tree(document, options, &fonts, deadline);
        let resolver = fonts::resolver(options, &fonts);
        elements.set_text_parts(text_parts::parts(&marked, &tree, silent, &elements, &resolver));
    }
    check()?;
    if fonts::is_empty(options) {
        note_missing_fonts(&drawn, &tree, &mut elements, warnings);
    }
    let user_spaces = UserSpaces::of(&drawn, &document);
    Ok(Parsed { tree, elements, user_spaces, document, uncertain, image_files })
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
    };
    passes::run(passes::CSS, &mut document, &tools, deadline)?;
    let mut drawn = document.clone();
    passes::run(passes::USVG, &mut drawn, &tools, deadline)?;
    let (ids, uncertain) = (tools.ids, tools.uncertain.into_inner());
    Ok(Prepared { document, drawn, ids, fonts: Arc::clone(&fonts), uncertain })
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
        other => Error::Xml { message: other.to_string() },
    })
}

/// Notes the texts that usvg leaves out because there is no font. Warns about those that would be
/// drawn.
fn note_missing_fonts(document: &Document, tree: &Tree, elements: &mut Elements, warnings: &Warnings) {
    let mut with_font = HashSet::new();
    list_texts(tree.root(), &mut with_font);
    let has_characters = |node: Node<'_>| {
        node.descendants().any(|inner| inner.text().is_some_and(|text| !text.trim().is_empty()))
    };
    for node in document.elements().filter(|node| is_in_text(*node) && has_characters(*node)) {
        let text = node.ancestors().find(|around| around.has_tag("text"));
        let Some(id) = text.and_then(|text| text.attribute("id")) else { continue };
        let Some(number) = node.number().filter(|_| !node.is_copy() && !with_font.contains(id)) else {
            continue;
        };
        elements.get_mut(number).note(NoBox::NoFont);
        let is_hidden = |around: Node<'_>| {
            DEFINITIONS.contains(&around.tag()) || around.declared("display") == Some("none")
        };
        if node.has_tag("text") && is_drawn(node) && !node.ancestors().any(is_hidden) {
            warnings.add(WarningKind::NoFont, || node.name_or_place());
        }
    }
}

/// Adds the ids of the texts in a group.
fn list_texts<'t>(group: &'t Group, ids: &mut HashSet<&'t str>) {
    for node in group.children() {
        match node {
            usvg::Node::Group(group) => list_texts(group, ids),
            usvg::Node::Text(text) => _ = ids.insert(text.id()),
            usvg::Node::Path(_) | usvg::Node::Image(_) => {}
        }
    }
}

/// The numbers of the `foreignObject` elements with contents, which are not drawn. Warns about
/// them.
fn of_foreign_objects(document: &Document, warnings: &Warnings) -> Vec<u32> {
    let mut found = Vec::new();
    for node in document.elements().filter(|node| node.has_tag("foreignObject")) {
        if let Some(contents) = foreign_objects::contents(node).filter(|_| is_drawn(node)) {
            warnings.add(WarningKind::ForeignObject, || format!("{} (<{contents}>)", node.name_or_place()));
            found.extend(node.number());
        }
    }
    found
}

/// Whether an element and those around it meet their conditions, and each `switch` around it
/// selects it.
fn is_drawn(node: Node<'_>) -> bool {
    node.ancestors().filter(Node::is_element).all(is_selected)
}

/// The error with its position. The messages of roxmltree have a position, except those about a
/// text that ends too early.
fn xml_error(text: &str, error: &roxmltree::Error) -> Error {
    let mut message = error.to_string();
    if matches!(
        error,
        roxmltree::Error::NoRootNode
            | roxmltree::Error::UnclosedRootNode
            | roxmltree::Error::UnexpectedEndOfStream
    ) {
        let last_line = text.rsplit('\n').next().unwrap_or_default();
        let (line, column) = (text.matches('\n').count() + 1, last_line.chars().count() + 1);
        message += &format!(" at {line}:{column}, where the text ends");
    }
    Error::Xml { message }
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
