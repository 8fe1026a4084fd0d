//! Pictures on the GPU.

mod apart;
mod cut;
mod frame_boxes;
mod kept;
mod layers;
mod painter;
mod region;
mod render;
#[cfg(test)]
mod tests;
mod texture;

pub use frame_boxes::FrameBoxes;
pub use painter::{Painter, TILE};
pub use render::render;
pub use texture::PictureTextures;
