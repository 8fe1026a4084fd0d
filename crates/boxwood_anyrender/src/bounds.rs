//! The boxes of commands.

use anyrender::Glyph;
use kurbo::{
    Affine, Cap, Circle, CubicBez, Join, ParamCurveExtrema, PathEl, Point, QuadBez, Rect, Shape, Stroke, Vec2,
};
use peniko::StyleRef;

use crate::recording::Shadow;
use crate::shape::StoredShape;

/// How far a renderer may paint beyond an outline, in pixels: it flattens curves, and rounds
/// coordinates. The error with which `vello_cpu` flattens.
const OUTLINE_MARGIN: f64 = 0.25;

/// The part of a coordinate by which a renderer that computes in `f32` may move it: the rounding
/// errors of two products and two sums.
const RELATIVE_MARGIN: f64 = 4.0 * f32::EPSILON as f64;

/// How far hinting may move an outline, and how far an image may exceed its box, in pixels.
const ALIGNMENT_MARGIN: f64 = 1.5;

/// The size of a curve in pixels beyond which `vello_cpu`, which flattens in `f32`, paints outside
/// of its box. Measured: no pixel up to 3 · 10⁴, and a few at 10⁵.
const MAX_EXACT_CURVE: f64 = (1_u32 << 15) as f64;

/// The part of the size of a large curve by which it may be flattened wrongly. Measured: about 100
/// pixels at 10⁷, a hundredth of this.
const CURVE_MARGIN: f64 = 1.0 / 1024.0;

/// The miter limit with which `vello_cpu` and Vello embolden glyphs by default.
const EMBOLDEN_MITER_LIMIT: f64 = 4.0;

/// The standard deviations of a blur beyond which renderers paint nothing.
const SHADOW_DEVIATIONS: f64 = 3.0;

/// A box that grows, and remembers coordinates that are not finite.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    rect: Option<Rect>,
    is_finite: bool,
    has_curves: bool,
    /// The size of the translation of the transform, which rounding errors depend on.
    translation: f64,
}

impl Extent {
    pub(crate) const EMPTY: Self = Self { rect: None, is_finite: true, has_curves: false, translation: 0.0 };

    /// The extent of a stored shape after a transform.
    pub(crate) fn of_shape(shape: StoredShape<'_>, transform: Affine) -> Self {
        let (rect, is_finite) = match shape {
            StoredShape::Path(path) => return Self::of_path(path, transform),
            StoredShape::Rect(rect) => (transformed(transform, rect), rect.is_finite()),
            StoredShape::RoundedRect(rect) => (transformed(transform, rect.rect()), rect.is_finite()),
            StoredShape::Circle(Circle { center, radius }) => {
                let size = 2.0 * disc_extent(transform, (1.0 + ARC_ERROR) * radius.abs());
                (Rect::from_center_size(transform * center, size.to_size()), true)
            }
        };
        let has_curves = !matches!(shape, StoredShape::Rect(_));
        Self { rect: Some(rect), is_finite, has_curves, translation: translation(transform) }
    }

    /// The extent of a path after a transform.
    fn of_path(path: &[PathEl], transform: Affine) -> Self {
        let mut extent = Self { translation: translation(transform), ..Self::EMPTY };
        for element in path {
            extent.has_curves |= matches!(element, PathEl::QuadTo(..) | PathEl::CurveTo(..));
            if let Some(end) = element.end_point() {
                extent.add(transform * end);
            }
        }
        if extent.has_curves {
            extent.add_curves(path, transform);
        }
        extent
    }

    /// Adds the curves of a path, whose ends are in the extent.
    fn add_curves(&mut self, path: &[PathEl], transform: Affine) {
        let (mut start, mut last) = (Point::ZERO, Point::ZERO);
        for element in path {
            let element = transform * *element;
            // A curve is within the box of its points. So most curves of most shapes need no
            // extrema.
            match element {
                PathEl::QuadTo(control, end) if !self.contains(control) => {
                    let curve = QuadBez::new(last, control, end);
                    self.is_finite &= control.is_finite();
                    self.add_rect(ParamCurveExtrema::bounding_box(&curve));
                }
                PathEl::CurveTo(first, second, end) if !self.contains(first) || !self.contains(second) => {
                    let curve = CubicBez::new(last, first, second, end);
                    self.is_finite &= first.is_finite() && second.is_finite();
                    self.add_rect(ParamCurveExtrema::bounding_box(&curve));
                }
                _ => {}
            }
            if let PathEl::MoveTo(to) = element {
                start = to;
            }
            // After a close, the next curve begins where the subpath does.
            last = element.end_point().unwrap_or(start);
        }
    }

