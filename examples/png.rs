//! Writes a texture to a PNG file, for the examples that draw.

use boxwood::{read_items, wgpu};

/// Copies a texture in the format `Rgba8Unorm` to the CPU and writes it. wgpu requires that a row is a multiple of
/// 256 bytes, so the width must be a multiple of 64.
pub(crate) fn save(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    texture: &wgpu::Texture,
    png: &str,
) -> anyhow::Result<()> {
    let (width, height) = (texture.width(), texture.height());
    let n_bytes = 4 * width * height;
    let buffer = device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: n_bytes.into(),
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC,
        mapped_at_creation: false,
    });
    let layout =
        wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(4 * width), rows_per_image: None };
    let mut encoder = device.create_command_encoder(&Default::default());
    encoder.copy_texture_to_buffer(
        texture.as_image_copy(),
        wgpu::TexelCopyBufferInfo { buffer: &buffer, layout },
        texture.size(),
    );
    queue.submit([encoder.finish()]);
    let bytes = read_items::<u8>(device, queue, &buffer, n_bytes as usize)?;
    Ok(image::save_buffer(png, &bytes, width, height, image::ColorType::Rgba8)?)
}
