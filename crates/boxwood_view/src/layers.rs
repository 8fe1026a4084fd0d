//! What Vello draws of a picture: the background, the drawing, the panels.

use std::ops::Range;
use std::sync::Arc;

use boxwood_svg::{Deadline, Drawing, RasterImages};
use kurbo::{Affine, Rect, Size};
use peniko::{Blob, Extend, Fill, ImageAlphaType, ImageBrush, ImageData, ImageFormat, ImageQuality};

use crate::background::Background;
use crate::canvas::Region;
use crate::error::RenderError;
use crate::frame::{Frame, signed};
use crate::kinds::OverlayKinds;
use crate::lines::Holes;
use crate::panel::{Message, Panel};
use crate::view_transform::ViewTransform;

/// How far beyond a window images reach, in widths and heights of the window.
const MARGIN: f64 = 0.25;

/// What Vello draws of a picture, back to front. All but the drawing is kept as long as it is the same.
#[derive(Default)]
pub(crate) struct Layers {
    ground: Option<Ground>,
    drawing: Option<DrawingLayer>,
    panels: Option<Panels>,
}

/// The drawing, with images of what Vello does not draw.
pub(crate) struct DrawingLayer {
    scene: vello::Scene,
    /// The size of the document, in scene units.
    size: Size,
    raster_images: Arc<RasterImages>,
    /// The view that the images are of.
    rasters: Option<RasterView>,
}

/// A view that images are drawn for.
#[derive(Clone, Copy, Debug)]
struct RasterView {
    view: ViewTransform,
    /// What of the device is seen, in its pixels.
    region: Rect,
}

/// The image that a background repeats, kept so that the renderer uploads it once.
struct Ground {
    key: (Background, u64),
    brush: ImageBrush,
}

struct Panels {
    key: PanelKey,
    panels: Vec<(Panel, vello::Scene)>,
}

type PanelKey = (Option<OverlayKinds>, Option<Message>, [u32; 2], u64);

impl DrawingLayer {
    pub(crate) fn new(drawing: &Drawing) -> Self {
        Self {
            scene: drawing.encoding.clone().into(),
            size: drawing.size,
            raster_images: Arc::clone(&drawing.raster_images),
            rasters: None,
        }
    }

    /// Draws the images for a region of a picture, unless those that there are do.
    fn rasterize(&mut self, frame: &Frame, region: Region, deadline: &Deadline) -> Result<(), RenderError> {
        let wanted = RasterView { view: frame.view, region: region.rect() };
        if self.raster_images.is_empty() || self.rasters.is_some_and(|known| known.shows(wanted)) {
            return Ok(());
        }
        let device_from_scene = frame.view.device_from_scene();
        // A window is dragged by a little at a time; the parts of a large picture come one after the other.
        let [width, height] = region.size.map(f64::from);
        let around = wanted.region.inflate(MARGIN * width, MARGIN * height);
        let is_room = region.size == frame.size && self.raster_images.are_sharp(device_from_scene, around);
        let region = if is_room { around } else { wanted.region };
        self.raster_images.draw_into(self.scene.encoding_mut(), device_from_scene, region, deadline)?;
        self.rasters = Some(RasterView { region, ..wanted });
        Ok(())
    }
}

impl RasterView {
    /// Whether images for this view do for another, which is this one moved by whole pixels within the region.
    fn shows(self, other: Self) -> bool {
        let by = self.view.translation - other.view.translation;
        let here = other.region + by;
        self.view.scale == other.view.scale && by == by.round() && self.region.union(here) == self.region
    }
}

impl Layers {
    /// Takes a drawing.
    pub(crate) fn set_drawing(&mut self, drawing: Option<DrawingLayer>) {
        self.drawing = drawing;
    }

    /// The size of the document in scene units.
    pub(crate) fn document(&self) -> Option<Size> {
        self.drawing.as_ref().map(|drawing| drawing.size)
    }

    /// Makes what a region of a picture needs.
    pub(crate) fn prepare(
        &mut self,
        frame: &Frame,
        region: Region,
        deadline: &Deadline,
    ) -> Result<(), RenderError> {
        if let Some(drawing) = &mut self.drawing {
            drawing.rasterize(frame, region, deadline)?;
        }
        let scale = frame.scale_factor.to_bits();
        let key = (frame.background, scale);
        if self.ground.as_ref().is_none_or(|ground| ground.key != key) {
            self.ground = Some(Ground { key, brush: brush(frame.background, frame.scale_factor) });
        }
        let legend = (frame.legend && self.drawing.is_some()).then_some(frame.overlay);
        let key = (legend, frame.message.clone(), frame.size, scale);
        if self.panels.as_ref().is_none_or(|panels| panels.key != key) {
            let panels = Panel::all(legend, frame.message.as_ref(), frame.size, frame.scale_factor)?;
            let draw = |panel: Panel| {
                let drawing = panel.drawing.encoding.clone().into();
                (panel, drawing)
            };
            self.panels = Some(Panels { key, panels: panels.into_iter().map(draw).collect() });
        }
        Ok(())
    }

    /// A picture that has been prepared, with the origin at one of its pixels.
    pub(crate) fn compose(&self, frame: &Frame, origin: [u32; 2]) -> vello::Scene {
        let mut scene = vello::Scene::new();
        let [left, top] = origin.map(f64::from);
        let shift = Affine::translate((-left, -top));
        if let Some(ground) = &self.ground {
            let rect = self.ground_rect(frame);
            let place = Affine::translate(rect.origin().to_vec2().round());
            scene.fill(Fill::NonZero, shift, &ground.brush, Some(place), &rect);
        }
        if let Some(drawing) = &self.drawing {
            scene.append(&drawing.scene, Some(shift * frame.view.device_from_scene()));
        }
        for (panel, drawing) in self.panels.iter().flat_map(|panels| &panels.panels) {
            let place = Affine::translate((f64::from(panel.left), f64::from(panel.top)));
            scene.append(drawing, Some(shift * place));
        }
        scene
    }

    /// Which draw objects of a picture are those of the drawing. The background is one, the panels come last.
    pub(crate) fn draw_objects(&self) -> Range<u32> {
        let first = u32::from(self.ground.is_some());
        first..first + self.drawing_counts().0
    }

    /// Which clip operations of a picture are those of the drawing. The background has none, the panels come last.
    pub(crate) fn clip_operations(&self) -> Range<u32> {
        0..self.drawing_counts().1
    }

    fn drawing_counts(&self) -> (u32, u32) {
        let encoding = self.drawing.as_ref().map(|drawing| drawing.scene.encoding());
        encoding.map_or((0, 0), |encoding| {
            (u32::try_from(encoding.draw_tags.len()).unwrap_or(u32::MAX), encoding.n_clips)
        })
    }

    /// Where the overlay leaves room for panels, in a part of the picture that starts at `corner`.
    pub(crate) fn holes(&self, corner: [u32; 2]) -> Holes {
        let panels = self.panels.iter().flat_map(|panels| &panels.panels);
        Panel::holes(panels.map(|(panel, _)| panel), corner.map(signed))
    }

    /// What the background covers, in device space.
    fn ground_rect(&self, frame: &Frame) -> Rect {
        match (frame.surround, &self.drawing) {
            (None, _) => Rect::new(0.0, 0.0, f64::from(frame.size[0]), f64::from(frame.size[1])),
            (Some(_), Some(drawing)) => {
                frame.view.device_from_scene().transform_rect_bbox(drawing.size.to_rect())
            }
            // Nothing. But without any image, Vello 0.11 lets go of the texture that its cache of images refers to,
            // and images that come back in a later picture are black. So there always is one.
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
