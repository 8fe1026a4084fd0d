//! An open window, and everything that lives as long as it.

use std::sync::Arc;

use boxwood::native::{Gpu, GpuError};
use kurbo::Point;
use winit::event_loop::ActiveEventLoop;
use winit::keyboard::ModifiersState;
use winit::window::{CursorIcon, Window};

use super::error::ViewError;
use super::event_loop::{initial_size, refused};
use super::paint_thread::{Done, Job, PaintThread};
use super::screen::Screen;
use super::watch::Watch;

/// An open window. The fields are dropped in this order: the surface before its window.
pub(crate) struct OpenWindow {
    pub(crate) painting: PaintThread,
    pub(crate) screen: Screen,
    pub(crate) gpu: Gpu,
    pub(crate) window: Arc<Window>,
    pub(crate) watch: Option<Watch>,
    /// The next job for the painter that is not a picture.
    pub(crate) next_job: Option<Job>,
    /// The picture that is shown.
    pub(crate) picture: Option<wgpu::Texture>,
    /// A picture that is not shown any more.
    pub(crate) spare: Option<wgpu::Texture>,
    pub(crate) modifiers: ModifiersState,
    /// The position of the cursor in device pixels.
    pub(crate) cursor: Point,
    pub(crate) is_dragging: bool,
    /// Whether the painter has not yet been asked for the current picture.
    pub(crate) is_stale: bool,
}

impl OpenWindow {
    /// Opens a window and starts a painter for it, which calls `done` in its thread.
    pub(crate) fn new(
        event_loop: &ActiveEventLoop,
        title: &str,
        adapter: Option<&str>,
        done: impl Fn(Done) + Clone + Send + 'static,
    ) -> Result<Self, ViewError> {
        let attributes =
            Window::default_attributes().with_title(title).with_inner_size(initial_size(event_loop));
        let window = Arc::new(event_loop.create_window(attributes).map_err(refused)?);
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_with_display_handle_from_env(
            Box::new(event_loop.owned_display_handle()),
        ));
        let surface = instance.create_surface(Arc::clone(&window)).map_err(|error| {
            // There is no surface without a driver either, and then the driver is what is missing.
            if Gpu::adapters().is_empty() {
                ViewError::Gpu(GpuError::NoAdapter)
            } else {
                ViewError::Surface(error.to_string())
            }
        })?;
        let gpu = Gpu::open_on(instance, Some(&surface), adapter, wgpu::Features::empty())?;
        let screen = Screen::new(&gpu, Arc::clone(&window), surface)?;
        Ok(Self {
            painting: PaintThread::start(&gpu, done)?,
            screen,
            gpu,
            window,
            watch: None,
            next_job: None,
            picture: None,
            spare: None,
            modifiers: ModifiersState::empty(),
            cursor: Point::ZERO,
            is_dragging: false,
            is_stale: true,
        })
    }

    /// Presents the last picture. While the painter is busy, presenting would have to wait for it,
    /// so the picture is then presented when the painter is done.
    pub(crate) fn present(&mut self) -> Result<(), ViewError> {
        match &self.picture {
            Some(picture) if self.painting.work.is_none() && self.screen.size().is_some() => {
                self.screen.present(&self.gpu, picture)
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn drag(&mut self, is_dragging: bool) {
        self.is_dragging = is_dragging;
        self.window.set_cursor(if is_dragging { CursorIcon::Grabbing } else { CursorIcon::Default });
    }
}
