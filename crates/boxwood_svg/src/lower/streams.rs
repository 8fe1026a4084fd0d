//! The streams of a drawing: the encoding, the boxes, and the table, with one entry per element in
//! each.

use boxwood_cpu::{Aabb, Scene};
use kurbo::{Affine, Rect, Shape};
use peniko::{BlendMode, Brush, Color, Compose, Mix};
use usvg::MaskType;
use vello_encoding::{DrawBeginClip, Encoding, Transform};

use crate::boxes::strokes::StrokedPath;
use crate::error::Error;
use crate::geometry::FilledPath;
use crate::lower::paint::Paint;
use crate::lower::sources::SourceTracker;
use crate::quirks::short_segments::without_short_segments;
use crate::quirks::tiny_units::enlargement;
use crate::raster::content::Content;
use crate::raster::images::{Place, RasterImage, Slot};
use crate::signature::Signature;
use crate::table::{ElementInfo, NodeEffects, Role, Within};

/// The number of `u32` of a rectangle in Vello's path data: a corner and four lines.
const RECT_WORDS: usize = 10;

/// The shape of an object with this box that is not visible, or that gets its shape later.
fn unit_square(own_box: Aabb) -> FilledPath {
    FilledPath { own_box, ..FilledPath::rect(Rect::new(0.0, 0.0, 1.0, 1.0), Affine::IDENTITY) }
}

/// How a group without opacity and blend mode is composited.
pub(crate) fn isolated() -> DrawBeginClip {
    DrawBeginClip::new(BlendMode::default(), 1.0)
}

/// The streams under construction.
#[derive(Default)]
pub(crate) struct Streams {
    pub(crate) encoding: Encoding,
    boxes: Vec<Aabb>,
    pub(crate) table: Vec<ElementInfo>,
    /// The signature of each element. All are equal if the drawing will not be compared. The
    /// signature of an end is not used.
    pub(crate) signatures: Vec<Signature>,
    /// The signature of the elements that are added.
    pub(crate) signature: Signature,
    /// The effects of each node, in the order of their begins.
    pub(crate) effects: Vec<NodeEffects>,
    /// The leaves that fill their boxes with an opaque colour.
    pub(crate) opaque_boxes: Vec<usize>,
    /// The leaves whose shape is not encoded.
    pub(crate) shapeless: Vec<usize>,
    open: Vec<OpenNode>,
    pub(crate) raster_images: Vec<RasterImage>,
    /// The luminance masks.
    pub(crate) luminance_masks: Vec<RasterImage>,
    /// The SVG elements, of which the current one is the source of the elements that are added.
    pub(crate) sources: SourceTracker,
    /// Whether the elements that are added are in a marker of the current SVG element.
    pub(crate) is_in_marker: bool,
    /// The element in a text that leaves are added for.
    pub(crate) text_part: Option<u32>,
    /// The leaves of elements in texts, with the index of each element in the document.
    pub(crate) leaves_in_texts: Vec<(u32, usize)>,
    /// The effects around the elements that are added.
    pub(crate) surroundings: Surroundings,
    /// Whether added elements are transparent, because resvg draws them as part of a raster image.
    pub(crate) is_hidden: bool,
    /// The number of elements in masks.
    pub(crate) n_in_masks: usize,
    /// For each blend node, the index of its rectangle in the path data, and the union of its
    /// clipped leaf boxes.
    rects: Vec<(usize, Aabb)>,
}

/// The effects around an element.
#[derive(Clone, Copy, Default)]
pub(crate) struct Surroundings {
    pub(crate) within: Within,
    /// The box of the outermost filter. The filter may paint all of it, wherever the element is.
    pub(crate) filter_box: Option<Aabb>,
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
    /// Empty streams at the root of a document.
    pub(crate) fn of(sources: SourceTracker) -> Self {
        Self { sources, ..Self::default() }
    }

