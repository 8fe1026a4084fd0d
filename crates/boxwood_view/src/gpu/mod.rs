//! Pictures on the GPU.

mod layers;
mod painter;
mod region;
mod render;
#[cfg(test)]
mod tests;
mod texture;

pub use painter::Painter;
pub use render::render;
