//! The window that is open, with what draws in it.

use std::sync::Arc;

use boxwood::native::{Gpu, GpuError};
use kurbo::Point;
use winit::event_loop::ActiveEventLoop;
use winit::keyboard::ModifiersState;
use winit::window::{CursorIcon, Window};

use crate::display::{initial_size, refused};
use crate::error::ViewError;
use crate::paint_thread::{Change, Done, PaintThread};
use crate::surface::{Presented, Screen};
use crate::watch::Watch;

/// What there is while the window is open.
pub(crate) struct Open {
    pub(crate) painting: PaintThread,
    pub(crate) screen: Screen,
    pub(crate) gpu: Gpu,
    pub(crate) window: Arc<Window>,
    pub(crate) watch: Option<Watch>,
    /// What the painter is to show next.
    pub(crate) change: Option<Change>,
    /// The picture that is shown, and one that is not shown any more.
    pub(crate) picture: Option<wgpu::Texture>,
    pub(crate) spare: Option<wgpu::Texture>,
    pub(crate) modifiers: ModifiersState,
    /// The cursor, in device pixels.
    pub(crate) cursor: Point,
    pub(crate) is_dragging: bool,
    /// Whether the picture is another than the painter's last.
    pub(crate) is_stale: bool,
}

impl Open {
    /// Opens a window and starts a painter for it, which calls `done` in its thread.
    pub(crate) fn new(
        event_loop: &ActiveEventLoop,
        title: &str,
        adapter: Option<&str>,
        done: impl Fn(Done) + Send + 'static,
    ) -> Result<Self, ViewError> {
        let attributes =
            Window::default_attributes().with_title(title).with_inner_size(initial_size(event_loop));
        let window = event_loop.create_window(attributes).map_err(|e| refused(&e))?;
        let window = Arc::new(window);
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_with_display_handle_from_env(
            Box::new(event_loop.owned_display_handle()),
        ));
        let surface = instance.create_surface(Arc::clone(&window)).map_err(|e| {
            // Without any driver there is no surface either, but the driver is what is missing.
            if Gpu::adapters().is_empty() {
                ViewError::Gpu(GpuError::NoAdapter)
            } else {
                ViewError::Surface(e.to_string())
            }
        })?;
        let gpu = Gpu::open_on(instance, Some(&surface), adapter)?;
        let screen = Screen::new(&gpu, Arc::clone(&window), surface)?;
        let painting = PaintThread::start(&gpu, done)?;
        Ok(Self {
            painting,
            screen,
            gpu,
            window,
            watch: None,
            change: None,
            picture: None,
            spare: None,
            modifiers: ModifiersState::empty(),
            cursor: Point::ZERO,
            is_dragging: false,
            is_stale: true,
        })
    }

    /// Puts the last picture on the screen. While the painter is at work, which the screen would have to wait for, that
    /// is left to when it is done.
    pub(crate) fn present(&mut self) -> Result<(), ViewError> {
        let Some(picture) = self.picture.as_ref().filter(|_| self.painting.work().is_none()) else {
            return Ok(());
        };
        if self.screen.size().is_some() && self.screen.present(&self.gpu, picture)? == Presented::Again {
            self.window.request_redraw();
        }
        Ok(())
    }

    pub(crate) fn drag(&mut self, is_dragging: bool) {
        self.is_dragging = is_dragging;
        self.window.set_cursor(if is_dragging { CursorIcon::Grabbing } else { CursorIcon::Default });
    }
}
