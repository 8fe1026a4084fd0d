//! Recording commands.

use std::sync::Arc;

use anyrender::{Filter, Glyph, NormalizedCoord, Paint, PaintRef, PaintScene, RenderContext};
use boxwood_cpu::{Aabb, Engine};
use kurbo::{Affine, PathEl, Rect, Shape, Stroke, Vec2};
use peniko::{BlendMode, Color, Compose, Fill, FontData, StyleRef};

use crate::bounds::{
    Extent, NotFinite, RunStyle, aligned_rect, fill_box, glyphs_box, inner_pixels, shadow_box,
};
use crate::error::{RecordError, Refused};
use crate::frame::Frame;
#[cfg(feature = "glyphs")]
use crate::glyphs::GlyphBoxes;
use crate::reach::Reach;
use crate::recording::{
    Clip, Command, Composite, Filled, GlyphRun, Layer, LayerTraits, MAX_ELEMENTS, PaintSlot, Recording,
    Shadow, Stroked, TextStyle, add,
};
use crate::shape::{ShapeSlot, StoredShape};
use crate::strokes::StrokeBoxes;

/// The tolerance of `anyrender`'s own recordings.
const TOLERANCE: f64 = 0.1;

/// Records the commands of frames, and the box of each.
///
/// Anything that draws with `anyrender` can draw into a recorder. [`finish`](Self::finish) returns
/// the [`Frame`]. Keep the recorder, and give it frames back that are not used any more
/// ([`recycle`](Self::recycle)): it uses their memory for the next ones.
///
/// # Commands outside of the picture
///
/// If a command that paints is outside of the picture or of the clips around it, the recorder
/// stores only its box, unless a filter is around it.
///
/// # What is refused
///
/// [`finish`](Self::finish) reports the first command with one of these faults, by its index: a
/// number that is NaN or infinite, a path without a first point, a shape with too many elements, a
/// custom paint, a pop without a layer, and a layer without a pop.
#[derive(Debug)]
pub struct Recorder {
    size: [u32; 2],
    recording: Recording,
    /// The open layers.
    open: Vec<OpenLayer>,
    /// The reach of all filters around the next command.
    reach: Reach,
    /// The number of these filters.
    n_filters: usize,
    /// The part of the picture inside of the clips around the next command.
    view: Aabb,
    error: Option<RecordError>,
    stroke_boxes: StrokeBoxes,
    #[cfg(feature = "glyphs")]
    glyph_boxes: GlyphBoxes,
    /// Frames whose memory can be used.
    spare: Vec<Frame>,
}

/// A layer that is not popped yet.
#[derive(Debug)]
struct OpenLayer {
    command: usize,
    /// The reach of all filters around it.
    outer_reach: Reach,
    has_filter: bool,
    /// The part of the picture inside of the clips around it.
    outer_view: Aabb,
}

impl Recorder {
    /// A recorder for pictures of this width and height, in pixels.
    pub fn new(size: [u32; 2]) -> Self {
        Self {
            size,
            recording: Recording::default(),
            open: Vec::new(),
            reach: Reach::NONE,
            n_filters: 0,
            view: picture_box(size),
            error: None,
            stroke_boxes: StrokeBoxes::default(),
            #[cfg(feature = "glyphs")]
            glyph_boxes: GlyphBoxes::default(),
            spare: Vec::new(),
        }
    }

    /// Sets the size of the pictures of later frames. Commands that are recorded already are
    /// removed.
    pub fn resize(&mut self, size: [u32; 2]) {
        self.size = size;
        self.reset();
    }

    /// The number of commands so far, which is the index of the next one. A program that notes it
    /// before it draws a widget finds the widget of a command that [`Frame::pick`] returns.
    pub fn len(&self) -> usize {
        self.recording.commands.len()
    }

    /// Whether there are no commands.
    pub fn is_empty(&self) -> bool {
        self.recording.commands.is_empty()
    }

    /// The frame of the commands so far, with their boxes. The recorder is empty then.
    ///
    /// # Errors
    ///
    /// [`RecordError`] with the first command that is refused. The commands are lost then.
    ///
    /// # Panics
    ///
    /// Panics if there are more commands than an `i32` can index.
    pub fn finish(&mut self) -> Result<Frame, RecordError> {
        if let Some(open) = self.open.first() {
            let unclosed = RecordError { command: open.command, reason: Refused::LayerWithoutPop };
            let is_first = self.error.is_none_or(|error| unclosed.command < error.command);
            self.error = if is_first { Some(unclosed) } else { self.error };
        }
        if let Some(error) = self.error {
            self.reset();
            return Err(error);
        }
        // The recorder gets the memory of the spare frame, and the frame that of the recorder.
        let mut frame = self.spare.pop().unwrap_or_else(|| Frame::new(Recording::default(), Engine::new()));
        std::mem::swap(&mut frame.recording, &mut self.recording);
        self.reset();
        frame.finish(self.size);
        Ok(frame)
    }

