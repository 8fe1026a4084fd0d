//! From the text of a drawing to usvg's tree.

use std::path::PathBuf;

use usvg::roxmltree::{self, Document, Node};
use usvg::{Options as UsvgOptions, Tree};

use crate::css::sizes::DEFAULT_FONT_SIZE;
use crate::css::{self, Resolved};
use crate::error::{Error, Work};
use crate::guard::deadline::Deadline;
use crate::guard::document;
use crate::options::Options;
use crate::quirks::{clip_shapes, foreign_objects, marked_effects, markers, scaled_strokes};
use crate::read::elements::Elements;
use crate::read::images::ImageLoader;
use crate::read::rewritten::edits;
use crate::read::user_spaces::UserSpaces;
use crate::read::{entities, fonts, plain_css, text_parts};
use crate::rewrite::Edits;
use crate::warnings::{WarningKind, Warnings};
use crate::xml::{self, is_selected, name_or_place};

/// A parsed drawing, with the parts of its document that usvg's tree does not keep.
pub(crate) struct Parsed {
    pub(crate) tree: Tree,
    /// The same tree with its markers marked, if it has markers.
    pub(crate) marked: Option<Tree>,
    /// The elements of the document. Those that can have a node in the tree have an id there.
    pub(crate) elements: Elements,
    pub(crate) user_spaces: UserSpaces,
    /// The text with the cascade of CSS resolved, and the elements that CSS applies to which is
    /// ignored.
    pub(crate) css: Resolved,
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
    let original = xml::parse(text).map_err(|error| xml_error(text, &error))?;
    check_root(&original)?;
    let broken = |error: roxmltree::Error| Error::Xml { message: error.to_string() };
    // The cascade comes first: the passes after it read attributes only.
    let mut css = css::resolve(&original, warnings, deadline)?;
    let again = css.text.as_deref().map(xml::parse).transpose().map_err(broken)?;
    let styled = again.as_ref().unwrap_or(&original);
    let measure = plain_css::measure(options);
    let plain = plain_css::plain_text(styled, &measure, warnings).map_err(broken)?;
    check()?;
    let again = plain.as_deref().map(xml::parse).transpose().map_err(broken)?;
    let document = again.as_ref().unwrap_or(styled);
    let mut edits = edits(document, warnings)?;
    let mut elements = Elements::new(document, &original, &mut edits);
    check()?;
    let rewritten = edits.apply();
    let again = rewritten.as_deref().map(xml::parse).transpose().map_err(broken)?;
    let (plain, document) = (document, again.as_ref().unwrap_or(document));

    // Only one tree has warnings. They would be the same for the others.
    let unwarned = || ImageLoader::new(Warnings::default(), options.clip_to_viewport).resolver();
    let mut usvg_options = UsvgOptions {
        resources_dir: options.resources_dir.clone(),
        font_size: DEFAULT_FONT_SIZE,
        font_resolver: fonts::resolver(options),
        image_href_resolver: unwarned(),
        style_sheet: Some(marked_effects::STYLE_SHEET.to_owned()),
        ..UsvgOptions::default()
    };
    check()?;
    let parse = || Tree::from_xmltree(document, &usvg_options).ok();
    let mut edits = Edits::new(document);
    let shapes = clip_shapes::draw(document, &measure, parse, &mut edits);
    let strokes = scaled_strokes::keep_widths(document, parse, &mut edits);
    edits.warn(warnings);
    for (ids, what) in [(shapes, SHAPE), (strokes, STROKE)] {
        css.uncertain.extend(ignored(&ids, what, &elements, warnings));
    }
    css.uncertain.extend(of_foreign_objects(&original, warnings));
    let drawn = edits.apply();
    let again = drawn.as_deref().map(xml::parse).transpose().map_err(broken)?;
    let document = again.as_ref().unwrap_or(document);
    check()?;
    let parse = || Tree::from_xmltree(document, &usvg_options).ok();
    let placed = marked_effects::place_on_groups(document, warnings, parse);
    let again = placed.as_deref().map(xml::parse).transpose().map_err(broken)?;
    let document = again.as_ref().unwrap_or(document);

    check()?;
    let images = ImageLoader::new(warnings.clone(), options.clip_to_viewport);
    (usvg_options.style_sheet, usvg_options.image_href_resolver) = (None, images.resolver());
    let tree = Tree::from_xmltree(document, &usvg_options).map_err(|error| match error {
        usvg::Error::ElementsLimitReached
        | usvg::Error::ParsingFailed(roxmltree::Error::NodesLimitReached) => {
            document::exceeded_limit(document)
        }
        usvg::Error::InvalidSize => Error::InvalidSize { attributes: "width and height" },
        usvg::Error::ParsingFailed(error) => xml_error(document.input_text(), &error),
        other => Error::Xml { message: other.to_string() },
    })?;
    let image_files = images.finish()?;
    check()?;
    usvg_options.image_href_resolver = unwarned();
    if let Some(marked) = text_parts::marked(document, &elements) {
        elements.set_text_parts(text_parts::parts(&marked, &tree, &usvg_options, &elements));
    }
    check()?;
    let has_markers = document.descendants().any(|node| node.has_tag_name("marker"));
    let marked = has_markers.then(|| {
        usvg_options.style_sheet = Some(markers::style_sheet());
        Tree::from_xmltree(document, &usvg_options).ok()
    });
    let user_spaces = UserSpaces::of(document, plain);
    Ok(Parsed { tree, marked: marked.flatten(), elements, user_spaces, css, image_files })
}

/// Shapes that are ignored.
const SHAPE: &str = "a shape in `clip-path`, relative to a box that is not known here";

/// Strokes that are scaled.
const STROKE: &str = "`vector-effect: non-scaling-stroke` in a mask, a text, transforms that do not keep angles, or with markers";

/// The elements with a part of CSS that is ignored, given their ids. Warns about them.
fn ignored(ids: &[String], what: &str, elements: &Elements, warnings: &Warnings) -> Vec<u32> {
    let ignored: Vec<u32> = ids.iter().filter_map(|id| elements.with_id(id)).collect();
    if let Some(first) = ignored.first() {
        let [line, column] = elements.get(*first).position;
        warnings.add_css(format!("{line}:{column} ({what})"), ignored.len());
    }
    ignored
}

/// The indices of the `foreignObject` elements with contents, which are not drawn. Warns about
/// them.
fn of_foreign_objects(document: &Document<'_>, warnings: &Warnings) -> Vec<u32> {
    let nodes = (0..).zip(document.descendants().filter(Node::is_element));
    let foreign = nodes.filter(|(_, node)| node.tag_name().name() == "foreignObject");
    let mut found = Vec::new();
    for (index, node) in foreign {
        if let Some(contents) = foreign_objects::contents(node).filter(|_| is_drawn(node)) {
            warnings.add(WarningKind::ForeignObject, || format!("{} (<{contents}>)", name_or_place(node)));
            found.push(index);
        }
    }
    found
}

/// Whether an element is not only a definition, and selected by each `switch` around it.
fn is_drawn(node: Node<'_, '_>) -> bool {
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
fn check_root(document: &Document<'_>) -> Result<(), Error> {
    let root = document.root_element();
    let name = root.tag_name();
    if name.name() != "svg" || !matches!(name.namespace(), None | Some(xml::SVG)) {
        return Err(Error::NotSvg { name: name.name().to_owned() });
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
