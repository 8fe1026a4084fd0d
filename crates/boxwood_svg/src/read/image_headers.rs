//! The formats and sizes of raster images, from their first bytes.

#[cfg(feature = "images")]
mod header {
    use std::io::Cursor;

    use image::{ImageReader, ImageResult};

    /// Whether the bytes begin as a raster image.
    pub(crate) fn is_raster(bytes: &[u8]) -> bool {
        image::guess_format(bytes).is_ok()
    }

    /// A reader of a raster image, whose signature decides its format.
    pub(crate) fn reader(bytes: &[u8]) -> ImageResult<ImageReader<Cursor<&[u8]>>> {
        Ok(ImageReader::with_format(Cursor::new(bytes), image::guess_format(bytes)?))
    }

    /// The width and the height of a raster image in pixels. `None` if they cannot be read.
    pub(crate) fn size(bytes: &[u8]) -> Option<[u32; 2]> {
        let (width, height) = reader(bytes).and_then(ImageReader::into_dimensions).ok()?;
        Some([width, height])
    }
}

/// The same without decoders. usvg reads the sizes of images in this way.
#[cfg(not(feature = "images"))]
mod header {
    use imagesize::ImageType;

    /// Whether the bytes begin as a raster image.
    pub(crate) fn is_raster(bytes: &[u8]) -> bool {
        use ImageType::{Gif, Jpeg, Png, Webp};
        matches!(imagesize::image_type(bytes), Ok(Gif | Jpeg | Png | Webp))
    }

    /// The width and the height of a raster image in pixels. `None` if they cannot be read.
    pub(crate) fn size(bytes: &[u8]) -> Option<[u32; 2]> {
        let size = imagesize::blob_size(bytes).ok()?;
        Some([u32::try_from(size.width).ok()?, u32::try_from(size.height).ok()?])
    }
}

#[cfg(feature = "images")]
pub(crate) use header::reader;
pub(crate) use header::{is_raster, size};
