//! The check of a cropped drawing: it shows the same as a part of the old one.

use boxwood_cpu::{Aabb, ElementKind};
use boxwood_svg::{Drawing, Within, first_restyled};
use kurbo::Rect;

use super::CropError;
use super::view::{ERROR, View, largest};

/// The part of the larger side of a drawing by which an edge may be elsewhere.
const TOLERANCE: f64 = 1e-4;

/// Checks that everything in a cropped drawing is where it was, and, if the old canvas clips, that
/// nothing is visible that it cuts off.
///
/// # Errors
///
/// The size of the root is set elsewhere, something depends on the size of the canvas, or
/// something else becomes visible.
pub(super) fn check(
    old: &Drawing,
    new: &Drawing,
    view: &View,
    is_relative: bool,
    clips: bool,
) -> Result<(), CropError> {
    let old_from_new = old.user_from_scene().inverse() * new.user_from_scene();
    let [old_canvas, canvas] = [old, new].map(|drawing| drawing.size.to_rect());
    let canvas = old_from_new.transform_rect_bbox(canvas);
    let user_box = old.user_from_scene().transform_rect_bbox(canvas);
    let tolerance = |bounds: Rect, side: f64| TOLERANCE * side + ERROR * largest(bounds);
    let is_same = |a: Rect, b: Rect, side: f64| {
        let tolerance = tolerance(a, side);
        let edges = [a.x0 - b.x0, a.y0 - b.y0, a.x1 - b.x1, a.y1 - b.y1];
        edges.iter().all(|difference| difference.abs() <= tolerance)
    };
    let side = canvas.width().max(canvas.height());
    // A drawing without a size of its own has no scale of its own either.
    let has_same_scale =
        is_relative || is_same(canvas, Rect::from_origin_size(canvas.origin(), new.size), side);
    let user_side = view.user_box.width().max(view.user_box.height());
    if !has_same_scale || !is_same(user_box, view.user_box, user_side) {
        return Err(CropError::SizeOfStyles);
    }
    if let Some(element) =
        first_moved(old, new, |old, new| is_same(old, old_from_new.transform_rect_bbox(new), side))
    {
        return Err(CropError::RelativeElement { element: label(old, element) });
    }
    if let Some(name) = first_restyled([old, new]) {
        return Err(CropError::RelativeStyle { name });
    }
    if gradients(old) != gradients(new) {
        return Err(CropError::RelativeGradient);
    }
    let visible = old_canvas.inflate(tolerance(canvas, side), tolerance(canvas, side));
    let boxes = new.boxes();
    let appears = |element: &usize| {
        let bounds = boxes.clipped_boxes[*element];
        let is_leaf =
            new.elements.kind(*element) == ElementKind::Leaf && new.table[*element].within != Within::Mask;
        is_leaf && !bounds.is_empty() && !contains(visible, old_from_new.transform_rect_bbox(rect(bounds)))
    };
    if let Some(element) = (0..new.elements.len()).find(|element| clips && appears(element)) {
        return Err(CropError::Uncovered { element: label(old, element) });
    }
    Ok(())
}

/// The first element of the scene whose box is elsewhere. The boxes of the first and the last one
/// are the canvas.
fn first_moved(old: &Drawing, new: &Drawing, is_same: impl Fn(Rect, Rect) -> bool) -> Option<usize> {
    let [old, new] = [old, new].map(|drawing| drawing.elements.boxes());
    let n_inner = old.len().saturating_sub(1);
    if old.len() != new.len() {
        return Some(0);
    }
    (1..n_inner).find(|element| match (old[*element], new[*element]) {
        (old, new) if old == new => false,
        (Aabb::PLANE | Aabb::EMPTY, _) | (_, Aabb::PLANE | Aabb::EMPTY) => true,
        (old, new) => !is_same(rect(old), rect(new)),
    })
}

/// The coordinates of the gradients in the user spaces of their elements.
fn gradients(drawing: &Drawing) -> Vec<[f32; 5]> {
    let linear = drawing.tree.linear_gradients().iter();
    let linear = linear.map(|gradient| [gradient.x1(), gradient.y1(), gradient.x2(), gradient.y2(), 0.0]);
    let radial = drawing.tree.radial_gradients().iter();
    let radial = radial
        .map(|gradient| [gradient.cx(), gradient.cy(), gradient.fx(), gradient.fy(), gradient.r().get()]);
    linear.chain(radial).collect()
}

/// The name of an element's source, with its position.
fn label(drawing: &Drawing, element: usize) -> String {
    let source = &drawing.sources[drawing.table[element].source as usize];
    format!("<{}> {} ({}:{})", source.tag, source.name, source.line, source.column)
}

fn rect(Aabb { x0, y0, x1, y1 }: Aabb) -> Rect {
    Rect::new(x0.into(), y0.into(), x1.into(), y1.into())
}

fn contains(outer: Rect, inner: Rect) -> bool {
    outer.union(inner) == outer
}
