//! An open window. Other threads load and draw the current file, and the window shows the picture.

use std::sync::Arc;
use std::time::{Duration, Instant};

use boxwood::native::Gpu;
use boxwood_svg::Error;
use kurbo::Point;
use winit::event::{ElementState, MouseButton, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoopProxy};
use winit::keyboard::ModifiersState;
use winit::window::{CursorIcon, Window};

use super::error::ViewError;
use super::event_loop::{initial_size, refused};
use super::input::{keys, wheel_steps};
use super::inputs::ViewInput;
use super::options::WindowOptions;
use super::paint_thread::{Job, PaintThread};
use super::screen::Screen;
use super::thread::{Done, DrawingInfo, Report, spawn};
use super::viewer::{Busy, Effect, Viewer, ZOOM_STEP};
use crate::error::{RenderError, with_sources};
use crate::watch::Watch;

/// The window shows that it is busy if work takes longer than this. Shorter work would only make
/// the title flicker.
const BUSY_DELAY: Duration = Duration::from_millis(200);

/// The reason why a window closes.
pub(crate) enum Closed {
    ByUser,
    Failed(ViewError),
}

impl From<ViewError> for Closed {
    fn from(error: ViewError) -> Self {
        Self::Failed(error)
    }
}

/// A drawing that is being loaded.
#[derive(Clone, Copy, Debug)]
struct Loading {
    /// The index of its file.
    index: usize,
    since: Instant,
    /// Whether the file has changed meanwhile, so that it must be loaded again.
    is_outdated: bool,
}

/// An open window. The fields are dropped in this order: the surface before its window.
pub(crate) struct OpenWindow {
    painting: PaintThread,
    screen: Screen,
    window: Arc<Window>,
    proxy: EventLoopProxy<Report>,
    viewer: Viewer,
    load_options: boxwood_svg::Options,
    watch: Option<Watch>,
    /// The drawing that is being loaded.
    loading: Option<Loading>,
    /// The number of loads so far, which is the ticket of the last. Results with another ticket are
    /// outdated.
    ticket: u64,
    /// The next job for the painter that is not a picture.
    next_job: Option<Job>,
    /// The picture that is shown.
    picture: Option<wgpu::Texture>,
    /// Whether the painter has not yet been asked for the current picture.
    is_stale: bool,
    modifiers: ModifiersState,
    /// The position of the cursor in device pixels.
    cursor: Point,
    is_dragging: bool,
}

impl Drop for OpenWindow {
    fn drop(&mut self) {
        // Dropping the window waits for the device. The user need not see that.
        self.window.set_visible(false);
    }
}

