//! The window: winit's events, and what they do.

use std::time::{Duration, Instant};

use boxwood_svg::Drawing;
use kurbo::Point;
use winit::application::ApplicationHandler;
use winit::event::{ElementState, MouseButton, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoopProxy};
use winit::window::WindowId;

use crate::background::Background;
use crate::display::{open_event_loop, refused};
use crate::error::{RenderError, ViewError};
use crate::files::{self, ViewInput};
use crate::input;
use crate::keys;
use crate::kinds::OverlayKinds;
use crate::loading::{self, Loading};
use crate::open_window::Open;
use crate::paint_thread::{Change, Done, Work};
use crate::source::OverlaySource;
use crate::viewer::{Busy, Effect, Viewer};
use crate::watch::Watch;

/// How long something may take before the window says so.
const PATIENCE: Duration = Duration::from_millis(200);

/// How a window starts.
#[derive(Clone, Debug, Default)]
pub struct WindowOptions {
    /// A part of the name of the adapter that draws. Without it, the best that can draw to the window.
    pub adapter: Option<String>,
    /// The kinds of box that are shown at first.
    pub overlay: OverlayKinds,
    /// Whose boxes these are.
    pub boxes: OverlaySource,
    /// What lies behind the drawing at first.
    pub background: Background,
    /// How files are loaded.
    pub load: boxwood_svg::Options,
}

/// Opens a window on some drawings and returns when it is closed. A folder stands for the drawings in it.
///
/// A file that changes is read again. One that is broken is shown as far as it was read before, with the reason.
///
/// Drawings are loaded and drawn in threads of their own, which the window does not wait for.
///
/// # Errors
///
/// Nothing to view, no display, no adapter, or a device that fails.
///
/// # Panics
///
/// Outside of the main thread, or if it has run before: windowing systems allow one event loop.
pub fn run(inputs: Vec<ViewInput>, options: WindowOptions) -> Result<(), ViewError> {
    let files = files::expand(inputs)?;
    let event_loop = open_event_loop()?;
    let mut app = App {
        viewer: Viewer::new(files, options.overlay, options.boxes, options.background),
        options,
        proxy: event_loop.create_proxy(),
        loading: None,
        n_loaded: 0,
        open: None,
        failure: None,
    };
    event_loop.run_app(&mut app).map_err(|e| refused(&e))?;
    app.failure.map_or(Ok(()), Err)
}

/// What other threads have to say.
#[derive(Debug)]
enum News {
    /// The current file has changed.
    FileChanged,
    /// A drawing, known by a ticket, is loaded.
    Loaded(u64, Result<Box<Drawing>, String>),
    /// The painter is done with something.
    Done(Done),
}

struct App {
    viewer: Viewer,
    options: WindowOptions,
    proxy: EventLoopProxy<News>,
    /// The drawing that is being loaded.
    loading: Option<Loading>,
    /// How many drawings were to be loaded so far: the ticket of the last. What has another is not wanted any more.
    n_loaded: u64,
    open: Option<Open>,
    failure: Option<ViewError>,
}

