//! Strokes as they are drawn, with their boxes.

use boxwood_cpu::Aabb;
use kurbo::{Affine, BezPath, Cap, Join, PathEl, Stroke};
use peniko::Fill;
use usvg::Path;

use crate::boxes::stroke_box::stroke_box;
use crate::geometry::{FilledPath, bez_path, max_scale};
use crate::guard::limits::{MAX_DASHES, MAX_MITER_LIMIT, MAX_STROKE_COORDINATE, MIN_SCALE};
use crate::quirks::nonfinite_strokes::outline;
use crate::quirks::tiny_units::enlargement;
use crate::quirks::zero_lengths::{lengthened_dashes, lengthened_subpaths};

/// The error of an outline, in px.
const TOLERANCE: f64 = 0.001;

/// The smallest error of an outline, relative to the size of the stroke: `f64` resolves 10⁻¹⁶ of
/// it.
const RELATIVE_TOLERANCE: f64 = 1e-10;

/// A stroke as it is drawn.
pub(crate) struct StrokedPath {
    /// The path to stroke, dashed.
    pub(crate) centre_line: BezPath,
    /// The transform of the centre line and the interior. It differs from the path's if the path is
    /// enlarged.
    pub(crate) scene_from_line: Affine,
    /// The style to stroke it with, without dashes.
    pub(crate) style: Stroke,
    /// The box of the interior, in scene space.
    pub(crate) own_box: Aabb,
    /// Whether coordinates are too large to expand or encode the stroke.
    pub(crate) is_huge: bool,
    /// Whether the stroke is solid because it, or the drawing, has too many dashes.
    pub(crate) dropped_dashes: bool,
}

impl StrokedPath {
    /// The stroke along a path. `None` if the path has no segment, so that the stroke draws
    /// nothing.
    ///
    /// `dashes_left` is the number of dashes that may still be drawn. Without it, the stroke gets
    /// no dashes.
    pub(crate) fn new(
        path: &Path,
        stroke: &usvg::Stroke,
        scene_from_path: Affine,
        dashes_left: Option<&mut f64>,
    ) -> Option<Self> {
        let path = bez_path(path.data());
        if path.segments().next().is_none() && !path.iter().any(|el| matches!(el, PathEl::ClosePath)) {
            return None;
        }
        let mut style = style(stroke);
        let factor = enlargement(|| path.control_box().inflate(style.width, style.width), scene_from_path);
        style.width *= factor;
        let mut centre_line = if factor == 1.0 { path } else { Affine::scale(factor) * path };
        let scene_from_line = scene_from_path * Affine::scale(factor.recip());
        let hull = centre_line.control_box();
        let numbers = [hull.x0, hull.y0, hull.x1, hull.y1, style.width];
        let is_huge = numbers.iter().any(|v| v.abs() > MAX_STROKE_COORDINATE);
        let mut dropped_dashes = false;
        if let Some((dashes, left)) = stroke.dasharray().zip(dashes_left).filter(|_| !is_huge) {
            let dashes = dashes.iter().map(|dash| factor * f64::from(*dash)).collect();
            let dashes = lengthened_dashes(dashes, style.width);
            match dash(&centre_line, &dashes, factor * f64::from(stroke.dashoffset()), left) {
                Some(dashed) => centre_line = dashed,
                None => dropped_dashes = true,
            }
        }
        if style.start_cap != Cap::Butt {
            centre_line = lengthened_subpaths(&centre_line, style.width);
        }
        let clips_miters = stroke.linejoin() == usvg::LineJoin::MiterClip;
        let own_box = stroke_box(&centre_line, &style, clips_miters, scene_from_line);
        style.miter_limit = style.miter_limit.min(MAX_MITER_LIMIT);
        Some(Self { centre_line, scene_from_line, style, own_box, is_huge, dropped_dashes })
    }

    /// The interior of the stroke. `None` if coordinates are too large.
    pub(crate) fn interior(&self) -> Option<FilledPath> {
        if self.is_huge {
            return None;
        }
        let scale = max_scale(self.scene_from_line).max(MIN_SCALE);
        let hull = self.centre_line.control_box();
        let tolerance = (TOLERANCE / scale).max(hull.width().max(hull.height()) * RELATIVE_TOLERANCE);
        let path = outline(&self.centre_line, &self.style, tolerance);
        let Self { scene_from_line: scene_from_path, own_box, .. } = *self;
        path.is_finite().then_some(FilledPath { path, rule: Fill::NonZero, scene_from_path, own_box })
    }
}

fn style(stroke: &usvg::Stroke) -> Stroke {
    let cap = match stroke.linecap() {
        usvg::LineCap::Butt => Cap::Butt,
        usvg::LineCap::Round => Cap::Round,
        usvg::LineCap::Square => Cap::Square,
    };
    let join = match stroke.linejoin() {
        usvg::LineJoin::Miter | usvg::LineJoin::MiterClip => Join::Miter,
        usvg::LineJoin::Round => Join::Round,
        usvg::LineJoin::Bevel => Join::Bevel,
    };
    Stroke::new(stroke.width().get().into())
        .with_caps(cap)
        .with_join(join)
        .with_miter_limit(stroke.miterlimit().get().into())
}

/// The dashes of a path, which are taken from those that are left. `None` if there are too many.
fn dash(path: &BezPath, dashes: &[f64], offset: f64, left: &mut f64) -> Option<BezPath> {
    let period: f64 = dashes.iter().sum();
    // The control polygon is never shorter than the curve.
    let cubics = path.segments().map(|segment| segment.to_cubic());
    let length: f64 = cubics.map(|c| c.p0.distance(c.p1) + c.p1.distance(c.p2) + c.p2.distance(c.p3)).sum();
    let count = length / period * dashes.len() as f64;
    let is_usable = period > 0.0 && period.is_finite() && offset.is_finite();
    if !is_usable || count > MAX_DASHES.min(*left) {
        return None;
    }
    *left -= count;
    Some(kurbo::dash(path.iter(), offset, dashes).collect())
}
