//! Changes of a document before usvg reads it: one file per workaround, guard, or feature.
//!
//! A file for a bug names the upstream crate with its version, the bug or missing feature, and what
//! the pass does about it. It has a test that reproduces the bug with the upstream crate alone: it
//! fails once upstream has fixed the bug, and then the pass can go.
//!
//! A pass is a function of the document and [`Tools`]. To add one, write its file and add it to
//! [`CSS`] or [`USVG`], in which the order counts.

use std::cell::RefCell;

use usvg::Tree;

use crate::css::sizes::Measure;
use crate::dom::{Document, Node};
use crate::error::{Error, Work};
use crate::guard::deadline::Deadline;
use crate::options::Only;
use crate::warnings::{UnknownInk, Warnings};

mod baseline_shift;
pub(crate) mod clip_shapes;
mod conditions;
mod css_geometry;
mod css_transforms;
pub(crate) mod displacement;
mod empty_effects;
mod filter_functions;
mod flat_servers;
pub(crate) mod foreign_objects;
pub(crate) mod ids;
mod map_origins;
pub(crate) mod marked_effects;
mod mask_images;
pub(crate) mod missing_fonts;
pub(crate) mod only;
mod path_length;
mod plain_boxes;
mod reference_cycles;
mod scaled_strokes;
pub(crate) mod singular_transforms;
mod spaced_anchors;
mod spaced_ids;
pub(crate) mod switches;
mod text_directions;
pub(crate) mod unloaded_images;
mod unprefixed_space;
pub(crate) mod uses;
mod white_space;
pub(crate) mod zero_sizes;
mod zero_viewports;

/// What passes need besides the document.
pub(crate) struct Tools<'a> {
    pub(crate) warnings: &'a Warnings,
    /// Whether there is a font for texts.
    pub(crate) has_fonts: bool,
    /// Measures a font.
    pub(crate) measure: Measure<'a>,
    /// Parses a document by usvg, without warnings. `None` if usvg refuses it.
    pub(crate) tree: &'a dyn Fn(&Document) -> Option<Tree>,
    /// The elements that are drawn alone.
    pub(crate) only: Option<(Vec<only::Named>, Only)>,
    /// The ids that elements get.
    pub(crate) ids: ids::Prefix,
    /// The numbers of the elements whose picture or box is not that of a browser.
    pub(crate) uncertain: RefCell<Vec<u32>>,
    pub(crate) unknown_ink: RefCell<Vec<UnknownInk>>,
}

impl Tools<'_> {
    /// Warns about a feature that is ignored on these elements.
    fn ignore(&self, elements: &[Node<'_>], what: &str) {
        // A copy has the position of its original, so it is not counted beside it.
        let originals: Vec<_> = elements.iter().filter(|node| !node.is_copy()).collect();
        if let Some(first) = originals.first().copied().or(elements.first()) {
            let [line, column] = first.document().position(first.start());
            self.warnings.add_css(format!("{line}:{column} ({what})"), originals.len().max(1));
        }
        self.uncertain.borrow_mut().extend(elements.iter().filter_map(|node| node.number()));
    }
}