    /// Begins a node whose contents mask everything before them in the parent node. The mask is
    /// empty beyond the shape. Returns the surroundings of the elements after the node.
    pub(crate) fn begin_mask(&mut self, shape: &FilledPath, kind: MaskType) -> Surroundings {
        // A mask keeps what is below it where it is opaque itself. If resvg has applied the mask,
        // it keeps everything.
        let keep = BlendMode::new(Mix::Normal, if self.is_hidden { Compose::Dest } else { Compose::DestIn });
        let is_luminance = kind == MaskType::Luminance && !self.is_hidden;
        let inside = Surroundings { within: Within::Mask, filter_box: None };
        let (begin, around) = (self.table.len(), std::mem::replace(&mut self.surroundings, inside));
        let mask =
            if is_luminance { DrawBeginClip::luminance_mask(1.0) } else { DrawBeginClip::new(keep, 1.0) };
        self.begin(Some(shape), Some(mask), NodeEffects::default());
        self.table[begin].role = Role::Mask;
        around
    }

    /// Adds the image that is drawn in place of the contents of the innermost node.
    pub(crate) fn replace_contents(&mut self, content: Content) {
        if let Some(node) = self.open.last() {
            let (clipped_box, place) = (node.clip_box, Place::Node(node.begin));
            self.luminance_masks.push(RasterImage { content, clipped_box, place });
        }
    }