    fn add(&mut self, point: Point) {
        self.is_finite &= point.is_finite();
        let own = Rect::from_points(point, point);
        self.rect = Some(self.rect.map_or(own, |rect| rect.union_pt(point)));
    }

    fn add_rect(&mut self, rect: Rect) {
        self.rect = Some(self.rect.map_or(rect, |own| own.union(rect)));
    }

    fn contains(&self, point: Point) -> bool {
        // A NaN is outside.
        let is_in =
            |Rect { x0, y0, x1, y1 }: Rect| (x0..=x1).contains(&point.x) && (y0..=y1).contains(&point.y);
        self.rect.is_some_and(is_in)
    }

    /// The box with a margin on each side, `None` without points.
    ///
    /// # Errors
    ///
    /// If a coordinate is not finite.
    #[inline]
    pub(crate) fn with_margin(self, margin: Vec2) -> Result<Option<Rect>, NotFinite> {
        let Some(rect) = self.rect else { return Ok(None) };
        let Rect { x0, y0, x1, y1 } = rect;
        // The sum is at least as large as the largest coordinate, and NaN or infinite if one is.
        let sum = x0.abs() + y0.abs() + x1.abs() + y1.abs();
        if !self.is_finite || !sum.is_finite() || !margin.is_finite() {
            return Err(NotFinite);
        }
        // A product may be as large as the translation that it cancels.
        let mut rounding = OUTLINE_MARGIN + RELATIVE_MARGIN * (sum + 2.0 * self.translation);
        if self.has_curves && sum > MAX_EXACT_CURVE {
            rounding += CURVE_MARGIN * sum;
        }
        Ok(Some(rect.inflate(margin.x + rounding, margin.y + rounding)))
    }
}

/// The largest part of its radius by which a circle of four Bézier curves exceeds a circle. The
/// curves of kurbo are at least as good.
const ARC_ERROR: f64 = 2.8e-4;

/// The size of the translation of a transform.
fn translation(transform: Affine) -> f64 {
    let [.., e, f] = transform.as_coeffs();
    e.abs() + f.abs()
}

/// The inverse of a transform, unless it maps the plane to a line.
pub(crate) fn inverse(transform: Affine) -> Option<Affine> {
    let determinant = transform.determinant();
    (determinant != 0.0 && determinant.is_finite()).then(|| transform.inverse())
}

/// The largest factor by which a transform enlarges a distance: its larger singular value.
pub(crate) fn max_scale(transform: Affine) -> f64 {
    let [a, b, c, d, ..] = transform.as_coeffs();
    let sum = a * a + b * b + c * c + d * d;
    let determinant = a * d - b * c;
    (0.5 * (sum + (sum * sum - 4.0 * determinant * determinant).max(0.0).sqrt())).sqrt()
}

/// The smallest factor by which a transform enlarges a distance: its smaller singular value.
pub(crate) fn min_scale(transform: Affine) -> f64 {
    let largest = max_scale(transform);
    if largest == 0.0 { 0.0 } else { transform.determinant().abs() / largest }
}

/// A coordinate is NaN or infinite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NotFinite;

/// The box of a filled shape.
pub(crate) fn fill_box(shape: StoredShape<'_>, transform: Affine) -> Result<Option<Rect>, NotFinite> {
    let with_margin = Extent::of_shape(shape, transform).with_margin(Vec2::ZERO)?;
    // The edges of a rectangle stay on boundaries of pixels.
    let exact = aligned_rect(shape, transform);
    Ok(with_margin.map(|outer| exact.map_or(outer, |exact| whole_edges(exact, outer))))
}

/// How far a stroke may paint beyond its centre line, whatever its directions.
pub(crate) fn support(style: &Stroke, transform: Affine) -> Vec2 {
    let mut factor: f64 = 1.0;
    if style.join == Join::Miter {
        // Renderers compare squares, so that the sign does not count.
        factor = factor.max(style.miter_limit.abs());
    }
    // A dash without length may be a square in any direction.
    if has_square_caps(style) || !style.dash_pattern.is_empty() {
        factor = factor.max(std::f64::consts::SQRT_2);
    }
    disc_extent(transform, 0.5 * factor * style.width.abs())
}

