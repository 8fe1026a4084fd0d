//! The surface of a window, and presenting the panels on it.

use std::sync::{Arc, Mutex, PoisonError};

use boxwood::native::Gpu;
use boxwood_render::{MAX_PIXELS, RenderError};
use egui::{Context, FullOutput, TexturesDelta};
use wgpu::CurrentSurfaceTexture;
use wgpu_profiler::GpuProfiler;
use winit::event_loop::OwnedDisplayHandle;
use winit::window::Window;

use super::error::ViewError;
use super::loss::Loss;
use super::panics::{Caught, catch};
use super::presented::Presented;
use crate::meshes::{MeshRenderer, Target};
use crate::state::SURROUND;

/// Where a window presents, and the adapter that it asks for.
#[derive(Clone)]
pub(crate) struct ScreenTarget {
    pub(crate) display: OwnedDisplayHandle,
    pub(crate) window: Arc<Window>,
    /// A part of the name of the adapter. With `None`, the best adapter that can present.
    pub(crate) adapter: Option<String>,
}

/// Presents what egui draws in a window.
pub(crate) struct Screen {
    place: ScreenTarget,
    gpu: Gpu,
    loss: Loss,
    /// The first error that the device has reported.
    failure: Arc<Mutex<Option<String>>>,
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    /// The surface's format without the conversion to sRGB. Pictures are in sRGB already.
    view_format: wgpu::TextureFormat,
    renderer: MeshRenderer,
    /// The changes of textures that the renderer has not seen yet.
    textures: TexturesDelta,
    /// The shader of the panels, if it was replaced.
    shader: Option<String>,
    /// Whether anything has been presented.
    has_presented: bool,
    presented: Presented,
}

impl Screen {
    /// Opens a device for a window.
    pub(crate) fn open(place: ScreenTarget) -> Result<Self, ViewError> {
        let mut screen = Self::unconfigured(place)?;
        screen.configure();
        Ok(screen)
    }

    /// Opens another device after the current one was lost. It has no textures.
    ///
    /// A device that is lost before it has presented anything is not replaced.
    pub(crate) fn reopen(&mut self, reason: String) -> Result<(), ViewError> {
        if !self.has_presented {
            return Err(RenderError::DeviceLost(reason).into());
        }
        let shader = self.shader.take();
        // The assignment drops the old surface. A window can have only one that is configured.
        *self = Self::unconfigured(self.place.clone())?;
        self.configure();
        shader.map_or(Ok(()), |shader| Ok(self.set_shader(&shader)?))
    }

