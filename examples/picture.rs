//! A texture that an example draws into, and that it writes to a PNG file.

use boxwood::{read_texels, wgpu};

/// The side of the picture in pixels.
pub(crate) const SIZE: u32 = 256;

/// A texture for the picture.
pub(crate) fn texture(device: &wgpu::Device, usage: wgpu::TextureUsages) -> wgpu::Texture {
    device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width: SIZE, height: SIZE, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: usage | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    })
}

/// Copies the texture to the CPU and writes it to a file.
pub(crate) fn save(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    texture: &wgpu::Texture,
    png: &str,
) -> anyhow::Result<()> {
    let pixels = read_texels(device, queue, texture)?;
    Ok(image::save_buffer(png, &pixels, SIZE, SIZE, image::ColorType::Rgba8)?)
}
