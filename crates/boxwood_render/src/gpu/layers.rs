//! The scene that Vello draws for a picture: the background, the drawing, and the legend.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use boxwood::SceneBoxes;
use boxwood_cpu::{ElementKind, tag};
use boxwood_svg::{Deadline, Drawing, RasterImages};
use kurbo::{Affine, Rect, Size, TranslateScale};
use peniko::{Blob, Extend, Fill, ImageAlphaType, ImageBrush, ImageData, ImageFormat, ImageQuality};

use super::cut::{first_objects, n_open};
use super::region::Region;
use crate::error::RenderError;
use crate::legend::{self, PlacedLegend};
use crate::overlay::{OverlayBoxes, OverlayKinds, ShownBoxes};
use crate::picture::{Background, Emphasis, Frame};

/// Raster images extend beyond the visible region by this part of its width and height.
const IMAGE_MARGIN: f64 = 0.25;

/// The layers of a picture. Each is kept until a frame needs another.
#[derive(Default)]
pub(crate) struct Layers {
    /// The image that the background repeats. It is kept so that the renderer uploads it once.
    ground: Option<(GroundKey, ImageBrush)>,
    pub(crate) drawing: Option<DrawingLayer>,
    legend: Option<(LegendKey, Option<PlacedLegend>)>,
}

/// Everything that the image of the background depends on.
#[derive(PartialEq)]
struct GroundKey {
    background: Background,
    scale_factor: f64,
}

/// Everything that the legend depends on.
#[derive(PartialEq)]
struct LegendKey {
    /// The kinds in the legend, or none without a legend.
    kinds: OverlayKinds,
    /// The size of the picture.
    size: [u32; 2],
    scale_factor: f64,
}

/// The drawing, with raster images of the elements that Vello cannot draw.
pub(crate) struct DrawingLayer {
    scene: vello::Scene,
    /// The boxes of the drawing's scene.
    boxes: SceneBoxes,
    /// The draw tags of its elements.
    tags: Vec<u32>,
    /// The size of the document in scene units.
    pub(crate) size: Size,
    raster_images: Arc<RasterImages>,
    /// The view that the images were drawn for.
    images_view: Option<ImagesView>,
}

/// A view that raster images are drawn for.
#[derive(Clone, Copy)]
struct ImagesView {
    view: TranslateScale,
    /// The part of device space that the images cover, in pixels.
    region: Rect,
}

impl ImagesView {
    /// Whether the images of this view are right for another: one moved by whole pixels, whose
    /// region is within this one.
    fn covers(self, other: Self) -> bool {
        let offset = self.view.translation - other.view.translation;
        self.view.scale == other.view.scale
            && offset == offset.round()
            && self.region.union(other.region + offset) == self.region
    }
}

impl DrawingLayer {
    pub(crate) fn new(drawing: &Drawing, boxes: SceneBoxes) -> Self {
        Self {
            scene: drawing.encoding.clone().into(),
            boxes,
            tags: drawing.elements.tags().to_vec(),
            size: drawing.size,
            raster_images: Arc::clone(&drawing.raster_images),
            images_view: None,
        }
    }

