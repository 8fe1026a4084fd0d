//! The window: it shows drawings, which it loads and draws in other threads.

mod app;
mod data_views;
mod error;
mod event_loop;
mod gui;
mod inputs;
mod open_window;
mod options;
mod paint_thread;
mod screen;
mod thread;

pub use app::run;
pub use error::ViewError;
pub use event_loop::is_catching_panics;
pub use inputs::ViewInput;
pub use options::WindowOptions;
