//! Raster images as leaves.

use std::sync::Arc;

#[cfg(feature = "images")]
use image::{DynamicImage, Limits};
use kurbo::Affine;
use peniko::{Brush, ImageAlphaType, ImageBrush, ImageQuality};
use usvg::{Image, ImageRendering};

use crate::geometry::{FilledPath, rgba8_image, sized};
use crate::guard::limits::MAX_IMAGE_SIDE;
#[cfg(feature = "images")]
use crate::guard::limits::{DECODER_BYTES_PER_PIXEL, DECODER_TABLE_BYTES, MAX_ENCODED_IMAGE_SIDE};
use crate::lower::lowering::Lowering;
use crate::lower::paint::Paint;
use crate::no_box::NoBox;
use crate::read::image_headers;
use crate::table::Role;
use crate::warnings::WarningKind;

impl Lowering<'_> {
    /// Lowers a raster image in some bytes to a leaf.
    pub(crate) fn raster_image(&mut self, image: &Image, bytes: &Arc<Vec<u8>>, scene_from_image: Affine) {
        let address = Arc::as_ptr(bytes).addr();
        let decoded = self.images.get(&address).cloned().unwrap_or_else(|| {
            let decoded = decode(bytes).map_err(|warning| self.warn(warning)).ok();
            self.images.insert(address, decoded.clone());
            decoded
        });
        let Some(mut brush) = decoded else { return self.streams.sources.note(NoBox::NotLoaded) };
        let keeps_pixels = matches!(
            image.rendering_mode(),
            ImageRendering::OptimizeSpeed | ImageRendering::CrispEdges | ImageRendering::Pixelated
        );
        brush.sampler.quality = if keeps_pixels { ImageQuality::Low } else { ImageQuality::Medium };
        let rect = sized(image.size());
        let size = [brush.image.width, brush.image.height].map(f64::from);
        let scale = Affine::scale_non_uniform(rect.width() / size[0], rect.height() / size[1]);
        let paint = Paint::Brush((Brush::Image(brush), Some(scene_from_image * scale)));
        self.fill_near(FilledPath::rect(rect, scene_from_image), &paint, Role::Image);
    }
}

/// The pixels of an image, or the warning about an image that cannot be decoded.
fn decode(bytes: &[u8]) -> Result<ImageBrush, WarningKind> {
    let size = image_headers::size(bytes).ok_or(WarningKind::BadImage)?;
    if size[0].max(size[1]) > MAX_IMAGE_SIDE {
        return Err(WarningKind::LargeImage);
    }
    pixels(bytes, size).ok_or(WarningKind::BadImage)
}

/// The pixels of an image of this size. `None` if it cannot be decoded.
#[cfg(feature = "images")]
fn pixels(bytes: &[u8], [width, height]: [u32; 2]) -> Option<ImageBrush> {
    let mut limits = Limits::default();
    let n_pixels = u64::from(width) * u64::from(height);
    limits.max_alloc = Some(n_pixels * DECODER_BYTES_PER_PIXEL + DECODER_TABLE_BYTES);
    let mut reader = image_headers::reader(bytes).ok()?;
    reader.limits(limits);
    reader.decode().map(image_brush).ok()
}

/// A transparent pixel, because there is no decoder.
#[cfg(not(feature = "images"))]
fn pixels(_: &[u8], _: [u32; 2]) -> Option<ImageBrush> {
    Some(rgba8_image(vec![0; 4], [1; 2], ImageAlphaType::Alpha))
}

#[cfg(feature = "images")]
fn image_brush(image: DynamicImage) -> ImageBrush {
    let image = if image.width().max(image.height()) > MAX_ENCODED_IMAGE_SIDE {
        image.thumbnail(MAX_ENCODED_IMAGE_SIDE, MAX_ENCODED_IMAGE_SIDE)
    } else {
        image
    };
    let size = [image.width(), image.height()];
    rgba8_image(image.into_rgba8().into_raw(), size, ImageAlphaType::Alpha)
}