impl OpenWindow {
    /// Opens a window, starts a painter for it, and loads the first of `files`.
    pub(crate) fn new(
        event_loop: &ActiveEventLoop,
        files: Vec<ViewInput>,
        options: &WindowOptions,
        proxy: EventLoopProxy<Report>,
    ) -> Result<Self, ViewError> {
        let viewer = Viewer::new(files, options);
        let attributes =
            Window::default_attributes().with_title(viewer.title()).with_inner_size(initial_size(event_loop));
        let window = Arc::new(event_loop.create_window(attributes).map_err(refused)?);
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_with_display_handle_from_env(
            Box::new(event_loop.owned_display_handle()),
        ));
        let surface = instance.create_surface(Arc::clone(&window));
        let surface = surface.map_err(|error| ViewError::Surface(error.to_string()))?;
        let adapter = options.adapter.as_deref();
        let gpu = Gpu::open_on(instance, Some(&surface), adapter, wgpu::Features::empty())?;
        // Dropping a paint thread waits until its shaders are compiled. The screen is created
        // first, so that its error is reported at once.
        let screen = Screen::new(gpu.clone(), Arc::clone(&window), surface)?;
        let mut open = Self {
            painting: PaintThread::start(&gpu, reporter(&proxy))?,
            screen,
            window,
            proxy,
            viewer,
            load_options: options.load.clone(),
            watch: None,
            loading: None,
            ticket: 0,
            next_job: None,
            picture: None,
            is_stale: true,
            modifiers: ModifiersState::empty(),
            cursor: Point::ZERO,
            is_dragging: false,
        };
        open.fit_to_window();
        open.load();
        Ok(open)
    }

    /// Handles an event of the window.
    pub(crate) fn handle(&mut self, event: WindowEvent) -> Result<(), Closed> {
        let effect = match event {
            WindowEvent::CloseRequested => Some(Effect::Quit),
            WindowEvent::RedrawRequested => return Ok(self.present()?),
            WindowEvent::Resized(_) | WindowEvent::ScaleFactorChanged { .. } => self.fit_to_window(),
            WindowEvent::Occluded(false) => {
                self.window.request_redraw();
                None
            }
            WindowEvent::ModifiersChanged(modifiers) => {
                self.modifiers = modifiers.state();
                None
            }
            WindowEvent::KeyboardInput { event, .. } if event.state == ElementState::Pressed => {
                keys(&event, self.modifiers).find_map(|key| self.viewer.press(key))
            }
            WindowEvent::MouseInput { state, button: MouseButton::Left, .. } => {
                self.is_dragging = state == ElementState::Pressed;
                let cursor = if self.is_dragging { CursorIcon::Grabbing } else { CursorIcon::Default };
                self.window.set_cursor(cursor);
                self.viewer.dismiss_notice()
            }
            WindowEvent::CursorMoved { position, .. } => {
                let old = std::mem::replace(&mut self.cursor, Point::new(position.x, position.y));
                self.is_dragging.then(|| self.viewer.pan(self.cursor - old))
            }
            WindowEvent::MouseWheel { delta, .. } => {
                let steps = wheel_steps(delta, self.window.scale_factor());
                Some(self.viewer.zoom(self.cursor, ZOOM_STEP.powf(steps)))
            }
            WindowEvent::PinchGesture { delta, .. } => Some(self.viewer.zoom(self.cursor, 1.0 + delta)),
            _ => None,
        };
        match effect {
            Some(Effect::Quit) => return Err(Closed::ByUser),
            Some(Effect::Load) => self.load(),
            Some(Effect::Redraw) => self.refresh(),
            None => {}
        }
        Ok(())
    }

    /// Handles a report of another thread.
    pub(crate) fn receive(&mut self, report: Report) -> Result<(), Closed> {
        match report {
            Report::FileChanged => self.load(),
            Report::Loaded(ticket, _) if ticket != self.ticket => {}
            Report::Loaded(ticket, Ok(drawing)) => {
                self.painting.cancel_picture();
                self.next_job = Some(Job::SetDrawing(ticket, drawing));
            }
            Report::Loaded(_, Err(error)) => self.fail(with_sources(&error)),
            Report::Painter(done) => {
                self.painting.work = None;
                self.finish(done)?;
            }
            Report::Failed(error) => return Err(error.into()),
        }
        Ok(())
    }

    /// Handles the result of a job of the painter.
    fn finish(&mut self, done: Done) -> Result<(), ViewError> {
        match done {
            Done::Prepared => {}
            Done::DrawingSet(ticket, _) if ticket != self.ticket => {}
            Done::DrawingSet(_, Ok(DrawingInfo { size, warnings })) => {
                self.viewer.show(size, warnings);
                self.end_loading();
            }
            Done::DrawingSet(_, Err(error)) => self.fail(self.cannot_draw(&error)),
            Done::Painted(Ok(picture)) => {
                self.picture = Some(picture);
                self.present()?;
            }
            Done::Painted(Err(RenderError::Drawing(Error::Cancelled(_)))) => self.is_stale = true,
            Done::Painted(Err(error)) if self.viewer.document.is_some() => {
                // The window can still show the error without the drawing.
                self.viewer.fail(self.cannot_draw(&error));
                self.viewer.document = None;
                self.next_job.get_or_insert(Job::Clear);
                self.refresh();
            }
            Done::Painted(Err(error)) => return Err(error.into()),
        }
        Ok(())
    }

    /// Gives the painter its next job, and shows whether the window is busy. Returns how long the
    /// event loop may wait.
    pub(crate) fn proceed(&mut self) -> ControlFlow {
        self.begin_job();
        let work = self.work();
        let shown_at = work.map(|(_, since)| since + BUSY_DELAY);
        let busy = work.filter(|(_, since)| since.elapsed() >= BUSY_DELAY).map(|(busy, _)| busy);
        if busy != self.viewer.busy {
            self.viewer.busy = busy;
            if busy == Some(Busy::Loading) {
                self.refresh();
                self.begin_job();
            }
            self.window.set_title(&self.viewer.title());
        }
        match shown_at {
            Some(at) if busy.is_none() => ControlFlow::WaitUntil(at),
            _ => ControlFlow::Wait,
        }
    }

    /// Gives the painter its next job, if it is idle.
    fn begin_job(&mut self) {
        if self.painting.work.is_some() {
            return;
        }
        if let Some(job) = self.next_job.take() {
            self.painting.begin(job);
        } else if self.is_stale && self.screen.size().is_some() {
            self.is_stale = false;
            self.painting.begin(Job::Paint(Box::new(self.viewer.frame())));
        }
    }

    /// The work that the user is waiting for, and its start.
    fn work(&self) -> Option<(Busy, Instant)> {
        let picture = self.painting.work.filter(|work| work.is_picture);
        let drawing = picture.map(|work| (Busy::Drawing, work.since));
        self.loading.map(|loading| (Busy::Loading, loading.since)).or(drawing)
    }

    /// Starts loading the current file. Its old picture stays meanwhile.
    fn load(&mut self) {
        let index = self.viewer.current;
        if let Some(loading) = self.loading.as_mut().filter(|loading| loading.index == index) {
            // A file that changes often is not loaded in several threads at once.
            loading.is_outdated = true;
            return;
        }
        if self.viewer.document.is_none() {
            self.painting.cancel_picture();
            self.next_job = Some(Job::Clear);
        }
        let file = self.viewer.file().clone();
        // Watching starts before reading, so that no change is missed.
        self.watch = file.path().and_then(|path| {
            let report = reporter(&self.proxy);
            let unwatched = |error| format!("changes to the file will not be noticed: {error}");
            let watch = Watch::new(&[path.to_owned()], move || report(Report::FileChanged));
            watch.map_err(|error| self.viewer.notify(unwatched(error))).ok()
        });
        self.ticket += 1;
        self.loading = Some(Loading { index, since: Instant::now(), is_outdated: false });
        self.window.set_title(&self.viewer.title());
        let (ticket, options) = (self.ticket, self.load_options.clone());
        let started = spawn("boxwood_load", reporter(&self.proxy), move |report| {
            report(Report::Loaded(ticket, file.load(&options).map(Box::new)));
        });
        if let Err(error) = started {
            self.fail(with_sources(&error));
        }
    }

    /// Shows the reason why the current file, or its current state, cannot be shown.
    fn fail(&mut self, error: String) {
        self.viewer.fail(error);
        self.end_loading();
    }

    fn end_loading(&mut self) {
        let loading = self.loading.take();
        self.refresh();
        if loading.is_some_and(|loading| loading.is_outdated) {
            self.load();
        }
    }

    fn cannot_draw(&self, error: &RenderError) -> String {
        format!("cannot draw {}: {}", self.viewer.file(), with_sources(error))
    }

    /// Requests a picture of the current state.
    fn refresh(&mut self) {
        self.is_stale = true;
        self.painting.cancel_picture();
        self.window.set_title(&self.viewer.title());
    }

    fn fit_to_window(&mut self) -> Option<Effect> {
        Some(self.viewer.resize(self.screen.size()?, self.window.scale_factor()))
    }

    /// Presents the last picture. While the painter is busy, presenting would have to wait for it,
    /// so the picture is then presented when the painter is done.
    fn present(&mut self) -> Result<(), ViewError> {
        match &self.picture {
            Some(picture) if self.painting.work.is_none() && self.screen.size().is_some() => {
                self.screen.present(picture)
            }
            _ => Ok(()),
        }
    }
}

/// A function for other threads that reports to the event loop.
fn reporter(proxy: &EventLoopProxy<Report>) -> impl Fn(Report) + Clone + Send + use<> {
    let proxy = proxy.clone();
    move |report| {
        // The event loop is gone once the window is closed.
        let _ = proxy.send_event(report);
    }
}
