//! The commands of a frame, in memory that is used again.

use std::ops::Range;
use std::sync::Arc;

use anyrender::{Filter, Glyph, NormalizedCoord, Paint, PaintRef, PaintScene};
use boxwood_cpu::{Aabb, Scene};
use kurbo::{Affine, PathEl, Rect, Shape, Stroke, Vec2};
use peniko::{BlendMode, Color, Fill, FontData, Style};

use crate::reach::Reach;
use crate::shape::{ShapeSlot, StoredShape};

/// The maximum number of elements of a shape that is not a path. The arcs of an ellipse and of a
/// spiral are as many as they are large or long, without an end if they are infinite.
pub(crate) const MAX_ELEMENTS: usize = 1 << 20;

/// The commands of a frame. The index of a command is also that of its element in `scene`.
#[derive(Debug, Default)]
pub(crate) struct Recording {
    pub(crate) commands: Vec<Command>,
    /// One element per command. Its box contains all pixels that the command may change, or, for a
    /// layer, all that its contents may change.
    pub(crate) scene: Scene,
    /// Whether a filter is around the command.
    pub(crate) in_filter: Vec<bool>,
    /// Whether a layer reads what is below it.
    pub(crate) has_backdrop: bool,
    /// The elements of all paths.
    pub(crate) path_elements: Vec<PathEl>,
    /// Paints that are not plain colours, with their transforms.
    pub(crate) paints: Vec<(Paint, Option<Affine>)>,
    pub(crate) layers: Vec<Layer>,
    pub(crate) clips: Vec<Clip>,
    pub(crate) fills: Vec<Filled>,
    pub(crate) strokes: Vec<Stroked>,
    pub(crate) runs: Vec<GlyphRun>,
    pub(crate) shadows: Vec<Shadow>,
    pub(crate) glyphs: Vec<Glyph>,
    pub(crate) coords: Vec<NormalizedCoord>,
}

/// A command. Numbers are indices into the lists of the recording.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Command {
    /// Pushes a layer that is composited.
    Layer(u32),
    /// Pushes a layer that only clips.
    Clip(u32),
    /// Pops the innermost layer.
    Pop,
    Fill(u32),
    Stroke(u32),
    /// Draws a run of glyphs.
    Glyphs(u32),
    Shadow(u32),
    /// A command that paints outside of the picture or of the clips around it. Only its box is
    /// stored.
    Unseen,
}

/// A layer that only clips.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clip {
    pub(crate) fill: Fill,
    pub(crate) transform: Affine,
    pub(crate) clip: ShapeSlot,
}

/// A filled shape.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Filled {
    pub(crate) fill: Fill,
    pub(crate) transform: Affine,
    pub(crate) paint: PaintSlot,
    pub(crate) shape: ShapeSlot,
    /// The pixels that it surely replaces.
    pub(crate) inner: Aabb,
}

/// A stroked shape.
#[derive(Clone, Debug)]
pub(crate) struct Stroked {
    pub(crate) style: Stroke,
    pub(crate) transform: Affine,
    pub(crate) paint: PaintSlot,
    pub(crate) shape: ShapeSlot,
}

/// A blurred rounded rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Shadow {
    pub(crate) transform: Affine,
    pub(crate) rect: Rect,
    pub(crate) color: Color,
    pub(crate) radius: f64,
    pub(crate) std_dev: f64,
}

/// The paint of a command.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PaintSlot {
    Solid(Color),
    /// The paint with this index.
    Other(usize),
}

/// A layer that is composited.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    pub(crate) composite: Composite,
    pub(crate) clip: ShapeSlot,
    pub(crate) traits: LayerTraits,
}

/// The parameters of a layer that is composited, except its clip.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Composite {
    pub(crate) fill: Fill,
    pub(crate) blend: BlendMode,
    pub(crate) alpha: f32,
    pub(crate) transform: Affine,
    pub(crate) filter: Option<Arc<Filter>>,
    pub(crate) backdrop_filter: Option<Arc<Filter>>,
}

/// The facts about a layer that decide what may be left out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LayerTraits {
    /// Whether it changes pixels even if nothing is drawn in it.
    pub(crate) paints_when_empty: bool,
    /// The distance from which pixels below the layer are read, if they are.
    pub(crate) backdrop_reach: Option<Reach>,
}

