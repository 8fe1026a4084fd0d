//! What a stroke covers.

use boxwood_cpu::Aabb;
use kurbo::{Affine, BezPath, Cap, Join, PathEl, Point, Rect, Stroke, StrokeOpts};

use crate::miter::cut_miters_box;
use crate::path::{bounds, enlargement, fill_box, max_scale, rect_box};

/// The most dashes that a stroke is cut into.
const MAX_DASHES: f64 = 100_000.0;

/// The most dashes that all strokes of a drawing are cut into.
const MAX_ALL_DASHES: f64 = 1_000_000.0;

/// The largest coordinate or width of a stroke that is expanded.
const MAX_COORDINATE: f64 = 1e9;

/// The largest miter limit that Vello's 16-bit floats hold.
const MAX_MITER_LIMIT: f64 = 65_504.0;

/// The error of an expanded stroke, in units of the scene.
const TOLERANCE: f64 = 0.001;

/// A stroke as it is drawn.
pub(crate) struct Outline {
    /// The centre line, dashed. A renderer strokes this.
    pub(crate) centre_line: BezPath,
    /// The place of the centre line and the interior. It is the path's, unless that has large units.
    pub(crate) scene_from_outline: Affine,
    /// How to stroke it. Without dashes.
    pub(crate) style: Stroke,
    /// The interior of the stroke, to be filled non-zero. `None` where numbers are too large.
    pub(crate) interior: Option<BezPath>,
    /// The box of the interior, in the scene.
    pub(crate) stroke_box: Aabb,
    /// Whether the stroke, or the drawing, has too many dashes and it is solid instead.
    pub(crate) dropped_dashes: bool,
}

impl Outline {
    /// The outline of a stroke along `path`, which is placed in the scene by `scene_from_path`.
    pub(crate) fn new(
        path: BezPath,
        stroke: &usvg::Stroke,
        scene_from_path: Affine,
        room: &mut DashRoom,
    ) -> Self {
        let dashes = stroke.dasharray();
        if dashes.is_none_or(|dashes| room.take(&path, dashes)) {
            return Self::dashed(path, stroke, dashes, scene_from_path);
        }
        Self { dropped_dashes: true, ..Self::dashed(path, stroke, None, scene_from_path) }
    }

    /// The outline with these dashes instead of the stroke's own.
    pub(crate) fn dashed(
        path: BezPath,
        stroke: &usvg::Stroke,
        dashes: Option<&[f32]>,
        scene_from_path: Affine,
    ) -> Self {
        let mut style = style(stroke);
        let factor = enlargement(|| path.control_box().inflate(style.width, style.width), scene_from_path);
        style.width *= factor;
        let mut centre_line = if factor == 1.0 { path } else { Affine::scale(factor) * path };
        let scene_from_outline = scene_from_path * Affine::scale(factor.recip());
        let hull = centre_line.control_box();
        let mut dropped_dashes = false;
        if is_too_large(hull, style.width) {
            let stroke_box = loose_box(hull, &style, scene_from_outline);
            return Self {
                centre_line,
                scene_from_outline,
                style,
                interior: None,
                stroke_box,
                dropped_dashes,
            };
        }
        if let Some(dashes) = dashes {
            let dashes = dashes.iter().map(|dash| factor * f64::from(*dash));
            match dash(&centre_line, dashes.collect(), factor * f64::from(stroke.dashoffset()), style.width) {
                Some(dashed) => centre_line = dashed,
                None => dropped_dashes = true,
            }
        }
        if style.start_cap != Cap::Butt {
            centre_line = with_visible_dots(&centre_line, style.width);
        }
        let scale = max_scale(scene_from_outline).max(1e-9);
        let tolerance = (TOLERANCE / scale).max(hull.width().max(hull.height()) * 1e-10);
        let interior = kurbo::stroke(centre_line.iter(), &style, &StrokeOpts::default(), tolerance);
        let mut stroke_box = if interior.is_finite() {
            fill_box(&interior, scene_from_outline)
        } else {
            loose_box(hull, &style, scene_from_outline)
        };
        if stroke.linejoin() == usvg::LineJoin::MiterClip {
            let limit = style.miter_limit.min(MAX_MITER_LIMIT);
            let cut = cut_miters_box(&centre_line, style.width, limit, scene_from_outline);
            stroke_box = stroke_box.union(cut);
        }
        style.miter_limit = style.miter_limit.min(MAX_MITER_LIMIT);
        let interior = interior.is_finite().then_some(interior);
        Self { centre_line, scene_from_outline, style, interior, stroke_box, dropped_dashes }
    }
}

/// How many more dashes there may be.
pub(crate) struct DashRoom(f64);

/// The room for those of a whole drawing.
impl Default for DashRoom {
    fn default() -> Self {
        Self(MAX_ALL_DASHES)
    }
}

impl DashRoom {
    /// Whether there is room for the dashes of a stroke along `path`, which then is taken.
    fn take(&mut self, path: &BezPath, dashes: &[f32]) -> bool {
        let count = number_of_dashes(path, dashes.iter().map(|d| f64::from(*d)).sum(), dashes.len());
        // One stroke with too many dashes has none, and leaves room for others.
        let taken = if count <= MAX_DASHES { count } else { 0.0 };
        let is_room = taken <= self.0;
        self.0 -= if is_room { taken } else { 0.0 };
        is_room
    }
}

