//! The streams that a scene is built from: the encoding, the boxes and the table, in step.

use boxwood_cpu::{Aabb, Scene, SceneError};
use kurbo::{Affine, BezPath, Rect, Shape, Stroke};
use peniko::{BlendMode, Color, Compose, Fill, Mix};
use vello_encoding::{DrawBeginClip, Encoding, Transform};

use crate::drawing::{ElementInfo, Role, Within};
use crate::paint::Paint;
use crate::path::{aabb, enlargement, rect_box};
use crate::raster_leaves::{RasterLeaf, RasterLeaves, Slot};
use crate::work::Works;

/// How many `u32` Vello's encoding of a rectangle has: a corner and four lines.
const RECT_DATA: usize = 10;

/// The most elements that all masks together may have, so that masks in masks do not use up the memory.
const MAX_MASK_ELEMENTS: usize = 1_000_000;

/// How far beyond the viewport an outline may reach before a renderer is given only the part near it.
pub(crate) const REACH: f64 = 1e6;

/// Where a renderer is given outlines as they are.
pub(crate) fn near(viewport: Rect) -> Aabb {
    aabb(viewport.inflate(REACH, REACH))
}

/// How a group's contents are put onto what is below.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Compositing {
    pub(crate) blend: BlendMode,
    pub(crate) alpha: f32,
}

/// The shape of a clip node.
#[derive(Clone, Debug)]
pub(crate) struct ClipShape {
    /// The outline; one without segments hides everything.
    pub(crate) path: BezPath,
    pub(crate) rule: Fill,
    pub(crate) scene_from_path: Affine,
    /// The box of the shape, in the scene.
    pub(crate) shape_box: Aabb,
}

impl ClipShape {
    /// A rectangle, which may be placed in the scene at an angle.
    pub(crate) fn rect(rect: Rect, scene_from_rect: Affine) -> Self {
        Self {
            path: rect.to_path(0.1),
            rule: Fill::NonZero,
            scene_from_path: scene_from_rect,
            shape_box: rect_box(rect, scene_from_rect),
        }
    }
}

/// What a leaf covers, and with what.
pub(crate) struct Area<'a, S> {
    pub(crate) shape: &'a S,
    pub(crate) rule: Fill,
    pub(crate) scene_from_shape: Affine,
    pub(crate) paint: &'a Paint,
}

/// A scene under construction. Every method adds as many elements to each stream.
pub(crate) struct Streams {
    encoding: Encoding,
    boxes: Vec<Aabb>,
    table: Vec<ElementInfo>,
    open: Vec<OpenNode>,
    /// What the elements that are added are the contents of.
    pub(crate) within: Within,
    /// Whether the elements that are added leave no trace in the picture: resvg draws them as part of a raster leaf.
    pub(crate) is_hidden: bool,
    n_in_masks: usize,
    raster_leaves: Vec<RasterLeaf>,
    /// Where the numbers that a renderer is given are moderate: no leaf is drawn beyond.
    near: Aabb,
}

/// The streams of a scene.
pub(crate) struct Finished {
    pub(crate) encoding: Encoding,
    pub(crate) elements: Scene,
    pub(crate) table: Vec<ElementInfo>,
    pub(crate) raster_leaves: RasterLeaves,
}

/// A node that has begun and not ended.
struct OpenNode {
    begin: usize,
    clip_box: Aabb,
    /// The union of the clipped leaf boxes so far.
    contents: Aabb,
    /// Where in the path data the rectangle of a blend node is to be written.
    rect_at: Option<usize>,
    /// Where in the draw data the blend word is.
    blend_at: usize,
    /// Whether something directly inside blends with what is below it.
    has_blend_inside: bool,
}

impl Streams {
    /// No elements yet, and none to be drawn beyond `near`.
    pub(crate) fn new(near: Aabb) -> Self {
        Self {
            encoding: Encoding::default(),
            boxes: Vec::new(),
            table: Vec::new(),
            open: Vec::new(),
            within: Within::default(),
            is_hidden: false,
            n_in_masks: 0,
            raster_leaves: Vec::new(),
            near,
        }
    }

    /// Begins a node that clips, and composites where `compositing` says how.
    pub(crate) fn begin_clip(&mut self, clip: &ClipShape, compositing: Option<Compositing>, source: u32) {
        if !self.interior(&clip.path, clip.rule, clip.scene_from_path) {
            self.encoding.encode_empty_shape();
        }
        let role = if compositing.is_some() { Role::ClipBlend } else { Role::Clip };
        self.begin(clip.shape_box, compositing, None, ElementInfo::new(source, role));
    }

