//! A loaded drawing.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use anyrender::PaintScene;
use boxwood_anyrender::encoding::draw_encoding_with_masks;
use boxwood_cpu::{Boxes, ElementKind};
use kurbo::{Affine, Rect, Size};
use resvg::tiny_skia::{IntSize, Pixmap};
use vello_encoding::Encoding;

use crate::boxes::object::{Include, ObjectBoxes, Space};
use crate::dom::Document;
use crate::error::{Error, Work};
use crate::geometry::max_scale;
use crate::guard::deadline::Deadline;
use crate::guard::thread;
use crate::no_box::{NoBox, Unlisted};
use crate::raster::content::draw_tree;
use crate::raster::cost::Cost;
use crate::raster::images::{Place, PlacedImage, RasterImages};
use crate::read::elements::{Element, Elements};
use crate::read::unlisted::Reasons;
use crate::read::user_spaces::UserSpaces;
use crate::scene::DrawingScene;
use crate::selector::Selector;
use crate::signature::Signature;
use crate::table::{Clip, ElementInfo, NodeEffects, Origin, Source, SourceKind, Within};
use crate::text::append;
use crate::warnings::{UnknownInk, Warning, WarningKind};

/// A drawing: what a renderer draws, what Boxwood computes boxes from, and a table that names each
/// element.
///
/// Everything is in scene space: the user space of the document at 100 %, in px, with y down and
/// the origin at the top left of the viewport.
pub struct Drawing {
    /// The draw objects in paint order. Draw object i is element i of the scene.
    ///
    /// Filtered groups, patterns, and gradients with close stops are empty images until
    /// [`Self::raster_images`] are drawn into the encoding.
    pub encoding: Encoding,
    /// The leaves that resvg draws for each view, as images of the encoding.
    pub raster_images: Arc<RasterImages>,
    /// The draw tag and the box of each element.
    pub elements: DrawingScene,
    /// The source and the role of each element.
    pub table: Vec<ElementInfo>,
    /// The SVG elements that the elements come from, and the groups around them, in document order.
    pub sources: Vec<Source>,
    /// The files that images were read from, sorted.
    pub image_files: Vec<PathBuf>,
    /// The size of the document's viewport, in px.
    pub size: Size,
    /// The features that are not drawn or bounded as SVG prescribes, one warning per kind.
    pub warnings: Vec<Warning>,
    /// The parsed document, for a renderer that reads usvg's tree. SVG images in it are clipped to
    /// their viewports, unless [`Options::clip_to_viewport`](crate::Options::clip_to_viewport) is
    /// off.
    pub tree: Arc<usvg::Tree>,
    /// How long the steps of loading took.
    pub times: LoadTimes,
    /// The luminance masks, as images in place of the contents of their nodes.
    pub(crate) luminance_masks: RasterImages,
    /// The document with CSS replaced by attributes.
    pub(crate) styled: Document,
    /// The document as it is written, once it is needed.
    pub(crate) original: OnceLock<Document>,
    /// The elements that a browser may show differently.
    pub(crate) uncertain: Vec<u32>,
    pub(crate) unknown_ink: Vec<UnknownInk>,
    /// The elements of the document.
    pub(crate) document: Elements,
    /// The cost of drawing the tree at 100 %.
    pub(crate) tree_cost: Cost,
    pub(crate) user_spaces: UserSpaces,
    /// The effects of each node, in the order of their begins.
    pub(crate) effects: Vec<NodeEffects>,
    /// The signature of each element, if the drawing is comparable.
    pub(crate) signatures: Vec<Signature>,
    /// The leaves that fill their boxes with an opaque colour, in paint order.
    pub(crate) opaque_boxes: Vec<usize>,
    /// The leaves whose shape is not in the encoding, in paint order.
    pub(crate) shapeless: Vec<usize>,
    /// The leaves of elements in texts, with the index of each element in the document.
    pub(crate) leaves_in_texts: Vec<(u32, usize)>,
    /// Where each source comes from.
    pub(crate) origins: Vec<Origin>,
}

/// How long the steps of loading took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LoadTimes {
    /// From text to usvg's tree: XML, CSS, `use`, text and fonts, markers. usvg makes one more tree
    /// if a text has parts, such as `tspan`, and for CSS that is relative to boxes, such as
    /// `clip-path: circle()`.
    pub parse: Duration,
    /// From the tree to the encoding and the boxes, with images decoded.
    pub lower: Duration,
}

impl Drawing {
    /// The boxes of all elements. The first call computes them on the CPU, and so does the first
    /// call after [`Self::elements`] were edited.
    ///
    /// # Panics
    ///
    /// Panics if an element was added to [`Self::elements`] whose box has a coordinate that is NaN.
    /// A loaded drawing has none.
    pub fn boxes(&self) -> &Boxes {
        self.elements.results()
    }