/// Whether a stroke has a square cap.
fn has_square_caps(style: &Stroke) -> bool {
    [style.start_cap, style.end_cap].contains(&Cap::Square)
}

/// The box of a shadow.
pub(crate) fn shadow_box(shadow: &Shadow) -> Result<Option<Rect>, NotFinite> {
    let Shadow { transform, rect, radius, std_dev, .. } = shadow;
    if !radius.is_finite() {
        return Err(NotFinite);
    }
    let blur = SHADOW_DEVIATIONS * std_dev.abs();
    fill_box(StoredShape::Rect(rect.abs().inflate(blur, blur)), *transform)
}

/// The parameters of a run of glyphs that its box depends on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RunStyle<'a> {
    pub(crate) font_size: f32,
    /// Whether glyphs are aligned with pixels: by hinting, or because they are images.
    pub(crate) is_aligned: bool,
    pub(crate) embolden: Vec2,
    pub(crate) style: StyleRef<'a>,
    pub(crate) transform: Affine,
    pub(crate) glyph_transform: Option<Affine>,
}

/// The box of a glyph: x0, y0, x1, and y1 in units of the font size, with y down. If the glyph
/// paints nothing, the low edges are infinite, and the high ones negative infinite.
pub(crate) type EmBox = [f32; 4];

/// The box of a run of glyphs. `glyph_box` returns the box of a glyph, or `None` if it is not
/// known.
pub(crate) fn glyphs_box(
    run: RunStyle<'_>,
    glyphs: impl Iterator<Item = Glyph>,
    mut glyph_box: impl FnMut(u32) -> Option<EmBox>,
) -> Result<Option<Rect>, NotFinite> {
    let RunStyle { font_size: size, transform, glyph_transform, .. } = run;
    // A negative size swaps the edges of boxes.
    let is_scaled_alone = glyph_transform.is_none() && size > 0.0;
    let linear = (!is_scaled_alone).then(|| glyph_transform.unwrap_or_default() * Affine::scale(size.into()));
    // The box in the space of the run. Only two lanes of each vector are used in the end.
    let (mut low, mut high) = ([f32::INFINITY; 4], [f32::NEG_INFINITY; 4]);
    // A lane becomes NaN if a position is NaN or infinite.
    let mut zeros = [0.0; 4];
    let mut has_unknown = false;
    for glyph in glyphs {
        let at = [glyph.x, glyph.y, glyph.x, glyph.y];
        (0..4).for_each(|lane| zeros[lane] += at[lane] * 0.0);
        let Some(em_box) = glyph_box(glyph.id) else {
            has_unknown = true;
            continue;
        };
        let own = match linear {
            Some(linear) => transformed_glyph(linear, em_box),
            None => em_box.map(|edge| edge * size),
        };
        for lane in 0..4 {
            let edge = own[lane] + at[lane];
            // A comparison and a choice are one instruction, unlike `f32::min`. NaN changes
            // nothing.
            low[lane] = if edge < low[lane] { edge } else { low[lane] };
            high[lane] = if edge > high[lane] { edge } else { high[lane] };
        }
    }
    if zeros != [0.0; 4]
        || !size.is_finite()
        || !transform.is_finite()
        || !linear.is_none_or(|linear| linear.is_finite())
    {
        return Err(NotFinite);
    }
    if has_unknown {
        return Ok(Some(EVERYWHERE));
    }
    let [x0, y0, x1, y1] = [low[0], low[1], high[2], high[3]].map(f64::from);
    // An edge is the rounded sum of a position and a rounded product.
    let rounding = RELATIVE_MARGIN * (x0.abs() + y0.abs() + x1.abs() + y1.abs());
    let rect = (x0 <= x1 && y0 <= y1)
        .then(|| transformed(transform, Rect::new(x0, y0, x1, y1).inflate(rounding, rounding)));
    let in_run = transform * glyph_transform.unwrap_or_default();
    let embolden = EMBOLDEN_MITER_LIMIT * run.embolden.x.abs().max(run.embolden.y.abs());
    let mut margin = disc_extent(in_run, embolden);
    if let StyleRef::Stroke(stroke) = run.style {
        // A renderer that hints may stroke glyphs in the scale of the picture.
        let hinted = if run.is_aligned { support(stroke, Affine::IDENTITY) } else { Vec2::ZERO };
        let own = support(stroke, in_run);
        margin += Vec2::new(own.x.max(hinted.x), own.y.max(hinted.y));
    }
    if run.is_aligned {
        margin += Vec2::new(ALIGNMENT_MARGIN, ALIGNMENT_MARGIN);
    }
    // Glyphs are small, so that their curves are flattened without errors.
    Extent { rect, translation: translation(transform), ..Extent::EMPTY }.with_margin(margin)
}

