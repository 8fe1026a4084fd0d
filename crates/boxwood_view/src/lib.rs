//! Pictures of SVG drawings with their boxes: in a window, or for a file.
//!
//! [`Painter`] draws a scene with Vello and its boxes over that, straight from the buffers in which the stage has left
//! them: those of the scene, or those of the frame that was drawn ([`OverlaySource`]). [`run`] opens a window on it, [`render`] makes an image of it, and [`render_software`] makes the same image
//! without any adapter. What is shown and how is one table: [`OVERLAY_STYLES`].
//!
//! [`pictures`] says how far Vello's pictures are from resvg's, and why.
//!
//! Outlines of boxes are one device pixel wide at any zoom and run inside of the box, through the outermost pixels that
//! it touches; a reach of less than 1/256 of a pixel does not count. Their pixels are the same on every adapter and on
//! the CPU.

mod background;
mod canvas;
mod display;
mod error;
mod files;
mod frame;
#[cfg(test)]
mod gpu_tests;
mod headless;
mod input;
mod keys;
mod kinds;
mod layers;
mod lines;
mod loading;
mod open_window;
mod options;
mod overlay;
mod paint_thread;
mod painter;
mod panel;
#[doc = include_str!("pictures.md")]
pub mod pictures {}
mod software;
mod source;
mod surface;
mod view_transform;
mod viewer;
mod watch;
mod window;

pub use background::{Background, UnknownBackground};
pub use error::{RenderError, ViewError};
pub use files::ViewInput;
pub use frame::Frame;
pub use headless::render;
pub use keys::key_help;
pub use kinds::{OVERLAY_OFF_KEY, OVERLAY_STYLES, OverlayKinds, OverlayStyle, UnknownKind};
pub use options::{PictureSize, RenderOptions};
pub use painter::Painter;
pub use panel::{Message, Severity};
pub use software::render_software;
pub use source::{OverlaySource, UnknownSource};
pub use view_transform::{SCALE_RANGE, ViewTransform};
pub use window::{WindowOptions, run};
