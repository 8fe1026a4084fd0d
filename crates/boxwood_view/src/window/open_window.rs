//! An open window. Other threads load and draw the current file, and the window shows the panels
//! and the last picture.

mod closing;
mod export_threads;
mod exports;
mod lost_device;
mod reports;
mod requests;
mod shaders;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use boxwood_cli::EditorCommand;
use boxwood_render::{Frame, RenderError, with_sources};
use egui::FullOutput;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoopProxy};
use winit::window::Window;

use super::browser::Browser;
use super::comparer::Comparer;
use super::data_views::DataViews;
use super::error::ViewError;
use super::event_loop::{initial_size, refused};
use super::fonts;
use super::gui::Gui;
use super::inputs::ViewInput;
use super::live_shaders::ShaderFolder;
use super::loading::Loader;
use super::options::WindowOptions;
use super::pacing::Pacing;
use super::paint_thread::{Job, PaintThread};
use super::preview::Previewer;
use super::screen::{Screen, ScreenTarget};
use super::thread::{Report, reporter, spawn};
use crate::capture::check as check_capture;
use crate::model::{Details, Model};
use crate::panels::Facts;
use crate::performance::{AdapterFacts, Performance};
use crate::state::{Busy, State, Topic};
pub(crate) use closing::with_failed_exports;
use export_threads::Exports;
pub(crate) use exports::{ExportedDrawing, ViewExport};

/// A window with a drawing shows that it is busy if work takes longer than this. Shorter work would
/// only make the title flicker.
const BUSY_DELAY: Duration = Duration::from_millis(200);

/// The reason why a window closes.
pub(crate) enum Closed {
    ByUser,
    /// The user has closed the window again while it waited for its exports.
    Again,
    Failed(ViewError),
}

impl From<ViewError> for Closed {
    fn from(error: ViewError) -> Self {
        Self::Failed(error)
    }
}

/// An open window. The fields are dropped in this order: the surface before its window.
pub(crate) struct OpenWindow {
    painting: PaintThread,
    screen: Screen,
    gui: Gui,
    window: Arc<Window>,
    proxy: EventLoopProxy<Report>,
    browser: Browser,
    state: State,
    /// The drawing that the panels show.
    model: Option<Arc<Model>>,
    /// The details of a source of this drawing.
    details: Option<Details>,
    data_views: DataViews,
    performance: Performance,
    comparer: Comparer,
    /// The source whose details are being computed.
    details_of: Option<u32>,
    editor: Option<EditorCommand>,
    loader: Loader,
    previewer: Previewer,
    pacing: Pacing,
    /// The time at which the next picture starts.
    next_picture: Option<Instant>,
    /// The next job for the painter that is not a picture.
    next_job: Option<Job>,
    /// Watches the shaders that are read from files.
    _shaders: Option<ShaderFolder>,
    /// The next shader of the overlay.
    next_shader: Option<String>,
    /// The exports of the view that the painter has not begun, in their order.
    next_exports: VecDeque<Box<ViewExport>>,
    exports: Exports,
    /// Why exports have failed since the user closed the window. `None` while it is open.
    failed_exports: Option<Vec<String>>,
    /// The picture that the painter was last asked for. `None` if it must be asked again.
    requested: Option<Frame>,
    /// Whether the boxes of this picture are read back.
    requested_boxes: bool,
    /// Whether the user has cancelled the picture, which is then not drawn again until the view
    /// changes.
    is_picture_cancelled: bool,
    /// The time of the next pass without an event.
    next_pass: Option<Instant>,
    /// How often the window presents before it loses its device for a test.
    n_until_loss: Option<u32>,
    title: String,
}

impl Drop for OpenWindow {
    fn drop(&mut self) {
        // Dropping the window waits for the device. The user need not see that.
        self.window.set_visible(false);
        // The process ends after the window, and its threads with it.
        self.exports.join();
    }
}

