//! The scene that Vello draws for a picture: the background, the drawing, and the panels.

use std::ops::Range;
use std::sync::Arc;

use boxwood_svg::{Deadline, Drawing, RasterImages};
use kurbo::{Affine, Rect, Size};
use peniko::{Blob, Extend, Fill, ImageAlphaType, ImageBrush, ImageData, ImageFormat, ImageQuality};

use super::region::Region;
use crate::error::RenderError;
use crate::overlay::{Holes, OverlayKinds};
use crate::panels::{self, Message, Panel};
use crate::picture::{Background, Frame};
use crate::view_transform::ViewTransform;

/// Raster images extend beyond the visible region by this part of its width and height.
const IMAGE_MARGIN: f64 = 0.25;

/// The layers of a picture. Each is kept until a frame needs another.
#[derive(Default)]
pub(crate) struct Layers {
    /// The image that the background repeats. It is kept so that the renderer uploads it once.
    ground: Option<((Background, u64), ImageBrush)>,
    pub(crate) drawing: Option<DrawingLayer>,
    panels: Option<(PanelsKey, Vec<(Panel, vello::Scene)>)>,
}

/// Everything that panels depend on: the kinds in the legend, the message, the size of the picture,
/// and the bits of the scale factor.
type PanelsKey = (Option<OverlayKinds>, Option<Message>, [u32; 2], u64);

/// The drawing, with raster images of the elements that Vello cannot draw.
pub(crate) struct DrawingLayer {
    scene: vello::Scene,
    /// The size of the document in scene units.
    pub(crate) size: Size,
    raster_images: Arc<RasterImages>,
    /// The view that the images were drawn for.
    images_view: Option<ImagesView>,
}

/// A view that raster images are drawn for.
#[derive(Clone, Copy, Debug)]
struct ImagesView {
    view: ViewTransform,
    /// The part of device space that the images cover, in pixels.
    region: Rect,
}

impl ImagesView {
    /// Whether the images of this view are right for another: one moved by whole pixels, whose
    /// region is within this one.
    fn covers(self, other: Self) -> bool {
        let offset = self.view.translation - other.view.translation;
        let moved = other.region + offset;
        self.view.scale == other.view.scale
            && offset == offset.round()
            && self.region.union(moved) == self.region
    }
}

impl DrawingLayer {
    pub(crate) fn new(drawing: &Drawing) -> Self {
        Self {
            scene: drawing.encoding.clone().into(),
            size: drawing.size,
            raster_images: Arc::clone(&drawing.raster_images),
            images_view: None,
        }
    }

    /// Draws the raster images for a region of a picture, unless the present ones cover it.
    fn draw_images(&mut self, frame: &Frame, region: Region, deadline: &Deadline) -> Result<(), RenderError> {
        let mut wanted = ImagesView { view: frame.view, region: region.rect() };
        if self.raster_images.is_empty() || self.images_view.is_some_and(|known| known.covers(wanted)) {
            return Ok(());
        }
        let device_from_scene = frame.view.device_from_scene();
        // The view of a window moves in small steps, so a margin saves drawing the images for each.
        // The regions of a large picture need none.
        let [width, height] = region.size.map(f64::from);
        let with_margin = wanted.region.inflate(IMAGE_MARGIN * width, IMAGE_MARGIN * height);
        if region.size == frame.size && self.raster_images.are_sharp(device_from_scene, with_margin) {
            wanted.region = with_margin;
        }
        let encoding = self.scene.encoding_mut();
        self.raster_images.draw_into(encoding, device_from_scene, wanted.region, deadline)?;
        self.images_view = Some(wanted);
        Ok(())
    }
}

