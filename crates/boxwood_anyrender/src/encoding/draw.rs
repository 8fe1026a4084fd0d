//! Drawing an encoding into any `PaintScene`.

use std::iter::Peekable;
use std::slice;
use std::sync::Arc;

use anyrender::filters::FilterEffect;
use anyrender::filters::color_transformation::ColorMatrix;
use anyrender::{Filter, PaintScene};
use kurbo::{Affine, BezPath, Point, Rect, Shape, StrokeOpts, Vec2};
use peniko::{BlendMode, Brush, Color, Compose, Fill, ImageBrush, Mix};
use vello_encoding::{DrawBeginClip, DrawTag, Encoding, GlyphRun, Patch};

use super::EncodingError;
use super::objects::{EncodedObjects, EncodedPath, PathStyle, as_rect};
use super::paints::{blend_mode, color, paint, paint_ref};
use crate::bounds::inverse;
use crate::shape::StoredShape;

/// The error of the outline of a stroke that clips, in units of its path: that of Vello, if it
/// expands strokes on the CPU.
const CLIP_TOLERANCE: f64 = 0.01;

/// The standard deviations beyond which Vello cuts a blurred rectangle off.
const VELLO_BLUR_DEVIATIONS: f64 = 2.5;

/// The factors of red, green, and blue in the luminance of a mask, as in Vello's shaders.
const LUMINANCE: [f32; 3] = [0.2125, 0.7154, 0.0721];

/// Draws an encoding, with a transform from its space to that of the target.
///
/// # Errors
///
/// [`EncodingError`] with the first draw object that cannot be drawn. Some of those before it may
/// be drawn then, and all layers are popped.
pub fn draw_encoding(
    encoding: &Encoding,
    transform: Affine,
    target: &mut impl PaintScene,
) -> Result<(), EncodingError> {
    draw_encoding_with_masks(encoding, transform, |_| None, target)
}

/// Draws an encoding as [`draw_encoding`] does, with images in place of luminance masks.
///
/// `mask` returns an image for a mask, by the index of the draw object that begins it, and the
/// transform from the image to the space of the encoding. The opacity of the image is that of the
/// mask. Few back ends have the filter that a mask is drawn with otherwise.
///
/// # Errors
///
/// As [`draw_encoding`].
pub fn draw_encoding_with_masks(
    encoding: &Encoding,
    transform: Affine,
    mask: impl FnMut(usize) -> Option<(ImageBrush, Affine)>,
    target: &mut impl PaintScene,
) -> Result<(), EncodingError> {
    let objects = EncodedObjects::new(encoding)?;
    let patches = encoding.resources.patches.iter().peekable();
    let mut drawing =
        Drawing { encoding, objects, patches, transform, mask, open: Vec::new(), hidden_depth: 0, target };
    let drawn = drawing.draw();
    // Vello ends open layers, too.
    let n_open: usize = drawing.open.iter().sum();
    (0..n_open).for_each(|_| drawing.target.pop_layer());
    drawn
}

/// An encoding that is being drawn.
struct Drawing<'e, 't, M, T> {
    encoding: &'e Encoding,
    objects: EncodedObjects,
    /// The patches of the next draw objects.
    patches: Peekable<slice::Iter<'e, Patch>>,
    transform: Affine,
    mask: M,
    /// The number of layers that each open begin has pushed.
    open: Vec<usize>,
    /// The depth inside of a mask that an image replaces, the mask included. Elsewhere, 0.
    hidden_depth: usize,
    target: &'t mut T,
}