    /// Begins a node whose contents mask what is before them in the node around, within its shape.
    pub(crate) fn begin_mask(&mut self, shape: &ClipShape, kind: usvg::MaskType, source: u32) {
        // What is masked stays where the mask is opaque; what resvg has masked stays as it is.
        let keep = BlendMode::new(Mix::Normal, if self.is_hidden { Compose::Dest } else { Compose::DestIn });
        let begin = self.table.len();
        self.begin_clip(shape, Some(Compositing { blend: keep, alpha: 1.0 }), source);
        self.table[begin].role = Role::Mask;
        let is_luminance = kind == usvg::MaskType::Luminance && !self.is_hidden;
        if let Some(node) = self.open.last().filter(|_| is_luminance) {
            self.encoding.draw_data[node.blend_at] = DrawBeginClip::LUMINANCE_MASK_BLEND_MODE;
        }
    }

    /// Begins a node that composites and does not clip. Its shape, which Vello needs, is found at its end.
    pub(crate) fn begin_blend(&mut self, compositing: Compositing, source: u32) {
        self.place(Affine::IDENTITY);
        self.encoding.encode_fill_style(Fill::NonZero);
        let rect_at = self.encoding.path_data.len();
        self.encoding.encode_shape(&Rect::new(0.0, 0.0, 1.0, 1.0), true);
        debug_assert_eq!(self.encoding.path_data.len(), rect_at + RECT_DATA, "the layout of a rectangle");
        self.begin(Aabb::PLANE, Some(compositing), Some(rect_at), ElementInfo::new(source, Role::Blend));
    }

    fn begin(
        &mut self,
        shape_box: Aabb,
        compositing: Option<Compositing>,
        rect_at: Option<usize>,
        info: ElementInfo,
    ) {
        let parent_clip_box = self.open.last().map_or(Aabb::PLANE, |parent| parent.clip_box);
        if let Some(parent) = self.open.last_mut() {
            parent.has_blend_inside |= compositing.is_some_and(|c| c.blend != BlendMode::default());
        }
        self.open.push(OpenNode {
            begin: self.table.len(),
            clip_box: parent_clip_box.intersect(shape_box),
            contents: Aabb::EMPTY,
            rect_at,
            blend_at: self.encoding.draw_data.len(),
            has_blend_inside: false,
        });
        self.encoding.encode_begin_clip(match compositing {
            Some(c) => DrawBeginClip::new(c.blend, c.alpha),
            None => DrawBeginClip::clip(),
        });
        self.push(shape_box, info);
    }

    fn push(&mut self, element_box: Aabb, info: ElementInfo) {
        self.n_in_masks += usize::from(self.within == Within::Mask);
        // What shapes a mask inks nothing.
        self.boxes.push(if self.within == Within::Mask { Aabb::EMPTY } else { element_box });
        self.table.push(ElementInfo { within: self.within, ..info });
    }

    /// Ends the innermost node.
    pub(crate) fn end(&mut self) {
        let Some(node) = self.open.pop() else { return };
        if let Some(parent) = self.open.last_mut() {
            parent.contents = parent.contents.union(node.contents);
            // A group that clips is isolated: what blends inside it must not see what is below it.
            if node.has_blend_inside && self.table[node.begin].role == Role::Clip {
                let isolated = DrawBeginClip::new(BlendMode::default(), 1.0);
                self.encoding.draw_data[node.blend_at] = isolated.blend_mode;
                self.table[node.begin].role = Role::ClipBlend;
            }
        }
        if let Some(rect_at) = node.rect_at {
            self.write_rect(rect_at, node.contents);
        }
        self.encoding.encode_end_clip();
        self.boxes.push(Aabb::EMPTY);
        self.table.push(self.table[node.begin]);
    }

    /// Makes the rectangle of a blend node hold its contents, with room for anti-aliasing when zoomed out.
    fn write_rect(&mut self, at: usize, contents: Aabb) {
        let contents = contents.intersect(self.near);
        let [x0, y0, x1, y1] = if contents.is_empty() {
            [0.0; 4]
        } else {
            let margin = 4.0 + 0.1 * contents.width().max(contents.height());
            [contents.x0 - margin, contents.y0 - margin, contents.x1 + margin, contents.y1 + margin]
                .map(|v| v.clamp(-f32::MAX, f32::MAX))
        };
        let corners = [x0, y0, x1, y0, x1, y1, x0, y1, x0, y0].map(f32::to_bits);
        self.encoding.path_data[at..at + RECT_DATA].copy_from_slice(&corners);
    }

