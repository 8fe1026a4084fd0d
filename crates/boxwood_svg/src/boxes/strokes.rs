//! Outlines of strokes and their boxes.

use boxwood_cpu::Aabb;
use kurbo::{Affine, BezPath, Cap, Join, PathEl, Rect, Stroke};
use usvg::Path;

use crate::geometry::{bez_path, fill_box, max_scale, rect_box};
use crate::guard::limits::{MAX_DASHES, MAX_MITER_LIMIT, MAX_STROKE_COORDINATE, MIN_SCALE};
use crate::quirks::miter_clip::clipped_miters_box;
use crate::quirks::nonfinite_strokes::outline;
use crate::quirks::tiny_units::enlargement;
use crate::quirks::zero_lengths::{lengthened_dashes, lengthened_subpaths};

/// The error of an outline, in px.
const TOLERANCE: f64 = 0.001;

/// The smallest error of an outline, relative to the size of the stroke: `f64` resolves 10⁻¹⁶ of
/// it.
const RELATIVE_TOLERANCE: f64 = 1e-10;

/// A stroke as it is drawn.
pub(crate) struct Outline {
    /// The path to stroke, dashed.
    pub(crate) centre_line: BezPath,
    /// The transform of the centre line and the interior. It differs from the path's if the path is
    /// enlarged.
    pub(crate) scene_from_outline: Affine,
    /// The style to stroke it with, without dashes.
    pub(crate) style: Stroke,
    /// The interior of the stroke, to be filled with the non-zero rule. `None` if coordinates are
    /// too large.
    pub(crate) interior: Option<BezPath>,
    /// The box of the interior, in scene space.
    pub(crate) stroke_box: Aabb,
    /// Whether the stroke is solid because it, or the drawing, has too many dashes.
    pub(crate) dropped_dashes: bool,
}

impl Outline {
    /// The outline of a stroke along a path. `None` if the path has no segment, so that the stroke
    /// draws nothing.
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
        let centre_line = if factor == 1.0 { path } else { Affine::scale(factor) * path };
        let hull = centre_line.control_box();
        let scene_from_outline = scene_from_path * Affine::scale(factor.recip());
        let mut found = Self {
            stroke_box: loose_box(hull, &style, scene_from_outline),
            centre_line,
            scene_from_outline,
            style,
            interior: None,
            dropped_dashes: false,
        };
        let numbers = [hull.x0, hull.y0, hull.x1, hull.y1, found.style.width];
        if numbers.iter().any(|v| v.abs() > MAX_STROKE_COORDINATE) {
            return Some(found);
        }
        let width = found.style.width;
        if let Some((dashes, left)) = stroke.dasharray().zip(dashes_left) {
            let dashes = dashes.iter().map(|dash| factor * f64::from(*dash)).collect();
            let dashes = lengthened_dashes(dashes, width);
            match dash(&found.centre_line, &dashes, factor * f64::from(stroke.dashoffset()), left) {
                Some(dashed) => found.centre_line = dashed,
                None => found.dropped_dashes = true,
            }
        }
        if found.style.start_cap != Cap::Butt {
            found.centre_line = lengthened_subpaths(&found.centre_line, width);
        }
        let scale = max_scale(scene_from_outline).max(MIN_SCALE);
        let tolerance = (TOLERANCE / scale).max(hull.width().max(hull.height()) * RELATIVE_TOLERANCE);
        let interior = outline(&found.centre_line, &found.style, tolerance);
        found.style.miter_limit = found.style.miter_limit.min(MAX_MITER_LIMIT);
        if interior.is_finite() {
            found.stroke_box = fill_box(&interior, scene_from_outline);
            found.interior = Some(interior);
        }
        if stroke.linejoin() == usvg::LineJoin::MiterClip {
            let limit = found.style.miter_limit;
            let clipped = clipped_miters_box(&found.centre_line, width, limit, scene_from_outline);
            found.stroke_box = found.stroke_box.union(clipped);
        }
        Some(found)
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

/// A box that contains the stroke whatever its joins and caps are.
fn loose_box(hull: Rect, style: &Stroke, scene_from_path: Affine) -> Aabb {
    // The corner of a square cap is √2 half widths away, and the tip of a miter at most the limit.
    let limit = if style.join == Join::Miter { style.miter_limit } else { 0.0 };
    let margin = 0.5 * style.width * limit.max(2.0_f64.sqrt());
    rect_box(hull.inflate(margin, margin), scene_from_path)
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
