//! The boxes of strokes.

use std::f64::consts::SQRT_2;

use kurbo::{Affine, Cap, Circle, Join, PathEl, Point, Rect, Stroke, StrokeCtx, StrokeOpts, Vec2};

use crate::bounds::{Extent, NotFinite, disc_extent};
use crate::shape::StoredShape;

/// The error of an outline, in pixels. The margin of every box is larger.
const TOLERANCE: f64 = 0.1;

/// The minimum width of a line that a renderer may draw, in pixels.
const HAIRLINE: f64 = 1.0;

/// The maximum number of dashes whose outlines are computed.
const MAX_DASHES: f64 = 1000.0;

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
        let width = disc_extent(transform, style.width.abs());
        let hairline = if width.x.min(width.y) < HAIRLINE { HAIRLINE } else { 0.0 };
        let hairline = Vec2::new(hairline, hairline);
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
        let Some(outline) = self.outline(path, style, transform, widest) else { return Ok(widest) };
        // kurbo divides by zero at some cusps.
        let Ok(Some(tight)) = outline.with_margin(hairline) else { return Ok(widest) };
        Ok(widest.map(|widest| widest.intersect(tight)))
    }

    /// The extent of the outline of a stroke, `None` if it is not computed.
    fn outline(
        &mut self,
        path: &[PathEl],
        style: &Stroke,
        transform: Affine,
        widest: Option<Rect>,
    ) -> Option<Extent> {
        let size = widest.map_or(0.0, |rect| rect.width().max(rect.height()));
        // No distance grows by more than this factor.
        let scale = disc_extent(transform, 1.0).hypot();
        let is_computed = style.width > 0.0 && scale > 0.0 && size < MAX_SIZE && can_be_dashed(path, style);
        is_computed.then(|| {
            let tolerance = TOLERANCE / scale;
            let path = path.iter().copied();
            kurbo::stroke_with(path, style, &StrokeOpts::default(), tolerance, &mut self.0);
            Extent::of_shape(StoredShape::Path(self.0.output().elements()), transform)
        })
    }
}

/// A rectangle with this margin. One that is not finite stays as it is.
fn grown(rect: Rect, margin: f64) -> StoredShape<'static> {
    StoredShape::Rect(if rect.is_finite() { rect.abs().inflate(margin, margin) } else { rect })
}

/// How far a stroke may paint beyond its centre line, whatever its directions.
fn support(style: &Stroke, transform: Affine) -> Vec2 {
    let mut factor: f64 = 1.0;
    if style.join == Join::Miter {
        factor = factor.max(style.miter_limit);
    }
    if has_square_caps(style) {
        factor = factor.max(SQRT_2);
    }
    disc_extent(transform, 0.5 * factor * style.width.abs())
}

/// The distance of the corners of dashes from the centre line, in half widths. A dash may end where
/// the line bends.
fn dash_factor(style: &Stroke) -> f64 {
    if has_square_caps(style) && !style.dash_pattern.is_empty() { SQRT_2 } else { 1.0 }
}

fn has_square_caps(style: &Stroke) -> bool {
    [style.start_cap, style.end_cap].contains(&Cap::Square)
}

/// Whether a stroke has no dashes, or not too many.
fn can_be_dashed(path: &[PathEl], style: &Stroke) -> bool {
    if style.dash_pattern.is_empty() {
        return true;
    }
    let period: f64 = style.dash_pattern.iter().sum();
    let is_usable =
        period > 0.0 && style.dash_offset.is_finite() && style.dash_pattern.iter().all(|dash| *dash >= 0.0);
    // The control polygon is never shorter than the curve.
    let mut last = Point::ZERO;
    let mut length = 0.0;
    let mut add = |to: Point| {
        length += last.distance(to);
        last = to;
    };
    for element in path {
        match element {
            PathEl::MoveTo(to) | PathEl::LineTo(to) => add(*to),
            PathEl::QuadTo(control, to) => [*control, *to].into_iter().for_each(&mut add),
            PathEl::CurveTo(first, second, to) => [*first, *second, *to].into_iter().for_each(&mut add),
            // A closing line is not longer than the rest of its subpath.
            PathEl::ClosePath => {}
        }
    }
    is_usable && length / period * (style.dash_pattern.len() as f64) < MAX_DASHES
}

#[cfg(test)]
mod tests {
    use kurbo::{BezPath, Line, Shape};

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
            found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 0.5),
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
        assert_is_near(stroke_box(&line, &dashed), [-5.0, -5.0, 1e4 + 5.0, 5.0]);
    }
}
