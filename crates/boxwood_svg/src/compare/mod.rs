//! The elements that differ between two drawings.

mod matching;
mod order;

use boxwood_cpu::spatial::{Frame, NO_PARTNER};
use boxwood_cpu::{Aabb, Boxes, ElementKind, Scene};

use self::matching::Matching;
use crate::drawing::Drawing;
use crate::table::{ElementInfo, Role, Within};
use crate::visibility::{canvas, margin, touched};

/// One of two drawings, with its boxes.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// The drawing.
    pub drawing: &'a Drawing,
    /// The boxes of its scene.
    pub boxes: &'a Boxes,
    /// The boxes of its [`pixel_scene`].
    pub pixel_boxes: &'a Boxes,
}

/// The scene of a drawing with all boxes rounded outward to whole pixels at 100 %, before clipping.
///
/// An anti-aliased edge paints a pixel that it only touches. So something can be seen at the edge
/// of a clip although its clipped box is empty. Thin strokes, filters and masks get a margin,
/// because resvg paints up to two pixels beyond their boxes.
///
/// # Panics
///
/// Never: rounding keeps a box valid.
pub fn pixel_scene(drawing: &Drawing) -> Scene {
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
    Scene::new(scene.tags().to_vec(), boxes).expect("rounding keeps a box valid")
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
    sides: [Side<'a>; 2],
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
/// Elements with the same id belong together. Of the others, those with the same contents at the
/// same place do, and then those with the same path.
///
/// # Panics
///
/// Panics if a drawing was not loaded with [`Options::comparable`](crate::Options::comparable).
pub fn compare(sides: [Side<'_>; 2]) -> Comparison<'_> {
    let is_leaf = |drawing: &Drawing, element: usize| {
        drawing.elements.kind(element) == ElementKind::Leaf && drawing.table[element].within != Within::Mask
    };
    let leaves = sides.map(|Side { drawing, .. }| {
        assert_eq!(drawing.signatures.len(), drawing.table.len(), "the drawing is comparable");
        (0..drawing.table.len()).filter(|element| is_leaf(drawing, *element)).collect::<Vec<_>>()
    });
    let boxes = [0, 1].map(|i| {
        let clipped = &sides[i].pixel_boxes.clipped_boxes;
        leaves[i].iter().map(|leaf| clipped[*leaf]).collect::<Vec<_>>()
    });
    let matching = Matching::new(sides.map(|side| side.drawing));
    let [old, new] = &leaves;
    let mut places = vec![NO_PARTNER; sides[0].drawing.table.len()];
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
    Comparison { sides, leaves, boxes, signatures, partners, matching }
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
    /// An element that cannot paint a pixel of the canvas in either drawing is left out.
    pub fn changes(&self, changed: &[u32], vanished: &[u32]) -> Vec<Change> {
        let bit = |mask: &[u32], index: usize| (mask[index / 32] >> (index % 32)) & 1 == 1;
        let [mut old, mut new] = self.sides.map(|side| vec![false; side.drawing.sources.len()]);
        for (is_changed, side, mask) in [(&mut old, 0, vanished), (&mut new, 1, changed)] {
            let table = &self.sides[side].drawing.table;
            let leaves = self.leaves[side].iter().enumerate().filter(|(index, _)| bit(mask, *index));
            for (_, leaf) in leaves {
                is_changed[table[*leaf].source as usize] = true;
            }
        }
        let contents = self.matching.changed_contents(self.sides.map(|side| side.drawing));
        let places = [0, 1].map(|side| Places::new(self.sides[side]));
        let mut changes = Vec::new();
        let mut is_matched = vec![false; old.len()];
        let mut add = |pair: [Option<usize>; 2]| {
            let is_in = |marks: [&[bool]; 2]| {
                pair.iter().zip(marks).any(|(source, marks)| source.is_some_and(|source| marks[source]))
            };
            let has_other_contents = is_in([&contents[0], &contents[1]]);
            if !is_in([&old, &new]) && !has_other_contents {
                return;
            }
            let of = |places: &Places, source: Option<usize>| {
                source
                    .map_or((Aabb::EMPTY, false), |source| (places.boxes[source], places.is_painted[source]))
            };
            let [(old_box, in_old), (new_box, in_new)] = [of(&places[0], pair[0]), of(&places[1], pair[1])];
            let kind = match (in_old, in_new) {
                (false, false) => return,
                (false, true) => ChangeKind::Appeared,
                (true, false) => ChangeKind::Vanished,
                _ if old_box != new_box => ChangeKind::Moved,
                _ if has_other_contents => ChangeKind::Repainted,
                _ => ChangeKind::Reordered,
            };
            let sources = pair.map(|source| source.and_then(|source| u32::try_from(source).ok()));
            changes.push(Change { kind, sources, boxes: [old_box, new_box] });
        };
        for (source, partner) in self.matching.sources.iter().enumerate() {
            let partner = partner.map(|partner| partner as usize);
            partner.into_iter().for_each(|partner| is_matched[partner] = true);
            add([partner, Some(source)]);
        }
        is_matched
            .iter()
            .enumerate()
            .filter(|(_, is)| !**is)
            .for_each(|(source, _)| add([Some(source), None]));
        changes
    }
}

/// The boxes of the sources of a drawing.
struct Places {
    /// The union of the clipped boxes of the leaves of each source, or the group box if it has only
    /// nodes.
    boxes: Vec<Aabb>,
    /// Whether it can paint a pixel of the canvas.
    is_painted: Vec<bool>,
}

impl Places {
    fn new(Side { drawing, boxes, pixel_boxes }: Side<'_>) -> Self {
        let n = drawing.sources.len();
        let (mut own, mut pixels, mut has_leaf) =
            (vec![Aabb::EMPTY; n], vec![Aabb::EMPTY; n], vec![false; n]);
        let kinds = [ElementKind::Leaf, ElementKind::Begin];
        for kind in kinds {
            for (element, info) in drawing.table.iter().enumerate() {
                let source = info.source as usize;
                if drawing.elements.kind(element) != kind || info.within == Within::Mask {
                    continue;
                }
                let of = |boxes: &Boxes| match kind {
                    ElementKind::Leaf => boxes.clipped_boxes[element],
                    _ => boxes.group_boxes[boxes.node_ranks[element] as usize],
                };
                if kind == ElementKind::Leaf || !has_leaf[source] {
                    own[source] = own[source].union(of(boxes));
                    pixels[source] = pixels[source].union(of(pixel_boxes));
                }
                has_leaf[source] |= kind == ElementKind::Leaf;
            }
        }
        let is_painted = pixels.into_iter().map(|pixels| !pixels.is_empty()).collect();
        Self { boxes: own, is_painted }
    }
}