    /// Keeps the boxes of all elements that a GPU has computed, so that [`Self::boxes`] returns
    /// them. This changes nothing if the boxes are known.
    ///
    /// # Panics
    ///
    /// Panics if they are the boxes of a scene with another number of elements or entries.
    pub fn keep_boxes(&self, boxes: Boxes) {
        self.elements.keep(boxes);
    }

    /// Why the node that begins at an element clips. `None` if it does not, or if no node begins
    /// there. This counts the begins before it.
    pub fn clip_at(&self, element: usize) -> Option<&Clip> {
        let is_begin = |element: &usize| self.elements.kind(*element) == ElementKind::Begin;
        let index = (0..element).filter(is_begin).count();
        Some(element).filter(is_begin).and_then(|_| self.effects.get(index)?.clip.as_ref())
    }

    /// Draws [`Self::tree`] with resvg over an image of this width and height: premultiplied red,
    /// green, blue and alpha, row by row from the top.
    ///
    /// # Errors
    ///
    /// - [`Error::Limit`] if drawing would exceed a limit, such as for nested patterns or a
    ///   huge pattern tile.
    /// - [`Error::Panicked`] if resvg panics.
    /// - [`Error::TimeLimit`] or [`Error::Cancelled`] at the deadline. A thread may then go
    ///   on for a while.
    /// - [`Error::Thread`] if no thread can be started.
    ///
    /// The image is unchanged after an error.
    ///
    /// # Panics
    ///
    /// If the image does not have four bytes per pixel, or has no pixel.
    pub fn draw_tree(
        &self,
        image: &mut [u8],
        [width, height]: [u32; 2],
        device_from_scene: Affine,
        deadline: &Deadline,
    ) -> Result<(), Error> {
        self.tree_cost.scaled(max_scale(device_from_scene)).check()?;
        let size = IntSize::from_wh(width, height).expect("an image has pixels");
        let mut pixmap = Pixmap::from_vec(image.to_vec(), size).expect("an image has four bytes per pixel");
        let tree = Arc::clone(&self.tree);
        let drawn = thread::run(Work::Drawing, deadline, move |_| {
            draw_tree(&tree, device_from_scene, &mut pixmap);
            pixmap
        })?;
        image.copy_from_slice(drawn.data());
        Ok(())
    }

    /// Draws the encoding with any back end of [anyrender](https://docs.rs/anyrender), such as that
    /// of `vello_cpu`.
    ///
    /// `device_from_scene` is the view, and `region` the visible part of the device, in pixels.
    /// resvg draws the [`raster_images`](Self::raster_images), and the luminance masks, which
    /// anyrender does not have. They are images with the resolution of the view, unless they exceed
    /// the limits of [`RasterImages::draw_into`], which count for the masks again.
    ///
    /// # Errors
    ///
    /// - [`Error::NotEncoded`] if [`encoding`](Self::encoding) was edited so that it cannot be
    ///   drawn. A part of it may be drawn then.
    /// - The errors of [`RasterImages::draw_into`]. Nothing is drawn then.
    pub fn draw_into(
        &self,
        target: &mut impl PaintScene,
        device_from_scene: Affine,
        region: Rect,
        deadline: &Deadline,
    ) -> Result<(), Error> {
        let mut encoding = Cow::Borrowed(&self.encoding);
        if !self.raster_images.is_empty() {
            self.raster_images.draw_into(encoding.to_mut(), device_from_scene, region, deadline)?;
        }
        let masks = self.luminance_masks.draw(device_from_scene, region, deadline)?.into_iter();
        let mut masks: HashMap<usize, PlacedImage> = masks
            .filter_map(|(place, image)| match place {
                Place::Node(begin) => Some((begin, image)),
                Place::Brush(_) => None,
            })
            .collect();
        let mask = |begin| masks.remove(&begin);
        draw_encoding_with_masks(&encoding, device_from_scene, mask, target)?;
        Ok(())
    }

    /// The object bounding box of each of the [sources](Self::sources), by the algorithm of SVG 2
    /// (section 8.10, "Bounding boxes"). A box may have no width or height. It is `None` if the
    /// source has none of the included parts, or if a clip path hides all of them. SVG 2 returns a
    /// rectangle of zeros then, which looks like a point.
    ///
    /// Visibility, opacity, paint, masks and filters do not count. The box of an element without a
    /// size is at its place, without an area, and does not count in the boxes of groups, as in
    /// browsers. An element that usvg leaves out is not a source: one with `display: none`, or with
    /// an invalid effect.
    pub fn object_boxes(&self, include: Include, space: Space) -> Vec<Option<Rect>> {
        self.object_boxes_of(include, space, |_| true)
    }

