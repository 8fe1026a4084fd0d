//! The part of a drawing that elements paint.

use boxwood_cpu::{Aabb, ElementKind};
use boxwood_svg::{Drawing, NoBox, Within};
use kurbo::Rect;

/// The boxes of what the elements of a drawing paint inside of their clips.
#[derive(Debug)]
pub struct Ink<'d> {
    drawing: &'d Drawing,
    /// For each source, the union of the clipped boxes of its leaves and of those inside of it.
    /// `None` if it has no leaves.
    contents: Vec<Option<Aabb>>,
}

impl<'d> Ink<'d> {
    /// Walks over the elements of a drawing once.
    pub fn new(drawing: &'d Drawing) -> Self {
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

    /// The box of what some elements paint, in px of the scene. `is_wanted` gets the index of a
    /// [source](Drawing::sources) of the drawing, or the number of sources plus the index of an
    /// [unlisted](Drawing::unlisted) element.
    ///
    /// # Errors
    ///
    /// The reason why none of them has a box.
    pub fn of(&self, is_wanted: impl Fn(usize) -> bool) -> Result<Rect, NoBox> {
        let wanted = self.contents.iter().enumerate().filter(|(order, _)| is_wanted(*order));
        let union = wanted.filter_map(|(_, bounds)| *bounds).reduce(Aabb::union);
        if let Some(ink) = union.and_then(rect) {
            return Ok(ink);
        }
        let unpainted = self.drawing.unpainted().into_iter();
        let unpainted = unpainted.map(|reason| reason.unwrap_or(NoBox::NoContents));
        let reasons = unpainted.chain(self.drawing.unlisted().into_iter().map(|element| element.reason));
        let reason = reasons.enumerate().find_map(|(order, reason)| is_wanted(order).then_some(reason));
        Err(reason.filter(|_| union.is_none()).unwrap_or(NoBox::ClippedAway))
    }

    /// The box of what each [source](Drawing::sources) paints, in px of the scene. `None` if that
    /// is nothing.
    pub fn of_each(&self) -> impl Iterator<Item = Option<Rect>> {
        self.contents.iter().map(|bounds| bounds.and_then(rect))
    }
}

/// A box as a rectangle. `None` if it is empty.
fn rect(bounds: Aabb) -> Option<Rect> {
    let Aabb { x0, y0, x1, y1 } = bounds;
    (!bounds.is_empty()).then(|| Rect::new(x0.into(), y0.into(), x1.into(), y1.into()))
}

fn add(sum: &mut Option<Aabb>, bounds: Aabb) {
    *sum = Some(sum.map_or(bounds, |sum| sum.union(bounds)));
}
