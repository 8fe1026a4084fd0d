//! The boxes of the sources of a drawing.

use boxwood_cpu::{Aabb, Boxes, ElementKind};

use crate::drawing::Drawing;
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
    pub(super) fn new(drawing: &Drawing, pixel_boxes: &Boxes) -> Self {
        let n = drawing.sources.len();
        let (mut own, mut pixels) = (vec![Aabb::EMPTY; n], vec![Aabb::EMPTY; n]);
        let (mut has_leaf, mut has_elements) = (vec![false; n], vec![false; n]);
        let all_boxes = [drawing.boxes(), pixel_boxes];
        for (element, info) in
            drawing.table.iter().enumerate().filter(|(_, info)| info.within != Within::Mask)
        {
            let source = info.source as usize;
            let [scene_box, pixel_box] = match drawing.elements.kind(element) {
                ElementKind::Leaf => {
                    // Nodes do not count beside a leaf.
                    if !has_leaf[source] {
                        (own[source], pixels[source]) = (Aabb::EMPTY, Aabb::EMPTY);
                    }
                    has_leaf[source] = true;
                    all_boxes.map(|boxes| boxes.clipped_boxes[element])
                }
                ElementKind::Begin if !has_leaf[source] => {
                    all_boxes.map(|boxes| boxes.group_boxes[boxes.ranks[element] as usize])
                }
                ElementKind::Begin | ElementKind::End | ElementKind::Nop => continue,
            };
            own[source] = own[source].union(scene_box);
            pixels[source] = pixels[source].union(pixel_box);
            has_elements[source] = true;
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
