//! The connection to the windowing system, and the size of the window on it.

use winit::dpi::{LogicalSize, PhysicalSize, Size};
use winit::event_loop::{ActiveEventLoop, EventLoop};

use crate::error::ViewError;

/// The connection to the windowing system.
pub(crate) fn open_event_loop<E>() -> Result<EventLoop<E>, ViewError> {
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
pub(crate) fn refused(error: &dyn std::fmt::Display) -> ViewError {
    let text = error.to_string();
    let reason = text.rsplit_once(".rs:").and_then(|(_, rest)| rest.split_once(": "));
    ViewError::Window(reason.map_or(text.as_str(), |(_, reason)| reason).trim_end_matches('.').to_owned())
}

/// The size of the window when it opens, in device pixels, with room to spare on the screen.
pub(crate) fn initial_size(event_loop: &ActiveEventLoop) -> Size {
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