/// A run of glyphs.
#[derive(Clone, Debug)]
pub(crate) struct GlyphRun {
    pub(crate) text: TextStyle,
    pub(crate) paint: PaintSlot,
    pub(crate) coords: Range<usize>,
    pub(crate) glyphs: Range<usize>,
}

/// The parameters of a run of glyphs, except its paint and those of variable length.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TextStyle {
    pub(crate) font: FontData,
    pub(crate) font_size: f32,
    pub(crate) hint: bool,
    pub(crate) embolden: Vec2,
    pub(crate) style: Style,
    pub(crate) paint_alpha: f32,
    pub(crate) transform: Affine,
    pub(crate) glyph_transform: Option<Affine>,
}

/// A command with everything that it refers to. Two of them are equal if they draw the same, apart
/// from the layers around them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Resolved<'a> {
    Layer(&'a Composite, StoredShape<'a>),
    Clip(Fill, Affine, StoredShape<'a>),
    Pop,
    Fill(Fill, Affine, StoredPaint<'a>, StoredShape<'a>),
    Stroke(&'a Stroke, Affine, StoredPaint<'a>, StoredShape<'a>),
    Glyphs(&'a TextStyle, StoredPaint<'a>, &'a [NormalizedCoord], &'a [Glyph]),
    Shadow(Shadow),
    Unseen,
}

/// A paint, with its transform.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum StoredPaint<'a> {
    Solid(Color),
    Other(&'a (Paint, Option<Affine>)),
}

impl<'a> StoredPaint<'a> {
    pub(crate) fn parts(self) -> (PaintRef<'a>, Option<Affine>) {
        match self {
            Self::Solid(color) => (Paint::Solid(color), None),
            Self::Other((paint, transform)) => (paint.as_ref(), *transform),
        }
    }
}

impl Recording {
    /// Removes all commands, and keeps the memory.
    pub(crate) fn clear(&mut self) {
        // Every field is named, so that the compiler reports a new one that is not cleared.
        let Self {
            commands,
            scene,
            in_filter,
            has_backdrop,
            path_elements,
            paints,
            layers,
            clips,
            fills,
            strokes,
            runs,
            shadows,
            glyphs,
            coords,
        } = self;
        commands.clear();
        scene.clear();
        in_filter.clear();
        *has_backdrop = false;
        path_elements.clear();
        paints.clear();
        layers.clear();
        clips.clear();
        fills.clear();
        strokes.clear();
        runs.clear();
        shadows.clear();
        glyphs.clear();
        coords.clear();
    }

    /// Stores a shape. Shapes other than rectangles and circles that do not consist of lines and
    /// Bézier curves are approximated, with this tolerance.
    pub(crate) fn add_shape(&mut self, shape: &impl Shape, tolerance: f64) -> ShapeSlot {
        if let Some(rect) = shape.as_rect() {
            return ShapeSlot::Rect(rect);
        }
        if let Some(rect) = shape.as_rounded_rect() {
            return ShapeSlot::RoundedRect(rect);
        }
        if let Some(circle) = shape.as_circle() {
            return ShapeSlot::Circle(circle);
        }
        let first = self.path_elements.len();
        if let Some(path) = shape.as_path_slice() {
            self.path_elements.extend_from_slice(path);
        } else {
            for element in shape.path_elements(tolerance).take(MAX_ELEMENTS + 1) {
                self.path_elements.push(element);
                // The recorder refuses it, and the rest may have no end.
                if !element.is_finite() {
                    break;
                }
            }
        }
        ShapeSlot::Path(first, self.path_elements.len())
    }

    /// Stores a paint. A custom one, which is refused elsewhere, is replaced.
    pub(crate) fn add_paint(&mut self, paint: &PaintRef<'_>, transform: Option<Affine>) -> PaintSlot {
        let paint = match paint {
            Paint::Solid(color) if transform.is_none() => return PaintSlot::Solid(*color),
            Paint::Solid(color) => Paint::Solid(*color),
            Paint::Gradient(gradient) => Paint::Gradient((*gradient).clone()),
            Paint::Image(image) => Paint::Image(image.to_owned()),
            Paint::Resource(resource) => Paint::Resource(*resource),
            Paint::Custom(_) => Paint::Solid(Color::TRANSPARENT),
        };
        self.paints.push((paint, transform));
        PaintSlot::Other(self.paints.len() - 1)
    }

    pub(crate) fn shape(&self, slot: ShapeSlot) -> StoredShape<'_> {
        match slot {
            ShapeSlot::Rect(rect) => StoredShape::Rect(rect),
            ShapeSlot::RoundedRect(rect) => StoredShape::RoundedRect(rect),
            ShapeSlot::Circle(circle) => StoredShape::Circle(circle),
            ShapeSlot::Path(first, end) => StoredShape::Path(&self.path_elements[first..end]),
        }
    }

    fn paint(&self, slot: PaintSlot) -> StoredPaint<'_> {
        match slot {
            PaintSlot::Solid(color) => StoredPaint::Solid(color),
            PaintSlot::Other(index) => StoredPaint::Other(&self.paints[index]),
        }
    }

    /// A command with everything that it refers to.
    pub(crate) fn resolve(&self, command: usize) -> Resolved<'_> {
        match self.commands[command] {
            Command::Layer(index) => {
                let Layer { composite, clip, .. } = &self.layers[index as usize];
                Resolved::Layer(composite, self.shape(*clip))
            }
            Command::Clip(index) => {
                let Clip { fill, transform, clip } = self.clips[index as usize];
                Resolved::Clip(fill, transform, self.shape(clip))
            }
            Command::Pop => Resolved::Pop,
            Command::Fill(index) => {
                let Filled { fill, transform, paint, shape, .. } = self.fills[index as usize];
                Resolved::Fill(fill, transform, self.paint(paint), self.shape(shape))
            }
            Command::Stroke(index) => {
                let Stroked { style, transform, paint, shape } = &self.strokes[index as usize];
                Resolved::Stroke(style, *transform, self.paint(*paint), self.shape(*shape))
            }
            Command::Glyphs(index) => {
                let GlyphRun { text, paint, coords, glyphs } = &self.runs[index as usize];
                let (coords, glyphs) = (&self.coords[coords.clone()], &self.glyphs[glyphs.clone()]);
                Resolved::Glyphs(text, self.paint(*paint), coords, glyphs)
            }
            Command::Shadow(index) => Resolved::Shadow(self.shadows[index as usize]),
            Command::Unseen => Resolved::Unseen,
        }
    }

    /// The layer that a command pushes, unless it pushes none or one that only clips.
    pub(crate) fn layer(&self, command: usize) -> Option<&Layer> {
        match self.commands[command] {
            Command::Layer(index) => Some(&self.layers[index as usize]),
            _ => None,
        }
    }

    /// The pixels that a command surely replaces.
    pub(crate) fn inner_box(&self, command: usize) -> Aabb {
        match self.commands[command] {
            Command::Fill(index) => self.fills[index as usize].inner,
            _ => Aabb::EMPTY,
        }
    }
}

