//! Pictures on the GPU.

mod cut;
mod layers;
mod meshes;
mod painter;
mod region;
mod render;
#[cfg(test)]
mod tests;
mod texture;

pub(crate) use meshes::{MeshRenderer, Target};
pub use painter::Painter;
pub use render::render;
