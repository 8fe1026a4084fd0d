//! Textures for pictures.

/// The format of pictures. The alpha is straight, not premultiplied.
pub(crate) const PICTURE_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// The textures that a picture is drawn into.
#[derive(Debug)]
pub struct PictureTextures {
    /// The picture, with the overlay unless it has a texture of its own.
    pub picture: wgpu::Texture,
    /// The overlay, unless it is part of the picture. Pixels without lines are transparent.
    pub overlay: Option<wgpu::Texture>,
}

impl PictureTextures {
    /// New textures of a size.
    pub(super) fn new(device: &wgpu::Device, size: [u32; 2], has_own_overlay: bool) -> Self {
        Self::over(device, picture_texture(device, size), has_own_overlay)
    }

    /// A picture that is there, with a new texture for its overlay.
    pub(super) fn over(device: &wgpu::Device, picture: wgpu::Texture, has_own_overlay: bool) -> Self {
        // The device clears new textures.
        let size = [picture.width(), picture.height()];
        Self { overlay: has_own_overlay.then(|| picture_texture(device, size)), picture }
    }

    /// The texture that the overlay is drawn into.
    pub(super) fn with_overlay(&self) -> &wgpu::Texture {
        self.overlay.as_ref().unwrap_or(&self.picture)
    }

    /// Each texture, with that of the same kind in `other`.
    pub(super) fn zip<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = [&'a wgpu::Texture; 2]> {
        let overlays = self.overlay.iter().zip(&other.overlay).map(<[_; 2]>::from);
        std::iter::once([&self.picture, &other.picture]).chain(overlays)
    }
}

/// A new texture for a picture.
pub(crate) fn picture_texture(device: &wgpu::Device, [width, height]: [u32; 2]) -> wgpu::Texture {
    device.create_texture(&wgpu::TextureDescriptor {
        label: Some("boxwood.picture"),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
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
}
