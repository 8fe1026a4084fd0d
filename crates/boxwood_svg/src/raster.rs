//! Images as leaves.

use std::io::Cursor;
use std::sync::Arc;

use image::{DynamicImage, ImageFormat, ImageReader, Limits};
use kurbo::{Affine, Rect, Shape};
use peniko::{Blob, Brush, Fill, ImageAlphaType, ImageBrush, ImageData, ImageQuality};
use usvg::{Image, ImageKind, ImageRendering, Tree};

use crate::drawing::{ElementInfo, Role};
use crate::encode::ClipShape;
use crate::flatten::{Place, Walk};
use crate::paint::Paint;
use crate::path::rect_box;
use crate::viewport::uncut;
use crate::warnings::WarningKind;

/// The longest side of an image that is decoded, in pixels.
const MAX_SIDE: u32 = 16_384;

/// The longest side of an image that a renderer is given, in pixels; larger ones are scaled down. All images of a scene
/// share an atlas that is 8,192 wide.
const MAX_DRAWN_SIDE: u32 = 4_096;

impl Walk {
    /// Lowers an image that is at `place`: a raster image to a leaf, a drawing to its elements.
    pub(crate) fn image(&mut self, image: &Image, place: Place) {
        if !image.is_visible() {
            return;
        }
        let (format, bytes) = match image.kind() {
            ImageKind::SVG(tree) => return self.nested_drawing(tree, place),
            ImageKind::PNG(bytes) => (ImageFormat::Png, bytes),
            ImageKind::JPEG(bytes) => (ImageFormat::Jpeg, bytes),
            ImageKind::GIF(bytes) => (ImageFormat::Gif, bytes),
            ImageKind::WEBP(bytes) => (ImageFormat::WebP, bytes),
        };
        let address = Arc::as_ptr(bytes).addr();
        let known = self.images.get(&address).cloned();
        let decoded = known.unwrap_or_else(|| {
            let decoded = self.decode(bytes, format);
            self.images.insert(address, decoded.clone());
            decoded
        });
        let Some(mut brush) = decoded else { return };
        brush.sampler.quality = match image.rendering_mode() {
            ImageRendering::OptimizeSpeed | ImageRendering::CrispEdges | ImageRendering::Pixelated => {
                ImageQuality::Low
            }
            ImageRendering::OptimizeQuality | ImageRendering::Smooth | ImageRendering::HighQuality => {
                ImageQuality::Medium
            }
        };
        let (width, height) = (f64::from(image.size().width()), f64::from(image.size().height()));
        let area = Rect::new(0.0, 0.0, width, height);
        let leaf_box = rect_box(area, place.scene_from_node);
        if leaf_box.is_empty() {
            return;
        }
        let pixels = &brush.image;
        let scale =
            Affine::scale_non_uniform(width / f64::from(pixels.width), height / f64::from(pixels.height));
        let scene_from_brush = place.scene_from_node * scale;
        let paint = Paint::Brush { brush: Brush::Image(brush), scene_from_brush: Some(scene_from_brush) };
        let info = ElementInfo::new(self.source(), Role::Image);
        self.fill_near(&area.to_path(0.1), Fill::NonZero, &paint, place, leaf_box, info);
    }

    /// Lowers a drawing that is an image. SVG cuts it to its own viewport, whatever its `overflow` is (SVG 2, section 12.3).
    fn nested_drawing(&mut self, tree: &Tree, place: Place) {
        if !self.clip_to_viewport {
            return self.children(tree.root(), place);
        }
        let tree = uncut(tree);
        let mut clip = self.clip_near(ClipShape::rect(viewport_of(tree), place.scene_from_node));
        clip.shape_box = place.widened(clip.shape_box);
        let source = self.source();
        self.streams.begin_clip(&clip, None, source);
        self.children(tree.root(), place);
        self.streams.end();
    }

    fn decode(&self, bytes: &[u8], format: ImageFormat) -> Option<ImageBrush> {
        let reader = || ImageReader::with_format(Cursor::new(bytes), format);
        let Ok((width, height)) = reader().into_dimensions() else {
            self.warn(WarningKind::BadImage);
            return None;
        };
        if width.max(height) > MAX_SIDE {
            self.warn(WarningKind::LargeImage);
            return None;
        }
        let mut limits = Limits::default();
        // The pixels themselves, at up to 16 bits a channel, and as much again for the decoder.
        limits.max_alloc = Some(u64::from(width) * u64::from(height) * 16 + (64 << 20));
        let mut reader = reader();
        reader.limits(limits);
        match reader.decode() {
            Ok(image) => Some(image_brush(image)),
            Err(_) => {
                self.warn(WarningKind::BadImage);
                None
            }
        }
    }
}

/// The viewport of a drawing, in its own user space.
pub(crate) fn viewport_of(tree: &Tree) -> Rect {
    Rect::new(0.0, 0.0, tree.size().width().into(), tree.size().height().into())
}

fn image_brush(image: DynamicImage) -> ImageBrush {
    let image = if image.width().max(image.height()) > MAX_DRAWN_SIDE {
        image.thumbnail(MAX_DRAWN_SIDE, MAX_DRAWN_SIDE)
    } else {
        image
    };
    let pixels = image.into_rgba8();
    let (width, height) = pixels.dimensions();
    ImageBrush::new(ImageData {
        data: Blob::new(Arc::new(pixels.into_raw())),
        format: peniko::ImageFormat::Rgba8,
        alpha_type: ImageAlphaType::Alpha,
        width,
        height,
    })
}
