//! The streams of a drawing: the encoding, the boxes, and the table, with one entry per element in
//! each.

use boxwood_cpu::{Aabb, Scene};
use kurbo::{Affine, BezPath, Rect, Shape};
use peniko::{BlendMode, Color, Compose, Fill, Mix};
use usvg::MaskType;
use vello_encoding::{DrawBeginClip, Encoding, Transform};

use crate::boxes::strokes::Outline;
use crate::error::Error;
use crate::geometry::rect_box;
use crate::guard::limits::MAX_MASK_ELEMENTS;
use crate::lower::paint::Paint;
use crate::lower::sources::SourceTracker;
use crate::quirks::tiny_units::enlargement;
use crate::raster::cost::Costs;
use crate::raster::images::{RasterImage, RasterImages, Slot};
use crate::table::{ElementInfo, Role, Source, Within};

/// The number of `u32` of a rectangle in Vello's path data: a corner and four lines.
const RECT_WORDS: usize = 10;

/// A placeholder for shapes that are known later, or that are not seen.
const UNIT_SQUARE: Rect = Rect::new(0.0, 0.0, 1.0, 1.0);

/// How the contents of a group are composited.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Compositing {
    pub(crate) blend: BlendMode,
    pub(crate) alpha: f32,
}

/// The shape of a clip node.
#[derive(Clone, Debug)]
pub(crate) struct ClipShape {
    /// The outline. Without segments, it hides everything.
    pub(crate) path: BezPath,
    pub(crate) rule: Fill,
    pub(crate) scene_from_path: Affine,
    /// The box of the shape, in scene space.
    pub(crate) shape_box: Aabb,
}

impl ClipShape {
    /// A rectangle, which the transform may rotate.
    pub(crate) fn rect(rect: Rect, scene_from_rect: Affine) -> Self {
        Self {
            path: rect.to_path(0.1),
            rule: Fill::NonZero,
            scene_from_path: scene_from_rect,
            shape_box: rect_box(rect, scene_from_rect),
        }
    }
}

/// The streams under construction.
#[derive(Default)]
pub(crate) struct Streams {
    encoding: Encoding,
    boxes: Vec<Aabb>,
    table: Vec<ElementInfo>,
    open: Vec<OpenNode>,
    raster_images: Vec<RasterImage>,
    /// The SVG elements, of which the current one is the source of the elements that are added.
    pub(crate) sources: SourceTracker,
    /// The mark of the elements that are added.
    pub(crate) within: Within,
    /// Whether added elements are transparent, because resvg draws them as part of a raster image.
    pub(crate) is_hidden: bool,
    n_in_masks: usize,
    /// For each blend node, the index of its rectangle in the path data, and the union of its
    /// clipped leaf boxes.
    rects: Vec<(usize, Aabb)>,
}

/// The finished streams.
pub(crate) struct Finished {
    pub(crate) encoding: Encoding,
    pub(crate) elements: Scene,
    pub(crate) table: Vec<ElementInfo>,
    pub(crate) raster_images: RasterImages,
    pub(crate) sources: Vec<Source>,
    /// For each source, the indices of children that lead to it from the root.
    pub(crate) steps: Vec<Box<[u32]>>,
}

/// A node that has begun and not ended.
struct OpenNode {
    begin: usize,
    clip_box: Aabb,
    /// The union of the clipped leaf boxes so far.
    contents: Aabb,
    /// The index in the path data of the rectangle of a blend node, which is written at the end.
    rect_at: Option<usize>,
    /// The index in the draw data of the blend mode.
    blend_at: usize,
    /// Whether a child blends with what is below it.
    has_blend_inside: bool,
}

impl Streams {
    /// Begins a node whose contents mask everything before them in the parent node. The mask is
    /// empty beyond the shape.
    pub(crate) fn begin_mask(&mut self, shape: &ClipShape, kind: MaskType) {
        // A mask keeps what is below it where it is opaque itself. If resvg has applied the mask,
        // it keeps everything.
        let keep = BlendMode::new(Mix::Normal, if self.is_hidden { Compose::Dest } else { Compose::DestIn });
        let begin = self.table.len();
        self.begin(Some(shape), Some(Compositing { blend: keep, alpha: 1.0 }));
        self.table[begin].role = Role::Mask;
        let is_luminance = kind == MaskType::Luminance && !self.is_hidden;
        if let Some(node) = self.open.last().filter(|_| is_luminance) {
            self.encoding.draw_data[node.blend_at] = DrawBeginClip::LUMINANCE_MASK_BLEND_MODE;
        }
    }

