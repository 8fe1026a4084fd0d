//! The boxes of strokes.

use std::f64::consts::SQRT_2;

use kurbo::{Affine, Circle, PathEl, Point, Rect, Stroke, StrokeCtx, StrokeOpts, Vec2};

use crate::bounds::{Extent, NotFinite, max_scale, min_scale, support};
use crate::shape::StoredShape;

/// The error of an outline, in pixels.
const TOLERANCE: f64 = 0.1;

/// The error with which renderers expand strokes, in units of the path. `vello_common` 0.3 divides
/// it by the scale along the axes, if that is more than 1.
const RENDERER_TOLERANCE: f64 = 0.25;

/// How far a renderer may paint beside a line that is thinner than a pixel, in pixels: some draw it
/// one pixel wide.
const HAIRLINE_MARGIN: f64 = 0.5;

/// The maximum number of dashes whose outlines are computed, which takes about a millisecond.
pub(crate) const MAX_DASHES: f64 = 1000.0;

/// The maximum size of a stroke whose outline is computed, in pixels. Rounding errors of its `f64`
/// coordinates are far below the tolerance.
const MAX_SIZE: f64 = (1_u64 << 32) as f64;

/// Computes the boxes of strokes in memory that is used again.
#[derive(Debug, Default)]
pub(crate) struct StrokeBoxes(StrokeCtx);

impl StrokeBoxes {
    /// The box of a stroke with its joins, caps, and dashes.
    pub(crate) fn of(
        &mut self,
        shape: StoredShape<'_>,
        style: &Stroke,
        transform: Affine,
    ) -> Result<Option<Rect>, NotFinite> {
        let is_thin = style.width.abs() * min_scale(transform) < 1.0;
        let hairline = if is_thin { Vec2::new(HAIRLINE_MARGIN, HAIRLINE_MARGIN) } else { Vec2::ZERO };
        // The corners of these shapes are round or right angles. So no miter is longer than the
        // corner of the larger rectangle.
        let radius = 0.5 * style.width.abs() * dash_factor(style);
        let larger = match shape {
            StoredShape::Path(path) => return self.of_path(path, style, transform, hairline),
            StoredShape::Rect(rect) => grown(rect, radius),
            StoredShape::RoundedRect(rect) => grown(rect.rect(), radius),
            StoredShape::Circle(Circle { center, radius: own }) => {
                StoredShape::Circle(Circle::new(center, own.abs() + radius))
            }
        };
        Extent::of_shape(larger, transform).with_margin(hairline)
    }

    fn of_path(
        &mut self,
        path: &[PathEl],
        style: &Stroke,
        transform: Affine,
        hairline: Vec2,
    ) -> Result<Option<Rect>, NotFinite> {
        let centre_line = Extent::of_shape(StoredShape::Path(path), transform);
        let widest = centre_line.with_margin(support(style, transform) + hairline)?;
        let scale = max_scale(transform);
        let is_computed = style.width > 0.0
            && scale > 0.0
            && widest.is_some_and(can_be_expanded)
            && has_few_dashes(path.iter().copied(), style);
        if !is_computed {
            return Ok(widest);
        }
        let elements = path.iter().copied();
        kurbo::stroke_with(elements, style, &StrokeOpts::default(), TOLERANCE / scale, &mut self.0);
        let outline = Extent::of_shape(StoredShape::Path(self.0.output().elements()), transform);
        let [a, _, _, d, ..] = transform.as_coeffs();
        let error = TOLERANCE + RENDERER_TOLERANCE * scale / a.abs().max(d.abs()).max(1.0);
        // kurbo divides by zero at some cusps.
        let Ok(Some(tight)) = outline.with_margin(hairline + Vec2::new(error, error)) else {
            return Ok(widest);
        };
        Ok(widest.map(|widest| widest.intersect(tight)))
    }
}

/// Whether the outline of a stroke in this box can be computed. kurbo may take forever for a larger
/// one.
pub(crate) fn can_be_expanded(widest: Rect) -> bool {
    widest.width().max(widest.height()) < MAX_SIZE
}