    /// Those of [`object_boxes`](Self::object_boxes) that are wanted, by the index of their source.
    /// The others are `None` and cost no time.
    pub fn object_boxes_of(
        &self,
        include: Include,
        space: Space,
        is_wanted: impl Fn(usize) -> bool,
    ) -> Vec<Option<Rect>> {
        let mut boxes = ObjectBoxes::new(&self.tree, &self.document, &self.user_spaces, include);
        let mut of = |source: &Source, origin: &Origin| match &self.document.get(origin.element).text_part {
            Some(part) => boxes.text_part(part, origin.node, space),
            // The space of the root has its origin already.
            None if space == Space::Local && source.kind != SourceKind::Svg => {
                let own = boxes.of(source, origin.node, space);
                own.map(|own| own + self.user_spaces.origin)
            }
            None => boxes.of(source, origin.node, space),
        };
        let sources = self.sources.iter().zip(&self.origins).enumerate();
        sources
            .map(|(index, (source, origin))| if is_wanted(index) { of(source, origin) } else { None })
            .collect()
    }

    /// The elements of the document that are not [sources](Self::sources), in document order, each
    /// with the reason.
    ///
    /// An element that only a `use` draws is among them, because the sources that come from it are
    /// named by the `use`.
    pub fn unlisted(&self) -> Vec<Unlisted> {
        if self.unlisted_indices().next().is_none() {
            return Vec::new();
        }
        let reasons = self.reasons();
        let unlisted = |index: u32| {
            let Element { id, tag, class, position: [line, column], .. } = self.document.get(index).clone();
            let (path, reason) = (self.document.path(index), reasons[index as usize].clone());
            Unlisted { id, tag, path, line, column, class, reason }
        };
        self.unlisted_indices().map(unlisted).collect()
    }

    /// For each of the [sources](Self::sources), why neither it nor a source inside of it paints
    /// anything. `None` if something is painted, or if the reason is not known. A source that
    /// paints nothing may still have an object box.
    pub fn unpainted(&self) -> Vec<Option<NoBox>> {
        let of = |origin: &Origin| self.document.get(origin.element).unpainted.clone();
        let mut reasons: Vec<_> =
            self.origins.iter().map(|origin| of(origin).filter(|_| !origin.is_in_use)).collect();
        let mut has_elements = vec![false; reasons.len()];
        let mut has_empty_leaf = has_elements.clone();
        let in_table = self.table.iter().map(|info| info.source).zip(0..);
        let of_sources = in_table.chain(self.leaves_of_text_parts());
        for (source, element) in of_sources.filter(|(_, element)| self.table[*element].within != Within::Mask)
        {
            has_elements[source as usize] = true;
            // Only the leaves of a filter and of its contents have an empty box.
            has_empty_leaf[source as usize] |=
                self.elements.kind(element) == ElementKind::Leaf && self.elements.boxes()[element].is_empty();
        }
        // A part of a text that paints nothing has its own reason, or that of the text.
        let parts = self.sources.iter().enumerate().filter(|(_, source)| source.kind == SourceKind::TextPart);
        for (index, part) in parts {
            if let Some(text) = part.parent.filter(|_| reasons[index].is_none()) {
                reasons[index] = reasons[text as usize].clone();
            }
        }
        // Sources are after those around them.
        for (index, source) in self.sources.iter().enumerate().rev() {
            if let Some(parent) = source.parent {
                has_elements[parent as usize] |= has_elements[index];
            }
            if has_elements[index] {
                reasons[index] = has_empty_leaf[index].then_some(NoBox::EmptyFilter);
            }
        }
        reasons
    }

    /// For each of the [sources](Self::sources), and then for each of the
    /// [unlisted](Self::unlisted) elements, whether browsers paint something in it that is not
    /// known here: the contents of a `foreignObject`, or texts without a font. It is then `Some`
    /// with the kind of the warning about it.
    pub fn unknown_ink(&self) -> Vec<Option<WarningKind>> {
        let elements = self.origins.iter().map(|origin| origin.element).chain(self.unlisted_indices());
        let mut kinds: Vec<_> = elements.map(|element| (element, None)).collect();
        for kind in [WarningKind::ForeignObject, WarningKind::NoFont] {
            let mut own = vec![false; self.document.iter().count()];
            let of_kind = self.unknown_ink.iter().filter(|(_, of)| *of == kind);
            of_kind.for_each(|(element, _)| own[*element as usize] = true);
            let has_some = self.document.containing(&mut own);
            let of_kind = kinds.iter_mut().filter(|(element, _)| has_some[*element as usize]);
            of_kind.for_each(|(_, of)| *of = Some(kind));
        }
        kinds.into_iter().map(|(_, kind)| kind).collect()
    }