impl<'e, M: FnMut(usize) -> Option<(ImageBrush, Affine)>, T: PaintScene> Drawing<'e, '_, M, T> {
    fn draw(&mut self) -> Result<(), EncodingError> {
        for (index, tag) in self.encoding.draw_tags.iter().enumerate() {
            let run = self.next_run(index)?;
            let patch = self.next_patch(index);
            let words = self.objects.draw_data(index, self.encoding);
            let is_end = *tag == DrawTag::END_CLIP;
            if self.hidden_depth > 0 {
                self.hidden_depth += usize::from(*tag == DrawTag::BEGIN_CLIP);
                self.hidden_depth -= usize::from(is_end);
                // The end of the mask is drawn.
                if self.hidden_depth > 0 {
                    continue;
                }
            }
            match (*tag, run) {
                (DrawTag::NOP, _) => {}
                (DrawTag::END_CLIP, _) => {
                    let n_layers = self.open.pop();
                    let n_layers =
                        n_layers.ok_or(EncodingError::Incomplete { draw_object: index, part: "begin" })?;
                    (0..n_layers).for_each(|_| self.target.pop_layer());
                }
                (DrawTag::BEGIN_CLIP, _) => self.begin(index, [words[0], words[1]])?,
                (DrawTag::BLUR_RECT, _) => self.blurred_rect(index, words),
                (tag, run) => {
                    let brush = paint(index, tag, words, patch, self.encoding)?;
                    match run {
                        Some(run) => self.glyphs(index, run, &brush)?,
                        None => self.path(index, &brush),
                    }
                }
            }
        }
        Ok(())
    }

    /// The run of glyphs that a draw object paints, if it does.
    fn next_run(&mut self, draw_object: usize) -> Result<Option<&'e GlyphRun>, EncodingError> {
        let resources = &self.encoding.resources;
        let Some(Patch::GlyphRun { index }) = self.patches.peek() else { return Ok(None) };
        let run = resources.glyph_runs.get(*index);
        let run = run.ok_or(EncodingError::Incomplete { draw_object, part: "run of glyphs" })?;
        let is_own = run.stream_offsets.draw_tags == draw_object;
        if is_own {
            self.patches.next();
        }
        Ok(Some(run).filter(|_| is_own))
    }

    /// The colour stops or the image of a draw object.
    fn next_patch(&mut self, draw_object: usize) -> Option<&'e Patch> {
        // An end has no words. So it does not take the patch of the next draw object, which starts
        // at the same word.
        let words = self.objects.draw_data_range(draw_object);
        self.patches.next_if(|patch| match patch {
            Patch::Ramp { draw_data_offset, .. } | Patch::Image { draw_data_offset, .. } => {
                words.contains(draw_data_offset)
            }
            Patch::GlyphRun { .. } => false,
        })
    }

    /// Pushes a layer.
    fn begin(&mut self, draw_object: usize, [mode, alpha]: [u32; 2]) -> Result<(), EncodingError> {
        let alpha = f32::from_bits(alpha);
        let EncodedPath { mut path, transform, style, .. } = self.objects.path(draw_object, self.encoding);
        let transform = self.transform * transform;
        let rule = match style {
            PathStyle::Fill(rule) => rule,
            PathStyle::Stroke(style) => {
                path = kurbo::stroke(path, &style, &StrokeOpts::default(), CLIP_TOLERANCE);
                Fill::NonZero
            }
        };
        let clip = Clip { rule, transform, path };
        let n_layers = if mode == DrawBeginClip::CLIP_BLEND_MODE {
            self.target.push_clip_layer(rule, transform, &shape(&clip.path));
            1
        } else if mode == DrawBeginClip::LUMINANCE_MASK_BLEND_MODE {
            self.begin_luminance_mask(draw_object, alpha, &clip)
        } else {
            let blend = blend_mode(mode);
            let blend = blend.ok_or(EncodingError::Unknown { draw_object, part: "blend mode" })?;
            clip.push(self.target, blend, alpha, None);
            1
        };
        self.open.push(n_layers);
        Ok(())
    }

    /// Pushes the layers of a luminance mask. Returns their number.
    fn begin_luminance_mask(&mut self, draw_object: usize, alpha: f32, clip: &Clip) -> usize {
        let mask = BlendMode::new(Mix::Normal, Compose::DestIn);
        if let Some((image, encoding_from_image)) = (self.mask)(draw_object) {
            self.hidden_depth = 1;
            clip.push(self.target, mask, alpha, None);
            let (width, height) = (image.image.width.into(), image.image.height.into());
            let area = Rect::new(0.0, 0.0, width, height);
            let transform = self.transform * encoding_from_image;
            self.target.fill(Fill::NonZero, transform, image.as_ref(), None, &area);
            return 1;
        }
        // The filter does not multiply by the opacity of its input. So the contents are drawn over
        // black, which has no luminance.
        let [r, g, b] = LUMINANCE;
        let mut matrix = [0.0; 20];
        matrix[15..18].copy_from_slice(&[r, g, b]);
        let filter = Filter::single(FilterEffect::ColorMatrix(ColorMatrix(matrix)));
        clip.push(self.target, mask, alpha, Some(Arc::new(filter)));
        // The clip cuts once, so that its edges have the right opacity. Everything else is larger.
        let bounds = clip.path.bounding_box();
        let area = bounds.inflate(bounds.width() + 1.0, bounds.height() + 1.0);
        self.target.fill(Fill::NonZero, clip.transform, Color::BLACK, None, &area);
        // The contents are a group of their own, so that they do not remove the black.
        self.target.push_layer(Fill::NonZero, Mix::Normal, 1.0, clip.transform, &area, None, None);
        2
    }

    /// Draws a blurred rectangle.
    fn blurred_rect(&mut self, draw_object: usize, words: &[u32]) {
        let EncodedPath { path, transform, brush_transform, .. } =
            self.objects.path(draw_object, self.encoding);
        let [width, height, radius, std_dev] =
            [1, 2, 3, 4].map(|word| f64::from(f32::from_bits(words[word])));
        let rect = Rect::from_center_size(Point::ZERO, (width, height));
        // The brush is at the centre of the rectangle.
        let path_from_brush = inverse(transform).map(|inverse| inverse * brush_transform);
        let kernel = VELLO_BLUR_DEVIATIONS * std_dev;
        let blurred =
            path_from_brush.map(|transform| transform.transform_rect_bbox(rect.inflate(kernel, kernel)));
        // A shape that is smaller than the blur cuts it. The comparison allows for the rounding of
        // the numbers of the encoding.
        let tolerance = blurred.map_or(0.0, |blurred| {
            let Rect { x0, y0, x1, y1 } = blurred;
            f64::from(f32::EPSILON) * 4.0 * (x0.abs() + y0.abs() + x1.abs() + y1.abs())
        });
        let is_whole = as_rect(&path)
            .zip(blurred)
            .is_some_and(|(shape, blurred)| shape.abs().inflate(tolerance, tolerance).contains_rect(blurred));
        if !is_whole {
            self.target.push_clip_layer(Fill::NonZero, self.transform * transform, &shape(&path));
        }
        self.target.draw_box_shadow(self.transform * brush_transform, rect, color(words[0]), radius, std_dev);
        if !is_whole {
            self.target.pop_layer();
        }
    }

    /// Draws a run of glyphs.
    fn glyphs(&mut self, draw_object: usize, run: &GlyphRun, brush: &Brush) -> Result<(), EncodingError> {
        if run.brush_transform.is_some() && !matches!(brush, Brush::Solid(_)) {
            return Err(EncodingError::GlyphBrushTransform { draw_object });
        }
        let resources = &self.encoding.resources;
        let missing = EncodingError::Incomplete { draw_object, part: "glyphs" };
        let glyphs = resources.glyphs.get(run.glyphs.clone()).ok_or(missing)?;
        let coords = resources.normalized_coords.get(run.normalized_coords.clone()).ok_or(missing)?;
        let embolden = run.font_embolden.amount;
        self.target.draw_glyphs(
            &run.font,
            run.font_size,
            run.hint,
            coords,
            Vec2::new(embolden.xx, embolden.yy),
            &run.style,
            paint_ref(brush),
            1.0,
            self.transform * run.transform.to_kurbo(),
            run.glyph_transform.map(|transform| transform.to_kurbo()),
            glyphs.iter().map(|glyph| anyrender::Glyph { id: glyph.id, x: glyph.x, y: glyph.y }),
        );
        Ok(())
    }

    /// Fills or strokes a path.
    fn path(&mut self, draw_object: usize, brush: &Brush) {
        let EncodedPath { path, transform, brush_transform, style } =
            self.objects.path(draw_object, self.encoding);
        // A path that is flattened to a line paints nothing.
        let Some(inverse) = inverse(transform) else { return };
        let has_transform = !matches!(brush, Brush::Solid(_)) && brush_transform != transform;
        let brush_transform = has_transform.then(|| inverse * brush_transform);
        let (transform, paint, shape) = (self.transform * transform, paint_ref(brush), shape(&path));
        match style {
            PathStyle::Fill(rule) => self.target.fill(rule, transform, paint, brush_transform, &shape),
            PathStyle::Stroke(stroke) => {
                self.target.stroke(&stroke, transform, paint, brush_transform, &shape);
            }
        }
    }
}

