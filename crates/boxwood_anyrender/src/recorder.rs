//! Recording commands.

use std::sync::Arc;

use anyrender::{Filter, Glyph, NormalizedCoord, PaintRef, PaintScene, RenderContext};
use boxwood_cpu::{Aabb, Engine};
use kurbo::{Affine, Rect, Shape, Stroke, Vec2};
use peniko::{BlendMode, Color, Compose, Fill, FontData, StyleRef};

use crate::bounds::{NotFinite, aligned_rect, fill_box, glyphs_box, inner_pixels, shadow_box, stroke_box};
use crate::error::{RecordError, Refused};
use crate::frame::Frame;
#[cfg(feature = "glyphs")]
use crate::glyphs::GlyphBoxes;
use crate::reach::Reach;
use crate::recording::{
    Command, Composite, GlyphRun, Layer, LayerTraits, PaintSlot, Recording, Shadow, TextStyle,
};

/// The tolerance of `anyrender`'s own recordings.
const TOLERANCE: f64 = 0.1;

/// Records the commands of frames, and the box of each.
///
/// Anything that draws with `anyrender` can draw into a recorder. [`finish`](Self::finish) returns
/// the [`Frame`]. Keep the recorder, and give it frames back that are not used any more
/// ([`recycle`](Self::recycle)): it uses their memory for the next ones.
///
/// # What is refused
///
/// The first command with one of these faults is reported by [`finish`](Self::finish), with its
/// index: a coordinate that is NaN or infinite, a custom paint, a pop without a layer, and a layer
/// without a pop.
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
    error: Option<RecordError>,
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
            error: None,
            #[cfg(feature = "glyphs")]
            glyph_boxes: GlyphBoxes::default(),
            spare: Vec::new(),
        }
    }

    /// Sets the size of the pictures of later frames.
    pub fn resize(&mut self, size: [u32; 2]) {
        self.size = size;
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
            self.error.get_or_insert(unclosed);
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
    fn add_leaf(&mut self, command: Command, rect: Result<Option<Rect>, NotFinite>, inner: Aabb) {
        let own = self.valid(rect).map_or(Aabb::EMPTY, |rect| self.pixels(rect));
        self.recording.scene.leaf(own);
        self.push(command, inner);
    }

    /// Adds a command that pushes a layer with this clip.
    fn add_layer(&mut self, command: Command, clip: Result<Option<Rect>, NotFinite>, reach: Option<Reach>) {
        let outer_reach = self.reach;
        // Renderers clip the contents of a filter or its result. So everything that a pixel in the
        // clip depends on counts as inside of the clip, and everything that it becomes.
        self.reach = outer_reach.and(reach.unwrap_or(Reach::NONE));
        let own = self.valid(clip).map_or(Aabb::EMPTY, |rect| self.pixels(rect));
        let command_index = self.recording.commands.len();
        self.open.push(OpenLayer { command: command_index, outer_reach, has_filter: reach.is_some() });
        self.recording.scene.begin_clip(own);
        self.push(command, Aabb::EMPTY);
        self.n_filters += usize::from(reach.is_some());
    }

    /// The pixels that a rectangle touches after the filters around it.
    ///
    /// Renderers multiply the coverage of a pixel by a shape with that by the clips around it. So
    /// both count even if they share no more than a pixel.
    fn pixels(&self, rect: Rect) -> Aabb {
        aabb(self.reach.around(rect).expand())
    }

    fn push(&mut self, command: Command, inner: Aabb) {
        self.recording.commands.push(command);
        self.recording.inner_boxes.push(inner);
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

    /// Stores a paint. A paint that cannot be stored is noted, and replaced.
    fn add_paint(&mut self, paint: &PaintRef<'_>, transform: Option<Affine>) -> PaintSlot {
        self.recording.add_paint(paint, transform).unwrap_or_else(|| {
            self.refuse(Refused::CustomPaint);
            PaintSlot::Solid(Color::TRANSPARENT)
        })
    }
}

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
        let shape = self.recording.add_shape(clip, TOLERANCE);
        let rect = fill_box(self.recording.shape(shape), transform);
        if !alpha.is_finite() {
            self.refuse(Refused::NotFinite);
        }
        let reach = filter.as_ref().map(|filter| Reach::of(filter, transform));
        let backdrop_reach = backdrop_filter.as_ref().map(|filter| Reach::of(filter, transform));
        let is_over = blend.compose == Compose::SrcOver;
        let traits = LayerTraits {
            // Another operator than "over" changes pixels where the layer is transparent.
            paints_when_empty: !is_over || reach.is_some_and(Reach::is_unbounded) || backdrop_reach.is_some(),
            backdrop_reach,
        };
        let composite = Composite { fill, blend, alpha, transform, filter, backdrop_filter };
        self.recording.layers.push(Layer { composite, clip: shape, traits });
        self.add_layer(Command::Layer(self.recording.layers.len() - 1), rect, reach);
    }

    fn push_clip_layer(&mut self, fill: Fill, transform: Affine, clip: &impl Shape) {
        let shape = self.recording.add_shape(clip, TOLERANCE);
        let rect = fill_box(self.recording.shape(shape), transform);
        self.add_layer(Command::Clip { fill, transform, clip: shape }, rect, None);
    }

    fn pop_layer(&mut self) {
        match self.open.pop() {
            Some(OpenLayer { outer_reach, has_filter, .. }) => {
                self.reach = outer_reach;
                self.n_filters -= usize::from(has_filter);
            }
            None => self.refuse(Refused::PopWithoutLayer),
        }
        self.recording.scene.end();
        self.push(Command::Pop, Aabb::EMPTY);
    }

    fn stroke<'a>(
        &mut self,
        style: &Stroke,
        transform: Affine,
        brush: impl Into<PaintRef<'a>>,
        brush_transform: Option<Affine>,
        shape: &impl Shape,
    ) {
        let shape = self.recording.add_shape(shape, TOLERANCE);
        let rect = stroke_box(style, self.recording.shape(shape), transform);
        let paint = self.add_paint(&brush.into(), brush_transform);
        self.recording.strokes.push(style.clone());
        let stroke = self.recording.strokes.len() - 1;
        self.add_leaf(Command::Stroke { stroke, transform, paint, shape }, rect, Aabb::EMPTY);
    }

    fn fill<'a>(
        &mut self,
        style: Fill,
        transform: Affine,
        brush: impl Into<PaintRef<'a>>,
        brush_transform: Option<Affine>,
        shape: &impl Shape,
    ) {
        let shape = self.recording.add_shape(shape, TOLERANCE);
        let paint = self.add_paint(&brush.into(), brush_transform);
        let stored = self.recording.shape(shape);
        let rect = fill_box(stored, transform);
        let inner = match paint {
            PaintSlot::Solid(color) if color.components[3] == 1.0 => aligned_rect(stored, transform),
            _ => None,
        };
        let inner = inner.map_or(Aabb::EMPTY, |rect| aabb(inner_pixels(rect)));
        self.add_leaf(Command::Fill { fill: style, transform, paint, shape }, rect, inner);
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
        let paint = self.add_paint(&brush.into(), None);
        let Recording { runs, coords, glyphs: all_glyphs, .. } = &mut self.recording;
        let first = (coords.len(), all_glyphs.len());
        coords.extend_from_slice(normalized_coords);
        all_glyphs.extend(glyphs);
        let text = TextStyle {
            font: font.clone(),
            font_size,
            hint,
            embolden,
            style: style.into().to_owned(),
            paint_alpha: brush_alpha,
            transform,
            glyph_transform,
        };
        let own = &all_glyphs[first.1..];
        #[cfg(feature = "glyphs")]
        let glyph_box = self.glyph_boxes.of(font, normalized_coords);
        // Without outlines, a run is bounded by the layers around it.
        #[cfg(not(feature = "glyphs"))]
        let glyph_box = |_| None;
        let rect = glyphs_box(&text, own, glyph_box);
        let run = GlyphRun { text, paint, coords: first.0..coords.len(), glyphs: first.1..all_glyphs.len() };
        runs.push(run);
        let index = runs.len() - 1;
        self.add_leaf(Command::Glyphs(index), rect, Aabb::EMPTY);
    }

    fn draw_box_shadow(&mut self, transform: Affine, rect: Rect, brush: Color, radius: f64, std_dev: f64) {
        let shadow = Shadow { transform, rect, color: brush, radius, std_dev };
        self.add_leaf(Command::Shadow(shadow), shadow_box(&shadow), Aabb::EMPTY);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::EVERYWHERE;

    #[test]
    fn everything_is_a_box() {
        assert_eq!(aabb(EVERYWHERE), Aabb::PLANE);
    }
}
