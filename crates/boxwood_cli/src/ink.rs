//! The part of a drawing that elements paint.

use boxwood_cpu::{Aabb, ElementKind};
use boxwood_svg::{Drawing, NoBox, Within};
use kurbo::Rect;

/// The box of what some elements paint inside of their clips, in px of the scene. `is_named` has
/// one item for each source of the drawing, and then for each of its unlisted elements.
///
/// # Errors
///
/// The reason why none of them has a box.
pub(crate) fn ink_of(is_named: &[bool], drawing: &Drawing) -> Result<Rect, NoBox> {
    let boxes = drawing.boxes();
    let leaves = leaves_inside(is_named, drawing);
    let bounds = leaves.iter().fold(Aabb::EMPTY, |bounds, leaf| bounds.union(boxes.clipped_boxes[*leaf]));
    if !bounds.is_empty() {
        let Aabb { x0, y0, x1, y1 } = bounds;
        return Ok(Rect::new(x0.into(), y0.into(), x1.into(), y1.into()));
    }
    let unpainted = drawing.unpainted().into_iter().map(|reason| reason.unwrap_or(NoBox::NoContents));
    let reasons = unpainted.chain(drawing.unlisted().into_iter().map(|element| element.reason));
    let reason = reasons.zip(is_named).find_map(|(reason, is_named)| is_named.then_some(reason));
    Err(reason.filter(|_| leaves.is_empty()).unwrap_or(NoBox::ClippedAway))
}

/// The leaves of some elements and of everything inside of them.
fn leaves_inside(is_named: &[bool], drawing: &Drawing) -> Vec<usize> {
    // Whether each source is named, or is inside of one that is.
    let mut is_inside: Vec<bool> = Vec::with_capacity(drawing.sources.len());
    for (source, is_named) in drawing.sources.iter().zip(is_named) {
        is_inside.push(*is_named || source.parent.is_some_and(|parent| is_inside[parent as usize]));
    }
    let of_elements = drawing.table.iter().map(|info| info.source).zip(0..);
    let leaves = of_elements.chain(drawing.leaves_of_text_parts()).filter(|(source, element)| {
        let is_leaf = drawing.elements.kind(*element) == ElementKind::Leaf;
        is_leaf && drawing.table[*element].within != Within::Mask && is_inside[*source as usize]
    });
    leaves.map(|(_, leaf)| leaf).collect()
}