/// A change of a document. It fails at the limits of `guard` only.
type Pass = fn(&mut Document, &Tools<'_>) -> Result<(), Error>;

/// The passes that replace CSS by attributes.
pub(crate) const CSS: &[Pass] = &[
    uses::make_viewports,
    css_geometry::resolve_lengths,
    baseline_shift::measure_words,
    white_space::collapse,
    // The transforms may be relative to boxes, which depend on lengths.
    css_transforms::make_matrices,
    path_length::scale_dashes,
];

/// The passes for what usvg does not do, or not as browsers do.
pub(crate) const USVG: &[Pass] = &[
    // The other passes find elements by their ids, which copies have until here.
    uses::place,
    conditions::remove_ignored,
    // The later passes follow references, so the cycles go first.
    reference_cycles::remove,
    // Before the effects get contents, or are drawn.
    missing_fonts::remove_effects,
    map_origins::move_to_zero,
    unprefixed_space::remove,
    spaced_ids::replace,
    text_directions::mirror_anchors,
    spaced_anchors::move_lines,
    switches::make_groups,
    zero_viewports::hide_contents,
    // What is not drawn can still be referred to, but not be used any more.
    only::keep,
    zero_sizes::make_paths,
    marked_effects::place_on_paths,
    empty_effects::fill,
    singular_transforms::give_scales,
    flat_servers::remove,
    foreign_objects::make_rectangles,
    displacement::replace_scales,
    unloaded_images::replace,
    // The passes after this one find the nodes of elements in usvg's tree by their ids.
    ids::give,
    clip_shapes::draw,
    mask_images::draw,
    scaled_strokes::keep_widths,
    // The regions of filters include the strokes.
    filter_functions::make_filters,
    // The boxes of groups include the clip paths and strokes.
    marked_effects::place_on_groups,
];

/// Runs passes over a document.
///
/// # Errors
///
/// Those of the passes, and if the deadline passes.
pub(crate) fn run(
    passes: &[Pass],
    document: &mut Document,
    tools: &Tools<'_>,
    deadline: &Deadline,
) -> Result<(), Error> {
    for pass in passes {
        deadline.check(Work::Loading)?;
        pass(document, tools)?;
    }
    deadline.check(Work::Loading)
}

/// What the tests of several passes need.
#[cfg(test)]
mod testing {
    use std::sync::Arc;

    use usvg::Options;
    use usvg::fontdb::Database;

    use super::*;
    use crate::css::resolve;
    use crate::css::sizes::FontMetrics;

    const MEASURE: Measure<'static> = &|_: &str| FontMetrics { ch: 0.5, ex: 0.4, cap: 0.75, line: 1.362 };

    fn run_on(passes: &[Pass], document: &mut Document) -> usize {
        let warnings = Warnings::default();
        let tools = Tools {
            has_fonts: true,
            warnings: &warnings,
            measure: MEASURE,
            only: None,
            ids: ids::Prefix::new(document),
            tree: &|document| {
                let options = Options { fontdb: fonts(), ..Options::default() };
                Tree::from_str(&document.to_xml(), &options).ok()
            },
            uncertain: RefCell::default(),
            unknown_ink: RefCell::default(),
        };
        run(passes, document, &tools, &Deadline::default()).expect("it is within the limits");
        warnings.take().iter().map(|warning| warning.count).sum()
    }

    /// A document after a pass, and the number of warnings.
    pub(super) fn after(pass: Pass, text: &str) -> (Document, usize) {
        let mut document = Document::parse(text).expect("it is XML");
        let n_warnings = run_on(&[pass], &mut document);
        (document, n_warnings)
    }

    /// A document after the cascade and the passes for CSS.
    pub(super) fn after_css(text: &str) -> Document {
        let mut document = Document::parse(text).expect("it is XML");
        uses::copy_targets(&mut document, &Deadline::default()).expect("it is in time");
        resolve(&mut document, &Warnings::default(), &Deadline::default()).expect("it is in time");
        run_on(CSS, &mut document);
        document
    }

    /// The bundled font, which the texts of these tests use.
    pub(super) fn fonts() -> Arc<Database> {
        let mut fonts = Database::new();
        fonts.load_font_data(boxwood_assets::NOTO_SANS.to_vec());
        fonts.set_serif_family("Noto Sans");
        Arc::new(fonts)
    }

    /// What usvg reads inside of the root after a pass.
    pub(super) fn contents_after(pass: Pass, text: &str) -> String {
        let xml = after(pass, text).0.to_xml();
        let contents = xml.split_once('>').and_then(|(_, rest)| rest.rsplit_once("</"));
        contents.map_or_else(String::new, |(contents, _)| contents.to_owned())
    }
}
