//! The boxes of commands.

use anyrender::Glyph;
use kurbo::{
    Affine, Cap, CubicBez, Join, ParamCurveExtrema, PathEl, Point, QuadBez, Rect, Shape, Stroke, Vec2,
};

use crate::recording::{Shadow, TextStyle};
use crate::shape::StoredShape;

/// How far a renderer may paint beyond an outline, in pixels: it flattens curves, and rounds
/// coordinates.
const OUTLINE_MARGIN: f64 = 0.25;

/// The part of a coordinate by which a renderer that computes in `f32` may move it: the rounding
/// errors of a transform.
const RELATIVE_MARGIN: f64 = 4.0 * f32::EPSILON as f64;

/// The minimum width of a line that a renderer may draw, in pixels.
const HAIRLINE: f64 = 1.0;

/// How far hinting may move an outline, in pixels.
const HINTING_MARGIN: f64 = 1.5;

/// The standard deviations of a blur beyond which renderers paint nothing.
const SHADOW_DEVIATIONS: f64 = 3.0;

/// A box that grows, and remembers coordinates that are not finite.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    rect: Option<Rect>,
    is_finite: bool,
}

impl Extent {
    pub(crate) const EMPTY: Self = Self { rect: None, is_finite: true };

    /// The extent of a shape after a transform.
    pub(crate) fn of_shape(shape: StoredShape<'_>, transform: Affine) -> Self {
        let mut extent = Self::EMPTY;
        let mut has_curves = false;
        for element in shape.path_elements(0.0) {
            has_curves |= matches!(element, PathEl::QuadTo(..) | PathEl::CurveTo(..));
            if let Some(end) = element.end_point() {
                extent.add(transform * end);
            }
        }
        if has_curves {
            extent.add_curves(shape, transform);
        }
        extent
    }

    /// Adds the curves of a shape, whose ends are in the extent.
    fn add_curves(&mut self, shape: StoredShape<'_>, transform: Affine) {
        let mut last = Point::ZERO;
        for element in shape.path_elements(0.0) {
            let element = transform * element;
            // A curve is within the box of its points. So most curves of most shapes need no
            // extrema.
            match element {
                PathEl::QuadTo(control, end) if !self.contains(control) => {
                    let curve = QuadBez::new(last, control, end);
                    self.add_rect(ParamCurveExtrema::bounding_box(&curve), &[control]);
                }
                PathEl::CurveTo(first, second, end) if !self.contains(first) || !self.contains(second) => {
                    let curve = CubicBez::new(last, first, second, end);
                    self.add_rect(ParamCurveExtrema::bounding_box(&curve), &[first, second]);
                }
                _ => {}
            }
            last = element.end_point().unwrap_or(last);
        }
    }

    fn add(&mut self, point: Point) {
        self.is_finite &= point.is_finite();
        let own = Rect::from_points(point, point);
        self.rect = Some(self.rect.map_or(own, |rect| rect.union_pt(point)));
    }

    fn add_rect(&mut self, rect: Rect, controls: &[Point]) {
        self.is_finite &= controls.iter().all(|point| point.is_finite());
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
    pub(crate) fn with_margin(self, margin: Vec2) -> Result<Option<Rect>, NotFinite> {
        let Some(rect) = self.rect else { return Ok(None) };
        let Rect { x0, y0, x1, y1 } = rect;
        let largest = [x0, y0, x1, y1].into_iter().fold(0.0, |largest: f64, own| largest.max(own.abs()));
        let rounding = OUTLINE_MARGIN + RELATIVE_MARGIN * largest;
        let rect = rect.inflate(margin.x + rounding, margin.y + rounding);
        if self.is_finite && rect.is_finite() { Ok(Some(rect)) } else { Err(NotFinite) }
    }
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

/// The box of a stroked shape.
pub(crate) fn stroke_box(
    stroke: &Stroke,
    shape: StoredShape<'_>,
    transform: Affine,
) -> Result<Option<Rect>, NotFinite> {
    let mut factor: f64 = 1.0;
    if stroke.join == Join::Miter {
        factor = factor.max(stroke.miter_limit);
    }
    if [stroke.start_cap, stroke.end_cap].contains(&Cap::Square) {
        factor = factor.max(std::f64::consts::SQRT_2);
    }
    let radius = factor * stroke.width.abs() / 2.0;
    let margin = disc_extent(transform, radius) + Vec2::new(HAIRLINE, HAIRLINE);
    Extent::of_shape(shape, transform).with_margin(margin)
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

/// The box of a run of glyphs. `glyph_box` returns the box of a glyph in units of the font size,
/// with y up, or `None` if the glyph has no known box.
pub(crate) fn glyphs_box(
    text: &TextStyle,
    glyphs: &[Glyph],
    mut glyph_box: impl FnMut(u32) -> Option<Rect>,
) -> Result<Option<Rect>, NotFinite> {
    let TextStyle { font_size, embolden, transform, glyph_transform, .. } = text;
    let own = glyph_transform.unwrap_or_default();
    let size = f64::from(*font_size);
    let scale = own * Affine::scale_non_uniform(size, -size);
    // In the space of the run.
    let mut extent = Extent::EMPTY;
    for glyph in glyphs {
        let at = Point::new(f64::from(glyph.x), f64::from(glyph.y));
        let Some(rect) = glyph_box(glyph.id) else {
            return if at.is_finite() && transform.is_finite() {
                Ok(Some(EVERYWHERE))
            } else {
                Err(NotFinite)
            };
        };
        // A glyph without an outline paints nothing.
        if rect.area() > 0.0 {
            let rect = scale.transform_rect_bbox(rect);
            extent.add(Point::new(at.x + rect.x0, at.y + rect.y0));
            extent.add(Point::new(at.x + rect.x1, at.y + rect.y1));
        }
    }
    extent.rect = extent.rect.map(|rect| transform.transform_rect_bbox(rect));
    let mut radius = embolden.x.abs().max(embolden.y.abs());
    if let peniko::Style::Stroke(stroke) = &text.style {
        radius += stroke.width.abs() * stroke.miter_limit.max(std::f64::consts::SQRT_2);
    }
    let mut margin = disc_extent(*transform * own, radius);
    if text.hint {
        margin += Vec2::new(HINTING_MARGIN, HINTING_MARGIN);
    }
    extent.with_margin(margin)
}

/// The box of a command that may paint anywhere.
pub(crate) const EVERYWHERE: Rect =
    Rect::new(f64::NEG_INFINITY, f64::NEG_INFINITY, f64::INFINITY, f64::INFINITY);

/// The extent of a disc along both axes, after a transform.
fn disc_extent(transform: Affine, radius: f64) -> Vec2 {
    let [a, b, c, d, ..] = transform.as_coeffs();
    Vec2::new(radius * a.hypot(c), radius * b.hypot(d))
}

/// The rectangle that a shape becomes, if its sides are parallel to the axes then.
pub(crate) fn aligned_rect(shape: StoredShape<'_>, transform: Affine) -> Option<Rect> {
    let rect = shape.as_rect()?;
    let [a, b, c, d, ..] = transform.as_coeffs();
    let is_aligned = (b == 0.0 && c == 0.0) || (a == 0.0 && d == 0.0);
    is_aligned.then(|| transform.transform_rect_bbox(rect))
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

/// The maximum distance in pixels by which rounding may move an edge between two pixels.
const INNER_MARGIN: f64 = 1.0 / 16.0;

/// Whether a coordinate is a whole number that `f32` can express, with room for the products of a
/// transform.
fn is_whole(at: f64) -> bool {
    at == at.trunc() && at.abs() < f64::from(1_u32 << 20)
}
