//! The window: winit's events, and what they do.

use std::path::PathBuf;
use std::sync::Arc;

use boxwood::{Gpu, GpuError};
use kurbo::Point;
use winit::application::ApplicationHandler;
use winit::dpi::{LogicalSize, PhysicalSize, Size};
use winit::event::{ElementState, MouseButton, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop, EventLoopProxy};
use winit::keyboard::ModifiersState;
use winit::window::{CursorIcon, Window, WindowId};

use crate::background::Background;
use crate::error::ViewError;
use crate::files;
use crate::input;
use crate::keys;
use crate::kinds::OverlayKinds;
use crate::painter::Painter;
use crate::surface::{Presented, Screen};
use crate::viewer::{Effect, Viewer};
use crate::watch::Watch;

/// How a window starts.
#[derive(Clone, Debug, Default)]
pub struct WindowOptions {
    /// A part of the name of the adapter that draws. Without it, the best that can draw to the window.
    pub adapter: Option<String>,
    /// The kinds of box that are shown at first.
    pub overlay: OverlayKinds,
    /// What lies behind the drawing at first.
    pub background: Background,
    /// How files are loaded.
    pub load: boxwood_svg::Options,
}

/// Opens a window on some files and returns when it is closed. A folder stands for the drawings in it.
///
/// A file that changes is read again. One that is broken is shown as far as it was read before, with the reason.
///
/// # Errors
///
/// Nothing to view, no display, no adapter, or a device that fails.
///
/// # Panics
///
/// Outside of the main thread, or if it has run before: windowing systems allow one event loop.
pub fn run(files: &[PathBuf], options: WindowOptions) -> Result<(), ViewError> {
    let files = files::expand(files)?;
    let event_loop = open_event_loop()?;
    event_loop.set_control_flow(ControlFlow::Wait);
    let mut app = App {
        viewer: Viewer::new(files, options.overlay, options.background),
        options,
        proxy: event_loop.create_proxy(),
        open: None,
        failure: None,
    };
    event_loop.run_app(&mut app).map_err(|e| refused(&e))?;
    app.failure.map_or(Ok(()), Err)
}

/// The current file has changed.
#[derive(Clone, Copy, Debug)]
struct FileChanged;

struct App {
    viewer: Viewer,
    options: WindowOptions,
    proxy: EventLoopProxy<FileChanged>,
    open: Option<Open>,
    failure: Option<ViewError>,
}

/// What there is while the window is open.
struct Open {
    window: Arc<Window>,
    gpu: Gpu,
    screen: Screen,
    painter: Painter,
    watch: Option<Watch>,
    modifiers: ModifiersState,
    /// The cursor, in device pixels.
    cursor: Point,
    is_dragging: bool,
    /// Whether the picture is another than the painter's last.
    is_stale: bool,
}

