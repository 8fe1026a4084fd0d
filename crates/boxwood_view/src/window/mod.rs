//! The window: it shows drawings, which it loads and draws in other threads.

mod app;
mod browser;
mod comparer;
mod data_views;
mod dialogs;
mod error;
mod event_loop;
mod files;
mod fonts;
mod gui;
mod inputs;
mod live_shaders;
mod loading;
mod loss;
mod open_window;
mod options;
mod pacing;
mod paint_thread;
mod paint_worker;
mod panics;
mod presented;
mod preview;
mod priority;
mod recent;
mod screen;
mod thread;
mod thumbnails;
mod trace;

pub use app::run;
pub use error::ViewError;
pub use inputs::ViewInput;
pub use options::WindowOptions;
pub use panics::is_catching_panics;