    /// Takes the memory of a frame that is not used any more.
    pub fn recycle(&mut self, frame: Frame) {
        self.spare.push(frame);
    }

    /// Adds a command that paints. `rect` contains all pixels that it paints without the filters
    /// around it.
    fn add_leaf(&mut self, command: Command, rect: Result<Option<Rect>, NotFinite>) {
        let own = self.valid(rect).map_or(Aabb::EMPTY, |rect| self.pixels(rect));
        self.recording.scene.leaf(own);
        self.push(command);
    }

    /// Records a command that paints as its box only, if the box is outside of the view. Returns
    /// whether it did. `rect` is as for [`add_leaf`](Self::add_leaf).
    #[inline]
    fn add_unseen(&mut self, rect: Result<Option<Rect>, NotFinite>) -> bool {
        // `add_leaf` notes the error.
        let Ok(rect) = rect else { return false };
        let own = rect.map_or(Aabb::EMPTY, |rect| self.pixels(rect));
        // A filter depends on all of its contents, so they are all stored.
        let is_unseen = self.n_filters == 0 && !own.overlaps(self.view);
        if is_unseen {
            self.recording.scene.leaf(own);
            self.push(Command::Unseen);
        }
        is_unseen
    }

    /// Stores a shape.
    fn store_shape(&mut self, shape: &impl Shape) -> ShapeSlot {
        let slot = self.recording.add_shape(shape, TOLERANCE);
        if let StoredShape::Path(path) = self.recording.shape(slot) {
            let has_move = path.first().is_none_or(|first| matches!(first, PathEl::MoveTo(_)));
            let is_too_long = path.len() > MAX_ELEMENTS && shape.as_path_slice().is_none();
            if !has_move {
                self.refuse(Refused::NoMoveTo);
            }
            if is_too_long {
                self.refuse(Refused::TooManyElements);
            }
        }
        slot
    }

    /// Stores the shape of a command, and returns it with the box of the command: that of the fill,
    /// or of the stroke with this style. If the box is outside of the view, records the command as
    /// its box only, and returns `None`.
    fn store_visible_shape(
        &mut self,
        shape: &impl Shape,
        transform: Affine,
        style: Option<&Stroke>,
    ) -> Option<(ShapeSlot, Result<Option<Rect>, NotFinite>)> {
        let n_elements = self.recording.path_elements.len();
        let shape = self.store_shape(shape);
        let stored = self.recording.shape(shape);
        let rect = match style {
            Some(style) => self.stroke_boxes.of(stored, style, transform),
            None => Extent::of_shape(stored, transform).with_margin(Vec2::ZERO),
        };
        if self.add_unseen(rect) {
            self.recording.path_elements.truncate(n_elements);
            return None;
        }
        Some((shape, rect))
    }

    /// Adds a command that pushes a layer with this clip.
    fn add_layer(&mut self, command: Command, clip: Result<Option<Rect>, NotFinite>, reach: Option<Reach>) {
        let (outer_reach, outer_view) = (self.reach, self.view);
        // Renderers clip the contents of a filter or its result. So everything that a pixel in the
        // clip depends on counts as inside of the clip, and everything that it becomes.
        self.reach = outer_reach.and(reach.unwrap_or(Reach::NONE));
        let own = self.valid(clip).map_or(Aabb::EMPTY, |rect| self.pixels(rect));
        self.view = outer_view.intersect(own);
        let has_filter = reach.is_some();
        let command_index = self.recording.commands.len();
        self.open.push(OpenLayer { command: command_index, outer_reach, has_filter, outer_view });
        self.recording.scene.begin_clip(own);
        self.push(command);
        self.n_filters += usize::from(has_filter);
    }

    /// The pixels that a rectangle touches after the filters around it.
    ///
    /// A shape and a clip may each cover a part of a pixel. Renderers multiply the two coverages,
    /// so a pixel that both touch counts even if they do not overlap in it.
    #[inline]
    fn pixels(&self, rect: Rect) -> Aabb {
        whole_pixels(if self.reach == Reach::NONE { rect } else { self.reach.around(rect) })
    }

    fn push(&mut self, command: Command) {
        self.recording.commands.push(command);
        self.recording.in_filter.push(self.n_filters > 0);
    }

    /// The rectangle, or `None` with a note of the error.
    fn valid(&mut self, rect: Result<Option<Rect>, NotFinite>) -> Option<Rect> {
        rect.unwrap_or_else(|NotFinite| {
            self.refuse(Refused::NotFinite);
            None
        })
    }