/// Adds an item to a list, and returns its index.
pub(crate) fn add<T>(list: &mut Vec<T>, item: T) -> u32 {
    list.push(item);
    u32::try_from(list.len() - 1).expect("there are fewer commands than an i32 can index")
}

impl Resolved<'_> {
    /// Draws the command.
    pub(crate) fn draw(self, target: &mut impl PaintScene) {
        match self {
            Self::Layer(Composite { fill, blend, alpha, transform, filter, backdrop_filter }, clip) => {
                let (filter, backdrop_filter) = (filter.clone(), backdrop_filter.clone());
                target.push_layer(*fill, *blend, *alpha, *transform, &clip, filter, backdrop_filter);
            }
            Self::Clip(fill, transform, clip) => target.push_clip_layer(fill, transform, &clip),
            Self::Pop => target.pop_layer(),
            Self::Unseen => {}
            Self::Fill(fill, transform, paint, shape) => {
                let (paint, paint_transform) = paint.parts();
                target.fill(fill, transform, paint, paint_transform, &shape);
            }
            Self::Stroke(stroke, transform, paint, shape) => {
                let (paint, paint_transform) = paint.parts();
                target.stroke(stroke, transform, paint, paint_transform, &shape);
            }
            Self::Glyphs(text, paint, coords, glyphs) => target.draw_glyphs(
                &text.font,
                text.font_size,
                text.hint,
                coords,
                text.embolden,
                &text.style,
                // A run has no transform of its paint.
                paint.parts().0,
                text.paint_alpha,
                text.transform,
                text.glyph_transform,
                glyphs.iter().copied(),
            ),
            Self::Shadow(Shadow { transform, rect, color, radius, std_dev }) => {
                target.draw_box_shadow(transform, rect, color, radius, std_dev);
            }
        }
    }
}
