//! A window that shows SVG drawings with their boxes.
//!
//! [`run`] shows drawings until the window is closed. The program `boxwood-view` is this window
//! with the arguments of `boxwood view`. The crate `boxwood_render` draws the pictures.

mod capture;
mod commands;
mod comparison;
mod data_views;
mod export;
mod live_shaders;
mod meshes;
mod model;
mod panels;
mod performance;
mod state;
mod window;

pub use capture::CaptureError;
pub use commands::keys_as_text;
pub use window::{ViewError, ViewInput, WindowOptions, is_catching_panics, run};