    /// Begins a node that clips to a shape if it has one, and composites if `compositing` says how.
    ///
    /// Vello needs a shape for every node. That of a node that does not clip is known at its end.
    pub(crate) fn begin(&mut self, clip: Option<&ClipShape>, compositing: Option<Compositing>) {
        let path_end = self.encoding.path_data.len();
        let is_encoded = match clip {
            Some(clip) => self.interior(&clip.path, clip.rule, clip.scene_from_path),
            None => self.interior(&UNIT_SQUARE, Fill::NonZero, Affine::IDENTITY),
        };
        if !is_encoded {
            self.encoding.encode_empty_shape();
        }
        let role = match (clip, compositing) {
            (None, _) => Role::Blend,
            (Some(_), None) => Role::Clip,
            (Some(_), Some(_)) => Role::ClipBlend,
        };
        if let Some(parent) = self.open.last_mut() {
            parent.has_blend_inside |= compositing.is_some_and(|c| c.blend != BlendMode::default());
        }
        let shape_box = clip.map_or(Aabb::PLANE, |clip| clip.shape_box);
        self.open.push(OpenNode {
            begin: self.table.len(),
            clip_box: self.clip_box().intersect(shape_box),
            contents: Aabb::EMPTY,
            rect_at: clip.is_none().then_some(path_end),
            blend_at: self.encoding.draw_data.len(),
            has_blend_inside: false,
        });
        let parameters = compositing.map(|c| DrawBeginClip::new(c.blend, c.alpha));
        self.encoding.encode_begin_clip(parameters.unwrap_or_else(DrawBeginClip::clip));
        self.push(shape_box, role);
    }

    /// Ends the innermost node.
    pub(crate) fn end(&mut self) {
        let Some(node) = self.open.pop() else { return };
        if let Some(parent) = self.open.last_mut() {
            parent.contents = parent.contents.union(node.contents);
            // SVG isolates a group that clips: what blends inside of it does not see what is below
            // it.
            if node.has_blend_inside && self.table[node.begin].role == Role::Clip {
                let isolated = DrawBeginClip::new(BlendMode::default(), 1.0);
                self.encoding.draw_data[node.blend_at] = isolated.blend_mode;
                self.table[node.begin].role = Role::ClipBlend;
            }
        }
        self.rects.extend(node.rect_at.map(|rect_at| (rect_at, node.contents)));
        self.encoding.encode_end_clip();
        self.boxes.push(Aabb::EMPTY);
        self.table.push(self.table[node.begin]);
    }

    /// Adds a leaf that fills a shape. A shape without segments is left out.
    pub(crate) fn fill(
        &mut self,
        shape: &impl Shape,
        rule: Fill,
        scene_from_shape: Affine,
        paint: &Paint,
        leaf_box: Aabb,
        role: Role,
    ) {
        if self.interior(shape, rule, scene_from_shape) {
            self.finish_leaf(paint, leaf_box, role);
        }
    }

    /// Adds a transparent leaf.
    pub(crate) fn fill_nothing(&mut self, leaf_box: Aabb, role: Role) {
        self.fill(&UNIT_SQUARE, Fill::NonZero, Affine::IDENTITY, &Paint::transparent(), leaf_box, role);
    }

    /// Adds a leaf that strokes a path. A path without segments is left out.
    pub(crate) fn stroke(&mut self, outline: &Outline, paint: &Paint, leaf_box: Aabb) {
        self.place(outline.scene_from_outline);
        if self.encoding.encode_stroke_style(&outline.style)
            && self.encoding.encode_shape(&outline.centre_line, false)
        {
            self.finish_leaf(paint, leaf_box, Role::Stroke);
        }
    }