    fn unconfigured(place: ScreenTarget) -> Result<Self, ViewError> {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_with_display_handle_from_env(
            Box::new(place.display.clone()),
        ));
        let surface = instance.create_surface(Arc::clone(&place.window));
        let surface = surface.map_err(|error| ViewError::Surface(error.to_string()))?;
        let timers = GpuProfiler::ALL_WGPU_TIMER_FEATURES;
        let gpu = Gpu::open_on(instance, Some(&surface), place.adapter.as_deref(), timers)?;
        let loss = Loss::watch(&gpu.device);
        let failure = Arc::new(Mutex::new(None));
        let first = Arc::clone(&failure);
        gpu.device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            first.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(|| error.to_string());
        }));
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
        Ok(Self {
            place,
            gpu,
            loss,
            failure,
            surface,
            config,
            view_format,
            renderer,
            textures,
            shader: None,
            has_presented: false,
            presented: Presented::default(),
        })
    }

    /// The adapter and the device that present.
    pub(crate) fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// Replaces the shader of the panels, or keeps it and returns the error.
    pub(crate) fn set_shader(&mut self, source: &str) -> Result<(), RenderError> {
        self.renderer.set_shader(source)?;
        self.shader = Some(source.to_owned());
        self.presented.clear();
        Ok(())
    }

    /// Sets whether presenting waits for the screen.
    pub(crate) fn set_vsync(&mut self, has_vsync: bool) {
        let mode = if has_vsync { wgpu::PresentMode::AutoVsync } else { wgpu::PresentMode::AutoNoVsync };
        if mode != self.config.present_mode {
            self.config.present_mode = mode;
            self.configure();
        }
    }

    /// The size of the part of the window that is drawn, in device pixels. `None` if it has no
    /// area.
    pub(crate) fn size(&self) -> Option<[u32; 2]> {
        let size = self.place.window.inner_size();
        drawn_part([size.width, size.height], self.gpu.device.limits().max_texture_dimension_2d)
    }

    /// Fits the surface to the window. This waits for the device.
    fn configure(&mut self) {
        self.presented.clear();
        if let Some(size) = self.size() {
            [self.config.width, self.config.height] = size;
            self.surface.configure(&self.gpu.device, &self.config);
        }
    }

    /// Whether the window shows a pass with this output already. Pixels that the windowing system
    /// has lost are not noticed.
    pub(crate) fn shows(&self, output: &FullOutput) -> bool {
        self.size() == Some([self.config.width, self.config.height]) && self.presented.looks_like(output)
    }

    /// Keeps the changes of textures of a pass that is not presented, for the next one that is.
    pub(crate) fn keep_textures(&mut self, textures: TexturesDelta) {
        self.textures.append(textures);
    }

    /// Presents the output of a pass. Requests another redraw if the surface is not ready.
    ///
    /// # Errors
    ///
    /// [`ViewError::DeviceLost`] if the device is lost. [`reopen`](Self::reopen) replaces it.
    pub(crate) fn present(&mut self, ctx: &Context, output: FullOutput) -> Result<(), ViewError> {
        let loss = self.loss.clone();
        let presented = catch(Caught::IfLost(loss.clone()), || {
            let presented = self.try_present(ctx, output);
            if presented.is_err() {
                // A loss may be reported only when something asks the device.
                let _ = self.gpu.device.poll(wgpu::PollType::Poll);
            }
            presented
        });
        match (loss.reason(), presented) {
            (Some(reason), _) => Err(ViewError::DeviceLost(reason)),
            (None, presented) => presented.unwrap_or(Ok(())),
        }
    }

    fn try_present(&mut self, ctx: &Context, output: FullOutput) -> Result<(), ViewError> {
        self.presented.clear();
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
                    let surface = self.gpu.instance.create_surface(Arc::clone(&self.place.window));
                    self.surface = surface.map_err(|e| ViewError::Surface(e.to_string()))?;
                }
                if !matches!(unready, CurrentSurfaceTexture::Timeout) {
                    self.configure();
                }
                self.place.window.request_redraw();
                return Ok(());
            }
        };
        let target = frame.texture.create_view(&wgpu::TextureViewDescriptor {
            format: Some(self.view_format),
            ..Default::default()
        });
        self.presented.set(&output.shapes, output.pixels_per_point);
        let primitives = ctx.tessellate(output.shapes, output.pixels_per_point);
        let target = Target {
            view: &target,
            size: [self.config.width, self.config.height],
            pixels_per_point: output.pixels_per_point,
            background: SURROUND,
        };
        self.renderer.draw(&primitives, &self.textures, target);
        self.textures.clear();
        self.place.window.pre_present_notify();
        self.gpu.queue.present(frame);
        if !is_optimal {
            self.configure();
        }
        if let Some(failure) = self.failure.lock().unwrap_or_else(PoisonError::into_inner).take() {
            return Err(RenderError::Device(failure).into());
        }
        self.has_presented = true;
        Ok(())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // egui panics if changes of textures are forgotten.
        self.textures.clear();
    }
}

/// The size of the part of a window that is drawn, from its upper left corner: as much as a texture
/// with this maximum side, and a picture, can have. `None` if it has no area.
fn drawn_part([width, height]: [u32; 2], max_side: u32) -> Option<[u32; 2]> {
    let width = width.min(max_side);
    let max_height = MAX_PIXELS.checked_div(width)?.min(max_side);
    (height > 0).then_some([width, height.min(max_height)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_is_drawn_within_the_limits() {
        assert_eq!(drawn_part([1024, 768], 8192), Some([1024, 768]));
        assert_eq!(drawn_part([1, 1], 8192), Some([1, 1]));
        assert_eq!(drawn_part([20_000, 400], 16_384), Some([16_384, 400]));
        assert_eq!(drawn_part([400, 20_000], 8192), Some([400, 8192]));
        assert_eq!(drawn_part([16_384, 16_384], 16_384), Some([16_384, 4096]), "64 Mi pixels");
        assert_eq!(drawn_part([0, 768], 8192), None);
        assert_eq!(drawn_part([1024, 0], 8192), None);
    }
}
