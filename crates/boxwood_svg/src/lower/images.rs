//! Raster images as leaves.

use std::sync::Arc;

use image::{DynamicImage, ImageReader, Limits};
use kurbo::{Affine, Shape};
use peniko::{Brush, Fill, ImageAlphaType, ImageBrush, ImageQuality};
use usvg::{Image, ImageRendering};

use crate::geometry::{rect_box, rgba8_image, sized};
use crate::guard::limits::{
    DECODER_BYTES_PER_PIXEL, DECODER_TABLE_BYTES, MAX_ENCODED_IMAGE_SIDE, MAX_IMAGE_SIDE,
};
use crate::lower::context::{Context, Output, Placement};
use crate::lower::leaves::fill_near;
use crate::lower::paint::Paint;
use crate::read::images::reader;
use crate::table::Role;
use crate::warnings::WarningKind;

/// Lowers a raster image in some bytes to a leaf.
pub(crate) fn raster_image(
    cx: &Context<'_>,
    out: &mut Output,
    image: &Image,
    bytes: &Arc<Vec<u8>>,
    placement: Placement,
) {
    let address = Arc::as_ptr(bytes).addr();
    let decoded = out.images.get(&address).cloned().unwrap_or_else(|| {
        let decoded = decode(bytes);
        if let Err(warning) = decoded {
            out.warn(cx, warning);
        }
        let decoded = decoded.ok();
        out.images.insert(address, decoded.clone());
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
    let rect = sized(image.size());
    let leaf_box = rect_box(rect, placement.scene_from_node);
    if leaf_box.is_empty() {
        return;
    }
    let size = [brush.image.width, brush.image.height].map(f64::from);
    let scale = Affine::scale_non_uniform(rect.width() / size[0], rect.height() / size[1]);
    let paint = Paint::Brush((Brush::Image(brush), Some(placement.scene_from_node * scale)));
    let shape = rect.to_path(0.1);
    fill_near(cx, out, &shape, Fill::NonZero, &paint, placement, leaf_box, Role::Image);
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