    /// Begins a node that clips to a shape if it has one, and composites if `compositing` says how.
    ///
    /// Vello needs a shape for every node. That of a node that does not clip is known at its end.
    pub(crate) fn begin(
        &mut self,
        clip: Option<&FilledPath>,
        compositing: Option<DrawBeginClip>,
        effects: NodeEffects,
    ) {
        let is_box = effects.is_box && clip.is_none_or(FilledPath::is_axis_aligned_rect);
        self.effects.push(NodeEffects { is_box, ..effects });
        let path_end = self.encoding.path_data.len();
        if !self.interior(clip.unwrap_or(&unit_square(Aabb::PLANE))) {
            self.encoding.encode_empty_shape();
        }
        let role = match (clip, compositing) {
            (None, _) => Role::Blend,
            (Some(_), None) => Role::Clip,
            (Some(_), Some(_)) => Role::ClipBlend,
        };
        if let Some(parent) = self.open.last_mut() {
            parent.has_blend_inside |= compositing.is_some_and(|c| c.blend_mode != isolated().blend_mode);
        }
        let shape_box = clip.map_or(Aabb::PLANE, |clip| self.widened(clip.own_box));
        self.open.push(OpenNode {
            begin: self.table.len(),
            clip_box: self.clip_box().intersect(shape_box),
            contents: Aabb::EMPTY,
            rect_at: clip.is_none().then_some(path_end),
            blend_at: self.encoding.draw_data.len(),
            has_blend_inside: false,
        });
        self.encoding.encode_begin_clip(compositing.unwrap_or_else(DrawBeginClip::clip));
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
                self.encoding.draw_data[node.blend_at] = isolated().blend_mode;
                self.table[node.begin].role = Role::ClipBlend;
            }
        }
        self.rects.extend(node.rect_at.map(|rect_at| (rect_at, node.contents)));
        self.encoding.encode_end_clip();
        self.boxes.push(Aabb::EMPTY);
        self.table.push(self.table[node.begin]);
        self.signatures.push(Signature::default());
    }

    /// Adds a leaf that fills a shape. A shape without segments is left out.
    pub(crate) fn fill(&mut self, shape: &FilledPath, paint: &Paint, role: Role) {
        if self.interior(shape) {
            let is_opaque =
                matches!(paint, Paint::Brush((Brush::Solid(color), _)) if color.components[3] == 1.0);
            let is_drawn = !self.is_hidden && self.surroundings.within == Within::Scene;
            if is_opaque && is_drawn && shape.is_axis_aligned_rect() {
                self.opaque_boxes.push(self.table.len());
            }
            self.finish_leaf(paint, shape.own_box, role);
        }
    }

    /// Adds a transparent leaf, whose shape is not encoded.
    pub(crate) fn fill_nothing(&mut self, own_box: Aabb, role: Role) {
        self.shapeless.push(self.table.len());
        self.fill(&unit_square(own_box), &Paint::solid(Color::TRANSPARENT), role);
    }

    /// Adds a leaf that strokes a path. A path without segments is left out.
    pub(crate) fn stroke(&mut self, stroked: &StrokedPath, paint: &Paint) {
        self.place(stroked.scene_from_line);
        if self.encoding.encode_stroke_style(&stroked.style)
            && self.encoding.encode_shape(&without_short_segments(&stroked.centre_line), false)
        {
            self.finish_leaf(paint, stroked.own_box, Role::Stroke);
        }
    }

    /// Adds the interior of a shape to the encoding. Returns whether it has segments.
    fn interior(&mut self, shape: &FilledPath) -> bool {
        let factor = enlargement(|| shape.path.bounding_box(), shape.scene_from_path);
        self.place(shape.scene_from_path * Affine::scale(factor.recip()));
        self.encoding.encode_fill_style(shape.rule);
        if factor == 1.0 {
            return self.encoding.encode_shape(&shape.path, true);
        }
        self.encoding.encode_shape(&(Affine::scale(factor) * shape.path.clone()), true)
    }

    fn finish_leaf(&mut self, paint: &Paint, own_box: Aabb, role: Role) {
        let leaf_box = self.widened(paint.painted_box(own_box));
        let clipped_box = self.clip_box().intersect(leaf_box);
        match paint {
            _ if self.is_hidden => self.encoding.encode_color(Color::TRANSPARENT),
            Paint::Brush((brush, scene_from_brush)) => {
                if let Some(scene_from_brush) = scene_from_brush
                    && self.encoding.encode_transform(Transform::from_kurbo(scene_from_brush))
                {
                    self.encoding.swap_last_path_tags();
                }
                self.encoding.encode_brush(brush, 1.0);
            }
            Paint::Raster(content) => {
                let place = Place::Brush(Slot::encode(&mut self.encoding));
                self.raster_images.push(RasterImage { content: content.clone(), clipped_box, place });
            }
        }
        self.leaves_in_texts.extend(self.text_part.map(|part| (part, self.table.len())));
        self.push(leaf_box, role);
        if let Some(node) = self.open.last_mut() {
            node.contents = node.contents.union(clipped_box);
        }
    }

    fn push(&mut self, element_box: Aabb, role: Role) {
        let within = self.surroundings.within;
        self.n_in_masks += usize::from(within == Within::Mask);
        self.boxes.push(if within == Within::Mask { Aabb::EMPTY } else { element_box });
        let (source, in_marker) = (self.sources.source(), self.is_in_marker);
        self.table.push(ElementInfo { source, role, within, in_marker });
        self.signatures.push(self.signature);
    }

    fn place(&mut self, scene_from_shape: Affine) {
        self.encoding.encode_transform(Transform::from_kurbo(&scene_from_shape));
    }

    /// The clip box of the innermost node.
    fn clip_box(&self) -> Aabb {
        self.open.last().map_or(Aabb::PLANE, |node| node.clip_box)
    }

    /// The box of an element: its own box, or the box of the filter around it.
    pub(crate) fn widened(&self, own_box: Aabb) -> Aabb {
        self.surroundings.filter_box.unwrap_or(own_box)
    }

    /// Finishes the streams, and takes their scene. No leaf is drawn beyond `near`.
    ///
    /// # Errors
    ///
    /// [`Error::Scene`] if a box has a value that is not allowed, which is a bug.
    pub(crate) fn finish(&mut self, near: Aabb) -> Result<Scene, Error> {
        for (at, contents) in &self.rects {
            let words = rect_words(contents.intersect(near));
            self.encoding.path_data[*at..*at + RECT_WORDS].copy_from_slice(&words);
        }
        let tags = self.encoding.draw_tags.iter().map(|tag| tag.0).collect();
        Ok(Scene::from_streams(tags, std::mem::take(&mut self.boxes))?)
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
    use super::*;

    #[test]
    fn an_invalid_box_is_reported_as_such() {
        let mut streams = Streams::default();
        streams.fill_nothing(Aabb { x0: f32::NAN, ..Aabb::PLANE }, Role::Fill);
        assert!(matches!(streams.finish(Aabb::PLANE), Err(Error::Scene { .. })));
    }
}
