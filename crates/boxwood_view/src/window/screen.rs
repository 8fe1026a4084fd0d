//! The surface of a window, and presenting pictures on it.

use std::sync::Arc;

use boxwood::native::Gpu;
use wgpu::CurrentSurfaceTexture;
use wgpu::util::TextureBlitter;
use winit::window::Window;

use super::error::ViewError;

/// Presents pictures in a window.
pub(crate) struct Screen {
    window: Arc<Window>,
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    /// The surface's format without the conversion to sRGB. Pictures are in sRGB already.
    view_format: wgpu::TextureFormat,
    blitter: TextureBlitter,
}

impl Screen {
    pub(crate) fn new(
        gpu: &Gpu,
        window: Arc<Window>,
        surface: wgpu::Surface<'static>,
    ) -> Result<Self, ViewError> {
        let formats = surface.get_capabilities(&gpu.adapter).formats;
        let is_plain = |format: &&wgpu::TextureFormat| {
            matches!(format, wgpu::TextureFormat::Bgra8Unorm | wgpu::TextureFormat::Rgba8Unorm)
        };
        let format = formats.iter().find(is_plain).or(formats.first()).copied();
        let format = format.ok_or_else(|| ViewError::Surface("it has no pixel format".to_owned()))?;
        let view_format = format.remove_srgb_suffix();
        let mut config = surface
            .get_default_config(&gpu.adapter, 1, 1)
            .ok_or_else(|| ViewError::Surface("the adapter does not support it".to_owned()))?;
        config.format = format;
        config.present_mode = wgpu::PresentMode::AutoVsync;
        if view_format != format {
            config.view_formats = vec![view_format];
        }
        let blitter = TextureBlitter::new(&gpu.device, view_format);
        let mut screen = Self { window, surface, config, view_format, blitter };
        screen.configure(gpu);
        Ok(screen)
    }

    /// The size of pictures for the window, in device pixels. `None` if the window has no area.
    pub(crate) fn size(&self) -> Option<[u32; 2]> {
        let size = self.window.inner_size();
        (size.width > 0 && size.height > 0).then_some([size.width, size.height])
    }

    /// Fits the surface to the window. This waits for the device.
    fn configure(&mut self, gpu: &Gpu) {
        if let Some(size) = self.surface_size(gpu) {
            [self.config.width, self.config.height] = size;
            self.surface.configure(&gpu.device, &self.config);
        }
    }

    /// The size of the surface that fits the window.
    fn surface_size(&self, gpu: &Gpu) -> Option<[u32; 2]> {
        let limit = gpu.device.limits().max_texture_dimension_2d;
        self.size().map(|size| size.map(|side| side.min(limit)))
    }

    /// Presents a picture, scaled if the window has another size. Requests another redraw if the
    /// surface is not ready.
    pub(crate) fn present(&mut self, gpu: &Gpu, picture: &wgpu::Texture) -> Result<(), ViewError> {
        if self.surface_size(gpu).is_some_and(|size| size != [self.config.width, self.config.height]) {
            self.configure(gpu);
        }
        let (frame, is_optimal) = match self.surface.get_current_texture() {
            CurrentSurfaceTexture::Success(frame) => (frame, true),
            CurrentSurfaceTexture::Suboptimal(frame) => (frame, false),
            CurrentSurfaceTexture::Occluded => return Ok(()),
            CurrentSurfaceTexture::Validation => {
                return Err(ViewError::Surface("the device refuses it".to_owned()));
            }
            unready => {
                if matches!(unready, CurrentSurfaceTexture::Lost) {
                    let surface = gpu.instance.create_surface(Arc::clone(&self.window));
                    self.surface = surface.map_err(|e| ViewError::Surface(e.to_string()))?;
                }
                if !matches!(unready, CurrentSurfaceTexture::Timeout) {
                    self.configure(gpu);
                }
                self.window.request_redraw();
                return Ok(());
            }
        };
        let target = frame.texture.create_view(&wgpu::TextureViewDescriptor {
            format: Some(self.view_format),
            ..Default::default()
        });
        let source = picture.create_view(&wgpu::TextureViewDescriptor::default());
        let label = Some("boxwood.screen");
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label });
        self.blitter.copy(&gpu.device, &mut encoder, &source, &target);
        gpu.queue.submit([encoder.finish()]);
        self.window.pre_present_notify();
        gpu.queue.present(frame);
        if !is_optimal {
            self.configure(gpu);
        }
        Ok(())
    }
}