/// The box of a glyph after the transform of all glyphs of its run.
fn transformed_glyph(linear: Affine, em_box: EmBox) -> EmBox {
    let [x0, y0, x1, y1] = em_box.map(f64::from);
    // A glyph that paints nothing stays one.
    if x0 > x1 {
        return em_box;
    }
    let Rect { x0, y0, x1, y1 } = transformed(linear, Rect::new(x0, y0, x1, y1));
    #[expect(clippy::cast_possible_truncation, reason = "the box of the run has a margin for rounding")]
    [x0, y0, x1, y1].map(|edge| edge as f32)
}

/// The box of a command that may paint anywhere.
pub(crate) const EVERYWHERE: Rect =
    Rect::new(f64::NEG_INFINITY, f64::NEG_INFINITY, f64::INFINITY, f64::INFINITY);

/// Whether a transform rotates or skews.
fn rotates(transform: Affine) -> bool {
    let [_, b, c, ..] = transform.as_coeffs();
    b != 0.0 || c != 0.0
}

/// The box of a rectangle after a transform.
#[inline]
fn transformed(transform: Affine, rect: Rect) -> Rect {
    // Most transforms do not rotate.
    if rotates(transform) {
        return transform.transform_rect_bbox(rect);
    }
    let [a, _, _, d, e, f] = transform.as_coeffs();
    let Rect { x0, y0, x1, y1 } = rect;
    Rect::new(a * x0 + e, d * y0 + f, a * x1 + e, d * y1 + f).abs()
}

/// The extent of a disc along both axes, after a transform.
pub(crate) fn disc_extent(transform: Affine, radius: f64) -> Vec2 {
    let [a, b, c, d, ..] = transform.as_coeffs();
    if !rotates(transform) {
        return Vec2::new(radius * a.abs(), radius * d.abs());
    }
    Vec2::new(radius * a.hypot(c), radius * b.hypot(d))
}

/// The rectangle that a shape becomes, if its sides are parallel to the axes then.
pub(crate) fn aligned_rect(shape: StoredShape<'_>, transform: Affine) -> Option<Rect> {
    let rect = shape.as_rect()?;
    let [a, b, c, d, ..] = transform.as_coeffs();
    let is_aligned = (b == 0.0 && c == 0.0) || (a == 0.0 && d == 0.0);
    // A large translation rounds what it is added to.
    let is_aligned = is_aligned && translation(transform) < EXACT;
    is_aligned.then(|| transformed(transform, rect))
}

/// A rectangle in which each edge is that of `exact` if it is on a boundary of pixels, and that of
/// `other` if not.
fn whole_edges(exact: Rect, other: Rect) -> Rect {
    let edge = |exact: f64, other: f64| if is_whole(exact) { exact } else { other };
    Rect::new(
        edge(exact.x0, other.x0),
        edge(exact.y0, other.y0),
        edge(exact.x1, other.x1),
        edge(exact.y1, other.y1),
    )
}

/// The whole pixels that a rectangle surely contains, whatever the rounding of a renderer.
pub(crate) fn inner_pixels(rect: Rect) -> Rect {
    let inset = rect.inflate(-INNER_MARGIN, -INNER_MARGIN);
    let inner = Rect::new(inset.x0.ceil(), inset.y0.ceil(), inset.x1.floor(), inset.y1.floor());
    // An edge on a boundary of pixels stays there in every renderer, if `f32` can express it.
    whole_edges(rect, inner)
}

/// The distance in pixels by which rounding may move an edge that is not on a boundary of pixels:
/// 16 times the resolution of coordinates with 8 bits of a fraction, which some rasterizers have.
const INNER_MARGIN: f64 = 1.0 / 16.0;

/// Whether a coordinate is a whole number that `f32` can express, with four bits for the rounding
/// errors of a transform.
fn is_whole(at: f64) -> bool {
    at == at.trunc() && at.abs() < EXACT
}

/// Whole numbers below this have at least four more bits in `f32`.
const EXACT: f64 = (1_u32 << 20) as f64;
