//! The application: events of the window and of the other threads, and their effects.

use std::time::{Duration, Instant};

use boxwood_svg::{Drawing, Error};
use kurbo::Point;
use winit::application::ApplicationHandler;
use winit::event::{ElementState, MouseButton, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoopProxy};
use winit::window::WindowId;

use super::error::ViewError;
use super::event_loop::{open_event_loop, refused};
use super::input::{action_of_event, wheel_steps};
use super::inputs::{ViewInput, expand};
use super::open_window::OpenWindow;
use super::options::WindowOptions;
use super::paint_thread::{Done, Job};
use super::thread::spawn;
use super::viewer::{Busy, Effect, Viewer, ZOOM_STEP};
use super::watch::Watch;
use crate::error::{RenderError, with_sources};

/// The window shows that it is busy if work takes longer than this. Shorter work would only make
/// the title flicker.
const BUSY_DELAY: Duration = Duration::from_millis(200);

/// Opens a window that shows drawings, and returns when it is closed.
///
/// A folder stands for the drawings in it. A file that changes is loaded again. If it can no longer
/// be loaded, the window shows the error and keeps the last picture. Drawings are loaded and drawn
/// in other threads, so the window stays responsive.
///
/// Call it once, from the main thread: windowing systems allow only one event loop.
///
/// # Errors
///
/// [`ViewError`] if there is nothing to view, no display, or no adapter, or if the device fails.
pub fn run(inputs: Vec<ViewInput>, options: WindowOptions) -> Result<(), ViewError> {
    let files = expand(inputs)?;
    let event_loop = open_event_loop()?;
    let mut app = App {
        viewer: Viewer::new(files, &options),
        options,
        proxy: event_loop.create_proxy(),
        loading: None,
        ticket: 0,
        open: None,
        failure: None,
    };
    event_loop.run_app(&mut app).map_err(refused)?;
    app.failure.map_or(Ok(()), Err)
}

