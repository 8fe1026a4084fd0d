//! The commands at a point.

use anyrender::{Glyph, NormalizedCoord};
use boxwood_cpu::Place;
use kurbo::{Affine, Dashes, Point, Shape, Stroke, StrokeOpts};
use peniko::Fill;
#[cfg(feature = "glyphs")]
use peniko::Style;

use crate::bounds::{Extent, inverse, max_scale, support};
use crate::frame::Frame;
#[cfg(feature = "glyphs")]
use crate::glyphs::glyph_outline;
use crate::recording::{Recording, Resolved, Shadow, StoredPaint, TextStyle};
use crate::shape::StoredShape;
use crate::strokes::{can_be_expanded, has_few_dashes};

/// The error of the outline of a stroke, in pixels.
const PICK_TOLERANCE: f64 = 0.1;

impl Frame {
    /// The commands that paint at a point of the picture, the top-most first. A layer follows its
    /// contents. Outside of the picture, only some commands are found.
    ///
    /// A shape or a glyph is there if its fill or its stroke contains the point, within all clips
    /// around it. An image and a gradient count as a whole shape, also where they are transparent.
    /// These count as their boxes: shadows, runs with a colour glyph, a bitmap, or a glyph that the
    /// font does not have, runs without the feature `glyphs`, and everything inside of a filter,
    /// which may move colours. Strokes with more than 1,000 dashes count as solid, and strokes of
    /// more than 2³² pixels as their boxes.
    pub fn pick(&mut self, point: Point) -> &[usize] {
        let Self { recording, engine, hits, .. } = self;
        #[expect(clippy::cast_possible_truncation, reason = "a box has coordinates of 32 bits")]
        let place = Place::Point([point.x as f32, point.y as f32]);
        let is_hit = |command, _| recording.is_hit(command, point);
        hits.pick_precise(&recording.scene, engine.computed(), place, is_hit)
    }
}

impl Recording {
    /// Whether a command paints at a point, or the clip of a layer contains it.
    fn is_hit(&self, command: usize, point: Point) -> bool {
        if self.in_filter[command] {
            return true;
        }
        match self.resolve(command) {
            // A filter may move colours into the clip, or out of it.
            Resolved::Layer(composite, _) if composite.filter.is_some() => composite.alpha > 0.0,
            Resolved::Layer(composite, clip) => {
                composite.alpha > 0.0 && is_in(composite.fill, composite.transform, clip, point)
            }
            Resolved::Clip(fill, transform, clip) => is_in(fill, transform, clip, point),
            Resolved::Pop | Resolved::Unseen => false,
            Resolved::Fill(fill, transform, paint, shape) => {
                is_painted(paint) && is_in(fill, transform, shape, point)
            }
            Resolved::Stroke(stroke, transform, paint, shape) => {
                is_painted(paint) && is_on(stroke, transform, shape, point)
            }
            Resolved::Glyphs(text, paint, coords, glyphs) => {
                is_painted(paint) && text.paint_alpha > 0.0 && is_on_glyph(text, coords, glyphs, point)
            }
            Resolved::Shadow(Shadow { color, .. }) => color.components[3] > 0.0,
        }
    }
}

/// Whether a paint has any opacity. That of a gradient or an image is not looked at.
fn is_painted(paint: StoredPaint<'_>) -> bool {
    !matches!(paint.parts().0, anyrender::Paint::Solid(color) if color.components[3] <= 0.0)
}

/// Whether a filled shape contains a point.
fn is_in(fill: Fill, transform: Affine, shape: StoredShape<'_>, point: Point) -> bool {
    let Some(inverse) = inverse(transform) else { return false };
    let point = inverse * point;
    let winding = shape.winding(point);
    match fill {
        Fill::NonZero => winding != 0,
        Fill::EvenOdd => winding % 2 != 0,
    }
}

/// Whether a stroke contains a point.
fn is_on(stroke: &Stroke, transform: Affine, shape: StoredShape<'_>, point: Point) -> bool {
    // The outline of a stroke without width has an inside because of rounding.
    let Some(inverse) = inverse(transform).filter(|_| stroke.width > 0.0) else { return false };
    let point = inverse * point;
    let centre_line = Extent::of_shape(shape, transform);
    // A stroke that is too large to expand counts as its box.
    let Ok(Some(widest)) = centre_line.with_margin(support(stroke, transform)) else { return false };
    if !can_be_expanded(widest) {
        return true;
    }
    let tolerance = PICK_TOLERANCE / max_scale(transform);
    let path = shape.path_elements(tolerance);
    let outline = if has_few_dashes(shape.path_elements(tolerance), stroke) {
        kurbo::stroke(path, stroke, &StrokeOpts::default(), tolerance)
    } else {
        let solid = Stroke { dash_pattern: Dashes::default(), ..stroke.clone() };
        kurbo::stroke(path, &solid, &StrokeOpts::default(), tolerance)
    };
    outline.winding(point) != 0
}

/// Whether a run of glyphs contains a point.
#[cfg(feature = "glyphs")]
fn is_on_glyph(text: &TextStyle, coords: &[NormalizedCoord], glyphs: &[Glyph], point: Point) -> bool {
    let glyph_transform = text.glyph_transform.unwrap_or_default();
    let size = f64::from(text.font_size);
    let embolden = text.embolden.x.max(text.embolden.y);
    glyphs.iter().any(|glyph| {
        // The run counts as its box then.
        let Some(outline) = glyph_outline(&text.font, coords, glyph.id) else { return true };
        let outline = Affine::scale(size) * outline;
        let at = Affine::translate((f64::from(glyph.x), f64::from(glyph.y)));
        let transform = text.transform * at * glyph_transform;
        let shape = StoredShape::Path(outline.elements());
        match &text.style {
            Style::Fill(rule) => {
                let around = Stroke::new(2.0 * embolden);
                is_in(*rule, transform, shape, point)
                    || (embolden > 0.0 && is_on(&around, transform, shape, point))
            }
            Style::Stroke(stroke) => is_on(stroke, transform, shape, point),
        }
    })
}

/// Without outlines, a run of glyphs counts as its box.
#[cfg(not(feature = "glyphs"))]
fn is_on_glyph(_: &TextStyle, _: &[NormalizedCoord], _: &[Glyph], _: Point) -> bool {
    true
}
