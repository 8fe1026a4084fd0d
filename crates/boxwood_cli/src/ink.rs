//! The part of a drawing that elements paint.

use boxwood_cpu::{Aabb, ElementKind};
use boxwood_svg::{Drawing, NoBox, Within};
use kurbo::Rect;

/// The boxes of what the elements of a drawing paint inside of their clips.
pub(crate) struct Ink<'d> {
    drawing: &'d Drawing,
    /// For each source, the union of the clipped boxes of its leaves and of those inside of it.
    /// `None` if it has no leaves.
    contents: Vec<Option<Aabb>>,
}

impl<'d> Ink<'d> {
    /// Walks over the elements of a drawing once.
    pub(crate) fn new(drawing: &'d Drawing) -> Self {
        let clipped_boxes = &drawing.boxes().clipped_boxes;
        let mut contents: Vec<Option<Aabb>> = vec![None; drawing.sources.len()];
        let of_elements = drawing.table.iter().map(|info| info.source).zip(0..);
        for (source, element) in of_elements.chain(drawing.leaves_of_text_parts()) {
            let is_leaf = drawing.elements.kind(element) == ElementKind::Leaf;
            if is_leaf && drawing.table[element].within != Within::Mask {
                add(&mut contents[source as usize], clipped_boxes[element]);
            }
        }
        // Sources are after those around them.
        for (source, info) in drawing.sources.iter().enumerate().rev() {
            if let (Some(parent), Some(bounds)) = (info.parent, contents[source]) {
                add(&mut contents[parent as usize], bounds);
            }
        }
        Self { drawing, contents }
    }

    /// The box of what some elements paint, in px of the scene. `is_named` has one item for each
    /// source of the drawing, and then for each of its unlisted elements.
    ///
    /// # Errors
    ///
    /// The reason why none of them has a box.
    pub(crate) fn of(&self, is_named: &[bool]) -> Result<Rect, NoBox> {
        let named = self.contents.iter().zip(is_named).filter(|(_, is_named)| **is_named);
        let union = named.filter_map(|(bounds, _)| *bounds).reduce(Aabb::union);
        if let Some(Aabb { x0, y0, x1, y1 }) = union.filter(|union| !union.is_empty()) {
            return Ok(Rect::new(x0.into(), y0.into(), x1.into(), y1.into()));
        }
        let unpainted = self.drawing.unpainted().into_iter();
        let unpainted = unpainted.map(|reason| reason.unwrap_or(NoBox::NoContents));
        let reasons = unpainted.chain(self.drawing.unlisted().into_iter().map(|element| element.reason));
        let reason = reasons.zip(is_named).find_map(|(reason, is_named)| is_named.then_some(reason));
        Err(reason.filter(|_| union.is_none()).unwrap_or(NoBox::ClippedAway))
    }
}

fn add(sum: &mut Option<Aabb>, bounds: Aabb) {
    *sum = Some(sum.map_or(bounds, |sum| sum.union(bounds)));
}