/// A report of another thread.
#[derive(Debug)]
enum Report {
    /// The current file has changed.
    FileChanged,
    /// The drawing with this ticket is loaded.
    Loaded(u64, Result<Box<Drawing>, Error>),
    /// The painter has finished a job.
    Painter(Done),
    /// The thread that loads has panicked.
    Panicked(ViewError),
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

struct App {
    viewer: Viewer,
    options: WindowOptions,
    proxy: EventLoopProxy<Report>,
    /// The drawing that is being loaded.
    loading: Option<Loading>,
    /// The number of loads so far, which is the ticket of the last. Results with another ticket are
    /// outdated.
    ticket: u64,
    open: Option<OpenWindow>,
    failure: Option<ViewError>,
}

impl ApplicationHandler<Report> for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.open.is_some() {
            return;
        }
        let done = self.reporter(Report::Painter);
        let adapter = self.options.adapter.as_deref();
        match OpenWindow::new(event_loop, &self.viewer.title(), adapter, done) {
            Ok(open) => {
                self.open = Some(open);
                self.fit_to_window();
                self.load();
            }
            Err(error) => self.quit(event_loop, Some(error)),
        }
    }

    fn user_event(&mut self, event_loop: &ActiveEventLoop, report: Report) {
        match report {
            Report::FileChanged => self.load(),
            Report::Loaded(ticket, loaded) => self.set_drawing(ticket, loaded),
            Report::Painter(done) => {
                if let Err(error) = self.finish(done) {
                    self.quit(event_loop, Some(error));
                }
            }
            Report::Panicked(error) => self.quit(event_loop, Some(error)),
        }
    }

    /// Runs after all pending events: gives the painter its next job, and shows that the window is
    /// busy.
    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        self.proceed();
        let busy = self.busy();
        let shown_at = busy.map(|(_, since)| since + BUSY_DELAY);
        let busy = busy.filter(|(_, since)| since.elapsed() >= BUSY_DELAY).map(|(busy, _)| busy);
        if busy != self.viewer.busy {
            self.viewer.busy = busy;
            if busy == Some(Busy::Loading) {
                self.refresh();
                self.proceed();
            }
            if let Some(open) = &self.open {
                open.window.set_title(&self.viewer.title());
            }
        }
        event_loop.set_control_flow(match shown_at {
            Some(at) if busy.is_none() => ControlFlow::WaitUntil(at),
            _ => ControlFlow::Wait,
        });
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(open) = &mut self.open else {
            return;
        };
        let effect = match event {
            WindowEvent::CloseRequested => Some(Effect::Quit),
            WindowEvent::RedrawRequested => {
                if let Err(error) = open.present() {
                    self.quit(event_loop, Some(error));
                }
                None
            }
            WindowEvent::Resized(_) | WindowEvent::ScaleFactorChanged { .. } => {
                self.fit_to_window();
                None
            }
            WindowEvent::Occluded(false) => {
                open.window.request_redraw();
                None
            }
            WindowEvent::ModifiersChanged(modifiers) => {
                open.modifiers = modifiers.state();
                None
            }
            WindowEvent::KeyboardInput { event, .. } if event.state == ElementState::Pressed => {
                action_of_event(&event, open.modifiers).map(|action| self.viewer.act(action))
            }
            WindowEvent::MouseInput { state, button: MouseButton::Left, .. } => {
                open.drag(state == ElementState::Pressed);
                self.viewer.dismiss_notice()
            }
            WindowEvent::CursorMoved { position, .. } => {
                let old = std::mem::replace(&mut open.cursor, Point::new(position.x, position.y));
                open.is_dragging.then(|| self.viewer.pan(open.cursor - old))
            }
            WindowEvent::MouseWheel { delta, .. } => {
                let steps = wheel_steps(delta, open.window.scale_factor());
                Some(self.viewer.zoom(open.cursor, ZOOM_STEP.powf(steps)))
            }
            WindowEvent::PinchGesture { delta, .. } => Some(self.viewer.zoom(open.cursor, 1.0 + delta)),
            _ => None,
        };
        match effect {
            Some(Effect::Quit) => self.quit(event_loop, None),
            Some(Effect::Load) => self.load(),
            Some(Effect::Redraw) => self.refresh(),
            None => {}
        }
    }
}

impl App {
    /// A function for other threads that reports to the event loop.
    fn reporter<T>(&self, report: fn(T) -> Report) -> impl Fn(T) + Clone + Send + use<T> {
        let proxy = self.proxy.clone();
        move |value| {
            // The event loop is gone once the window is closed.
            let _ = proxy.send_event(report(value));
        }
    }

    /// Starts loading the current file. Its old picture stays meanwhile.
    fn load(&mut self) {
        let index = self.viewer.current;
        if let Some(loading) = self.loading.as_mut().filter(|loading| loading.index == index) {
            // A file that changes often is not loaded in several threads at once.
            loading.is_outdated = true;
            return;
        }
        let changed = self.reporter(|()| Report::FileChanged);
        let panicked = self.reporter(Report::Panicked);
        let loaded = self.reporter(|(ticket, loaded)| Report::Loaded(ticket, loaded));
        let Some(open) = &mut self.open else {
            return;
        };
        if self.viewer.document.is_none() {
            open.painting.cancel_picture();
            open.next_job = Some(Job::Clear);
        }
        let (file, options) = (self.viewer.file().clone(), self.options.load.clone());
        // Watching starts before reading, so that no change is missed.
        open.watch = file.path().and_then(|path| {
            let unwatched = |error| format!("changes to the file will not be noticed: {error}");
            let watch = Watch::new(path, move || changed(()));
            watch.map_err(|error| self.viewer.notify(unwatched(error))).ok()
        });
        self.ticket += 1;
        let ticket = self.ticket;
        self.loading = Some(Loading { index, since: Instant::now(), is_outdated: false });
        open.window.set_title(&self.viewer.title());
        let load = move || loaded((ticket, file.load(&options).map(Box::new)));
        if let Err(error) = spawn("boxwood_load", load, panicked) {
            self.fail(with_sources(&error));
        }
    }

