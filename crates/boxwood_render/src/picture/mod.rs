//! The description of a picture: size, view, background, and overlay.

mod background;
mod emphasis;
mod frame;
mod limits;
mod options;
mod preview;

pub use background::{Background, UnknownBackground};
pub use emphasis::Emphasis;
pub use frame::Frame;
pub use limits::MAX_PIXELS;
pub use options::{Legend, PictureSize, RenderOptions};
pub use preview::Preview;