impl ApplicationHandler<News> for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.open.is_some() {
            return;
        }
        let proxy = self.proxy.clone();
        let done = move |done| {
            // The loop is gone when the window is closed.
            let _ = proxy.send_event(News::Done(done));
        };
        let adapter = self.options.adapter.as_deref();
        match Open::new(event_loop, &self.viewer.title(), adapter, done) {
            Ok(open) => {
                self.open = Some(open);
                self.fit_to_window();
                self.load();
            }
            Err(error) => self.quit(event_loop, Some(error)),
        }
    }

    fn user_event(&mut self, event_loop: &ActiveEventLoop, news: News) {
        match news {
            News::FileChanged => self.load(),
            News::Loaded(ticket, loaded) => self.take(ticket, loaded),
            News::Done(done) => {
                if let Err(error) = self.finish(done) {
                    self.quit(event_loop, Some(error));
                }
            }
        }
    }

    /// After every event: the painter gets what there is to do, and what takes long is said.
    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        self.proceed();
        let busy = self.busy();
        let said_at = busy.map(|(_, since)| since + PATIENCE);
        let busy = busy.filter(|(_, since)| since.elapsed() >= PATIENCE).map(|(busy, _)| busy);
        if busy != self.viewer.busy() {
            self.viewer.set_busy(busy);
            if busy == Some(Busy::Loading) {
                self.refresh();
                self.proceed();
            }
            if let Some(open) = &self.open {
                open.window.set_title(&self.viewer.title());
            }
        }
        event_loop.set_control_flow(match said_at {
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
                let action = input::keys_of(&event, open.modifiers).find_map(keys::action_of);
                action.map(|action| self.viewer.act(action))
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
                let steps = input::wheel_steps(delta, open.window.scale_factor());
                Some(self.viewer.zoom(open.cursor, steps))
            }
            WindowEvent::PinchGesture { delta, .. } => Some(self.viewer.pinch(open.cursor, 1.0 + delta)),
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
    /// Begins to load the current file. What is shown of it stays meanwhile.
    fn load(&mut self) {
        let Some(open) = &mut self.open else {
            return;
        };
        let place = self.viewer.place();
        if let Some(loading) = self.loading.as_mut().filter(|loading| loading.place == place) {
            // One thread a file at a time, however often it changes.
            loading.is_outdated = true;
            return;
        }
        if !self.viewer.has_document() {
            open.painting.stop_painting();
            open.change = Some(Change::Clear);
        }
        let proxy = self.proxy.clone();
        // Watched before it is read, so that no change is missed.
        let watch = self.viewer.file().path().map(|path| {
            Watch::new(path, move || {
                // The loop is gone when the window is closed.
                let _ = proxy.send_event(News::FileChanged);
            })
        });
        open.watch = watch.and_then(|watch| {
            let unnoticed = |error| format!("changes of the file are not noticed: {error}");
            watch.map_err(|error| self.viewer.notify(unnoticed(error))).ok()
        });
        self.n_loaded += 1;
        let (ticket, proxy) = (self.n_loaded, self.proxy.clone());
        let done = move |loaded| {
            let _ = proxy.send_event(News::Loaded(ticket, loaded));
        };
        let (file, options) = (self.viewer.file().clone(), self.options.load.clone());
        loading::load(file, options, done);
        self.loading = Some(Loading { place, since: Instant::now(), is_outdated: false });
        open.window.set_title(&self.viewer.title());
    }

    /// Takes what was loaded, if it still is wanted.
    fn take(&mut self, ticket: u64, loaded: Result<Box<Drawing>, String>) {
        if ticket != self.n_loaded {
            return;
        }
        match (loaded, &mut self.open) {
            (Ok(drawing), Some(open)) => {
                open.painting.stop_painting();
                open.change = Some(Change::Drawing(ticket, drawing));
            }
            (Err(error), _) => self.failed(error),
            (Ok(_), None) => {}
        }
    }

    /// The current file is not shown, or not as it is now, for this reason.
    fn failed(&mut self, error: String) {
        self.viewer.fail(error);
        self.loaded();
    }

    /// The current file is loaded, or is not going to be.
    fn loaded(&mut self) {
        let loading = self.loading.take();
        self.refresh();
        if loading.is_some_and(|loading| loading.is_outdated) {
            self.load();
        }
    }

    /// Notes what the painter has done.
    fn finish(&mut self, done: Done) -> Result<(), ViewError> {
        let Some(open) = &mut self.open else {
            return Ok(());
        };
        open.painting.finish();
        match done {
            Done::Ready(ready) => ready?,
            Done::Taken(ticket, _) if ticket != self.n_loaded => {}
            Done::Taken(_, Ok(taken)) => {
                self.viewer.show(taken.size, taken.warnings);
                self.loaded();
            }
            Done::Taken(_, Err(error)) => self.failed(format!("{error}: {}", self.viewer.file())),
            Done::Cleared => {}
            Done::Painted(Ok(picture)) => {
                open.spare = open.picture.replace(picture);
                open.present()?;
            }
            Done::Painted(Err(RenderError::Stopped)) => open.is_stale = true,
            Done::Painted(Err(error)) if self.viewer.has_document() => {
                // Without the drawing there is still a window that can say so.
                self.viewer.clear();
                self.viewer.fail(format!("{error}: {}", self.viewer.file()));
                open.change.get_or_insert(Change::Clear);
                self.refresh();
            }
            Done::Painted(Err(error)) => return Err(error.into()),
        }
        Ok(())
    }

    /// Gives the painter its next job, if it has none and there is one.
    fn proceed(&mut self) {
        let Some(open) = self.open.as_mut().filter(|open| open.painting.work().is_none()) else {
            return;
        };
        if let Some(change) = open.change.take() {
            open.painting.change(change);
        } else if open.is_stale && open.screen.size().is_some() {
            open.is_stale = false;
            open.painting.paint(self.viewer.frame(), open.spare.take());
        }
    }

    /// What the user waits for, and since when.
    fn busy(&self) -> Option<(Busy, Instant)> {
        let painted = || match self.open.as_ref()?.painting.work()? {
            (Work::Paint, since) => Some((Busy::Drawing, since)),
            (Work::Prepare, _) => None,
        };
        self.loading.map(|loading| (Busy::Loading, loading.since)).or_else(painted)
    }

    /// Shows the state of the viewer.
    fn refresh(&mut self) {
        if let Some(open) = &mut self.open {
            open.is_stale = true;
            open.painting.stop_painting();
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
            // What is on the device is waited for, but not on the screen.
            open.window.set_visible(false);
        }
        // The surface goes before its window and before the connection to the display.
        self.open = None;
        event_loop.exit();
    }
}