impl OpenWindow {
    /// Opens a window, starts a painter for it, and loads the first of the files.
    pub(crate) fn new(
        event_loop: &ActiveEventLoop,
        inputs: Vec<ViewInput>,
        options: &WindowOptions,
        proxy: EventLoopProxy<Report>,
    ) -> Result<Self, ViewError> {
        let (browser, names) =
            Browser::open(inputs, proxy.clone(), options.load.clone()).map_err(ViewError::NoFiles)?;
        let mut state = State::new(names, options.overlay, options.boxes, options.background);
        state.recent = browser.recent().to_vec();
        // Loading goes on while the adapter is opened.
        // Views of the data compare a file with its previous version.
        let load = boxwood_svg::Options { comparable: true, ..options.load.clone() };
        let mut loader = Loader::new(proxy.clone(), load);
        let notice = loader.start(browser.file(state.files.current()))?;
        browser.notice().into_iter().chain(notice).for_each(|notice| state.notify(notice));
        let title = state.title();
        // An assistive technology must know the window before it is shown.
        let attributes = Window::default_attributes()
            .with_title(&title)
            .with_inner_size(initial_size(event_loop))
            .with_visible(false);
        let window = Arc::new(event_loop.create_window(attributes).map_err(refused)?);
        if options.capture_frame.is_some() {
            check_capture()?;
        }
        // Dropping a paint thread waits until its shaders are compiled. The screen is created
        // first, so that its error is reported at once.
        let screen = Screen::open(ScreenTarget {
            display: event_loop.owned_display_handle(),
            window: Arc::clone(&window),
            adapter: options.adapter.clone(),
        })?;
        let gpu = screen.gpu();
        let gui = Gui::new(event_loop, &window, proxy.clone(), gpu.device.limits().max_texture_dimension_2d);
        fonts::start(&gui.context, options.load.clone(), reporter(&proxy))?;
        let shaders = options.shaders.as_ref().map(|folder| ShaderFolder::open(folder, reporter(&proxy)));
        let (shaders, notice) = shaders.map_or((None, None), |(shaders, notice)| (Some(shaders), notice));
        notice.into_iter().for_each(|notice| state.notify(notice));
        let performance = Performance::new(AdapterFacts::new(gpu));
        let running = performance.running.clone();
        let open = Self {
            painting: PaintThread::start(gpu, options.capture_frame, running, reporter(&proxy))?,
            performance,
            screen,
            gui,
            window,
            previewer: Previewer::new(proxy.clone()),
            pacing: Pacing::default(),
            next_picture: None,
            proxy,
            browser,
            state,
            model: None,
            details: None,
            data_views: DataViews::default(),
            comparer: Comparer::default(),
            details_of: None,
            editor: options.editor.clone(),
            loader,
            next_job: None,
            _shaders: shaders,
            next_shader: None,
            next_exports: VecDeque::new(),
            exports: Exports::default(),
            failed_exports: None,
            requested: None,
            requested_boxes: false,
            is_picture_cancelled: false,
            next_pass: None,
            n_until_loss: options.lose_device,
            title,
        };
        open.window.set_visible(true);
        Ok(open)
    }

    /// Handles an event of the window.
    pub(crate) fn handle(&mut self, event: &WindowEvent) -> Result<(), Closed> {
        if self.is_closing() {
            let is_closed_again = matches!(event, WindowEvent::CloseRequested);
            return if is_closed_again { Err(Closed::Again) } else { Ok(()) };
        }
        let needs_pass = self.gui.take_event(&self.window, event);
        match event {
            WindowEvent::CloseRequested => return Err(Closed::ByUser),
            WindowEvent::RedrawRequested => return self.redraw(),
            _ if needs_pass => self.window.request_redraw(),
            _ => {}
        }
        Ok(())
    }

    /// Presents the panels, and does what they ask for. The pixels on the screen may be lost, so
    /// this presents even if nothing looks different.
    fn redraw(&mut self) -> Result<(), Closed> {
        let Some(size) = self.screen.size() else { return Ok(()) };
        let mut output = self.pass(size);
        // Some effects of an event, such as a turn of the wheel, show only in the next pass. A
        // second pass costs less than presenting twice.
        if self.next_pass.is_some_and(|at| Instant::now() >= at) {
            output.append(self.pass(size));
        }
        self.present(output)?;
        self.end_pass()
    }

    /// Does a pass that no event asks for, and presents it only if it looks different.
    fn pass_without_event(&mut self) -> Result<(), Closed> {
        let Some(size) = self.screen.size() else { return Ok(()) };
        let output = self.pass(size);
        if self.screen.shows(&output) {
            self.screen.keep_textures(output.textures_delta);
        } else {
            self.present(output)?;
        }
        self.end_pass()
    }

    fn present(&mut self, output: FullOutput) -> Result<(), Closed> {
        match self.screen.present(&self.gui.context, output) {
            Err(ViewError::DeviceLost(reason)) => self.reopen_screen(reason)?,
            presented => {
                presented?;
                self.lose_device();
            }
        }
        Ok(())
    }

