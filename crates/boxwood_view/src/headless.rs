//! Pictures for files, drawn on the GPU without a window.

use boxwood::native::Gpu;
use boxwood_svg::Drawing;
use image::RgbaImage;

use crate::canvas::{Region, read_buffer};
use crate::error::RenderError;
use crate::frame::Frame;
use crate::options::RenderOptions;
use crate::painter::{Painter, checked};
use crate::view_transform::ViewTransform;

/// The side of the squares that a picture is drawn in, in pixels: what the device needs memory for at a time.
const REGION: u32 = 2048;

/// Draws a picture of a scene on the GPU. The alpha of the picture is straight, as PNG has it.
///
/// # Errors
///
/// A picture or a scene beyond a limit, and whatever the device reports.
pub fn render(gpu: &Gpu, drawing: &Drawing, options: &RenderOptions) -> Result<RgbaImage, RenderError> {
    // A picture that is too large is refused before anything is compiled.
    options.size.of(drawing.size, gpu.device.limits().max_texture_dimension_2d)?;
    let mut painter = Painter::new(gpu)?;
    painter.set_drawing(drawing)?;
    painter.render(options)
}

impl Painter {
    /// Draws a picture of the present scene and waits for it. The alpha of the picture is straight, as PNG has it.
    ///
    /// # Errors
    ///
    /// No scene, a picture beyond a limit, and whatever the device reports.
    pub fn render(&mut self, options: &RenderOptions) -> Result<RgbaImage, RenderError> {
        let scene_size = self.scene_size().ok_or(RenderError::NoScene)?;
        let extent = options.size.of(scene_size, self.device().limits().max_texture_dimension_2d)?;
        let frame = Frame {
            size: extent.size,
            view: ViewTransform::scaled(extent.zoom),
            scale_factor: 1.0,
            background: options.background,
            surround: None,
            overlay: options.overlay,
            boxes: options.boxes,
            legend: options.legend,
            message: None,
        };
        let [width, height] = extent.size;
        let mut image = RgbaImage::new(width, height);
        let deadline = self.deadline();
        for top in (0..height).step_by(REGION as usize) {
            for left in (0..width).step_by(REGION as usize) {
                let size = [(width - left).min(REGION), (height - top).min(REGION)];
                let texture = self.paint_region(&frame, Region { corner: [left, top], size }, &deadline)?;
                let region = read_texture(self.device(), self.queue(), &texture)?;
                image::imageops::replace(&mut image, &region, left.into(), top.into());
            }
        }
        Ok(image)
    }
}

/// Copies a texture of four bytes a pixel to the CPU.
pub(crate) fn read_texture(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    texture: &wgpu::Texture,
) -> Result<RgbaImage, RenderError> {
    let (width, height) = (texture.width(), texture.height());
    let row = 4 * width;
    let padded_row = row.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    let staging = checked(device, || {
        let staging = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("boxwood.picture.read_back"),
            size: u64::from(padded_row) * u64::from(height),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor {
            label: Some("boxwood.picture.read_back"),
        });
        encoder.copy_texture_to_buffer(
            texture.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &staging,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(padded_row),
                    rows_per_image: None,
                },
            },
            texture.size(),
        );
        queue.submit([encoder.finish()]);
        Ok(staging)
    })?;
    let bytes = read_buffer(device, &staging)?;
    let pixels = bytes.chunks_exact(padded_row as usize).flat_map(|line| &line[..row as usize]).copied();
    Ok(RgbaImage::from_raw(width, height, pixels.collect()).expect("four bytes a pixel were copied"))
}
