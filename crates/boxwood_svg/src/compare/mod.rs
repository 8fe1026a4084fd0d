//! The elements that differ between two drawings.

mod ignored;
mod matching;
mod order;
mod pair;
mod places;

use boxwood_cpu::specification::spatial::{Frame, NO_PARTNER};
use boxwood_cpu::{Aabb, Boxes, ElementKind, Scene};

pub use self::ignored::{first_restyled, ignored_differences};
use self::matching::Matching;
use self::pair::Pair;
use self::places::Places;
use crate::drawing::Drawing;
use crate::table::{ElementInfo, Role, Within};
use crate::visibility::{canvas, margin, touched};

/// The boxes of the scene of a drawing with its leaf boxes and shapes rounded outward to whole
/// pixels at 100 %, before clipping.
///
/// An anti-aliased edge paints a pixel that it only touches. So something can be seen at the edge
/// of a clip although its clipped box is empty. Thin strokes, filters and masks get a margin,
/// because resvg paints up to two pixels beyond their boxes.
fn pixel_boxes(drawing: &Drawing) -> Boxes {
    let scene = &drawing.elements;
    let pixels = |(info, own_box): (&ElementInfo, &Aabb)| {
        // resvg rounds the regions of filters to whole pixels. It may paint where two of them only
        // touch, and the box of what they paint is empty.
        let is_filter = info.role == Role::Filter || info.within == Within::Filter;
        if is_filter && own_box.is_empty() { Aabb::PLANE } else { touched(*own_box, margin(info.role)) }
    };
    let mut boxes: Vec<_> = drawing.table.iter().zip(scene.boxes()).map(pixels).collect();
    // The canvas ends with a whole pixel.
    if let Some(root) = boxes.first_mut().filter(|root| **root != Aabb::PLANE) {
        *root = canvas(drawing);
    }
    let scene = Scene::from_streams(scene.tags().to_vec(), boxes);
    boxwood_cpu::boxes(&scene.expect("rounding keeps a box valid")).expect("every element has a box")
}

/// How an element has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChangeKind {
    /// It paints something in the new drawing only.
    Appeared,
    /// It paints something in the old drawing only.
    Vanished,
    /// Its clipped box differs.
    Moved,
    /// Its clipped box is the same, but its outline, its paint, or an effect around it differs.
    Repainted,
    /// It is the same, but is painted before or after other elements.
    Reordered,
}

impl ChangeKind {
    /// Whether the element paints something in both drawings.
    const fn is_of_both(self) -> bool {
        !matches!(self, Self::Appeared | Self::Vanished)
    }
}

/// An element that has changed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    /// How it has changed.
    pub kind: ChangeKind,
    /// Its index among the sources of the old drawing and of the new one, where it is.
    pub sources: [Option<u32>; 2],
    /// The union of the clipped boxes of its leaves in the old drawing and in the new one. For a
    /// group, the union of those inside of it.
    pub boxes: [Aabb; 2],
}

/// The leaves of two drawings, matched with each other: the input of stage *damage*.
#[derive(Debug)]
pub struct Comparison<'a> {
    drawings: [&'a Drawing; 2],
    /// The [`pixel_boxes`] of each drawing.
    pixel_boxes: [Boxes; 2],
    /// The elements of the scenes that are leaves outside of masks.
    leaves: [Vec<usize>; 2],
    /// The pixels of each leaf inside of its clips.
    boxes: [Vec<Aabb>; 2],
    signatures: [Vec<u32>; 2],
    partners: Vec<u32>,
    matching: Matching,
}