/// A rectangle with this margin. One that is not finite stays as it is, so that it is refused:
/// `abs` would hide a NaN.
fn grown(rect: Rect, margin: f64) -> StoredShape<'static> {
    StoredShape::Rect(if rect.is_finite() { rect.abs().inflate(margin, margin) } else { rect })
}

/// The distance of the corners of dashes from the centre line, in half widths. A dash may end where
/// the line bends.
fn dash_factor(style: &Stroke) -> f64 {
    if style.dash_pattern.is_empty() { 1.0 } else { SQRT_2 }
}

/// Whether a stroke has no dashes, or not too many.
pub(crate) fn has_few_dashes(path: impl Iterator<Item = PathEl>, style: &Stroke) -> bool {
    if style.dash_pattern.is_empty() {
        return true;
    }
    let period: f64 = style.dash_pattern.iter().sum();
    let has_no_negative = style.dash_pattern.iter().all(|dash| *dash >= 0.0);
    let is_usable = period > 0.0 && style.dash_offset.is_finite() && has_no_negative;
    let (mut start, mut last, mut length) = (Point::ZERO, Point::ZERO, 0.0);
    for element in path {
        // The control polygon is never shorter than the curve.
        let points = match element {
            PathEl::MoveTo(to) => {
                (start, last) = (to, to);
                continue;
            }
            PathEl::LineTo(to) => [to, to, to],
            PathEl::QuadTo(control, to) => [control, to, to],
            PathEl::CurveTo(first, second, to) => [first, second, to],
            PathEl::ClosePath => [start, start, start],
        };
        for point in points {
            length += last.distance(point);
            last = point;
        }
    }
    is_usable && length / period * (style.dash_pattern.len() as f64) < MAX_DASHES
}

#[cfg(test)]
mod tests {
    use kurbo::{BezPath, Cap, Join, Line, Shape};

    use super::*;

    fn stroke_box(path: &BezPath, style: &Stroke) -> Rect {
        let stroke_box =
            StrokeBoxes::default().of(StoredShape::Path(path.elements()), style, Affine::IDENTITY);
        stroke_box.expect("it is finite").expect("it has points")
    }

    /// Compares boxes, apart from the margin for rounding.
    fn assert_is_near(found: Rect, expected: [f64; 4]) {
        let found = [found.x0, found.y0, found.x1, found.y1];
        assert!(
            found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 0.75),
            "{found:?}"
        );
    }

    #[test]
    fn strokes_have_tight_boxes() {
        let line = Line::new((0.0, 0.0), (100.0, 0.0)).to_path(0.1);
        let butt = Stroke::new(10.0).with_caps(Cap::Butt);
        assert_is_near(stroke_box(&line, &butt), [0.0, -5.0, 100.0, 5.0]);
        assert_is_near(
            stroke_box(&line, &Stroke::new(10.0).with_caps(Cap::Square)),
            [-5.0, -5.0, 105.0, 5.0],
        );
        let dashed = butt.clone().with_dashes(0.0, [20.0, 30.0]);
        assert_is_near(stroke_box(&line, &dashed), [0.0, -5.0, 70.0, 5.0]);
        // A miter of a right angle, within the limit and beyond.
        let corner = BezPath::from_svg("M0 50L50 0L100 50").expect("a path");
        let miter = butt.clone().with_join(Join::Miter).with_miter_limit(2.0);
        assert_is_near(stroke_box(&corner, &miter), [-3.5, -7.1, 103.5, 53.5]);
        assert_is_near(stroke_box(&corner, &miter.with_miter_limit(1.0)), [-3.5, -3.5, 103.5, 53.5]);
    }

    #[test]
    fn strokes_with_too_many_dashes_have_a_box() {
        let line = Line::new((0.0, 0.0), (1e4, 0.0)).to_path(0.1);
        let dashed = Stroke::new(10.0).with_caps(Cap::Butt).with_dashes(0.0, [1e-6, 1e-6]);
        assert_is_near(stroke_box(&line, &dashed), [-7.1, -7.1, 1e4 + 7.1, 7.1]);
    }
}
