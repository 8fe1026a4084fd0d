//! The parts of `vello::Renderer` that serve the development of Vello itself.

use vello::low_level::DebugLayers;
use vello::{RenderParams, Scene};
use vello_encoding::BumpAllocators;

use super::Renderer;
use super::in_flight::Counters;
use crate::engine::Frame;
use crate::error::Error;

impl Renderer {
    /// Draws a scene into a texture and returns Vello's counters, without blocking: the future is
    /// ready when the device has drawn the frame. Somebody has to poll the device meanwhile.
    ///
    /// With the feature `debug_layers`, this draws `debug_layers` over the picture as Vello does.
    /// The texture then needs the usage `RENDER_ATTACHMENT`. Without the feature it logs a warning.
    ///
    /// Use [`render_to_texture`](Self::render_to_texture) unless you need the counters or the
    /// layers.
    ///
    /// # Errors
    ///
    /// The same as [`render_to_texture`](Self::render_to_texture).
    #[deprecated(note = "`render_to_texture` is preferred, as in Vello")]
    pub async fn render_to_texture_async(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        scene: &Scene,
        texture: &wgpu::TextureView,
        params: &RenderParams,
        debug_layers: DebugLayers,
    ) -> Result<Option<BumpAllocators>, Error> {
        if cfg!(not(feature = "debug_layers")) && !debug_layers.is_empty() {
            log::warn!("{debug_layers:?} are not drawn: enable the feature `debug_layers` of boxwood_vello");
        }
        self.poll(device)?;
        let frame = Frame { device, queue, encoding: scene.encoding(), texture, params };
        let counters = self.render(&frame, Counters::Awaited).await?;
        #[cfg(feature = "debug_layers")]
        if let Some(counters) = counters
            && !debug_layers.is_empty()
        {
            self.debug_layers.draw(&frame, counters.lines, debug_layers).await?;
        }
        Ok(counters)
    }

    /// Loads Vello's shaders again from the source folder of the crate `vello_shaders`, for the
    /// development of Vello. If that fails, the renderer keeps its shaders.
    ///
    /// # Errors
    ///
    /// [`Error::Shaders`] if a shader is invalid, [`Error::Gpu`] if the device refuses it.
    #[cfg(feature = "hot_reload")]
    #[expect(clippy::unused_async, reason = "the signature is that of Vello")]
    pub async fn reload_shaders(&mut self, device: &wgpu::Device) -> Result<(), Error> {
        let sources = vello_shaders::compile::ShaderInfo::from_default()?;
        self.engine.shaders =
            crate::engine::Shaders::new(device, &self.options, |shader| match sources.get(&*shader.name) {
                Some(info) => info.source.clone().into(),
                None => shader.wgsl.code.clone(),
            })?;
        self.engine.resources.forget_free();
        Ok(())
    }
}
