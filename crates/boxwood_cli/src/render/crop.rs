//! The part of a drawing that an element covers.

use anyhow::{Result, bail};
use boxwood_cpu::{Aabb, ElementKind};
use boxwood_svg::{Drawing, NoBox, Within};
use kurbo::Rect;

/// The box of what the elements with this id or path paint inside of their clips.
///
/// # Errors
///
/// There is no such element, or none of them has a box.
pub(super) fn box_of(id: &str, drawing: &Drawing) -> Result<Rect> {
    let is_named = drawing.named(id);
    if !is_named.contains(&true) {
        bail!("no element has the id or path `{id}`");
    }
    let boxes = drawing.boxes();
    // Whether each source is named, or is inside of one that is.
    let mut is_inside: Vec<bool> = Vec::with_capacity(drawing.sources.len());
    for (source, is_named) in drawing.sources.iter().zip(&is_named) {
        is_inside.push(*is_named || source.parent.is_some_and(|parent| is_inside[parent as usize]));
    }
    let of_elements = drawing.table.iter().map(|info| info.source).zip(0..);
    let leaves = of_elements.chain(drawing.leaves_of_text_parts()).filter(|(source, element)| {
        let is_leaf = drawing.elements.kind(*element) == ElementKind::Leaf;
        is_leaf && drawing.table[*element].within != Within::Mask && is_inside[*source as usize]
    });
    let mut leaves = leaves.peekable();
    let has_leaves = leaves.peek().is_some();
    let bounds = leaves.fold(Aabb::EMPTY, |bounds, (_, leaf)| bounds.union(boxes.clipped_boxes[leaf]));
    if !bounds.is_empty() {
        let Aabb { x0, y0, x1, y1 } = bounds;
        return Ok(Rect::new(x0.into(), y0.into(), x1.into(), y1.into()));
    }
    let unpainted = drawing.unpainted().into_iter().map(|reason| reason.unwrap_or(NoBox::NoContents));
    let reasons = unpainted.chain(drawing.unlisted().into_iter().map(|element| element.reason));
    let reason = reasons.zip(is_named).find_map(|(reason, is_named)| is_named.then_some(reason));
    let reason = reason.filter(|_| !has_leaves).unwrap_or(NoBox::ClippedAway);
    bail!("`{id}` has no box: it {reason}");
}