fn style(stroke: &usvg::Stroke) -> Stroke {
    let cap = match stroke.linecap() {
        usvg::LineCap::Butt => Cap::Butt,
        usvg::LineCap::Round => Cap::Round,
        usvg::LineCap::Square => Cap::Square,
    };
    let join = match stroke.linejoin() {
        // Vello has no join that cuts the miter.
        usvg::LineJoin::Miter | usvg::LineJoin::MiterClip => Join::Miter,
        usvg::LineJoin::Round => Join::Round,
        usvg::LineJoin::Bevel => Join::Bevel,
    };
    Stroke::new(stroke.width().get().into())
        .with_caps(cap)
        .with_join(join)
        .with_miter_limit(stroke.miterlimit().get().into())
}

fn is_too_large(hull: Rect, width: f64) -> bool {
    [hull.x0, hull.y0, hull.x1, hull.y1, width].iter().any(|v| v.abs() > MAX_COORDINATE)
}

/// A box that holds the stroke whatever its joins and caps.
fn loose_box(hull: Rect, style: &Stroke, scene_from_path: Affine) -> Aabb {
    let reach =
        if style.join == Join::Miter { style.miter_limit.max(2.0_f64.sqrt()) } else { 2.0_f64.sqrt() };
    let margin = 0.5 * style.width * reach;
    rect_box(hull.inflate(margin, margin), scene_from_path)
}

/// The dashes of a path, `None` if there are too many.
fn dash(path: &BezPath, dashes: Vec<f64>, offset: f64, width: f64) -> Option<BezPath> {
    let dashes = with_visible_specks(dashes, width);
    let period: f64 = dashes.iter().sum();
    let usable = period > 0.0 && period.is_finite() && offset.is_finite();
    if !usable || number_of_dashes(path, period, dashes.len()) > MAX_DASHES {
        return None;
    }
    Some(kurbo::dash(path.iter(), offset, &dashes).collect())
}

/// How many dashes and gaps a path is cut into, at most, by so many of them a period.
fn number_of_dashes(path: &BezPath, period: f64, n_of_period: usize) -> f64 {
    // The control polygon is never shorter than the curve.
    let length: f64 = path
        .segments()
        .map(|segment| segment.to_cubic())
        .map(|c| c.p0.distance(c.p1) + c.p1.distance(c.p2) + c.p2.distance(c.p3))
        .sum();
    length / period * n_of_period as f64
}

/// The dash lengths, those of zero made just long enough to have a direction for their caps.
fn with_visible_specks(mut dashes: Vec<f64>, width: f64) -> Vec<f64> {
    let speck = width * 1e-3;
    for i in (0..dashes.len()).step_by(2) {
        if dashes[i] == 0.0 && dashes.get(i + 1).is_some_and(|gap| *gap > 2.0 * speck) {
            dashes[i] = speck;
            dashes[i + 1] -= speck;
        }
    }
    dashes
}

/// The path with subpaths of no length made just long enough that strokers draw their caps, as SVG wants it.
fn with_visible_dots(path: &BezPath, width: f64) -> BezPath {
    let mut shown = BezPath::with_capacity(path.elements().len());
    let mut subpath: Vec<PathEl> = Vec::new();
    for element in path.iter() {
        if matches!(element, PathEl::MoveTo(_)) {
            finish_subpath(&mut subpath, width, &mut shown);
        }
        subpath.push(element);
    }
    finish_subpath(&mut subpath, width, &mut shown);
    shown
}

fn finish_subpath(subpath: &mut Vec<PathEl>, width: f64, shown: &mut BezPath) {
    let dot = match subpath.first() {
        Some(PathEl::MoveTo(p)) if subpath.len() > 1 && subpath.iter().all(|el| stays_at(el, *p)) => Some(*p),
        _ => None,
    };
    if let Some(p) = dot {
        // Far from the origin f32 has no number as near.
        #[expect(clippy::cast_possible_truncation, reason = "the next is what is wanted")]
        let next_x = f64::from((p.x as f32).next_up());
        shown.move_to(p);
        shown.line_to((next_x.max(p.x + width * 1e-3), p.y));
        subpath.clear();
    } else {
        shown.extend(subpath.drain(..));
    }
}

fn stays_at(element: &PathEl, p: Point) -> bool {
    match *element {
        PathEl::MoveTo(a) | PathEl::LineTo(a) => a == p,
        PathEl::QuadTo(a, b) => a == p && b == p,
        PathEl::CurveTo(a, b, c) => a == p && b == p && c == p,
        PathEl::ClosePath => true,
    }
}

/// Whether a stroke along the path draws nothing: no segment at all.
pub(crate) fn is_pointless(path: &BezPath) -> bool {
    bounds(path, Affine::IDENTITY).is_none() && !path.iter().any(|el| matches!(el, PathEl::ClosePath))
}
