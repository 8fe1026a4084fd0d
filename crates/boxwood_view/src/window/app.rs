//! The application: the event loop, and the life of its window.

use boxwood::native::{Gpu, GpuError};
use winit::application::ApplicationHandler;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, EventLoopProxy};
use winit::window::WindowId;

use super::error::ViewError;
use super::event_loop::{open_event_loop, refused};
use super::inputs::ViewInput;
use super::open_window::{Closed, OpenWindow, with_failed_exports};
use super::options::WindowOptions;
use super::thread::Report;

/// Opens a window that shows drawings, and returns when it is closed.
///
/// A file that changes is loaded again. If it can no longer be loaded, the window shows the error
/// and keeps the last picture. Drawings are loaded and drawn in other threads, so the window stays
/// responsive.
///
/// Call it once, from the main thread: windowing systems allow only one event loop.
///
/// # Errors
///
/// [`ViewError`] if there is nothing to view, no display, or no adapter, or if the device fails.
pub fn run(inputs: Vec<ViewInput>, options: WindowOptions) -> Result<(), ViewError> {
    if inputs.is_empty() {
        return Err(ViewError::NoFiles(Vec::new()));
    }
    if Gpu::adapters().is_empty() {
        // Without a driver there is no surface either, and its error would not name the reason.
        return Err(GpuError::NoAdapter.into());
    }
    let event_loop = open_event_loop()?;
    let proxy = event_loop.create_proxy();
    let mut app = App { inputs, options, proxy, open: None, failure: None };
    event_loop.run_app(&mut app).map_err(refused)?;
    app.failure.map_or(Ok(()), Err)
}

struct App {
    inputs: Vec<ViewInput>,
    options: WindowOptions,
    proxy: EventLoopProxy<Report>,
    open: Option<OpenWindow>,
    failure: Option<ViewError>,
}

impl ApplicationHandler<Report> for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.open.is_none() {
            match OpenWindow::new(event_loop, self.inputs.clone(), &self.options, self.proxy.clone()) {
                Ok(open) => self.open = Some(open),
                Err(error) => self.quit(event_loop, Err(error)),
            }
        }
    }

    fn user_event(&mut self, event_loop: &ActiveEventLoop, report: Report) {
        self.with_window(event_loop, |open| open.receive(report));
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        self.with_window(event_loop, |open| open.handle(&event));
    }

    /// Runs after all pending events.
    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        self.with_window(event_loop, |open| {
            event_loop.set_control_flow(open.proceed()?);
            Ok(())
        });
    }
}

impl App {
    /// Does `work` with the window, which may close it. A window that is closed ends after its
    /// exports.
    fn with_window(
        &mut self,
        event_loop: &ActiveEventLoop,
        work: impl FnOnce(&mut OpenWindow) -> Result<(), Closed>,
    ) {
        let Some(open) = &mut self.open else { return };
        match work(open) {
            Ok(()) => {}
            Err(Closed::ByUser) => open.close(),
            Err(Closed::Again) => {
                open.abandon_exports();
                return self.quit(event_loop, Ok(()));
            }
            Err(Closed::Failed(error)) => return self.quit(event_loop, Err(error)),
        }
        if open.has_ended() {
            self.quit(event_loop, Ok(()));
        }
    }

    fn quit(&mut self, event_loop: &ActiveEventLoop, ended: Result<(), ViewError>) {
        // The window is dropped before the connection to the display.
        let failed_exports = self.open.take().map_or_else(Vec::new, OpenWindow::end);
        self.failure = with_failed_exports(ended, &failed_exports).err();
        event_loop.exit();
    }
}
