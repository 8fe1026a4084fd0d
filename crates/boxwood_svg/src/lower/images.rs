//! Raster images as leaves.

use std::sync::Arc;

use image::{DynamicImage, ImageReader, Limits};
use kurbo::Affine;
use peniko::{Brush, ImageAlphaType, ImageBrush, ImageQuality};
use usvg::{Image, ImageRendering};

use crate::geometry::{FilledPath, rgba8_image, sized};
use crate::guard::limits::{
    DECODER_BYTES_PER_PIXEL, DECODER_TABLE_BYTES, MAX_ENCODED_IMAGE_SIDE, MAX_IMAGE_SIDE,
};
use crate::lower::lowering::Lowering;
use crate::lower::paint::Paint;
use crate::no_box::NoBox;
use crate::read::images::reader;
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
    let bad = |_| WarningKind::BadImage;
    let (width, height) = reader(bytes).and_then(ImageReader::into_dimensions).map_err(bad)?;
    if width.max(height) > MAX_IMAGE_SIDE {
        return Err(WarningKind::LargeImage);
    }
    let mut limits = Limits::default();
    let n_pixels = u64::from(width) * u64::from(height);
    limits.max_alloc = Some(n_pixels * DECODER_BYTES_PER_PIXEL + DECODER_TABLE_BYTES);
    let mut reader = reader(bytes).map_err(bad)?;
    reader.limits(limits);
    reader.decode().map(image_brush).map_err(bad)
}

fn image_brush(image: DynamicImage) -> ImageBrush {
    let image = if image.width().max(image.height()) > MAX_ENCODED_IMAGE_SIDE {
        image.thumbnail(MAX_ENCODED_IMAGE_SIDE, MAX_ENCODED_IMAGE_SIDE)
    } else {
        image
    };
    let size = [image.width(), image.height()];
    rgba8_image(image.into_rgba8().into_raw(), size, ImageAlphaType::Alpha)
}
