//! Paths as leaves.

use std::borrow::Cow;

use boxwood_cpu::Aabb;
use kurbo::{Affine, BezPath};
use peniko::Fill;
use usvg::{LineJoin, PaintOrder, Path};

use crate::boxes::strokes::{Outline, has_no_segment};
use crate::geometry::{bez_path, fill_box, fill_rule, rect_box, without_flat_subpaths};
use crate::lower::context::{Context, Output, Placement};
use crate::lower::paint::Paint;
use crate::quirks::miter_clip::has_clipped_miters;
use crate::table::Role;
use crate::warnings::WarningKind;

/// Lowers a path: a leaf for its fill and one for its stroke.
pub(crate) fn path(cx: &Context<'_>, out: &mut Output, path: &Path, placement: Placement) {
    if !path.is_visible() {
        return;
    }
    let mut order: [fn(&Context<'_>, &mut Output, &Path, Placement); 2] = [fill, stroke];
    if path.paint_order() == PaintOrder::StrokeAndFill {
        order.reverse();
    }
    order.into_iter().for_each(|lower| lower(cx, out, path, placement));
}

fn fill(cx: &Context<'_>, out: &mut Output, path: &Path, placement: Placement) {
    let Some(fill) = path.fill() else { return };
    let Some(paint) = Paint::new(fill.paint(), fill.opacity(), placement.scene_from_node) else { return };
    let shape = bez_path(path.data());
    let own_box = fill_box(&shape, placement.scene_from_node);
    if own_box.is_empty() {
        return;
    }
    fill_near(cx, out, &shape, fill_rule(fill.rule()), &paint, placement, own_box, Role::Fill);
}

fn stroke(cx: &Context<'_>, out: &mut Output, path: &Path, placement: Placement) {
    let Some(stroke) = path.stroke() else { return };
    let Some(paint) = Paint::new(stroke.paint(), stroke.opacity(), placement.scene_from_node) else { return };
    let centre_line = bez_path(path.data());
    if has_no_segment(&centre_line) {
        return;
    }
    let outline = Outline::new(centre_line, stroke, placement.scene_from_node, &mut out.dashes_left);
    if outline.dropped_dashes {
        out.warn(cx, WarningKind::ManyDashes);
    }
    let own_box = outline.stroke_box;
    if own_box.is_empty() {
        return;
    }
    let clips_miters = stroke.linejoin() == LineJoin::MiterClip;
    if clips_miters && has_clipped_miters(&outline.centre_line, outline.style.miter_limit) {
        out.warn(cx, WarningKind::ClippedMiters);
    }
    match &outline.interior {
        Some(_) if cx.near().contains(own_box) => {
            out.streams.stroke(&outline, &paint, placement.widened(own_box));
        }
        Some(interior) => {
            let placement = Placement { scene_from_node: outline.scene_from_outline, ..placement };
            fill_near(cx, out, interior, Fill::NonZero, &paint, placement, own_box, Role::Stroke);
        }
        None => {
            out.warn(cx, WarningKind::HugeStroke);
            out.streams.fill_nothing(placement.widened(own_box), Role::Stroke);
        }
    }
}

/// Fills a shape, or only its part near the viewport if it extends beyond. The leaf box is the box
/// of the whole shape.
pub(crate) fn fill_near(
    cx: &Context<'_>,
    out: &mut Output,
    shape: &BezPath,
    rule: Fill,
    paint: &Paint,
    placement: Placement,
    own_box: Aabb,
    role: Role,
) {
    let Placement { scene_from_node, .. } = placement;
    let leaf_box = placement.widened(own_box);
    if cx.near().contains(own_box) {
        // Subpaths without interior may extend beyond the box.
        let is_all_near = cx.near().contains(rect_box(shape.control_box(), scene_from_node));
        let shape = if is_all_near { Cow::Borrowed(shape) } else { Cow::Owned(without_flat_subpaths(shape)) };
        return out.streams.fill(&*shape, rule, scene_from_node, paint, leaf_box, role);
    }
    let part = cx.part_near(shape, scene_from_node);
    if part.is_empty() {
        return out.streams.fill_nothing(leaf_box, role);
    }
    out.streams.fill(&part, rule, Affine::IDENTITY, paint, leaf_box, role);
}
