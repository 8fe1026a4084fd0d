//! Textures for pictures, and the errors that a device reports.

use crate::error::RenderError;

/// The format of pictures. The alpha is straight, not premultiplied.
pub(crate) const PICTURE_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// `old` if it has this size, or else a new texture for a picture.
pub(crate) fn picture_texture(
    device: &wgpu::Device,
    old: Option<wgpu::Texture>,
    [width, height]: [u32; 2],
) -> wgpu::Texture {
    let size = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
    old.filter(|old| old.size() == size).unwrap_or_else(|| {
        device.create_texture(&wgpu::TextureDescriptor {
            label: Some("boxwood.picture"),
            size,
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: PICTURE_FORMAT,
            usage: wgpu::TextureUsages::STORAGE_BINDING
                | wgpu::TextureUsages::RENDER_ATTACHMENT
                | wgpu::TextureUsages::COPY_SRC
                | wgpu::TextureUsages::COPY_DST
                | wgpu::TextureUsages::TEXTURE_BINDING,
            view_formats: &[],
        })
    })
}

/// Runs work on a device, and returns the errors that the device reports meanwhile. By default they
/// would end the process.
pub(crate) fn checked<T>(
    device: &wgpu::Device,
    work: impl FnOnce() -> Result<T, RenderError>,
) -> Result<T, RenderError> {
    let memory = device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
    let validation = device.push_error_scope(wgpu::ErrorFilter::Validation);
    let result = work();
    let validation = pollster::block_on(validation.pop());
    let memory = pollster::block_on(memory.pop());
    match validation.or(memory) {
        Some(error) => result.and(Err(RenderError::Device(error.to_string()))),
        None => result,
    }
}
