//! Textures that replace images, as in `vello::Renderer`.

use std::sync::Arc;

use peniko::{Blob, ImageAlphaType, ImageData, ImageFormat};

use super::Renderer;

impl Renderer {
    /// Draws `texture` wherever a scene has `image`, or the image itself again with `None`. Returns
    /// the texture that was drawn before.
    ///
    /// The texture has the size of the image, the format `Rgba8Unorm`, straight alpha, and the
    /// usage `COPY_SRC`. A frame that draws the image returns
    /// [`Error::Texture`](crate::Error::Texture) if the format or the usage is wrong.
    pub fn override_image(
        &mut self,
        image: &ImageData,
        texture: Option<wgpu::TexelCopyTextureInfoBase<wgpu::Texture>>,
    ) -> Option<wgpu::TexelCopyTextureInfoBase<wgpu::Texture>> {
        self.resolver.mark_image_dirty(image);
        match texture {
            Some(texture) => self.engine.image_overrides.insert(image.data.id(), texture),
            None => self.engine.image_overrides.remove(&image.data.id()),
        }
    }

    /// Copies the texture that replaces `image` again. Call this when it has changed.
    pub fn mark_override_image_dirty(&mut self, image: &ImageData) {
        self.resolver.mark_image_dirty(image);
    }

    /// Makes an image for scenes of this renderer from a texture on the GPU, which has the
    /// properties that [`override_image`](Self::override_image) requires.
    pub fn register_texture(&mut self, texture: wgpu::Texture) -> ImageData {
        let image = ImageData {
            data: Blob::new(Arc::new([])),
            format: ImageFormat::Rgba8,
            alpha_type: ImageAlphaType::Alpha,
            width: texture.width(),
            height: texture.height(),
        };
        let whole = wgpu::TexelCopyTextureInfoBase {
            texture,
            mip_level: 0,
            origin: wgpu::Origin3d::ZERO,
            aspect: wgpu::TextureAspect::All,
        };
        self.override_image(&image, Some(whole));
        image
    }

    /// Releases a registered texture.
    #[expect(clippy::needless_pass_by_value, reason = "the image is of no use afterwards")]
    pub fn unregister_texture(&mut self, image: ImageData) {
        self.override_image(&image, None);
    }
}