    /// The boxes of the drawing's scene.
    pub(crate) fn boxes(&self, device: &wgpu::Device, frame: &Frame) -> OverlayBoxes<'_> {
        emphasized(device, &frame.emphasis, &self.boxes, self.painted_tags(frame), 0)
    }

    /// The draw tags of the elements that are painted.
    fn painted_tags(&self, frame: &Frame) -> &[u32] {
        frame.n_painted.and_then(|n_painted| self.tags.get(..n_painted)).unwrap_or(&self.tags)
    }

    /// The elements that are painted among the draw objects of a composed scene.
    pub(crate) fn elements_in(&self, frame: &Frame) -> Range<usize> {
        1..1 + self.painted_tags(frame).len()
    }

    /// The draw objects of a picture.
    fn painted(&self, frame: &Frame) -> Cow<'_, vello::Scene> {
        match frame.n_painted {
            None => Cow::Borrowed(&self.scene),
            Some(n_painted) => Cow::Owned(first_objects(self.scene.encoding(), n_painted).into()),
        }
    }

    /// The boxes of the drawing among those of a composed scene.
    ///
    /// The background is one draw object before the drawing, and no clip. The draw objects and the
    /// clips of the legend follow.
    pub(crate) fn boxes_in<'a>(
        &self,
        device: &wgpu::Device,
        frame: &Frame,
        boxes: &'a SceneBoxes,
    ) -> OverlayBoxes<'a> {
        let mut tags = Cow::Borrowed(self.painted_tags(frame));
        let n_ends = n_open(&tags);
        if n_ends > 0 {
            tags.to_mut().extend(std::iter::repeat_n(tag::END, n_ends));
        }
        emphasized(device, &frame.emphasis, boxes, &tags, 1)
    }

    /// Draws the raster images for a region of a picture, unless the present ones cover it.
    fn draw_images(&mut self, frame: &Frame, region: Region, deadline: &Deadline) -> Result<(), RenderError> {
        let mut wanted = ImagesView { view: frame.view, region: region.rect() };
        if self.raster_images.is_empty() || self.images_view.is_some_and(|known| known.covers(wanted)) {
            return Ok(());
        }
        let device_from_scene = frame.view.into();
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

/// The boxes of the elements with these draw tags. `n_before` is the number of elements before them
/// in the buffers.
fn emphasized<'a>(
    device: &wgpu::Device,
    emphasis: &Emphasis,
    boxes: &'a SceneBoxes,
    tags: &[u32],
    n_before: usize,
) -> OverlayBoxes<'a> {
    let is_entry = |tag: &&u32| matches!(ElementKind::of(**tag), ElementKind::Begin | ElementKind::End);
    let [start, end, n_entries] = [n_before, n_before + tags.len(), tags.iter().filter(is_entry).count()]
        .map(|count| u32::try_from(count).unwrap_or(u32::MAX));
    let shown = emphasis.shown.as_deref();
    let shown = shown.map(|shown| ShownBoxes::new(device, tags, shown, n_before));
    OverlayBoxes { boxes, elements: start..end, entries: 0..n_entries, shown, opacity: emphasis.line_opacity }
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
        let Frame { background, size, scale_factor, .. } = *frame;
        let key = GroundKey { background, scale_factor };
        if self.ground.as_ref().is_none_or(|(known, _)| *known != key) {
            self.ground = Some((key, brush(background, scale_factor)));
        }
        let has_legend = frame.legend && self.drawing.is_some();
        let kinds = if has_legend { frame.overlay } else { OverlayKinds::NONE };
        let key = LegendKey { kinds, size, scale_factor };
        if self.legend.as_ref().is_none_or(|(known, _)| *known != key) {
            self.legend = Some((key, legend::legend(kinds, size, scale_factor)?));
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
            scene.append(&drawing.painted(frame), Some(shift * Affine::from(frame.view)));
            let dimming = frame.emphasis.dimming.clamp(0.0, 1.0);
            if dimming > 0.0 {
                let [red, green, blue] = frame.surround.unwrap_or_default();
                let color = peniko::Color::from_rgb8(red, green, blue).with_alpha(dimming);
                scene.fill(Fill::NonZero, shift, color, None, &self.ground_rect(frame));
            }
        }
        if let Some(legend) = self.legend() {
            let legend_scene = legend.drawing.encoding.clone().into();
            scene.append(&legend_scene, Some(shift * Affine::translate(legend.position)));
        }
        scene
    }

    /// The legend of a picture after [`prepare`](Self::prepare).
    pub(crate) fn legend(&self) -> Option<&PlacedLegend> {
        self.legend.as_ref().and_then(|(_, legend)| legend.as_ref())
    }

    /// The rectangle that the background covers, in device space.
    fn ground_rect(&self, frame: &Frame) -> Rect {
        match (frame.surround, &self.drawing) {
            (None, _) => Rect::new(0.0, 0.0, f64::from(frame.size[0]), f64::from(frame.size[1])),
            (Some(_), Some(drawing)) => frame.view * drawing.size.to_rect(),
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

#[cfg(test)]
mod tests {
    use boxwood_svg::Options;

    use super::*;
    use crate::OverlaySource;

    #[test]
    fn each_layer_is_kept_until_its_own_key_changes() {
        let svg = br#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>"#;
        let drawing = boxwood_svg::load(svg, &Options::default()).expect("it is correct");
        let gpu = boxwood::native::Gpu::open(None).expect("tests need an adapter");
        let context = boxwood::Context::new(&gpu.device);
        let mut boxes = SceneBoxes::new(&context, boxwood::Outputs::all());
        boxes.update(&gpu.queue, &drawing.elements).expect("the scene is small");
        let drawing = DrawingLayer::new(&drawing, boxes);
        let mut frame = Frame {
            size: [400, 200],
            view: TranslateScale::default(),
            scale_factor: 1.0,
            background: Background::Checker,
            surround: None,
            n_painted: None,
            overlay: OverlayKinds::CLIP,
            boxes: OverlaySource::Scene,
            emphasis: Emphasis::default(),
            antialiasing: vello::AaConfig::Area,
            legend: true,
        };
        let mut layers = Layers { drawing: Some(drawing), ..Layers::default() };
        // The identity of the background's image, and the address of the legend's contents.
        let mut prepare = |frame: &Frame| {
            let region = Region::whole(frame.size);
            layers.prepare(frame, region, &Deadline::default()).expect("the legend can be shown");
            let (_, brush) = layers.ground.as_ref().expect("every picture has a background");
            let legend = layers.legend().map(|legend| legend.drawing.elements.boxes().as_ptr());
            (brush.image.data.id(), legend)
        };
        let (image, legend) = prepare(&frame);
        assert!(legend.is_some(), "the picture is large enough");
        frame.background = Background::WHITE;
        let (white, kept_legend) = prepare(&frame);
        assert_ne!(white, image);
        assert_eq!(kept_legend, legend, "the legend does not depend on the background");
        frame.size = [410, 210];
        let (kept_white, wide_legend) = prepare(&frame);
        assert_eq!(kept_white, white, "the background does not depend on the size");
        assert_ne!(wide_legend, legend);
        frame.legend = false;
        assert_eq!(prepare(&frame), (white, None), "the background does not depend on the legend");
    }
}
