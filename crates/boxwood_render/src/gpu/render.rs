//! Pictures for files, drawn on the GPU without a window.

use boxwood::native::Gpu;
use boxwood::read_texels;
use boxwood_svg::Drawing;
use boxwood_vello::checked;
use image::RgbaImage;

use super::painter::Painter;
use super::region::Region;
use crate::error::RenderError;
use crate::legend::with_legend_below;
use crate::picture::{Legend, RenderOptions};

/// A picture is drawn in squares with this side, in pixels. This limits the memory that the device
/// needs: 2048 x 2048 pixels are 16 MiB.
const REGION_SIDE: u32 = 2048;

/// Draws a picture of a whole drawing on the GPU. The image has straight alpha.
///
/// Use a [`Painter`] for several pictures: this function compiles shaders each time.
///
/// # Errors
///
/// [`RenderError`] if the size of the picture is not within the limits, the drawing exceeds a limit
/// of the device, the renderer, or resvg, or the device reports an error.
pub fn render(gpu: &Gpu, drawing: &Drawing, options: &RenderOptions) -> Result<RgbaImage, RenderError> {
    // A wrong size is refused before anything is compiled.
    options.frame(drawing.size, gpu.device.limits().max_texture_dimension_2d)?;
    let mut painter = Painter::new(gpu)?;
    painter.set_drawing(drawing)?;
    painter.render(options)
}

impl Painter {
    /// Draws a picture of the whole current drawing, and waits for it. The image has straight
    /// alpha.
    ///
    /// # Errors
    ///
    /// The same as [`render`], and [`RenderError::NoDrawing`].
    pub fn render(&mut self, options: &RenderOptions) -> Result<RgbaImage, RenderError> {
        let drawing = self.layers.drawing.as_ref().ok_or(RenderError::NoDrawing)?;
        let frame = options.frame(drawing.size, self.max_side())?;
        let [width, height] = frame.size;
        let mut image = RgbaImage::new(width, height);
        let deadline = self.deadline();
        for region in Region::whole(frame.size).squares(REGION_SIDE) {
            let painted = self.paint_region(&frame, region, &deadline)?;
            let [left, top] = region.corner.map(i64::from);
            image::imageops::replace(&mut image, &self.read(&painted)?, left, top);
        }
        if options.legend == Legend::Below {
            with_legend_below(image, options.overlay.styles())
        } else {
            Ok(image)
        }
    }

    /// Copies a picture to the CPU.
    ///
    /// # Errors
    ///
    /// The device reports an error, or is lost.
    pub fn read(&self, picture: &wgpu::Texture) -> Result<RgbaImage, RenderError> {
        let Self { device, queue, .. } = self;
        let pixels = checked(device, RenderError::Device, || Ok(read_texels(device, queue, picture)?))?;
        let image = RgbaImage::from_raw(picture.width(), picture.height(), pixels);
        Ok(image.expect("each pixel has four bytes"))
    }
}