/// Matches the elements of two drawings, the old one and the new one.
///
/// Elements with the same id belong together. Of the others, those belong together that are equal
/// in the first of these properties:
///
/// 1. the contents and their place,
/// 2. for elements without an id, the contents, if both drawings have as many elements with them,
/// 3. for groups, something inside that belongs together,
/// 4. for elements without an id, the path in the document.
///
/// # Panics
///
/// Panics if a drawing was not loaded with [`Options::comparable`](crate::Options::comparable).
pub fn compare(drawings: [&Drawing; 2]) -> Comparison<'_> {
    let is_leaf = |drawing: &Drawing, element: usize| {
        drawing.elements.kind(element) == ElementKind::Leaf && drawing.table[element].within != Within::Mask
    };
    let leaves = drawings.map(|drawing| {
        assert_eq!(drawing.signatures.len(), drawing.table.len(), "the drawing is comparable");
        (0..drawing.table.len()).filter(|element| is_leaf(drawing, *element)).collect::<Vec<_>>()
    });
    let pixel_boxes = drawings.map(pixel_boxes);
    let boxes = [0, 1].map(|i| {
        let clipped = &pixel_boxes[i].clipped_boxes;
        leaves[i].iter().map(|leaf| clipped[*leaf]).collect::<Vec<_>>()
    });
    let matching = Matching::new(drawings);
    let [old, new] = &leaves;
    let mut places = vec![NO_PARTNER; drawings[0].table.len()];
    (0..).zip(old).for_each(|(place, leaf)| places[*leaf] = place);
    let partner = |leaf: &usize| matching.partners[*leaf].map_or(NO_PARTNER, |partner| places[partner]);
    let mut partners: Vec<u32> = new.iter().map(partner).collect();
    // Each leaf of the old drawing has a signature of its own, which a leaf with the same contents
    // shares. So no two signatures are equal by chance.
    let signature = |(leaf, partner): (&usize, &u32)| {
        if matching.is_same[*leaf] { *partner } else { NO_PARTNER }
    };
    let new_signatures = new.iter().zip(&partners).map(signature).collect();
    let signatures = [(0..).take(old.len()).collect(), new_signatures];
    order::keep_longest_increasing(&mut partners);
    Comparison { drawings, pixel_boxes, leaves, boxes, signatures, partners, matching }
}

impl Comparison<'_> {
    /// The leaves of the old and of the new drawing in paint order, with the pixels that they can
    /// paint.
    pub fn frames(&self) -> [Frame<'_>; 2] {
        [0, 1].map(|i| Frame { boxes: &self.boxes[i], signatures: &self.signatures[i] })
    }

    /// The partner in the old frame of each leaf of the new one, or [`NO_PARTNER`]. The partners
    /// increase: the fewest leaves that were reordered have none.
    pub fn partners(&self) -> &[u32] {
        &self.partners
    }

    /// The elements with a leaf that changed or vanished, in the order of the new drawing, and then
    /// those that are only in the old one. Stage *damage* computes both masks from the frames.
    ///
    /// A group whose own transform differs is one of them, if something inside of it is.
    ///
    /// An element that cannot paint a pixel of the canvas in either drawing is left out.
    pub fn changes(&self, changed: &[u32], vanished: &[u32]) -> Vec<Change> {
        let drawings = self.drawings;
        let has_changed_leaf = self.sources_of_leaves([vanished, changed]);
        let has_other_contents = self.matching.changed_contents(drawings);
        let places = [0, 1].map(|side| Places::new(drawings[side], &self.pixel_boxes[side]));
        let pairs = self.matching.pairs(drawings[0].sources.len());
        let mut kinds: Vec<Option<ChangeKind>> = Vec::new();
        // Whether a changed element is inside of each source.
        let mut is_around = drawings.map(|drawing| vec![false; drawing.sources.len()]);
        for pair in &pairs {
            let is_other = pair.is_in(&has_other_contents);
            let is_changed = is_other || pair.is_in(&has_changed_leaf);
            let kind = if is_changed { pair.kind(&places, is_other) } else { None };
            if kind.is_some_and(|kind| kind != ChangeKind::Reordered) {
                pair.add_around(drawings, &mut is_around);
            }
            kinds.push(kind);
        }
        let change = |(pair, kind): (&Pair, Option<ChangeKind>)| {
            let is_moved_group = pair.has_other_transform(drawings) && pair.is_in(&is_around);
            let of_group = || pair.kind(&places, true).filter(|kind| kind.is_of_both());
            let kind = if is_moved_group { of_group().or(kind) } else { kind };
            let sources = pair.0.map(|source| source.and_then(|source| u32::try_from(source).ok()));
            Some(Change { kind: kind?, sources, boxes: pair.boxes(&places) })
        };
        pairs.iter().zip(kinds).filter_map(change).collect()
    }

    /// Whether each source of the old drawing and of the new one has a leaf in a mask.
    fn sources_of_leaves(&self, masks: [&[u32]; 2]) -> [Vec<bool>; 2] {
        let bit = |mask: &[u32], index: usize| (mask[index / 32] >> (index % 32)) & 1 == 1;
        [0, 1].map(|side| {
            let Drawing { sources, table, .. } = self.drawings[side];
            let mut has_leaf = vec![false; sources.len()];
            for (index, leaf) in self.leaves[side].iter().enumerate() {
                has_leaf[table[*leaf].source as usize] |= bit(masks[side], index);
            }
            has_leaf
        })
    }
}
