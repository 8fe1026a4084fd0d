//! Pictures on the GPU.

mod device;
mod layers;
mod painter;
mod region;
mod render;
#[cfg(test)]
mod tests;

pub use painter::Painter;
pub use render::render;