    /// Notes that the next command is refused.
    fn refuse(&mut self, reason: Refused) {
        let command = self.recording.commands.len();
        self.error.get_or_insert(RecordError { command, reason });
    }

    /// Notes an error if a paint cannot be stored.
    fn check_paint(&mut self, paint: &PaintRef<'_>) {
        if matches!(paint, Paint::Custom(_)) {
            self.refuse(Refused::CustomPaint);
        }
    }
}

/// The box of a picture.
fn picture_box([width, height]: [u32; 2]) -> Aabb {
    aabb(Rect::new(0.0, 0.0, width.into(), height.into()))
}

/// The box of the pixels that a rectangle touches. The rectangle is not NaN.
#[inline]
fn whole_pixels(rect: Rect) -> Aabb {
    let edges = [rect.x0, rect.y0, rect.x1, rect.y1];
    if !edges.iter().all(|at| at.abs() < EXACT) {
        return aabb(rect.expand());
    }
    // The first sum rounds to a whole number, because it has no bits for a fraction. `f64::floor`
    // is a slow call on processors that have no instruction for it.
    let floor = |at: f64| {
        let nearest = (at + NO_FRACTIONS) - NO_FRACTIONS;
        if nearest > at { nearest - 1.0 } else { nearest }
    };
    // Adding 0.0 turns -0.0 into 0.0.
    #[expect(clippy::cast_possible_truncation, reason = "the numbers are small")]
    let [x0, y0, x1, y1] =
        [floor(rect.x0), floor(rect.y0), -floor(-rect.x1), -floor(-rect.y1)].map(|at| at as f32 + 0.0);
    Aabb { x0, y0, x1, y1 }.canonical()
}

/// All smaller whole numbers are exact in `f32`.
const EXACT: f64 = (1_u32 << 23) as f64;

/// A number that `f64` can only change by whole numbers: from 2^52 to 2^53, its last bit counts 1.
const NO_FRACTIONS: f64 = 1.5 * (1_u64 << 52) as f64;

/// The box with `f32` coordinates that contains a rectangle, which is not NaN.
pub(crate) fn aabb(Rect { x0, y0, x1, y1 }: Rect) -> Aabb {
    Aabb::new(x0, y0, x1, y1).unwrap_or(Aabb::PLANE)
}

impl RenderContext for Recorder {}

impl PaintScene for Recorder {
    fn reset(&mut self) {
        self.recording.clear();
        self.open.clear();
        self.reach = Reach::NONE;
        self.n_filters = 0;
        self.view = picture_box(self.size);
        self.error = None;
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
        let blend = blend.into();
        let shape = self.store_shape(clip);
        let rect = fill_box(self.recording.shape(shape), transform);
        if !alpha.is_finite() {
            self.refuse(Refused::NotFinite);
        }
        let reach = filter.as_ref().map(|filter| Reach::of(filter, transform));
        let backdrop_reach = backdrop_filter.as_ref().map(|filter| Reach::of(filter, transform));
        let is_over = blend.compose == Compose::SrcOver;
        let traits = LayerTraits {
            // Another operator than "over" may change pixels where the layer is transparent.
            paints_when_empty: !is_over || reach.is_some_and(Reach::is_unbounded) || backdrop_reach.is_some(),
            backdrop_reach,
        };
        let composite = Composite { fill, blend, alpha, transform, filter, backdrop_filter };
        self.recording.has_backdrop |= backdrop_reach.is_some();
        let layer = add(&mut self.recording.layers, Layer { composite, clip: shape, traits });
        self.add_layer(Command::Layer(layer), rect, reach);
    }

    fn push_clip_layer(&mut self, fill: Fill, transform: Affine, clip: &impl Shape) {
        let shape = self.store_shape(clip);
        let rect = fill_box(self.recording.shape(shape), transform);
        let clip = add(&mut self.recording.clips, Clip { fill, transform, clip: shape });
        self.add_layer(Command::Clip(clip), rect, None);
    }

    fn pop_layer(&mut self) {
        match self.open.pop() {
            Some(OpenLayer { outer_reach, has_filter, outer_view, .. }) => {
                self.reach = outer_reach;
                self.view = outer_view;
                self.n_filters -= usize::from(has_filter);
            }
            None => self.refuse(Refused::PopWithoutLayer),
        }
        self.recording.scene.end();
        self.push(Command::Pop);
    }