impl ApplicationHandler<FileChanged> for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.open.is_some() {
            return;
        }
        match Open::new(event_loop, &self.viewer, &self.options) {
            Ok(open) => {
                self.open = Some(open);
                self.fit_to_window();
                self.load();
            }
            Err(error) => self.quit(event_loop, Some(error)),
        }
    }

    fn user_event(&mut self, _: &ActiveEventLoop, _: FileChanged) {
        self.load();
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(open) = &mut self.open else {
            return;
        };
        let effect = match event {
            WindowEvent::CloseRequested => Some(Effect::Quit),
            WindowEvent::RedrawRequested => {
                if let Err(error) = self.redraw() {
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
    /// Reads the current file and shows it, or why it cannot be shown.
    fn load(&mut self) {
        let Some(open) = &mut self.open else {
            return;
        };
        if !self.viewer.has_document() {
            open.painter.clear_scene();
        }
        let file = self.viewer.file().to_owned();
        let proxy = self.proxy.clone();
        // Watched before it is read, so that no change is missed.
        let watch = Watch::new(&file, move || {
            // The loop is gone when the window is closed.
            let _ = proxy.send_event(FileChanged);
        });
        let loaded = boxwood_svg::load_file(&file, &self.options.load).map_err(|e| e.to_string());
        let shown = loaded.and_then(|scene| {
            open.painter.set_scene(&scene).map_err(|e| format!("{e}: {}", file.display()))?;
            Ok(scene)
        });
        match shown {
            Ok(scene) => self.viewer.show(scene.size, warnings(&scene)),
            Err(error) => self.viewer.fail(error),
        }
        open.watch = match watch {
            Ok(watch) => Some(watch),
            Err(error) => {
                self.viewer.notify(format!("changes of the file are not noticed: {error}"));
                None
            }
        };
        self.refresh();
    }

    /// Shows the state of the viewer.
    fn refresh(&mut self) {
        if let Some(open) = &mut self.open {
            open.is_stale = true;
            open.window.set_title(&self.viewer.title());
            open.window.request_redraw();
        }
    }

    fn fit_to_window(&mut self) {
        if let Some(open) = &mut self.open
            && let Some(size) = open.screen.size()
        {
            open.screen.configure(&open.gpu);
            self.viewer.resize(size, open.window.scale_factor());
            self.refresh();
        }
    }

    fn redraw(&mut self) -> Result<(), ViewError> {
        let Some(open) = self.open.as_mut().filter(|open| open.screen.size().is_some()) else {
            return Ok(());
        };
        if open.is_stale {
            if let Err(error) = open.painter.paint(&self.viewer.frame())
                && self.viewer.has_document()
            {
                // Without the drawing there is still a window that can say so.
                self.viewer.clear();
                self.viewer.fail(format!("{error}: {}", self.viewer.file().display()));
                open.painter.clear_scene();
                open.painter.paint(&self.viewer.frame())?;
                open.window.set_title(&self.viewer.title());
            }
            open.is_stale = false;
        }
        let Some(picture) = open.painter.picture() else {
            return Ok(());
        };
        if open.screen.present(&open.gpu, picture)? == Presented::Again {
            open.window.request_redraw();
        }
        Ok(())
    }

    fn quit(&mut self, event_loop: &ActiveEventLoop, failure: Option<ViewError>) {
        self.failure = failure;
        // The surface goes before its window and before the connection to the display.
        self.open = None;
        event_loop.exit();
    }
}

impl Open {
    fn new(
        event_loop: &ActiveEventLoop,
        viewer: &Viewer,
        options: &WindowOptions,
    ) -> Result<Self, ViewError> {
        let attributes =
            Window::default_attributes().with_title(viewer.title()).with_inner_size(initial_size(event_loop));
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
        let gpu = Gpu::open_on(instance, Some(&surface), options.adapter.as_deref())?;
        let painter = Painter::new(&gpu)?;
        let screen = Screen::new(&gpu, Arc::clone(&window), surface)?;
        Ok(Self {
            window,
            gpu,
            screen,
            painter,
            watch: None,
            modifiers: ModifiersState::empty(),
            cursor: Point::ZERO,
            is_dragging: false,
            is_stale: true,
        })
    }

    fn drag(&mut self, is_dragging: bool) {
        self.is_dragging = is_dragging;
        self.window.set_cursor(if is_dragging { CursorIcon::Grabbing } else { CursorIcon::Default });
    }
}

/// The connection to the windowing system.
fn open_event_loop() -> Result<EventLoop<FileChanged>, ViewError> {
    // Where a library of the windowing system is missing, winit panics. What it says becomes the error.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let built = std::panic::catch_unwind(|| EventLoop::with_user_event().build());
    std::panic::set_hook(hook);
    match built {
        Ok(event_loop) => event_loop.map_err(|e| refused(&e)),
        Err(panic) => {
            let text = panic.downcast_ref::<&str>().map(|&text| text.to_owned());
            let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
            Err(refused(&text.as_deref().unwrap_or("the windowing library failed")))
        }
    }
}

/// What winit says, without the place in its source.
fn refused(error: &dyn std::fmt::Display) -> ViewError {
    let text = error.to_string();
    let reason = text.rsplit_once(".rs:").and_then(|(_, rest)| rest.split_once(": "));
    ViewError::Window(reason.map_or(text.as_str(), |(_, reason)| reason).trim_end_matches('.').to_owned())
}

/// The size of the window when it opens, in device pixels, with room to spare on the screen.
fn initial_size(event_loop: &ActiveEventLoop) -> Size {
    let monitor = event_loop.primary_monitor().or_else(|| event_loop.available_monitors().next());
    let (width, height) = (1024, 768);
    match monitor {
        Some(monitor) if monitor.size().width > 0 => {
            let PhysicalSize { width: wide, height: high } =
                PhysicalSize::<u32>::from_logical(LogicalSize::new(width, height), monitor.scale_factor());
            let room = monitor.size();
            PhysicalSize::new(wide.min(room.width / 10 * 9), high.min(room.height / 10 * 9)).into()
        }
        _ => LogicalSize::new(width, height).into(),
    }
}

/// What a scene's drawing or boxes lack, as a notice.
fn warnings(scene: &boxwood_svg::Scene) -> Option<String> {
    let lines: Vec<String> = scene.warnings.iter().map(|warning| warning.message.clone()).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}
