//! The description of a picture: size, view, background, and overlay.

mod background;
mod emphasis;
mod frame;
mod limits;
mod options;
mod preview;

pub(crate) use background::backdrop;
pub use background::{Background, UnknownBackground, backdrop_at};
pub use emphasis::Emphasis;
pub use frame::Frame;
pub use options::{Legend, PictureSize, RenderOptions};
pub use preview::Preview;
