//! The boxes of the sources of a drawing.

use boxwood_cpu::{Aabb, Boxes, ElementKind};

use super::Side;
use crate::table::Within;

/// The boxes of the sources of a drawing.
pub(super) struct Places {
    /// The union of the clipped boxes of the leaves of each source, or the group box if it has only
    /// nodes. A source without elements has the union of the boxes inside of it.
    pub(super) boxes: Vec<Aabb>,
    /// Whether it can paint a pixel of the canvas.
    pub(super) is_painted: Vec<bool>,
}

impl Places {
    pub(super) fn new(Side { drawing, boxes, pixel_boxes }: Side<'_>) -> Self {
        let n = drawing.sources.len();
        let (mut own, mut pixels) = (vec![Aabb::EMPTY; n], vec![Aabb::EMPTY; n]);
        let (mut has_leaf, mut has_elements) = (vec![false; n], vec![false; n]);
        let kinds = [ElementKind::Leaf, ElementKind::Begin];
        for kind in kinds {
            for (element, info) in drawing.table.iter().enumerate() {
                let source = info.source as usize;
                if drawing.elements.kind(element) != kind || info.within == Within::Mask {
                    continue;
                }
                let of = |boxes: &Boxes| match kind {
                    ElementKind::Leaf => boxes.clipped_boxes[element],
                    _ => boxes.group_boxes[boxes.ranks[element] as usize],
                };
                if kind == ElementKind::Leaf || !has_leaf[source] {
                    own[source] = own[source].union(of(boxes));
                    pixels[source] = pixels[source].union(of(pixel_boxes));
                }
                has_leaf[source] |= kind == ElementKind::Leaf;
                has_elements[source] = true;
            }
        }
        // Sources are after those around them.
        for (source, info) in drawing.sources.iter().enumerate().rev() {
            if let Some(parent) =
                info.parent.map(|parent| parent as usize).filter(|parent| !has_elements[*parent])
            {
                own[parent] = own[parent].union(own[source]);
                pixels[parent] = pixels[parent].union(pixels[source]);
            }
        }
        let is_painted = pixels.into_iter().map(|pixels| !pixels.is_empty()).collect();
        Self { boxes: own, is_painted }
    }
}