    /// Adds a leaf that fills a shape. One without segments is left out.
    pub(crate) fn fill<S: Shape>(&mut self, area: &Area<'_, S>, leaf_box: Aabb, info: ElementInfo) {
        if self.interior(area.shape, area.rule, area.scene_from_shape) {
            self.finish_leaf(area.paint, leaf_box, info);
        }
    }

    /// Adds the interior of a shape to the encoding, and says whether it has segments.
    fn interior(&mut self, shape: &impl Shape, rule: Fill, scene_from_shape: Affine) -> bool {
        let factor = enlargement(|| shape.bounding_box(), scene_from_shape);
        self.place(scene_from_shape * Affine::scale(factor.recip()));
        self.encoding.encode_fill_style(rule);
        if factor == 1.0 {
            return self.encoding.encode_shape(shape, true);
        }
        self.encoding.encode_shape(&(Affine::scale(factor) * shape.to_path(0.1)), true)
    }

    /// Adds a leaf that strokes a path, one of an [`Outline`](crate::stroke::Outline). One without segments is left out.
    pub(crate) fn stroke(
        &mut self,
        area: &Area<'_, BezPath>,
        style: &Stroke,
        leaf_box: Aabb,
        info: ElementInfo,
    ) {
        self.place(area.scene_from_shape);
        if self.encoding.encode_stroke_style(style) && self.encoding.encode_shape(area.shape, false) {
            self.finish_leaf(area.paint, leaf_box, info);
        }
    }

    fn finish_leaf(&mut self, paint: &Paint, leaf_box: Aabb, info: ElementInfo) {
        let clip_box = self.open.last().map_or(Aabb::PLANE, |node| node.clip_box);
        let clipped_box = clip_box.intersect(leaf_box);
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
                self.raster_leaves.push(RasterLeaf { content: content.clone(), clipped_box, slot });
            }
        }
        self.push(leaf_box, info);
        if let Some(node) = self.open.last_mut() {
            node.contents = node.contents.union(clipped_box);
        }
    }

    fn place(&mut self, scene_from_shape: Affine) {
        self.encoding.encode_transform(Transform::from_kurbo(&scene_from_shape));
    }

    /// Whether masks have as many elements as they may.
    pub(crate) fn are_masks_full(&self) -> bool {
        self.n_in_masks > MAX_MASK_ELEMENTS
    }

    /// The streams, all of one length.
    pub(crate) fn finish(self, works: &mut Works) -> Result<Finished, SceneError> {
        let tags = self.encoding.draw_tags.iter().map(|tag| tag.0).collect();
        let elements = Scene::new(tags, self.boxes)?;
        let raster_leaves = RasterLeaves::new(self.raster_leaves, works);
        Ok(Finished { encoding: self.encoding, elements, table: self.table, raster_leaves })
    }
}

/// usvg's blend mode as peniko's.
pub(crate) fn blend_mode(mode: usvg::BlendMode) -> BlendMode {
    let mix = match mode {
        usvg::BlendMode::Normal => Mix::Normal,
        usvg::BlendMode::Multiply => Mix::Multiply,
        usvg::BlendMode::Screen => Mix::Screen,
        usvg::BlendMode::Overlay => Mix::Overlay,
        usvg::BlendMode::Darken => Mix::Darken,
        usvg::BlendMode::Lighten => Mix::Lighten,
        usvg::BlendMode::ColorDodge => Mix::ColorDodge,
        usvg::BlendMode::ColorBurn => Mix::ColorBurn,
        usvg::BlendMode::HardLight => Mix::HardLight,
        usvg::BlendMode::SoftLight => Mix::SoftLight,
        usvg::BlendMode::Difference => Mix::Difference,
        usvg::BlendMode::Exclusion => Mix::Exclusion,
        usvg::BlendMode::Hue => Mix::Hue,
        usvg::BlendMode::Saturation => Mix::Saturation,
        usvg::BlendMode::Color => Mix::Color,
        usvg::BlendMode::Luminosity => Mix::Luminosity,
        usvg::BlendMode::PlusLighter => return Compose::PlusLighter.into(),
    };
    mix.into()
}
