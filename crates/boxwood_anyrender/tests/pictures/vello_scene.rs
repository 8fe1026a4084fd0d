//! A scene of Vello as the target of commands.

use std::sync::Arc;

use anyrender::{Filter, NormalizedCoord, Paint, PaintRef, PaintScene, RenderContext};
use kurbo::{Affine, Diagonal2, Rect, Shape, Stroke, Vec2};
use peniko::{BlendMode, BrushRef, Color, Fill, FontData, StyleRef};
use vello::{FontEmbolden, Glyph, Scene};

/// A scene of Vello. It has no filters.
#[derive(Default)]
pub(crate) struct VelloScene(pub(crate) Scene);

fn brush<'a>(paint: impl Into<PaintRef<'a>>) -> BrushRef<'a> {
    match paint.into() {
        Paint::Solid(color) => BrushRef::Solid(color),
        Paint::Gradient(gradient) => BrushRef::Gradient(gradient),
        Paint::Image(image) => BrushRef::Image(image),
        Paint::Resource(_) | Paint::Custom(_) => panic!("Vello has no such paint"),
    }
}

impl RenderContext for VelloScene {}

impl PaintScene for VelloScene {
    fn reset(&mut self) {
        self.0.reset();
    }

    fn push_layer(
        &mut self,
        fill: Fill,
        blend: impl Into<BlendMode>,
        alpha: f32,
        transform: Affine,
        clip: &impl Shape,
        filter: Option<Arc<Filter>>,
        backdrop_filter: Option<Arc<Filter>>,
    ) {
        assert!(filter.is_none() && backdrop_filter.is_none(), "Vello has no filters");
        self.0.push_layer(fill, blend, alpha, transform, clip);
    }

    fn push_clip_layer(&mut self, fill: Fill, transform: Affine, clip: &impl Shape) {
        self.0.push_clip_layer(fill, transform, clip);
    }

    fn pop_layer(&mut self) {
        self.0.pop_layer();
    }

    fn stroke<'a>(
        &mut self,
        style: &Stroke,
        transform: Affine,
        paint: impl Into<PaintRef<'a>>,
        brush_transform: Option<Affine>,
        shape: &impl Shape,
    ) {
        self.0.stroke(style, transform, brush(paint), brush_transform, shape);
    }

    fn fill<'a>(
        &mut self,
        style: Fill,
        transform: Affine,
        paint: impl Into<PaintRef<'a>>,
        brush_transform: Option<Affine>,
        shape: &impl Shape,
    ) {
        self.0.fill(style, transform, brush(paint), brush_transform, shape);
    }

    fn draw_glyphs<'a, 's: 'a>(
        &'s mut self,
        font: &'a FontData,
        font_size: f32,
        hint: bool,
        normalized_coords: &'a [NormalizedCoord],
        embolden: Vec2,
        style: impl Into<StyleRef<'a>>,
        paint: impl Into<PaintRef<'a>>,
        brush_alpha: f32,
        transform: Affine,
        glyph_transform: Option<Affine>,
        glyphs: impl Iterator<Item = anyrender::Glyph> + Clone,
    ) {
        self.0
            .draw_glyphs(font)
            .font_size(font_size)
            .hint(hint)
            .normalized_coords(normalized_coords)
            .font_embolden(FontEmbolden::new(Diagonal2::new(embolden.x, embolden.y)))
            .brush(brush(paint))
            .brush_alpha(brush_alpha)
            .transform(transform)
            .glyph_transform(glyph_transform)
            .draw(style, glyphs.map(|glyph| Glyph { id: glyph.id, x: glyph.x, y: glyph.y }));
    }

    fn draw_box_shadow(&mut self, transform: Affine, rect: Rect, color: Color, radius: f64, std_dev: f64) {
        self.0.draw_blurred_rounded_rect(transform, rect, color, radius, std_dev);
    }
}
