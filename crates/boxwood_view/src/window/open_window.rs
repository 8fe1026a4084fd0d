//! An open window. Other threads load and draw the current file, and the window shows the panels and
//! the last picture.

use std::sync::Arc;
use std::time::{Duration, Instant};

use boxwood::native::Gpu;
use boxwood_svg::{Drawing, Drawn, Error, Shown};
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoopProxy};
use winit::window::Window;

use super::data_views::DataViews;
use super::error::ViewError;
use super::event_loop::{initial_size, refused};
use super::gui::Gui;
use super::inputs::ViewInput;
use super::options::WindowOptions;
use super::paint_thread::{Job, PaintThread};
use super::screen::Screen;
use super::thread::{Done, Painted, Report, spawn};
use crate::error::{RenderError, with_sources};
use crate::model::{Details, Model};
use crate::panels::{Facts, Picture};
use crate::picture::Frame;
use crate::state::{Busy, Request, State};
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
    gui: Gui,
    window: Arc<Window>,
    proxy: EventLoopProxy<Report>,
    files: Vec<ViewInput>,
    state: State,
    /// The drawing that the panels show.
    model: Option<Arc<Model>>,
    /// The details of a source of this drawing.
    details: Option<Details>,
    data_views: DataViews,
    /// The source whose details are being computed.
    details_of: Option<u32>,
    load_options: boxwood_svg::Options,
    watch: Option<Watch>,
    /// The drawing that is being loaded.
    loading: Option<Loading>,
    /// The number of loads so far, which is the ticket of the last. Results with another ticket are
    /// outdated.
    ticket: u64,
    /// The next job for the painter that is not a picture.
    next_job: Option<Job>,
    /// The picture that the painter was last asked for. `None` if it must be asked again.
    requested: Option<Frame>,
    /// The time of the next pass without an event.
    next_pass: Option<Instant>,
    title: String,
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
        let names = files.iter().map(ViewInput::name).collect();
        let state = State::new(names, options.overlay, options.boxes, options.background);
        let title = state.title();
        // An assistive technology must know the window before it is shown.
        let attributes = Window::default_attributes()
            .with_title(&title)
            .with_inner_size(initial_size(event_loop))
            .with_visible(false);
        let window = Arc::new(event_loop.create_window(attributes).map_err(refused)?);
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_with_display_handle_from_env(
            Box::new(event_loop.owned_display_handle()),
        ));
        let surface = instance.create_surface(Arc::clone(&window));
        let surface = surface.map_err(|error| ViewError::Surface(error.to_string()))?;
        let adapter = options.adapter.as_deref();
        let gpu = Gpu::open_on(instance, Some(&surface), adapter, wgpu::Features::empty())?;
        let gui = Gui::new(event_loop, &window, proxy.clone(), gpu.device.limits().max_texture_dimension_2d);
        // Dropping a paint thread waits until its shaders are compiled. The screen is created
        // first, so that its error is reported at once.
        let screen = Screen::new(gpu.clone(), Arc::clone(&window), surface)?;
        let mut open = Self {
            painting: PaintThread::start(&gpu, reporter(&proxy))?,
            screen,
            gui,
            window,
            proxy,
            files,
            state,
            model: None,
            details: None,
            data_views: DataViews::default(),
            details_of: None,
            // Views of the data compare a file with its previous version.
            load_options: boxwood_svg::Options { comparable: true, ..options.load.clone() },
            watch: None,
            loading: None,
            ticket: 0,
            next_job: None,
            requested: None,
            next_pass: None,
            title,
        };
        open.window.set_visible(true);
        open.load();
        Ok(open)
    }

    /// Handles an event of the window.
    pub(crate) fn handle(&mut self, event: &WindowEvent) -> Result<(), Closed> {
        let needs_pass = self.gui.take_event(&self.window, event);
        match event {
            WindowEvent::CloseRequested => return Err(Closed::ByUser),
            WindowEvent::RedrawRequested => return self.redraw(),
            _ if needs_pass => self.window.request_redraw(),
            _ => {}
        }
        Ok(())
    }

    /// Handles a report of another thread.
    pub(crate) fn receive(&mut self, report: Report) -> Result<(), Closed> {
        match report {
            Report::FileChanged => self.load(),
            Report::Loaded(ticket, _) if ticket != self.ticket => {}
            Report::Loaded(ticket, Ok(model)) => self.show(ticket, (*model).into()),
            Report::Loaded(_, Err(error)) => self.fail(with_sources(&error)),
            Report::Details(ticket, details) => {
                self.details_of.take_if(|source| *source == details.source);
                if ticket == self.ticket {
                    self.details = Some(*details);
                }
            }
            Report::Data(n_models, picture) => {
                if self.data_views.receive(n_models, picture, &mut self.state) {
                    let data = self.data_views.picture.as_deref();
                    self.gui.panels.canvas.show_data(&self.gui.context, data);
                }
            }
            Report::Painter(done) => {
                self.painting.work = None;
                self.finish(done)?;
            }
            Report::Failed(error) => return Err(error.into()),
            Report::Access(event) => {
                self.gui.take_access_event(event.window_event);
            }
        }
        self.window.request_redraw();
        Ok(())
    }

    /// Shows the facts about a drawing at once, and gives it to the painter.
    fn show(&mut self, ticket: u64, model: Arc<Model>) {
        self.state.replace_model(self.model.as_deref(), &model);
        self.state.show(model.drawing.size, warnings(&model.drawing));
        self.painting.cancel_picture();
        self.next_job = Some(Job::SetDrawing(ticket, Arc::clone(&model)));
        let previous = self.model.replace(model);
        self.data_views.replace_model(previous);
        self.details = None;
        self.details_of = None;
    }

    /// Handles the result of a job of the painter.
    fn finish(&mut self, done: Done) -> Result<(), ViewError> {
        match done {
            Done::Prepared => {}
            Done::DrawingSet(ticket, _) if ticket != self.ticket => {}
            Done::DrawingSet(_, Ok(())) => self.end_loading(),
            Done::DrawingSet(_, Err(error)) => self.fail(self.cannot_draw(&error)),
            Done::Painted(Ok(Painted { image, device_from_scene })) => {
                let picture = Picture::new(&self.gui.context, image, device_from_scene);
                self.gui.panels.canvas.picture = Some(picture);
            }
            Done::Painted(Err(RenderError::Drawing(Error::Cancelled(_)))) => self.requested = None,
            Done::Painted(Err(error)) if self.state.view.document().is_some() => {
                // The window can still show the error without the drawing.
                self.state.fail(self.cannot_draw(&error));
                self.state.view.clear();
                self.next_job.get_or_insert(Job::Clear);
                self.requested = None;
            }
            Done::Painted(Err(error)) => return Err(error.into()),
        }
        Ok(())
    }

    /// Shows the panels, and does what they ask for.
    fn redraw(&mut self) -> Result<(), Closed> {
        if self.screen.size().is_none() {
            return Ok(());
        }
        let facts = Facts {
            model: self.model.as_deref(),
            details: self.details.as_ref(),
            data: self.data_views.picture.as_deref(),
        };
        let pass = self.gui.pass(&self.window, facts, &mut self.state);
        self.next_pass = Instant::now().checked_add(pass.next_pass_after);
        self.screen.present(&self.gui.context, pass.output)?;
        for request in self.state.take_requests() {
            match request {
                Request::Load => self.load(),
                Request::Quit => return Err(Closed::ByUser),
            }
        }
        self.explain_selected();
        let report = reporter(&self.proxy);
        self.data_views.update(&self.state, self.model.as_ref(), self.screen.gpu(), report)?;
        Ok(())
    }

    /// Starts computing the details of the selected source, unless they are known.
    fn explain_selected(&mut self) {
        let (Some(model), Some(selected), None) = (&self.model, self.state.selected, self.details_of) else {
            return;
        };
        if self.details.as_ref().is_some_and(|details| details.source == selected) {
            return;
        }
        self.details_of = Some(selected);
        let (ticket, model) = (self.ticket, Arc::clone(model));
        let started = spawn("boxwood_explain", reporter(&self.proxy), move |report| {
            report(Report::Details(ticket, Box::new(Details::new(&model, selected))));
        });
        if let Err(error) = started {
            self.state.fail(with_sources(&error));
        }
    }

    /// Gives the painter its next job, and shows whether the window is busy. Returns how long the
    /// event loop may wait.
    pub(crate) fn proceed(&mut self) -> ControlFlow {
        self.begin_job();
        let now = Instant::now();
        let work = self.work();
        let busy = work.filter(|(_, since)| now >= *since + BUSY_DELAY).map(|(busy, _)| busy);
        if busy != self.state.busy {
            self.state.busy = busy;
            self.window.request_redraw();
        }
        if self.next_pass.is_some_and(|at| now >= at) {
            self.next_pass = None;
            self.window.request_redraw();
        }
        let title = self.state.title();
        if title != self.title {
            self.window.set_title(&title);
            self.title = title;
        }
        let shown_at = work.filter(|_| busy.is_none()).map(|(_, since)| since + BUSY_DELAY);
        shown_at.into_iter().chain(self.next_pass).min().map_or(ControlFlow::Wait, ControlFlow::WaitUntil)
    }

    /// Gives the painter its next job, if it is idle.
    fn begin_job(&mut self) {
        let frame = self.state.frame();
        let is_stale = self.requested.as_ref() != Some(&frame);
        if self.painting.work.is_some() {
            if is_stale && self.painting.work.is_some_and(|work| work.is_picture) {
                self.painting.cancel_picture();
            }
        } else if let Some(job) = self.next_job.take() {
            // Every job except a picture changes the drawing.
            self.requested = None;
            self.painting.begin(job);
        } else if is_stale && self.screen.size().is_some() {
            self.requested = Some(frame.clone());
            self.painting.begin(Job::Paint(Box::new(frame)));
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
        let index = self.state.current_file();
        if let Some(loading) = self.loading.as_mut().filter(|loading| loading.index == index) {
            // A file that changes often is not loaded in several threads at once.
            loading.is_outdated = true;
            return;
        }
        if self.state.view.document().is_none() {
            self.painting.cancel_picture();
            self.next_job = Some(Job::Clear);
            self.gui.panels.canvas.picture = None;
            self.model = None;
            self.details = None;
        }
        let file = self.files[index].clone();
        // Watching starts before reading, so that no change is missed.
        self.watch = file.path().and_then(|path| {
            let report = reporter(&self.proxy);
            let unwatched = |error| format!("changes to the file will not be noticed: {error}");
            let watch = Watch::new(&[path.to_owned()], move || report(Report::FileChanged));
            watch.map_err(|error| self.state.notify(unwatched(error))).ok()
        });
        self.ticket += 1;
        self.loading = Some(Loading { index, since: Instant::now(), is_outdated: false });
        let (ticket, options) = (self.ticket, self.load_options.clone());
        let started = spawn("boxwood_load", reporter(&self.proxy), move |report| {
            report(Report::Loaded(ticket, file.load(&options).map(|drawing| Box::new(Model::new(drawing)))));
        });
        if let Err(error) = started {
            self.fail(with_sources(&error));
        }
    }

    /// Shows the reason why the current file, or its current state, cannot be shown.
    fn fail(&mut self, error: String) {
        self.state.fail(error);
        self.end_loading();
    }

    fn end_loading(&mut self) {
        if self.loading.take().is_some_and(|loading| loading.is_outdated) {
            self.load();
        }
        self.window.request_redraw();
    }

    fn cannot_draw(&self, error: &RenderError) -> String {
        format!("cannot draw {}: {}", self.files[self.state.current_file()], with_sources(error))
    }
}

/// The warnings about a drawing's picture and boxes, one per line.
fn warnings(drawing: &Drawing) -> Option<String> {
    let shown = Shown { boxes: true, picture: Some(Drawn::Encoding) };
    let lines: Vec<String> = drawing.warnings.iter().filter_map(|warning| warning.message(shown)).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// A function for other threads that reports to the event loop.
fn reporter(proxy: &EventLoopProxy<Report>) -> impl Fn(Report) + Clone + Send + use<> {
    let proxy = proxy.clone();
    move |report| {
        // The event loop is gone once the window is closed.
        let _ = proxy.send_event(report);
    }
}