    /// Shows the panels in a size.
    fn pass(&mut self, size: [u32; 2]) -> FullOutput {
        let facts = Facts {
            model: self.model.as_deref(),
            details: self.details.as_ref(),
            data: self.data_views.picture.as_deref(),
            performance: Some(&self.performance),
        };
        let pass = self.gui.pass(&self.window, size, facts, &mut self.state);
        self.next_pass = Instant::now().checked_add(pass.next_pass_after);
        pass.output
    }

    /// Does what the panels ask for.
    fn end_pass(&mut self) -> Result<(), Closed> {
        for request in self.state.take_requests() {
            self.serve(request)?;
        }
        self.screen.set_vsync(self.state.has_vsync);
        self.explain_selected();
        let report = reporter(&self.proxy);
        if self.state.compare.is_none() {
            self.gui.panels.canvas.compared = None;
        }
        self.comparer.update(&mut self.state, self.model.as_ref(), report.clone())?;
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
        let (ticket, model) = (self.loader.ticket(), Arc::clone(model));
        let started = spawn("boxwood_explain", reporter(&self.proxy), move |report| {
            report(Report::Details(ticket, Box::new(Details::new(&model, selected))));
        });
        if let Err(error) = started {
            self.state.fail_command(with_sources(&error));
        }
    }

    /// Gives the painter its next job, and shows whether the window is busy. Returns how long the
    /// event loop may wait.
    pub(crate) fn proceed(&mut self) -> Result<ControlFlow, Closed> {
        if !self.is_closing() && self.next_pass.take_if(|at| Instant::now() >= *at).is_some() {
            self.pass_without_event()?;
        }
        self.begin_job();
        if self.is_closing() {
            return Ok(ControlFlow::Wait);
        }
        let now = Instant::now();
        let work = self.work();
        let delay = if self.gui.panels.canvas.has_picture() { BUSY_DELAY } else { Duration::ZERO };
        let busy = work.filter(|(_, since)| now >= *since + delay).map(|(busy, _)| busy);
        if busy != self.state.busy {
            self.state.busy = busy;
            self.window.request_redraw();
        }
        let title = self.state.title();
        if title != self.title {
            self.window.set_title(&title);
            self.title = title;
        }
        let shown_at = work.filter(|_| busy.is_none()).map(|(_, since)| since + delay);
        let times = shown_at.into_iter().chain(self.next_pass).chain(self.next_picture);
        Ok(times.min().map_or(ControlFlow::Wait, ControlFlow::WaitUntil))
    }

    /// Gives the painter its next job, if it is idle.
    fn begin_job(&mut self) {
        self.next_picture = None;
        let frame = self.state.frame();
        let reads_boxes = DataViews::reads_frame_boxes(&self.state);
        let is_stale = self.requested.as_ref() != Some(&frame) || reads_boxes && !self.requested_boxes;
        if is_stale && std::mem::take(&mut self.is_picture_cancelled) {
            self.state.end_message(Topic::Cancelled);
            self.window.request_redraw();
        }
        if self.painting.work.is_some() {
            if is_stale {
                self.painting.cancel_picture();
            }
        } else if let Some(job) = self.next_job.take() {
            // Every job except a picture changes the drawing.
            self.requested = None;
            self.painting.begin(job);
        } else if let Some(source) = self.next_shader.take() {
            self.begin_shader(source);
        } else if let Some(export) = self.next_exports.pop_front() {
            self.begin_export(export);
        } else if is_stale && !self.is_closing() && self.screen.size().is_some() && self.state.is_drawable() {
            let now = Instant::now();
            let start = self.pacing.start_of(&frame, now);
            self.next_picture = Some(start).filter(|start| *start > now);
            if self.next_picture.is_none() {
                self.requested = Some(frame.clone());
                self.requested_boxes = reads_boxes;
                self.painting.begin(Job::Paint { frame: Box::new(frame), reads_boxes });
            }
        }
    }

    /// The work that the user is waiting for, and its start.
    fn work(&self) -> Option<(Busy, Instant)> {
        let picture = self.painting.work.filter(|work| work.is_picture);
        let drawing = if self.is_picture_cancelled { Busy::Stopping } else { Busy::Drawing };
        let drawing = picture.map(|work| (drawing, work.since));
        let loading = self.loader.since().map(|since| (Busy::Loading, since));
        let other = self.comparer.loading_since().map(|since| (Busy::LoadingOther, since));
        loading.or(drawing).or(other)
    }
}
