//! The connection to the windowing system.

use std::fmt::Display;

use winit::dpi::{LogicalSize, PhysicalSize, Size};
use winit::event_loop::{ActiveEventLoop, EventLoop};

use super::error::ViewError;
use super::panics::{Caught, catch};

/// Connects to the windowing system.
pub(crate) fn open_event_loop<E>() -> Result<EventLoop<E>, ViewError> {
    let built = catch(Caught::All, || EventLoop::with_user_event().build());
    built.map_or_else(|payload| Err(refused(panic_message(&*payload))), |built| built.map_err(refused))
}

/// The message of a panic.
fn panic_message(payload: &(dyn std::any::Any + Send)) -> &str {
    let literal = payload.downcast_ref::<&str>().copied();
    let message = literal.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    message.unwrap_or("the windowing library panicked")
}

/// An error of winit, without the line of winit's source that its message starts with.
pub(crate) fn refused(error: impl Display) -> ViewError {
    let text = error.to_string();
    let reason = text.rsplit_once(".rs:").and_then(|(_, rest)| rest.split_once(": "));
    ViewError::Window(reason.map_or(text.as_str(), |(_, reason)| reason).trim_end_matches('.').to_owned())
}

/// The size of the window when it opens, in logical pixels, if the screen is large enough for it.
const INITIAL_SIZE: LogicalSize<u32> = LogicalSize::new(1024, 768);

/// The size of the window when it opens: at most nine tenths of the screen in each direction.
pub(crate) fn initial_size(event_loop: &ActiveEventLoop) -> Size {
    let monitor = event_loop.primary_monitor().or_else(|| event_loop.available_monitors().next());
    let Some(monitor) = monitor.filter(|monitor| monitor.size().width > 0) else {
        return INITIAL_SIZE.into();
    };
    let wanted: PhysicalSize<u32> = INITIAL_SIZE.to_physical(monitor.scale_factor());
    let screen = monitor.size();
    PhysicalSize::new(wanted.width.min(screen.width / 10 * 9), wanted.height.min(screen.height / 10 * 9))
        .into()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::{panic, thread};

    use super::*;
    use crate::is_catching_panics;

    /// winit panics outside the main thread, where this test runs.
    #[test]
    fn a_panic_of_winit_becomes_an_error_and_the_hook_of_the_program_sees_it() {
        static SEEN: AtomicUsize = AtomicUsize::new(0);
        let this = thread::current().id();
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if thread::current().id() == this && is_catching_panics() {
                SEEN.fetch_add(1, Ordering::Relaxed);
            } else {
                previous(info);
            }
        }));
        let error = open_event_loop::<()>().expect_err("this is not the main thread");
        assert!(matches!(error, ViewError::Window(_)), "{error}");
        assert_eq!(SEEN.load(Ordering::Relaxed), 1);
        assert!(!is_catching_panics());
    }
}
