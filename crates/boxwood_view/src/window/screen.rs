//! The surface of a window, and presenting the panels on it.

use std::sync::Arc;

use boxwood::native::Gpu;
use egui::{Context, FullOutput, TexturesDelta};
use wgpu::CurrentSurfaceTexture;
use winit::window::Window;

use super::error::ViewError;
use crate::error::RenderError;
use crate::gpu::{MeshRenderer, Target};
use crate::state::SURROUND;

/// Presents what egui draws in a window.
pub(crate) struct Screen {
    gpu: Gpu,
    window: Arc<Window>,
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    /// The surface's format without the conversion to sRGB. Pictures are in sRGB already.
    view_format: wgpu::TextureFormat,
    renderer: MeshRenderer,
    /// The changes of textures that the renderer has not seen yet.
    textures: TexturesDelta,
}

impl Screen {
    pub(crate) fn new(
        gpu: Gpu,
        window: Arc<Window>,
        surface: wgpu::Surface<'static>,
    ) -> Result<Self, ViewError> {
        let config = surface.get_default_config(&gpu.adapter, 1, 1);
        let mut config =
            config.ok_or_else(|| ViewError::Surface("the adapter has no pixel format for it".to_owned()))?;
        let is_plain = |format: &wgpu::TextureFormat| {
            matches!(format, wgpu::TextureFormat::Bgra8Unorm | wgpu::TextureFormat::Rgba8Unorm)
        };
        let formats = surface.get_capabilities(&gpu.adapter).formats;
        config.format = formats.into_iter().find(is_plain).unwrap_or(config.format);
        config.present_mode = wgpu::PresentMode::AutoVsync;
        let view_format = config.format.remove_srgb_suffix();
        if view_format != config.format {
            config.view_formats = vec![view_format];
        }
        let renderer = MeshRenderer::new(&gpu.device, &gpu.queue, view_format);
        let textures = TexturesDelta::default();
        let mut screen = Self { gpu, window, surface, config, view_format, renderer, textures };
        screen.configure();
        Ok(screen)
    }

    /// The adapter and the device that present.
    pub(crate) fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// Replaces the shader of the panels, or keeps it and returns the error.
    pub(crate) fn set_shader(&mut self, source: &str) -> Result<(), RenderError> {
        self.renderer.set_shader(source)
    }

    /// Sets whether presenting waits for the screen.
    pub(crate) fn set_vsync(&mut self, has_vsync: bool) {
        let mode = if has_vsync { wgpu::PresentMode::AutoVsync } else { wgpu::PresentMode::AutoNoVsync };
        if mode != self.config.present_mode {
            self.config.present_mode = mode;
            self.configure();
        }
    }

    /// The size of pictures for the window, in device pixels. `None` if the window has no area.
    pub(crate) fn size(&self) -> Option<[u32; 2]> {
        let limit = self.gpu.device.limits().max_texture_dimension_2d;
        let size = self.window.inner_size();
        (size.width > 0 && size.height > 0).then_some([size.width.min(limit), size.height.min(limit)])
    }

    /// Fits the surface to the window. This waits for the device.
    fn configure(&mut self) {
        if let Some(size) = self.size() {
            [self.config.width, self.config.height] = size;
            self.surface.configure(&self.gpu.device, &self.config);
        }
    }

    /// Presents the output of a pass. Requests another redraw if the surface is not ready.
    pub(crate) fn present(&mut self, ctx: &Context, output: FullOutput) -> Result<(), ViewError> {
        self.textures.append(output.textures_delta);
        if self.size().is_some_and(|size| size != [self.config.width, self.config.height]) {
            self.configure();
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
                    let surface = self.gpu.instance.create_surface(Arc::clone(&self.window));
                    self.surface = surface.map_err(|e| ViewError::Surface(e.to_string()))?;
                }
                if !matches!(unready, CurrentSurfaceTexture::Timeout) {
                    self.configure();
                }
                self.window.request_redraw();
                return Ok(());
            }
        };
        let target = frame.texture.create_view(&wgpu::TextureViewDescriptor {
            format: Some(self.view_format),
            ..Default::default()
        });
        let primitives = ctx.tessellate(output.shapes, output.pixels_per_point);
        let target = Target {
            view: &target,
            size: [self.config.width, self.config.height],
            pixels_per_point: output.pixels_per_point,
            background: SURROUND,
        };
        self.renderer.draw(&primitives, &self.textures, target);
        self.textures.clear();
        self.window.pre_present_notify();
        self.gpu.queue.present(frame);
        if !is_optimal {
            self.configure();
        }
        Ok(())
    }
}
