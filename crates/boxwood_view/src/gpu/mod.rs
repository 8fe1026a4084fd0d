//! Pictures on the GPU.

mod apart;
mod capture;
mod cut;
mod layers;
mod live_shaders;
mod meshes;
mod painter;
mod region;
mod render;
#[cfg(test)]
mod tests;
mod texture;

pub use capture::CaptureError;
pub(crate) use capture::{capture, check as check_capture};
pub(crate) use live_shaders::LiveShaders;
pub(crate) use meshes::{MeshRenderer, Target};
pub use painter::Painter;
pub(crate) use painter::TILE;
pub use render::render;
pub(crate) use texture::PictureTextures;