    /// Gives a loaded drawing to the painter, unless it is outdated.
    fn set_drawing(&mut self, ticket: u64, loaded: Result<Box<Drawing>, Error>) {
        if ticket != self.ticket {
            return;
        }
        match (loaded, &mut self.open) {
            (Ok(drawing), Some(open)) => {
                open.painting.cancel_picture();
                open.next_job = Some(Job::SetDrawing(ticket, drawing));
            }
            (Err(error), _) => self.fail(with_sources(&error)),
            (Ok(_), None) => {}
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

    /// Handles a job that the painter has finished.
    fn finish(&mut self, done: Done) -> Result<(), ViewError> {
        let Some(open) = &mut self.open else {
            return Ok(());
        };
        open.painting.work = None;
        let message =
            |error: &RenderError| format!("cannot draw {}: {}", self.viewer.file(), with_sources(error));
        match done {
            Done::Prepared => {}
            Done::Failed(error) => return Err(error),
            Done::DrawingSet(ticket, _) if ticket != self.ticket => {}
            Done::DrawingSet(_, Ok(drawing)) => {
                self.viewer.show(drawing.size, drawing.warnings);
                self.end_loading();
            }
            Done::DrawingSet(_, Err(error)) => self.fail(message(&error)),
            Done::Painted(Ok(picture)) => {
                open.spare = open.picture.replace(picture);
                open.present()?;
            }
            Done::Painted(Err(RenderError::Drawing(Error::Cancelled(_)))) => open.is_stale = true,
            Done::Painted(Err(error)) if self.viewer.document.is_some() => {
                // The window can still show the error without the drawing.
                let text = message(&error);
                self.viewer.document = None;
                self.viewer.fail(text);
                open.next_job.get_or_insert(Job::Clear);
                self.refresh();
            }
            Done::Painted(Err(error)) => return Err(error.into()),
        }
        Ok(())
    }

    /// Gives the painter its next job, if it is idle.
    fn proceed(&mut self) {
        let Some(open) = self.open.as_mut().filter(|open| open.painting.work.is_none()) else {
            return;
        };
        if let Some(job) = open.next_job.take() {
            open.painting.begin(job);
        } else if open.is_stale && open.screen.size().is_some() {
            open.is_stale = false;
            open.painting.begin(Job::Paint(Box::new(self.viewer.frame()), open.spare.take()));
        }
    }

    /// The work that the user is waiting for, and its start.
    fn busy(&self) -> Option<(Busy, Instant)> {
        let work = self.open.as_ref().and_then(|open| open.painting.work);
        let drawing = || work.filter(|work| work.is_picture).map(|work| (Busy::Drawing, work.since));
        self.loading.map(|loading| (Busy::Loading, loading.since)).or_else(drawing)
    }

    /// Requests a picture of the current state.
    fn refresh(&mut self) {
        if let Some(open) = &mut self.open {
            open.is_stale = true;
            open.painting.cancel_picture();
            open.window.set_title(&self.viewer.title());
        }
    }

    fn fit_to_window(&mut self) {
        if let Some(open) = &mut self.open
            && let Some(size) = open.screen.size()
        {
            self.viewer.resize(size, open.window.scale_factor());
            self.refresh();
        }
    }

    fn quit(&mut self, event_loop: &ActiveEventLoop, failure: Option<ViewError>) {
        self.failure = failure;
        if let Some(open) = &self.open {
            // Dropping the window waits for the device. The user need not see that.
            open.window.set_visible(false);
        }
        // The window is dropped before the connection to the display.
        self.open = None;
        event_loop.exit();
    }
}