    fn stroke<'a>(
        &mut self,
        style: &Stroke,
        transform: Affine,
        brush: impl Into<PaintRef<'a>>,
        brush_transform: Option<Affine>,
        shape: &impl Shape,
    ) {
        let paint = brush.into();
        self.check_paint(&paint);
        let Some((shape, rect)) = self.store_visible_shape(shape, transform, Some(style)) else { return };
        let paint = self.recording.add_paint(&paint, brush_transform);
        let stroke = Stroked { style: style.clone(), transform, paint, shape };
        let stroke = add(&mut self.recording.strokes, stroke);
        self.add_leaf(Command::Stroke(stroke), rect);
    }

    fn fill<'a>(
        &mut self,
        style: Fill,
        transform: Affine,
        brush: impl Into<PaintRef<'a>>,
        brush_transform: Option<Affine>,
        shape: &impl Shape,
    ) {
        let paint = brush.into();
        self.check_paint(&paint);
        let (shape, rect, aligned) = if let Some(rect) = shape.as_rect() {
            let outer = fill_box(StoredShape::Rect(rect), transform);
            if self.add_unseen(outer) {
                return;
            }
            (ShapeSlot::Rect(rect), outer, aligned_rect(StoredShape::Rect(rect), transform))
        } else {
            let Some((shape, rect)) = self.store_visible_shape(shape, transform, None) else { return };
            (shape, rect, None)
        };
        let paint = self.recording.add_paint(&paint, brush_transform);
        let inner = match paint {
            PaintSlot::Solid(color) if color.components[3] == 1.0 => aligned,
            _ => None,
        };
        let inner = inner.map_or(Aabb::EMPTY, |rect| aabb(inner_pixels(rect)));
        let fill = add(&mut self.recording.fills, Filled { fill: style, transform, paint, shape, inner });
        self.add_leaf(Command::Fill(fill), rect);
    }

    fn draw_glyphs<'a, 's: 'a>(
        &'s mut self,
        font: &'a FontData,
        font_size: f32,
        hint: bool,
        normalized_coords: &'a [NormalizedCoord],
        embolden: Vec2,
        style: impl Into<StyleRef<'a>>,
        brush: impl Into<PaintRef<'a>>,
        brush_alpha: f32,
        transform: Affine,
        glyph_transform: Option<Affine>,
        glyphs: impl Iterator<Item = Glyph> + Clone,
    ) {
        let paint = brush.into();
        self.check_paint(&paint);
        let style = style.into();
        #[cfg(feature = "glyphs")]
        let (glyph_box, has_images) = self.glyph_boxes.of(font, normalized_coords);
        // Without outlines, a run is bounded by the layers around it.
        #[cfg(not(feature = "glyphs"))]
        let (glyph_box, has_images) = (|_| None, false);
        let is_aligned = hint || has_images;
        let run = RunStyle { font_size, is_aligned, embolden, style, transform, glyph_transform };
        let rect = glyphs_box(run, glyphs.clone(), glyph_box);
        if self.add_unseen(rect) {
            return;
        }
        let paint = self.recording.add_paint(&paint, None);
        let text = TextStyle {
            font: font.clone(),
            font_size,
            hint,
            embolden,
            style: style.to_owned(),
            paint_alpha: brush_alpha,
            transform,
            glyph_transform,
        };
        let Recording { runs, coords, glyphs: all_glyphs, .. } = &mut self.recording;
        let first = (coords.len(), all_glyphs.len());
        coords.extend_from_slice(normalized_coords);
        all_glyphs.extend(glyphs);
        let run = GlyphRun { text, paint, coords: first.0..coords.len(), glyphs: first.1..all_glyphs.len() };
        let run = add(runs, run);
        self.add_leaf(Command::Glyphs(run), rect);
    }

    fn draw_box_shadow(&mut self, transform: Affine, rect: Rect, brush: Color, radius: f64, std_dev: f64) {
        let shadow = Shadow { transform, rect, color: brush, radius, std_dev };
        let rect = shadow_box(&shadow);
        if !self.add_unseen(rect) {
            let shadow = add(&mut self.recording.shadows, shadow);
            self.add_leaf(Command::Shadow(shadow), rect);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::EVERYWHERE;

    #[test]
    fn pixels_are_rounded_outward() {
        for value in [0.0, -0.0, 0.25, 1.0, 1.5, 4_194_303.5, 8_388_607.0, 8_388_607.5, 8_388_608.0, 1e9] {
            for [x0, x1] in [[value, value + 1.0], [-value, value], [-value - 0.5, -value]] {
                let rect = Rect::new(x0, -1.0, x1, 1.0);
                assert_eq!(whole_pixels(rect), aabb(rect.expand()), "{rect:?}");
                let Aabb { x0, x1, .. } = whole_pixels(rect);
                assert!([x0, x1].iter().all(|at| at.to_bits() != (-0.0_f32).to_bits()), "{rect:?}");
            }
        }
    }

    #[test]
    fn everything_is_a_box() {
        assert_eq!(aabb(EVERYWHERE), Aabb::PLANE);
    }
}