    /// Adds the interior of a shape to the encoding. Returns whether it has segments.
    fn interior(&mut self, shape: &impl Shape, rule: Fill, scene_from_shape: Affine) -> bool {
        let factor = enlargement(|| shape.bounding_box(), scene_from_shape);
        self.place(scene_from_shape * Affine::scale(factor.recip()));
        self.encoding.encode_fill_style(rule);
        if factor == 1.0 {
            return self.encoding.encode_shape(shape, true);
        }
        self.encoding.encode_shape(&(Affine::scale(factor) * shape.to_path(0.1)), true)
    }

    fn finish_leaf(&mut self, paint: &Paint, leaf_box: Aabb, role: Role) {
        let clipped_box = self.clip_box().intersect(leaf_box);
        match paint {
            _ if self.is_hidden => self.encoding.encode_color(Color::TRANSPARENT),
            Paint::Brush { brush, scene_from_brush } => {
                if let Some(scene_from_brush) = scene_from_brush
                    && self.encoding.encode_transform(Transform::from_kurbo(scene_from_brush))
                {
                    self.encoding.swap_last_path_tags();
                }
                self.encoding.encode_brush(brush, 1.0);
            }
            Paint::Raster(content) => {
                let slot = Slot::encode(&mut self.encoding);
                self.raster_images.push(RasterImage { content: content.clone(), clipped_box, slot });
            }
        }
        self.push(leaf_box, role);
        if let Some(node) = self.open.last_mut() {
            node.contents = node.contents.union(clipped_box);
        }
    }

    fn push(&mut self, element_box: Aabb, role: Role) {
        let is_in_mask = self.within == Within::Mask;
        self.n_in_masks += usize::from(is_in_mask);
        self.boxes.push(if is_in_mask { Aabb::EMPTY } else { element_box });
        self.table.push(ElementInfo { source: self.sources.source(), role, within: self.within });
    }

    fn place(&mut self, scene_from_shape: Affine) {
        self.encoding.encode_transform(Transform::from_kurbo(&scene_from_shape));
    }

    /// The clip box of the innermost node.
    fn clip_box(&self) -> Aabb {
        self.open.last().map_or(Aabb::PLANE, |node| node.clip_box)
    }

    /// Whether masks have as many elements as the limit allows.
    pub(crate) fn are_masks_full(&self) -> bool {
        self.n_in_masks > MAX_MASK_ELEMENTS
    }

    /// Finishes the streams. No leaf is drawn beyond `near`.
    ///
    /// # Errors
    ///
    /// [`Error::Scene`] if a box has a value that is not allowed, which is a bug.
    pub(crate) fn finish(mut self, near: Aabb, costs: &mut Costs) -> Result<Finished, Error> {
        for (at, contents) in self.rects {
            let words = rect_words(contents.intersect(near));
            self.encoding.path_data[at..at + RECT_WORDS].copy_from_slice(&words);
        }
        let (sources, steps) = self.sources.finish();
        let tags = self.encoding.draw_tags.iter().map(|tag| tag.0).collect();
        Ok(Finished {
            encoding: self.encoding,
            elements: Scene::new(tags, self.boxes)?,
            table: self.table,
            raster_images: RasterImages::new(self.raster_images, costs),
            sources,
            steps,
        })
    }
}

/// The words of the rectangle of a blend node, with a margin for anti-aliasing at small scales.
fn rect_words(contents: Aabb) -> [u32; RECT_WORDS] {
    let margin = 4.0 + 0.1 * contents.width().max(contents.height());
    let [x0, y0, x1, y1] = match contents {
        b if b.is_empty() => [0.0; 4],
        Aabb { x0, y0, x1, y1 } => {
            [x0 - margin, y0 - margin, x1 + margin, y1 + margin].map(|v| v.clamp(-f32::MAX, f32::MAX))
        }
    };
    [x0, y0, x1, y0, x1, y1, x0, y1, x0, y0].map(f32::to_bits)
}

#[cfg(test)]
mod tests {
    use kurbo::Size;

    use super::*;

    #[test]
    fn an_invalid_box_is_reported_as_such() {
        let mut streams = Streams::default();
        streams.fill_nothing(Aabb { x0: f32::NAN, ..Aabb::PLANE }, Role::Fill);
        let finished = streams.finish(Aabb::PLANE, &mut Costs::new(Size::new(9.0, 9.0)));
        assert!(matches!(finished, Err(Error::Scene { .. })));
    }
}