impl Layers {
    /// Updates the layers for a region of a picture.
    pub(crate) fn prepare(
        &mut self,
        frame: &Frame,
        region: Region,
        deadline: &Deadline,
    ) -> Result<(), RenderError> {
        if let Some(drawing) = &mut self.drawing {
            drawing.draw_images(frame, region, deadline)?;
        }
        let key = (frame.background, frame.scale_factor.to_bits());
        if self.ground.as_ref().is_none_or(|(known, _)| *known != key) {
            self.ground = Some((key, brush(frame.background, frame.scale_factor)));
        }
        let legend_of = (frame.legend && self.drawing.is_some()).then_some(frame.overlay);
        let key = (legend_of, frame.message.clone(), frame.size, frame.scale_factor.to_bits());
        if self.panels.as_ref().is_none_or(|(known, _)| *known != key) {
            let panels = panels::panels(legend_of, frame.message.as_ref(), frame.size, frame.scale_factor)?;
            let with_scene = |panel: Panel| {
                let scene = panel.drawing.encoding.clone().into();
                (panel, scene)
            };
            self.panels = Some((key, panels.into_iter().map(with_scene).collect()));
        }
        Ok(())
    }

    /// The scene of a picture after [`prepare`](Self::prepare), with its origin at the pixel
    /// `origin` of the picture.
    pub(crate) fn compose(&self, frame: &Frame, origin: [u32; 2]) -> vello::Scene {
        let mut scene = vello::Scene::new();
        let [left, top] = origin.map(f64::from);
        let shift = Affine::translate((-left, -top));
        if let Some((_, brush)) = &self.ground {
            let rect = self.ground_rect(frame);
            let brush_transform = Affine::translate(rect.origin().to_vec2().round());
            scene.fill(Fill::NonZero, shift, brush, Some(brush_transform), &rect);
        }
        if let Some(drawing) = &self.drawing {
            scene.append(&drawing.scene, Some(shift * frame.view.device_from_scene()));
        }
        for (panel, panel_scene) in self.panels.iter().flat_map(|(_, panels)| panels) {
            let position = Affine::translate((f64::from(panel.left), f64::from(panel.top)));
            scene.append(panel_scene, Some(shift * position));
        }
        scene
    }

    /// The draw objects of the drawing within the composed scene. The background is one draw
    /// object before them, and those of the panels follow.
    pub(crate) fn draw_objects(&self) -> Range<u32> {
        let first = u32::from(self.ground.is_some());
        let count = self.drawing.as_ref().map_or(0, |drawing| drawing.scene.encoding().draw_tags.len());
        first..first + u32::try_from(count).unwrap_or(u32::MAX)
    }

    /// The clip operations of the drawing within the composed scene. The background has none, and
    /// those of the panels follow.
    pub(crate) fn clip_operations(&self) -> Range<u32> {
        0..self.drawing.as_ref().map_or(0, |drawing| drawing.scene.encoding().n_clips)
    }

    /// The rectangles that the overlay leaves free for panels, in the part of the picture whose
    /// top left pixel is `corner`.
    pub(crate) fn holes(&self, corner: [u32; 2]) -> Holes {
        let panels = self.panels.iter().flat_map(|(_, panels)| panels);
        panels::holes(panels.map(|(panel, _)| panel), corner)
    }

    /// The rectangle that the background covers, in device space.
    fn ground_rect(&self, frame: &Frame) -> Rect {
        match (frame.surround, &self.drawing) {
            (None, _) => Rect::new(0.0, 0.0, f64::from(frame.size[0]), f64::from(frame.size[1])),
            (Some(_), Some(drawing)) => {
                frame.view.device_from_scene().transform_rect_bbox(drawing.size.to_rect())
            }
            // A rectangle outside the picture. A scene without any image makes Vello 0.11 free the
            // texture that its image cache refers to, and later pictures then show images as black.
            (Some(_), None) => Rect::new(-2.0, -2.0, -1.0, -1.0),
        }
    }
}

fn brush(background: Background, scale_factor: f64) -> ImageBrush {
    let tile = background.tile(scale_factor);
    let (width, height) = tile.dimensions();
    let image = ImageData {
        data: Blob::new(Arc::new(tile.into_raw())),
        format: ImageFormat::Rgba8,
        alpha_type: ImageAlphaType::Alpha,
        width,
        height,
    };
    ImageBrush::new(image).with_extend(Extend::Repeat).with_quality(ImageQuality::Low)
}
