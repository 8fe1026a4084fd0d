//! The surface of a window: where pictures are presented.

use std::sync::Arc;

use boxwood::native::Gpu;
use wgpu::CurrentSurfaceTexture;
use wgpu::util::TextureBlitter;
use winit::window::Window;

use crate::error::ViewError;

/// What became of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Presented {
    /// It is on the screen.
    Shown,
    /// The surface was not ready; the same picture should be presented again.
    Again,
    /// The window is not to be seen.
    Hidden,
}

/// Presents pictures in a window.
pub(crate) struct Screen {
    window: Arc<Window>,
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    /// The format that pictures are written in: the surface's, without a conversion to sRGB, which they are in.
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

    /// The size of pictures for the window, in device pixels. None where the window has no area.
    pub(crate) fn size(&self) -> Option<[u32; 2]> {
        let size = self.window.inner_size();
        (size.width > 0 && size.height > 0).then_some([size.width, size.height])
    }

    /// Fits the surface to the window. This waits for the device.
    fn configure(&mut self, gpu: &Gpu) {
        if let Some(extent) = self.extent(gpu) {
            [self.config.width, self.config.height] = extent;
            self.surface.configure(&gpu.device, &self.config);
        }
    }

    /// The size of the surface that fits the window.
    fn extent(&self, gpu: &Gpu) -> Option<[u32; 2]> {
        let limit = gpu.device.limits().max_texture_dimension_2d;
        self.size().map(|size| size.map(|side| side.min(limit)))
    }

    /// Puts a picture on the screen, scaled where the window is not of its size.
    pub(crate) fn present(&mut self, gpu: &Gpu, picture: &wgpu::Texture) -> Result<Presented, ViewError> {
        if self.extent(gpu).is_some_and(|extent| extent != [self.config.width, self.config.height]) {
            self.configure(gpu);
        }
        let (frame, is_optimal) = match self.surface.get_current_texture() {
            CurrentSurfaceTexture::Success(frame) => (frame, true),
            CurrentSurfaceTexture::Suboptimal(frame) => (frame, false),
            CurrentSurfaceTexture::Timeout => return Ok(Presented::Again),
            CurrentSurfaceTexture::Occluded => return Ok(Presented::Hidden),
            CurrentSurfaceTexture::Outdated => {
                self.configure(gpu);
                return Ok(Presented::Again);
            }
            CurrentSurfaceTexture::Lost => {
                self.surface = gpu
                    .instance
                    .create_surface(Arc::clone(&self.window))
                    .map_err(|e| ViewError::Surface(e.to_string()))?;
                self.configure(gpu);
                return Ok(Presented::Again);
            }
            CurrentSurfaceTexture::Validation => {
                return Err(ViewError::Surface("the device refuses it".to_owned()));
            }
        };
        let target = frame.texture.create_view(&wgpu::TextureViewDescriptor {
            format: Some(self.view_format),
            ..Default::default()
        });
        let source = picture.create_view(&wgpu::TextureViewDescriptor::default());
        let mut encoder = gpu
            .device
            .create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("boxwood.screen") });
        self.blitter.copy(&gpu.device, &mut encoder, &source, &target);
        gpu.queue.submit([encoder.finish()]);
        self.window.pre_present_notify();
        gpu.queue.present(frame);
        if !is_optimal {
            self.configure(gpu);
        }
        Ok(Presented::Shown)
    }
}