/// A shape that clips.
struct Clip {
    rule: Fill,
    transform: Affine,
    path: BezPath,
}

impl Clip {
    fn push(&self, target: &mut impl PaintScene, blend: BlendMode, alpha: f32, filter: Option<Arc<Filter>>) {
        target.push_layer(self.rule, blend, alpha, self.transform, &shape(&self.path), filter, None);
    }
}

/// A path as a shape: a rectangle if it is one.
fn shape(path: &BezPath) -> StoredShape<'_> {
    as_rect(path).map_or(StoredShape::Path(path.elements()), StoredShape::Rect)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use anyrender::Scene;
    use anyrender::recording::RenderCommand;
    use peniko::{Blob, FontData, ImageAlphaType, ImageData, ImageFormat, Style};
    use vello_encoding::{FontEmbolden, Transform};

    use super::*;

    fn commands(encoding: &Encoding) -> Result<Vec<RenderCommand>, EncodingError> {
        let mut scene = Scene::new();
        draw_encoding(encoding, Affine::IDENTITY, &mut scene)?;
        Ok(scene.commands)
    }

    /// An encoding with one rectangle, whose brush is missing.
    fn with_rect() -> Encoding {
        let mut encoding = Encoding::new();
        encoding.encode_transform(Transform::IDENTITY);
        encoding.encode_fill_style(Fill::NonZero);
        encoding.encode_shape(&Rect::new(0.0, 0.0, 9.0, 9.0), true);
        encoding
    }

    fn image() -> ImageBrush {
        ImageBrush::new(ImageData {
            data: Blob::new(Arc::new([255; 4])),
            format: ImageFormat::Rgba8,
            alpha_type: ImageAlphaType::Alpha,
            width: 1,
            height: 1,
        })
    }

    #[test]
    fn open_layers_are_popped() {
        let mut encoding = with_rect();
        encoding.encode_begin_clip(DrawBeginClip::clip());
        let found = commands(&encoding).expect("it is complete");
        assert!(matches!(found[..], [RenderCommand::PushClipLayer(_), RenderCommand::PopLayer]));
    }

    #[test]
    fn masks_by_luminance_are_filters_or_images() {
        let mut encoding = with_rect();
        encoding.encode_begin_clip(DrawBeginClip::luminance_mask(1.0));
        encoding.encode_shape(&Rect::new(0.0, 0.0, 5.0, 5.0), true);
        encoding.encode_color(Color::WHITE);
        encoding.encode_end_clip();
        let by_filter = commands(&encoding).expect("it is complete");
        let [RenderCommand::PushLayer(mask), .., RenderCommand::PopLayer, RenderCommand::PopLayer] =
            &by_filter[..]
        else {
            panic!("the mask has a layer for its contents: {by_filter:?}")
        };
        assert!(mask.filter.is_some() && mask.blend.compose == Compose::DestIn);
        assert_eq!(by_filter.len(), 6, "two pushes, black, the contents, and two pops");

        let mut by_image = Scene::new();
        let mask = |begin| (begin == 0).then(|| (image(), Affine::IDENTITY));
        draw_encoding_with_masks(&encoding, Affine::IDENTITY, mask, &mut by_image).expect("it is complete");
        let [RenderCommand::PushLayer(mask), RenderCommand::Fill(_), RenderCommand::PopLayer] =
            &by_image.commands[..]
        else {
            panic!("the image replaces the contents: {by_image:?}")
        };
        assert!(mask.filter.is_none());
    }

    #[test]
    fn what_is_missing_or_unknown_is_refused() {
        let missing = |part| EncodingError::Incomplete { draw_object: 0, part };
        let unknown = |part| EncodingError::Unknown { draw_object: 0, part };
        let error = |edit: fn(&mut Encoding)| {
            let mut encoding = with_rect();
            edit(&mut encoding);
            commands(&encoding).expect_err("it cannot be drawn")
        };
        let found = error(|encoding| {
            encoding.encode_image(&image(), 1.0);
            encoding.resources.patches.clear();
        });
        assert_eq!(found, missing("image"));
        assert_eq!(error(|encoding| encoding.draw_tags.push(DrawTag::END_CLIP)), missing("begin"));
        assert_eq!(error(|encoding| encoding.draw_tags.push(DrawTag(0x1000))), unknown("draw tag"));
        let blend = DrawBeginClip { blend_mode: 99, alpha: 1.0 };
        let mut encoding = with_rect();
        encoding.encode_begin_clip(blend);
        assert_eq!(commands(&encoding), Err(unknown("blend mode")));
    }

    #[test]
    fn glyphs_with_a_transformed_image_are_refused() {
        let mut encoding = Encoding::new();
        encoding.resources.glyphs.push(vello_encoding::Glyph::default());
        encoding.resources.glyph_runs.push(GlyphRun {
            font: FontData::new(Blob::new(Arc::new([])), 0),
            transform: Transform::IDENTITY,
            glyph_transform: None,
            brush_transform: Some(Transform::IDENTITY),
            font_size: 12.0,
            font_embolden: FontEmbolden::default(),
            hint: false,
            normalized_coords: 0..0,
            style: Style::Fill(Fill::NonZero),
            glyphs: 0..1,
            stream_offsets: encoding.stream_offsets(),
        });
        encoding.resources.patches.push(Patch::GlyphRun { index: 0 });
        encoding.encode_image(&image(), 1.0);
        assert_eq!(commands(&encoding), Err(EncodingError::GlyphBrushTransform { draw_object: 0 }));
    }
}