    /// The leaves of the parts of texts: pairs of a [source](Self::sources) of the kind
    /// [`SourceKind::TextPart`] and one of the [elements](Self::elements), as indices. The
    /// union of their boxes is the ink box of the part.
    ///
    /// The source of these leaves in [`Self::table`] is the text, which they belong to as well, and
    /// nested parts have leaves in common. A part of a text that has glyphs with colours of their
    /// own has none.
    pub fn leaves_of_text_parts(&self) -> Vec<(u32, usize)> {
        let origins = (0..).zip(self.sources.iter().zip(&self.origins));
        let parts = origins.filter(|(_, (source, _))| source.kind == SourceKind::TextPart);
        let parts: HashMap<_, _> = parts.map(|(index, (_, origin))| (origin.element, index)).collect();
        let leaves = self.leaves_in_texts.iter().flat_map(|(element, leaf)| {
            let around = std::iter::once(*element).chain(self.document.around(*element));
            around.filter_map(|element| Some((*parts.get(&element)?, *leaf)))
        });
        leaves.collect()
    }

    /// Whether a selector selects each of the [sources](Self::sources), and then, whether it
    /// selects each of the [unlisted](Self::unlisted) elements. What a `use` draws is selected as
    /// in its own place in the document.
    pub fn select(&self, selector: &Selector) -> Vec<bool> {
        let selected = selector.selected(self.original());
        let elements = self.origins.iter().map(|origin| origin.element).chain(self.unlisted_indices());
        elements.map(|element| selected.get(element as usize) == Some(&true)).collect()
    }

    /// The document as it is written, which is parsed at the first call.
    pub(crate) fn original(&self) -> &Document {
        let parse = || Document::parse(self.styled.text()).expect("the text of a drawing is XML");
        self.original.get_or_init(parse)
    }

    /// Parses the document for [`select`](Self::select), whose first call otherwise does so.
    pub fn prepare_selectors(&self) {
        self.original();
    }

    /// Whether each of the [sources](Self::sources), and then, whether each of the
    /// [unlisted](Self::unlisted) elements has this id or path. An id also names everything that a
    /// `use` draws of its element.
    pub fn named(&self, name: &str) -> Vec<bool> {
        // Elements without an id are not named by an empty one.
        let has_id = |element: u32| !name.is_empty() && self.document.get(element).id == name;
        let sources = self.sources.iter().zip(&self.origins);
        let sources = sources
            .map(|(source, origin)| source.name == name || source.path == name || has_id(origin.element));
        let unlisted = self.unlisted_indices();
        let unlisted = unlisted.map(|element| has_id(element) || self.document.path(element) == name);
        sources.chain(unlisted).collect()
    }

    /// The elements that a browser may show differently, or whose ink is not known.
    pub(crate) fn uncertain_elements(&self) -> impl Iterator<Item = u32> {
        self.uncertain.iter().copied().chain(self.unknown_ink.iter().map(|(element, _)| *element))
    }

    /// The indices of the elements that are not sources.
    pub(crate) fn unlisted_indices(&self) -> impl Iterator<Item = u32> {
        let mut is_listed = vec![false; self.document.iter().count()];
        for origin in self.origins.iter().filter(|origin| !origin.is_in_use) {
            is_listed[origin.element as usize] = true;
        }
        (0..).zip(is_listed).filter(|(_, is_listed)| !is_listed).map(|(index, _)| index)
    }

    /// The reason why each element of the document would not be a source.
    fn reasons(&self) -> Vec<NoBox> {
        let document = &self.styled;
        let has_cycles = self.warnings.iter().any(|warning| warning.kind == WarningKind::ReferenceCycle);
        Reasons::new(document, &self.document, has_cycles).list(document)
    }

    /// The transform from scene space to the user space of the root, which its `viewBox`
    /// determines.
    pub fn user_from_scene(&self) -> Affine {
        self.user_spaces.user_from_scene(&self.tree)
    }

    /// The rectangle of the root's `viewBox` in scene space. `None` without a valid `viewBox`.
    ///
    /// It differs from the canvas if `preserveAspectRatio` leaves room around it, or cuts it.
    pub fn view_box(&self) -> Option<Rect> {
        let user_box = self.user_spaces.root_view_box()?;
        Some(self.user_from_scene().inverse().transform_rect_bbox(user_box))
    }

    /// The text of the document, decompressed and as UTF-8, with more elements as the last contents
    /// of its root.
    ///
    /// The elements are in the [user space of the root](Self::user_from_scene). They must be
    /// well-formed and declare their namespaces, because the document may have prefixes of its own.
    pub fn text_with(&self, elements: &str) -> String {
        append(self.styled.text(), elements)
    }
}

impl fmt::Debug for Drawing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Drawing")
            .field("elements", &self.elements)
            .field("table", &self.table)
            .field("sources", &self.sources)
            .field("image_files", &self.image_files)
            .field("size", &self.size)
            .field("warnings", &self.warnings)
            .field("times", &self.times)
            .finish_non_exhaustive()
    }
}
